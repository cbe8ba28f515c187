//! What the tests play with: a server's parts over a real database, with a clock that stands still
//! and chance that repeats itself.

/// Forms of pages, filled and sent by hand.
pub mod forms;
/// Letters, and the links in them.
pub mod mailbox;
/// Games on their way.
pub mod game;
/// A receiver of webhooks.
pub mod receiver;
/// A whole server.
pub mod server;
/// A mail server that follows a script.
pub mod smtp;
/// Players who know what they were promised.
pub mod players;
/// The program as a process.
pub mod program;
/// Several processes on one database.
pub mod cluster;
/// Ports of one's own.
pub mod ports;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use data_encoding::{BASE64_NOPAD, HEXLOWER};
use fieldcommand::clock::{Chance, Clock, Timestamp};
use fieldcommand::pace::Pace;
use fieldcommand::play::open::{Company, NewGame, SideChoice};
use fieldcommand::play::seal::{Receipt, ToSeal};
use fieldcommand::play::terms::Terms;
use fieldcommand::play::view::SeatView;
use fieldcommand::play::{Play, PlayError, Seat, ServerKey};
use fieldcommand::rules::field_command::ready;
use fieldcommand::rules::{Setup, Side, field_command};
use fieldcommand::store::Store;
use sqlx::{Connection, Executor, Row};

/// 2026-01-01T00:00:00Z, when every test begins.
pub const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);

/// The parts of a server, and what goes when the test is over.
pub struct World {
    pub play: Play,
    pub store: Store,
    pub folder: Arc<tempfile::TempDir>,
    postgres: Option<String>,
}

/// The address of the PostgreSQL server that `scripts/test` started.
pub fn postgres() -> String {
    std::env::var("FIELDCOMMAND_TEST_POSTGRES")
        .expect("scripts/test starts PostgreSQL and sets FIELDCOMMAND_TEST_POSTGRES")
}

/// How much a test is to do, from the environment, or as much as every run has time for.
pub fn number(key: &str, default: u64) -> u64 {
    std::env::var(key).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{key} is no number")))
}

impl World {
    /// Over SQLite, in a folder of its own.
    pub async fn sqlite() -> World {
        World::sqlite_seeded(1).await
    }

    /// The same with another chance.
    pub async fn sqlite_seeded(seed: u64) -> World {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let store = Store::open_sqlite(&folder.path().join("fieldcommand.sqlite")).await.unwrap();
        World::over(store, folder, None, seed).await
    }

    /// Over PostgreSQL, in a database of its own.
    pub async fn postgres() -> World {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let server = postgres();
        sqlx::any::install_default_drivers();
        let mut admin = sqlx::AnyConnection::connect(&server).await.unwrap();
        admin.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await.unwrap();
        let address = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        let store = Store::open_postgres(&address).await.unwrap();
        World::over(store, Arc::new(tempfile::tempdir().unwrap()), Some(name), 1).await
    }

    /// On both databases.
    pub async fn both() -> [World; 2] {
        [World::sqlite().await, World::postgres().await]
    }

    async fn over(store: Store, folder: Arc<tempfile::TempDir>, postgres: Option<String>, seed: u64) -> World {
        store.migrate(None).await.unwrap();
        let play = Play::new(store.clone(), Clock::fixed(BEGINNING), Chance::seeded(seed), ServerKey::new([7; 32]));
        World { play, store, folder, postgres }
    }

    /// The address of the database.
    pub fn address(&self) -> String {
        match &self.postgres {
            None => format!("sqlite://{}", self.path().join("fieldcommand.sqlite").display()),
            Some(name) => format!("{}/{name}", postgres().rsplit_once('/').unwrap().0),
        }
    }

    /// Makes the database one whose turns were resolved before there was a running hash.
    pub async fn forget_chains(&self) {
        let mut conn = sqlx::AnyConnection::connect(&self.address()).await.unwrap();
        conn.execute("update turns set running_hash = null").await.unwrap();
    }

