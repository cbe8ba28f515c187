//! Learning: six small positions of Field Command, solved by real orders on the real table. Nothing is
//! kept: the orders travel in the form, and the page is the same for everybody.

use askama::Template;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::picture;
use crate::rules::field_command::lessons::{ALL, Attempt, Lesson};
use crate::rules::{Chapter, Report, Sheet, Side, Standing};
use crate::web::error::PageError;
use crate::web::pages::desk::{TablePart, asks_for_part};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Look as _};
use crate::web::pages::table::{Handling, Laid, SealButton, Table, act, sent};

/// The first page: all six.
#[derive(Template)]
#[template(path = "pages/learn.html")]
struct LearnPage {
    frame: Frame,
    lessons: &'static [Lesson],
}

/// One position, and what came of the last try.
#[derive(Template)]
#[template(path = "pages/lesson.html")]
struct LessonPage {
    frame: Frame,
    lessons: &'static [Lesson],
    lesson: &'static Lesson,
    table: Table,
    tried: Option<Tried>,
}

/// A day as it came out.
struct Tried {
    solved: bool,
    why: Vec<String>,
    before: String,
    after: String,
    story: Vec<Chapter>,
}

impl LessonPage {
    fn solved(&self) -> bool {
        self.tried.as_ref().is_some_and(|tried| tried.solved)
    }
}

/// GET /learn
pub async fn all() -> Response {
    frame::page(StatusCode::OK, &LearnPage { frame: Frame::plain("Learn in two minutes"), lessons: &ALL })
}

/// GET /learn/{key}
pub async fn get(Path(key): Path<String>) -> Result<Response, PageError> {
    let lesson = find(&key)?;
    let table = lay(lesson, "", Handling::default(), String::new());
    Ok(frame::page(StatusCode::OK, &page(lesson, table, None)))
}

/// POST /learn/{key}: carries an act out on the orders in the form.
pub async fn post(Path(key): Path<String>, headers: HeaderMap, fields: Fields) -> Result<Response, PageError> {
    let lesson = find(&key)?;
    let table = touched(lesson, &fields);
    if asks_for_part(&headers) {
        return Ok(frame::page(StatusCode::OK, &TablePart { table }));
    }
    Ok(frame::page(StatusCode::OK, &page(lesson, table, None)))
}

/// GET /learn/{key}/try, which a reload may ask for: back to the position.
pub async fn back(Path(key): Path<String>) -> Result<Response, PageError> {
    Ok(frame::see(&path(find(&key)?)))
}

/// POST /learn/{key}/try: the day with these orders and Blue's.
pub async fn attempt(Path(key): Path<String>, fields: Fields) -> Result<Response, PageError> {
    let lesson = find(&key)?;
    let text = fields.text("text");
    let standing = Standing::FieldCommand(lesson.standing());
    let tried = standing.parse(Side::Red, text).ok().map(|Sheet::FieldCommand(orders)| tried(lesson, &orders));
    // A text that cannot be read is shown on the table with the word to blame.
    let status = if tried.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let table = lay(lesson, text, Handling::default(), String::new());
    Ok(frame::page(status, &page(lesson, table, tried)))
}

fn find(key: &str) -> Result<&'static Lesson, PageError> {
    Lesson::find(key).ok_or_else(PageError::not_found)
}

fn path(lesson: &Lesson) -> String {
    format!("/learn/{}", lesson.key)
}

fn page(lesson: &'static Lesson, table: Table, tried: Option<Tried>) -> LessonPage {
    let frame = Frame { heading: lesson.name.into(), ..Frame::plain(format!("Learn: {}", lesson.name)) };
    LessonPage { frame, lessons: &ALL, lesson, table, tried }
}

/// Reads the form and carries its act out.
fn touched(lesson: &Lesson, fields: &Fields) -> Table {
    let standing = Standing::FieldCommand(lesson.standing());
    let (text, before) = sent(fields);
    let look = Handling::of(fields);
    let touched = standing.touched(Side::Red, &text, &look.held, act(fields));
    let before = before.filter(|before| *before != touched.text);
    let table = lay(lesson, &touched.text, Handling { held: touched.held, ..look }, touched.said);
    Table { before, ..table }
}

