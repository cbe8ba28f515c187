//! What the sweep for turns that are due costs beside games that are over: `cargo bench --bench sweep`.
//!
//! SQLite, in a file. A hundred games are running, none of them due; 1,000 and 100,000 have ended. Other numbers of
//! those by `FIELDCOMMAND_SWEEP_GAMES=1000,1000000`. One game is opened and deployed as players do it, and its rows are
//! copied.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fieldcommand::clock::{Chance, Clock, Timestamp};
use fieldcommand::pace::Pace;
use fieldcommand::play::open::{Company, NewGame, SideChoice};
use fieldcommand::play::seal::ToSeal;
use fieldcommand::play::terms::Terms;
use fieldcommand::play::{Play, ServerKey};
use fieldcommand::rules::field_command::ready;
use fieldcommand::rules::{Setup, Side, field_command};
use fieldcommand::store::Store;
use sqlx::Connection;
use tokio::runtime::Runtime;

/// Games that are running.
const RUNNING: u32 = 100;
/// Numbers of games that have ended.
const ENDED: &str = "1000,100000";
/// 2026-01-01T00:00:00Z.
const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);

/// Opens a game with deadlines and deploys both armies.
async fn model(play: &Play) -> anyhow::Result<()> {
    let board = Arc::clone(field_command::maps::classic());
    let new = NewGame {
        setup: Setup::FieldCommand(field_command::Setup { board, no_removal_limit: 12, day_limit: 0 }),
        side: SideChoice::Side(Side::Red),
        name: "Ann".into(),
        address: String::new(),
        pace: Pace::Span { hours: 72, first_hours: 72 },
        terms: Terms::default(),
        company: Company::default(),
    };
    let opened = play.open(new).await?;
    let taken = play.take_seat(&opened.invitation, "Ben").await?;
    let ready = ready::ALL.first().context("there are ready-made deployments")?;
    for link in [opened.link, taken.link] {
        let seat = play.seat_of_link(&link).await?;
        let text = ready.deployment(seat.side()).to_string();
        let sheet = ToSeal { turn: 0, text, empty_is_meant: false, may_resolve: true, is_final: true };
        play.seal(&seat, sheet).await?;
    }
    Ok(())
}

/// The model's rows, `number` times over. Those of games that have ended stand as `end_game` leaves them.
async fn copies(file: &Path, number: u32, ended: bool) -> anyhow::Result<()> {
    let (kind, ending) = if ended {
        ("e", "opened_at + 1, 'red_wins', 'resignation', null, null")
    } else {
        ("r", "null, null, null, due_at, remind_at")
    };
    let numbers = format!("with recursive n(i) as (select 1 union all select i + 1 from n where i < {number})");
    let games = format!(
        "{numbers} insert into games (id, board_hash, setup, opener, version, turn, standing, opened_at, moved_at, pace, \
         settings, ended_at, outcome, ending, due_at, remind_at) \
         select printf('{kind}%011d', n.i), board_hash, setup, opener, version, turn, standing, opened_at, moved_at, pace, \
         settings, {ending} from n, model"
    );
    let seats = format!(
        "{numbers} insert into seats (game_id, side, name, taken_at, link_generation, link_hash, invitation_generation) \
         select printf('{kind}%011d', n.i), side, name, taken_at, link_generation, link_hash || '{kind}' || n.i, \
         invitation_generation from n, model_seats"
    );
    let mut connection = sqlx::AnyConnection::connect(&format!("sqlite://{}", file.display())).await?;
    let mut tx = connection.begin().await?;
    for sql in [
        "create temp table model as select * from games where id not like 'r00000%'",
        "create temp table model_seats as select * from seats where game_id in (select id from model)",
        &*games,
        &*seats,
    ] {
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(connection.close().await?)
}

/// A server's use cases over a database with so many games that have ended.
async fn filled(folder: &Path, ended: u32) -> anyhow::Result<Play> {
    let file = folder.join("fieldcommand.sqlite");
    let store = Store::open_sqlite(&file).await?;
    store.migrate(None).await?;
    let play = Play::new(store, Clock::fixed(BEGINNING), Chance::seeded(1991), ServerKey::new([7; 32]));
    model(&play).await?;
    copies(&file, RUNNING - 1, false).await?;
    copies(&file, ended, true).await?;
    Ok(play)
}

fn sweep(criterion: &mut Criterion) -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    let numbers = std::env::var("FIELDCOMMAND_SWEEP_GAMES").unwrap_or_else(|_| ENDED.to_owned());
    let mut group = criterion.benchmark_group("sweep");
    for number in numbers.split(',') {
        let ended: u32 = number.trim().parse().with_context(|| format!("FIELDCOMMAND_SWEEP_GAMES: {number}"))?;
        let folder = tempfile::tempdir()?;
        let play = runtime.block_on(filled(folder.path(), ended))?;
        let done = runtime.block_on(play.resolve_due())?;
        anyhow::ensure!(done == 0, "{done} games were due");
        group.bench_function(BenchmarkId::from_parameter(ended), |bencher| {
            bencher.iter(|| runtime.block_on(play.resolve_due()));
        });
    }
    group.finish();
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = sweep(criterion) {
        eprintln!("sweep: {error:#}");
        std::process::exit(1);
    }
}

criterion_group! {
    name = due;
    config = Criterion::default().without_plots();
    targets = benches
}
criterion_main!(due);
