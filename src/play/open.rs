//! Opening a game: its settings, who is Red, and the invitation to the other seat, or both seats at one device.

use sha2::{Digest, Sha256};

use crate::bot::Level;
use crate::pace::Pace;
use crate::play::address::checked_address;
use crate::play::challenge::checked_days;
use crate::play::computer::like_a_computer;
use crate::play::game::write_standing;
use crate::play::ids::Purpose;
use crate::play::mailed::Errand;
use crate::play::public::keep_words;
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{BySide, Setup, Side, Standing};
use crate::store::{NewGameRow, NewSeat, Writer};

/// The longest name of a player, in characters.
pub const NAME_MAX: usize = 40;
/// How many marks may stand on one letter of a name.
const MARKS_MOST: usize = 2;

/// Which side the opener takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideChoice {
    /// Red or Blue.
    Side(Side),
    /// Whatever the lot says.
    Lot,
}

/// A game to be opened.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Board and house rules.
    pub setup: Setup,
    /// Which side the opener takes.
    pub side: SideChoice,
    /// The opener's name; empty for none.
    pub name: String,
    /// The address for the opener's reports; empty for none.
    pub address: String,
    /// How fast it goes.
    pub pace: Pace,
    /// The terms of its clock.
    pub terms: Terms,
    /// Who else has to do with it.
    pub company: Company,
}

/// Who has to do with a new game beside its two players. By the opener's choice, which nobody changes later: whoever takes
/// the other seat has seen it before. Not for games at one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// Whether everybody may look on.
    pub public: bool,
    /// For how many days anybody may take the other seat; `None` if it is for whoever gets the invitation.
    pub challenge_days: Option<u32>,
}

/// Who may take the other seat of a new game.
#[derive(Clone, Debug)]
pub(in crate::play) enum OtherSeat {
    /// Whoever has this invitation.
    Invited(Secret),
    /// It is taken: both sides sit at one device.
    Here,
    /// It is kept for somebody whom the server knows.
    Kept,
    /// It is a computer's.
    Computer(Level),
}

/// Where a game stands that was begun elsewhere.
#[derive(Clone, Debug, Default)]
pub struct AdoptedPosition {
    /// The turn that is to be written next.
    pub turn: u32,
    /// Red's units, in the notation of a deployment.
    pub red: String,
    /// Blue's units.
    pub blue: String,
}

/// A game that has been opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The game.
    pub game: GameId,
    /// The side that the opener holds.
    pub side: Side,
    /// The secret of the opener's seat: link and API token.
    pub link: Secret,
    /// The secret of the invitation to the other seat.
    pub invitation: Secret,
}

/// A game that has been opened for one device: both seats are taken, and nobody is invited.
#[derive(Clone, Debug)]
pub struct OpenedHere {
    /// The game.
    pub game: GameId,
    /// The side that sits down first.
    pub side: Side,
    /// The secrets of both seats.
    pub links: BySide<Secret>,
}

/// A new game as it is kept.
#[derive(Clone, Debug)]
pub(in crate::play) struct NewlyKept {
    pub game: GameId,
    pub opener: Side,
    pub setup: Setup,
    pub pace: Pace,
    /// Where it begins, if not with the deployments.
    pub start: Option<Standing>,
    pub terms: Terms,
    pub names: BySide<Option<String>>,
    /// The address for the opener's reports.
    pub address: Option<String>,
    pub other: OtherSeat,
    pub company: Company,
}

impl Play {
    /// Opens a game and seats the opener.
    ///
    /// # Errors
    /// A name that is too long, an address that is none, a setting that cannot be; the store failed.
    pub async fn open(&self, new: NewGame) -> Result<Opened, PlayError> {
        self.open_from(new, None).await
    }

    /// Opens a game that was begun elsewhere, at the beginning of a turn, and seats the opener. Who takes the other seat
    /// sees the position on the invitation first, and agrees to it by taking the seat.
    ///
    /// # Errors
    /// As [`Play::open`]; also [`PlayError::Field`] for a position that no game can begin with.
    pub async fn adopt(&self, new: NewGame, position: &AdoptedPosition) -> Result<Opened, PlayError> {
        let texts = BySide { red: position.red.as_str(), blue: position.blue.as_str() };
        let start = Standing::adopt(new.setup.clone(), position.turn, texts).map_err(|(side, error)| {
            let field = match side {
                Some(Side::Red) => "red",
                Some(Side::Blue) => "blue",
                None => "position",
            };
            PlayError::Field { field, problem: error.to_string() }
        })?;
        self.open_from(new, Some(start)).await
    }

