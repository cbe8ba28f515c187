//! Letters, mails that came, blocks, and the log of what organisers did.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::session::Desk;
use crate::play::admin::block::DeskBlock;
use crate::play::admin::letters::{DeskLetter, LetterState};
use crate::play::admin::mails::DeskMail;
use crate::play::admin::{ActLine, Admin, Scope};
use crate::play::ledger::LetterFate;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

/// Where a list goes on, and what of it is asked for.
#[derive(Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    state: String,
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/admin/letters.html")]
struct LettersPage {
    frame: Frame,
    admin: Admin,
    /// Whether the organiser may do anything.
    acts: bool,
    /// The word of the list.
    chosen: &'static str,
    letters: Vec<DeskLetter>,
    next: Option<String>,
}

/// The lists of letters, with their names.
const LETTERS: [(&str, &str, LetterState); 3] = [
    ("failed", "given up", LetterState::Failed),
    ("returned", "came back", LetterState::Returned),
    ("waiting", "waiting", LetterState::Waiting),
];

/// GET /admin/letters?state=…
pub async fn letters(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let (chosen, _, wanted) = LETTERS.iter().find(|(word, ..)| *word == asked.state).unwrap_or(&LETTERS[0]);
    let page = state.play.desk_letters(&admin, *wanted, asked.after.as_deref()).await?;
    let next = page.next.map(|next| format!("/admin/letters?state={chosen}&after={next}"));
    let (frame, acts) = (Frame::plain("Letters on the desk"), admin.scope >= Scope::Act);
    let page = LettersPage { frame, acts, admin, chosen, letters: page.letters, next };
    Ok(frame::page(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "pages/admin/mails.html")]
struct MailsPage {
    frame: Frame,
    admin: Admin,
    mails: Vec<DeskMail>,
    next: Option<String>,
}

/// GET /admin/mails
pub async fn mails(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let page = state.play.desk_mails(&admin, asked.after.as_deref()).await?;
    let next = page.next.map(|next| format!("/admin/mails?after={next}"));
    let page = MailsPage { frame: Frame::plain("Mails that came"), admin, mails: page.mails, next };
    Ok(frame::page(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "pages/admin/log.html")]
struct LogPage {
    frame: Frame,
    admin: Admin,
    acts: Vec<ActLine>,
    next: Option<String>,
}

/// GET /admin/log
pub async fn log(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let page = state.play.admin_acts(&admin, None, asked.after).await?;
    let next = page.next.map(|next| format!("/admin/log?after={next}"));
    let page = LogPage { frame: Frame::plain("What organisers did"), admin, acts: page.acts, next };
    Ok(frame::page(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "pages/admin/blocks.html")]
struct BlocksPage {
    frame: Frame,
    admin: Admin,
    /// Whether the organiser may do anything.
    acts: bool,
    blocks: Vec<DeskBlock>,
    next: Option<String>,
}

/// GET /admin/blocks
pub async fn blocks(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let page = state.play.desk_blocks(&admin, asked.after).await?;
    let next = page.next.map(|next| format!("/admin/blocks?after={next}"));
    let (frame, acts) = (Frame::plain("Blocks"), admin.scope >= Scope::Act);
    Ok(frame::page(StatusCode::OK, &BlocksPage { frame, acts, admin, blocks: page.blocks, next }))
}
