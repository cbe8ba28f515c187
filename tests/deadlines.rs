//! The clock: what is used when a turn is due, outages, and the last second; on both databases.

use std::time::Duration;

use fieldcommand::clock::Chance;
use fieldcommand::pace::Pace;
use fieldcommand::play::deadline::{Missed, Swept};
use fieldcommand::play::draft::ToDraft;
use fieldcommand::play::resolve::How;
use fieldcommand::play::seal::ToSeal;
use fieldcommand::play::{Play, PlayError, ServerKey};
use fieldcommand::rules::Side;
use fieldcommand::runner::deadlines;
use tokio_util::sync::CancellationToken;

use crate::world::{Player, Table, World, deployment, number};

const HOUR: i64 = 60 * 60;
/// Three days a turn, one for the deployment.
const PACE: Pace = Pace::Span { hours: 72, first_hours: 24 };

async fn drafts(player: &Player, turn: u32, text: &str) {
    let draft = ToDraft { turn, text: text.into(), held: String::new(), act: None, base: None, use_when_due: None };
    player.play.draft(&player.seat, draft).await.unwrap();
}

async fn how(table: &Table, turn: u32) -> (How, How) {
    let turn = table.play.turn(&table.red.seat, turn).await.unwrap();
    (turn.how.red, turn.how.blue)
}

async fn missed(table: &Table) -> (Missed, Missed) {
    let view = table.red.sees().await;
    (view.missed.red, view.missed.blue)
}

#[tokio::test]
async fn what_is_there_when_a_turn_is_due_is_used() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        let opened = table.red.sees().await;
        assert_eq!(opened.due.unwrap().0 - opened.opened_at.0, 24 * HOUR * 1000, "it runs from when both are there");

        // Red's whole draft is as good as a deployment; a moment before nothing happens.
        drafts(&table.red, 0, &deployment(Side::Red, "balanced")).await;
        table.blue.deploys("hook").await.unwrap();
        world.wait(24 * HOUR - 1);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0);
        world.wait(1);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0, "once");
        assert_eq!(how(&table, 0).await, (How::Draft, How::Sealed));
        let view = table.red.sees().await;
        assert_eq!((view.standing.turn(), view.draft), (1, None));
        assert_eq!(view.due.unwrap().0 - opened.due.unwrap().0, 72 * HOUR * 1000);

        // Day 1: a draft, and nothing at all. Day 2: a draft that cannot be read is nothing; Blue seals and is no longer running late.
        drafts(&table.red, 1, "G8-F8").await;
        world.wait(72 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(how(&table, 1).await, (How::Draft, How::Missed));
        assert_eq!(missed(&table).await, (Missed::default(), Missed { all: 1, running: 1 }));
        let turn = table.play.turn(&table.red.seat, 1).await.unwrap();
        assert_eq!((&*turn.sheets.red.text, &*turn.sheets.blue.text), ("G8-F8", ""));
        drafts(&table.red, 2, "G8-F8\nnonsense").await;
        table.blue.submits_for(2, "E4-E5").await.unwrap();
        world.wait(73 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(how(&table, 2).await, (How::Missed, How::Sealed));
        assert_eq!(missed(&table).await, (Missed { all: 1, running: 1 }, Missed { all: 1, running: 0 }));

        // A draft that says HOLD is no missed turn.
        drafts(&table.red, 3, "HOLD").await;
        table.blue.submits_for(3, "E5-E4").await.unwrap();
        world.wait(72 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(how(&table, 3).await, (How::Draft, How::Sealed));
        assert_eq!(missed(&table).await.0, Missed { all: 1, running: 0 });

        // A day on which both seal is resolved at once, and the next one has its whole time.
        table.day("F8-E8", "").await;
        let view = table.red.sees().await;
        assert_eq!(view.due.unwrap().0, world.now().0 + 72 * HOUR * 1000);
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_without_its_deployments_is_void() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.blue.deploys("hook").await.unwrap();
        drafts(&table.red, 0, "GN K11").await;
        world.wait(24 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        let view = table.blue.sees().await;
        let ended = view.ended.unwrap();
        assert_eq!((ended.outcome, &*ended.how), (None, "A deployment was not in when it was due: the game is void."));
        assert_eq!((view.own, view.due), (None, None));
        assert_eq!(table.red.deploys("hook").await, Err(PlayError::GameOver));
        world.wait(24 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0);
        world.end().await;
    }
}

/// The server was down from an hour before a deadline to two hours after it.
#[tokio::test]
async fn an_outage_costs_nobody_a_turn() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        assert_eq!(table.play.wake().await.unwrap(), 0, "the first start");
        let due = table.red.sees().await.due.unwrap();
        world.wait(23 * HOUR);
        table.play.beat().await.unwrap();
        world.wait(3 * HOUR);
        assert_eq!(table.play.wake().await.unwrap(), 1);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0);
        assert_eq!(table.red.sees().await.due.unwrap().0, due.0 + 3 * HOUR * 1000, "put off by the outage");
        // A restart that takes no time moves nothing; one of five minutes gives an hour.
        assert_eq!(table.play.wake().await.unwrap(), 0);
        world.wait(HOUR - 150);
        table.play.beat().await.unwrap();
        world.wait(300);
        assert_eq!(table.play.wake().await.unwrap(), 1);
        assert_eq!(table.red.sees().await.due.unwrap().0, due.0 + 4 * HOUR * 1000);
        world.end().await;
    }
}