    async fn open_from(&self, new: NewGame, start: Option<Standing>) -> Result<Opened, PlayError> {
        let mut kept = self.drawn(&new, None)?;
        kept.start = start;
        let (game, side) = (kept.game.clone(), kept.opener);
        let invitation = self.key.derive(Purpose::Invitation, &game, side.other(), 1);
        kept.other = OtherSeat::Invited(invitation.clone());
        self.keep(kept).await?;
        Ok(Opened { link: self.key.derive(Purpose::Link, &game, side, 1), invitation, game, side })
    }

    /// Opens a game for one device: both sides are seated, the opener's sits down first.
    ///
    /// # Errors
    /// As [`Play::open`]; the field of the other side's name is `other_name`.
    pub async fn open_one_device(&self, new: NewGame, other_name: &str) -> Result<OpenedHere, PlayError> {
        let other = checked_name(other_name).map_err(|error| match error {
            PlayError::Field { problem, .. } => PlayError::Field { field: "other_name", problem },
            error => error,
        })?;
        // Both sit together; they know when it is time.
        let alone = NewGame { pace: Pace::Open, terms: Terms::default(), company: Company::default(), ..new };
        let kept = self.drawn(&alone, other)?;
        let (game, side) = (kept.game.clone(), kept.opener);
        self.keep(kept).await?;
        let links = BySide::from_fn(|side| self.key.derive(Purpose::Link, &game, side, 1));
        Ok(OpenedHere { game, side, links })
    }

    /// A new game with its settings looked through, its id drawn and its sides assigned; nobody is invited yet.
    pub(in crate::play) fn drawn(&self, new: &NewGame, other_name: Option<String>) -> Result<NewlyKept, PlayError> {
        let name = checked_name(&new.name)?;
        let address = checked_address(&new.address)?;
        if let Some((field, problem)) = new.setup.problem() {
            return Err(PlayError::Field { field, problem });
        }
        if let Some((field, problem)) = new.pace.problem().or_else(|| new.terms.problem()) {
            return Err(PlayError::Field { field, problem });
        }
        if let Some(days) = new.company.challenge_days {
            checked_days(days)?;
        }
        let opener = match new.side {
            SideChoice::Side(side) => side,
            SideChoice::Lot => {
                if self.chance.below(2) == 0 {
                    Side::Red
                } else {
                    Side::Blue
                }
            }
        };
        let names = match opener {
            Side::Red => BySide { red: name, blue: other_name },
            Side::Blue => BySide { red: other_name, blue: name },
        };
        let game = GameId::draw(&self.chance);
        Ok(NewlyKept {
            game,
            opener,
            setup: new.setup.clone(),
            pace: new.pace.clone(),
            start: None,
            terms: new.terms.clone(),
            names,
            address,
            other: OtherSeat::Here,
            company: new.company,
        })
    }

    pub(in crate::play) async fn keep(&self, new: NewlyKept) -> Result<(), PlayError> {
        let play = self.clone();
        self.store
            .write(move |tx| {
                let (play, new) = (play.clone(), new.clone());
                Box::pin(async move { play.keep_new(tx, new).await })
            })
            .await
    }

