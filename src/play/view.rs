//! What a viewer may know: the one projection from which pages, JSON, letters and
//! pictures are made.
//!
//! A seat knows: the settings, both names, the open standing, all resolved turns, its own
//! sealed sheet, and of the opponent's only that it is sealed, since when, and the seal.
//! A spectator of a public game knows the settings, both names, the open standing, when the turn is due, and all resolved turns.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::admin::shown::{OrganiserView, organiser_view};
use crate::play::agree::{Carried, OfferView, standing_offers};
use crate::play::boards::BoardNames;
use crate::play::company::SeatCompany;
use crate::play::computer::Computer;
use crate::play::deadline::Missed;
use crate::play::device::shared_device;
use crate::play::game::{Device, Game, read_sheet, sealed_sheet};
use crate::play::hint::may_ask;
use crate::play::ids::Purpose;
use crate::play::proof::{before, chain_of_row, hash_of};
use crate::play::resolve::How;
use crate::play::seen::unwatched;
use crate::play::stopped::Stopped;
use crate::play::terms::Terms;
use crate::play::time::{TimeView, time_view};
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{BySide, Chapter, Outcome, Report, Setup, Side, Standing};
use crate::store::{CompanyRow, Reader, SeatRow, TurnSheet};

/// A game as the holder of one seat may see it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not hang together")]
pub struct SeatView {
    /// The game.
    pub game: GameId,
    /// Whose view it is.
    pub side: Side,
    /// What the game was opened with.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// The players' names; the opponent's is `None` until the seat is taken.
    pub names: BySide<Option<String>>,
    /// The computers that play a seat; `None` where a person does.
    pub computers: BySide<Option<Computer>>,
    /// Whether hints can be had on this seat.
    pub hints: bool,
    /// The open standing.
    pub standing: Standing,
    /// The seat's sheet for the awaited turn, if it is sealed.
    pub own: Option<SealedSheet>,
    /// What the opponent's seal shows, if there is one for the awaited turn.
    pub other: Option<Seal>,
    /// Whether the opponent's seat has been taken.
    pub opponent_present: bool,
    /// The open invitation to the opponent's seat; only its inviter sees it.
    pub invitation: Option<Secret>,
    /// Whether this seat invited the opponent and may still unseat them.
    pub may_unseat: bool,
    /// The link to this seat.
    pub link: Secret,
    /// The secret of the calendar of this seat's deadlines; `None` where it would stay empty.
    pub calendar: Option<Secret>,
    /// The confirmed address that letters go to.
    pub address: Option<String>,
    /// An address that was given and not confirmed yet: nothing goes there but the question.
    pub unconfirmed: Option<String>,
    /// How the game ended.
    pub ended: Option<Ended>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// Numbers of the resolved turns, from 0.
    pub resolved: Vec<u32>,
    /// Rises with every change of the game that this viewer may know of.
    pub version: i64,
    /// What the seat has written so far for the awaited turn, and not sealed.
    pub draft: Option<String>,
    /// Whether both sides sit at one device.
    pub one_device: bool,
    /// How fast the game goes.
    pub pace: Pace,
    /// When the awaited turn is due; `None` without deadlines, and until both seats are taken.
    pub due: Option<Timestamp>,
    /// The turns that each side has missed.
    pub missed: BySide<Missed>,
    /// Whatever else there is to know of the game's time.
    pub time: TimeView,
    /// The first resolved turn that this seat has not watched. Pages keep its result, and all after it, to themselves.
    pub unwatched: Option<u32>,
    /// Whether this seat wants results at once, without watching.
    pub result_first: bool,
    /// What one side offers the other.
    pub offers: Vec<OfferView>,
    /// The game that this one carries on.
    pub continues: Option<GameId>,
    /// Where this game goes on, after it ended by that agreement.
    pub continued_in: Option<Carried>,
    /// What it has to do with other people.
    pub company: SeatCompany,
    /// Whose letters about the game are stopped, and why.
    pub stopped: BySide<Option<Stopped>>,
    /// What the organiser did in it.
    pub organiser: OrganiserView,
}

/// A public game as everybody may see it: nothing of open turns but when they are due.
#[derive(Clone, Debug)]
pub struct Spectacle {
    /// The game.
    pub game: GameId,
    /// What it was opened with.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// How fast it goes.
    pub pace: Pace,
    /// The players' names; `None` for who gave none, and for a free seat.
    pub names: BySide<Option<String>>,
    /// The computers that play a seat; `None` where a person does.
    pub computers: BySide<Option<Computer>>,
    /// Whether both seats are taken.
    pub seated: bool,
    /// Which of them are free.
    pub free: BySide<bool>,
    /// The terms of the game's clock.
    pub terms: Terms,
    /// The open standing.
    pub standing: Standing,
    /// When the awaited turn is due.
    pub due: Option<Timestamp>,
    /// Numbers of the resolved turns, from 0.
    pub resolved: Vec<u32>,
    /// How the game ended.
    pub ended: Option<Ended>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The public game that it is the rematch of.
    pub rematch_of: Option<GameId>,
}