/// Lays the position on the table. What may come of the orders is left out: that is what the lesson asks.
fn lay(lesson: &Lesson, text: &str, look: Handling, said: String) -> Table {
    let standing = Standing::FieldCommand(lesson.standing());
    let laid = Laid {
        standing: &standing,
        reader: Side::Red,
        side: Side::Red,
        text,
        rest: None,
        past: &[],
        action: path(lesson),
    };
    let table = Table::lay(&laid, look, said);
    let seal = SealButton {
        label: "Try it".into(),
        action: format!("{}/try", path(lesson)),
        empty: false,
        may_resolve: false,
        finality: false,
    };
    Table { advice: Vec::new(), seal: Some(seal), ..table }
}

fn tried(lesson: &Lesson, orders: &crate::rules::field_command::Sheet) -> Tried {
    let setup = Standing::FieldCommand(lesson.standing()).setup();
    let Attempt { report, solved, why } = lesson.attempt(orders);
    let report = Report::FieldCommand(report);
    Tried {
        solved,
        why,
        before: picture::before(&report, &setup, Side::Red),
        after: picture::after(&report, &setup, Side::Red),
        story: report.story(&setup),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(key: &str, text: &str, try_it: bool) -> String {
        let lesson = Lesson::find(key).unwrap();
        let table = lay(lesson, text, Handling::default(), String::new());
        let orders = lesson.standing().parse(Side::Red, text).unwrap();
        page(lesson, table, try_it.then(|| tried(lesson, &orders))).render().unwrap()
    }

    #[test]
    fn every_position_has_its_task_and_links_to_the_others() {
        for lesson in &ALL {
            let html = shown(lesson.key, "", false);
            assert!(html.contains(&format!("{} of 6", lesson.number())) && html.contains("Try it"), "{html}");
            for other in &ALL {
                assert!(html.contains(&format!("href=\"/learn/{}\"", other.key)));
            }
            assert_eq!(html.matches("aria-current=\"page\"").count(), 1);
            assert!(html.contains(&format!("formaction=\"/learn/{}/try\"", lesson.key)));
            assert!(!html.contains(lesson.learned), "the lesson is told before it is solved");
        }
    }

    #[test]
    fn what_fails_is_explained_beside_the_orders() {
        let html = shown("terrain", "H4-G4", true);
        assert!(html.contains("Not yet") && html.contains("in the open field Guerrillas remove Infantry"));
        assert!(html.contains("H4-G4</textarea>") && html.contains("Before, with both sides"));
        assert!(!html.contains("data-solved"));
    }

    #[test]
    fn a_solved_one_leads_on_and_the_last_one_to_a_game() {
        let html = shown("terrain", "H3-G4 H4-G3", true);
        assert!(html.contains("data-solved=\"terrain\"") && html.contains("On to 2: Rank"));
        assert!(!html.contains("id=\"table\""));
        let html = shown("general", "B4-A2 C2-B1 D1-A1", true);
        assert!(html.contains("You are ready.") && html.contains("action=\"/play\""));
    }

    #[test]
    fn a_touch_changes_the_orders_in_the_form_alone() {
        let lesson = Lesson::find("swap").unwrap();
        let table = touched(lesson, &Fields::of(&[("text", ""), ("held", "E8"), ("act", "swap E8 E9")]));
        assert_eq!(table.text, "E8-E9\nE9-E8");
        let table = touched(lesson, &Fields::of(&[("text", "E8-E9"), ("act", "dance")]));
        assert!(table.text == "E8-E9" && table.said.contains("not an act"));
        assert!(table.advice.is_empty());
    }

    #[test]
    fn the_first_page_names_all_six() {
        let html = LearnPage { frame: Frame::plain("Learn"), lessons: &ALL }.render().unwrap();
        assert_eq!(html.matches("data-lesson=").count(), 6);
    }
}
