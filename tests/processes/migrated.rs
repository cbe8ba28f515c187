//! `migrate-data`: everything moves from SQLite to PostgreSQL and back, whole or not at all.

use std::collections::BTreeMap;
use std::path::Path;

use fieldcommand::bot::Level;
use fieldcommand::play::draft::ToDraft;
use fieldcommand::play::messages::ToSend;
use fieldcommand::rules::Side;
use fieldcommand::store::{Store, StoreError};
use sqlx::{AssertSqlSafe, Connection};

use super::{drop_database, empty_database, text};
use crate::command_line::run;
use crate::world::cluster::{KEY, Member};
use crate::world::server::Server;
use crate::world::{World, deployment, mailbox, new_game};

/// Every row of every table of a SQLite file, as text, but who works on it.
async fn rows(file: &Path) -> BTreeMap<String, Vec<String>> {
    let mut conn = sqlx::AnyConnection::connect(&format!("sqlite://{}", file.display())).await.unwrap();
    let sql = "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\' order by name";
    let tables: Vec<(String,)> = sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap();
    let mut all = BTreeMap::new();
    for (table,) in tables.into_iter().filter(|(table,)| table != "processes") {
        let sql = "select group_concat('quote(' || name || ')', '||'' ''||') from pragma_table_info($1)";
        let (columns,): (String,) = sqlx::query_as(sql).bind(&table).fetch_one(&mut conn).await.unwrap();
        let sql = format!("select {columns} as line from {table} order by line");
        let lines: Vec<(String,)> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut conn).await.unwrap();
        all.insert(table, lines.into_iter().map(|(line,)| line).collect());
    }
    conn.close().await.unwrap();
    all
}

/// Games on their way and over, drafts, what-ifs, notes, letters that wait and that left, messages, a computer.
async fn fill(world: &World) {
    let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
    table.deploy().await;
    table.day("G8-F8", "E4-E5").await;
    mailbox::letters(&world.play, world.path()).await;
    table.day("", "").await;
    table.red.submits("F8-G8").await.unwrap();
    let draft = |turn, text: &str| ToDraft {
        turn,
        text: text.into(),
        held: String::new(),
        act: None,
        base: None,
        use_when_due: None,
    };
    world.play.draft(&table.blue.seat, draft(3, "E5-E4")).await.unwrap();
    let message = ToSend { text: "Good morning — ½ 𝕏 ‘höher’".into(), all_the_same: true };
    world.play.send_message(&table.blue.seat, message).await.unwrap();
    let over = world.table().await;
    over.deploy().await;
    world.play.resign(&over.red.seat).await.unwrap();
    world.play.open(new_game(0, "dora@example.org")).await.unwrap();
    let against = world.play.open_against(new_game(12, ""), Level::Easy).await.unwrap();
    let seat = world.play.seat_of_link(&against.link).await.unwrap();
    world.play.draft(&seat, draft(0, &deployment(Side::Red, "hook"))).await.unwrap();
}

fn migrate(from: &str, to: &str) -> Result<String, String> {
    let output = run(&["migrate-data", "--from", from, "--to", to], b"");
    if output.status.success() { Ok(text(&output.stdout).to_owned()) } else { Err(text(&output.stderr).to_owned()) }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_moves_to_postgresql_and_back() {
    let world = World::sqlite().await;
    fill(&world).await;
    world.store.close().await;
    let file = world.path().join("fieldcommand.sqlite");
    let from = format!("sqlite:{}", file.display());
    let before = rows(&file).await;
    assert!(before["outbox"].len() > 8 && before["drafts"].len() == 2 && before["turns"].len() == 4, "{before:#?}");
    let (database, admin) = empty_database("migrated").await;

    let said = migrate(&from, &database).unwrap();
    let number: usize = before.values().map(Vec::len).sum();
    assert!(said.contains(&format!("Carried {number} rows of {} tables", before.len())), "{said}");
    assert!(said.contains("counts as a copy") && said.contains("erasures.jsonl"), "{said}");
    let verified = run(&["verify", "--database-url", &database], b"");
    assert!(verified.status.success(), "{}", text(&verified.stdout));

    // What stays behind counts as a copy; what moved does not.
    let copied = async |store: Store| {
        let place = store.read::<_, StoreError, _>(|tx| Box::pin(async move { tx.place().await })).await.unwrap();
        store.close().await;
        place.copied_at
    };
    assert!(copied(Store::open_sqlite(&file).await.unwrap()).await.is_some());
    assert_eq!(copied(Store::open_postgres(&database).await.unwrap()).await, None);

    // Nothing is overwritten, on either side.
    let again = migrate(&from, &database).unwrap_err();
    assert!(again.contains("--to: this database holds something already"), "{again}");
    let back = tempfile::tempdir().unwrap();
    let to = back.path().join("data").join("fieldcommand.sqlite");
    let address = format!("sqlite:{}", to.display());
    assert!(migrate(&database, &address).unwrap().contains(&format!("Carried {number} rows")));
    let again = migrate(&database, &address).unwrap_err();
    assert!(again.contains("is there already"), "{again}");
    let after = rows(&to).await;
    for (table, rows) in &before {
        assert_eq!(rows, &after[table], "{table}");
    }
    let verified = run(&["verify", "--data", &back.path().join("data").display().to_string()], b"");
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    drop_database(&database, admin).await;
}

/// While a process uses either side nothing is carried over, and what does not do is named.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_while_a_server_runs() {
    let server = Server::start(1).await;
    let from = format!("sqlite:{}", server.data().join("fieldcommand.sqlite").display());
    let (database, admin) = empty_database("in_use").await;
    let refused = migrate(&from, &database).unwrap_err();
    assert!(refused.contains("--from: a fieldcommand process is using"), "{refused}");
    server.stop().await;

    let folder = tempfile::tempdir().unwrap();
    let mut member = Member::on(&database, folder.path().join("one"), &["--key", KEY]);
    member.start().await;
    let to = format!("sqlite:{}", folder.path().join("new.sqlite").display());
    let refused = migrate(&database, &to).unwrap_err();
    assert!(refused.contains("to this database; stop every server"), "{refused}");
    assert!(!folder.path().join("new.sqlite").exists());
    let world = World::sqlite().await;
    world.store.close().await;
    let whole = format!("sqlite:{}", world.path().join("fieldcommand.sqlite").display());
    let refused = migrate(&whole, &database).unwrap_err();
    assert!(refused.contains("to this database; stop every server"), "{refused}");
    member.stop().await;
    // A server was started there and nothing has happened: that is as good as empty.
    migrate(&whole, &database).unwrap();

    for (from, to, said) in [
        (&*whole, &*to, "--to: from one file to another"),
        (&database, &database, "--to: from one PostgreSQL database to another"),
        ("mysql://x", &database, "--from: must be sqlite:"),
        ("sqlite:", &database, "--from: the file is missing"),
        ("sqlite:/nowhere/at/all.sqlite", &database, "--from: there is no database at /nowhere"),
    ] {
        let refused = migrate(from, to).unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
    drop_database(&database, admin).await;
}
