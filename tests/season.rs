//! A season: games of all paces over most of a year, with players of all habits, both zones' changes of the clocks,
//! restarts and outages. The clock is the test's, and so is the count of when each turn must be resolved, with
//! what, and which letters must leave; at the end nothing may differ.
//!
//! `FIELDCOMMAND_SEASONS` sets how many seasons, `FIELDCOMMAND_SEASON_GAMES` of how many games each, `FIELDCOMMAND_SEED` how the
//! first is shuffled.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use fieldcommand::clock::{Chance, Clock, Timestamp};
use fieldcommand::pace::Pace;
use fieldcommand::play::draft::ToDraft;
use fieldcommand::play::resolve::How;
use fieldcommand::play::seal::ToSeal;
use fieldcommand::play::{Play, Seat, ServerKey};
use fieldcommand::rules::{BySide, Outcome, Side};
use fieldcommand::store::Store;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::reference::calendar::{BERLIN, DAY, HOUR, NEW_YEAR, NEW_YORK, Zone};
use crate::world::{World, deployment, mailbox, new_game, number};

/// How many games are played at least: so many that each pace is there at both changes of the clocks, and each pair of habits.
const GAMES: u64 = 16;
/// The days without a removal after which a game is a draw: nobody meets anybody in these games.
const DAYS: u32 = 7;

/// What a player does in each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// Seals within the first third.
    Prompt,
    /// Seals a second before the deadline, or late where there is none.
    LastSecond,
    /// Saves a draft and never seals.
    Drafts,
    /// Deploys, and then does nothing.
    Sleeps,
    /// Never even deploys.
    Absent,
    /// Resigns on day 2.
    Resigns,
    /// Seals, and claims the win as soon as the opponent has missed three turns running.
    Claims,
    /// Is away for five days from day 1 on, and seals at the last second otherwise.
    Away,
}

/// How fast a game goes, with a count of its own.
#[derive(Clone, Copy, Debug)]
enum Rhythm {
    Open,
    Span(i64, i64),
    Fixed(Zone, i64, &'static [i8], i64),
}

const RHYTHMS: [Rhythm; 8] = [
    Rhythm::Span(72, 24),
    Rhythm::Span(1, 1),
    Rhythm::Span(24, 48),
    Rhythm::Span(30 * 24, 72),
    Rhythm::Fixed(BERLIN, 20 * 60, &[1, 3, 5], 12),
    Rhythm::Fixed(BERLIN, 150, &[1, 2, 3, 4, 5, 6, 7], 12),
    Rhythm::Fixed(NEW_YORK, 150, &[1, 2, 3, 4, 5, 6, 7], 36),
    Rhythm::Open,
];

/// Pairs of habits; only the first five can be in a game without deadlines, which would stand still with the others.
const PAIRS: [(Habit, Habit); 16] = [
    (Habit::Prompt, Habit::Prompt),
    (Habit::LastSecond, Habit::Prompt),
    (Habit::LastSecond, Habit::LastSecond),
    (Habit::Prompt, Habit::Resigns),
    (Habit::Resigns, Habit::LastSecond),
    (Habit::Drafts, Habit::Prompt),
    (Habit::Drafts, Habit::Drafts),
    (Habit::Prompt, Habit::Sleeps),
    (Habit::Sleeps, Habit::LastSecond),
    (Habit::Sleeps, Habit::Drafts),
    (Habit::Sleeps, Habit::Sleeps),
    (Habit::Claims, Habit::Sleeps),
    (Habit::Away, Habit::LastSecond),
    (Habit::Sleeps, Habit::Away),
    (Habit::Absent, Habit::Prompt),
    (Habit::Drafts, Habit::Absent),
];

impl Rhythm {
    fn pace(self) -> Pace {
        match self {
            Rhythm::Open => Pace::Open,
            Rhythm::Span(hours, first) => {
                Pace::Span { hours: u32::try_from(hours).unwrap(), first_hours: u32::try_from(first).unwrap() }
            }
            Rhythm::Fixed(zone, minutes, days, rest) => Pace::Fixed {
                zone: zone.name.into(),
                at: format!("{:02}:{:02}", minutes / 60, minutes % 60),
                days: days.to_vec(),
                rest_hours: u32::try_from(rest).unwrap(),
            },
        }
    }

