//! The page of a seat: where the game stands, and the one thing to do next.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::picture;
use crate::play::Seat;
use crate::play::view::{SeatView, TurnView};
use crate::rules::{Sheet, StoryLine, Tone};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::entry::Entry;
use crate::web::pages::field_command::{self, ArmyTable};
use crate::web::pages::frame::{self, Frame, Look, Shown, mid_sentence, seat_path};
use crate::web::pages::session::{Held, Visitor};
use crate::web::pages::watch;

/// What the address of a seat's page may ask for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The key of a ready-made sheet to put into the form.
    ready: Option<String>,
    /// Whether the visitor has just taken the seat.
    welcome: Option<String>,
}

/// The form for the address of reports, filled.
#[derive(Clone, Debug, Default)]
pub struct AddressForm {
    /// What was written.
    pub text: String,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// Where the game stands for this seat, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct News {
    /// The name of its look: `due`, `wait` or `over`.
    look: &'static str,
    /// The news in a line.
    headline: String,
    /// What happens next.
    next: String,
}

/// The last resolved turn in a few lines.
#[derive(Clone, Debug)]
struct LastTurn {
    number: u32,
    name: String,
    lines: Vec<StoryLine>,
}

/// What the board's picture shows, and the words below it.
struct Picture {
    svg: String,
    caption: String,
}

#[derive(Template)]
#[template(path = "pages/seat.html")]
struct SeatPage {
    frame: Frame,
    news: News,
    view: SeatView,
    picture: Picture,
    entry: Entry,
    last: Option<LastTurn>,
    /// The resolved turns, by number and name.
    history: Vec<(u32, String)>,
    armies: Vec<ArmyTable>,
    /// The address of the other seat, if this browser holds it too.
    other_seat: Option<String>,
    invitation: Option<String>,
    link: String,
    address: AddressForm,
    welcome: bool,
}

/// GET /games/{id}/{side}
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    visitor: Visitor,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let asked = asked.map(|Query(asked)| asked).unwrap_or_default();
    let page = load(&state, &seat, &visitor, &asked).await?;
    Ok(frame::page(StatusCode::OK, &page))
}

/// The page once more, because an address could not be set.
pub async fn with_address(
    state: &WebState,
    seat: &Seat,
    visitor: &Visitor,
    address: AddressForm,
) -> Result<Response, PageError> {
    let page = load(state, seat, visitor, &Asked::default()).await?;
    Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &SeatPage { address, ..page }))
}

async fn load(state: &WebState, seat: &Seat, visitor: &Visitor, asked: &Asked) -> Result<SeatPage, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let last = match view.resolved.last() {
        Some(&turn) => Some(state.play.turn(seat, turn).await.map_err(at(seat))?),
        None => None,
    };
    let other = seat.side().other();
    let both = visitor.holds(state, seat.game(), other).await.map_err(at(seat))?;
    let mut page = seat_page(view, last.as_ref(), asked, &state.public_url);
    page.other_seat = both.then(|| seat_path(seat.game(), other));
    Ok(page)
}

fn seat_page(view: SeatView, last: Option<&TurnView>, asked: &Asked, public_url: &str) -> SeatPage {
    let entry = entry(&view, asked.ready.as_deref());
    SeatPage {
        frame: Frame::of_seat(&view, &title(&view)),
        news: news(&view, &entry),
        picture: picture(&view, &entry, asked.ready.as_deref()),
        last: last.map(last_turn),
        history: view.resolved.iter().map(|&turn| (turn, view.setup.turn_name(turn))).collect(),
        armies: field_command::armies(&view.standing, view.side),
        other_seat: None,
        invitation: view.invitation.as_ref().map(|secret| format!("{public_url}/i/{}", secret.reveal())),
        link: format!("{public_url}/s/{}", view.link.reveal()),
        address: AddressForm { text: view.address.clone().unwrap_or_default(), problem: None },
        welcome: asked.welcome.is_some(),
        entry,
        view,
    }
}

fn title(view: &SeatView) -> String {
    if view.ended.is_some() { "Game over".to_owned() } else { view.standing.turn_name() }
}

/// The form for the awaited sheet: with the ready-made one that was asked for, or with what is sealed.
fn entry(view: &SeatView, ready: Option<&str>) -> Entry {
    let mut entry = Entry {
        action: format!("{}/check", seat_path(&view.game, view.side)),
        turn: view.standing.turn(),
        form: view.standing.entry_form(view.side),
        text: view.own.as_ref().map(|own| own.text.clone()).unwrap_or_default(),
        empty: view.own.as_ref().is_some_and(|own| own.text.is_empty()),
        problem: None,
    };
    if let Some(text) = ready.and_then(|key| entry.preset(key)).map(|preset| preset.text.clone()) {
        entry.text = text;
    }
    entry
}

