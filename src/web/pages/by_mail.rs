//! How a game is played by mail: what can be written, and what becomes of it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::by_mail::{VERBS, Written};
use crate::rules::{Setup, Side, Standing, field_command};
use crate::web::WebState;
use crate::web::pages::frame::{self, Frame};

#[derive(Template)]
#[template(path = "pages/by_mail.html")]
struct ByMailPage {
    frame: Frame,
    /// Whether letters of this server can be answered.
    usable: bool,
    verbs: &'static [Written],
    /// A deployment, as it is written.
    deployment: String,
}

/// GET /by-mail
pub async fn get(State(state): State<WebState>) -> Response {
    frame::page(StatusCode::OK, &page(state.by_mail))
}

fn page(usable: bool) -> ByMailPage {
    let board = Arc::clone(field_command::maps::classic());
    let setup = field_command::Setup { board, no_removal_limit: 12, day_limit: 0 };
    let form = Standing::open(Setup::FieldCommand(setup)).entry_form(Side::Red);
    let deployment = form.presets.first().map(|preset| preset.text.trim_end().to_owned()).unwrap_or_default();
    ByMailPage { frame: Frame::plain("Playing by mail"), usable, verbs: VERBS, deployment }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_whether_this_server_takes_mail() {
        let html = page(true).render().unwrap();
        for words in ["SAY", "HOLD", "GN ", "Answer the newest letter"] {
            assert!(html.contains(words), "{words}: {html}");
        }
        assert!(!html.contains("takes no mail"));
        let html = page(false).render().unwrap();
        assert!(html.contains("takes no mail") && !html.contains("Answer the newest letter"), "{html}");
    }
}