    fn due(self, first: bool, from: Timestamp) -> Option<Timestamp> {
        match self {
            Rhythm::Open => None,
            Rhythm::Span(hours, first_hours) => {
                Some(Timestamp(from.0 + if first { first_hours } else { hours } * HOUR))
            }
            Rhythm::Fixed(zone, minutes, days, rest) => Some(zone.next(minutes, days, rest, from)),
        }
    }
}

/// What happens at a moment; of several at one moment the order is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Act {
        game: usize,
        red: bool,
        turn: u32,
    },
    /// A turn must be resolved now, and not before.
    Due {
        game: usize,
        turn: u32,
    },
    /// Who has not sealed is to be reminded of this deadline.
    Remind {
        game: usize,
        turn: u32,
        due: i64,
        number: usize,
    },
    Begin {
        game: usize,
    },
    Restart,
    Outage {
        length: i64,
    },
}

/// A game, and what must become of it.
struct Match {
    rhythm: Rhythm,
    habits: BySide<Habit>,
    seats: BySide<Seat>,
    /// When the awaited turn must be due.
    due: Option<Timestamp>,
    /// The awaited turn.
    turn: u32,
    /// Whether a side has sealed the awaited turn.
    sealed: BySide<bool>,
    /// Each resolved turn: when, and how its sheets came about.
    resolved: Vec<(Timestamp, BySide<How>)>,
    /// Whether its absent player has said that he is away.
    away: bool,
    /// Whether it ended otherwise than with a turn, which has a letter of its own.
    end_letter: bool,
    /// How it ended, and when.
    ended: Option<(Option<Outcome>, Timestamp)>,
}

struct Season {
    world: World,
    play: Play,
    clock: Clock,
    restarts: u64,
    games: Vec<Option<Match>>,
    events: BinaryHeap<Reverse<(i64, Event)>>,
    rng: StdRng,
    /// The letters that must have been queued, but for reports and ends: game, side, turn, kind, and which of the kind.
    letters: BTreeSet<(usize, &'static str, u32, &'static str, i64)>,
}

impl Season {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn at(&mut self, at: i64, event: Event) {
        self.events.push(Reverse((at, event)));
    }

    fn set(&self, at: i64) {
        if let Clock::Fixed(now) = &self.clock {
            now.store(at, std::sync::atomic::Ordering::SeqCst);
        }
    }

    /// Opens a game and lets both sit down; the time runs from here.
    async fn begin(&mut self, game: usize) {
        let rhythm = RHYTHMS[game % RHYTHMS.len()];
        let pairs = if matches!(rhythm, Rhythm::Open) { 5 } else { PAIRS.len() };
        let (red, blue) = PAIRS[(game * 5) % pairs];
        let mut new = new_game(DAYS, &format!("red{game}@example.org"));
        new.pace = rhythm.pace();
        let opened = self.play.open(new).await.unwrap();
        let taken = self.play.take_seat(&opened.invitation, "Ben").await.unwrap();
        let seats = BySide {
            red: self.play.seat_of_link(&opened.link).await.unwrap(),
            blue: self.play.seat_of_link(&taken.link).await.unwrap(),
        };
        self.play.set_address(&seats.blue, &format!("blue{game}@example.org")).await.unwrap();
        mailbox::confirm_all(&self.play, self.world.path()).await;
        self.games[game] = Some(Match {
            rhythm,
            habits: BySide { red, blue },
            seats,
            due: None,
            turn: 0,
            sealed: BySide { red: false, blue: false },
            resolved: Vec::new(),
            away: false,
            end_letter: false,
            ended: None,
        });
        self.opens(game);
        self.announced(game).await;
    }

