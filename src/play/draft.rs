//! Sheets in the making: kept for their writer on every touch of the board, and dropped when
//! their turn is over. Keeping one is no change of the game: nobody else can notice it.

use sha2::{Digest, Sha256};

use crate::play::game::Game;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{Side, Standing, TextError, Touched};
use crate::store::{DraftRow, Writer};

/// The longest text that is kept, in bytes. A deployment has about 200.
pub(in crate::play) const LONGEST: usize = 16 * 1024;

/// A sheet in the making, and perhaps what to do with it.
#[derive(Clone, Debug)]
pub struct ToDraft {
    /// The turn that it is for.
    pub turn: u32,
    /// The text as it was typed, right or wrong.
    pub text: String,
    /// What is held, in the game's words.
    pub held: String,
    /// An act of the table to be carried out; `fill`, `turn`, or one of the game's own.
    pub act: Option<String>,
    /// The [`mark`] of the kept draft that the text was made from; `None` to keep the text whatever is kept.
    pub base: Option<String>,
    /// Whether it shall be used when the turn is due; `None` to leave that as it is.
    pub use_when_due: Option<bool>,
}

/// A mark by which a kept draft is told from another one: the beginning of its SHA-256; empty for none.
#[must_use]
pub fn mark(draft: Option<&str>) -> String {
    draft.map_or_else(String::new, |text| {
        let digest = Sha256::digest(text.as_bytes());
        data_encoding::HEXLOWER.encode(digest.get(..8).unwrap_or(&digest))
    })
}

