//! The board in a letter: as a picture with words for who does not see it, and in plain letters.

use lettre::message::header::ContentType;
use lettre::message::{Attachment, SinglePart};

use crate::mail::words::Shows;
use crate::picture;
use crate::play::letters::Matter;

/// How wide and high the picture is, in pixels: half as much again as it is shown.
const WIDTH: u32 = 900;

/// A picture of the board.
pub struct Picture {
    /// What it shows, in a sentence.
    pub alt: String,
    /// What the HTML calls it (RFC 2392).
    pub id: String,
    png: Vec<u8>,
}

impl Picture {
    /// Draws what a letter shows of the board. `None` where it shows nothing.
    pub fn of(matter: &Matter, shows: Option<Shows>, letter: &str, host: &str) -> Option<Picture> {
        let view = matter.view()?;
        let (png, alt) = match (shows?, matter) {
            (Shows::Dusk, Matter::Report(_, turn)) => (
                picture::after_png(&turn.report, &view.setup, view.side, WIDTH),
                picture::after_in_words(&turn.report, &view.setup, view.side),
            ),
            _ => (
                picture::standing_png(&view.standing, view.side, WIDTH),
                picture::standing_in_words(&view.standing, view.side),
            ),
        };
        Some(Picture { alt, id: format!("board.{letter}@{host}"), png: png? })
    }

    /// The part of the message that holds it.
    pub fn part(self) -> Option<SinglePart> {
        let kind = ContentType::parse("image/png").ok()?;
        Some(Attachment::new_inline_with_name(self.id, "board.png".into()).body(self.png, kind))
    }
}

/// The board in plain letters, for who wants it.
pub fn plain(matter: &Matter, shows: Option<Shows>, wanted: bool) -> Option<String> {
    shows.filter(|_| wanted)?;
    let view = matter.view()?;
    Some(view.standing.plain(view.side))
}
