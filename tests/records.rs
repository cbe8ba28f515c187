//! Records of whole games: they hold, they follow their schema, and whatever is changed in one is found and named.

use fieldcommand::play::PlayError;
use fieldcommand::play::proof;
use fieldcommand::record::{self, Record};
use fieldcommand::rules::{BySide, Outcome, Setup, Side};
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::command_line::run;
use crate::world::{HUNT, Player, World, exposed, new_game};

/// A game that Red wins on day 2, on whose first day Blue has sealed nothing.
pub async fn won(world: &World) -> Player {
    let table = world.table().await;
    table.red.deploys("balanced").await.unwrap();
    table.blue.submits(&exposed()).await.unwrap();
    for orders in HUNT {
        table.day(orders, "").await;
    }
    assert!(table.red.sees().await.ended.is_some());
    table.red
}

async fn record_of(player: &Player) -> Record {
    player.play.record(&player.seat).await.unwrap()
}

/// What the check finds wrong in a changed record.
fn wrong(record: &Value) -> Vec<String> {
    let record = Record::read(record.to_string().as_bytes()).unwrap();
    record::replay(&record).unwrap().wrong.into_iter().map(|finding| finding.line).collect()
}

/// The schema in the documents.
pub fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(include_str!("../docs/record.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// A game with a last day ends there as a draw, says so beforehand, and its record proves it.
#[tokio::test]
async fn a_game_may_have_a_last_day() {
    for world in World::both().await {
        let mut new = new_game(12, "");
        let Setup::FieldCommand(setup) = &mut new.setup;
        setup.day_limit = 1000;
        assert!(matches!(world.play.open(new.clone()).await, Err(PlayError::Field { field: "day_limit", .. })));
        let Setup::FieldCommand(setup) = &mut new.setup;
        setup.day_limit = 4;
        let table = world.seated(new, "").await;
        assert!(
            table.red.sees().await.setup.house_rules().contains(&"The game ends as a draw after day 4.".to_owned())
        );
        table.deploy().await;
        for day in 1..=4 {
            let view = table.red.sees().await;
            let near = view.standing.quiet();
            assert_eq!(near, (day >= 2).then(|| format!("Day {day} of 4: after day 4 the game is a draw.")));
            assert_eq!(view.ended, None);
            table.day("", "").await;
        }
        let ended = table.red.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, &*ended.how),
            (Some(Outcome::Draw), "The last day of this game is over: the game is a draw.")
        );
        let record = record_of(&table.red).await;
        let value: Value = serde_json::from_str(&record.json().unwrap()).unwrap();
        assert_eq!(value["setup"]["day_limit"], 4);
        assert_eq!(schema().iter_errors(&value).count(), 0);
        let replayed = record::replay(&record).unwrap();
        assert_eq!(replayed.wrong, []);
        assert!(record::text(&record, &replayed).contains("The game ends as a draw after day 4."));
        let mut longer = value.clone();
        longer["setup"]["day_limit"] = json!(5);
        assert!(!wrong(&longer).is_empty(), "the running hash holds the last day too");
        world.end().await;
    }
}

#[tokio::test]
async fn a_record_holds_and_follows_the_schema() {
    for world in World::both().await {
        let red = won(&world).await;
        let record = record_of(&red).await;
        let json = record.json().unwrap();
        let read = Record::read(json.as_bytes()).unwrap();
        assert_eq!(read.json().unwrap(), json, "what is read is what was written");
        let value: Value = serde_json::from_str(&json).unwrap();
        let errors: Vec<String> = schema().iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        let replayed = record::replay(&read).unwrap();
        assert_eq!((replayed.wrong.len(), replayed.turns.len()), (0, 3));
        let text = record::text(&read, &replayed);
        for said in [
            "Ann (Red) against Ben (Blue)",
            "Red’s sheet, sealed 2026-01-01",
            "  I4-G4",
            "(no orders)",
            "the running hash hold",
        ] {
            assert!(text.contains(said), "{text}");
        }
        // Both have the same, and it is that of the pages and letters.
        let turn = red.play.turn(&red.seat, 2).await.unwrap();
        assert_eq!(turn.chain, record.turns[2].chain);
        world.end().await;
    }
}

