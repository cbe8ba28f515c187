//! The server's rules against the naive referee on random days: mid-game armies of 5 to 40 a side,
//! 0 to 12 orders, about one in ten of them wrong, on both boards and on random ones.
//!
//! `FIELDCOMMAND_RANDOM_DAYS` sets how many, `FIELDCOMMAND_SEED` where they begin.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::cases::server_adjudicates;
use crate::reference;
use crate::world::number;

const CODES: [&str; 9] = ["GN", "AR", "I1", "I2", "I3", "C1", "C2", "C3", "GU"];
const NUMBERS: [usize; 9] = [1, 5, 3, 10, 4, 2, 7, 3, 5];
const REACH: [i32; 9] = [1, 1, 2, 2, 2, 3, 3, 3, 3];

/// A position by row and column, which may lie off the board.
fn name(row: i32, column: i32) -> String {
    format!("{}{}", char::from(b'A' + u8::try_from(row).unwrap()), column + 1)
}

fn random_map(rng: &mut StdRng) -> Value {
    match rng.random_range(0..3) {
        0 => json!("classic"),
        1 => json!("ridge"),
        _ => {
            let mut rows = |signs: &[u8]| -> Vec<String> {
                (0..11)
                    .map(|_| (0..11).map(|_| char::from(signs[rng.random_range(0..signs.len())])).collect())
                    .collect()
            };
            json!({"altitude": rows(b"123"), "terrain": rows(b"f.")})
        }
    }
}

/// A random day. Units stand close enough to meet: anywhere on the board.
fn random_day(rng: &mut StdRng) -> Value {
    let mut free: Vec<(i32, i32)> = (0..121).map(|n| (n / 11, n % 11)).collect();
    let mut units = Vec::new();
    let mut orders = Vec::new();
    for side in ["red", "blue"] {
        let mut pool: Vec<usize> = (0..9).flat_map(|kind| std::iter::repeat_n(kind, NUMBERS[kind])).collect();
        let mut army = Vec::new();
        for _ in 0..rng.random_range(5..=40) {
            let kind = pool.swap_remove(rng.random_range(0..pool.len()));
            let at = free.swap_remove(rng.random_range(0..free.len()));
            units.push(json!({"side": side, "unit": CODES[kind], "at": name(at.0, at.1)}));
            army.push((kind, at));
        }
        orders.push(random_orders(rng, &army));
    }
    json!({"map": random_map(rng), "units": units, "orders": {"red": orders[0], "blue": orders[1]}})
}

fn random_orders(rng: &mut StdRng, army: &[(usize, (i32, i32))]) -> Vec<String> {
    let mut orders = Vec::new();
    for _ in 0..rng.random_range(0..=12) {
        let (kind, (row, column)) = army[rng.random_range(0..army.len())];
        let wrong = rng.random_range(0..10) == 0;
        let reach = if wrong { 6 } else { REACH[kind] };
        loop {
            let (down, right) = (rng.random_range(-reach..=reach), rng.random_range(-reach..=reach));
            let target = (row + down, column + right);
            let on_board = (0..11).contains(&target.0) && (0..11).contains(&target.1);
            let right_length = (1..=reach).contains(&(down.abs() + right.abs()));
            if on_board && (wrong || right_length) {
                let start = if wrong && rng.random_range(0..3) == 0 { target } else { (row, column) };
                orders.push(format!("{}-{}", name(start.0, start.1), name(target.0, target.1)));
                break;
            }
        }
    }
    orders
}

#[test]
fn server_and_referee_agree() {
    let (days, seed) = (number("FIELDCOMMAND_RANDOM_DAYS", 20_000), number("FIELDCOMMAND_SEED", 1991));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let (mut moved, mut met, mut hit) = (0, 0, 0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let (mut moved, mut met, mut hit) = (0, 0, 0);
                    for day in (worker..days).step_by(usize::try_from(threads).unwrap()) {
                        let mut rng = StdRng::seed_from_u64(seed.wrapping_add(day));
                        let input = random_day(&mut rng);
                        let answer = server_adjudicates(&input).unwrap();
                        assert_eq!(
                            Ok(&answer),
                            reference::adjudicate(&input).as_ref(),
                            "seed {seed}, day {day}: {input}"
                        );
                        moved += usize::from(answer["orders"].to_string().contains("true"));
                        met += answer["confrontations"].as_array().unwrap().len();
                        hit += answer["artillery"].as_array().unwrap().len();
                    }
                    (moved, met, hit)
                })
            })
            .collect();
        for worker in workers {
            let counted = worker.join().unwrap();
            moved += counted.0;
            met += counted.1;
            hit += counted.2;
        }
    });
    // Days on which nothing happens would agree too.
    let least = usize::try_from(days / 2).unwrap();
    assert!(moved > least && met > least && hit > least, "{moved} with moves, {met} confrontations, {hit} guns");
}
