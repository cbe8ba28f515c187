//! Open challenges: a free seat that anybody may take, for so many days; and who does not want to meet whom.
//!
//! A challenge is an invitation without a link. Whoever has blocked the challenger, or was blocked by them, neither finds
//! it nor can take it, and is told no more than somebody who came too late.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::boards::BoardNames;
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::invite::{InvitationView, Taken};
use crate::play::open::checked_name;
use crate::play::public::{Cursor, PAGE};
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{Setup, Side};
use crate::store::{Reader, SeatRow, Writer};

/// How long a challenge stays open, unless said otherwise, in days.
pub const USUAL_DAYS: u32 = 7;
/// The longest time, in days.
pub const MOST_DAYS: u32 = 30;
/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;

/// An open challenge.
#[derive(Clone, Debug)]
pub struct ChallengeLine {
    /// The game.
    pub game: GameId,
    /// The side that is offered.
    pub side: Side,
    /// The awaited turn: one that is not the first asks for a substitute.
    pub turn: u32,
    /// The same in words.
    pub turn_name: String,
    /// The terms of its clock.
    pub terms: Terms,
    /// What the game is played by.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// How fast it goes.
    pub pace: Pace,
    /// Whether everybody may look on.
    pub public: bool,
    /// The challenger's name.
    pub from: Option<String>,
    /// What the challenger has played before; `None` for somebody who is new here, or has no confirmed address.
    pub record: Option<Record>,
    /// From when on it is open no more.
    pub ends_at: Timestamp,
}

/// What a person has played before, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Games with both players that are over.
    pub finished: u32,
    /// Turns missed in all games.
    pub missed: u32,
}

/// A page of open challenges.
#[derive(Clone, Debug)]
pub struct ChallengePage {
    /// The challenges.
    pub challenges: Vec<ChallengeLine>,
    /// Where the list goes on, if it does.
    pub next: Option<Cursor>,
}

/// For how many days a challenge is to stay open; `None` if that cannot be.
pub(in crate::play) fn checked_days(days: u32) -> Result<i64, PlayError> {
    if (1..=MOST_DAYS).contains(&days) {
        Ok(i64::from(days) * DAY)
    } else {
        Err(PlayError::Field { field: "challenge_days", problem: format!("is a number from 1 to {MOST_DAYS}") })
    }
}