/// At the last second a seal and the deadline meet, many times: the turn is resolved once, and whoever was told that the
/// sheet is sealed finds it used. `FIELDCOMMAND_RACES` sets how many times on each database, in rounds of 30.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seal_of_the_last_second_is_in_or_refused() {
    let races = usize::try_from(number("FIELDCOMMAND_RACES", 30)).unwrap();
    for world in World::both().await {
        let (mut sealed, mut refused) = (0, 0);
        while sealed + refused < races {
            let won = race(&world).await;
            (sealed, refused) = (sealed + won, refused + 30 - won);
        }
        println!("{:?}: {sealed} sheets were in, {refused} were too late", world.store.kind());
        world.end().await;
    }
}

/// Thirty seals meet the sweep; says how many of them were in.
async fn race(world: &World) -> usize {
    let mut tables = Vec::new();
    for _ in 0..30 {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        tables.push(table);
    }
    world.wait(72 * HOUR);
    let sweep = tables[0].play.clone();
    let sweeping = tokio::spawn(async move {
        for _ in 0..30 {
            sweep.resolve_due().await.unwrap();
            tokio::task::yield_now().await;
        }
    });
    let seals = (0..).zip(&tables).map(|(number, table)| {
        let (play, seat) = (table.play.clone(), table.red.seat.clone());
        let sheet = ToSeal { turn: 1, text: "G8-F8".into(), empty_is_meant: true, may_resolve: true, is_final: false };
        // The games that the sweep comes to last seal first, so that both meet on the way.
        let wait = Duration::from_millis(3 * (29 - number));
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            play.seal(&seat, sheet).await
        })
    });
    let seals: Vec<_> = seals.collect();
    sweeping.await.unwrap();
    let mut won = 0;
    for (table, seal) in tables.iter().zip(seals) {
        let sealed = seal.await.unwrap();
        table.play.resolve_due().await.unwrap();
        let view = table.red.sees().await;
        assert_eq!(view.standing.turn(), 2, "once and no more");
        let turn = table.play.turn(&table.red.seat, 1).await.unwrap();
        match sealed {
            Ok(receipt) => {
                won += 1;
                assert_eq!((turn.how.red, &turn.sheets.red.text), (How::Sealed, &receipt.text));
                assert_eq!(turn.sheets.red.seal, receipt.seal);
            }
            Err(error) => {
                assert!(matches!(error, PlayError::TurnOver { .. }), "{error}");
                assert_eq!(turn.how.red, How::Missed);
            }
        }
    }
    won
}