    pub(in crate::play) async fn keep_new(&self, tx: &mut Writer, new: NewlyKept) -> Result<(), PlayError> {
        let NewlyKept { game, opener, setup, pace, start, terms, names, address, other, company } = new;
        if let Some(address) = &address {
            self.not_blocked(tx, address).await?;
        }
        let now = self.clock.now().0;
        let here = matches!(other, OtherSeat::Here);
        let json = |error: serde_json::Error| PlayError::Broken(error.to_string());
        let (board, board_hash) = kept_board(&setup)?;
        tx.keep_board(&board_hash, &board, now).await?;
        let kept_setup = serde_json::to_string(&setup.kept()).map_err(json)?;
        let pace = match pace {
            Pace::Open => None,
            pace => Some(serde_json::to_string(&pace).map_err(json)?),
        };
        let settings =
            if terms == Terms::default() { None } else { Some(serde_json::to_string(&terms).map_err(json)?) };
        let standing = start.unwrap_or_else(|| Standing::open(setup));
        let start = if standing.turn() > 0 { Some(write_standing(&standing)?) } else { None };
        let id = game.as_str();
        tx.insert_game(&NewGameRow {
            id,
            board_hash: &board_hash,
            setup: &kept_setup,
            opener: opener.word(),
            turn: i64::from(standing.turn()),
            standing: &write_standing(&standing)?,
            opened_at: now,
            sitting: here.then(|| opener.word()),
            pace: pace.as_deref(),
            settings: settings.as_deref(),
            start: start.as_deref(),
        })
        .await?;
        for side in Side::BOTH {
            let own = side == opener;
            let taken = own || here;
            tx.insert_seat(&NewSeat {
                game_id: id,
                side: side.word(),
                name: names.get(side).as_deref(),
                address: address.as_deref().filter(|_| own),
                taken_at: taken.then_some(now),
                link_hash: &self.key.derive(Purpose::Link, &game, side, 1).hash(),
                invitation_generation: i64::from(!own && matches!(other, OtherSeat::Invited(_))),
            })
            .await?;
        }
        if let Some(address) = address {
            let seat = Seat::new(game.clone(), opener, 1);
            self.mail_link(tx, Errand::Confirm, &address, Some(&seat)).await?;
        }
        match other {
            OtherSeat::Invited(invitation) => {
                tx.insert_invitation(&invitation.hash(), id, opener.other().word(), now).await?;
            }
            OtherSeat::Here => tx.set_seated(id, Some(now)).await?,
            OtherSeat::Kept => {}
            OtherSeat::Computer(level) => {
                self.seat_computer(tx, &game, opener.other(), level).await?;
                tx.set_seated(id, Some(now)).await?;
                let opened = self.lock(tx, id).await?;
                self.begin_span(tx, &opened, opened.standing.turn() == 0).await?;
            }
        }
        if let Some(days) = company.challenge_days {
            tx.open_challenge(id, now, now + checked_days(days)?).await?;
        }
        if company.public {
            tx.make_public(id, now).await?;
            keep_words(tx, id, opener, names.get(opener).as_deref()).await?;
        }
        Ok(())
    }
}

/// A board as it is kept, and its hash.
pub(in crate::play) fn kept_board(setup: &Setup) -> Result<(String, String), PlayError> {
    let board = serde_json::to_string(&setup.board_text()).map_err(|error| PlayError::Broken(error.to_string()))?;
    let hash = hash_of_text(&board);
    Ok((board, hash))
}

/// The hash of a board's text, by which it is kept.
pub(in crate::play) fn hash_of_text(board: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(board.as_bytes()))
}

/// A player's name as it is kept: without what nobody sees, `None` if nothing is left.
pub(in crate::play) fn checked_name(name: &str) -> Result<Option<String>, PlayError> {
    let seen: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_unseen(*c)).collect();
    let name = few_marks(&seen.split_whitespace().collect::<Vec<_>>().join(" "));
    if name.chars().count() > NAME_MAX {
        return Err(PlayError::Field { field: "name", problem: format!("is longer than {NAME_MAX} characters") });
    }
    if like_a_computer(&name) {
        return Err(PlayError::Field { field: "name", problem: "is like that of a computer player".into() });
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// Without the marks above and below a letter that follow the first two: heaped up they would cover the lines around.
fn few_marks(name: &str) -> String {
    let mut running = 0;
    let few = |c: &char| {
        running = if is_mark(*c) { running + 1 } else { 0 };
        running <= MARKS_MOST
    };
    name.chars().filter(few).collect()
}

/// The blocks of combining marks.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Signs that turn the direction of writing or take no room: they could make one name look like another.
const fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{00AD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_bounded() {
        assert_eq!(checked_name("  Ann \r\n Lee\u{202E} "), Ok(Some("Ann Lee".into())));
        assert_eq!(checked_name(" \u{200B}\n"), Ok(None));
        let heap = "\u{0301}".repeat(20);
        assert_eq!(checked_name(&format!("A{heap}n{heap}")), Ok(Some("A\u{301}\u{301}n\u{301}\u{301}".into())));
        assert_eq!(checked_name("e\u{0323}\u{0302}"), Ok(Some("e\u{0323}\u{0302}".into())));
        assert!(checked_name("Computer (hard)").is_err());
        assert!(checked_name(&"ä".repeat(NAME_MAX)).is_ok());
        assert!(checked_name(&"ä".repeat(NAME_MAX + 1)).is_err());
    }
}
