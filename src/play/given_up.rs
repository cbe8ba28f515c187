//! The letter to a player whose seat was given up. The seat is somebody else's then, so it goes to the person's address and
//! says nothing of the game as it stands.

use std::str::FromStr;

use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::{GameId, Play, PlayError};
use crate::rules::{BySide, Side};
use crate::store::{Letter, NewLetter, SeatRow, Writer};

/// How a seat is given up against its holder's will.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// After too many missed turns the opponent seeks a substitute.
    Substitute,
    /// After too many missed turns a computer plays on.
    Computer,
    /// Before the game began, who had invited freed the seat.
    Unseated,
    /// The organiser gives it to somebody else.
    Organiser,
}

impl GivenUp {
    /// The word in the database.
    const fn word(self) -> &'static str {
        match self {
            GivenUp::Substitute => "substitute",
            GivenUp::Computer => "computer",
            GivenUp::Unseated => "unseated",
            GivenUp::Organiser => "organiser",
        }
    }
}

impl FromStr for GivenUp {
    type Err = ();

    fn from_str(word: &str) -> Result<GivenUp, ()> {
        let all = [GivenUp::Substitute, GivenUp::Computer, GivenUp::Unseated, GivenUp::Organiser];
        all.into_iter().find(|how| how.word() == word).ok_or(())
    }
}

/// What the letter is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUpSeat {
    /// The game.
    pub game: GameId,
    /// The name of what is played.
    pub game_name: &'static str,
    /// The side whose seat it was.
    pub side: Side,
    /// The opponent's name.
    pub opponent: Option<String>,
    /// How it was given up.
    pub how: GivenUp,
}

impl Play {
    /// Queues the letter to the holder of a seat of a locked game that is about to be given up: `seat` is its row as it
    /// still stands. Nothing is queued for whoever has no confirmed address, or wants no reports.
    pub(in crate::play) async fn seat_given_up(
        &self,
        tx: &mut Writer,
        game: &Game,
        seat: &SeatRow,
        how: GivenUp,
    ) -> Result<(), PlayError> {
        let (Some(person), Some(address)) = (&seat.person_id, &seat.confirmed_address) else { return Ok(()) };
        let wishes = self.letter_wishes(tx, person).await?;
        if LetterKind::SeatGivenUp.topic().is_some_and(|topic| !wishes.wants(topic)) {
            return Ok(());
        }
        let (id, now) = (self.sorted_id(), self.clock.now());
        tx.queue_letter(&NewLetter {
            id: &id,
            kind: LetterKind::SeatGivenUp.word(),
            seat: None,
            address: Some(address),
            about: Some(&format!("{} {} {}", game.id, seat.side, how.word())),
            revision: 0,
            now: now.0,
        })
        .await?;
        if let Some(end) = wishes.quiet_until(now) {
            tx.hold_letter(&id, end.0).await?;
        }
        Ok(())
    }

    /// What a letter about a seat that was given up says.
    pub(in crate::play) async fn given_up_of(&self, letter: &Letter) -> Result<GivenUpSeat, PlayError> {
        let broken = || PlayError::Broken("letter".into());
        let mut about = letter.about.as_deref().unwrap_or_default().split(' ');
        let id = about.next().and_then(GameId::parse).ok_or_else(broken)?;
        let side = about.next().and_then(Side::from_word).ok_or_else(broken)?;
        let how = about.next().and_then(|word| word.parse().ok()).ok_or_else(broken)?;
        let (game, names) = {
            let id = id.clone();
            self.store
                .read(move |tx| {
                    Box::pin(async move {
                        let game = Game::read(&tx.game(id.as_str()).await?.ok_or(PlayError::NotFound)?)?;
                        let mut names: BySide<Option<String>> = BySide::default();
                        for seat in tx.seats(id.as_str()).await? {
                            if let Some(side) = Side::from_word(&seat.side) {
                                *names.get_mut(side) = seat.name;
                            }
                        }
                        Ok::<_, PlayError>((game, names))
                    })
                })
                .await?
        };
        let opponent = names.get(side.other()).clone();
        Ok(GivenUpSeat { game: id, game_name: game.standing.setup().game_name(), side, opponent, how })
    }
}
