//! The organiser's desk: what organisers may see and do. Pages and API are doors to these functions.
//!
//! An organiser sees what both players of a game may know, and when things happened; never what somebody has sealed,
//! drafted, imagined or noted, what a mail said, or an answer that waits. An act is one transaction: the change, the line
//! in the log that nobody can alter, the letters to the players whom it concerns.

use crate::clock::Timestamp;
use crate::play::boards::NewBoard;
use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::webhooks::{NewWebhook, Target};
use crate::play::{GameId, Play, PlayError, Secret};
use crate::rules::{Outcome, Side};
use crate::store::{ActRow, Writer};

/// Tokens: making, listing, revoking, and proving one.
pub mod tokens;
/// Browsers in which an organiser has signed in.
pub mod browsers;
/// Reading the log of acts.
pub mod audit;
/// The list of games.
pub mod games;
/// One game with all that happened around it.
pub mod game;
/// The list of letters, and sending one again.
pub mod letters;
/// The list of mails that came.
pub mod mails;
/// Deadlines: what is due soon, and what is late.
pub mod due;
/// People.
pub mod people;
/// Numbers.
pub mod statistics;
/// Messages that players have reported.
pub mod reports;
/// Opening a game for two people.
pub mod open;
/// Moving a deadline.
mod deadline;
/// Pausing and going on.
mod pause;
/// Ending a game: cancelled, or with a result that is declared.
mod finish;
/// New links to seats, and the opponent's consent to one.
pub mod reissue;
/// Giving a seat to somebody else.
mod replace;
/// Addresses from which nobody plays.
pub mod block;
/// What stands above all pages.
pub mod announce;
/// What the players of a game see of all this.
pub mod shown;

pub use audit::{ActLine, ActPage};
pub use tokens::{NewToken, Scope, TokenLine};

use open::GameForTwo;

/// The longest reason or note, in characters.
pub const REASON_MAX: usize = 1000;
/// The longest key of a request, in characters.
const KEY_MAX: usize = 200;
/// How long the key of a request is known, in milliseconds: 48 hours.
pub(in crate::play) const KEY_TIME: i64 = 48 * 3_600_000;
/// How far away a moment may be that an organiser sets, in milliseconds: a year.
const FARTHEST: i64 = 366 * 24 * 3_600_000;

/// An organiser, proven by a token. Only [`Play::admin`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin {
    /// The id of the token.
    pub(in crate::play) id: String,
    /// Whose it is.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
}

/// Why something is done, and on which terms.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    /// Why; the players whom it concerns read it.
    pub reason: String,
    /// What organisers alone read; empty for nothing.
    pub note: String,
    /// A key that the asker has given the request, so that it may be sent again and is done once.
    pub key: Option<String>,
    /// The version of the game that the asker has seen: nothing is done to another one.
    pub version: Option<i64>,
}

/// What an organiser does.
#[derive(Clone, Debug)]
pub enum Act {
    /// Opens a game for two people.
    Open(Box<GameForTwo>),
    /// Says when the awaited turn is due.
    Deadline {
        /// The game.
        game: GameId,
        /// When.
        due: Timestamp,
    },
    /// Lets nothing be due for a while.
    Pause {
        /// The game.
        game: GameId,
        /// Until when.
        until: Timestamp,
    },
    /// Ends a pause.
    Resume {
        /// The game.
        game: GameId,
    },
    /// Ends a game without a result.
    Cancel {
        /// The game.
        game: GameId,
    },
    /// Ends a game with a result.
    Declare {
        /// The game.
        game: GameId,
        /// The result.
        outcome: Outcome,
    },
    /// Gives a seat a new link, which is mailed to its player; whoever has the old one is out.
    Reissue {
        /// The game.
        game: GameId,
        /// The seat.
        side: Side,
        /// Where the link goes if the seat has no confirmed address and the opponent agrees; empty otherwise.
        address: String,
    },
    /// Gives a seat to somebody else, who is invited by letter.
    Replace {
        /// The game.
        game: GameId,
        /// The seat.
        side: Side,
        /// Whom to invite.
        address: String,
    },
    /// Sends a letter again.
    Resend {
        /// Its id.
        letter: String,
    },
    /// Blocks a person, or an address.
    Block {
        /// The id of the person; empty where an address is given.
        person: String,
        /// The address; empty where a person is given.
        address: String,
    },
    /// Lifts a block.
    Unblock {
        /// Its id.
        block: String,
    },
    /// Puts some words above all pages.
    Announce {
        /// The words.
        text: String,
        /// Until when.
        until: Timestamp,
    },
    /// Takes them away.
    Withdraw {
        /// The id of the announcement.
        announcement: String,
    },
    /// Offers a board for new games.
    OfferBoard(Box<NewBoard>),
    /// Offers it no more.
    RetireBoard {
        /// Its alias.
        board: String,
    },
    /// Makes a token.
    MakeToken(NewToken),
    /// Revokes a token.
    RevokeToken {
        /// Its id.
        token: String,
    },
    /// Sets up a webhook that hears of all games.
    AddWebhook(NewWebhook),
    /// Renews its secret.
    RenewWebhook {
        /// Its id.
        webhook: String,
    },
    /// Sends it a test.
    TestWebhook {
        /// Its id.
        webhook: String,
    },
    /// Tells it something once more.
    Retell {
        /// Its id.
        webhook: String,
        /// The id of what it was told.
        event: String,
    },
    /// Removes it.
    RemoveWebhook {
        /// Its id.
        webhook: String,
    },
}