/// Whoever does not want the draft to be used is late and has not missed the turn; nobody else can tell before.
#[tokio::test]
async fn a_draft_that_is_withheld_is_late() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        let before = format!("{:?}", table.blue.sees().await);
        drafts(&table.red, 1, "G8-F8").await;
        table.play.use_when_due(&table.red.seat, 1, false).await.unwrap();
        assert!(table.red.sees().await.time.withheld);
        drafts(&table.red, 1, "G8-G7").await;
        assert!(table.red.sees().await.time.withheld, "writing on does not change that");
        assert_eq!(format!("{:?}", table.blue.sees().await), before, "nobody else can notice");
        world.wait(72 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(how(&table, 1).await, (How::Late, How::Missed));
        assert_eq!(missed(&table).await.0, Missed::default());

        // The choice is for one turn, and can be taken back. What is sealed is used in any case.
        drafts(&table.red, 2, "G8-F8").await;
        assert!(!table.red.sees().await.time.withheld);
        table.play.use_when_due(&table.red.seat, 2, false).await.unwrap();
        table.play.use_when_due(&table.red.seat, 2, true).await.unwrap();
        table.blue.submits("E4-E5").await.unwrap();
        table.play.use_when_due(&table.blue.seat, 2, false).await.unwrap();
        assert_eq!(table.blue.sees().await.draft, None);
        world.wait(72 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(how(&table, 2).await, (How::Draft, How::Sealed));
        assert_eq!(
            table.play.use_when_due(&table.red.seat, 2, false).await.unwrap_err().to_string(),
            "Day 2 has been resolved; this sheet was not used."
        );

        // A deployment cannot be empty: withheld, it is missing.
        let table = world.table_at(PACE).await;
        table.blue.deploys("hook").await.unwrap();
        drafts(&table.red, 0, &deployment(Side::Red, "balanced")).await;
        table.play.use_when_due(&table.red.seat, 0, false).await.unwrap();
        world.wait(24 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(table.red.sees().await.ended.unwrap().outcome, None);
        world.end().await;
    }
}

/// Outages of any length, each over the deadline, and a clock that jumps to and fro: nothing is resolved before the announced
/// moment, nothing twice, and each deadline is put off by as long as the server was down, by an hour at least.
#[tokio::test]
async fn outages_and_a_clock_that_jumps_resolve_nothing_early_or_twice() {
    for world in World::both().await {
        for (outage, moved) in [(60, HOUR), (30 * 60, HOUR), (3 * 24 * HOUR, 3 * 24 * HOUR)] {
            let table = world.table_at(PACE).await;
            table.deploy().await;
            let due = table.red.sees().await.due.unwrap();
            world.wait(72 * HOUR - 30);
            table.play.beat().await.unwrap();
            world.wait(outage);
            table.play.wake().await.unwrap();
            let announced = table.red.sees().await.due.unwrap();
            assert_eq!(announced.0 - due.0, moved * 1000, "{outage}");
            table.play.resolve_due().await.unwrap();
            assert_eq!(table.red.sees().await.standing.turn(), 1);
            let left = (announced.0 - world.now().0) / 1000;
            for (jump, turn) in [(left - 1, 1), (-10 * HOUR, 1), (10 * HOUR + 1, 2), (-5 * HOUR, 2), (5 * HOUR, 2)] {
                world.wait(jump);
                table.play.resolve_due().await.unwrap();
                table.play.resolve_due().await.unwrap();
                assert_eq!(table.red.sees().await.standing.turn(), turn, "{outage}: after {jump}");
            }
            table.play.resign(&table.red.seat).await.unwrap();
        }
        world.end().await;
    }
}

/// The database is away, or the machine sleeps, and the server runs on afterwards without a restart.
#[tokio::test]
async fn an_outage_without_a_restart_costs_nobody_a_turn() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        let play = &table.play;
        // Another process on the same database.
        let other = Play::new(world.store.clone(), play.clock().clone(), Chance::seeded(2), ServerKey::new([7; 32]));
        assert_eq!(play.sweep().await.unwrap(), Swept::default());
        let due = table.red.sees().await.due.unwrap();
        world.wait(71 * HOUR);
        play.sweep().await.unwrap();
        world.wait(3 * HOUR);
        assert_eq!(play.sweep().await.unwrap(), Swept { put_off: 1, resolved: 0 });
        assert_eq!(other.sweep().await.unwrap(), Swept::default(), "once");
        assert_eq!(table.red.sees().await.due.unwrap().0, due.0 + 3 * HOUR * 1000, "put off by the outage");
        // An outage of one process is none: the other looks on, and resolves what is due.
        let mut resolved = 0;
        for _ in 0..61 {
            world.wait(60);
            let swept = other.sweep().await.unwrap();
            assert_eq!(swept.put_off, 0);
            resolved += swept.resolved;
        }
        assert_eq!(resolved, 1);
        assert_eq!(play.sweep().await.unwrap(), Swept::default());
        assert_eq!(table.red.sees().await.standing.turn(), 2);
        world.end().await;
    }
}

