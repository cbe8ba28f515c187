//! Who is signed in: settings, another address, one's data, and going.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::play::erase::Running;
use crate::play::open::NAME_MAX;
use crate::play::people::{Person, SignIn};
use crate::play::wishes::{AHEAD_MAX, DateStyle, Quiet, Wishes};
use crate::play::{PlayError, Secret};
use crate::web::error::PageError;
use crate::web::pages::calendar;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, opponents, seat_path};
use crate::web::pages::hand_over::FORGET;
use crate::web::pages::session::{self, Visitor};
use crate::web::{WebState, security};

/// A kind of letter to choose: the field, its words, whether it is wanted.
type Choice = (&'static str, &'static str, bool);

#[derive(Template)]
#[template(path = "pages/me.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is a box of the form, or a part of the page")]
struct MePage {
    frame: Frame,
    address: String,
    name: String,
    zone: String,
    dates: DateStyle,
    letters: [Choice; 4],
    /// How letters are written.
    manner: [Choice; 2],
    ahead: [String; 2],
    quiet: bool,
    seal_at_once: bool,
    from: String,
    to: String,
    /// Whether one letter a day comes in place of many, and when.
    digest: bool,
    digest_at: String,
    /// Where the calendar of all deadlines is read, if there is such an address.
    calendar: Option<String>,
    /// The address that is asked for in place of the present one.
    new_address: String,
    /// The browsers that are signed in.
    sign_ins: Vec<SignIn>,
    /// Whether signing in was too long ago for changing the address.
    stale: bool,
    /// What was done: `saved`, `asked` of a new address, or `calendar` of a new one of the calendar.
    done: &'static str,
    problem: Option<(String, String)>,
}

impl MePage {
    async fn of(state: &WebState, session: &Secret, person: Person) -> Result<MePage, PageError> {
        let secret = state.play.calendar_of(&person).await?;
        let calendar = secret.map(|secret| calendar::address(&state.public_url, &secret));
        let sign_ins = state.play.sign_ins(session).await?;
        let long_ago = !state.play.is_proven_lately(session).await?;
        Ok(MePage { calendar, sign_ins, stale: long_ago, ..MePage::without_calendar(person) })
    }

    fn without_calendar(person: Person) -> MePage {
        let Wishes {
            zone,
            dates,
            reports,
            reminders,
            messages,
            offers,
            ahead,
            quiet,
            results,
            text_board,
            digest,
            seal_at_once,
        } = person.wishes;
        let usual = Quiet { from: "22:00".into(), to: "07:00".into() };
        let (is_quiet, Quiet { from, to }) = (quiet.is_some(), quiet.unwrap_or(usual));
        MePage {
            frame: Frame::plain("Settings"),
            address: person.address,
            name: person.name.unwrap_or_default(),
            zone: zone.unwrap_or_default(),
            dates,
            letters: [
                ("reports", "Reports of days, and how a game ended", reports),
                ("reminders", "Reminders before a turn is due", reminders),
                ("messages", "Messages of opponents", messages),
                ("offers", "Offers: a draw, a game, a rematch", offers),
            ],
            manner: [
                ("text_board", "End with the board in plain letters", text_board),
                ("results", "Who has won may stand in the subject", results),
            ],
            ahead: ahead.map(|hours| hours.map(|hours| hours.to_string()).unwrap_or_default()),
            quiet: is_quiet,
            // Else the end of the quiet hours is offered.
            digest_at: digest.clone().unwrap_or_else(|| to.clone()),
            digest: digest.is_some(),
            seal_at_once,
            from,
            to,
            calendar: None,
            sign_ins: Vec::new(),
            stale: false,
            new_address: String::new(),
            done: "",
            problem: None,
        }
    }

    /// What is wrong with a field.
    fn error(&self, field: &str) -> Option<&str> {
        self.problem.as_ref().filter(|(at, _)| at == field).map(|(_, problem)| &**problem)
    }
}

/// Who is signed in and their session; else the way to sign in.
async fn signed_in(state: &WebState, visitor: &Visitor) -> Result<Result<(Secret, Person), Response>, PageError> {
    let person = visitor.person(state).await?;
    Ok(visitor.0.clone().zip(person).ok_or_else(|| frame::see("/sign-in")))
}

