//! A draw by agreement, and going on from an earlier day by agreement: one page for each, on which it is offered, or
//! the offer that stands is answered or withdrawn.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::agree::{OfferAct, OfferKind, OfferView, ToAgree};
use crate::play::view::SeatView;
use crate::play::{PlayError, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, mid_sentence, seat_path};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

/// An offer in words, for one of the two who see it.
pub struct OfferWords {
    /// What it says, in a sentence.
    pub sentence: String,
    /// Where it is answered or withdrawn.
    pub path: String,
    /// What the link there says.
    pub link: &'static str,
}

/// The offers that a seat sees, in words.
pub fn offers(view: &SeatView) -> Vec<OfferWords> {
    let words = |offer: &OfferView| {
        let own = offer.by == view.side;
        let who = if own { "You offer".to_owned() } else { format!("{} offers", offer.by.name()) };
        OfferWords {
            sentence: format!("{who} {}.", what(view, offer)),
            path: format!("{}/{}", seat_path(&view.game, view.side), offer.kind.word()),
            link: if own { "Withdraw it" } else { "Answer" },
        }
    };
    view.offers.iter().map(words).collect()
}

/// What is offered: `a draw`.
fn what(view: &SeatView, offer: &OfferView) -> String {
    match (offer.kind, offer.from_turn) {
        (OfferKind::Continue, Some(turn)) => {
            format!("to go on from the dawn of {} in a new game", mid_sentence(&view.setup.turn_name(turn)))
        }
        _ => "a draw".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "pages/agree.html")]
struct AgreePage {
    frame: Frame,
    action: String,
    turn: u32,
    question: String,
    explanation: String,
    /// The offer that stands: whether it is the reader's own, and since when.
    stands: Option<(bool, String)>,
    from_turn: Option<u32>,
    /// The days to choose from, the newest first, where a day is chosen.
    days: Vec<(u32, String)>,
    /// What the button that agrees says.
    agree: String,
}

/// GET /games/{id}/{side}/draw
pub async fn ask_draw(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    ask(&state, &seat, OfferKind::Draw).await
}

/// POST /games/{id}/{side}/draw
pub async fn draw(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    act(&state, &seat, OfferKind::Draw, &fields).await
}

/// GET /games/{id}/{side}/continue
pub async fn ask_continue(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    ask(&state, &seat, OfferKind::Continue).await
}

/// POST /games/{id}/{side}/continue
pub async fn go_on(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    act(&state, &seat, OfferKind::Continue, &fields).await
}

async fn ask(state: &WebState, seat: &Seat, kind: OfferKind) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(state, seat).await? {
        return Ok(to_watch);
    }
    let view = state.play.view(seat).await.map_err(at(seat))?;
    if view.ended.is_some() {
        return Err(at(seat)(PlayError::GameOver));
    }
    let page = agree_page(&view, kind);
    if kind == OfferKind::Continue && page.days.is_empty() {
        let message = "No day has been resolved yet that the game could go on from.";
        return Err(PageError::new(StatusCode::CONFLICT, "Nothing to go back to", message).at(seat));
    }
    Ok(frame::page(StatusCode::OK, &page))
}

fn agree_page(view: &SeatView, kind: OfferKind) -> AgreePage {
    let other = view.side.other().name();
    let stands = view.offers.iter().find(|offer| offer.kind == kind);
    let days = view.resolved.iter().rev().filter(|&&turn| turn > 0).map(|&turn| (turn, view.setup.turn_name(turn)));
    let (title, question, explanation) = match (kind, stands) {
        (OfferKind::Draw, Some(offer)) if offer.by != view.side => (
            "Draw",
            format!("{other} offers a draw. Do you agree?"),
            "If you agree, the game ends at once in a draw. Sheets that lie sealed are erased unread.".to_owned(),
        ),
        (OfferKind::Draw, _) => (
            "Draw",
            "A draw by agreement".to_owned(),
            format!("The game ends in a draw if {other} agrees. The offer stands until the turn is resolved, and you may withdraw it before."),
        ),
        (OfferKind::Continue, Some(offer)) if offer.by != view.side => (
            "Go on elsewhere",
            format!("{other} offers {}. Do you agree?", what(view, offer)),
            "If you agree, this game ends without a winner, and a new one opens with the same seats and settings. Sheets that lie sealed are erased unread.".to_owned(),
        ),
        (OfferKind::Continue, _) => (
            "Go on elsewhere",
            "Go on from an earlier day, by agreement".to_owned(),
            format!("If {other} agrees, this game ends without a winner, and a new one opens at the dawn of the day you choose, with the same seats and settings. The offer stands until the turn is resolved, and you may withdraw it before."),
        ),
    };
    AgreePage {
        frame: Frame::of_seat(view, title),
        action: format!("{}/{}", seat_path(&view.game, view.side), kind.word()),
        turn: view.standing.turn(),
        question,
        explanation,
        stands: stands.map(|offer| (offer.by == view.side, offer.at.shown().to_string())),
        from_turn: stands.and_then(|offer| offer.from_turn),
        days: if kind == OfferKind::Continue { days.collect() } else { Vec::new() },
        agree: if kind == OfferKind::Draw { "Agree to a draw".into() } else { "Agree, and go on there".into() },
    }
}

async fn act(state: &WebState, seat: &Seat, kind: OfferKind, fields: &Fields) -> Result<Response, PageError> {
    let turn = fields.turn().map_err(|error| error.at(seat))?;
    if let Some(to_watch) = watch::first_now(state, seat, turn).await? {
        return Ok(to_watch);
    }
    let Some(act) = OfferAct::from_word(fields.text("do")) else {
        return Err(PageError::odd_form("The field “do” is none of offer, accept, decline and withdraw.").at(seat));
    };
    let from_turn = fields.text("from_turn").parse().ok();
    state.play.agree(seat, ToAgree { kind, turn, act, from_turn }).await.map_err(at(seat))?;
    Ok(frame::see(&seat_path(seat.game(), seat.side())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;
    use crate::web::pages::samples;

    fn html(kind: OfferKind, by: Option<Side>) -> String {
        let (mut view, _) = samples::fought();
        view.offers = by
            .into_iter()
            .map(|by| OfferView { kind, by, from_turn: (kind == OfferKind::Continue).then_some(1), at: samples::NOON })
            .collect();
        agree_page(&view, kind).render().unwrap()
    }

    #[test]
    fn each_finds_the_buttons_that_are_theirs() {
        let page = html(OfferKind::Draw, None);
        assert!(page.contains("value=\"offer\"") && !page.contains("value=\"accept\""));
        let page = html(OfferKind::Draw, Some(Side::Red));
        assert!(page.contains("value=\"withdraw\"") && !page.contains("value=\"offer\""));
        let page = html(OfferKind::Draw, Some(Side::Blue));
        assert!(
            page.contains("value=\"accept\"") && page.contains("value=\"decline\"") && page.contains("Agree to a draw")
        );
        let page = html(OfferKind::Continue, None);
        assert!(page.contains("<option value=\"1\">Day 1</option>"));
        let page = html(OfferKind::Continue, Some(Side::Blue));
        assert!(page.contains("from the dawn of day 1") && page.contains("name=\"from_turn\" value=\"1\""));
    }
}
