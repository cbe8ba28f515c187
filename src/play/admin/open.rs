//! Opening a game for two people: both sit at once, and each is mailed the way to their seat.

use crate::pace::Pace;
use crate::play::address::checked_address;
use crate::play::admin::{Done, wrong};
use crate::play::mailed::{Errand, address_key};
use crate::play::open::{Company, NewGame, NewlyKept, OtherSeat, SideChoice, checked_name};
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Seat};
use crate::rules::{BySide, Setup, Side};
use crate::store::Writer;

/// One of two people for whom a game is opened.
#[derive(Clone, Debug, Default)]
pub struct Invited {
    /// The name on the seat; empty for none.
    pub name: String,
    /// Where the way to the seat is mailed.
    pub address: String,
}

/// A game to be opened for two people.
#[derive(Clone, Debug)]
pub struct GameForTwo {
    /// Board and house rules.
    pub setup: Setup,
    /// Who plays which side.
    pub players: BySide<Invited>,
    /// How fast it goes; the time of the deployment runs at once.
    pub pace: Pace,
    /// The terms of its clock.
    pub terms: Terms,
    /// Whether everybody may look on.
    pub public: bool,
}

impl Play {
    pub(super) async fn open_for_two(&self, tx: &mut Writer, new: &GameForTwo) -> Result<Done, PlayError> {
        let [red, blue] = [self.invited(tx, new, Side::Red).await?, self.invited(tx, new, Side::Blue).await?];
        if address_key(&red.1) == address_key(&blue.1) {
            return Err(wrong("blue.address", "is that of the other side too"));
        }
        let shape = NewGame {
            setup: new.setup.clone(),
            side: SideChoice::Side(Side::Red),
            name: String::new(),
            address: String::new(),
            pace: new.pace.clone(),
            terms: new.terms.clone(),
            company: Company { public: new.public, challenge_days: None },
        };
        let names = BySide { red: red.0, blue: blue.0 };
        let kept = NewlyKept { names: names.clone(), other: OtherSeat::Kept, ..self.drawn(&shape, None)? };
        let (id, now) = (kept.game.clone(), self.clock.now().0);
        self.keep_new(tx, kept).await?;
        tx.take_seat(id.as_str(), Side::Blue.word(), names.blue.as_deref(), now).await?;
        self.seated(tx, id.as_str(), Side::Blue, names.blue.as_deref()).await?;
        let game = self.lock(tx, id.as_str()).await?;
        self.begin_span(tx, &game, true).await?;
        for (side, address) in [(Side::Red, &red.1), (Side::Blue, &blue.1)] {
            let seat = Seat::new(id.clone(), side, 1);
            self.seat_for_address(tx, &seat, address).await?;
            self.mail_seat(tx, &seat, address).await?;
        }
        Ok(Done { act: "game_opened", game: Some(id), side: None, about: "for two people".into(), told: false })
    }

    /// The name and the address of one of the two.
    async fn invited(
        &self,
        tx: &mut Writer,
        new: &GameForTwo,
        side: Side,
    ) -> Result<(Option<String>, String), PlayError> {
        let invited = new.players.get(side);
        let [of_name, of_address] = match side {
            Side::Red => ["red.name", "red.address"],
            Side::Blue => ["blue.name", "blue.address"],
        };
        let named = |field: &'static str| {
            move |error| match error {
                PlayError::Field { problem, .. } => PlayError::Field { field, problem },
                error => error,
            }
        };
        let name = checked_name(&invited.name).map_err(named(of_name))?;
        let address = checked_address(&invited.address).map_err(named(of_address))?;
        let address = address.ok_or_else(|| wrong(of_address, "is missing"))?;
        self.not_blocked(tx, &address).await.map_err(named(of_address))?;
        Ok((name, address))
    }

    /// Writes an address on a seat: as its person's if somebody has proven it, else as one that is still to be proven.
    pub(super) async fn seat_for_address(&self, tx: &mut Writer, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let (game, side) = (seat.game().as_str(), seat.side().word());
        let person = tx.person_by_address(&address_key(address)).await?;
        match person {
            Some(person) => tx.set_address(game, side, None, Some(&person.id)).await?,
            None => tx.set_address(game, side, Some(address), None).await?,
        }
        Ok(())
    }

    /// Mails the way to a seat; one that was mailed before leads nowhere any more.
    pub(super) async fn mail_seat(&self, tx: &mut Writer, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let (game, side): (&GameId, _) = (seat.game(), seat.side());
        let now = self.clock.now().0;
        tx.end_links_of_seat(game.as_str(), side.word(), Errand::Seat.word(), now).await?;
        let link = self.new_link(Errand::Seat, address, Some(seat), None);
        self.mail(tx, Errand::Seat, &link).await
    }
}