impl Act {
    /// What a token must be for.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        match self {
            Act::MakeToken(_)
            | Act::RevokeToken { .. }
            | Act::AddWebhook(_)
            | Act::RenewWebhook { .. }
            | Act::TestWebhook { .. }
            | Act::Retell { .. }
            | Act::RemoveWebhook { .. } => Scope::Owner,
            _ => Scope::Act,
        }
    }

    /// The game that is acted on.
    const fn game(&self) -> Option<&GameId> {
        match self {
            Act::Deadline { game, .. }
            | Act::Pause { game, .. }
            | Act::Resume { game }
            | Act::Cancel { game }
            | Act::Declare { game, .. }
            | Act::Reissue { game, .. }
            | Act::Replace { game, .. } => Some(game),
            _ => None,
        }
    }
}

/// What an act takes with it that was made before its transaction: a secret, and where a webhook is, or what is wrong with
/// that. A request that comes again is answered whatever the names that it holds lead to by then.
type Fresh = (Secret, Option<Result<Target, PlayError>>);

/// What came of an act.
#[derive(Clone, Debug)]
pub struct Acted {
    /// Its line in the log. A request that came twice gets the line of the first.
    pub act: ActLine,
    /// The secret of a token or a webhook that was made now; it is shown this once. That of a webhook is shown again to a
    /// request that came twice, as long as it is the webhook's: the first answer may have been lost.
    pub secret: Option<Secret>,
    /// Whether the request had come before, so that nothing was done now.
    pub repeated: bool,
}

/// What was done within the transaction, for the log and the letters.
#[derive(Clone, Debug)]
pub(in crate::play) struct Done {
    /// A word.
    pub act: &'static str,
    /// The game that it was done in.
    pub game: Option<GameId>,
    /// The side that it was done to.
    pub side: Option<Side>,
    /// What exactly.
    pub about: String,
    /// Whether the players are told by letter.
    pub told: bool,
}

impl Done {
    /// Something that was done in a game, of which its players are told.
    pub(in crate::play) fn in_game(
        act: &'static str,
        game: &Game,
        side: Option<Side>,
        about: impl Into<String>,
    ) -> Done {
        Done { act, game: Some(game.id.clone()), side, about: about.into(), told: true }
    }

    /// Something that was done elsewhere.
    pub(in crate::play) fn elsewhere(act: &'static str, about: impl Into<String>) -> Done {
        Done { act, game: None, side: None, about: about.into(), told: false }
    }
}

/// A field of a request that is not as it should be.
pub(in crate::play) fn wrong(field: &'static str, problem: impl Into<String>) -> PlayError {
    PlayError::Field { field, problem: problem.into() }
}

/// A moment that an organiser sets, in whole seconds.
fn checked_moment(field: &'static str, at: Timestamp, now: Timestamp) -> Result<Timestamp, PlayError> {
    let at = Timestamp(at.0 / 1000 * 1000);
    if at <= now || at.0 - now.0 > FARTHEST {
        return Err(wrong(field, "is not between now and a year from now"));
    }
    Ok(at)
}

/// Some words of an organiser without what nobody sees.
fn checked_words(field: &'static str, text: &str) -> Result<String, PlayError> {
    let seen: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    let words = seen.trim().to_owned();
    if words.chars().count() > REASON_MAX {
        return Err(wrong(field, format!("is longer than {REASON_MAX} characters")));
    }
    Ok(words)
}

