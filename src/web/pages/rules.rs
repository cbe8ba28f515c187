//! The rules in short. Tables and pictures are computed from the rules that the server plays by; what they
//! show can be chosen in the address, so that plain forms do.

use askama::Template;
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::picture::example;
use crate::rules::field_command::confrontation::{Removed, confront};
use crate::rules::field_command::story::removal;
use crate::rules::field_command::{Position, Unit, maps};
use crate::web::pages::field_command::{self, Kind, Matchups, RULES_VERSION};
use crate::web::pages::frame::{self, Frame};

/// What the address may ask for. What is none of the game's is answered with the usual example.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// Whose way is shown.
    unit: Option<String>,
    /// Who meets, Red's unit.
    red: Option<String>,
    /// And Blue's.
    blue: Option<String>,
    /// Where the gun stands.
    gun: Option<String>,
}

/// The way of a unit.
struct Way {
    unit: Unit,
    at: Position,
    picture: String,
}

/// A meeting in the forest and in the open field.
struct Meeting {
    red: Unit,
    blue: Unit,
    grounds: Vec<MeetingOn>,
}

/// A meeting on one ground.
struct MeetingOn {
    /// The ground in words.
    ground: &'static str,
    /// What is removed, in a sentence.
    end: String,
    picture: String,
}

/// A gun and what it covers.
struct Gun {
    at: Position,
    /// What was asked for, if it is no position.
    unknown: Option<String>,
    altitude: u8,
    covers: Vec<Position>,
    picture: String,
}

#[derive(Template)]
#[template(path = "pages/rules.html")]
struct RulesPage {
    frame: Frame,
    kinds: Vec<Kind>,
    matchups: Vec<Matchups>,
    house_rules: Vec<String>,
    units: [Unit; 9],
    way: Option<Way>,
    meeting: Meeting,
    gun: Option<Gun>,
}

/// GET /rules
pub async fn get(asked: Result<Query<Asked>, QueryRejection>) -> Response {
    frame::page(StatusCode::OK, &rules(asked.map(|Query(asked)| asked).unwrap_or_default()))
}

fn rules(asked: Asked) -> RulesPage {
    let unit = |asked: Option<String>, usual: Unit| {
        asked.and_then(|code| Unit::from_code(&code.trim().to_ascii_uppercase())).unwrap_or(usual)
    };
    RulesPage {
        frame: Frame::plain("Rules"),
        kinds: field_command::kinds(),
        matchups: field_command::matchups(),
        house_rules: field_command::usual_house_rules(),
        units: Unit::ALL,
        way: way(unit(asked.unit, Unit::Cavalry2)),
        meeting: meeting(unit(asked.red, Unit::Infantry2), unit(asked.blue, Unit::Cavalry1)),
        gun: gun(asked.gun),
    }
}

/// The way of a unit from the middle of the board.
fn way(unit: Unit) -> Option<Way> {
    let at = Position::parse("F6")?;
    Some(Way { unit, at, picture: example::reach("reach", unit, at) })
}

fn meeting(red: Unit, blue: Unit) -> Meeting {
    // A position in the forest and one in the open, away from the edges.
    let places = [("forest", "F8"), ("field", "E8")];
    let on = |(id, at): (&'static str, &str)| {
        let at = Position::parse(at)?;
        let ground = maps::classic().terrain(at).name();
        Some(MeetingOn { ground, end: ends(red, blue, at), picture: example::meeting(id, red, blue, at) })
    };
    Meeting { red, blue, grounds: places.into_iter().filter_map(on).collect() }
}

/// `In the forest Infantry removes Cavalry: Blue’s 1st Cavalry is removed.`
fn ends(red: Unit, blue: Unit, at: Position) -> String {
    let terrain = maps::classic().terrain(at);
    let gone = |side: &str, unit: Unit| {
        format!("{side}’s {} {} removed", unit.name(), if unit == Unit::Guerrillas { "are" } else { "is" })
    };
    let end = match confront(red, blue, terrain) {
        Removed::First => gone("Red", red),
        Removed::Second => gone("Blue", blue),
        Removed::Both => "both are removed".to_owned(),
    };
    let rule = removal(red, blue, terrain);
    let mut signs = rule.chars();
    let first = signs.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}: {end}.", signs.as_str())
}

fn gun(asked: Option<String>) -> Option<Gun> {
    let asked = asked.map(|asked| asked.trim().to_ascii_uppercase()).filter(|asked| !asked.is_empty());
    let known = asked.as_deref().and_then(Position::parse);
    let unknown = asked.filter(|_| known.is_none()).map(|asked| asked.chars().take(12).collect());
    let at = known.or_else(|| Position::parse("E7"))?;
    let board = maps::classic();
    let covers = board.sight(at).iter().collect();
    Some(Gun { at, unknown, altitude: board.ground(at).altitude, covers, picture: example::gun("gun", at) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(change: impl FnOnce(&mut Asked)) -> String {
        let mut asked = Asked::default();
        change(&mut asked);
        rules(asked).render().unwrap()
    }

    #[test]
    fn both_tables_are_whole() {
        let html = asking(|_| {});
        assert_eq!(html.matches("<td class=\"wins").count() + html.matches("<td class=\"loses").count(), 2 * 72);
        assert_eq!(html.matches("<td class=\"both").count(), 2 * 9);
    }

    #[test]
    fn two_units_meet_on_both_grounds() {
        let html = asking(|asked| {
            asked.red = Some("i2".into());
            asked.blue = Some("C1".into());
        });
        assert!(html.contains("In the forest Infantry removes Cavalry: Blue’s 1st Cavalry is removed."));
        assert!(html.contains("In the open field Cavalry removes Infantry: Red’s 2nd Infantry is removed."));
        assert!(html.contains("value=\"I2\" selected") && html.contains("value=\"C1\" selected"));
        let html = asking(|asked| asked.red = Some("queen".into()));
        assert!(html.contains("Blue’s 1st Cavalry is removed."));
    }

    #[test]
    fn a_gun_can_stand_anywhere_on_the_board() {
        let html = asking(|asked| asked.gun = Some(" f3 ".into()));
        assert!(html.contains("On F3, altitude 1, it covers one position: G3."), "{html}");
        let html = asking(|asked| asked.gun = Some("Z9<".into()));
        assert!(html.contains("There is no position Z9&#60;") && html.contains("On E7, altitude 3"), "{html}");
        // Nothing there is open field of a lower altitude, and nothing lies as low beside it.
        let blind = Position::all().find(|&at| maps::classic().sight(at).is_empty());
        if let Some(at) = blind {
            assert!(asking(|asked| asked.gun = Some(at.to_string())).contains("it covers nothing"));
        }
    }

    #[test]
    fn no_id_stands_twice_on_the_page() {
        let html = asking(|_| {});
        let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }

    #[test]
    fn every_lesson_is_linked_where_its_rule_stands() {
        let html = asking(|_| {});
        for lesson in &crate::rules::field_command::lessons::ALL {
            assert!(html.contains(&format!("href=\"/learn/{}\"", lesson.key)), "{}", lesson.key);
        }
    }
}
