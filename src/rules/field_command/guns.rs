//! What guns cover: now, after their own moves, and from every position of a board.

use serde::Serialize;

use super::board::Board;
use super::outlook::within;
use super::position::{POSITIONS, Position, PositionSet};
use super::unit::{Army, Unit};

/// A gun, and where it will stand when it fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GunMove {
    /// Where it stands at dawn.
    pub from: Position,
    /// Where it fires from: the same position if it stays.
    pub to: Position,
}

impl GunMove {
    /// Whether the gun fires from where it stands at dawn.
    #[must_use]
    pub fn stays(self) -> bool {
        self.from == self.to
    }
}

/// How many guns of an army cover each position from where they stand, in board order of the positions.
#[must_use]
pub fn cover(board: &Board, army: &Army) -> [u8; POSITIONS] {
    count(army, |gun| board.sight(gun))
}

/// How many guns of an army may cover each position once each gun has stayed or made a
/// move of a day. Only the distance of the move is asked for. A position held by another
/// own unit counts as open to the gun, because that unit may leave; so does one held by the
/// enemy, though there the gun falls before it fires if the enemy unit stays and is not the General.
#[must_use]
pub fn possible_cover(board: &Board, army: &Army) -> [u8; POSITIONS] {
    count(army, |gun| possible_sight(board, gun))
}

/// The guns of an army that cover a position from where they stand, in board order.
#[must_use]
pub fn guns_on(board: &Board, army: &Army, at: Position) -> Vec<Position> {
    army.positions_of(Unit::Artillery).iter().filter(|&gun| board.sight(gun).contains(at)).collect()
}

/// All ways in which guns of an army may cover a position after their own moves, by [`possible_cover`]'s rule:
/// by the gun in board order, then by where it fires from. A gun that covers it now is listed as staying.
#[must_use]
pub fn possible_guns_on(board: &Board, army: &Army, at: Position) -> Vec<GunMove> {
    army.positions_of(Unit::Artillery)
        .iter()
        .flat_map(|from| sites(from).map(move |to| GunMove { from, to }))
        .filter(|gun| board.sight(gun.to).contains(at))
        .collect()
}

/// The positions that no gun can cover, wherever it stands.
#[must_use]
pub fn gun_proof(board: &Board) -> PositionSet {
    let covered = Position::all().fold(PositionSet::EMPTY, |covered, gun| covered.or(board.sight(gun)));
    Position::all().filter(|&at| !covered.contains(at)).collect()
}

/// Every position with the number of positions that a gun there covers: most first, then in board order.
#[must_use]
pub fn gun_sites(board: &Board) -> Vec<(Position, usize)> {
    let mut sites: Vec<(Position, usize)> = Position::all().map(|gun| (gun, board.sight(gun).len())).collect();
    sites.sort_by_key(|&(gun, seen)| (std::cmp::Reverse(seen), gun));
    sites
}

/// Where a gun can stand at the end of the moves.
fn sites(gun: Position) -> impl Iterator<Item = Position> {
    within(gun, Unit::Artillery.allowance())
}

/// All positions that a gun covers from one of its sites or another.
fn possible_sight(board: &Board, gun: Position) -> PositionSet {
    sites(gun).fold(PositionSet::EMPTY, |seen, site| seen.or(board.sight(site)))
}

/// Adds up what each gun of an army sees.
fn count(army: &Army, sees: impl Fn(Position) -> PositionSet) -> [u8; POSITIONS] {
    let mut counts = [0; POSITIONS];
    for gun in army.positions_of(Unit::Artillery) {
        for at in sees(gun) {
            if let Some(count) = counts.get_mut(at.index()) {
                *count += 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::maps;
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn names(positions: impl IntoIterator<Item = Position>) -> String {
        positions.into_iter().map(|at| at.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn guns(positions: &[&str]) -> Army {
        positions.iter().map(|position| (at(position), Unit::Artillery)).collect()
    }

    #[test]
    fn the_printed_board_has_27_positions_that_are_never_hit() {
        let board = maps::classic();
        let proof = gun_proof(board);
        assert_eq!(proof.len(), 27);
        for gun in Position::all() {
            assert!(board.sight(gun).and(proof).is_empty(), "{gun}");
        }
    }

    #[test]
    fn the_best_sites_of_the_printed_board() {
        let sites = gun_sites(maps::classic());
        assert_eq!(sites.len(), POSITIONS);
        assert_eq!(names(sites.iter().take(3).map(|site| site.0)), "E7 G5 F6");
        assert!(sites[2].1 > sites[3].1);
        assert!(sites.is_sorted_by_key(|site| std::cmp::Reverse(site.1)));
    }

    #[test]
    fn a_gun_covers_what_the_rulebook_says() {
        let army = guns(&["G4", "F3"]);
        let cover = cover(maps::classic(), &army);
        assert_eq!(cover.iter().map(|&n| usize::from(n)).sum::<usize>(), 9);
        assert_eq!(cover[at("G3").index()], 2);
        assert_eq!(cover[at("I4").index()], 1);
        assert_eq!(cover[at("G4").index()], 0);
        assert_eq!(names(guns_on(maps::classic(), &army, at("G3"))), "F3 G4");
    }

    #[test]
    fn a_gun_may_cover_more_after_its_move_but_counts_once() {
        let board = maps::classic();
        let army = guns(&["F3"]);
        let possible = possible_cover(board, &army);
        let ways = possible_guns_on(board, &army, at("G3"));
        assert_eq!(possible[at("G3").index()], 1);
        assert!(ways.len() > 1 && ways.contains(&GunMove { from: at("F3"), to: at("F3") }));
        for position in Position::all() {
            let any = !possible_guns_on(board, &army, position).is_empty();
            assert_eq!(possible[position.index()] > 0, any, "{position}");
        }
    }
}