/// A sign of life is as old as the look that gives it, and takes back no later one.
#[tokio::test]
async fn a_clock_that_was_wrong_leaves_no_sign_of_life_in_the_future() {
    let world = World::sqlite().await;
    let table = world.table_at(PACE).await;
    let play = &table.play;
    world.wait(1000 * HOUR);
    play.beat().await.unwrap();
    world.wait(-1000 * HOUR);
    play.sweep().await.unwrap();
    world.wait(23 * HOUR);
    play.sweep().await.unwrap();
    world.wait(3 * HOUR);
    assert_eq!(play.sweep().await.unwrap().put_off, 1);
    world.end().await;
}

/// The same in the loop of the server.
#[tokio::test]
async fn the_loop_of_a_running_server_notices_an_outage() {
    let world = World::sqlite().await;
    let table = world.table_at(PACE).await;
    table.deploy().await;
    let (stop, due) = (CancellationToken::new(), table.red.sees().await.due.unwrap());
    let running = tokio::spawn(deadlines::run(table.play.clone(), stop.clone()));
    // It has looked once.
    while table.play.pulse().await.unwrap().looked.heartbeat.is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    world.wait(75 * HOUR);
    let view = loop {
        let view = table.red.sees().await;
        if view.due != Some(due) {
            break view;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!((view.standing.turn(), view.due.unwrap().0), (1, due.0 + 75 * HOUR * 1000));
    stop.cancel();
    running.await.unwrap();
    world.end().await;
}

/// A game that cannot be read, and one that the database refuses to keep, hold up no other's turn: not when an outage is made
/// good, and not when they are due.
#[tokio::test]
async fn a_game_that_cannot_go_on_holds_up_no_other() {
    for world in World::both().await {
        let (unreadable, other) = (world.table_at(PACE).await, world.table_at(PACE).await);
        for table in [&unreadable, &other] {
            table.deploy().await;
        }
        world.play.wake().await.unwrap();
        world.spoil(unreadable.red.seat.game().as_str()).await;
        world.wait(71 * HOUR);
        world.play.beat().await.unwrap();
        let due = other.red.sees().await.due.unwrap();
        world.wait(2 * HOUR);
        assert_eq!(world.play.wake().await.unwrap(), 2);
        assert_eq!(other.red.sees().await.due.unwrap().0, due.0 + 2 * HOUR * 1000);
        world.wait(2 * HOUR);
        assert_eq!(world.play.resolve_due().await.unwrap(), 1, "the other one");
        world.end().await;
    }
    let world = World::sqlite().await;
    let (refused, other) = (world.table_at(PACE).await, world.table_at(PACE).await);
    for table in [&refused, &other] {
        table.deploy().await;
        // What cannot go on was due first.
        world.wait(1);
    }
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&world.address()).await.unwrap();
    let trigger = format!(
        "create trigger refuses before insert on turns when new.game_id = '{}' begin select raise(abort, 'no'); end",
        refused.red.seat.game()
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(trigger)).execute(&mut conn).await.unwrap();
    world.wait(73 * HOUR);
    assert_eq!(world.play.resolve_due().await.unwrap(), 1, "the other one");
    assert_eq!(other.red.sees().await.standing.turn(), 2);
    world.end().await;
}