    /// A turn is open from now: its deadline is counted, and what the players will do.
    fn opens(&mut self, game: usize) {
        let now = self.now();
        let of = self.games[game].as_mut().unwrap();
        let (turn, due) = (of.turn, of.rhythm.due(of.turn == 0, now));
        of.due = due;
        of.sealed = BySide { red: false, blue: false };
        if let Some(due) = due {
            self.announce(game, turn, due);
        }
        let span = due.map_or(3 * DAY, |due| due.0 - now.0);
        for side in Side::BOTH {
            let habit = *self.games[game].as_ref().unwrap().habits.get(side);
            let after = match habit {
                Habit::LastSecond => span - 1000,
                Habit::Away if turn != 1 => span - 1000,
                _ => self.rng.random_range(1..=span / 3),
            };
            self.at(now.0 + after, Event::Act { game, red: side == Side::Red, turn });
        }
    }

    /// What both pages announce is what was counted.
    async fn announced(&self, game: usize) {
        let of = self.games[game].as_ref().unwrap();
        for side in Side::BOTH {
            let view = self.play.view(of.seats.get(side)).await.unwrap();
            assert_eq!(
                view.due,
                of.due.filter(|_| of.ended.is_none()),
                "game {game}, {:?}, turn {}",
                of.rhythm,
                of.turn
            );
        }
    }

    /// A deadline is announced now.
    fn announce(&mut self, game: usize, turn: u32, due: Timestamp) {
        self.at(due.0, Event::Due { game, turn });
        for (hours, number) in [(24, 1), (3, 2)] {
            let at = due.0 - hours * HOUR;
            if at > self.now().0 {
                self.at(at, Event::Remind { game, turn, due: due.0, number });
            }
        }
    }

    /// A reminder is due; it goes to who has not sealed, unless the turn is over or due at another time by now.
    fn reminded(&mut self, game: usize, turn: u32, due: i64, number: usize) {
        let of = self.games[game].as_ref().unwrap();
        if of.ended.is_some() || of.turn != turn || of.due != Some(Timestamp(due)) {
            return;
        }
        for side in Side::BOTH {
            if !of.sealed.get(side) {
                // Each deadline of a turn has its own.
                let once = due * 4 + i64::try_from(number).unwrap();
                self.letters.insert((game, side.word(), turn, "reminder", once));
            }
        }
    }

    /// A player does what he is wont to, if the turn is still his to write.
    async fn acts(&mut self, game: usize, red: bool, turn: u32) {
        let side = if red { Side::Red } else { Side::Blue };
        let of = self.games[game].as_ref().unwrap();
        if of.ended.is_some() || of.turn != turn {
            return;
        }
        let (habit, seat) = (*of.habits.get(side), of.seats.get(side).clone());
        let text = if turn == 0 { deployment(side, "balanced") } else { String::new() };
        match habit {
            Habit::Absent => return,
            Habit::Sleeps if turn > 0 => return,
            Habit::Resigns if turn == 2 => {
                self.play.resign(&seat).await.unwrap();
                self.ends(game, Some(Outcome::win_of(side.other())));
                return;
            }
            Habit::Claims if self.misses(game, side.other()) >= 3 => {
                self.play.claim(&seat).await.unwrap();
                self.ends(game, Some(Outcome::win_of(side)));
                return;
            }
            Habit::Away if turn == 1 && !self.games[game].as_ref().unwrap().away => {
                let (from, until) = (self.now(), Timestamp(self.now().0 / 1000 * 1000 + 5 * DAY));
                self.play.announce_absence(&seat, from, until).await.unwrap();
                let of = self.games[game].as_mut().unwrap();
                of.away = true;
                // He seals a second before whatever the deadline is then.
                let due = of.due.map(|due| due.max(until)).unwrap();
                if of.due != Some(due) {
                    of.due = Some(due);
                    self.announce(game, turn, due);
                }
                self.at(due.0 - 1000, Event::Act { game, red, turn });
                self.announced(game).await;
                return;
            }
            Habit::Drafts => {
                let text = if turn == 0 { text } else { "HOLD".into() };
                let draft = ToDraft { turn, text, held: String::new(), act: None, base: None, use_when_due: None };
                self.play.draft(&seat, draft).await.unwrap();
                return;
            }
            _ => {}
        }
        let sheet = ToSeal { turn, text, empty_is_meant: true, may_resolve: true, is_final: false };
        let receipt = self.play.seal(&seat, sheet).await.unwrap();
        let of = self.games[game].as_mut().unwrap();
        *of.sealed.get_mut(side) = true;
        let both = of.sealed.red && of.sealed.blue;
        assert_eq!(receipt.resolved, both, "game {game}, turn {turn}: a turn is resolved by its second seal");
        if both {
            self.resolved(game);
        }
        self.announced(game).await;
    }