    /// Writes the salts and hashes of all turns in hexadecimal digits, as they were kept before migration 25. How many turns
    /// it changed.
    pub async fn hashes_in_digits(&self) -> usize {
        let columns = ["red_salt", "red_seal", "blue_salt", "blue_seal", "report_hash", "running_hash"];
        let mut conn = sqlx::AnyConnection::connect(&self.address()).await.unwrap();
        let sql = format!("select game_id, turn, {} from turns", columns.join(", "));
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&mut conn).await.unwrap();
        let sets: Vec<String> = (3..).zip(columns).map(|(number, column)| format!("{column} = ${number}")).collect();
        let sql = format!("update turns set {} where game_id = $1 and turn = $2", sets.join(", "));
        for row in &rows {
            let update = sqlx::query(sqlx::AssertSqlSafe(sql.as_str())).bind(row.get::<String, _>(0));
            let update = columns.iter().fold(update.bind(row.get::<i64, _>(1)), |update, column| {
                let bytes = BASE64_NOPAD.decode(row.get::<String, _>(*column).as_bytes()).unwrap();
                update.bind(HEXLOWER.encode(&bytes))
            });
            assert_eq!(update.execute(&mut conn).await.unwrap().rows_affected(), 1);
        }
        rows.len()
    }

    /// Makes a game one that cannot be read.
    pub async fn spoil(&self, game: &str) {
        let mut conn = sqlx::AnyConnection::connect(&self.address()).await.unwrap();
        sqlx::query("update games set standing = 'spoilt' where id = $1").bind(game).execute(&mut conn).await.unwrap();
    }

    /// Lets every open turn fall due at a moment.
    pub async fn fall_due(&self, at: Timestamp) {
        let mut conn = sqlx::AnyConnection::connect(&self.address()).await.unwrap();
        let sql = "update games set due_at = $1 where ended_at is null";
        sqlx::query(sql).bind(at.0).execute(&mut conn).await.unwrap();
    }

    /// How many rows there are of something; for looking, never for changing.
    pub async fn count(&self, of: &str) -> i64 {
        let mut conn = sqlx::AnyConnection::connect(&self.address()).await.unwrap();
        let sql = sqlx::AssertSqlSafe(format!("select cast(count(*) as bigint) from {of}"));
        let (number,): (i64,) = sqlx::query_as(sql).fetch_one(&mut conn).await.unwrap();
        number
    }

    /// Where the test may put files.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Ends the world; a database of its own is dropped.
    pub async fn end(self) {
        self.store.close().await;
        if let Some(name) = self.postgres {
            let mut admin = sqlx::AnyConnection::connect(&postgres()).await.unwrap();
            admin.execute(sqlx::AssertSqlSafe(format!("drop database {name} with (force)"))).await.unwrap();
        }
    }

    /// Sets the clock on by so many seconds.
    pub fn wait(&self, seconds: i64) {
        if let Clock::Fixed(at) = self.play.clock() {
            at.fetch_add(seconds * 1000, Ordering::SeqCst);
        }
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.play.clock().now()
    }

    /// A game on the printed board that Red has opened and Blue has joined.
    pub async fn table(&self) -> Table {
        self.table_with(12, ["", ""]).await
    }

    /// The same with a limit of days without a removal, and addresses for Red's and Blue's letters.
    pub async fn table_with(&self, no_removal_limit: u32, addresses: [&str; 2]) -> Table {
        self.seated(new_game(no_removal_limit, addresses[0]), addresses[1]).await
    }

    /// The same with deadlines.
    pub async fn table_at(&self, pace: Pace) -> Table {
        self.seated(NewGame { pace, ..new_game(12, "") }, "").await
    }

    /// The same with terms of the clock.
    pub async fn table_on(&self, pace: Pace, terms: Terms) -> Table {
        self.seated(NewGame { pace, terms, ..new_game(12, "") }, "").await
    }

    /// A game on its way, with an address for Blue's letters.
    pub async fn seated(&self, new: NewGame, address_of_blue: &str) -> Table {
        let opened = self.play.open(new).await.unwrap();
        let taken = self.play.take_seat(&opened.invitation, "Ben").await.unwrap();
        let red = self.play.seat_of_link(&opened.link).await.unwrap();
        let blue = self.play.seat_of_link(&taken.link).await.unwrap();
        self.play.set_address(&blue, address_of_blue).await.unwrap();
        mailbox::confirm_all(&self.play, self.path()).await;
        Table { play: self.play.clone(), red: Player::new(&self.play, red), blue: Player::new(&self.play, blue) }
    }
}