#[tokio::test]
async fn what_is_changed_is_named() {
    let world = World::sqlite().await;
    let record = serde_json::to_value(record_of(&won(&world).await).await).unwrap();
    assert_eq!(wrong(&record), Vec::<String>::new());
    let changed = |path: &str, value: Value| {
        let mut changed = record.clone();
        *changed.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        wrong(&changed)
    };
    let zeros = "0".repeat(64);
    let first = |path: &str, value: Value, said: &str| {
        let found = changed(path, value);
        assert!(found.first().is_some_and(|line| line.contains(said)), "{path}: {found:?}");
    };
    first("/turns/1/red/text", json!("I4-G5"), "Day 1, Red: the sheet has another seal");
    first("/turns/1/blue/salt", json!("0".repeat(32)), "Day 1, Blue: the sheet has another seal");
    first("/turns/2/red/seal", json!(zeros), "Day 2, Red: the sheet has another seal");
    first("/turns/1/blue/how", json!("missed"), "Day 1: the turn does not follow");
    first("/turns/0/chain", json!(zeros), "Deployment: the turn does not follow");
    first("/turns/1/report_hash", json!(zeros), "Day 1: the turn has another result");
    first("/turns/2/red/text", json!("nonsense"), "Day 2, Red: the sheet has another seal");
    first("/setup/no_removal_limit", json!(11), "Deployment: the turn does not follow");
    first("/game", json!("zzzzzzzzzzzz"), "Deployment, Red: the sheet has another seal");
    first("/ending", Value::Null, "The game says nothing of its end, but the board does");
    first("/ending/cause", json!("resignation"), "The game ended otherwise");
    first("/ending/outcome", json!("blue_wins"), "The game ended otherwise");
    // A turn that is taken out, or comes after the end.
    let mut shorter = record.clone();
    shorter["turns"].as_array_mut().unwrap().remove(1);
    assert_eq!(wrong(&shorter), ["Day 2: the turn stands where Day 1 is expected."]);
    let mut longer = record.clone();
    let again = longer["turns"][2].clone();
    longer["turns"].as_array_mut().unwrap().push(again);
    assert!(wrong(&longer)[0].contains("though the game had ended"), "{:?}", wrong(&longer));
    // One change is told once: what stands behind it is measured by what is written.
    assert_eq!(changed("/turns/1/blue/how", json!("draft")).len(), 1);
    let mut draft = record.clone();
    draft["turns"][1]["blue"]["how"] = json!("draft");
    let draft = Record::read(draft.to_string().as_bytes()).unwrap();
    let noted = record::replay(&draft).unwrap().not_committed;
    assert_eq!((noted.len(), noted[0].side), (1, Some(Side::Blue)));
    assert!(noted[0].line.starts_with("Day 1, Blue: the sheet was not sealed"), "{}", noted[0].line);
    world.end().await;
}

#[tokio::test]
async fn what_is_no_record_is_refused_in_words() {
    let world = World::sqlite().await;
    let record = serde_json::to_value(record_of(&won(&world).await).await).unwrap();
    let refused = |record: &Value| {
        Record::read(record.to_string().as_bytes())
            .and_then(|record| record::replay(&record).map(|_| ()))
            .unwrap_err()
            .to_string()
    };
    for (path, value, said) in [
        ("/format", json!(2), "has format 2"),
        ("/format", json!("1"), "is missing"),
        ("/game", json!("../../x"), "game: is not the id"),
        ("/turns/1/red/how", json!("guessed"), "turns[1].red.how"),
        ("/turns/1/resolved_at", json!("yesterday"), "turns[1].resolved_at"),
        ("/board/altitude", json!([]), "board: "),
        ("/setup/rules", json!("field_command/9"), "setup"),
    ] {
        let mut changed = record.clone();
        *changed.pointer_mut(path).unwrap() = value;
        assert!(refused(&changed).contains(said), "{path}: {}", refused(&changed));
    }
    for (start, said) in [
        (
            json!({"rules": "field_command/1", "turn": 3, "quiet_days": 0, "red": "GNK1", "blue": "GNA1", "ending": null}),
            "only the two Generals",
        ),
        (
            json!({"rules": "field_command/1", "turn": 4_294_967_295_u32, "quiet_days": 0, "red": "GNK1 I2K2", "blue": "GNA1", "ending": null}),
            "from 1 to 9999",
        ),
        (
            json!({"rules": "field_command/1", "turn": 3, "quiet_days": 0, "red": "I2K2 GNK1", "blue": "GNA1", "ending": null}),
            "not written as",
        ),
        (
            json!({"rules": "field_command/1", "turn": 3, "quiet_days": 0, "red": "GNK1 I2K1", "blue": "GNA1", "ending": null}),
            "start: ",
        ),
    ] {
        let mut changed = record.clone();
        changed["start"] = start;
        assert!(refused(&changed).contains(said), "{}", refused(&changed));
    }
    assert!(Record::read(b"{").is_err() && Record::read(b"[]").is_err() && Record::read(b"\xff").is_err());
    assert!(Record::read(&vec![b' '; record::LONGEST + 1]).unwrap_err().to_string().contains("may have"));
    world.end().await;
}

