//! What the organiser did in a game, for its players, and their answer where they are asked to agree.

use axum::extract::State;
use axum::response::Response;

use crate::play::view::SeatView;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, name, seat_path};
use crate::web::pages::session::Held;

/// POST /games/{id}/{side}/consent: `do=agree` or `do=decline`.
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let agrees = match fields.text("do") {
        "agree" => true,
        "decline" => false,
        _ => return Err(PageError::odd_form("The field “do” is agree or decline.").at(&seat)),
    };
    state.play.answer_reissue(&seat, agrees).await.map_err(at(&seat))?;
    Ok(frame::see(&seat_path(seat.game(), seat.side())))
}

/// That the opponent is an organiser, if so.
pub fn opponent_words(view: &SeatView) -> Option<String> {
    let other = view.side.other();
    view.organiser.plays.get(other).then(|| {
        format!(
            "{} is an organiser of this server too. Organisers see whether you have sealed, never what; in a game of \
             their own they can do nothing as organisers.",
            name(&view.names, other)
        )
    })
}