/// Settings of a new game that Ann opens as Red.
pub fn new_game(no_removal_limit: u32, address: &str) -> NewGame {
    let board = Arc::clone(field_command::maps::classic());
    NewGame {
        setup: Setup::FieldCommand(field_command::Setup { board, no_removal_limit, day_limit: 0 }),
        side: SideChoice::Side(Side::Red),
        name: "Ann".into(),
        address: address.into(),
        pace: Pace::Open,
        company: Company::default(),
        terms: Terms::default(),
    }
}

/// A game with both players at it.
pub struct Table {
    pub play: Play,
    pub red: Player,
    pub blue: Player,
}

/// One of the players.
#[derive(Clone)]
pub struct Player {
    pub play: Play,
    pub seat: Seat,
}

impl Player {
    pub fn new(play: &Play, seat: Seat) -> Player {
        Player { play: play.clone(), seat }
    }

    /// The game as this player sees it.
    pub async fn sees(&self) -> SeatView {
        self.play.view(&self.seat).await.unwrap()
    }

    /// Seals a sheet for the awaited turn.
    pub async fn submits(&self, text: &str) -> Result<Receipt, PlayError> {
        let turn = self.sees().await.standing.turn();
        self.submits_for(turn, text).await
    }

    /// Seals a sheet for a turn.
    pub async fn submits_for(&self, turn: u32, text: &str) -> Result<Receipt, PlayError> {
        let sheet = ToSeal { turn, text: text.into(), empty_is_meant: true, may_resolve: true, is_final: false };
        self.play.seal(&self.seat, sheet).await
    }

    /// Seals the ready-made deployment with this key.
    pub async fn deploys(&self, key: &str) -> Result<Receipt, PlayError> {
        self.submits_for(0, &deployment(self.seat.side(), key)).await
    }
}

impl Table {
    /// Both deploy: the balanced deployment that comes with the server.
    pub async fn deploy(&self) {
        self.red.deploys("balanced").await.unwrap();
        self.blue.deploys("balanced").await.unwrap();
    }

    /// Both seal their orders for a day.
    pub async fn day(&self, red: &str, blue: &str) {
        self.red.submits(red).await.unwrap();
        self.blue.submits(blue).await.unwrap();
    }
}

/// Two days of Red's orders by which an Infantry unit reaches Blue's General, if he stands as in [`exposed`].
pub const HUNT: [&str; 2] = ["I4-G4", "G4-E4"];

/// Blue's balanced deployment with the General in front, on E4, where Red can reach him on day 2.
pub fn exposed() -> String {
    let swap = |word: &str| match word {
        "A1" => "E4".to_owned(),
        "E4" => "A1".to_owned(),
        word => word.to_owned(),
    };
    let line = |line: &str| line.split(' ').map(swap).collect::<Vec<_>>().join(" ") + "\n";
    deployment(Side::Blue, "balanced").lines().map(line).collect()
}

/// The text of a ready-made deployment.
pub fn deployment(side: Side, key: &str) -> String {
    ready::ALL.iter().find(|ready| ready.key == key).unwrap().deployment(side).to_string()
}
