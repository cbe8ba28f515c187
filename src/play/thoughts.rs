//! What a player thinks: days imagined with a guess of the opponent's sheet, and private notes.
//! Both are for their writer alone until they are deleted; no other reader exists.

use crate::clock::Timestamp;
use crate::play::open::checked_name;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{BySide, Chapter, Draft, Report, Setup, Standing, TextError};
use crate::store::{NoteRow, WhatIfRow};

/// The longest note and the longest sheet of a what-if, in bytes.
const LONGEST: usize = 8 * 1024;
/// How many what-ifs a seat may keep in one game.
const MOST_WHAT_IFS: i64 = 400;

/// A day imagined, kept by its writer.
#[derive(Clone, PartialEq, Eq)]
pub struct WhatIf {
    /// Its id.
    pub id: String,
    /// The turn that it imagines.
    pub turn: u32,
    /// The writer's name for it; may be empty.
    pub name: String,
    /// The writer's own sheet in it.
    pub own: String,
    /// The sheet expected of the opponent.
    pub other: String,
    /// When it was kept.
    pub saved_at: Timestamp,
}

impl std::fmt::Debug for WhatIf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WhatIf").field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// A what-if to be kept.
#[derive(Clone)]
pub struct NewWhatIf {
    /// The turn that it imagines.
    pub turn: u32,
    /// A name for it; may be empty.
    pub name: String,
    /// The writer's own sheet.
    pub own: String,
    /// The sheet expected of the opponent.
    pub other: String,
}

/// A day as it would come out.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// What would happen.
    pub report: Report,
    /// The same in sentences.
    pub story: Vec<Chapter>,
    /// What would stand afterwards.
    pub standing: Standing,
}

/// A private note.
#[derive(Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub about: About,
    /// The text.
    pub text: String,
    /// When it was kept.
    pub saved_at: Timestamp,
}

impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Note").field("about", &self.about).finish_non_exhaustive()
    }
}

/// What a note is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The whole game.
    Game,
    /// A turn.
    Turn(u32),
    /// A place on the board.
    Place(String),
}

impl About {
    /// The words in forms and in the database: `game`, `turn 5`, `place H7`.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            About::Game => "game".to_owned(),
            About::Turn(turn) => format!("turn {turn}"),
            About::Place(place) => format!("place {place}"),
        }
    }

    /// Reads what [`About::word`] writes; `None` for what is not of this game.
    #[must_use]
    pub fn read(text: &str, setup: &Setup) -> Option<About> {
        let mut words = text.split_whitespace();
        let about = match (words.next()?, words.next()) {
            ("game", None) => About::Game,
            ("turn", Some(turn)) => About::Turn(turn.parse().ok()?),
            ("place", Some(place)) => About::Place(setup.place(place)?),
            _ => return None,
        };
        words.next().is_none().then_some(about)
    }

    /// What it is about, as a heading.
    #[must_use]
    pub fn title(&self, setup: &Setup) -> String {
        match self {
            About::Game => "The game".to_owned(),
            About::Turn(turn) => setup.turn_name(*turn),
            About::Place(place) => place.clone(),
        }
    }
}

/// Plays a turn with two sheets in the making; the texts may come from anywhere.
///
/// # Errors
/// For each text that cannot be read what is wrong with it; or that a sheet is not whole.
pub fn imagine(standing: &Standing, texts: BySide<&str>) -> Result<Imagined, BySide<Option<TextError>>> {
    let sheets = BySide::from_fn(|side| {
        let draft: Draft = standing.draft(side, texts.get(side))?;
        standing.draft_sheet(side, &draft).ok_or_else(|| TextError::whole("the sheet is not whole yet"))
    });
    let BySide { red: Ok(red), blue: Ok(blue) } = &sheets else {
        return Err(sheets.map(Result::err));
    };
    let (next, report) = standing.resolve(BySide { red, blue });
    Ok(Imagined { story: report.story(&standing.setup()), report, standing: next })
}

