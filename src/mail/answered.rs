//! What is answered to a mail: the receipt with each line's fate, the refusal with the text quoted back, and what was asked for.

use crate::clock::Timestamp;
use crate::mail::words::{self, Link, Shows, Words, about_seat, name};
use crate::play::Secret;
use crate::play::by_mail::{Line, Reply, VERBS};
use crate::play::letters::Answered;
use crate::play::mailed::MailedLink;
use crate::play::view::{GameLine, SeatView};
use crate::play::wishes::Wishes;
use crate::rules::{Chapter, Side, StoryLine, Tone};

/// Writes the answer to a mail.
pub(super) fn answered(view: &SeatView, answered: &Answered, wishes: &Wishes, public_url: &str) -> Words {
    let mut page = Page { wishes, paragraphs: Vec::new(), chapters: Vec::new() };
    for reply in &answered.replies {
        page.add(view, reply, &answered.games);
    }
    let what = answered.replies.first().map_or_else(|| "your mail".to_owned(), subject);
    let shows = |reply: &Reply| matches!(reply, Reply::Sealed { .. } | Reply::Asks { .. } | Reply::Status | Reply::Map);
    Words {
        paragraphs: page.paragraphs,
        chapters: page.chapters,
        board: answered.replies.iter().any(shows).then_some(Shows::Now),
        reply: words::Reply::Ask,
        ..about_seat(view, &what, String::new(), public_url)
    }
}

/// Writes the question whether another address may write for a seat.
pub(super) fn allow(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    let other = link.allows.as_deref().unwrap_or("another address");
    Words {
        subject: "Field Command: may this address write for you?".into(),
        headline: format!("Mail about your game came from {other}."),
        paragraphs: vec![
            format!("It was sent to the secret address of your seat, but your letters go to {}. Nothing was done, and the \
                     mail was not kept.", link.address),
            "If that address is yours, open this link within 7 days, press the button, and send the mail again. If it is \
             not, do nothing; somebody may have got hold of one of your letters."
                .into(),
        ],
        link: Some(Link { address: format!("{public_url}/m/{}", secret.reveal()), button: "Look at the question" }),
        why: "This letter goes to you because this address stands on a seat of the game.".into(),
        ..Words::default()
    }
}

/// What an answer is about, for its subject: never what was written.
fn subject(reply: &Reply) -> String {
    match reply {
        Reply::Sealed { turn, .. } => format!("{turn} is sealed"),
        Reply::Asks { turn, .. } => format!("{turn}: answer YES to seal"),
        Reply::Refused { .. } => "nothing was changed".into(),
        Reply::Unread(_) => "your mail could not be read".into(),
        Reply::Cleared { .. } => "your list is taken back".into(),
        Reply::Said(_) => "your message was sent".into(),
        Reply::AsksToSay(_) => "answer YES to send your message".into(),
        Reply::AsksToResign => "answer YES to resign".into(),
        Reply::Resigned => "you have resigned".into(),
        Reply::DrawOffered => "your offer of a draw was sent".into(),
        Reply::DrawAgreed => "the draw is agreed".into(),
        Reply::DrawDeclined => "no draw".into(),
        Reply::NothingAsked => "there was no question".into(),
        Reply::SayWaits(_) => "your message was not sent".into(),
        Reply::ResignWaits => "you have not resigned".into(),
        Reply::OlderLetter => "your YES answers an older letter".into(),
        Reply::Late { turn } => format!("{turn} is over"),
        Reply::Status | Reply::StatusOfAll => "where the game stands".into(),
        Reply::Map => "the board".into(),
        Reply::Help => "what you can write".into(),
        Reply::Disowned { .. } => "a mail in your name was not accepted".into(),
    }
}

/// The letter in the making.
struct Page<'w> {
    wishes: &'w Wishes,
    paragraphs: Vec<String>,
    chapters: Vec<Chapter>,
}

