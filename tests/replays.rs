//! Whole games, kept as records in `tests/cases/replays`: every build plays them again. A change of the rules that gives
//! any day of them another result fails here.
//!
//! `FIELDCOMMAND_REPLAYS=write` makes those that are not there yet; what is there is never written again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fieldcommand::pace::Pace;
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::draft::ToDraft;
use fieldcommand::play::open::{AdoptedPosition, NewGame};
use fieldcommand::play::terms::MissingDeployment;
use fieldcommand::record::{self, Record};
use fieldcommand::rules::field_command::{Position, Unit, maps};
use fieldcommand::rules::{Setup, Side, Standing, field_command};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::world::{Player, Table, World, deployment, new_game};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/replays")
}

fn files() -> Vec<PathBuf> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    files
}

#[test]
fn every_kept_game_is_played_again() {
    let (mut causes, schema) = (BTreeMap::<String, usize>::new(), crate::records::schema());
    let (mut games, mut days, mut boards, mut not_sealed) = (0, 0, std::collections::BTreeSet::new(), 0);
    for file in files() {
        let name = file.display().to_string();
        let json = fs::read(&file).unwrap();
        assert!(schema.is_valid(&serde_json::from_slice(&json).unwrap()), "{name} does not follow the schema");
        let record = Record::read(&json).unwrap_or_else(|error| panic!("{name}: {error}"));
        let replayed = record::replay(&record).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(replayed.wrong.is_empty(), "{name}: {:#?}", replayed.lines());
        let ending = record
            .ending
            .map_or_else(|| "running".to_owned(), |ending| format!("{}, {:?}", ending.cause, ending.outcome));
        *causes.entry(ending).or_default() += 1;
        boards.insert(replayed.setup.board_name());
        not_sealed += replayed.not_committed.len();
        games += 1;
        days += replayed.turns.len();
    }
    assert!(games >= 36 && days >= 469, "{games} games with {days} turns");
    assert!(boards.len() == 2 && not_sealed >= 117 && causes.len() >= 13, "{boards:?}, {not_sealed}, {causes:?}");
}

/// How a game is to be played.
struct Plan {
    name: &'static str,
    ridge: bool,
    /// The ready-made deployments, or the position on the table.
    start: Start,
    limit: u32,
    pace: Pace,
    /// How the players go about it: the share of orders that go straight for the General, in hundredths.
    boldness: [u32; 2],
    /// The most days that are played.
    days: u32,
    end: End,
}

#[derive(Clone, Copy)]
enum Start {
    Deployed(&'static str, &'static str),
    Paper(u32, &'static str, &'static str),
}

#[derive(Clone, Copy)]
enum End {
    /// As it comes.
    Board,
    Resigns(Side),
    Draw,
    Continued,
    /// Blue stays away, and Red claims the win, or does not.
    Claimed,
    Granted,
    /// Both stay away.
    Abandoned,
    /// It lies still for two months.
    Unfinished,
}

fn plan(name: &'static str, start: Start) -> Plan {
    Plan { name, ridge: false, start, limit: 12, pace: Pace::Open, boldness: [70, 40], days: 40, end: End::Board }
}