    /// How many turns a side has missed running.
    fn misses(&self, game: usize, side: Side) -> usize {
        let resolved = &self.games[game].as_ref().unwrap().resolved;
        resolved.iter().rev().take_while(|(_, how)| *how.get(side) == How::Missed).count()
    }

    /// A game ends now, otherwise than with a turn.
    fn ends(&mut self, game: usize, outcome: Option<Outcome>) {
        let now = self.now();
        let of = self.games[game].as_mut().unwrap();
        of.ended = Some((outcome, now));
        of.end_letter = true;
    }

    /// The awaited turn has been resolved now; what each side had is used.
    fn resolved(&mut self, game: usize) {
        let now = self.now();
        let of = self.games[game].as_mut().unwrap();
        let how = BySide::from_fn(|side| match (of.sealed.get(side), of.habits.get(side)) {
            (true, _) => How::Sealed,
            (false, Habit::Drafts) => How::Draft,
            (false, _) => How::Missed,
        });
        of.resolved.push((now, how));
        let turn = of.turn;
        of.turn += 1;
        let running = BySide::from_fn(|side| {
            of.resolved.iter().rev().take_while(|(_, how)| *how.get(side) == How::Missed).count()
        });
        let won = |side: Side| *running.get(side) == 0 && *running.get(side.other()) == 6;
        // Both absent, or a claim that nobody used for as many turns as opened it.
        let outcome = if of.turn > DAYS || running.red >= 3 && running.blue >= 3 {
            Some(Outcome::Draw)
        } else {
            Side::BOTH.into_iter().find(|&side| won(side)).map(Outcome::win_of)
        };
        of.ended = outcome.map(|outcome| (Some(outcome), now));
        if outcome.is_none() {
            for side in Side::BOTH.into_iter().filter(|&side| *running.get(side.other()) == 3) {
                self.letters.insert((game, side.word(), turn, "claim_open", 0));
            }
            self.opens(game);
        }
    }

    /// Turns are due: a moment before they stand, now they are resolved, once, or their games are void.
    async fn due(&mut self, first: (usize, u32)) {
        let (now, mut due) = (self.now(), vec![first]);
        while let Some(Reverse((at, Event::Due { game, turn }))) = self.events.peek().copied()
            && at <= now.0
        {
            self.events.pop();
            due.push((game, turn));
        }
        let is_due = |of: &Match, turn: u32| of.ended.is_none() && of.turn == turn && of.due == Some(now);
        due.retain(|&(game, turn)| is_due(self.games[game].as_ref().unwrap(), turn));
        self.set(now.0 - 1);
        assert_eq!(self.play.resolve_due().await.unwrap(), 0, "{due:?}: before their time");
        self.set(now.0);
        assert_eq!(self.play.resolve_due().await.unwrap(), due.len(), "{due:?} at {now}");
        assert_eq!(self.play.resolve_due().await.unwrap(), 0, "{due:?}: once");
        for (game, turn) in due {
            let of = self.games[game].as_ref().unwrap();
            if turn == 0 && (of.habits.red == Habit::Absent || of.habits.blue == Habit::Absent) {
                self.ends(game, None);
            } else {
                self.resolved(game);
            }
            self.announced(game).await;
        }
    }

