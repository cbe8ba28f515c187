//! Both sides at one device: who sits there, and handing it over.
//!
//! While one side sits, the device shows nothing of the other (see [`Play::seat_of_session`]). A session
//! that holds one seat alone, as by the seat's link on a telephone, has proven that seat and is not held up.

use crate::pace::Pace;
use crate::play::game::{Device, Game, read_device};
use crate::play::open::{Company, NewGame, OpenedHere, SideChoice};
use crate::play::seal::ToSeal;
use crate::play::seen::unwatched;
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Secret};
use crate::rules::{BySide, Setup, Side};
use crate::store::Reader;

/// What everybody at a shared device may know: nothing of either side's sheets but whether they are sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceView {
    /// The game.
    pub game: GameId,
    /// Both names.
    pub names: BySide<Option<String>>,
    /// Who sits there; nobody while it changes hands.
    pub sitting: Option<Side>,
    /// The one side that is still to write, if the other has sealed.
    pub next: Option<Side>,
    /// The awaited turn in words; `None` once the game is over.
    pub turn_name: Option<String>,
    /// The first turn that is still to be watched, in words; nothing is said of what follows it.
    pub unwatched: Option<String>,
}

impl Play {
    /// The shared device of a game, for a session that holds both seats.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where it does not, or where each side has its own device.
    pub async fn device(&self, session: &Secret, game: &GameId) -> Result<DeviceView, PlayError> {
        let (hash, id) = (session.hash(), game.clone());
        self.store.read(move |tx| Box::pin(async move { device_in(tx, &hash, &id).await })).await
    }

    /// Seats a side at the shared device, or nobody while it changes hands. Says who sat there before.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a session that does not hold both seats of a game at one device.
    pub async fn hand_over(
        &self,
        session: &Secret,
        game: &GameId,
        to: Option<Side>,
    ) -> Result<Option<Side>, PlayError> {
        let (hash, id) = (session.hash(), game.to_string());
        self.store
            .write(move |tx| {
                let (hash, id) = (hash.clone(), id.clone());
                Box::pin(async move {
                    let device = shared_device(tx, &hash, &id).await?.ok_or(PlayError::NotFound)?;
                    tx.seat_at_device(&id, to.map(Side::word)).await?;
                    Ok(device.sitting)
                })
            })
            .await
    }

    /// Opens a game at one device in which the first ready-made sheet of each side is sealed already, and seats
    /// Red: the shortest way into a running game.
    ///
    /// # Errors
    /// As [`Play::open`] and [`Play::seal`].
    pub async fn open_running(&self, setup: Setup) -> Result<OpenedHere, PlayError> {
        let side = SideChoice::Side(Side::Red);
        let new = NewGame {
            setup,
            side,
            name: String::new(),
            address: String::new(),
            pace: Pace::Open,
            company: Company::default(),
            terms: Terms::default(),
        };
        let opened = self.open_one_device(new, "").await?;
        for side in Side::BOTH {
            let seat = self.seat_of_link(opened.links.get(side)).await?;
            let standing = self.view(&seat).await?.standing;
            let ready = standing.entry_form(side).presets.into_iter().next();
            let text = ready.map(|preset| preset.text).unwrap_or_default();
            let sheet =
                ToSeal { turn: standing.turn(), text, empty_is_meant: true, may_resolve: true, is_final: false };
            self.seal(&seat, sheet).await?;
        }
        let id = opened.game.to_string();
        self.store
            .write::<_, PlayError, _>(move |tx| {
                let id = id.clone();
                Box::pin(async move { Ok(tx.seat_at_device(&id, Some(Side::Red.word())).await?) })
            })
            .await?;
        Ok(opened)
    }
}

/// The device that a session shares between both sides of a game: none where it does not hold both seats,
/// or where each side has its own.
pub(in crate::play) async fn shared_device(
    tx: &mut Reader,
    session_hash: &str,
    game: &str,
) -> Result<Option<Device>, PlayError> {
    let Some(row) = tx.device(game).await? else { return Ok(None) };
    for side in Side::BOTH {
        if tx.holds_seat(session_hash, game, side.word()).await?.is_none() {
            return Ok(None);
        }
    }
    read_device(row.sitting.as_deref()).map(Some)
}

async fn device_in(tx: &mut Reader, session_hash: &str, id: &GameId) -> Result<DeviceView, PlayError> {
    let device = shared_device(tx, session_hash, id.as_str()).await?.ok_or(PlayError::NotFound)?;
    let game = Game::read(&tx.game(id.as_str()).await?.ok_or(PlayError::NotFound)?)?;
    let seats = tx.seats(id.as_str()).await?;
    let name = |side: Side| seats.iter().find(|row| row.side == side.word()).and_then(|row| row.name.clone());
    let red = tx.seal(id.as_str(), Side::Red.word()).await?.is_some();
    let blue = tx.seal(id.as_str(), Side::Blue.word()).await?.is_some();
    Ok(DeviceView {
        game: game.id,
        names: BySide { red: name(Side::Red), blue: name(Side::Blue) },
        sitting: device.sitting,
        next: match (red, blue) {
            (true, false) => Some(Side::Blue),
            (false, true) => Some(Side::Red),
            _ => None,
        },
        unwatched: seats
            .iter()
            .filter_map(|seat| unwatched(seat, game.standing.turn()))
            .min()
            .map(|turn| game.standing.setup().turn_name(turn)),
        turn_name: game.ended.is_none().then(|| game.standing.turn_name()),
    })
}
