//! Checking a sheet, and sealing it: the two steps between writing and having written.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::picture;
use crate::play::check::Checked;
use crate::play::draft::ToDraft;
use crate::play::seal::ToSeal;
use crate::play::view::SeatView;
use crate::play::{PlayError, Seat};
use crate::rules::TextError;
use crate::web::WebState;
use crate::web::error::{PageError, at, status};
use crate::web::pages::entry::{Entry, Problem};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, seat_path};
use crate::web::pages::seat::{resolving, settling, what_follows};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

/// What a form brought.
struct Draft {
    turn: u32,
    text: String,
    empty: bool,
    /// Whether no time for second thoughts is wanted.
    is_final: bool,
}

impl Draft {
    fn of(fields: &Fields, seat: &Seat) -> Result<Draft, PageError> {
        let text = fields.text("text").to_owned();
        let turn = fields.turn().map_err(|error| error.at(seat).keeping(&text))?;
        Ok(Draft { turn, text, empty: fields.ticked("empty"), is_final: fields.ticked("final") })
    }
}

/// The form that seals.
struct SealForm {
    action: String,
    turn: u32,
    text: String,
    /// Whether an empty sheet is meant.
    empty: bool,
    /// The words beside the box to be ticked first.
    tick: Option<&'static str>,
    may_resolve: bool,
    /// Whether it is asked if the sheet is final, and is ticked.
    finality: Option<bool>,
    label: String,
}

#[derive(Template)]
#[template(path = "pages/check.html")]
struct CheckPage {
    frame: Frame,
    view: SeatView,
    picture: String,
    headline: String,
    next: String,
    checked: Option<Checked>,
    seal: Option<SealForm>,
    entry: Entry,
    /// Whether the opponent sealed between the check and the seal.
    meanwhile: bool,
}

/// POST /games/{id}/{side}/check: says what will become of a sheet, which is kept as a draft.
pub async fn check(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let mut draft = Draft::of(&fields, &seat)?;
    if let Some(to_watch) = watch::first_now(&state, &seat, draft.turn).await? {
        return Ok(to_watch);
    }
    if fields.text("do") == "fill" {
        match state.play.fill(&seat, draft.turn, &draft.text).await {
            Ok(filled) => draft.text = filled,
            Err(error) => return refused(&state, &seat, &draft, error).await,
        }
    }
    judged(&state, &seat, &draft).await
}

/// Keeps a text as the seat's draft and shows what would become of it.
async fn judged(state: &WebState, seat: &Seat, draft: &Draft) -> Result<Response, PageError> {
    let kept = ToDraft {
        turn: draft.turn,
        text: draft.text.clone(),
        held: String::new(),
        act: None,
        base: None,
        use_when_due: None,
    };
    let checked = match state.play.draft(seat, kept).await {
        Ok(_) => state.play.check(seat, draft.turn, &draft.text).await,
        Err(error) => Err(error),
    };
    match checked {
        Ok(checked) => shown(state, seat, draft, checked, StatusCode::OK).await,
        Err(error) => refused(state, seat, draft, error).await,
    }
}

/// POST /games/{id}/{side}/seal
pub async fn seal(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let draft = Draft::of(&fields, &seat)?;
    if fields.has("checked") && !is_checked(&state, &seat, &draft, fields.text("checked")).await? {
        // The table's button speaks of the text that was checked, and this is another one: the verdicts first.
        return judged(&state, &seat, &draft).await;
    }
    let sheet = ToSeal {
        turn: draft.turn,
        text: draft.text.clone(),
        empty_is_meant: draft.empty,
        may_resolve: fields.ticked("may_resolve"),
        is_final: draft.is_final,
    };
    match state.play.seal(&seat, sheet).await {
        Ok(receipt) => {
            let seat = seat_path(seat.game(), seat.side());
            // The reader lands on the news, not on the top of a page that looks like the one before.
            Ok(frame::see(&if receipt.resolved {
                format!("{seat}/days/{}", receipt.turn)
            } else {
                format!("{seat}#news")
            }))
        }
        Err(error @ (PlayError::WouldResolve { .. } | PlayError::EmptyNotMeant)) => {
            let checked = state.play.check(&seat, draft.turn, &draft.text).await.map_err(at(&seat))?;
            shown(&state, &seat, &draft, checked, status(&error)).await
        }
        Err(error) => refused(&state, &seat, &draft, error).await,
    }
}