    /// The process goes and another one comes, with the same database.
    async fn restart(&mut self) {
        self.play.beat().await.unwrap();
        self.world.store.close().await;
        let store = Store::open_sqlite(&self.world.path().join("fieldcommand.sqlite")).await.unwrap();
        self.restarts += 1;
        let chance = Chance::seeded(1000 + self.restarts);
        self.play = Play::new(store.clone(), self.clock.clone(), chance, ServerKey::new([7; 32]));
        self.world.store = store;
        self.play.wake().await.unwrap();
    }

    /// The server is down for a time: what falls due in it is put off, and who wanted to write does it afterwards.
    async fn outage(&mut self, length: i64) {
        self.play.beat().await.unwrap();
        let (from, to) = (self.now().0, self.now().0 + length);
        let events: Vec<_> = self.events.drain().map(|Reverse(event)| event).collect();
        for (at, event) in events {
            let at = match event {
                Event::Act { .. } | Event::Begin { .. } if at <= to => to + 1000,
                _ => at,
            };
            self.at(at, event);
        }
        let mut passed = BTreeMap::new();
        self.events.retain(|Reverse((at, event))| match *event {
            Event::Remind { game, turn, due, number } if *at <= to => {
                let last = passed.entry((game, turn, due)).or_insert(number);
                *last = number.max(*last);
                false
            }
            _ => true,
        });
        self.set(to);
        let put_off = length.max(HOUR);
        let mut moved = 0;
        for game in 0..self.games.len() {
            let Some(of) = self.games[game].as_mut().filter(|of| of.ended.is_none()) else { continue };
            let turn = of.turn;
            if let Some(due) = of.due.filter(|due| (from..=to).contains(&due.0)) {
                let due = Timestamp(due.0 + put_off);
                of.due = Some(due);
                moved += 1;
                self.announce(game, turn, due);
                for side in Side::BOTH {
                    self.letters.insert((game, side.word(), turn, "put_off", due.0));
                }
            }
        }
        // Of the reminders of an outage each player gets the last, if the deadline still stands.
        for ((game, turn, due), number) in passed {
            self.reminded(game, turn, due, number);
        }
        assert_eq!(self.play.wake().await.unwrap(), moved);
        self.restart().await;
        assert_eq!(self.play.resolve_due().await.unwrap(), 0);
        for game in (0..self.games.len()).filter(|&game| self.games[game].is_some()) {
            self.announced(game).await;
        }
    }

    async fn play_on(&mut self) {
        while let Some(Reverse((at, event))) = self.events.pop() {
            // What was put off to after an outage may lie behind.
            self.set(at.max(self.now().0));
            match event {
                Event::Begin { game } => self.begin(game).await,
                Event::Act { game, red, turn } => self.acts(game, red, turn).await,
                Event::Remind { game, turn, due, number } => {
                    assert_eq!(self.play.resolve_due().await.unwrap(), 0);
                    self.reminded(game, turn, due, number);
                }
                Event::Due { game, turn } => self.due((game, turn)).await,
                Event::Restart => self.restart().await,
                Event::Outage { length } => self.outage(length).await,
            }
        }
    }

    /// Every game must have become what was counted.
    async fn compare(&self) {
        for (number, of) in self.games.iter().enumerate() {
            let of = of.as_ref().unwrap();
            let said = format!("game {number}, {:?}, {:?}", of.rhythm, of.habits);
            let view = self.play.view(&of.seats.red).await.unwrap();
            let ended = view.ended.as_ref().map(|ended| (ended.outcome, ended.at));
            assert_eq!(ended, of.ended, "{said}: {:?}", view.ended);
            assert_eq!(view.resolved.len(), of.resolved.len(), "{said}");
            for (turn, expected) in (0..).zip(&of.resolved) {
                let turn = self.play.turn(&of.seats.blue, turn).await.unwrap();
                assert_eq!(&(turn.resolved_at, turn.how), expected, "{said}: turn {}", turn.turn);
            }
        }
    }

