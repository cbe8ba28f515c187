//! The words of a digest: what happened in each game, and what waits there, by deadline.

use crate::mail::timely::of_time;
use crate::mail::words::{Link, Words, hash_line, name, seat_page};
use crate::play::digest::{Digest, DigestGame};
use crate::play::letters::Matter;
use crate::play::view::GameLine;
use crate::play::wishes::Wishes;
use crate::rules::{Chapter, StoryLine, Tone};

/// One letter for a day; `public_url` is the server's address without a slash at its end.
pub fn digest(digest: &Digest, public_url: &str) -> Words {
    let mut chapters: Vec<Chapter> = digest.games.iter().map(|game| chapter(game, digest, public_url)).collect();
    if !digest.waiting.is_empty() {
        let lines = digest.waiting.iter().map(|line| plain(waits(line, digest, public_url))).collect();
        chapters.push(Chapter { title: "Also waiting for you".into(), lines });
    }
    let news = match digest.games.len() {
        1 => "news of one of your games".to_owned(),
        number => format!("news of {number} of your games"),
    };
    Words {
        subject: format!("Field Command: {news}"),
        headline: format!("{}{}.", news.get(..1).unwrap_or_default().to_uppercase(), news.get(1..).unwrap_or_default()),
        link: Some(Link { address: format!("{public_url}/"), button: "Your games" }),
        chapters,
        why: format!("This letter goes to you once a day, as your settings want it: {public_url}/me"),
        ..Words::default()
    }
}

fn plain(text: String) -> StoryLine {
    StoryLine { text, tone: Tone::Plain }
}

fn chapter(game: &DigestGame, digest: &Digest, public_url: &str) -> Chapter {
    let view = &game.view;
    let mut lines: Vec<String> = game.events.iter().flat_map(|event| told(event, &digest.wishes, public_url)).collect();
    let turn = view.standing.turn_name();
    let due = view.due.map(|due| format!("; it is due {}", digest.wishes.moment(due))).unwrap_or_default();
    lines.push(match (&view.ended, &view.own, view.opponent_present) {
        (Some(_), ..) => format!("The game is over: {}", seat_page(view, public_url)),
        (None, _, false) => format!("The other seat is free: {}", seat_page(view, public_url)),
        (None, Some(_), true) => {
            format!("You have sealed for {turn}; {} is awaited{due}.", name(view, view.side.other()))
        }
        (None, None, true) => format!("{turn} waits for you{due}: {}", seat_page(view, public_url)),
    });
    Chapter {
        title: format!("{} against {}", view.side.name(), name(view, view.side.other())),
        lines: lines.into_iter().map(plain).collect(),
    }
}

/// What happened, in lines.
fn told(event: &Matter, wishes: &Wishes, public_url: &str) -> Vec<String> {
    match event {
        Matter::Report(_, turn) => {
            let mut lines = vec![format!("{} has been resolved.", turn.name)];
            lines.extend(turn.story.iter().map(|chapter| {
                let all: Vec<&str> = chapter.lines.iter().map(|line| &*line.text).collect();
                format!("{}: {}", chapter.title, all.join(" "))
            }));
            lines.push(hash_line(turn));
            lines
        }
        Matter::Open(view) if view.standing.turn() == 0 => vec!["The game has begun.".to_owned()],
        // The last line of the game says what is awaited.
        Matter::Open(_) => Vec::new(),
        Matter::End(view) => vec![view.ended.as_ref().map_or_else(String::new, |ended| ended.how.clone())],
        Matter::Time(view, matter) => {
            let (what, asked, link) = of_time(view, *matter, wishes, public_url);
            vec![format!("{what}. {asked} {link}")]
        }
        Matter::Rematch(view) => {
            let other = view.side.other();
            vec![format!(
                "{} wants to play again, with sides changed: {}",
                name(view, other),
                seat_page(view, public_url)
            )]
        }
        Matter::Message(view, message) => {
            let text: Vec<&str> = message.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            vec![format!("{} has written to you: “{}”", name(view, view.side.other()), text.join(" "))]
        }
        // These are never folded.
        Matter::Confirm(..)
        | Matter::GivenUp(..)
        | Matter::Invitation(..)
        | Matter::SignIn(..)
        | Matter::Change(..)
        | Matter::Revert(..)
        | Matter::Digest(..)
        | Matter::Answer(..)
        | Matter::Allow(..)
        | Matter::Seat(..)
        | Matter::Organiser(..)
        | Matter::Nothing => Vec::new(),
    }
}

fn waits(line: &GameLine, digest: &Digest, public_url: &str) -> String {
    let opponent = line.names.get(line.side.other()).as_deref().unwrap_or(line.side.other().name());
    let due = line.due.map(|due| format!(", due {}", digest.wishes.moment(due))).unwrap_or_default();
    format!(
        "{} against {opponent}: {}{due}: {public_url}/games/{}/{}",
        line.side.name(),
        line.turn_name,
        line.game,
        line.side.word()
    )
}
