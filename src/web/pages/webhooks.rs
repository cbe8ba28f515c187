//! A seat's webhooks: setting them up, trying them out, and what became of what they were told. Programs do the same over
//! the API.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::view::SeatView;
use crate::play::webhooks::{Delivery, EventKind, Ledger, MOST_OF_SEAT, NewWebhook, Told, Webhook};
use crate::play::{PlayError, Seat, Secret};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::{self, PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, field_problem, seat_path};
use crate::web::pages::session::Held;

/// How much of what each was told stands here.
const SHOWN: usize = 10;

/// What was written into the form for a new one.
struct Form {
    url: String,
    kinds: Vec<EventKind>,
    /// What is wrong with the URL.
    url_problem: Option<String>,
    /// What is wrong with the kinds.
    kinds_problem: Option<String>,
}

impl Default for Form {
    fn default() -> Form {
        let kinds = EventKind::CHOSEN.to_vec();
        Form { url: String::new(), kinds, url_problem: None, kinds_problem: None }
    }
}

/// A webhook with what it hears, in words, and the last of what it was told.
struct Line {
    hook: Webhook,
    hears: String,
    told: Vec<(String, Delivery)>,
}

impl Line {
    fn of((hook, told): Ledger, side: Side) -> Line {
        let hears: Vec<String> = hook.kinds.iter().map(|kind| words(*kind, side)).collect();
        Line {
            hears: if hears.is_empty() { "Everything".to_owned() } else { hears.join("; ") },
            told: told.into_iter().take(SHOWN).map(|event| told_in_words(event, side)).collect(),
            hook,
        }
    }
}

/// What a webhook was told, in words. A test is about no turn, though its body names the awaited one.
fn told_in_words(event: Delivery, side: Side) -> (String, Delivery) {
    let turn = event.turn.filter(|_| event.kind != EventKind::Test);
    (words(event.kind, side), Delivery { turn, ..event })
}

/// Something that can be heard, in the form.
struct Choice {
    word: &'static str,
    words: String,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "pages/webhooks.html")]
struct WebhooksPage {
    frame: Frame,
    view: SeatView,
    hooks: Vec<Line>,
    form: Form,
    choices: Vec<Choice>,
    /// The day that is to be watched first, by number and in words: what they were told says that a game is over.
    unwatched: Option<(u32, String)>,
    /// Why something else was not done.
    problem: Option<String>,
}

impl WebhooksPage {
    fn of(view: SeatView, hooks: Vec<Ledger>, form: Form, problem: Option<String>) -> WebhooksPage {
        let side = view.side;
        let unwatched = view.unwatched.map(|turn| (turn, frame::mid_sentence(&view.setup.turn_name(turn))));
        let mut hooks: Vec<Line> = hooks.into_iter().map(|ledger| Line::of(ledger, side)).collect();
        if unwatched.is_some() {
            for line in &mut hooks {
                line.told.clear();
            }
        }
        let choice = |kind: EventKind| Choice {
            word: kind.word(),
            words: words(kind, side),
            chosen: form.kinds.contains(&kind),
        };
        let choices = EventKind::CHOSEN.map(choice).into();
        WebhooksPage { frame: Frame::of_seat(&view, "Webhooks"), view, hooks, form, choices, unwatched, problem }
    }
}

/// Something that happens, in words for a side.
fn words(kind: EventKind, side: Side) -> String {
    match kind {
        EventKind::TurnAwaited => "A turn is awaited".to_owned(),
        EventKind::TurnResolved => "A turn was resolved".to_owned(),
        EventKind::OpponentSealed => format!("{} has sealed", side.other().name()),
        EventKind::GameOver => "The game is over".to_owned(),
        EventKind::Test => "A test".to_owned(),
    }
}

/// The secret of a webhook, which is shown this once.
#[derive(Template)]
#[template(path = "pages/webhook_secret.html")]
struct SecretPage {
    frame: Frame,
    url: String,
    secret: String,
    /// Whether there was one before, which counts for another day.
    renewed: bool,
}

/// GET /games/{id}/{side}/webhooks
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    shown(&state, &seat, StatusCode::OK, Form::default(), None).await
}

async fn shown(
    state: &WebState,
    seat: &Seat,
    status: StatusCode,
    form: Form,
    problem: Option<String>,
) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let mut hooks = Vec::new();
    for hook in state.play.webhooks(seat).await.map_err(at(seat))? {
        hooks.push(state.play.webhook(seat, &hook.id).await.map_err(at(seat))?);
    }
    Ok(frame::page(status, &WebhooksPage::of(view, hooks, form, problem)))
}