/// Whether the verdicts that the writer saw are those of this text.
async fn is_checked(state: &WebState, seat: &Seat, draft: &Draft, checked: &str) -> Result<bool, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    // A sheet for another turn is judged where it is sealed.
    let same = |read: crate::rules::Draft| read.text() == checked;
    Ok(view.standing.turn() != draft.turn || view.standing.draft(seat.side(), &draft.text).is_ok_and(same))
}

/// GET of an address that takes forms alone, as after a reload: back to the seat.
pub async fn back(Held(seat): Held) -> Response {
    frame::see(&seat_path(seat.game(), seat.side()))
}

/// A sheet that could be read, with its verdicts and the button that seals it.
async fn shown(
    state: &WebState,
    seat: &Seat,
    draft: &Draft,
    checked: Checked,
    status: StatusCode,
) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(|error| at(seat)(error).keeping(&draft.text))?;
    Ok(frame::page(status, &check_page(view, draft, checked, status == StatusCode::CONFLICT)))
}

/// A sheet that was not taken: shown with the error in its text, or on a page of its own with the text kept.
async fn refused(state: &WebState, seat: &Seat, draft: &Draft, error: PlayError) -> Result<Response, PageError> {
    let PlayError::Text(problem) = &error else { return Err(PageError::from(error).at(seat).keeping(&draft.text)) };
    let view = state.play.view(seat).await.map_err(|error| at(seat)(error).keeping(&draft.text))?;
    Ok(frame::page(status(&error), &problem_page(view, draft, problem)))
}

fn check_page(view: SeatView, draft: &Draft, checked: Checked, meanwhile: bool) -> CheckPage {
    let sheet = view.standing.parse(view.side, &checked.text);
    let picture = sheet.map_or_else(
        |_| picture::standing(&view.standing, view.side),
        |sheet| picture::sheet(&view.standing, view.side, &sheet),
    );
    CheckPage {
        frame: Frame::of_seat(&view, &view.standing.turn_name()),
        picture,
        headline: headline(&view, draft, &checked),
        next: next(&view, draft, &checked),
        seal: Some(seal_form(&view, draft, &checked)),
        entry: entry(&view, draft, None),
        checked: Some(checked),
        meanwhile,
        view,
    }
}

fn problem_page(view: SeatView, draft: &Draft, error: &TextError) -> CheckPage {
    CheckPage {
        frame: Frame::of_seat(&view, &view.standing.turn_name()),
        picture: picture::standing(&view.standing, view.side),
        headline: "This text cannot be read.".into(),
        next: match &view.own {
            Some(own) => format!("Nothing was sealed now; {} sealed before stay as they are.", own.measure),
            None => "Nothing was sealed.".into(),
        },
        checked: None,
        seal: None,
        entry: entry(&view, draft, Some(Problem::of(error, &draft.text))),
        meanwhile: false,
        view,
    }
}

/// `9 orders: 2 will not be carried out.`
fn headline(view: &SeatView, draft: &Draft, checked: &Checked) -> String {
    if checked.empty_not_meant && !draft.empty {
        return format!("There are no {} in this text.", view.standing.entry_form(view.side).noun);
    }
    let measure = &checked.check.measure;
    let mut signs = measure.chars();
    let measure: String = signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect());
    match (checked.check.warnings(), checked.check.lines.len()) {
        (0, _) => format!("{measure}: ready to be sealed."),
        (1, 1) => format!("{measure}: it will not be carried out."),
        (some, all) if some == all => format!("{measure}: none will be carried out."),
        (some, _) => format!("{measure}: {some} will not be carried out."),
    }
}

