//! The organiser's webhooks, and what became of what they were told.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::session::Desk;
use crate::play::admin::{Admin, Scope};
use crate::play::webhooks::{Ledger, Told};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

/// How many events of each stand here.
const MOST: usize = 10;

#[derive(Template)]
#[template(path = "pages/admin/webhooks.html")]
struct WebhooksPage {
    frame: Frame,
    admin: Admin,
    hooks: Vec<Ledger>,
    /// Whether the organiser may change any of them.
    owns: bool,
}

/// GET /admin/webhooks
pub async fn get(State(state): State<WebState>, Desk(admin): Desk) -> Result<Response, PageError> {
    let mut hooks = Vec::new();
    for hook in state.play.desk_webhooks(&admin).await? {
        let (hook, mut told) = state.play.desk_webhook(&admin, &hook.id).await?;
        told.truncate(MOST);
        hooks.push((hook, told));
    }
    let page = WebhooksPage { frame: Frame::plain("Webhooks"), owns: admin.scope >= Scope::Owner, admin, hooks };
    Ok(frame::page(StatusCode::OK, &page))
}
