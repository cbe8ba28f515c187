//! What a letter says, for each matter: subject, headline, what is asked and until when, one link, chapters of lists.
//!
//! The subject names the game, the turn and what is asked, and the result only for who wishes that.

use crate::mail::{answered, digest, organiser, people, timely};
use crate::play::Secret;
use crate::play::boards::BoardNames;
use crate::play::invite::InvitationView;
use crate::play::letters::{DueLetter, Matter};
use crate::play::messages::Message;
use crate::play::resolve::How;
use crate::play::view::{SeatView, TurnView};
use crate::play::wishes::Wishes;
use crate::rules::{Chapter, Outcome, Side, StoryLine, Tone};

/// The words of a letter.
#[derive(Clone, Debug, Default)]
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
    /// What of the board is shown, if any of it.
    pub board: Option<Shows>,
    /// What a mail that answers the letter is for.
    pub reply: Reply,
    /// Why the letter goes to its reader.
    pub why: String,
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

/// What a letter shows of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// A day at its end.
    Dusk,
    /// What stands on it now.
    Now,
}

/// What a mail that answers a letter is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reply {
    /// The letter is not answered.
    #[default]
    None,
    /// The sheet that is awaited.
    Sheet,
    /// Words to the opponent.
    Say,
    /// Yes or no to a draw.
    Draw,
    /// Whatever a mail about a game can do.
    Ask,
}

/// Finds the words for a letter; `public_url` is the server's address without a slash at its end.
pub fn words(letter: &DueLetter, public_url: &str) -> Words {
    let wishes = &letter.wishes;
    match &letter.matter {
        Matter::Report(view, turn) => report(view, turn, wishes, public_url),
        Matter::End(view) => end(view, wishes, public_url),
        Matter::Open(view) => open(view, wishes, public_url),
        Matter::Time(view, matter) => timely::timely(view, *matter, wishes, public_url),
        Matter::Confirm(link, secret) => people::confirm(link, secret, public_url),
        Matter::Digest(matter) => digest::digest(matter, public_url),
        Matter::GivenUp(seat) => people::given_up(seat),
        Matter::Rematch(view) => rematch(view, public_url),
        Matter::Invitation(invitation, secret) => invites(invitation, secret, public_url),
        Matter::Message(view, message) => written(view, message, public_url),
        Matter::Nothing => Words::default(),
        Matter::SignIn(secret) => people::sign_in(secret, public_url),
        Matter::Change(link, secret) => people::change(link, secret, public_url),
        Matter::Revert(link, secret) => people::revert(link, secret, public_url),
        Matter::Answer(view, said) => answered::answered(view, said, wishes, public_url),
        Matter::Allow(link, secret) => answered::allow(link, secret, public_url),
        Matter::Seat(link, secret) => organiser::seat(link, secret, public_url),
        Matter::Organiser(view, act) => organiser::act(view, act, wishes, public_url),
    }
}

/// A turn that was resolved: what is asked now, what happened to the reader's units, the whole report, both armies.
fn report(view: &SeatView, turn: &TurnView, wishes: &Wishes, public_url: &str) -> Words {
    let over = view.ended.as_ref().map(|ended| result(ended.outcome));
    let (subject, paragraphs) = match (&view.ended, over) {
        (Some(ended), Some(over)) if wishes.results => {
            (format!("{}: {over}", turn.name), vec![format!("The game is over. {}", ended.how)])
        }
        (Some(ended), _) => {
            (format!("{} has been resolved", turn.name), vec![format!("The game is over. {}", ended.how)])
        }
        (None, _) => (format!("{} has been resolved; {}", turn.name, please(view)), asked(view, wishes)),
    };
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    let mut own = turn.report.own(view.side);
    own.lines.splice(0..0, came_about(view, turn));
    let chapters = [own].into_iter().chain(turn.story.iter().cloned()).chain(view.standing.roll()).collect();
    Words {
        headline: format!("{} of your game as {seat} against {opponent} has been resolved.", turn.name),
        link: Some(Link {
            address: format!("{}/days/{}", seat_page(view, public_url), turn.turn),
            button: if view.ended.is_some() { "Look at the game" } else { "Look and answer" },
        }),
        paragraphs,
        chapters,
        board: Some(Shows::Dusk),
        reply: if view.ended.is_some() { Reply::None } else { Reply::Sheet },
        proof: Some(hash_line(turn)),
        ..about_seat(view, &subject, String::new(), public_url)
    }
}

/// What proves all turns up to one, for who keeps the letter.
pub fn hash_line(turn: &TurnView) -> String {
    format!("Running hash of all days up to {}: {}", turn.name, turn.chain)
}

/// How the sheets came about that were not sealed.
fn came_about<'a>(view: &'a SeatView, turn: &'a TurnView) -> impl Iterator<Item = StoryLine> + 'a {
    [view.side, view.side.other()].into_iter().filter_map(|side| {
        let who = if side == view.side { "You" } else { side.name() };
        let text = match turn.how.get(side) {
            How::Sealed => return None,
            How::Draft => format!("{who} had not sealed when the turn was due; the draft was used."),
            How::Late => format!("{who} had not sealed when the turn was due; an empty list was used."),
            How::ReadyMade => {
                format!("{who} had not deployed when the turn was due; a ready-made deployment was used.")
            }
            How::Missed => format!("{who} had written nothing when the turn was due, and missed it."),
        };
        Some(StoryLine { text, tone: Tone::Plain })
    })
}

/// `your orders for Day 6, please`.
fn please(view: &SeatView) -> String {
    let (noun, turn) = (view.standing.entry_form(view.side).noun, view.standing.turn_name());
    if view.standing.turn() == 0 { format!("your {noun}, please") } else { format!("your {noun} for {turn}, please") }
}