/// A sheet that lies sealed, for its writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSheet {
    /// The canonical text.
    pub text: String,
    /// Its size in words, `9 orders`.
    pub measure: String,
    /// The seal, which the opponent sees too.
    pub seal: Seal,
    /// The salt of the seal, 32 hexadecimal digits; the opponent learns it with the sheet.
    pub salt: String,
}

/// A seal: proof that a sheet was written before the opponent's was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// SHA-256 in hexadecimal; docs/seals.md has the bytes.
    pub hash: String,
    /// When it was sealed.
    pub at: Timestamp,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Who won; `None` where the game is void.
    pub outcome: Option<Outcome>,
    /// What decided it, in a sentence.
    pub how: String,
    /// When.
    pub at: Timestamp,
}

/// A turn that has been resolved.
#[derive(Clone, Debug)]
pub struct TurnView {
    /// Its number, from 0.
    pub turn: u32,
    /// Its name, `Deployment` or `Day 5`.
    pub name: String,
    /// What happened.
    pub report: Report,
    /// What happened, in sentences.
    pub story: Vec<Chapter>,
    /// Both sheets, now open.
    pub sheets: BySide<SealedSheet>,
    /// How each sheet came about.
    pub how: BySide<How>,
    /// The running hash over this turn and all before it; docs/seals.md has the bytes.
    pub chain: String,
    /// When it was resolved.
    pub resolved_at: Timestamp,
}

/// A line of "my games".
#[derive(Clone, Debug)]
pub struct GameLine {
    /// The game.
    pub game: GameId,
    /// The seat held in it.
    pub side: Side,
    /// The game's name, `Field Command`.
    pub game_name: &'static str,
    /// Both names.
    pub names: BySide<Option<String>>,
    /// The computers that play a seat; `None` where a person does.
    pub computers: BySide<Option<Computer>>,
    /// Whether the opponent's seat has been taken.
    pub opponent_present: bool,
    /// The awaited turn in words; with an unwatched turn, that one.
    pub turn_name: String,
    /// Whether it waits for this seat: for its sheet, or to be watched.
    pub waits_for_me: bool,
    /// How it ended. As long as a turn is unwatched nothing is said of that.
    pub ended: Option<Ended>,
    /// Whether both sides sit at this device; the game has one line then.
    pub one_device: bool,
    /// Who sits at it; nobody while it changes hands.
    pub sitting: Option<Side>,
    /// The first resolved turn that this seat has not watched.
    pub unwatched: Option<u32>,
    /// When the awaited turn is due.
    pub due: Option<Timestamp>,
}