#[tokio::test]
async fn the_program_checks_records_and_the_archive() {
    let world = World::sqlite().await;
    let red = won(&world).await;
    let file = |name: &str, text: &str| {
        let path = world.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let json = record_of(&red).await.json().unwrap();
    let (good, bad) = (file("good.json", &json), file("bad.json", &json.replace("I4-G4", "I4-G5")));
    let none = file("none.json", "{}");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let answer = run(&["verify", &good], b"");
    assert_eq!(answer.status.code(), Some(0), "{}", text(&answer.stderr));
    assert!(text(&answer.stdout).contains("3 turns were played again: every seal"), "{}", text(&answer.stdout));
    let answer = run(&["verify", "-", &bad], json.as_bytes());
    assert_eq!(answer.status.code(), Some(1));
    assert!(text(&answer.stdout).contains("Day 1, Red: the sheet has another seal"), "{}", text(&answer.stdout));
    let answer = run(&["verify", &none, &good], b"");
    assert_eq!(answer.status.code(), Some(2));
    assert!(text(&answer.stdout).contains("this is no record"), "{}", text(&answer.stdout));
    assert_eq!(run(&["verify", "/nowhere.json"], b"").status.code(), Some(2));
    let answer = run(&["verify", "--json", &bad, &none], b"");
    let lines: Vec<Value> = text(&answer.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["holds"], &lines[0]["wrong"][0]["turn"], &lines[0]["wrong"][0]["side"]),
        (&json!(false), &json!(1), &json!("red"))
    );
    assert!(lines[1]["error"].is_string());

    // The whole archive, while another process has it open.
    let data = world.path().display().to_string();
    let answer = run(&["verify", "--data", &data], b"");
    assert_eq!(answer.status.code(), Some(0), "{}{}", text(&answer.stdout), text(&answer.stderr));
    assert!(text(&answer.stdout).contains("1 games with 3 turns"), "{}", text(&answer.stdout));
    let address = format!("sqlite://{}", world.path().join("fieldcommand.sqlite").display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    conn.execute(
        "update turns set standing = replace(standing, '\"quiet_days\":0', '\"quiet_days\":1') where turn = 0",
    )
    .await
    .unwrap();
    let answer = run(&["verify", "--json", "--data", &data], b"");
    assert_eq!(answer.status.code(), Some(1), "{}", text(&answer.stderr));
    assert!(text(&answer.stdout).contains("Deployment: the standing"), "{}", text(&answer.stdout));
    let empty = tempfile::tempdir().unwrap();
    let answer = run(&["verify", "--data", &empty.path().display().to_string()], b"");
    assert_eq!((answer.status.code(), empty.path().read_dir().unwrap().count()), (Some(2), 0), "nothing is made");
    world.end().await;
}

/// Turns of a database from before the running hash have the same one as if they had kept it.
#[tokio::test]
async fn old_turns_have_their_running_hash() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        table.day("G8-F8", "").await;
        let red = &table.red;
        let before = record_of(red).await;
        world.forget_chains().await;
        assert_eq!(record_of(red).await, before);
        assert_eq!(red.play.turn(&red.seat, 1).await.unwrap().chain, before.turns[1].chain);
        table.day("F8-E8", "").await;
        let after = record_of(red).await;
        assert_eq!(record::replay(&after).unwrap().wrong, []);
        let checked = proof::check_kept(&world.store, red.seat.game().as_str()).await.unwrap();
        assert_eq!((checked.turns, checked.wrong), (3, vec![]));
        world.end().await;
    }
}

/// Turns from before migration 25 have their salts and hashes in hexadecimal digits; they say the same.
#[tokio::test]
async fn old_turns_keep_their_hashes() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        table.day("G8-F8", "").await;
        let red = &table.red;
        let before = record_of(red).await;
        assert_eq!(world.hashes_in_digits().await, 2);
        assert_eq!(record_of(red).await, before);
        table.day("F8-E8", "").await;
        let after = record_of(red).await;
        assert_eq!(after.turns[..2], before.turns);
        assert_eq!(record::replay(&after).unwrap().wrong, []);
        let checked = proof::check_kept(&world.store, red.seat.game().as_str()).await.unwrap();
        assert_eq!((checked.turns, checked.wrong), (3, vec![]));
        // A program from before that still runs makes no running hash of what it would take for the one before.
        let mut conn = sqlx::AnyConnection::connect(&world.address()).await.unwrap();
        let error = conn.execute("select chain from turns").await.unwrap_err().to_string();
        assert!(error.contains("chain"), "{error}");
        conn.close().await.unwrap();
        world.end().await;
    }
}

/// The standing is kept after few turns; before the others it is played again from the last that is kept.
#[tokio::test]
async fn standings_between_are_played_again() {
    for world in World::both().await {
        let table = world.table_with(0, ["", ""]).await;
        table.deploy().await;
        let mut seen = Vec::new();
        for day in 1..=13 {
            seen.push(table.red.sees().await.standing);
            table.day(if day % 2 == 1 { "G8-F8" } else { "F8-G8" }, "").await;
        }
        assert_eq!(world.count("turns where standing <> ''").await, 2, "of the deployment and of day 10");
        let red = &table.red;
        for (day, standing) in (1..).zip(&seen) {
            let turn = red.play.turn(&red.seat, day).await.unwrap();
            let read = |side: Side| standing.parse(side, &turn.sheets.get(side).text).unwrap();
            let sheets = BySide { red: read(Side::Red), blue: read(Side::Blue) };
            assert_eq!(standing.resolve(sheets.as_ref()).1, turn.report, "day {day}");
        }
        let checked = proof::check_kept(&world.store, red.seat.game().as_str()).await.unwrap();
        assert_eq!((checked.turns, checked.wrong), (14, vec![]));
        world.end().await;
    }
}