impl Page<'_> {
    fn say(&mut self, text: impl Into<String>) {
        self.paragraphs.push(text.into());
    }

    fn list(&mut self, title: impl Into<String>, lines: impl IntoIterator<Item = (String, Tone)>) {
        let lines: Vec<_> = lines.into_iter().map(|(text, tone)| StoryLine { text, tone }).collect();
        if !lines.is_empty() {
            self.chapters.push(Chapter { title: title.into(), lines });
        }
    }

    fn quote(&mut self, title: &str, text: &str) {
        let numbered = text.lines().zip(1..).map(|(line, number)| (format!("{number}: {line}"), Tone::Plain));
        self.list(title, numbered);
    }

    fn add(&mut self, view: &SeatView, reply: &Reply, games: &[GameLine]) {
        let (opponent, wishes) = (name(view, view.side.other()), self.wishes);
        match reply {
            Reply::Sealed { .. } => self.receipt(view, reply),
            Reply::Asks { turn, lines, unread, sealed_before } => {
                self.say(asks(turn, lines, unread));
                self.say(if lines.is_empty() {
                    "Answer YES to seal an empty list: nobody moves. Your draft, if you have one, stays as it is."
                } else {
                    "It is kept as your draft. Answer YES to seal it as it is, or send another list."
                });
                self.kept(*sealed_before);
                self.list("Your list", lines.iter().map(fate));
                self.quote("What could not be read", &unread.join("\n"));
            }
            Reply::Refused { problem, text, sealed_before } => {
                self.say(format!("Nothing was changed. {problem}"));
                self.kept(*sealed_before);
                self.quote("You wrote", text);
            }
            Reply::Unread(lines) => {
                self.say("Some of your mail could not be read, and nothing was made of that. HELP brings a list of what you can write.");
                self.quote("What could not be read", &lines.join("\n"));
            }
            Reply::Cleared { sealed_before } => {
                let done = if *sealed_before { "Your sealed list is taken back, and" } else { "Nothing was sealed;" };
                self.say(format!("{done} your draft is empty."));
            }
            Reply::Said(text) => {
                self.say(format!("{opponent} gets your message, and nothing else of your mail."));
                self.quote("Your message", text);
            }
            Reply::AsksToSay(text) => {
                self.say(format!("Your message looks like orders or a deployment. {opponent} has not got it. Answer YES to send it all the same."));
                self.quote("Your message", text);
            }
            Reply::AsksToResign => self.say(format!("If you resign, {opponent} wins at once. Answer YES to do so; else do nothing.")),
            Reply::SayWaits(text) => {
                self.say(format!("Your message looks like orders or a deployment. {opponent} has not got it, and YES will not send it: \
                                  it answers one question alone. Send the message again afterwards."));
                self.quote("Your message", text);
            }
            Reply::ResignWaits => self.say("You have not resigned, and YES will not do it: it answers one question alone. Write RESIGN again afterwards."),
            Reply::OlderLetter => self.say("You said yes in answer to a letter that is older than the last question. Nothing was changed: answer the letter that asked."),
            Reply::Resigned => self.say(format!("You have resigned: {opponent} wins.")),
            Reply::DrawOffered => self.say(format!("{opponent} is offered a draw. The offer stands until the turn is over; DRAW NO withdraws it.")),
            Reply::DrawAgreed => self.say("The game ends in a draw by agreement."),
            Reply::DrawDeclined => self.say("No offer of a draw stands now."),
            Reply::NothingAsked => self.say("You said yes, but nothing was asked, or that turn is over. Nothing was changed."),
            Reply::Late { turn } => self.say(format!("Your mail answers a letter of {turn}, which is over. Nothing was changed: answer the newest letter.")),
            Reply::Status => self.status(view),
            Reply::StatusOfAll => self.list("Your games", games.iter().map(|line| (game(line, wishes), Tone::Plain))),
            Reply::Map => self.chapters.extend(view.standing.roll()),
            Reply::Help => {
                self.say("Write each of these on a line of its own, above what your program quotes:");
                self.list("What you can write", VERBS.iter().map(|verb| (format!("{}: {}", verb.what, verb.does), Tone::Plain)));
                self.say(view.standing.entry_form(view.side).notation);
            }
            Reply::Disowned { from } => self.say(format!(
                "A mail that says it is from {from} came to the secret address of your seat, but its domain disowns it. Nothing was \
                 done. If you sent it, your program sends by a server that your domain does not know."
            )),
        }
    }

    fn kept(&mut self, sealed_before: bool) {
        if sealed_before {
            self.say("What you had sealed before stays sealed.");
        }
    }

    fn receipt(&mut self, view: &SeatView, reply: &Reply) {
        let Reply::Sealed { turn, lines, text, hash, salt, at, resolved, settles } = reply else { return };
        let opponent = name(view, view.side.other());
        let illegal = lines.iter().filter(|line| !line.legal).count();
        self.say(match (resolved, settles) {
            (true, _) => format!("{turn} is sealed and has been resolved; the report comes in a letter of its own."),
            (false, Some(until)) => {
                format!(
                    "{turn} is sealed. {opponent} has sealed too: until {} you may still send another list, or CLEAR.",
                    self.wishes.moment(Timestamp(*until))
                )
            }
            (false, None) => {
                format!("{turn} is sealed. Until {opponent} has sealed, you may send another list, or CLEAR.")
            }
        });
        match illegal {
            0 => {}
            1 => self.say("One line will not be carried out."),
            many => self.say(format!("{many} lines will not be carried out.")),
        }
        if text.is_empty() {
            self.say("The list is empty: nobody moves.");
        }
        self.list("Your list", lines.iter().map(fate));
        let receipt = [
            format!("Seal: {hash}"),
            format!("Salt: {salt}"),
            format!("Sealed: {}", self.wishes.moment(Timestamp(*at))),
        ];
        self.list(
            "Receipt",
            receipt.into_iter().chain([format!("Text: {}", text.replace('\n', " / "))]).map(|line| (line, Tone::Plain)),
        );
    }

    fn status(&mut self, view: &SeatView) {
        if let Some(ended) = &view.ended {
            self.say(format!("The game is over. {}", ended.how));
            return;
        }
        let (turn, opponent) = (view.standing.turn_name(), name(view, view.side.other()));
        let due = view
            .due
            .map_or_else(|| "It has no deadline.".to_owned(), |due| format!("It is due {}.", self.wishes.moment(due)));
        self.say(format!("{turn} is awaited. {due}"));
        self.say(match &view.own {
            Some(sealed) => format!("You have sealed {}. Your seal: {}", sealed.measure, sealed.seal.hash),
            None if view.draft.is_some() => "You have sealed nothing; a draft is kept.".to_owned(),
            None => "You have sealed nothing yet.".to_owned(),
        });
        self.say(match &view.other {
            Some(_) => format!("{opponent} has sealed."),
            None => format!("{opponent} has not sealed yet."),
        });
        if let Some(sealed) = &view.own {
            self.quote("Your sealed list", &sealed.text);
        }
    }
}

