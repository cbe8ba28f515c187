//! People: found by address or name, with their seats and whether they are blocked.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::session::Desk;
use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::play::admin::people::{DeskPerson, PersonSeat};
use crate::play::admin::{Admin, Scope};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown, field_problem};

/// Who is looked for.
#[derive(Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    who: String,
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/admin/people.html")]
struct PeoplePage {
    frame: Frame,
    admin: Admin,
    who: String,
    problem: Option<String>,
    people: Vec<DeskPerson>,
    next: Option<String>,
    /// The block that the address is under which was searched and belongs to nobody, and since when.
    blocked: Option<(String, Timestamp)>,
}

impl PeoplePage {
    /// Whether the organiser may do anything.
    fn acts(&self) -> bool {
        self.admin.scope >= Scope::Act
    }
}

/// GET /admin/people?who=…: an address, or words of a name.
pub async fn list(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let mut page = PeoplePage {
        frame: Frame::plain("People"),
        admin,
        who: asked.who.clone(),
        problem: None,
        people: Vec::new(),
        next: None,
        blocked: None,
    };
    if !asked.who.trim().is_empty() {
        let found = if asked.who.contains('@') {
            state.play.desk_person_by_address(&page.admin, &asked.who).await
        } else {
            state.play.desk_people(&page.admin, &asked.who, asked.after.as_deref()).await
        };
        match found {
            Ok(found) => {
                (page.people, page.blocked) = (found.people, found.blocked);
                page.next = found.next.map(|next| {
                    let query = url::form_urlencoded::Serializer::new(String::new())
                        .append_pair("who", &asked.who)
                        .append_pair("after", &next)
                        .finish();
                    format!("/admin/people?{query}")
                });
            }
            Err(PlayError::Field { field, problem }) => page.problem = Some(field_problem(field, &problem)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(frame::page(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "pages/admin/person.html")]
struct PersonPage {
    frame: Frame,
    admin: Admin,
    person: DeskPerson,
    seats: Vec<PersonSeat>,
}

impl PersonPage {
    /// Whether the organiser may do anything.
    fn acts(&self) -> bool {
        self.admin.scope >= Scope::Act
    }
}

/// GET /admin/people/{id}
pub async fn get(
    State(state): State<WebState>,
    Desk(admin): Desk,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let (person, seats) = state.play.desk_person(&admin, &id).await?;
    let frame = Frame::plain(person.name.clone().unwrap_or_else(|| "A person without a name".to_owned()));
    Ok(frame::page(StatusCode::OK, &PersonPage { frame, admin, person, seats }))
}
