//! How fast days are resolved: `cargo bench --bench day`.
//!
//! One set of random mid-game days (20 to 35 units a side, 12 orders a side, about one in ten of them wrong,
//! on the printed board) goes through four roads, so that the figures of one run can be compared: the rules
//! alone; orders read from text and resolved; JSON to JSON in this process; and the whole program.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fieldcommand::cli::adjudicate;
use fieldcommand::rules::field_command::order::{LIMIT, Order, Orders};
use fieldcommand::rules::field_command::report::units;
use fieldcommand::rules::field_command::{Army, Position, Unit, maps, parse, resolve};
use fieldcommand::rules::{BySide, Side};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Days in the set.
const DAYS: usize = 2_000;
/// Days for the whole program, whose start counts too.
const PROGRAM_DAYS: usize = 100_000;

/// A day at dawn.
struct Dawn {
    armies: BySide<Army>,
    orders: BySide<Orders>,
}

fn dawn(rng: &mut StdRng) -> Dawn {
    let mut positions: Vec<Position> = Position::all().collect();
    positions.shuffle(rng);
    let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
    for side in Side::BOTH {
        let mut pool: Vec<Unit> =
            Unit::ALL.into_iter().flat_map(|unit| std::iter::repeat_n(unit, unit.number())).collect();
        pool.shuffle(rng);
        for unit in pool.into_iter().take(rng.random_range(20..=35)) {
            if let Some(position) = positions.pop() {
                armies.get_mut(side).place(position, unit);
            }
        }
    }
    let orders = BySide::from_fn(|side| orders(armies.get(side), rng));
    Dawn { armies, orders }
}

/// Twelve orders for twelve units; one in ten goes anywhere.
fn orders(army: &Army, rng: &mut StdRng) -> Orders {
    let mut movers: Vec<(Position, Unit)> = army.units().collect();
    movers.shuffle(rng);
    let mut orders = Orders::default();
    for (from, unit) in movers.into_iter().take(LIMIT) {
        let reach = if rng.random_range(0..10) == 0 { 20 } else { unit.allowance() };
        let targets: Vec<Position> = Position::all().filter(|to| (1..=reach).contains(&from.distance(*to))).collect();
        if let Some(&to) = targets.get(rng.random_range(0..targets.len().max(1))) {
            let _ = orders.push(Order { from, to });
        }
    }
    orders
}

/// The day as a line for `fieldcommand adjudicate --lines`.
fn line(dawn: &Dawn) -> String {
    let list = |orders: &Orders| orders.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>();
    let orders = BySide { red: list(&dawn.orders.red), blue: list(&dawn.orders.blue) };
    serde_json::json!({"map": "classic", "units": units(&dawn.armies), "orders": orders}).to_string()
}

/// Sends lines through the whole program and throws the answers away.
fn run_program(input: &[u8]) -> std::io::Result<()> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fieldcommand"))
        .args(["adjudicate", "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    child.wait().map(|_| ())
}

fn benches(criterion: &mut Criterion) {
    let mut rng = StdRng::seed_from_u64(1991);
    let days: Vec<Dawn> = (0..DAYS).map(|_| dawn(&mut rng)).collect();
    let texts: Vec<BySide<String>> =
        days.iter().map(|day| day.orders.as_ref().map(std::string::ToString::to_string)).collect();
    let mut lines = days.iter().map(line).collect::<Vec<_>>().join("\n").into_bytes();
    lines.push(b'\n');
    let mut group = criterion.benchmark_group("day");
    group.throughput(Throughput::Elements(DAYS as u64));
    group.bench_function("rules", |bencher| {
        bencher.iter(|| {
            for day in &days {
                black_box(resolve(maps::classic(), black_box(&day.armies), day.orders.as_ref()));
            }
        });
    });
    group.bench_function("text_and_rules", |bencher| {
        bencher.iter(|| {
            for (day, texts) in days.iter().zip(&texts) {
                let red = parse::orders(black_box(&texts.red), &day.armies.red).unwrap_or_default();
                let blue = parse::orders(black_box(&texts.blue), &day.armies.blue).unwrap_or_default();
                black_box(resolve(maps::classic(), &day.armies, BySide { red: &red, blue: &blue }));
            }
        });
    });
    group.bench_function("json", |bencher| {
        let mut answers = Vec::new();
        bencher.iter(|| {
            answers.clear();
            let _ = adjudicate::lines(lines.as_slice(), &mut answers);
            black_box(&answers);
        });
    });
    let input = lines.repeat(PROGRAM_DAYS / DAYS);
    group.throughput(Throughput::Elements(PROGRAM_DAYS as u64));
    group.sample_size(10);
    group.bench_function("program", |bencher| bencher.iter(|| run_program(black_box(&input))));
    group.finish();
}

criterion_group! {
    name = day;
    config = Criterion::default().without_plots();
    targets = benches
}
criterion_main!(day);