fn plans() -> Vec<Plan> {
    use Start::{Deployed, Paper};
    let span = || Pace::Span { hours: 24, first_hours: 48 };
    let mut plans = Vec::new();
    let names = ["balanced", "hook", "fortress"];
    for (number, name) in
        ["siege", "storm", "march", "raid", "feint", "wedge", "flank", "ambush", "screen"].into_iter().enumerate()
    {
        let start = Deployed(names[number % 3], names[number / 3]);
        plans.push(Plan {
            ridge: number % 2 == 1,
            boldness: [80, 20 + 10 * u32::try_from(number).unwrap()],
            ..plan(name, start)
        });
    }
    for (number, name) in ["hesitant", "drifting", "half-asleep", "away", "absent", "silent"].into_iter().enumerate() {
        let start = Deployed(names[(number + 1) % 3], names[number % 3]);
        plans.push(Plan { ridge: number % 2 == 0, pace: span(), days: 25, boldness: [60, 60], ..plan(name, start) });
    }
    for (name, side) in [("red-resigns", Side::Red), ("blue-resigns", Side::Blue)] {
        plans.push(Plan { days: 6, end: End::Resigns(side), ..plan(name, Deployed("hook", "balanced")) });
    }
    plans.push(Plan { days: 0, end: End::Resigns(Side::Blue), ..plan("resigned-at-once", Deployed("hook", "hook")) });
    for (name, days) in [("peace-early", 2), ("peace-late", 15)] {
        plans.push(Plan {
            days,
            ridge: true,
            boldness: [20, 20],
            end: End::Draw,
            ..plan(name, Deployed("fortress", "fortress"))
        });
    }
    for (name, days) in [("taken-back-2", 3), ("taken-back-8", 9)] {
        plans.push(Plan { days, end: End::Continued, ..plan(name, Deployed("balanced", "fortress")) });
    }
    for (name, limit) in [("stand-off-3", 3), ("stand-off-8", 8)] {
        plans.push(Plan { limit, boldness: [0, 0], days: 30, ..plan(name, Deployed("fortress", "fortress")) });
    }
    plans.push(Plan { days: 4, ..plan("running", Deployed("hook", "fortress")) });
    plans.push(Plan { pace: span(), days: 0, ..plan("void", Deployed("", "")) });
    plans.push(Plan { pace: span(), days: 8, ..plan("ready-made", Deployed("hook", "")) });
    for (name, days, end) in
        [("claimed", 3, End::Claimed), ("granted", 2, End::Granted), ("abandoned", 5, End::Abandoned)]
    {
        plans.push(Plan { pace: span(), days, end, ridge: true, ..plan(name, Deployed("balanced", "hook")) });
    }
    plans.push(Plan { days: 3, end: End::Unfinished, ..plan("unfinished", Deployed("hook", "balanced")) });
    let paper = |turn, red, blue| Paper(turn, red, blue);
    plans.push(Plan { boldness: [100, 100], ..plan("paper-lone-generals", paper(30, "GN K1\nI2 F5", "GN A1\nI2 E5")) });
    plans.push(Plan { boldness: [100, 100], ..plan("paper-both-generals", paper(12, "GN K1\nC1 B2", "GN A1\nC1 J2")) });
    plans.push(Plan {
        boldness: [100, 0],
        ..plan("paper-endgame", paper(21, "GN K6\nC2 F6 F7\nAR G6", "GN A6\nI1 E6\nGU D4"))
    });
    plans.push(Plan {
        ridge: true,
        boldness: [50, 100],
        ..plan("paper-ridge", paper(9, "GN K6\nI1 H6\nGU H7 H8", "GN A6\nC1 D6\nC3 D7 D8\nAR C6"))
    });
    plans.push(Plan { limit: 5, boldness: [0, 0], ..plan("paper-quiet", paper(3, "GN K6\nAR K5", "GN A6\nAR A5")) });
    plans
}

#[tokio::test]
async fn games_that_are_missing_are_made() {
    let asked = std::env::var("FIELDCOMMAND_REPLAYS").is_ok_and(|word| word == "write");
    for (number, plan) in plans().into_iter().enumerate() {
        let file = folder().join(format!("{}.json", plan.name));
        if file.exists() {
            continue;
        }
        assert!(asked, "{} is missing; FIELDCOMMAND_REPLAYS=write makes it", file.display());
        let world = World::sqlite_seeded(1991 + u64::try_from(number).unwrap()).await;
        let record = play(&world, &plan, &mut StdRng::seed_from_u64(7 + u64::try_from(number).unwrap())).await;
        fs::write(&file, record.json().unwrap()).unwrap();
        world.end().await;
    }
}

/// Plays a game as it is planned and gives its record.
async fn play(world: &World, plan: &Plan, rng: &mut StdRng) -> Record {
    let table = seated(world, plan).await;
    if let Start::Deployed(red, blue) = plan.start {
        if red.is_empty() {
            world.wait(50 * 60 * 60);
            table.play.resolve_due().await.unwrap();
            return table.play.record(&table.red.seat).await.unwrap();
        }
        table.red.submits(&deployment(Side::Red, red)).await.unwrap();
        if blue.is_empty() {
            world.wait(50 * 60 * 60);
            table.play.resolve_due().await.unwrap();
        } else {
            world.wait(rng.random_range(60..50_000));
            table.blue.submits(&deployment(Side::Blue, blue)).await.unwrap();
        }
    }
    for _ in 0..plan.days {
        let view = table.red.sees().await;
        if view.ended.is_some() {
            break;
        }
        for player in [&table.red, &table.blue] {
            let bold = plan.boldness[usize::from(player.seat.side() == Side::Blue)];
            let orders = orders(&view.standing, player.seat.side(), bold, rng);
            world.wait(rng.random_range(60..30_000));
            writes(player, view.standing.turn(), &orders, plan, rng).await;
        }
        if plan.pace != Pace::Open && table.red.sees().await.standing.turn() == view.standing.turn() {
            world.wait(25 * 60 * 60);
            table.play.resolve_due().await.unwrap();
        }
    }
    end(world, &table, plan).await;
    table.play.record(&table.red.seat).await.unwrap()
}

