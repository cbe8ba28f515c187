//! What can be done about an opponent who stays away: claim the game, go on waiting, seek a substitute, or let the computer finish.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::bot::Level;
use crate::play::PlayError;
use crate::play::claim::Claim;
use crate::play::view::SeatView;
use crate::rules::Outcome;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

#[derive(Template)]
#[template(path = "pages/absent.html")]
struct AbsentPage {
    frame: Frame,
    view: SeatView,
    claim: Claim,
    /// Why the claim is open.
    why: String,
}

impl AbsentPage {
    fn of(view: SeatView, claim: Claim) -> AbsentPage {
        AbsentPage { frame: Frame::of_seat(&view, "Opponent away"), why: why(&view), claim, view }
    }

    /// Whether the claim brings a draw.
    fn draws(&self) -> bool {
        self.claim.outcome == Outcome::Draw
    }

    /// How many turns a claim that is not used waits.
    fn grace(&self) -> u32 {
        self.view.time.terms.missed_running
    }
}

/// Why a claim is open.
fn why(view: &SeatView) -> String {
    let (other, missed) = (view.side.other(), view.missed.get(view.side.other()));
    if view.opponent_present {
        format!(
            "{} has missed {} turns running and {} in all, and has sealed nothing for {} so far.",
            other.name(),
            missed.running,
            missed.all,
            frame::mid_sentence(&view.standing.turn_name())
        )
    } else {
        format!("{}’s seat is free, and nobody has taken it yet. Nothing is due until somebody does.", other.name())
    }
}

/// The sentence on the seat's page that leads to this one.
pub fn invites(view: &SeatView) -> Option<String> {
    view.time.claim?;
    let other = view.side.other().name();
    Some(if view.opponent_present {
        format!("{other} has stayed away for as many turns as this game allows.")
    } else {
        format!("{other}’s seat waits for a substitute.")
    })
}

/// GET /games/{id}/{side}/absent
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if view.ended.is_some() {
        return Err(at(&seat)(PlayError::GameOver));
    }
    let claim = view.time.claim.ok_or_else(|| at(&seat)(PlayError::NoClaim))?;
    Ok(frame::page(StatusCode::OK, &AbsentPage::of(view, claim)))
}

/// POST /games/{id}/{side}/absent
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    match fields.text("do") {
        "claim" => state.play.claim(&seat).await.map_err(at(&seat))?,
        "computer" => {
            let Some(level) = Level::from_word(fields.text("level")) else {
                return Err(PageError::odd_form("Choose how well the computer shall play.").at(&seat));
            };
            state.play.let_computer_finish(&seat, level).await.map_err(at(&seat))?;
        }
        "substitute" => state.play.seek_substitute(&seat).await.map_err(at(&seat))?,
        _ => {
            return Err(PageError::odd_form(
                "The form must say whether to claim, to seek a substitute, or to let the computer finish.",
            )
            .at(&seat));
        }
    }
    Ok(frame::see(&seat_path(seat.game(), seat.side())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn what_can_be_done_is_said_with_what_follows() {
        let (view, _) = samples::fought();
        let of = |outcome, substitute| AbsentPage::of(view.clone(), Claim { outcome, substitute }).render().unwrap();
        let html = of(Outcome::RedWins, true);
        assert!(html.contains("Claim the win") && html.contains("Seek a substitute"), "{html}");
        assert!(html.contains("Let the computer finish") && html.contains("erased unread, and the link"), "{html}");
        let html = of(Outcome::Draw, false);
        assert!(html.contains("Claim a draw") && !html.contains("Seek a substitute"), "{html}");
        assert!(html.contains("; the invitation is withdrawn."), "{html}");
    }
}
