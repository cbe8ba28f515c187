//! The whole game to take along: as a record, which anybody can check without this server, and as a text.
//!
//! Both hold results, so a seat that has something to watch is led there first.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::play::Seat;
use crate::record;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

/// GET /games/{id}/{side}/record.json
pub async fn json(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let record = state.play.record(&seat).await.map_err(at(&seat))?;
    let json = record.json().map_err(|error| unwritten(&seat, &error))?;
    Ok(file(&seat, "json", "application/json", json))
}

/// GET /games/{id}/{side}/record.txt
pub async fn text(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let record = state.play.record(&seat).await.map_err(at(&seat))?;
    let replayed = record::replay(&record).map_err(|error| unwritten(&seat, &error))?;
    Ok(file(&seat, "txt", "text/plain; charset=utf-8", record::text(&record, &replayed)))
}

fn unwritten(seat: &Seat, error: &dyn std::fmt::Display) -> PageError {
    tracing::error!(game = %seat.game(), %error, "a record cannot be written");
    PageError::new(StatusCode::INTERNAL_SERVER_ERROR, "Not written", "The server could not write the record.").at(seat)
}

/// An answer that browsers keep as a file.
fn file(seat: &Seat, ending: &str, kind: &'static str, body: String) -> Response {
    let name = format!("attachment; filename=\"fieldcommand-{}.{ending}\"", seat.game());
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], body).into_response()
}