/// GET /me
pub async fn get(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    Ok(match signed_in(&state, &visitor).await? {
        Ok((session, person)) => frame::page(StatusCode::OK, &MePage::of(&state, &session, person).await?),
        Err(elsewhere) => elsewhere,
    })
}

/// What the form wishes; a number that is none becomes one that is refused.
fn wishes(fields: &Fields) -> Wishes {
    let text = |name: &str| fields.text(name).trim().to_owned();
    let hours = |name: &str| Some(text(name)).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap_or(0));
    let dates = DateStyle::ALL.into_iter().find(|(_, word, _)| *word == fields.text("dates"));
    Wishes {
        zone: Some(text("zone")).filter(|zone| !zone.is_empty()),
        dates: dates.map(|(style, ..)| style).unwrap_or_default(),
        reports: fields.ticked("reports"),
        reminders: fields.ticked("reminders"),
        messages: fields.ticked("messages"),
        offers: fields.ticked("offers"),
        ahead: [hours("ahead"), hours("ahead2")],
        results: fields.ticked("results"),
        text_board: fields.ticked("text_board"),
        quiet: fields.ticked("quiet").then(|| Quiet { from: text("from"), to: text("to") }),
        digest: fields.ticked("digest").then(|| text("digest_at")),
        seal_at_once: fields.ticked("seal_at_once"),
    }
}

/// POST /me
pub async fn post(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let (session, person) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let (name, wishes) = (fields.text("name").trim(), wishes(&fields));
    let mut sent = person;
    (sent.name, sent.wishes) = (Some(name.to_owned()), wishes.clone());
    Ok(match state.play.set_person(&session, name, wishes).await {
        Ok(()) => frame::page(StatusCode::OK, &MePage { done: "saved", ..MePage::of(&state, &session, sent).await? }),
        Err(PlayError::Field { field, problem }) => refused(MePage::of(&state, &session, sent).await?, field, &problem),
        Err(error) => return Err(error.into()),
    })
}

/// POST /me/address
pub async fn address(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let (session, person) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let new_address = fields.text("address").trim().to_owned();
    let asked = state.play.ask_change(&session, &new_address).await;
    let page = MePage { new_address, ..MePage::of(&state, &session, person).await? };
    Ok(match asked {
        Ok(()) => {
            security::noticed!(INFO, "a change of address was asked for");
            frame::page(StatusCode::OK, &MePage { done: "asked", ..page })
        }
        Err(PlayError::Field { field, problem }) => refused(page, field, &problem),
        Err(error) => return Err(error.into()),
    })
}