/// Why a list waits for a `YES`.
fn asks(turn: &str, lines: &[Line], unread: &[String]) -> String {
    let illegal = lines.iter().filter(|line| !line.legal).count();
    let illegal = match illegal {
        0 => None,
        1 => Some("one line of your list would not be carried out".to_owned()),
        many => Some(format!("{many} lines of your list would not be carried out")),
    };
    let unread = (!unread.is_empty()).then(|| "some of your mail could not be read".to_owned());
    let why: Vec<String> = illegal.into_iter().chain(unread).collect();
    format!("{turn} is not sealed yet: {}.", why.join(", and "))
}

/// A line of a list with what becomes of it.
fn fate(line: &Line) -> (String, Tone) {
    let tone = if line.legal { Tone::Plain } else { Tone::Failed };
    let note = if line.note.is_empty() { String::new() } else { format!(": {}", line.note) };
    let sign = if line.legal { "legal" } else { "not legal" };
    (format!("{} ({sign}){note}", line.text), tone)
}

/// A game of a person in a line.
fn game(line: &GameLine, wishes: &Wishes) -> String {
    let opponent = line.names.get(line.side.other()).as_deref().unwrap_or(line.side.other().name());
    let state = match (&line.ended, line.unwatched, line.waits_for_me) {
        (_, Some(_), _) => format!("{} can be watched", line.turn_name),
        (Some(ended), ..) => format!("over. {}", ended.how),
        (None, _, true) => format!("{} waits for you", line.turn_name),
        (None, _, false) => format!("{} waits for {opponent}", line.turn_name),
    };
    let due = line
        .due
        .filter(|_| line.ended.is_none())
        .map(|due| format!(", due {}", wishes.moment(due)))
        .unwrap_or_default();
    let side: Side = line.side;
    format!("{} as {} against {opponent}: {state}{due}", line.game_name, side.name())
}