/// What the reader is asked to write, and until when.
fn asked(view: &SeatView, wishes: &Wishes) -> Vec<String> {
    let ask = view.standing.entry_form(view.side).ask;
    let due = view.due.map(|due| format!("It is due {}.", wishes.moment(due)));
    [Some(ask), due].into_iter().flatten().collect()
}

fn open(view: &SeatView, wishes: &Wishes, public_url: &str) -> Words {
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    let begins = view.standing.turn() == 0;
    let headline = if begins {
        format!("Your game as {seat} against {opponent} begins.")
    } else {
        format!("Your game as {seat} against {opponent} waits for you: {}.", view.standing.turn_name())
    };
    let subject = if begins { format!("the game begins; {}", please(view)) } else { please(view) };
    let mut rules = view.time.terms.words(view.pace != crate::pace::Pace::Open);
    rules.insert(0, view.pace.words());
    rules.splice(0..0, view.board.iter().map(BoardNames::words));
    rules.extend(view.setup.house_rules());
    let house = Chapter {
        title: "House rules of this game".into(),
        lines: rules.into_iter().map(|text| StoryLine { text, tone: Tone::Plain }).collect(),
    };
    Words {
        headline,
        paragraphs: asked(view, wishes),
        link: Some(Link { address: seat_page(view, public_url), button: "Look and answer" }),
        chapters: view.standing.roll().into_iter().chain(ready_made(view)).chain([house]).collect(),
        board: Some(Shows::Now),
        reply: Reply::Sheet,
        ..about_seat(view, &subject, String::new(), public_url)
    }
}

/// A deployment that can be sent as it is, for who is asked for one.
fn ready_made(view: &SeatView) -> Option<Chapter> {
    let preset = view.standing.entry_form(view.side).presets.into_iter().next()?;
    let lines = preset.text.lines().map(|line| StoryLine { text: line.to_owned(), tone: Tone::Plain }).collect();
    Some(Chapter { title: format!("A deployment that is ready: {}", preset.name), lines })
}

fn end(view: &SeatView, wishes: &Wishes, public_url: &str) -> Words {
    let how = view.ended.as_ref().map(|ended| ended.how.as_str()).unwrap_or_default();
    let what = match view.ended.as_ref().filter(|_| wishes.results) {
        Some(ended) => format!("the game is over, {}", result(ended.outcome)),
        None => "the game is over".to_owned(),
    };
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    Words {
        headline: format!("Your game as {seat} against {opponent} is over."),
        chapters: view.standing.roll(),
        board: (!view.standing.roll().is_empty()).then_some(Shows::Now),
        ..about_seat(view, &what, how.to_owned(), public_url)
    }
}

/// `Red wins`.
fn result(outcome: Option<Outcome>) -> String {
    match outcome.map(Outcome::winner) {
        None => "without a result".to_owned(),
        Some(None) => "a draw".to_owned(),
        Some(Some(winner)) => format!("{} wins", winner.name()),
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
    Words {
        paragraphs: lines.map(str::to_owned).collect(),
        link: Some(Link { address: page, button: "Answer" }),
        reply: Reply::Say,
        ..about_seat(view, &format!("{opponent} has written to you"), String::new(), public_url)
    }
}

fn invites(invitation: &InvitationView, secret: &Secret, public_url: &str) -> Words {
    let from = invitation.from.as_deref().unwrap_or(invitation.side.other().name());
    let (game, side) = (invitation.setup.game_name(), invitation.side.name());
    let mut rules = invitation.words();
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
            if invitation.by_organiser {
                format!("The organiser of the server invites you to play on against “{from}”.")
            } else {
                format!("The player who invites you gave the name “{from}”.")
            },
            format!(
                "You would command {side}. Looking commits you to nothing, and no account is needed: the seat is yours \
                     once you press the button on the page."
            ),
            "If you do not know who this is, do nothing.".into(),
        ],
        link: Some(Link { address: format!("{public_url}/i/{}", secret.reveal()), button: "Look at the invitation" }),
        chapters: vec![Chapter { title: "House rules of this game".into(), lines }],
        why: format!(
            "This letter goes to you because {} typed your address on the page of a game. The address is kept nowhere else.",
            if invitation.by_organiser { "the organiser of the server" } else { "a player" }
        ),
        ..Words::default()
    }
}

/// A letter about one seat, with a link to its page.
pub(super) fn about_seat(view: &SeatView, what: &str, asked: String, public_url: &str) -> Words {
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    Words {
        subject: undecoded(&format!(
            "{}, {} against {}: {what}",
            view.setup.game_name(),
            name(view, Side::Red),
            name(view, Side::Blue)
        )),
        headline: format!("Your game as {seat} against {opponent}: {what}."),
        paragraphs: vec![asked],
        link: Some(Link { address: seat_page(view, public_url), button: "Look at the game" }),
        why: format!(
            "This letter goes to you because this address stands on the seat of {seat} in game {}.",
            view.game
        ),
        ..Words::default()
    }
}

/// A subject in which nothing looks like an encoded word (RFC 2047), which the reader's program would decode.
pub fn undecoded(subject: &str) -> String {
    subject.replace("=?", "= ?")
}

/// The page of a seat.
pub fn seat_page(view: &SeatView, public_url: &str) -> String {
    format!("{public_url}/games/{}/{}", view.game, view.side.word())
}

/// A player's name, or the side's.
pub fn name(view: &SeatView, side: Side) -> &str {
    view.names.get(side).as_deref().unwrap_or(side.name())
}