impl Play {
    /// A page of the open challenges, as a session may find them.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn challenges(
        &self,
        session: Option<&Secret>,
        after: Option<Cursor>,
    ) -> Result<ChallengePage, PlayError> {
        let (session, now) = (session.map(Secret::hash), self.clock.now().0);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let people = people(tx, session.as_deref()).await?;
                    let most = i64::try_from(PAGE).unwrap_or(i64::MAX) + 1;
                    let key = after.as_ref().map(Cursor::key);
                    let mut found = tx.open_challenges(&people, now, key, most).await?;
                    let more = found.len() > PAGE;
                    found.truncate(PAGE);
                    let mut challenges = Vec::new();
                    for (game, ends_at) in &found {
                        challenges.push(line(tx, game, *ends_at).await?);
                    }
                    let last = found.last().filter(|_| more);
                    let next = last.and_then(|(id, time)| Some(Cursor::new(*time, GameId::parse(id)?)));
                    Ok::<_, PlayError>(ChallengePage { challenges, next })
                })
            })
            .await
    }

    /// Looks at an open challenge. `session` tells whether the challenger himself looks.
    ///
    /// # Errors
    /// [`PlayError::ChallengeOver`], also where one of both has blocked the other; [`PlayError::NotFound`].
    pub async fn challenge(
        &self,
        game: &GameId,
        session: Option<&Secret>,
    ) -> Result<(InvitationView, ChallengeLine), PlayError> {
        let (game, session, now) = (game.clone(), session.map(Secret::hash), self.clock.now().0);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let ends_at = open(tx, &game, session.as_deref(), now).await?;
                    let line = line(tx, game.as_str(), ends_at).await?;
                    let own = match &session {
                        Some(hash) => tx.holds_seat(hash, game.as_str(), line.side.other().word()).await?.is_some(),
                        None => false,
                    };
                    let row = tx.game(game.as_str()).await?.ok_or(PlayError::NotFound)?;
                    let stands = Game::read(&row)?;
                    let invitation = InvitationView {
                        start: stands.start,
                        now: stands.standing,
                        terms: stands.terms,
                        game: line.game.clone(),
                        side: line.side,
                        setup: line.setup.clone(),
                        board: line.board.clone(),
                        pace: line.pace.clone(),
                        public: line.public,
                        from: line.from.clone(),
                        own,
                        by_organiser: false,
                    };
                    Ok::<_, PlayError>((invitation, line))
                })
            })
            .await
    }

    /// Takes the seat of an open challenge.
    ///
    /// # Errors
    /// As [`Play::challenge`]; also a name that is too long.
    pub async fn take_challenge(
        &self,
        game: &GameId,
        name: &str,
        session: Option<&Secret>,
    ) -> Result<Taken, PlayError> {
        let name = checked_name(name)?;
        let (play, game, session) = (self.clone(), game.clone(), session.map(Secret::hash));
        self.store
            .write(move |tx| {
                let (play, game, name, session) = (play.clone(), game.clone(), name.clone(), session.clone());
                Box::pin(async move { play.take_challenge_in(tx, &game, name.as_deref(), session.as_deref()).await })
            })
            .await
            .inspect(|taken| self.announce(&taken.game))
    }

    async fn take_challenge_in(
        &self,
        tx: &mut Writer,
        id: &GameId,
        name: Option<&str>,
        session: Option<&str>,
    ) -> Result<Taken, PlayError> {
        self.lock(tx, id.as_str()).await?;
        open(tx, id, session, self.clock.now().0).await?;
        let (side, seat, _) = free_seat(tx, id.as_str()).await?;
        let secret = self.key.derive(Purpose::Invitation, id, side, seat.invitation_generation);
        self.take_in(tx, &secret.hash(), name).await.map_err(|error| match error {
            PlayError::SeatTaken | PlayError::InvitationWithdrawn | PlayError::GameOver => PlayError::ChallengeOver,
            error => error,
        })
    }

    /// Opens the free seat of a game to anybody for so many days from now, or with `None` to nobody but who has the invitation.
    ///
    /// # Errors
    /// [`PlayError::SeatTaken`]; [`PlayError::NotFound`] for who did not open the game; days that cannot be.
    pub async fn set_challenge(&self, seat: &Seat, days: Option<u32>) -> Result<(), PlayError> {
        let time = days.map(checked_days).transpose()?;
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_as_inviter(tx, &seat).await?;
                    let (id, now) = (game.id.as_str(), play.clock.now().0);
                    let other = tx.seat(id, seat.side().other().word()).await?.ok_or(PlayError::NotFound)?;
                    match time {
                        _ if other.taken_at.is_some() => return Err(PlayError::SeatTaken),
                        // A seat that is kept for somebody is not offered to anybody.
                        Some(_) if other.invitation_generation == 0 => return Err(PlayError::NotFound),
                        Some(time) => tx.open_challenge(id, now, now + time).await?,
                        None => tx.close_challenge(id, now).await?,
                    }
                    tx.touch_game(id).await?;
                    Ok(())
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Blocks the opponent, or ends that: neither finds the other's challenges. The opponent is not told.
    ///
    /// # Errors
    /// [`PlayError::NoAddressToBlock`] where one of both has no confirmed address.
    pub async fn block(&self, seat: &Seat, wanted: bool) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    let (game, side) = (seat.game().as_str(), seat.side());
                    let mine = tx.seat(game, side.word()).await?.and_then(|row| row.person_id);
                    let theirs = tx.seat(game, side.other().word()).await?.and_then(|row| row.person_id);
                    let (Some(mine), Some(theirs)) = (mine, theirs) else { return Err(PlayError::NoAddressToBlock) };
                    if wanted && mine != theirs {
                        tx.block(&mine, &theirs, play.clock.now().0).await?;
                    } else {
                        tx.unblock(&mine, &theirs).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Whether a seat's player has blocked the opponent; `None` where one of both has no confirmed address.
pub(in crate::play) async fn blocked(
    tx: &mut Reader,
    mine: &SeatRow,
    theirs: &SeatRow,
) -> Result<Option<bool>, PlayError> {
    match (&mine.person_id, &theirs.person_id) {
        (Some(mine), Some(theirs)) if mine != theirs => Ok(Some(tx.blocks(mine, theirs).await?)),
        _ => Ok(None),
    }
}

/// Who looks, as far as that is known: the people of the seats that a session holds.
async fn people(tx: &mut Reader, session: Option<&str>) -> Result<Vec<String>, PlayError> {
    match session {
        Some(hash) => Ok(tx.people_of_session(hash).await?),
        None => Ok(Vec::new()),
    }
}

/// When a challenge ends that is open to a session.
async fn open(tx: &mut Reader, game: &GameId, session: Option<&str>, now: i64) -> Result<i64, PlayError> {
    let challenge = tx.challenge(game.as_str()).await?.ok_or(PlayError::NotFound)?;
    let row = tx.game(game.as_str()).await?.ok_or(PlayError::NotFound)?;
    if challenge.closed_at.is_some() || challenge.ends_at <= now || row.ended_at.is_some() {
        return Err(PlayError::ChallengeOver);
    }
    let (_, _, challenger) = free_seat(tx, game.as_str()).await?;
    if let Some(challenger) = challenger.person_id {
        for person in people(tx, session).await? {
            if tx.blocks(&challenger, &person).await? || tx.blocks(&person, &challenger).await? {
                return Err(PlayError::ChallengeOver);
            }
        }
    }
    Ok(challenge.ends_at)
}

/// The free seat of a game, and the seat opposite.
async fn free_seat(tx: &mut Reader, game: &str) -> Result<(Side, SeatRow, SeatRow), PlayError> {
    let (taken, free): (Vec<_>, Vec<_>) = tx.seats(game).await?.into_iter().partition(|seat| seat.taken_at.is_some());
    match (free.into_iter().next(), taken.into_iter().next()) {
        (Some(free), Some(taken)) => {
            let side = Side::from_word(&free.side).ok_or_else(|| PlayError::Broken("side".into()))?;
            Ok((side, free, taken))
        }
        _ => Err(PlayError::ChallengeOver),
    }
}

async fn line(tx: &mut Reader, id: &str, ends_at: i64) -> Result<ChallengeLine, PlayError> {
    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
    let company = tx.company(id).await?.ok_or(PlayError::NotFound)?;
    let (side, _, challenger) = free_seat(tx, id).await?;
    let record = match &challenger.person_id {
        Some(person) => {
            let (finished, missed) = tx.record_of(person).await?;
            let number = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
            Some(Record { finished: number(finished), missed: number(missed) })
        }
        None => None,
    };
    Ok(ChallengeLine {
        side,
        turn: game.standing.turn(),
        turn_name: game.standing.turn_name(),
        terms: game.terms,
        setup: game.standing.setup(),
        board: game.board,
        pace: game.pace,
        public: company.public_at.is_some(),
        from: challenger.name,
        record: record.filter(|record| *record != Record { finished: 0, missed: 0 }),
        ends_at: Timestamp(ends_at),
        game: game.id,
    })
}
