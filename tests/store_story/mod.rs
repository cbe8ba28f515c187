//! The story of a game as the store sees it, told on SQLite and on PostgreSQL. Every public
//! function of the store has its part in it.

use std::fs;
use std::path::Path;

use fieldcommand::store::{Kind, NewLetter, SheetRow, Store, StoreError, TurnSheet};

use crate::world::World;

/// Opening a game, its seats and sheets, its turns, its deadlines and its end.
mod turns;
/// Letters, and mails that come.
mod letters;
/// People, their browsers, and their going.
mod people;
/// Where the server stands, and copies of it.
mod operations;
/// What goes on between players: spectators, challenges, messages, offers, absences, computers.
mod company;
/// The organiser's desk.
mod admin;
/// Whom to tell that a game has changed.
mod webhooks;
/// What is asked once in a moment.
mod moments;

fn sheet(side: &str, turn: i64, body: &str) -> SheetRow {
    let (salt, seal) = (format!("salt of {body}"), format!("seal of {body}"));
    SheetRow { side: side.into(), turn, body: body.into(), salt, seal, sealed_at: 100, final_at: None }
}

fn turn_sheet(body: &str) -> TurnSheet {
    TurnSheet { how: "sealed".into(), body: body.into(), salt: "s".into(), seal: "h".into(), sealed_at: 100 }
}

fn letter<'a>(id: &'a str, seat: Option<(&'a str, i64, &'a str)>) -> NewLetter<'a> {
    NewLetter { id, kind: "report", seat, address: None, about: None, revision: 0, now: 1000 }
}

fn letter_to_red(id: &str) -> NewLetter<'_> {
    letter(id, Some(("g1", 0, "red")))
}

async fn story(world: &World) {
    let store = &world.store;
    turns::open(store).await;
    turns::invite(store).await;
    people::prove(store).await;
    turns::enter(store).await;
    turns::think(store).await;
    turns::hand_over(store).await;
    turns::resolve(store).await;
    turns::watch(store).await;
    letters::letters(store).await;
    letters::letters_back(store).await;
    company::company(store).await;
    company::challenge(store).await;
    company::write(store).await;
    letters::mail_in(store).await;
    admin::tokens(store).await;
    admin::browse(store).await;
    admin::acts(store).await;
    admin::mend(store).await;
    admin::look(store).await;
    webhooks::hooks(store).await;
    webhooks::tell(store).await;
    company::agree(store).await;
    company::stay_away(store).await;
    people::sign_in(store).await;
    people::remove(store).await;
    people::type_codes(store).await;
    turns::fall_due(store).await;
    company::compute(store).await;
    operations::processes(store).await;
    operations::news(store).await;
    operations::place(store).await;
    turns::end(store).await;
    moments::remember(store).await;
    moments::look_up(store).await;
    store.ping().await.unwrap();
    assert_eq!(store.clock().await.unwrap().is_some(), store.kind() == Kind::Postgres);
    let (copy, folder) = (world.path().join("copy.sqlite"), world.path().join("backups"));
    store.backup(&copy, 7).await.unwrap();
    assert!(store.backup(&copy, 7).await.is_err(), "nothing is overwritten");
    let restored = Store::open_sqlite(&copy).await.unwrap();
    restored.migrate(None).await.unwrap();
    let read = async |store: &Store| {
        store
            .read::<_, StoreError, _>(|tx| Box::pin(async move { Ok((tx.game("g1").await?, tx.place().await?)) }))
            .await
    };
    let (game, place) = read(&restored).await.unwrap();
    assert_eq!((game.unwrap().outcome.as_deref(), place.copied_at), (Some("red_wins"), Some(7)));
    assert_eq!(read(store).await.unwrap().1.copied_at, None, "the original is no copy");
    operations::carry_over(world, &restored).await;
    restored.close().await;
    if store.kind() == Kind::Sqlite {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("mine.sqlite"), "put aside by hand").unwrap();
        for day in 1..=9 {
            store.snapshot(&folder, &format!("daily-{day}"), 7).await.unwrap();
        }
        store.snapshot(&folder, "before-update-1", 7).await.unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 9, "seven snapshots are kept, and what is not one of them");
        // What a process left that was killed while it copied goes, and not what another is copying now.
        let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_hours(24);
        for (name, is_old) in
            [(".fieldcommand-killed", true), (".fieldcommand-killed-journal", true), (".fieldcommand-now", false)]
        {
            let file = fs::File::create(folder.join(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        store.snapshot(&folder, "daily-10", 7).await.unwrap();
        let parts = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(parts.filter(|name| name.starts_with('.')).collect::<Vec<_>>(), [".fieldcommand-now"]);
        assert!(!store.is_bare().await.unwrap());
        assert!(folder.join("daily-9.sqlite").is_file());
    }
}

#[tokio::test]
async fn the_story_on_sqlite() {
    let world = World::sqlite().await;
    story(&world).await;
    world.end().await;
}

#[tokio::test]
async fn the_story_on_postgresql() {
    let world = World::postgres().await;
    story(&world).await;
    world.end().await;
}

/// A public function of the store without a part in the story fails here.
#[test]
fn every_store_function_is_in_the_story() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let mut told = fs::read_to_string("tests/world/mod.rs").unwrap();
    for entry in fs::read_dir("tests/store_story").unwrap() {
        told += &fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    let mut number = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for function in text.split("pub async fn ").skip(1) {
            let name: String = function.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(
                told.contains(&format!(".{name}")) || told.contains(&format!("::{name}")),
                "{name} has no part in the story"
            );
            number += 1;
        }
    }
    assert!(number > 30, "{number} functions found");
}

