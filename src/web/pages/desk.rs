//! What is done on the table of a seat: touching, checking, taking a sealed sheet back, notes.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::play::draft::ToDraft;
use crate::play::thoughts::About;
use crate::play::{PlayError, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Look as _, seat_path};
use crate::web::pages::seat::{self, AtTable};
use crate::web::pages::session::{Held, Visitor};
use crate::web::pages::table::{Handling, Table, act, sent};
use crate::web::pages::watch;

/// What is said of a sheet that the computer has suggested.
const HINTED: &str = "This is what the computer would write. Undo brings back what stood here.";

/// The table alone, for the script that asked for it.
#[derive(Template)]
#[template(path = "pages/table_part.html")]
pub struct TablePart {
    /// The table.
    pub table: Table,
}

/// Whether the script asks for the table alone.
pub fn asks_for_part(headers: &HeaderMap) -> bool {
    headers.get("x-part").is_some_and(|part| part == "table")
}

/// POST /games/{id}/{side}/table: carries an act out on the sheet in the making and keeps it.
pub async fn post(
    State(state): State<WebState>,
    Held(seat): Held,
    visitor: Visitor,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let (mut text, before) = sent(&fields);
    let turn = fields.turn().map_err(|error| error.at(&seat).keeping(&text))?;
    if fields.text("set") == "forget" {
        state.play.forget_draft(&seat, turn).await.map_err(at(&seat))?;
        return Ok(frame::see(&seat_path(seat.game(), seat.side())));
    }
    if let Some(to_watch) = watch::first_now(&state, &seat, turn).await? {
        return Ok(to_watch);
    }
    if let Some(key) = fields.text("set").strip_prefix("kept ") {
        let kept = seat::kept(&state, &seat, &visitor).await?;
        text = kept.into_iter().find(|kept| kept.key == key).map_or(text, |kept| kept.text);
    }
    let mut hinted = false;
    if fields.text("set") == "hint" {
        if state.limits.hint(&format!("{} {}", seat.game(), seat.side().word())).is_err() {
            let error = PlayError::TooMany("Many hints were asked for here. Another one can be had in a few seconds.");
            return Err(at(&seat)(error).keeping(&text));
        }
        text = state.play.hint(&seat, turn).await.map_err(|error| at(&seat)(error).keeping(&text))?.sheet.canonical();
        hinted = true;
    }
    let look = Handling::of(&fields);
    let base = fields.has("base").then(|| fields.text("base").to_owned());
    let act = act(&fields).map(str::to_owned);
    let draft = ToDraft { turn, text: text.clone(), held: look.held.clone(), act, base, use_when_due: None };
    let table = match state.play.draft(&seat, draft).await {
        Ok(drafted) => {
            // A fill that cannot read the text says why; a text that cannot be read is shown with its error anyway.
            let said = match (&drafted.problem, drafted.said.is_empty()) {
                (Some(problem), true) => problem.to_string(),
                (None, _) if hinted => HINTED.into(),
                _ => drafted.said,
            };
            let before = before.filter(|before| *before != drafted.text);
            let held = if hinted { String::new() } else { drafted.held };
            AtTable { look: Handling { held, ..look }, said, text: Some(drafted.text), before }
        }
        Err(PlayError::DraftChanged) => AtTable {
            look: Handling { held: String::new(), ..look },
            said:
                "This sheet was changed on another device meanwhile; here it is now. Undo brings back what stood here."
                    .into(),
            text: None,
            before: Some(text),
        },
        Err(error @ PlayError::Field { .. }) => {
            AtTable { look, said: format!("Nothing was kept: {error}."), text: Some(text), before: None }
        }
        Err(error) => return Err(PageError::from(error).at(&seat).keeping(&text)),
    };
    if asks_for_part(&headers) {
        return part(&state, &seat, &visitor, table).await;
    }
    seat::with_table(&state, &seat, &visitor, StatusCode::OK, table).await
}

async fn part(state: &WebState, seat: &Seat, visitor: &Visitor, table: AtTable) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let past = seat::past(state, seat, &view, &table.look).await?;
    let kept = seat::kept(state, seat, visitor).await?;
    Ok(frame::page(StatusCode::OK, &TablePart { table: Table { kept, ..seat::table(&view, table, &past) } }))
}

/// POST /games/{id}/{side}/withdraw: takes a sealed sheet back.
pub async fn withdraw(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let turn = fields.turn().map_err(|error| error.at(&seat))?;
    match state.play.withdraw_sheet(&seat, turn).await {
        // A second press finds nothing to take back; the page shows that.
        Ok(()) | Err(PlayError::NotFound) => Ok(frame::see(&format!("{}#news", seat_path(seat.game(), seat.side())))),
        Err(error) => Err(at(&seat)(error)),
    }
}

/// POST /games/{id}/{side}/when-due: says whether what is written here shall be used when the turn is due.
pub async fn when_due(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let turn = fields.turn().map_err(|error| error.at(&seat))?;
    state.play.use_when_due(&seat, turn, fields.ticked("use")).await.map_err(at(&seat))?;
    Ok(frame::see(&format!("{}#news", seat_path(seat.game(), seat.side()))))
}

/// POST /games/{id}/{side}/notes: keeps or deletes a private note.
pub async fn note(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let text = fields.text("text");
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let about = match fields.text("about") {
        "place" => format!("place {}", fields.text("place")),
        about => about.to_owned(),
    };
    let known = |about: &About| !matches!(about, About::Turn(turn) if *turn > view.standing.turn());
    let Some(about) = About::read(&about, &view.setup).filter(known) else {
        let message = "The note was not kept: it must be about the game, a day, or a position from A1 to K11.";
        return Err(PageError::odd_form(message).at(&seat).keeping(text));
    };
    let text = if fields.ticked("delete") { "" } else { text };
    state.play.keep_note(&seat, &about, text).await.map_err(|error| at(&seat)(error).keeping(text))?;
    let here = seat_path(seat.game(), seat.side());
    Ok(frame::see(&match fields.text("back").parse::<u32>() {
        Ok(turn) if view.resolved.contains(&turn) => format!("{here}/days/{turn}"),
        _ => format!("{here}#notes"),
    }))
}