fn news(view: &SeatView, entry: &Entry) -> News {
    let other = view.side.other().name();
    if let Some(ended) = &view.ended {
        let headline = match ended.outcome.winner() {
            Some(winner) if winner == view.side => "You have won.",
            Some(_) => "You have lost.",
            None => "A draw.",
        };
        return News { look: "over", headline: headline.into(), next: ended.how.clone() };
    }
    let then = what_follows(view);
    match (&view.own, &view.other, view.opponent_present) {
        (Some(_), _, true) => News {
            look: "wait",
            headline: format!("Sealed. Waiting for {other}."),
            next: format!("When {other} has sealed too, {then}. Until then you may replace your sheet."),
        },
        (Some(_), _, false) => News {
            look: "wait",
            headline: "Sealed. Waiting for your opponent.".into(),
            next: format!(
                "Nobody has taken {other}’s seat yet: send the invitation. You may still replace your sheet."
            ),
        },
        (None, Some(_), _) => News {
            look: "due",
            headline: entry.form.ask.clone(),
            next: format!("{other} has sealed. Your seal opens both sheets: {then} at once."),
        },
        (None, None, true) => News {
            look: "due",
            headline: entry.form.ask.clone(),
            next: format!("{other} has not sealed yet. Your sheet is shown to nobody before both have."),
        },
        (None, None, false) => News {
            look: "due",
            headline: entry.form.ask.clone(),
            next: format!("Nobody has taken {other}’s seat yet. You may write and seal before your opponent comes."),
        },
    }
}

/// What the last seal sets off, as the end of a sentence.
pub fn what_follows(view: &SeatView) -> String {
    match view.standing.turn() {
        0 => "both armies are revealed and the game begins".to_owned(),
        _ => format!("{} is resolved", mid_sentence(&view.standing.turn_name())),
    }
}

/// The sealed sheet as it lies on the board, or the ready-made one that was asked for, or the board alone.
fn picture(view: &SeatView, entry: &Entry, ready: Option<&str>) -> Picture {
    let drawn = |sheet: &Sheet| picture::sheet(&view.standing, view.side, sheet);
    let read = |text: &str| view.standing.parse(view.side, text).ok();
    if let Some(preset) = ready.and_then(|key| entry.preset(key))
        && let Some(sheet) = read(&preset.text)
    {
        return Picture {
            svg: drawn(&sheet),
            caption: format!("{}, as it would stand. Nothing is sealed yet.", preset.name),
        };
    }
    if let Some(sheet) = view.own.as_ref().and_then(|own| read(&own.text)) {
        return Picture { svg: drawn(&sheet), caption: "Your sealed sheet. Only you see it.".into() };
    }
    let caption = match view.resolved.last() {
        None => format!("The board, {}’s edge below.", view.side.name()),
        Some(&turn) => {
            let name = mid_sentence(&view.setup.turn_name(turn));
            format!("The board after {name}, {}’s edge below.", view.side.name())
        }
    };
    Picture { svg: picture::standing(&view.standing, view.side), caption }
}

/// The removals and the end of a turn's story; the rest is in its report.
fn last_turn(turn: &TurnView) -> LastTurn {
    let (end, before) = turn.story.split_last().map_or((None, [].as_slice()), |(end, before)| (Some(end), before));
    let removals = before.iter().flat_map(|chapter| &chapter.lines).filter(|line| line.tone == Tone::Loss);
    let lines = removals.chain(end.into_iter().flat_map(|chapter| &chapter.lines)).cloned().collect();
    LastTurn { number: turn.turn, name: turn.name.clone(), lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Secret;
    use crate::play::view::Seal;
    use crate::rules::Side;
    use crate::web::pages::samples;

    fn html(view: SeatView, asked: &Asked) -> String {
        seat_page(view, None, asked, "https://play.example.org").render().unwrap()
    }

    #[test]
    fn the_page_says_whose_seat_it_shows() {
        let html = html(samples::view(), &Asked::default());
        assert!(html.contains("<title>Red · Deployment · Ann against Ben</title>"));
        assert!(html.contains("Place your 40 units") && html.contains("Check deployment"));
        assert!(html.contains("https://play.example.org/s/redlink"));
        assert!(!html.contains("Invite"));
    }

    #[test]
    fn without_an_opponent_there_is_an_invitation() {
        let mut view = samples::view();
        view.opponent_present = false;
        view.names.blue = None;
        view.invitation = Some(Secret::sent("invitation"));
        let html = html(view, &Asked::default());
        assert!(html.contains("https://play.example.org/i/invitation") && html.contains("Withdraw"));
        assert!(html.contains("Ann, no opponent yet"));
    }

    #[test]
    fn a_ready_made_sheet_fills_the_form() {
        let asked = Asked { ready: Some("balanced".into()), welcome: None };
        let page = seat_page(samples::view(), None, &asked, "");
        assert!(page.entry.text.starts_with("GN K11") && page.picture.caption.starts_with("Balanced"));
        let asked = Asked { ready: Some("nothing".into()), welcome: None };
        assert_eq!(seat_page(samples::view(), None, &asked, "").entry.text, "");
    }

    #[test]
    fn every_state_has_its_news() {
        let news = |view: &SeatView| news(view, &entry(view, None));
        let mut view = samples::view();
        assert_eq!(news(&view).look, "due");
        view.other = Some(Seal { hash: "b".repeat(64), at: samples::NOON });
        assert!(news(&view).next.contains("Blue has sealed"));
        view.other = None;
        view.own = Some(samples::sealed("", "a deployment"));
        assert_eq!(news(&view).headline, "Sealed. Waiting for Blue.");
        view.ended = Some(samples::ended());
        assert_eq!(news(&view).headline, "You have won.");
        view.side = Side::Blue;
        assert_eq!(news(&view).headline, "You have lost.");
    }

    #[test]
    fn a_day_that_was_fought_is_told_in_short() {
        let (view, turn) = samples::fought();
        let page = seat_page(view, Some(&turn), &Asked::default(), "");
        let last = page.last.as_ref().unwrap();
        assert!(last.lines.iter().any(|line| line.text.contains("left, Blue")));
        assert!(page.render().unwrap().contains("/games/0123456789ab/red/days/1"));
    }
}