impl Play {
    /// Keeps a what-if.
    ///
    /// # Errors
    /// [`PlayError::Field`] for a text or name that is too long, or for one what-if too many.
    pub async fn keep_what_if(&self, seat: &Seat, new: NewWhatIf) -> Result<(), PlayError> {
        let name = checked_name(&new.name)?.unwrap_or_default();
        if new.own.len().max(new.other.len()) > LONGEST {
            return Err(PlayError::Field { field: "text", problem: format!("is longer than {} KiB", LONGEST / 1024) });
        }
        let row = WhatIfRow {
            id: self.sorted_id(),
            turn: i64::from(new.turn),
            name,
            // PostgreSQL keeps no NUL.
            own_body: new.own.replace('\0', ""),
            other_body: new.other.replace('\0', ""),
            saved_at: self.clock.now().0,
        };
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, row) = (play.clone(), seat.clone(), row.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    let (id, side) = (seat.game().as_str(), seat.side().word());
                    if tx.count_what_ifs(id, side).await? >= MOST_WHAT_IFS {
                        let problem = format!("cannot be kept: {MOST_WHAT_IFS} are kept already; delete some first");
                        return Err(PlayError::Field { field: "what-if", problem });
                    }
                    tx.keep_what_if(id, side, &row).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Deletes a what-if; one that there is not is as good as deleted.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete_what_if(&self, seat: &Seat, id: &str) -> Result<(), PlayError> {
        let (play, seat, id) = (self.clone(), seat.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let (play, seat, id) = (play.clone(), seat.clone(), id.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    tx.delete_what_if(seat.game().as_str(), seat.side().word(), &id).await?;
                    Ok(())
                })
            })
            .await
    }

    /// The what-ifs that a seat has kept for a turn, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn what_ifs(&self, seat: &Seat, turn: u32) -> Result<Vec<WhatIf>, PlayError> {
        let (id, side) = (seat.game().to_string(), seat.side());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.own_what_ifs(&id, side.word(), i64::from(turn)).await }))
            .await?;
        let what_if = |row: WhatIfRow| WhatIf {
            id: row.id,
            turn,
            name: row.name,
            own: row.own_body,
            other: row.other_body,
            saved_at: Timestamp(row.saved_at),
        };
        Ok(rows.into_iter().map(what_if).collect())
    }

    /// Keeps a note; an empty one deletes what was kept about the same.
    ///
    /// # Errors
    /// [`PlayError::Field`] for a note that is too long.
    pub async fn keep_note(&self, seat: &Seat, about: &About, text: &str) -> Result<(), PlayError> {
        let text: String = text.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect();
        if text.len() > LONGEST {
            return Err(PlayError::Field { field: "note", problem: format!("is longer than {} KiB", LONGEST / 1024) });
        }
        let note = NoteRow { about: about.word(), body: text.trim().to_owned(), saved_at: self.clock.now().0 };
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, note) = (play.clone(), seat.clone(), note.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    let (id, side) = (seat.game().as_str(), seat.side().word());
                    if note.body.is_empty() {
                        tx.delete_note(id, side, &note.about).await?;
                    } else {
                        tx.keep_note(id, side, &note).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// The notes of a seat: about the game, about its turns, about places.
    ///
    /// # Errors
    /// The store failed.
    pub async fn notes(&self, seat: &Seat, setup: &Setup) -> Result<Vec<Note>, PlayError> {
        let (id, side) = (seat.game().to_string(), seat.side());
        let rows = self.store.read(move |tx| Box::pin(async move { tx.own_notes(&id, side.word()).await })).await?;
        let note = |row: NoteRow| {
            Some(Note { about: About::read(&row.about, setup)?, text: row.body, saved_at: Timestamp(row.saved_at) })
        };
        let mut notes: Vec<Note> = rows.into_iter().filter_map(note).collect();
        notes.sort_by_key(|note| match &note.about {
            About::Game => (0, 0, String::new()),
            About::Turn(turn) => (1, *turn, String::new()),
            About::Place(place) => (2, 0, place.clone()),
        });
        Ok(notes)
    }
}
