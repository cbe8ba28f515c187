//! What a letter says, for each matter: subject, headline, a few paragraphs, one link, chapters of lists.
//!
//! The subject names the game, the turn and what is asked, never the result.

use crate::clock::Timestamp;
use crate::mail::people;
use crate::play::Secret;
use crate::play::agree::OfferKind;
use crate::play::invite::InvitationView;
use crate::play::letters::{Matter, TimeMatter};
use crate::play::mailed::MailedLink;
use crate::play::messages::Message;
use crate::play::view::{SeatView, TurnView};
use crate::rules::{Chapter, Side, StoryLine, Tone};

/// The words of a letter.
#[derive(Clone, Debug)]
pub struct Words {
    /// The subject.
    pub subject: String,
    /// The first line.
    pub headline: String,
    /// What is asked, and by when.
    pub paragraphs: Vec<String>,
    /// Where it is answered.
    pub link: Option<Link>,
    /// Lists: what happened, what stands on the board.
    pub chapters: Vec<Chapter>,
    /// Why the letter goes to its reader.
    pub why: String,
    /// The page on which such letters are stopped.
    pub stop: Option<String>,
    /// What proves all that was before, for who keeps the letter.
    pub proof: Option<String>,
}

/// A link and the words on its button.
#[derive(Clone, Debug)]
pub struct Link {
    /// The whole address.
    pub address: String,
    /// The button.
    pub button: &'static str,
}

/// Finds the words for a matter; `public_url` is the server's address without a slash at its end.
pub fn words(matter: &Matter, public_url: &str) -> Words {
    match matter {
        Matter::Report(view, turn) => report(view, turn, public_url),
        Matter::End(view) => end(view, public_url),
        Matter::Open(view) => open(view, public_url),
        Matter::Time(view, matter) => of_time(view, *matter, public_url),
        Matter::Confirm(link, secret) => confirm(link, secret, public_url),
        Matter::GivenUp(seat) => people::given_up(seat),
        Matter::Rematch(view) => rematch(view, public_url),
        Matter::Invitation(invitation, secret) => invites(invitation, secret, public_url),
        Matter::Message(view, message) => written(view, message, public_url),
        Matter::Nothing => nothing(),
        Matter::SignIn(secret) => people::sign_in(secret, public_url),
        Matter::Change(link, secret) => people::change(link, secret, public_url),
        Matter::Revert(link, secret) => people::revert(link, secret, public_url),
    }
}

fn report(view: &SeatView, turn: &TurnView, public_url: &str) -> Words {
    let asked = match &view.ended {
        Some(ended) => format!("The game is over. {}", ended.how),
        None => format!("{} is open: the server waits for what you write.", view.standing.turn_name()),
    };
    let wanted = match view.ended {
        Some(_) => String::new(),
        None => format!("; {} is open", view.standing.turn_name()),
    };
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    // What happened, then what stands on the board.
    let chapters = turn.story.iter().cloned().chain(view.standing.roll()).collect();
    Words {
        headline: format!("{} of your game as {seat} against {opponent} has been resolved.", turn.name),
        link: Some(Link {
            address: format!("{}/days/{}", seat_page(view, public_url), turn.turn),
            button: if view.ended.is_some() { "Look at the game" } else { "Look and answer" },
        }),
        chapters,
        proof: Some(format!("Running hash of all days up to {}: {}", turn.name, turn.chain)),
        ..about_seat(view, &format!("{} has been resolved{wanted}", turn.name), asked, public_url)
    }
}

fn end(view: &SeatView, public_url: &str) -> Words {
    let how = view.ended.as_ref().map(|ended| ended.how.as_str()).unwrap_or_default();
    Words {
        chapters: view.standing.roll(),
        ..about_seat(view, "the game is over", format!("The game is over. {how}"), public_url)
    }
}

fn open(view: &SeatView, public_url: &str) -> Words {
    let form = view.standing.entry_form(view.side);
    Words {
        chapters: view.standing.roll(),
        ..about_seat(view, &format!("{}: your {}, please", view.standing.turn_name(), form.noun), form.ask, public_url)
    }
}

fn of_time(view: &SeatView, matter: TimeMatter, public_url: &str) -> Words {
    let (turn, other) = (view.standing.turn_name(), view.side.other().name());
    let due = || view.due.map_or_else(|| "later".to_owned(), plain);
    let page = seat_page(view, public_url);
    let (what, asked, link) = match matter {
        TimeMatter::Reminder => (
            format!("{turn} is due {}", due()),
            "You have sealed nothing for it yet. The page says what will be used if it stays so.".to_owned(),
            page.clone(),
        ),
        TimeMatter::Nudge => (
            format!("{turn} still waits"),
            "Nothing has moved in this game for 14 days, and it waits for you. After 60 days either side may close it."
                .to_owned(),
            page.clone(),
        ),
        TimeMatter::PutOff => (
            format!("{turn} is due later, {}", due()),
            "The server was down when the turn was to be due, so everybody has more time.".to_owned(),
            page.clone(),
        ),
        TimeMatter::ClaimOpen => (
            format!("{other} stays away"),
            format!(
                "{other} has missed as many turns as this game allows. You may end it, wait, or seek a substitute."
            ),
            format!("{page}/absent"),
        ),
        TimeMatter::SubstituteCame => (
            format!("{other}’s seat is taken"),
            format!(
                "{} has taken the seat that was free and plays on as {other}. {}",
                name(view, view.side.other()),
                match view.due {
                    Some(due) => format!("A whole turn’s time runs from now: {turn} is due {}.", plain(due)),
                    None => format!("{turn} is open."),
                }
            ),
            page.clone(),
        ),
        TimeMatter::PauseOffer => (
            format!("{other} offers a pause"),
            match view.time.offer {
                Some(offer) => format!("Nothing would be due until {}. Accept it or decline it.", plain(offer.until)),
                None => "It has been answered or withdrawn meanwhile.".to_owned(),
            },
            format!("{page}/time"),
        ),
        TimeMatter::Offer(OfferKind::Draw) => (
            format!("{other} offers a draw"),
            format!("The offer stands until {turn} is resolved. Accept it or decline it; playing on declines it too."),
            format!("{page}/draw"),
        ),
        TimeMatter::Offer(OfferKind::Continue) => (
            format!("{other} offers to go on from an earlier day"),
            format!(
                "If you accept, this game ends without a result, and a new one with the same seats begins at an earlier dawn. \
                 The offer stands until {turn} is resolved."
            ),
            format!("{page}/continue"),
        ),
    };
    Words {
        link: Some(Link { address: link, button: "Look and answer" }),
        ..about_seat(view, &what, asked, public_url)
    }
}