/// POST /games/{id}/{side}/webhooks: `do` says what, `webhook` and `event` with which.
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let (play, hook) = (&state.play, fields.text("webhook"));
    let done = match fields.text("do") {
        "add" => return add(&state, &seat, &fields).await,
        "renew" => match play.renew_webhook(&seat, hook).await {
            Ok((hook, secret)) => return secret_page(&state, &seat, hook.url, &secret, true).await,
            Err(error) => Err(error),
        },
        "test" => play.test_webhook(&seat, hook).await.map(drop),
        "retell" => play.retell(&seat, hook, fields.text("event")).await.map(drop),
        "remove" => play.remove_webhook(&seat, hook).await,
        _ => return Err(PageError::odd_form("The form does not say what to do with which webhook.").at(&seat)),
    };
    match done {
        // Removed, at another window or by the form before: the list says what there is.
        Ok(()) | Err(PlayError::NotFound) => {
            Ok(frame::see(&format!("{}/webhooks", seat_path(seat.game(), seat.side()))))
        }
        Err(problem @ PlayError::TooMany(_)) => {
            shown(&state, &seat, error::status(&problem), Form::default(), Some(problem.to_string())).await
        }
        Err(error) => Err(at(&seat)(error)),
    }
}

/// Sets one up, or shows what is wrong with it.
async fn add(state: &WebState, seat: &Seat, fields: &Fields) -> Result<Response, PageError> {
    let wanted: Vec<EventKind> =
        EventKind::CHOSEN.into_iter().filter(|kind| fields.all("event").any(|word| word == kind.word())).collect();
    let mut form = Form { url: fields.text("url").trim().to_owned(), kinds: wanted.clone(), ..Form::default() };
    if wanted.is_empty() {
        form.kinds_problem = Some("Choose what it is to hear.".to_owned());
    } else {
        // Whoever wants all of it wants what is added later too.
        let kinds = if wanted.len() == EventKind::CHOSEN.len() { Vec::new() } else { wanted };
        match state.play.add_webhook_once(seat, NewWebhook { url: form.url.clone(), kinds }).await {
            Ok((hook, secret)) => return secret_page(state, seat, hook.url, &secret, false).await,
            Err(PlayError::Field { field: "url", problem }) => form.url_problem = Some(field_problem("URL", &problem)),
            Err(error) => return Err(at(seat)(error)),
        }
    }
    shown(state, seat, StatusCode::UNPROCESSABLE_ENTITY, form, None).await
}

async fn secret_page(
    state: &WebState,
    seat: &Seat,
    url: String,
    secret: &Secret,
    renewed: bool,
) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let (frame, secret) = (Frame::of_seat(&view, "Secret of a webhook"), secret.reveal().to_owned());
    Ok(frame::page(StatusCode::OK, &SecretPage { frame, url, secret, renewed }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    fn hook(kinds: &[EventKind]) -> Webhook {
        Webhook {
            id: "w1".into(),
            url: "https://bot.example.org/<hook>".into(),
            kinds: kinds.to_vec(),
            maker: None,
            made_at: samples::NOON,
            renewed_at: None,
            delivered_at: None,
            failing_since: Some(samples::NOON),
            off: None,
        }
    }

    fn delivery(kind: EventKind, told: Told) -> Delivery {
        Delivery {
            id: "e1".into(),
            kind,
            game: None,
            turn: Some(3),
            version: Some(9),
            made_at: samples::NOON,
            told,
            tries: 2,
            tried_at: Some(samples::NOON),
            status: Some(503),
            why: Some("it was not taken".into()),
        }
    }

    fn page(hooks: Vec<Ledger>, form: Form) -> String {
        WebhooksPage::of(samples::view(), hooks, form, None).render().unwrap()
    }

    #[test]
    fn each_says_what_it_hears_and_what_became_of_that() {
        let told = vec![
            delivery(EventKind::TurnAwaited, Told::Waits(samples::NOON)),
            delivery(EventKind::OpponentSealed, Told::Taken(samples::NOON)),
            delivery(EventKind::GameOver, Told::GivenUp(samples::NOON)),
        ];
        let html = page(vec![(hook(&[EventKind::GameOver, EventKind::OpponentSealed]), told)], Form::default());
        for words in [
            "https://bot.example.org/&#60;hook&#62;",
            "The game is over; Blue has sealed",
            "It has taken nothing since",
            "<strong>Blue has sealed</strong>, Day 3",
            "Waits; it is tried",
            "Given up",
            "2 tries. The last answer was 503. Reason: it was not taken.",
            "Set another one up",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
    }

    #[test]
    fn the_form_keeps_what_was_written() {
        let html = page(Vec::new(), Form::default());
        assert_eq!(html.matches(" checked>").count(), 4);
        assert!(html.contains("Set one up"), "{html}");
        let form = Form {
            url: "ftp://x".into(),
            kinds: vec![EventKind::GameOver],
            url_problem: Some("The URL is odd.".into()),
            kinds_problem: None,
        };
        let html = page(vec![(hook(&[]), Vec::new()); MOST_OF_SEAT - 1], form);
        assert!(html.contains("value=\"ftp://x\"") && html.contains("The URL is odd."), "{html}");
        assert!(html.contains("value=\"game_over\" checked") && html.matches(" checked>").count() == 1, "{html}");
        let full = page(vec![(hook(&[]), Vec::new()); MOST_OF_SEAT], Form::default());
        assert!(full.contains("A seat has 3 webhooks at most.") && !full.contains("name=\"url\""), "{full}");
    }
}