impl Cause {
    /// The same with its words looked through.
    fn checked(self) -> Result<Cause, PlayError> {
        let reason = checked_words("reason", &self.reason)?;
        if reason.is_empty() {
            return Err(wrong("reason", "is missing: it says why this is done"));
        }
        let key_fits = |key: &String| {
            (1..=KEY_MAX).contains(&key.chars().count()) && key.chars().all(|c| c.is_ascii_graphic() || c == ' ')
        };
        if !self.key.as_ref().is_none_or(key_fits) {
            return Err(wrong("Idempotency-Key", format!("is no text of 1 to {KEY_MAX} plain characters")));
        }
        Ok(Cause { note: checked_words("note", &self.note)?, reason, ..self })
    }
}

impl Play {
    /// Does what an organiser wants. A request with a key that comes again is answered by what came of it, and changes
    /// nothing.
    ///
    /// # Errors
    /// [`PlayError::NoToken`] for a token that is over by now, [`PlayError::Scope`] for one that is for less,
    /// [`PlayError::OwnGame`] for a game in which its person sits, [`PlayError::Stale`] where the game has changed,
    /// [`PlayError::KeyReused`]; [`PlayError::Field`], and what else the act cannot bear.
    pub async fn act(&self, admin: &Admin, cause: Cause, act: Act) -> Result<Acted, PlayError> {
        let cause = cause.checked()?;
        if act.scope() > admin.scope {
            return Err(PlayError::Scope(act.scope().word()));
        }
        // A name is looked up before the transaction begins.
        let target = match &act {
            Act::AddWebhook(new) => Some(self.callable(&new.url).await),
            _ => None,
        };
        let (play, token, fresh) = (self.clone(), admin.id.clone(), (Secret::draw_long(&self.chance), target));
        let admin = admin.clone();
        let acted = self
            .store
            .write(move |tx| {
                let (play, admin, cause, act, fresh) =
                    (play.clone(), admin.clone(), cause.clone(), act.clone(), fresh.clone());
                Box::pin(async move { play.act_in(tx, &admin, &cause, &act, fresh).await })
            })
            .await?;
        if !acted.repeated {
            if let Some(game) = &acted.act.game {
                self.announce(game);
            }
            tracing::info!(
                target: "security",
                act = acted.act.act,
                token = token,
                game = acted.act.game.as_ref().map(tracing::field::display),
                "an organiser has acted"
            );
        }
        Ok(acted)
    }

    async fn act_in(
        &self,
        tx: &mut Writer,
        admin: &Admin,
        cause: &Cause,
        act: &Act,
        fresh: Fresh,
    ) -> Result<Acted, PlayError> {
        let now = self.clock.now();
        let token = tx.admin_token_by_id(&admin.id).await?.ok_or(PlayError::NoToken)?;
        if !tokens::opens(&token, now) {
            return Err(PlayError::NoToken);
        }
        let id = self.sorted_id();
        if let Some(key) = &cause.key {
            // Whoever uses the same key at this moment is waited for here, so that no request meets one half-done.
            let words = format!("{act:?}|{}|{}|{:?}", cause.reason, cause.note, cause.version);
            let hash = self.key.blinded(&format!("request|{words}"));
            if !tx.insert_admin_request(&admin.id, key, &hash, &id, now.0).await? {
                let (before, first) = tx.admin_request(&admin.id, key).await?.ok_or(PlayError::KeyReused)?;
                if before != hash {
                    return Err(PlayError::KeyReused);
                }
                let row = tx.admin_act(&first).await?.ok_or_else(|| PlayError::Broken("act".into()))?;
                let secret = self.secret_again(tx, act, &row).await?;
                return Ok(Acted { act: ActLine::read(row)?, secret, repeated: true });
            }
        }
        let locked = match act.game() {
            Some(game) => {
                match self.lock_for(tx, game.as_str(), token.person_id.as_deref(), cause.version).await {
                    Ok(game) => Ok(Some(game)),
                    // It would be due for ever.
                    Err(PlayError::Broken(_)) if matches!(act, Act::Cancel { .. }) => Err(game),
                    Err(error) => return Err(error),
                }
            }
            None => Ok(None),
        };
        let (done, secret) = match locked {
            Ok(game) => self.do_act(tx, &id, (&token.person_id, cause), act, game.as_ref(), fresh).await?,
            Err(game) => (self.cancel_unreadable(tx, game, token.person_id.as_deref()).await?, None),
        };
        let act = self.log_act(tx, &id, (Some(&token.id), &token.name), cause, &done).await?;
        Ok(Acted { act, secret, repeated: false })
    }

    /// Locks a game for an organiser who neither sits in it nor has seen another version of it.
    pub(in crate::play) async fn lock_for(
        &self,
        tx: &mut Writer,
        game: &str,
        person: Option<&str>,
        version: Option<i64>,
    ) -> Result<Game, PlayError> {
        let game = self.lock(tx, game).await?;
        no_player_of(tx, game.id.as_str(), person).await?;
        if version.is_some_and(|version| version != game.version) {
            return Err(PlayError::Stale);
        }
        Ok(game)
    }

