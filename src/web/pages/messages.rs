//! What the two players of a game write to each other. Looking marks nothing as read; answering does, and a button.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::play::messages::{LONGEST, LONGEST_REASON, Thread, ToSend};
use crate::play::view::SeatView;
use crate::play::{PlayError, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, seat_path};
use crate::web::pages::session::Held;

/// What the address asks for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// Messages before this number.
    before: Option<i64>,
    /// Whether a report was just made.
    reported: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/messages.html")]
struct MessagesPage {
    frame: Frame,
    view: SeatView,
    thread: Thread,
    /// The opponent's name, or the side's.
    other: String,
    /// What was written and not sent.
    text: String,
    /// What is wrong with it.
    problem: Option<String>,
    /// Whether it is asked if it goes out though it looks like a sheet.
    looks_like_sheet: bool,
    reported: bool,
}

impl MessagesPage {
    fn of(view: SeatView, thread: Thread) -> MessagesPage {
        MessagesPage {
            frame: Frame::of_seat(&view, "Messages"),
            other: frame::name(&view.names, view.side.other()).to_owned(),
            view,
            thread,
            text: String::new(),
            problem: None,
            looks_like_sheet: false,
            reported: false,
        }
    }

    /// The number before which the earlier ones stand.
    fn first(&self) -> i64 {
        self.thread.messages.first().map_or(0, |message| message.number)
    }
}

fn path(seat: &Seat) -> String {
    format!("{}/messages", seat_path(seat.game(), seat.side()))
}

async fn load(state: &WebState, seat: &Seat, before: Option<i64>) -> Result<MessagesPage, PageError> {
    let thread = state.play.messages(seat, before).await.map_err(at(seat))?;
    let view = state.play.view(seat).await.map_err(at(seat))?;
    Ok(MessagesPage::of(view, thread))
}

/// GET /games/{id}/{side}/messages
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let mut page = load(&state, &seat, asked.before).await?;
    page.reported = asked.reported.is_some();
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /games/{id}/{side}/messages
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let text = fields.text("text");
    let message = ToSend { text: text.to_owned(), all_the_same: fields.ticked("all_the_same") };
    let (status, problem, looks_like_sheet) = match state.play.send_message(&seat, message).await {
        Ok(_) => return Ok(frame::see(&format!("{}#write", path(&seat)))),
        Err(PlayError::Field { field, problem }) => {
            (StatusCode::UNPROCESSABLE_ENTITY, frame::field_problem(field, &problem), false)
        }
        Err(error @ PlayError::LooksLikeSheet) => (StatusCode::CONFLICT, error.to_string(), true),
        Err(error) => return Err(at(&seat)(error).keeping(text)),
    };
    let page = load(&state, &seat, None).await?;
    let page = MessagesPage { text: text.to_owned(), problem: Some(problem), looks_like_sheet, ..page };
    Ok(frame::page(status, &page))
}

/// POST /games/{id}/{side}/messages/read: those up to `number`.
pub async fn read(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let number = fields
        .text("number")
        .parse()
        .map_err(|_| PageError::odd_form("The field “number” is not the number of a message: 1, 2 …").at(&seat))?;
    state.play.read_messages(&seat, number).await.map_err(at(&seat))?;
    Ok(frame::see(&path(&seat)))
}

/// POST /games/{id}/{side}/messages/mute: `on=1` or `on=`.
pub async fn mute(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    state.play.mute(&seat, fields.ticked("on")).await.map_err(at(&seat))?;
    Ok(frame::see(&path(&seat)))
}

/// POST /games/{id}/{side}/messages/report
pub async fn report(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let reason = fields.text("reason");
    match state.play.report_messages(&seat, reason).await {
        Ok(()) => Ok(frame::see(&format!("{}?reported=1", path(&seat)))),
        Err(PlayError::Field { field, problem }) => {
            let message = frame::field_problem(field, &problem);
            let title = "This form needs a change";
            Err(PageError::new(StatusCode::UNPROCESSABLE_ENTITY, title, message).at(&seat).keeping(reason))
        }
        Err(error) => Err(at(&seat)(error).keeping(reason)),
    }
}

/// GET of those addresses, as after a reload: back to the messages.
pub async fn back(Held(seat): Held) -> Response {
    frame::see(&path(&seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::messages::Message;
    use crate::rules::Side;
    use crate::web::pages::samples;

    #[test]
    fn messages_are_shown_as_they_were_written_and_harmless() {
        let mut view = samples::view();
        view.company.mailbox.open = true;
        view.company.mailbox.unread = 1;
        let message = |number, side, text: &str| Message { number, side, text: text.into(), at: samples::NOON };
        let messages = vec![message(7, Side::Red, "Hello"), message(8, Side::Blue, "<b>http://example.org</b>")];
        let mut page = MessagesPage::of(view, Thread { messages, earlier: true });
        let html = page.render().unwrap();
        assert!(html.contains("&#60;b&#62;http://example.org") && !html.contains("href=\"http://example.org"));
        assert!(html.contains("messages?before=7") && html.contains("name=\"number\" value=\"8\""));
        page.looks_like_sheet = true;
        page.text = "H7-F7".into();
        let html = page.render().unwrap();
        assert!(html.contains("name=\"all_the_same\"") && html.contains("H7-F7</textarea>"));
    }
}