    /// Each report goes once to each seat, and so does the end of a game that did not end by a report.
    async fn compare_letters(&self) {
        mailbox::letters(&self.play, self.world.path()).await;
        let mut expected = BTreeMap::new();
        for &(game, side, turn, kind, _) in &self.letters {
            let id = self.games[game].as_ref().unwrap().seats.red.game().to_string();
            *expected.entry((id, side.to_owned(), turn as usize, kind.to_owned())).or_insert(0) += 1;
        }
        for of in self.games.iter().flatten() {
            for side in Side::BOTH {
                let game = of.seats.red.game().to_string();
                // What is awaited is told by a letter of its own where no report does: when the game begins.
                expected.insert((game.clone(), side.word().to_owned(), 0, "open".to_owned()), 1);
                for turn in 0..of.resolved.len() {
                    expected.insert((game.clone(), side.word().to_owned(), turn, "report".to_owned()), 1);
                }
                if of.end_letter {
                    expected.insert((game, side.word().to_owned(), of.resolved.len(), "end".to_owned()), 1);
                }
            }
        }
        assert_eq!(self.sent().await, expected);
        assert_eq!(self.play.letters_waiting().await, Ok((0, None)));
    }

    /// How often letters of each kind about each turn were queued for each seat. What was out of date when it was to leave, as
    /// a reminder of a turn that is over, was given up; reports and ends were not.
    async fn sent(&self) -> BTreeMap<(String, String, usize, String), i64> {
        let address = format!("sqlite://{}", self.world.path().join("fieldcommand.sqlite").display());
        let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
        let rows: Vec<(String, String, i64, String, i64)> = sqlx::query_as(
            "select game_id, side, turn, kind, count(*) from outbox where game_id is not null and (sent_at is not null or kind not in ('report', 'end')) \
             group by game_id, side, turn, kind",
        )
        .fetch_all(&mut conn)
        .await
        .unwrap();
        rows.into_iter()
            .map(|(game, side, turn, kind, count)| ((game, side, usize::try_from(turn).unwrap(), kind), count))
            .collect()
    }
}

#[tokio::test]
async fn a_season_ends_as_the_settings_say() {
    let seed = number("FIELDCOMMAND_SEED", 1991);
    for season in 0..number("FIELDCOMMAND_SEASONS", 1) {
        println!("seed {}", seed.wrapping_add(season));
        a_season(seed.wrapping_add(season)).await;
    }
}

async fn a_season(seed: u64) {
    let world = World::sqlite().await;
    let (play, clock) = (world.play.clone(), world.play.clock().clone());
    let rng = StdRng::seed_from_u64(seed);
    let number_of_games = usize::try_from(number("FIELDCOMMAND_SEASON_GAMES", GAMES)).unwrap();
    let games = (0..number_of_games).map(|_| None).collect();
    let (events, letters) = (BinaryHeap::new(), BTreeSet::new());
    let mut season = Season { world, play, clock, restarts: 0, games, events, rng, letters };
    season.play.wake().await.unwrap();
    // Half of the games are running when the clocks go forward, the others when they go back.
    for game in 0..number_of_games {
        let forward = (game / RHYTHMS.len()).is_multiple_of(2);
        let begin = match RHYTHMS[game % RHYTHMS.len()] {
            Rhythm::Fixed(zone, ..) => {
                let change = if forward { zone.summer.0 } else { zone.summer.1 };
                change - season.rng.random_range(2 * DAY..4 * DAY)
            }
            _ => NEW_YEAR + if forward { 60 } else { 290 } * DAY + season.rng.random_range(0..12 * DAY),
        };
        season.at(begin, Event::Begin { game });
    }
    for day in (60..320).step_by(9) {
        season.at(NEW_YEAR + day * DAY + 7 * HOUR, Event::Restart);
    }
    for (day, length) in
        [(63, 60_000), (68, 30 * 60_000), (71, 3 * DAY), (87, 2 * HOUR), (292, HOUR), (298, DAY), (308, 3 * DAY)]
    {
        season.at(NEW_YEAR + day * DAY + 18 * HOUR + 30 * 60_000, Event::Outage { length });
    }
    season.play_on().await;
    season.compare().await;
    season.compare_letters().await;
    season.world.end().await;
}
