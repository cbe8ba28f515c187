//! Games for measuring: `fieldcommand seed`.

use std::process::{Command, Output};

use serde_json::Value;

use crate::world::World;

fn run(world: &World, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
    command.args(arguments).arg("--data").arg(world.path()).env("FIELDCOMMAND_CONFIG", "");
    if world.address().starts_with("postgres") {
        command.args(["--database-url", &world.address()]);
    }
    command.output().unwrap()
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap()
}

/// The games are as a server would have left them: each can be proven, and the running ones can be played.
#[tokio::test]
async fn seeded_games_hold() {
    for world in World::both().await {
        world.store.close().await;
        let seeded = run(&world, &["seed", "--games", "6", "--running", "2"]);
        assert!(seeded.status.success(), "{}", text(&seeded.stderr));
        let lines: Vec<Value> = text(&seeded.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        for line in &lines {
            assert!(line["turn"].as_u64().unwrap() > 0 && line["red"] != line["blue"], "{line}");
            let status = format!("games where id = '{}' and due_at is not null", line["game"].as_str().unwrap());
            assert_eq!(world.count(&status).await, 1);
        }
        let seats = "seats join games on games.id = seats.game_id where taken_at is not null and ended_at is not null";
        assert_eq!(world.count(seats).await, 8);
        let verified = run(&world, &["verify"]);
        assert!(verified.status.success(), "{}", text(&verified.stdout));
        assert!(text(&verified.stdout).starts_with("6 games with "), "{}", text(&verified.stdout));
        // What is there is not mixed with games for measuring.
        let again = run(&world, &["seed", "--games", "1"]);
        assert_eq!(again.status.code(), Some(1));
        assert!(text(&again.stderr).contains("there are games in this database"), "{}", text(&again.stderr));
        world.end().await;
    }
}