/// What sealing does now.
fn next(view: &SeatView, draft: &Draft, checked: &Checked) -> String {
    let other = view.side.other().name();
    let tick = if checked.empty_not_meant && !draft.empty { "If that is meant, tick the box and seal. " } else { "" };
    match &view.other {
        Some(_) if view.time.terms.second_thoughts > 0 => format!("{tick}{other} has sealed. {}", settling(view)),
        Some(_) => format!(
            "{tick}{other} has sealed. Sealing now opens both sheets: {} at once, and nothing can be replaced any more.",
            what_follows(view)
        ),
        None => {
            format!("{tick}Nothing is sealed yet. Until {other} has sealed too, you may still replace what you seal.")
        }
    }
}

fn seal_form(view: &SeatView, draft: &Draft, checked: &Checked) -> SealForm {
    let may_resolve = view.other.is_some();
    let empty = draft.empty || !checked.empty_not_meant;
    let form = view.standing.entry_form(view.side);
    let then = if may_resolve { resolving(view) } else { String::new() };
    SealForm {
        action: format!("{}/seal", seat_path(&view.game, view.side)),
        turn: draft.turn,
        text: checked.text.clone(),
        empty,
        tick: form.empty.filter(|_| !empty),
        may_resolve,
        finality: (view.time.terms.second_thoughts > 0).then_some(draft.is_final),
        label: format!("Seal {}{then}", checked.check.measure),
    }
}

fn entry(view: &SeatView, draft: &Draft, problem: Option<Problem>) -> Entry {
    Entry {
        action: format!("{}/check", seat_path(&view.game, view.side)),
        turn: view.standing.turn(),
        form: view.standing.entry_form(view.side),
        text: draft.text.clone(),
        empty: draft.empty,
        problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::view::Seal;
    use crate::web::pages::samples;

    fn draft(text: &str) -> Draft {
        Draft { turn: 2, text: text.into(), empty: false, is_final: false }
    }

    fn checked(view: &SeatView, text: &str) -> Checked {
        let sheet = view.standing.parse(view.side, text).unwrap();
        Checked {
            text: sheet.canonical(),
            check: view.standing.check(view.side, &sheet),
            empty_not_meant: sheet.is_empty() && !sheet.text_says_empty(text),
        }
    }

    fn page(view: SeatView, text: &str) -> CheckPage {
        let checked = checked(&view, text);
        check_page(view, &draft(text), checked, false)
    }

    #[test]
    fn each_line_has_its_verdict_in_words() {
        let (view, _) = samples::fought();
        let html = page(view, "F8-E8, A1-A2").render().unwrap();
        assert!(html.contains("2 orders: 1 will not be carried out."));
        assert!(html.contains("no unit of yours stands on A1"));
        assert!(html.contains("Seal 2 orders") && !html.contains("may_resolve"));
        assert!(html.contains(">legal<") && html.contains(">illegal<"));
    }

    #[test]
    fn the_last_seal_is_announced() {
        let (mut view, _) = samples::fought();
        view.other = Some(Seal { hash: "b".repeat(64), at: samples::NOON });
        let html = page(view, "F8-E8").render().unwrap();
        assert!(html.contains("Seal 1 order and resolve day 2") && html.contains("name=\"may_resolve\" value=\"1\""));
        assert!(html.contains("Blue has sealed. Sealing now opens both sheets: day 2 is resolved at once"));
    }

    #[test]
    fn an_empty_list_needs_a_tick() {
        let (view, _) = samples::fought();
        let page_of = page(view.clone(), "");
        assert!(page_of.seal.as_ref().unwrap().tick.is_some());
        assert!(page_of.render().unwrap().contains("required"));
        let page_of = page(view, "hold");
        assert!(page_of.seal.as_ref().unwrap().tick.is_none() && page_of.seal.as_ref().unwrap().empty);
    }

    #[test]
    fn what_cannot_be_read_is_kept_with_the_word_marked() {
        let (view, _) = samples::fought();
        let text = "F8-E8\nG9-L9 <b>";
        let error = view.standing.parse(view.side, text).unwrap_err();
        let html = problem_page(view, &draft(text), &error).render().unwrap();
        assert!(html.contains("<mark>L9</mark>") && html.contains("Line 2"));
        assert!(html.contains("aria-invalid=\"true\"") && html.contains("G9-L9 &#60;b&#62;"));
        assert!(!html.contains("<b>"));
    }
}