    /// Does it, within the transaction.
    async fn do_act(
        &self,
        tx: &mut Writer,
        id: &str,
        (person, cause): (&Option<String>, &Cause),
        act: &Act,
        game: Option<&Game>,
        (fresh, target): Fresh,
    ) -> Result<(Done, Option<Secret>), PlayError> {
        let game = || game.ok_or(PlayError::NotFound);
        let done = match act {
            Act::Open(new) => self.open_for_two(tx, new).await?,
            Act::Deadline { due, .. } => self.move_deadline(tx, game()?, *due).await?,
            Act::Pause { until, .. } => self.pause_game(tx, game()?, *until).await?,
            Act::Resume { .. } => self.resume_game(tx, game()?).await?,
            Act::Cancel { .. } => self.cancel_game(tx, game()?).await?,
            Act::Declare { outcome, .. } => self.declare_result(tx, game()?, *outcome).await?,
            Act::Reissue { side, address, .. } => self.reissue_seat(tx, game()?, *side, address, &cause.reason).await?,
            Act::Replace { side, address, .. } => self.replace_seat(tx, game()?, *side, address).await?,
            Act::Resend { letter } => self.resend(tx, letter, person.as_deref(), cause.version).await?,
            Act::Block { person, address } => self.block_address(tx, person, address).await?,
            Act::Unblock { block } => self.lift_block(tx, block).await?,
            Act::Announce { text, until } => self.put_up(tx, text, *until).await?,
            Act::Withdraw { announcement } => self.take_down(tx, announcement).await?,
            Act::OfferBoard(new) => self.offer_board(tx, new).await?,
            Act::RetireBoard { board } => self.retire_board(tx, board).await?,
            Act::MakeToken(new) => {
                let done = self.make_token_in(tx, new, &fresh).await?;
                return Ok((done, Some(fresh)));
            }
            Act::RevokeToken { token } => self.revoke_token_in(tx, token).await?,
            Act::AddWebhook(new) => {
                let target = target.ok_or(PlayError::NotFound)??;
                let (done, secret) = self.add_desk_webhook(tx, id, &target, &new.kinds).await?;
                return Ok((done, Some(secret)));
            }
            Act::RenewWebhook { webhook } => {
                let (done, secret) = self.renew_desk_webhook(tx, webhook).await?;
                return Ok((done, Some(secret)));
            }
            Act::TestWebhook { webhook } => self.test_desk_webhook(tx, webhook).await?,
            Act::Retell { webhook, event } => self.retell_desk_webhook(tx, webhook, event).await?,
            Act::RemoveWebhook { webhook } => self.remove_desk_webhook(tx, webhook).await?,
        };
        Ok((done, None))
    }

    /// Adds what was done to the log, and queues the letters about it.
    pub(in crate::play) async fn log_act(
        &self,
        tx: &mut Writer,
        id: &str,
        (token, who): (Option<&str>, &str),
        cause: &Cause,
        done: &Done,
    ) -> Result<ActLine, PlayError> {
        let (mut number, mut version) = (None, None);
        if let Some(game) = &done.game {
            tx.touch_game(game.as_str()).await?;
            number = Some(tx.next_act_number(game.as_str()).await?);
            version = tx.game_version(game.as_str()).await?;
        }
        let row = ActRow {
            id: id.to_owned(),
            done_at: self.clock.now().0,
            token_id: token.map(str::to_owned),
            who: who.to_owned(),
            act: done.act.to_owned(),
            game_id: done.game.as_ref().map(GameId::to_string),
            number,
            side: done.side.map(|side| side.word().to_owned()),
            about: done.about.clone(),
            reason: cause.reason.clone(),
            note: Some(cause.note.clone()).filter(|note| !note.is_empty()),
            version,
        };
        tx.insert_admin_act(&row).await?;
        if let (Some(game), Some(number), true) = (&done.game, number, done.told) {
            let game = self.lock(tx, game.as_str()).await?;
            for side in Side::BOTH {
                self.queue_letter(tx, &game, side, LetterKind::Organiser, number).await?;
            }
        }
        ActLine::read(row)
    }
}

/// Refuses an organiser who sits in the game.
async fn no_player_of(tx: &mut Writer, game: &str, person: Option<&str>) -> Result<(), PlayError> {
    let seats = tx.seats(game).await?;
    if person.is_some() && seats.iter().any(|seat| seat.person_id.as_deref() == person) {
        return Err(PlayError::OwnGame);
    }
    Ok(())
}
