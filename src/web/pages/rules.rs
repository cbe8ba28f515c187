//! The rules in short. Tables are computed from the rules that the server plays by.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use crate::web::pages::field_command::{self, Kind, Matchups, RULES_VERSION};
use crate::web::pages::frame::{self, Frame};

#[derive(Template)]
#[template(path = "pages/rules.html")]
struct RulesPage {
    frame: Frame,
    kinds: Vec<Kind>,
    matchups: Vec<Matchups>,
    house_rules: Vec<String>,
}

/// GET /rules
pub async fn get() -> Response {
    frame::page(StatusCode::OK, &rules())
}

fn rules() -> RulesPage {
    RulesPage {
        frame: Frame::plain("Rules"),
        kinds: field_command::kinds(),
        matchups: field_command::matchups(),
        house_rules: field_command::usual_house_rules(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_are_whole() {
        let html = rules().render().unwrap();
        assert_eq!(html.matches("<td class=\"wins").count() + html.matches("<td class=\"loses").count(), 2 * 72);
        assert_eq!(html.matches("<td class=\"both").count(), 2 * 9);
    }
}
