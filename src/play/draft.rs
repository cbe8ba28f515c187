//! Sheets in the making: kept for their writer on every touch of the board, and dropped when
//! their turn is over. Keeping one is no change of the game: nobody else can notice it.

use crate::play::game::Game;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{Side, Standing, TextError, Touched};
use crate::store::{DraftRow, Writer};

/// The longest text that is kept, in bytes. A deployment has about 200.
const LONGEST: usize = 16 * 1024;

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
}

impl Play {
    /// Keeps a sheet in the making, after an act was carried out on it.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`]; [`PlayError::Field`]
    /// for a text that is too long.
    pub async fn draft(&self, seat: &Seat, draft: ToDraft) -> Result<Touched, PlayError> {
        if draft.text.len() > LONGEST {
            let problem = format!("is longer than {} KiB", LONGEST / 1024);
            return Err(PlayError::Field { field: "text", problem });
        }
        // PostgreSQL keeps no NUL.
        let draft = ToDraft { text: draft.text.replace('\0', ""), ..draft };
        if let Some(drafted) = self.unchanged(seat, &draft).await? {
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
                    let same = kept.is_some_and(|kept| kept.turn == game.turn() && kept.body == drafted.text);
                    Ok(same.then_some(drafted))
                })
            })
            .await
    }

    async fn draft_in(&self, tx: &mut Writer, seat: &Seat, draft: &ToDraft) -> Result<Touched, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        game.awaits(draft.turn)?;
        let drafted = self.carry_out(&game.standing, seat.side(), draft);
        let row = DraftRow { turn: game.turn(), body: drafted.text.clone(), saved_at: self.clock.now().0 };
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

    /// Drops a draft, so that what was sealed before is all there is.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_draft(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), seat.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    tx.erase_draft(seat.game().as_str(), seat.side().word()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Takes a sealed sheet back, as long as the turn has not been resolved. Its text becomes the draft.
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

    async fn withdraw_in(&self, tx: &mut Writer, seat: &Seat, turn: u32) -> Result<(), PlayError> {
        let game: Game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        game.awaits(turn)?;
        let (id, side) = (game.id.as_str(), seat.side().word());
        let sealed = tx.own_sheet(id, side).await?.ok_or(PlayError::NotFound)?;
        tx.erase_sheet(id, side).await?;
        let row = DraftRow { turn: game.turn(), body: sealed.body, saved_at: self.clock.now().0 };
        tx.keep_draft(id, side, &row).await?;
        tx.touch_game(id).await?;
        Ok(())
    }
}
