//! How the OpenAPI document describes what comes out of the rules.
//!
//! The rules know nothing of OpenAPI, so their types are described here once more; nobody makes
//! a value of these. Every answer in the API's tests is held against them, member by member.

#![expect(dead_code, reason = "descriptions: no value is made of them")]
#![expect(clippy::struct_field_names, reason = "the names are the members' names")]

use utoipa::ToSchema;

/// A side of the game.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Side {
    Red,
    Blue,
}

/// A yes or no for each side.
#[derive(ToSchema)]
pub struct Flags {
    red: bool,
    blue: bool,
}

/// Both players' names.
#[derive(ToSchema)]
pub struct Names {
    /// `null` where nobody sits yet, or where the player gave none.
    #[schema(required, example = "Ann")]
    red: Option<String>,
    /// `null` where nobody sits yet, or where the player gave none.
    #[schema(required, example = "Ben")]
    blue: Option<String>,
}

/// How a game ended.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Outcome {
    RedWins,
    BlueWins,
    Draw,
}

/// A position of the board: row A to K, column 1 to 11.
#[derive(ToSchema)]
#[schema(value_type = String, pattern = "^[A-K]([1-9]|1[01])$", example = "H7")]
pub struct Position(String);

/// A kind of unit: General, Artillery, 1st to 3rd Infantry, 1st to 3rd Cavalry, Guerrillas.
#[derive(ToSchema)]
#[schema(rename_all = "UPPERCASE", example = "I2")]
pub enum UnitCode {
    Gn,
    Ar,
    I1,
    I2,
    I3,
    C1,
    C2,
    C3,
    Gu,
}

/// A unit on the board.
#[derive(ToSchema)]
pub struct Unit {
    side: Side,
    unit: UnitCode,
    at: Position,
}

/// A board in writing.
#[derive(ToSchema)]
pub struct Board {
    /// Eleven rows, A to K, of eleven digits: the altitude of each position, 1 to 3.
    #[schema(min_items = 11, max_items = 11)]
    altitude: Vec<String>,
    /// Eleven rows, A to K, of eleven signs: `f` for forest, `.` for open field.
    #[schema(min_items = 11, max_items = 11)]
    terrain: Vec<String>,
}

/// What stands on the board, open to both sides.
#[derive(ToSchema)]
pub struct Standing {
    /// Red's units, then Blue's, each in board order; none before the deployments are revealed.
    units: Vec<Unit>,
    /// Days running on which no unit was removed.
    days_without_removal: u32,
    /// After so many of them the game is a draw; 0 for never.
    no_removal_limit: u32,
    /// After this day the game is a draw; 0 for no such limit.
    day_limit: u32,
    board: Board,
}

/// What a turn brought. Of the deployment, turn 0, there are `units` alone.
#[derive(ToSchema)]
pub struct Report {
    #[schema(nullable = false)]
    orders: Option<OrdersBySide>,
    /// Who met whom, in board order.
    #[schema(nullable = false)]
    confrontations: Option<Vec<Confrontation>>,
    /// Guns that hit something: Red's first, then Blue's, each in board order.
    #[schema(nullable = false)]
    artillery: Option<Vec<Fire>>,
    /// What stands after the turn: Red's units, then Blue's, each in board order.
    units: Vec<Unit>,
    /// How the turn ended the game; `null` where it did not.
    outcome: Option<Outcome>,
}

/// Both lists of orders, as they were written.
#[derive(ToSchema)]
pub struct OrdersBySide {
    red: Vec<Order>,
    blue: Vec<Order>,
}

/// An order with its verdict.
#[derive(ToSchema)]
pub struct Order {
    /// In canonical notation.
    #[schema(example = "H7-F7")]
    order: String,
    /// Whether it was carried out.
    legal: bool,
    /// Why not.
    #[schema(required)]
    reason: Option<Reason>,
}

/// Why an order was not carried out.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Reason {
    NoOwnUnit,
    NotAMove,
    TooFar,
    UnitOrderedTwice,
    SharedDestination,
    DestinationHeld,
}

/// Two opposing units on one position.
#[derive(ToSchema)]
pub struct Confrontation {
    at: Position,
    /// Red's unit.
    red: UnitCode,
    /// Blue's unit.
    blue: UnitCode,
    /// Whose units were removed, Red first.
    #[schema(min_items = 1, max_items = 2)]
    removed: Vec<Side>,
}

/// What a gun removed.
#[derive(ToSchema)]
pub struct Fire {
    side: Side,
    /// Where the gun stands.
    at: Position,
    /// The positions that it hit, in board order.
    #[schema(min_items = 1)]
    hits: Vec<Position>,
}