/// POST /me/calendar
pub async fn calendar(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    let (session, person) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    state.play.renew_calendar(&session).await?;
    let page = MePage { done: "calendar", ..MePage::of(&state, &session, person).await? };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /me/sign-ins: signs a browser out; where it is this one, as its own button does.
pub async fn sign_ins(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let (session, _) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    state.play.end_sign_in(&session, fields.text("browser")).await?;
    security::noticed!(INFO, "another browser was signed out");
    Ok(frame::see("/me#out-heading"))
}

fn refused(page: MePage, field: &'static str, problem: &str) -> Response {
    let named = match field {
        "zone" => "time zone",
        "ahead" => "distances",
        "quiet" => "quiet hours",
        "digest" => "daily letter",
        field => field,
    };
    let problem = Some((field.to_owned(), frame::field_problem(named, problem)));
    frame::page(StatusCode::UNPROCESSABLE_ENTITY, &MePage { problem, ..page })
}

/// GET /me/data.json
pub async fn data(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    let (session, _) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let data = state.play.own_data(&session).await?;
    let file = HeaderValue::from_static("attachment; filename=\"fieldcommand.json\"");
    Ok(([(header::CONTENT_DISPOSITION, file)], axum::Json(data)).into_response())
}

/// A game that is still played.
struct Line {
    path: String,
    words: String,
}

/// The question before somebody goes.
#[derive(Template)]
#[template(path = "pages/me_delete.html")]
struct DeletePage {
    frame: Frame,
    address: String,
    running: Vec<Line>,
    /// Whether signing in was too long ago.
    stale: bool,
    problem: Option<String>,
}

impl DeletePage {
    async fn of(state: &WebState, session: &Secret, person: Person) -> Result<DeletePage, PageError> {
        let line = |line: crate::play::view::GameLine| Line {
            path: seat_path(&line.game, line.side),
            words: format!("{} · {}", line.side.name(), opponents(&line.names, line.side, line.opponent_present)),
        };
        Ok(DeletePage {
            frame: Frame::plain("Delete my data"),
            address: person.address,
            running: state.play.running_games(session).await?.into_iter().map(line).collect(),
            stale: !state.play.is_proven_lately(session).await?,
            problem: None,
        })
    }
}

/// GET /me/delete
pub async fn ask_delete(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    Ok(match signed_in(&state, &visitor).await? {
        Ok((session, person)) => frame::page(StatusCode::OK, &DeletePage::of(&state, &session, person).await?),
        Err(elsewhere) => elsewhere,
    })
}

/// POST /me/delete
pub async fn delete(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let (session, person) = match signed_in(&state, &visitor).await? {
        Ok(found) => found,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let running = match fields.text("running") {
        "resign" => Some(Running::Resign),
        "keep" => Some(Running::Keep),
        _ => None,
    };
    match state.play.erase(&session, running).await {
        Ok(fresh) => {
            security::noticed!(WARN, "a person was removed, at their own wish");
            let page = DeletedPage { frame: Frame::plain("Deleted") };
            Ok((session::cookie(&state, &fresh), FORGET, frame::page(StatusCode::OK, &page)).into_response())
        }
        Err(PlayError::Field { field: "sign-in", .. }) => {
            let page = DeletePage::of(&state, &session, person).await?;
            Ok(frame::page(StatusCode::FORBIDDEN, &page))
        }
        Err(PlayError::Field { .. }) => {
            let problem = Some("Say what becomes of the games that are still played.".to_owned());
            let page = DeletePage { problem, ..DeletePage::of(&state, &session, person).await? };
            Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        Err(error) => Err(error.into()),
    }
}

/// That it was done.
#[derive(Template)]
#[template(path = "pages/me_deleted.html")]
struct DeletedPage {
    frame: Frame,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_signed_in_long_ago_is_asked_to_prove_it_again() {
        let page = |stale| DeletePage {
            frame: Frame::plain("Delete my data"),
            address: "ann@example.org".into(),
            running: Vec::new(),
            stale,
            problem: None,
        };
        let html = page(true).render().unwrap();
        assert!(html.contains("action=\"/sign-in\"") && html.contains("value=\"ann@example.org\""), "{html}");
        assert!(!html.contains("action=\"/me/delete\""));
        let html = page(false).render().unwrap();
        assert!(html.contains("action=\"/me/delete\"") && !html.contains("action=\"/sign-in\""));
    }

    #[test]
    fn the_form_is_read_as_it_is_written() {
        let quiet = [("quiet", "1"), ("from", "23:00"), ("to", "06:30")];
        let sent = [("zone", " Europe/Berlin "), ("dates", "iso"), ("reports", "1"), ("ahead", "48"), ("ahead2", "")];
        let fields = Fields::of(&[&sent[..], &quiet[..]].concat());
        let read = wishes(&fields);
        assert_eq!(read.zone.as_deref(), Some("Europe/Berlin"));
        assert_eq!((read.dates, read.ahead), (DateStyle::Iso, [Some(48), None]));
        assert!(read.reports && !read.reminders && !read.messages && !read.offers);
        assert_eq!(read.quiet, Some(Quiet { from: "23:00".into(), to: "06:30".into() }));
        assert!(wishes(&Fields::of(&[("ahead", "soon")])).check().is_err());
        assert_eq!(
            (read.digest, wishes(&Fields::of(&[("digest", "1"), ("digest_at", "08:00")])).digest.as_deref()),
            (None, Some("08:00"))
        );
    }
}