/// Seals mostly; where turns are due, sometimes only a draft is left, or nothing.
async fn writes(player: &Player, turn: u32, orders: &str, plan: &Plan, rng: &mut StdRng) {
    match rng.random_range(0..6) {
        0 if plan.pace != Pace::Open => {}
        1 if plan.pace != Pace::Open => {
            let use_when_due = Some(rng.random_range(0..3) > 0);
            let draft = ToDraft { turn, text: orders.into(), held: String::new(), act: None, base: None, use_when_due };
            player.play.draft(&player.seat, draft).await.unwrap();
        }
        _ => {
            player.submits_for(turn, orders).await.unwrap();
        }
    }
}

/// One turn after the other falls due, with Red's sheet or with none, until the game is over, or Red can claim it.
async fn stays_away(world: &World, table: &Table, end: End) {
    for _ in 0..20 {
        let view = table.red.sees().await;
        if view.ended.is_some() {
            return;
        }
        if matches!(end, End::Claimed) && view.time.claim.is_some() {
            return table.play.claim(&table.red.seat).await.unwrap();
        }
        if !matches!(end, End::Abandoned) {
            table.red.submits("").await.unwrap();
        }
        world.wait(25 * 60 * 60);
        table.play.resolve_due().await.unwrap();
    }
}

async fn end(world: &World, table: &Table, plan: &Plan) {
    let view = table.red.sees().await;
    if view.ended.is_some() {
        return;
    }
    let agree = |kind, act, from_turn| ToAgree { kind, turn: view.standing.turn(), act, from_turn };
    let (kind, from_turn) = match plan.end {
        End::Board => return,
        End::Resigns(side) => {
            let player = if side == Side::Red { &table.red } else { &table.blue };
            return table.play.resign(&player.seat).await.unwrap();
        }
        End::Claimed | End::Granted | End::Abandoned => return stays_away(world, table, plan.end).await,
        End::Unfinished => {
            world.wait(61 * 24 * 60 * 60);
            return table.play.close_unfinished(&table.red.seat).await.unwrap();
        }
        End::Draw => (OfferKind::Draw, None),
        End::Continued => (OfferKind::Continue, Some(plan.days - 1)),
    };
    table.play.agree(&table.blue.seat, agree(kind, OfferAct::Offer, from_turn)).await.unwrap();
    table.play.agree(&table.red.seat, agree(kind, OfferAct::Accept, None)).await.unwrap();
}

async fn seated(world: &World, plan: &Plan) -> Table {
    let board = Arc::clone(if plan.ridge { maps::ridge() } else { maps::classic() });
    let setup = Setup::FieldCommand(field_command::Setup { board, no_removal_limit: plan.limit, day_limit: 0 });
    let mut new = NewGame { setup, pace: plan.pace.clone(), ..new_game(plan.limit, "") };
    if matches!(plan.start, Start::Deployed(red, "") if !red.is_empty()) {
        new.terms.missing_deployment = MissingDeployment::ReadyMade;
    }
    let opened = match plan.start {
        Start::Deployed(..) => world.play.open(new).await.unwrap(),
        Start::Paper(turn, red, blue) => {
            let position = AdoptedPosition { turn, red: red.into(), blue: blue.into() };
            world.play.adopt(new, &position).await.unwrap()
        }
    };
    let taken = world.play.take_seat(&opened.invitation, "Ben").await.unwrap();
    let seat = |link| world.play.seat_of_link(link);
    let (red, blue) = (seat(&opened.link).await.unwrap(), seat(&taken.link).await.unwrap());
    Table { play: world.play.clone(), red: Player::new(&world.play, red), blue: Player::new(&world.play, blue) }
}

/// Up to twelve orders, about one in fifteen of them wrong: bold ones bring a unit nearer to the other General.
fn orders(standing: &Standing, side: Side, bold: u32, rng: &mut StdRng) -> String {
    let Standing::FieldCommand(standing) = standing;
    let (own, other) = (standing.armies().get(side), standing.armies().get(side.other()));
    let mut units: Vec<(Position, Unit)> = own.units().collect();
    let general = other.positions_of(Unit::General).iter().next().unwrap();
    let mut orders = Vec::new();
    for _ in 0..rng.random_range(1..=12) {
        if units.is_empty() {
            break;
        }
        let (from, unit) = units.swap_remove(rng.random_range(0..units.len()));
        let is_bold = rng.random_range(0..100) < bold && unit != Unit::General;
        let reach = unit.allowance() + u8::from(rng.random_range(0..15) == 0);
        let all = Position::all().filter(|&to| to != from && from.distance(to) <= reach && own.at(to).is_none());
        let mut goals: Vec<Position> = all.collect();
        if is_bold {
            let least = goals.iter().map(|goal| goal.distance(general)).min();
            goals.retain(|goal| Some(goal.distance(general)) == least);
        } else {
            goals.retain(|&goal| other.at(goal).is_none());
        }
        if !goals.is_empty() {
            orders.push(format!("{from}-{}", goals[rng.random_range(0..goals.len())]));
        }
    }
    orders.join(" ")
}
