//! The letters of a seat: what became of each, and stopping them. They are stopped from the seat's page, and from a
//! page whose address stands in each letter: looking at that does nothing, and its button needs no session (RFC 8058).

use askama::Template;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::ledger::{LetterFate, LetterLine};
use crate::play::stopped::Stopped;
use crate::play::view::SeatView;
use crate::play::{Seat, Secret};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, players, seat_path};
use crate::web::pages::session::Held;

/// What became of a seat's letters.
#[derive(Template)]
#[template(path = "pages/letters.html")]
struct LettersPage {
    frame: Frame,
    view: SeatView,
    letters: Vec<LetterLine>,
}

impl LettersPage {
    /// Why no letters come, in a sentence.
    fn stopped(&self) -> Option<String> {
        own_words(&self.view)
    }
}

/// GET /games/{id}/{side}/letters
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let letters = state.play.letters(&seat).await.map_err(at(&seat))?;
    let frame = Frame::of_seat(&view, "Letters");
    Ok(frame::page(StatusCode::OK, &LettersPage { frame, view, letters }))
}

/// POST /games/{id}/{side}/letters: `do=stop` or `do=resume`.
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    match fields.text("do") {
        "stop" => state.play.stop_letters(&seat).await.map_err(at(&seat))?,
        "resume" => state.play.resume_letters(&seat).await.map_err(at(&seat))?,
        _ => return Err(PageError::odd_form("The field “do” is stop or resume.").at(&seat)),
    }
    Ok(frame::see(&format!("{}/letters", seat_path(seat.game(), seat.side()))))
}

/// The page whose address stands in each letter.
#[derive(Template)]
#[template(path = "pages/unsubscribe.html")]
struct UnsubscribePage {
    frame: Frame,
    /// Ann against Ben.
    players: String,
    side: Side,
    /// Whether letters are stopped.
    stopped: bool,
    action: String,
    seat: String,
}

impl UnsubscribePage {
    async fn of(state: &WebState, seat: &Seat, secret: &Secret) -> Result<UnsubscribePage, PageError> {
        let view = state.play.view(seat).await?;
        let stopped = view.stopped.get(view.side).is_some();
        Ok(UnsubscribePage {
            frame: Frame::plain(if stopped { "No more letters" } else { "Stop the letters?" }),
            players: players(&view.names, Side::Red),
            side: view.side,
            stopped,
            action: format!("/letters/{}", secret.reveal()),
            seat: seat_path(&view.game, view.side),
        })
    }
}

/// GET /letters/{secret}
pub async fn ask(State(state): State<WebState>, Path(secret): Path<String>) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let seat = state.play.seat_of_unsubscribing(&secret).await?;
    Ok(frame::page(StatusCode::OK, &UnsubscribePage::of(&state, &seat, &secret).await?))
}

/// POST /letters/{secret}: what mail programs send stops the letters, whatever form it has; the page's own button may
/// also let them go again.
pub async fn act(
    State(state): State<WebState>,
    Path(secret): Path<String>,
    body: Bytes,
) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let seat = state.play.seat_of_unsubscribing(&secret).await?;
    if *body == *b"do=resume" {
        state.play.resume_letters(&seat).await?;
    } else {
        state.play.stop_letters(&seat).await?;
    }
    Ok(frame::page(StatusCode::OK, &UnsubscribePage::of(&state, &seat, &secret).await?))
}

/// Why a seat's own letters do not come, in a sentence.
pub fn own_words(view: &SeatView) -> Option<String> {
    Some(match (*view.stopped.get(view.side))? {
        Stopped::Unwanted(at) => format!("You have stopped the letters about this game, {}.", at.shown().plain()),
        Stopped::Returned(at) => format!(
            "Letters to {} came back, so none have left since {}. Give another address, or turn them on again once mail \
             arrives there.",
            view.address.as_deref().unwrap_or("your address"),
            at.shown().plain()
        ),
    })
}

/// Why the opponent gets no letters, in a sentence.
pub fn opponents_words(view: &SeatView) -> Option<String> {
    let other = view.side.other();
    let who = frame::name(&view.names, other);
    Some(match (*view.stopped.get(other))? {
        Stopped::Unwanted(_) => format!("{who} gets no letters about this game."),
        Stopped::Returned(_) => format!("Mail to {who} does not arrive: letters come back."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::letters::LetterKind;
    use crate::web::pages::samples;

    fn line(fate: LetterFate) -> LetterLine {
        LetterLine { kind: LetterKind::Report, turn: Some(1), queued_at: samples::NOON, fate, attempts: 2 }
    }

    #[test]
    fn each_letter_says_what_became_of_it() {
        let mut view = samples::view();
        view.address = Some("ann@example.org".into());
        let back = LetterFate::CameBack {
            sent: Some(samples::NOON),
            at: samples::NOON,
            hard: true,
            why: "5.1.1 <nobody>".into(),
        };
        let letters = vec![
            line(LetterFate::Waits { until: samples::NOON, why: Some("451 later".into()) }),
            line(LetterFate::Sent(samples::NOON)),
            line(LetterFate::GivenUp { at: samples::NOON, why: "550 no".into() }),
            line(back),
        ];
        let html = LettersPage { frame: Frame::of_seat(&view, "Letters"), view, letters }.render().unwrap();
        for words in ["451 later", "Sent", "550 no", "Came back", "5.1.1 &#60;nobody&#62;", "Stop these letters"] {
            assert!(html.contains(words), "{words}: {html}");
        }
    }

    #[test]
    fn both_sides_are_told_that_letters_are_stopped() {
        let mut view = samples::view();
        assert_eq!((own_words(&view), opponents_words(&view)), (None, None));
        *view.stopped.get_mut(view.side) = Some(Stopped::Returned(samples::NOON));
        *view.stopped.get_mut(view.side.other()) = Some(Stopped::Unwanted(samples::NOON));
        assert!(own_words(&view).unwrap().contains("came back"));
        assert!(opponents_words(&view).unwrap().contains("gets no letters"));
    }
}