impl Play {
    /// A game as a seat sees it.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn view(&self, seat: &Seat) -> Result<SeatView, PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store.read(move |tx| Box::pin(async move { play.view_in(tx, &seat).await })).await
    }

    async fn view_in(&self, tx: &mut Reader, seat: &Seat) -> Result<SeatView, PlayError> {
        let (id, side) = (seat.game().as_str(), seat.side());
        let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
        let seats = tx.seats(id).await?;
        let row = |side: Side| seats.iter().find(|row| row.side == side.word()).ok_or(PlayError::NotFound);
        let (mine, theirs) = (row(side)?, row(side.other())?);
        let own = match tx.own_sheet(id, side.word()).await? {
            Some(sheet) => Some(sealed_sheet(&game.standing, side, &sheet)?),
            None => None,
        };
        let draft = tx.own_draft(id, side.word()).await?.filter(|draft| draft.turn == game.turn());
        let other = tx.seal(id, side.other().word()).await?;
        let present = theirs.taken_at.is_some();
        let unseats = game.opener == side && game.ended.is_none() && theirs.computer.is_none();
        let time = time_view(tx, &game, side, theirs, draft.as_ref(), self.clock.now()).await?;
        let organiser = organiser_view(tx, id, side, self.clock.now()).await?;
        let company = SeatCompany::read(tx, &game, side, (mine, theirs), self.clock.now()).await?;
        let (one_device, first) = (game.device.is_some(), game.first());
        let offers = standing_offers(&tx.offers(id).await?, &game)?;
        let continued_in = match &game.continued_in {
            Some(next) => {
                let seat = tx.seat(next.as_str(), side.word()).await?;
                Some(self.carried(next, side, seat.as_ref()))
            }
            None => None,
        };
        Ok(SeatView {
            offers,
            continued_in,
            side,
            setup: game.standing.setup(),
            names: BySide { red: row(Side::Red)?.name.clone(), blue: row(Side::Blue)?.name.clone() },
            computers: Computer::of_both(&seats)?,
            hints: may_ask(&game, theirs),
            own,
            other: other.map(|(hash, at)| Seal { hash, at: Timestamp(at) }),
            opponent_present: present,
            invitation: (game.ended.is_none() && !present && theirs.invitation_generation > 0)
                .then(|| self.key.derive(Purpose::Invitation, &game.id, side.other(), theirs.invitation_generation)),
            may_unseat: unseats && present && !one_device && game.standing.turn() == first && game.continues.is_none(),
            link: self.key.derive(Purpose::Link, &game.id, side, mine.link_generation),
            calendar: (game.ended.is_none() && !one_device && game.pace != Pace::Open)
                .then(|| self.calendar_of_seat(&game.id, side, mine.link_generation)),
            address: mine.confirmed_address.clone(),
            unconfirmed: mine.address.clone(),
            ended: game.ended,
            opened_at: game.opened_at,
            resolved: (first..game.standing.turn()).collect(),
            version: game.version,
            draft: draft.map(|draft| draft.body),
            one_device,
            pace: game.pace,
            due: game.due,
            time,
            missed: BySide { red: Missed::of(row(Side::Red)?), blue: Missed::of(row(Side::Blue)?) },
            stopped: BySide { red: Stopped::of(row(Side::Red)?), blue: Stopped::of(row(Side::Blue)?) },
            unwatched: unwatched(mine, first, game.standing.turn()),
            result_first: mine.result_first_at.is_some(),
            continues: game.continues,
            company,
            organiser,
            board: game.board,
            standing: game.standing,
            game: game.id,
        })
    }

    /// A resolved turn as a seat sees it. The report is made again from both sheets.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a turn that has not been resolved.
    pub async fn turn(&self, seat: &Seat, turn: u32) -> Result<TurnView, PlayError> {
        let seat = seat.clone();
        self.store.read(move |tx| Box::pin(async move { turn_in(tx, seat.game(), turn).await })).await
    }

    /// A public game as everybody may see it.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a private game too.
    pub async fn spectacle(&self, game: &GameId) -> Result<Spectacle, PlayError> {
        let game = game.clone();
        self.store.read(move |tx| Box::pin(async move { spectacle_in(tx, &game).await })).await
    }

    /// A resolved turn of a public game. The times at which its sheets were sealed are the players' own.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a private game, and for a turn that has not been resolved.
    pub async fn public_turn(&self, game: &GameId, turn: u32) -> Result<TurnView, PlayError> {
        let game = game.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    public(tx, &game).await?;
                    turn_in(tx, &game, turn).await
                })
            })
            .await
    }

    /// All resolved turns of a public game.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a private game.
    pub async fn public_turns(&self, game: &GameId) -> Result<Vec<TurnView>, PlayError> {
        let game = game.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let end = spectacle_in(tx, &game).await?.standing.turn();
                    let mut turns = Vec::new();
                    for turn in 0..end {
                        turns.push(turn_in(tx, &game, turn).await?);
                    }
                    Ok::<_, PlayError>(turns)
                })
            })
            .await
    }

    /// The games in which a session holds seats: those that wait for it first, in the order of their
    /// deadlines, then the one entered last first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn games_of(&self, session: &Secret) -> Result<Vec<GameLine>, PlayError> {
        let hash = session.hash();
        let mut lines: Vec<GameLine> = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let mut lines: Vec<GameLine> = Vec::new();
                    for held in tx.held_seats(&hash).await? {
                        let (Some(game), Some(side)) = (GameId::parse(&held.game_id), Side::from_word(&held.side))
                        else {
                            continue;
                        };
                        let device = shared_device(tx, &hash, game.as_str()).await?;
                        // The second seat of a shared device adds nothing to its line.
                        if device.is_none() || lines.iter().all(|line| line.game != game) {
                            lines.push(game_line(tx, &game, side, device).await?);
                        }
                    }
                    Ok::<_, PlayError>(lines)
                })
            })
            .await?;
        lines.sort_by_key(|line| {
            // What nobody has set a time for comes after what has one.
            let due = line.due.map_or(i64::MAX, |due| due.0);
            (line.ended.is_some(), !line.waits_for_me, if line.waits_for_me { due } else { i64::MAX })
        });
        Ok(lines)
    }
}

/// What a game has to do with other people, if it is public.
async fn public(tx: &mut Reader, game: &GameId) -> Result<CompanyRow, PlayError> {
    let company = tx.company(game.as_str()).await?;
    company.filter(|company| company.public_at.is_some()).ok_or(PlayError::NotFound)
}

