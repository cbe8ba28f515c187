//! Opening a game: its settings, who is Red, and the invitation to the other seat.

use sha2::{Digest, Sha256};

use crate::play::address::checked_address;
use crate::play::game::write_standing;
use crate::play::ids::Purpose;
use crate::play::{GameId, Play, PlayError, Secret};
use crate::rules::{Setup, Side, Standing};
use crate::store::{NewGameRow, NewSeat, Writer};

/// The longest name of a player, in characters.
pub const NAME_MAX: usize = 40;

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

impl Play {
    /// Opens a game and seats the opener.
    ///
    /// # Errors
    /// A name that is too long, an address that is none, a setting that cannot be; the store failed.
    pub async fn open(&self, new: NewGame) -> Result<Opened, PlayError> {
        let name = checked_name(&new.name)?;
        let address = checked_address(&new.address)?;
        if let Some((field, problem)) = new.setup.problem() {
            return Err(PlayError::Field { field, problem });
        }
        let side = match new.side {
            SideChoice::Side(side) => side,
            SideChoice::Lot => {
                if self.chance.below(2) == 0 {
                    Side::Red
                } else {
                    Side::Blue
                }
            }
        };
        let game = GameId::draw(&self.chance);
        let opened = Opened {
            link: self.key.derive(Purpose::Link, &game, side, 1),
            invitation: self.key.derive(Purpose::Invitation, &game, side.other(), 1),
            game,
            side,
        };
        let (play, kept) = (self.clone(), opened.clone());
        self.store
            .write(move |tx| {
                let (play, opened, setup) = (play.clone(), kept.clone(), new.setup.clone());
                let (name, address) = (name.clone(), address.clone());
                Box::pin(async move { play.keep_new(tx, &opened, setup, name.as_deref(), address.as_deref()).await })
            })
            .await?;
        Ok(opened)
    }

    async fn keep_new(
        &self,
        tx: &mut Writer,
        opened: &Opened,
        setup: Setup,
        name: Option<&str>,
        address: Option<&str>,
    ) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        let json = |error: serde_json::Error| PlayError::Broken(error.to_string());
        let board = serde_json::to_string(&setup.board_text()).map_err(json)?;
        let board_hash = data_encoding::HEXLOWER.encode(&Sha256::digest(board.as_bytes()));
        tx.keep_board(&board_hash, &board, now).await?;
        let kept_setup = serde_json::to_string(&setup.kept()).map_err(json)?;
        let standing = Standing::open(setup);
        let id = opened.game.as_str();
        tx.insert_game(&NewGameRow {
            id,
            board_hash: &board_hash,
            setup: &kept_setup,
            opener: opened.side.word(),
            turn: i64::from(standing.turn()),
            standing: &write_standing(&standing)?,
            opened_at: now,
        })
        .await?;
        for side in Side::BOTH {
            let own = side == opened.side;
            tx.insert_seat(&NewSeat {
                game_id: id,
                side: side.word(),
                name: name.filter(|_| own),
                address: address.filter(|_| own),
                taken_at: own.then_some(now),
                link_hash: &self.key.derive(Purpose::Link, &opened.game, side, 1).hash(),
                invitation_generation: i64::from(!own),
            })
            .await?;
        }
        tx.insert_invitation(&opened.invitation.hash(), id, opened.side.other().word(), now).await?;
        Ok(())
    }
}

/// A player's name as it is kept: without what nobody sees, `None` if nothing is left.
pub(in crate::play) fn checked_name(name: &str) -> Result<Option<String>, PlayError> {
    let seen: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_unseen(*c)).collect();
    let name = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() > NAME_MAX {
        return Err(PlayError::Field { field: "name", problem: format!("is longer than {NAME_MAX} characters") });
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
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
        assert!(checked_name(&"ä".repeat(NAME_MAX)).is_ok());
        assert!(checked_name(&"ä".repeat(NAME_MAX + 1)).is_err());
    }
}
