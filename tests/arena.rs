//! The computer player from a shell: `fieldcommand bot` and `fieldcommand arena`.

use serde_json::{Value, json};

use crate::command_line::run;

fn answers(input: &str) -> Vec<Value> {
    let output = run(&["bot", "--budget", "2000"], input.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn bot_answers_each_line_with_a_whole_deployment_or_with_orders() {
    for level in ["easy", "medium", "hard"] {
        let deploy = json!({"side": "red", "level": level, "seed": 7, "map": "classic", "deploy": true}).to_string();
        let deployed = answers(&deploy);
        let units = deployed[0]["units"].as_array().unwrap();
        assert_eq!(units.len(), 40);
        // The armies stand against each other: Red's as it was deployed, Blue's the same turned by half a turn.
        let mut board = Vec::new();
        for unit in units {
            let at = unit["at"].as_str().unwrap();
            let (row, column) = (at.as_bytes()[0], at[1..].parse::<u8>().unwrap());
            let turned = format!("{}{}", char::from(b'A' + (b'K' - row)), 12 - column);
            board.push(json!({"side": "red", "unit": unit["unit"], "at": at}));
            board.push(json!({"side": "blue", "unit": unit["unit"], "at": turned}));
        }
        let day = json!({"side": "blue", "level": level, "seed": 8, "map": "classic", "units": board}).to_string();
        let ordered = answers(&format!("{day}\n{day}\n"));
        assert_eq!(ordered[0], ordered[1], "the same request gets the same answer");
        let orders = ordered[0]["orders"].as_array().unwrap();
        assert!((1..=12).contains(&orders.len()), "{level}: {orders:?}");
        let adjudicated = json!({"map": "classic", "units": board, "orders": {"red": [], "blue": orders}}).to_string();
        let output = run(&["adjudicate"], adjudicated.as_bytes());
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let verdicts = result["orders"]["blue"].as_array().unwrap();
        assert!(verdicts.iter().all(|verdict| verdict["legal"] == json!(true)), "{level}: {verdicts:?}");
    }
}

#[test]
fn bot_says_what_is_wrong_with_a_line_and_reads_on() {
    let good = r#"{"side":"red","level":"easy","seed":1,"map":"ridge","deploy":true}"#;
    let lone = r#""units":[{"side":"red","unit":"GN","at":"K1"},{"side":"blue","unit":"GN","at":"A1"}]"#;
    for (line, named) in [
        ("{".to_owned(), "line 1"),
        ("[1]".to_owned(), "a request is a JSON object"),
        (good.replace("easy", "expert"), "level"),
        (good.replace("ridge", "moon"), "moon"),
        (good.replace("\"red\"", "\"green\""), "side"),
        (good.replace("\"seed\":1,", ""), "seed"),
        (good.replace("\"seed\":1", "\"seed\":-1"), "seed"),
        (good.replace("\"deploy\":true", "\"deploy\":true,\"hint\":1"), "hint"),
        (good.replace("\"deploy\":true", lone), "only the two Generals"),
        (good.replace("\"deploy\":true", &format!("\"deploy\":true,{lone}")), "units"),
        (good.replace(",\"deploy\":true", ""), "units: missing"),
        (good.replace("\"deploy\":true", &lone.replace("A1", "K1")), "units[1]"),
        (good.replace("\"deploy\":true", &lone.replace("\"GN\",\"at\":\"A1\"", "\"I2\",\"at\":\"A1\"")), "General"),
    ] {
        let answers = answers(&format!("{line}\n\n{good}\n"));
        assert_eq!(answers.len(), 2, "{line}");
        assert!(answers[0]["error"].as_str().is_some_and(|error| error.contains(named)), "{line}: {}", answers[0]);
        assert_eq!(answers[1]["units"].as_array().unwrap().len(), 40);
    }
}

#[test]
fn arena_plays_the_same_games_for_the_same_seed_and_its_records_hold() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records").display().to_string();
    let play = |more: &[&str]| {
        let arguments = ["arena", "--red", "medium", "--blue", "easy", "--games", "6", "--seed", "3", "--both-colours"];
        let output = run(&[&arguments[..], more].concat(), b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        // All but the times.
        text.lines().filter(|line| !line.contains(" ms ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let told = play(&["--records", &records, "--threads", "2"]);
    assert_eq!(told, play(&["--threads", "1"]));
    assert_eq!(told[0], "medium against easy, 6 games");
    assert!(told[1].starts_with("  won ") && told[2].contains("95 % interval"), "{told:?}");
    let files: Vec<String> = (1..=6).map(|n| format!("{records}/{n:05}.json")).collect();
    let arguments: Vec<&str> = std::iter::once("verify").chain(files.iter().map(String::as_str)).collect();
    let verified = run(&arguments, b"");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let one: Value = serde_json::from_slice(&std::fs::read(&files[0]).unwrap()).unwrap();
    assert_eq!(one["players"], json!({"red": "Computer (medium)", "blue": "Computer (easy)"}));
}