impl Play {
    /// Keeps a sheet in the making, after an act was carried out on it.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`]; [`PlayError::Field`]
    /// for a text that is too long; [`PlayError::DraftChanged`] if another draft than `base` is kept meanwhile.
    pub async fn draft(&self, seat: &Seat, draft: ToDraft) -> Result<Touched, PlayError> {
        if draft.text.len() > LONGEST {
            let problem = format!("is longer than {} KiB", LONGEST / 1024);
            return Err(PlayError::Field { field: "text", problem });
        }
        // PostgreSQL keeps no NUL.
        let draft = ToDraft { text: draft.text.replace('\0', ""), ..draft };
        if draft.use_when_due.is_none()
            && let Some(drafted) = self.unchanged(seat, &draft).await?
        {
            return Ok(drafted);
        }
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, draft) = (play.clone(), seat.clone(), draft.clone());
                Box::pin(async move { play.draft_in(tx, &seat, &draft).await })
            })
            .await
    }

    /// What an act makes of a draft that it leaves as it is kept: choosing a unit is no reason to write to the disk.
    async fn unchanged(&self, seat: &Seat, draft: &ToDraft) -> Result<Option<Touched>, PlayError> {
        if draft.act.as_deref().is_some_and(|act| act == "fill") {
            return Ok(None);
        }
        let (play, seat, draft) = (self.clone(), seat.clone(), draft.clone());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let (id, side) = (seat.game().as_str(), seat.side());
                    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
                    game.awaits(draft.turn)?;
                    let kept = tx.own_draft(id, side.word()).await?;
                    let drafted = play.carry_out(&game.standing, side, &draft);
                    // Choosing a unit changes no text, and on an old page it must not bring back an old one.
                    let chosen = draft.act.is_some() && drafted.text == draft.text;
                    let same = kept.is_some_and(|kept| kept.turn == game.turn() && kept.body == drafted.text);
                    Ok((same || chosen).then_some(drafted))
                })
            })
            .await
    }

    pub(in crate::play) async fn draft_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        draft: &ToDraft,
    ) -> Result<Touched, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        game.awaits(draft.turn)?;
        let kept = tx.own_draft(game.id.as_str(), seat.side().word()).await?;
        let kept = kept.filter(|kept| kept.turn == game.turn());
        if let Some(base) = &draft.base
            && mark(kept.as_ref().map(|kept| &*kept.body)) != *base
        {
            return Err(PlayError::DraftChanged);
        }
        let now = self.clock.now().0;
        let withheld_at = match draft.use_when_due {
            Some(used) => (!used).then_some(now),
            None => kept.and_then(|kept| kept.withheld_at),
        };
        let drafted = self.carry_out(&game.standing, seat.side(), draft);
        let row = DraftRow { turn: game.turn(), body: drafted.text.clone(), saved_at: now, withheld_at };
        tx.keep_draft(game.id.as_str(), seat.side().word(), &row).await?;
        Ok(drafted)
    }

    /// What an act makes of a text. Nothing is kept.
    fn carry_out(&self, standing: &Standing, side: Side, draft: &ToDraft) -> Touched {
        let text = &draft.text;
        let still = |said: &str, problem: Option<TextError>| Touched {
            text: text.clone(),
            held: draft.held.clone(),
            said: said.into(),
            problem,
        };
        let made = |text: String, said: &str| Touched { text, held: String::new(), said: said.into(), problem: None };
        match draft.act.as_deref() {
            Some("fill") => match standing.fill(side, text, |n| self.chance.below(n)) {
                Ok(sheet) => made(sheet.canonical(), "The rest was placed by lot."),
                Err(problem) => still("", Some(problem)),
            },
            Some("turn") => match standing.turned(side, text) {
                Some(text) => made(text, "Turned to your side of the board."),
                None => still("Nothing to turn: this is not the other side's.", None),
            },
            act => standing.touched(side, text, &draft.held, act),
        }
    }

    /// Says whether what the seat has written for a turn shall be used when that is due, though it was not sealed. A
    /// list that is withheld counts as late and not as missed; a deployment cannot be empty, and is missing then.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`].
    pub async fn use_when_due(&self, seat: &Seat, turn: u32, used: bool) -> Result<(), PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), seat.clone());
                Box::pin(async move {
                    let game = play.lock(tx, seat.game().as_str()).await?;
                    play.still_held(tx, &seat).await?;
                    game.awaits(turn)?;
                    let (id, side, now) = (game.id.as_str(), seat.side().word(), play.clock.now().0);
                    let kept = tx.own_draft(id, side).await?.filter(|kept| kept.turn == game.turn());
                    // What is sealed is used in any case.
                    if kept.is_none() && tx.own_sheet(id, side).await?.is_some() {
                        return Ok(());
                    }
                    let (body, saved_at) = kept.map_or_else(|| (String::new(), now), |kept| (kept.body, kept.saved_at));
                    let row = DraftRow { turn: game.turn(), body, saved_at, withheld_at: (!used).then_some(now) };
                    Ok(tx.keep_draft(id, side, &row).await?)
                })
            })
            .await
    }

    /// Drops a draft, so that what was sealed before is all there is; nothing if nothing is sealed.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`].
    pub async fn forget_draft(&self, seat: &Seat, turn: u32) -> Result<(), PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), seat.clone());
                Box::pin(async move {
                    let game = play.lock(tx, seat.game().as_str()).await?;
                    play.still_held(tx, &seat).await?;
                    game.awaits(turn)?;
                    let (id, side) = (game.id.as_str(), seat.side().word());
                    if tx.own_sheet(id, side).await?.is_some() {
                        tx.erase_draft(id, side).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Takes a sealed sheet back, as long as the turn has not been resolved. Its text becomes the draft, unless a newer
    /// one is kept.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`];
    /// [`PlayError::NotFound`] if none is sealed.
    pub async fn withdraw_sheet(&self, seat: &Seat, turn: u32) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.withdraw_in(tx, &seat, turn).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    pub(in crate::play) async fn withdraw_in(&self, tx: &mut Writer, seat: &Seat, turn: u32) -> Result<(), PlayError> {
        let game: Game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        game.awaits(turn)?;
        let (id, side) = (game.id.as_str(), seat.side().word());
        let sealed = tx.own_sheet(id, side).await?.ok_or(PlayError::NotFound)?;
        tx.erase_sheet(id, side).await?;
        tx.erase_question(id, side).await?;
        tx.set_settle(id, None).await?;
        let newer = tx.own_draft(id, side).await?.is_some_and(|draft| draft.turn == game.turn());
        if !newer {
            let row =
                DraftRow { turn: game.turn(), body: sealed.body, saved_at: self.clock.now().0, withheld_at: None };
            tx.keep_draft(id, side, &row).await?;
        }
        tx.touch_game(id).await?;
        Ok(())
    }
}