/// SQLite may roll a transaction back by itself, as it does when the disk is full. The next one works again.
#[tokio::test]
async fn a_transaction_that_the_database_ended_spoils_no_other() {
    let world = World::sqlite().await;
    let address = format!("sqlite://{}", world.path().join("fieldcommand.sqlite").display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    sqlx::raw_sql("create trigger full_disk before insert on boards when new.hash = 'big' begin select raise(rollback, 'full'); end")
        .execute(&mut conn)
        .await
        .unwrap();
    let keep = |hash: &'static str| {
        world.store.write::<_, StoreError, _>(move |tx| Box::pin(async move { tx.keep_board(hash, "{}", 1).await }))
    };
    for _ in 0..3 {
        assert!(keep("big").await.is_err());
        assert_eq!(keep("small").await, Ok(()));
    }
    world.end().await;
}

/// A file that is no database is named at once.
#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fieldcommand.sqlite");
    fs::write(&file, [7; 8192]).unwrap();
    let error = Store::open_sqlite(&file).await.unwrap_err().to_string();
    assert!(error.contains("fieldcommand.sqlite") && error.contains("not a database"), "{error}");
}

/// A database that a newer server has used is left alone.
#[tokio::test]
async fn a_newer_schema_is_refused() {
    let world = World::sqlite().await;
    let file = world.path().join("fieldcommand.sqlite");
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}", file.display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    let backups = world.path().join("backups");

    sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'later', true, x'00', 0)")
        .execute(&mut conn)
        .await
        .unwrap();
    let error = world.store.migrate(Some((&backups, "before", 7))).await.unwrap_err().to_string();
    assert!(error.contains("newer server") && error.contains("9999"), "{error}");
    assert!(!backups.exists());
    world.end().await;
}

/// A PostgreSQL database of an older schema is brought up to date, without a snapshot: its own tools make those.
#[tokio::test]
async fn an_older_postgresql_is_brought_up_to_date() {
    let (server, name) = (crate::world::postgres(), format!("test_older_{}", std::process::id()));
    sqlx::any::install_default_drivers();
    let mut admin = <sqlx::AnyConnection as sqlx::Connection>::connect(&server).await.unwrap();
    let sql = |text: String| sqlx::raw_sql(sqlx::AssertSqlSafe(text));
    sql(format!("create database {name}")).execute(&mut admin).await.unwrap();
    let address = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    let first = sqlx::migrate!("./migrations").iter().take(1).cloned().collect();
    sqlx::migrate::Migrator::with_migrations(first).run(&mut conn).await.unwrap();
    sqlx::Connection::close(conn).await.unwrap();
    let (folder, store) = (tempfile::tempdir().unwrap(), Store::open_postgres(&address).await.unwrap());
    store.migrate(Some((folder.path(), "before", 7))).await.unwrap();
    assert!(store.is_current().await.unwrap());
    store.close().await;
    sql(format!("drop database {name} with (force)")).execute(&mut admin).await.unwrap();
}

/// A database of the first schema is carried on, after a snapshot of it; what was resolved before counts as watched.
#[tokio::test]
async fn an_older_schema_is_carried_on_after_a_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fieldcommand.sqlite");
    // The database of the first version: its migration alone, and a game with a letter.
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}?mode=rwc", file.display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    let first = sqlx::migrate!("./migrations").iter().take(1).cloned().collect();
    sqlx::migrate::Migrator::with_migrations(first).run(&mut conn).await.unwrap();
    for sql in [
        "insert into boards values ('b1', '{}', 1)",
        "insert into games values ('g1', 'b1', 'setup', 'red', 1, 4, 'dawn', 1, null, null, null)",
        "insert into seats values ('g1', 'red', 'Ann', 'ann@example.org', 1, 1, 'red link', 0)",
        "insert into seats values ('g1', 'blue', 'Ben', null, 1, 1, 'blue link', 1)",
        "insert into outbox values ('l1', 'report', 'g1', 3, 'red', 0, 9, 9, 0, null, null, null, null)",
    ] {
        sqlx::query(sql).execute(&mut conn).await.unwrap();
    }
    sqlx::Connection::close(conn).await.unwrap();
    let store = Store::open_sqlite(&file).await.unwrap();
    let backups = folder.path().join("backups");
    assert!(!store.is_current().await.unwrap());
    store.migrate(Some((&backups, "before-update", 7))).await.unwrap();
    assert!(store.is_current().await.unwrap());
    assert!(backups.join("before-update.sqlite").is_file(), "no snapshot was made");
    let (seat, letters) = store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move { Ok((tx.seat("g1", "red").await?.unwrap(), tx.claim_letters(9, 10, 9, None).await?)) })
        })
        .await
        .unwrap();
    assert_eq!((seat.name.as_deref(), seat.seen_turn), (Some("Ann"), Some(3)));
    assert_eq!(seat.confirmed_address.as_deref(), Some("ann@example.org"), "who got letters goes on getting them");
    assert_eq!((letters[0].id.as_str(), letters[0].turn), ("l1", Some(3)));
    store.migrate(Some((&backups, "again", 7))).await.unwrap();
    assert!(!backups.join("again.sqlite").exists(), "there was nothing to update");
    store.close().await;
}