/// A moment for a letter, in UTC: where its reader is, is not known here.
fn plain(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| "at an unknown time".to_owned(), |at| at.strftime("%-d %b %Y, %H:%M UTC").to_string())
}

fn confirm(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: is this your address?".into(),
        headline: "Is this your address?".into(),
        paragraphs: vec![
            format!("Somebody, probably you, wants letters about a game of Field Command to go to {}.", link.address),
            "If that is right, open this link within 7 days and press the button. If not, do nothing: no more letters \
             will come."
                .into(),
        ],
        link: Some(Link { address: format!("{public_url}/m/{}", secret.reveal()), button: "Confirm this address" }),
        chapters: Vec::new(),
        why: "This letter goes to you because somebody typed this address on the page of a game.".into(),
        stop: None,
        proof: None,
    }
}

fn rematch(view: &SeatView, public_url: &str) -> Words {
    let (opponent, side) = (name(view, view.side.other()), view.side.other().name());
    let asked = format!(
        "{opponent} has opened a new game with the same settings and sits in it as {}; you would command {side}. The seat is \
         kept for you: take it on the page of the old game.",
        view.side.name()
    );
    about_seat(view, &format!("{opponent} wants to play again"), asked, public_url)
}

fn written(view: &SeatView, message: &Message, public_url: &str) -> Words {
    let opponent = name(view, view.side.other());
    let page = format!("{}/messages", seat_page(view, public_url));
    let lines = message.text.lines().filter(|line| !line.trim().is_empty());
    let mut paragraphs: Vec<String> = lines.map(str::to_owned).collect();
    paragraphs.push("An answer to this letter is not delivered; answer on the page of the game.".into());
    Words {
        paragraphs,
        link: Some(Link { address: page, button: "Answer" }),
        ..about_seat(view, &format!("{opponent} has written to you"), String::new(), public_url)
    }
}

fn invites(invitation: &InvitationView, secret: &Secret, public_url: &str) -> Words {
    let from = invitation.from.as_deref().unwrap_or(invitation.side.other().name());
    let (game, side) = (invitation.setup.game_name(), invitation.side.name());
    let mut rules = invitation.clock_words();
    if invitation.goes_on() {
        rules.insert(0, format!("The game goes on: {} is awaited; the seat was given up.", invitation.now.turn_name()));
    }
    rules.extend(invitation.setup.house_rules());
    let lines = rules.into_iter().map(|text| StoryLine { text, tone: Tone::Plain }).collect();
    Words {
        // The name is whatever a stranger has typed: it stands in quotes in the text, and nowhere above it.
        subject: format!("An invitation to a game of {game}"),
        headline: format!("You are invited to a game of {game}, a board game for two."),
        paragraphs: vec![
            format!("The player who invites you gave the name “{from}”."),
            format!("You would command {side}. Looking commits you to nothing, and no account is needed: the seat is yours \
                     once you press the button on the page."),
            "If you do not know who this is, do nothing.".into(),
        ],
        link: Some(Link { address: format!("{public_url}/i/{}", secret.reveal()), button: "Look at the invitation" }),
        chapters: vec![Chapter { title: "House rules of this game".into(), lines }],
        why: "This letter goes to you because a player typed your address on the page of a game. The address is kept nowhere else."
            .into(),
        stop: None,
        proof: None,
    }
}

/// For what is over; nobody gets it.
fn nothing() -> Words {
    Words {
        subject: String::new(),
        headline: String::new(),
        paragraphs: Vec::new(),
        link: None,
        chapters: Vec::new(),
        why: String::new(),
        stop: None,
        proof: None,
    }
}

/// A letter about one seat, with a link to its page.
fn about_seat(view: &SeatView, what: &str, asked: String, public_url: &str) -> Words {
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    let page = seat_page(view, public_url);
    Words {
        // A name that looks like an encoded word (RFC 2047) would be decoded by the reader's program.
        subject: format!(
            "{}, {} against {}: {what}",
            view.setup.game_name(),
            name(view, Side::Red),
            name(view, Side::Blue)
        )
        .replace("=?", "= ?"),
        headline: format!("Your game as {seat} against {opponent}: {what}."),
        paragraphs: vec![asked],
        link: Some(Link { address: page.clone(), button: "Look at the game" }),
        chapters: Vec::new(),
        why: format!(
            "This letter goes to you because this address stands on the seat of {seat} in game {}.",
            view.game
        ),
        stop: Some(page),
        proof: None,
    }
}

fn seat_page(view: &SeatView, public_url: &str) -> String {
    format!("{public_url}/games/{}/{}", view.game, view.side.word())
}

/// A player's name, or the side's.
fn name(view: &SeatView, side: Side) -> &str {
    view.names.get(side).as_deref().unwrap_or(side.name())
}