async fn spectacle_in(tx: &mut Reader, id: &GameId) -> Result<Spectacle, PlayError> {
    let company = public(tx, id).await?;
    let game = Game::read(&tx.game(id.as_str()).await?.ok_or(PlayError::NotFound)?)?;
    let before = company.rematch_of.as_deref().and_then(GameId::parse);
    let rematch_of = match before {
        Some(before) if public(tx, &before).await.is_ok() => Some(before),
        _ => None,
    };
    let seats = tx.seats(id.as_str()).await?;
    let taken = |side: Side| seats.iter().any(|row| row.side == side.word() && row.taken_at.is_some());
    Ok(Spectacle {
        free: BySide::from_fn(|side| !taken(side)),
        resolved: (game.first()..game.standing.turn()).collect(),
        setup: game.standing.setup(),
        pace: game.pace,
        terms: game.terms,
        names: names_of(&seats),
        computers: Computer::of_both(&seats)?,
        seated: company.seated_at.is_some(),
        due: game.due,
        ended: game.ended,
        opened_at: game.opened_at,
        rematch_of,
        board: game.board,
        standing: game.standing,
        game: game.id,
    })
}

/// Both players' names.
pub(in crate::play) fn names_of(seats: &[SeatRow]) -> BySide<Option<String>> {
    BySide::from_fn(|side: Side| seats.iter().find(|row| row.side == side.word()).and_then(|row| row.name.clone()))
}

/// A resolved turn, within a transaction.
pub(in crate::play) async fn turn_in(tx: &mut Reader, game: &GameId, turn: u32) -> Result<TurnView, PlayError> {
    let id = game.as_str();
    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
    let setup = game.standing.setup();
    let row = tx.turn(id, i64::from(turn)).await?.ok_or(PlayError::NotFound)?;
    let before = before(tx, &game, turn).await?;
    let sheets = BySide {
        red: read_sheet(&before, Side::Red, &row.red.body)?,
        blue: read_sheet(&before, Side::Blue, &row.blue.body)?,
    };
    let (_, report) = before.resolve(sheets.as_ref());
    if hash_of(&report)? != row.report_hash {
        return Err(PlayError::Broken(format!("turn {turn} no longer gives the report that was kept")));
    }
    let chain = chain_of_row(tx, &game, &row).await?;
    let how = |sheet: &TurnSheet| How::from_word(&sheet.how).ok_or_else(|| PlayError::Broken("how".into()));
    let open = |sheet: TurnSheet, side: Side| SealedSheet {
        measure: before.check(side, sheets.get(side)).measure,
        text: sheet.body,
        seal: Seal { hash: sheet.seal, at: Timestamp(sheet.sealed_at) },
        salt: sheet.salt,
    };
    Ok(TurnView {
        turn,
        name: setup.turn_name(turn),
        story: report.story(&setup),
        report,
        how: BySide { red: how(&row.red)?, blue: how(&row.blue)? },
        sheets: BySide { red: open(row.red, Side::Red), blue: open(row.blue, Side::Blue) },
        chain,
        resolved_at: Timestamp(row.resolved_at),
    })
}

/// A line of a list, within a transaction.
pub(in crate::play) async fn game_line(
    tx: &mut Reader,
    id: &GameId,
    side: Side,
    device: Option<Device>,
) -> Result<GameLine, PlayError> {
    let game = Game::read(&tx.game(id.as_str()).await?.ok_or(PlayError::NotFound)?)?;
    let seats = tx.seats(id.as_str()).await?;
    let name = |side: Side| seats.iter().find(|row| row.side == side.word()).and_then(|row| row.name.clone());
    let mine = seats.iter().find(|row| row.side == side.word());
    let unwatched = mine.and_then(|row| unwatched(row, game.first(), game.standing.turn()));
    let owed = game.ended.is_none() && *game.standing.awaits().get(side);
    let sealed = owed && tx.seal(id.as_str(), side.word()).await?.is_some();
    Ok(GameLine {
        game: game.id,
        side,
        game_name: game.standing.setup().game_name(),
        names: BySide { red: name(Side::Red), blue: name(Side::Blue) },
        computers: Computer::of_both(&seats)?,
        opponent_present: seats.iter().any(|row| row.side == side.other().word() && row.taken_at.is_some()),
        // One of the two at a shared device has always something to write.
        waits_for_me: (owed && (!sealed || device.is_some())) || unwatched.is_some(),
        one_device: device.is_some(),
        sitting: device.and_then(|device| device.sitting),
        turn_name: game.standing.setup().turn_name(unwatched.unwrap_or(game.standing.turn())),
        ended: game.ended.filter(|_| unwatched.is_none()),
        due: game.due.filter(|_| unwatched.is_none()),
        unwatched,
    })
}
