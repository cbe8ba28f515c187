//! Pages for people: plain HTML that works without scripts.
//!
//! A handler reads the request, calls `play`, and shows the answer with a template from
//! `templates/pages`. GET shows, POST acts, and after it acted sends the browser on.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};

use crate::web::WebState;
use crate::web::error::PageError;

/// Deadlines for calendar programs.
mod calendar;
/// The report of a turn.
mod day;
/// Codes out of letters.
mod code;
/// Coming in by a link.
mod enter;
/// The screen between two sides at one device.
mod hand_over;
/// The first page.
mod home;
/// Invitations.
mod invite;
/// The link to a seat, as a QR code too.
mod link;
/// Who is signed in.
mod me;
/// Links that came by mail.
mod mailed;
/// Opening a game.
mod new;
/// A draw, or going on elsewhere, by agreement.
mod agree;
/// Carrying on what was begun on paper.
mod adopt;
/// Playing a record of elsewhere again.
mod analyse;
/// Resigning, unseating, withdrawing, the address for reports.
mod people;
/// The rules in short.
mod rules;
/// Six small positions to learn by.
mod learn;
/// The page of a seat.
mod seat;
/// An opponent who stays away.
mod absent;
/// Absences, pauses, games that lie still.
mod time;
/// What is done on the table of a seat.
mod desk;
/// Days imagined.
mod what_if;
/// News as they happen.
mod events;
/// Checking and sealing.
mod sheet;
/// Signing in and out.
mod sign_in;
/// The whole game in words.
mod story;
/// The whole game to take along.
mod record;
/// What the computer would have written, after the end.
mod hint;
/// Watching a turn before its result is told.
mod watch;
/// A public game for whoever looks on.
mod spectator;
/// The lists of public games.
mod public;
/// Open challenges.
mod lobby;
/// What a player does about other people.
mod company;
/// What the two players write to each other.
mod messages;
/// What became of letters, and stopping them.
mod letters;
/// A seat's webhooks.
mod webhooks;
/// The organiser's desk.
mod admin;
/// How a game is played by mail.
mod by_mail;

/// The files of `static/`.
pub(in crate::web) mod assets;
/// The board to be touched, with the sheet in the making.
mod table;
/// The form for a sheet.
mod entry;
/// What is particular to Field Command.
mod field_command;
/// Forms as they are sent.
mod form;
/// What the organiser did, for the players.
mod organiser;
/// What all pages have in common.
pub(in crate::web) mod frame;
/// Headers, and the refusal of other sites' forms.
mod guard;
/// The cookie, and the seat that an address names.
mod session;

/// Sample data for tests.
#[cfg(test)]
mod samples;

/// All pages.
pub fn router(state: WebState) -> Router {
    let alike = Router::new()
        .route("/rules", get(rules::get))
        .route("/by-mail", get(by_mail::get))
        .route("/learn", get(learn::all))
        .route("/learn/{key}", get(learn::get).post(learn::post))
        .route("/learn/{key}/try", get(learn::back).post(learn::attempt))
        .route("/analyse", get(analyse::get).post(analyse::post).layer(DefaultBodyLimit::max(analyse::MOST_BYTES)))
        .layer(from_fn_with_state(state.clone(), session::below_announcements));
    let open = Router::new()
        .route("/robots.txt", get(assets::robots))
        .route("/boards/{name}", get(assets::board))
        .route("/calendar/{secret}", get(calendar::get))
        .route("/static/{hash}/{name}", get(assets::get));
    let home = Router::new()
        .route("/", get(home::get))
        .layer(from_fn(guard::unstored))
        .layer(from_fn_with_state(state.clone(), session::as_reader));
    let private = Router::new()
        .route("/games", get(public::running).post(new::post))
        .route("/games/archive", get(public::archive))
        .route("/games/new", get(new::get))
        .route("/games/adopt", get(adopt::get).post(adopt::post))
        .route("/play", post(new::play))
        .route("/play/computer", get(new::back_home).post(new::play_computer))
        .route("/s/{secret}", get(enter::seat_link))
        .route("/i/{secret}", get(invite::get).post(invite::post))
        .route("/m/{secret}", get(mailed::get).post(mailed::post))
        .route("/me", get(me::get).post(me::post))
        .route("/me/address", get(back_to_me).post(me::address))
        .route("/me/calendar", get(back_to_me).post(me::calendar))
        .route("/me/sign-ins", get(back_to_me).post(me::sign_ins))
        .route("/me/data.json", get(me::data))
        .route("/me/delete", get(me::ask_delete).post(me::delete))
        .route("/sign-in", get(sign_in::get).post(sign_in::post))
        .route("/sign-out", post(sign_in::out))
        .route("/games/{id}", get(enter::game))
        .route("/games/{id}/code", get(code::back).post(code::post))
        .route("/games/{id}/days/{n}", get(enter::day))
        .route("/games/{id}/story", get(enter::story))
        .route("/games/{id}/hand-over", get(hand_over::get).post(hand_over::post))
        .route("/games/{id}/{side}", get(seat::get))
        .route("/games/{id}/{side}/days/{n}/hint", get(hint::back).post(hint::post))
        .route("/games/{id}/{side}/table", get(sheet::back).post(desk::post))
        .route("/games/{id}/{side}/events", get(events::get))
        .route("/games/{id}/{side}/what-if", get(what_if::get).post(what_if::post))
        .route("/games/{id}/{side}/withdraw", get(sheet::back).post(desk::withdraw))
        .route("/games/{id}/{side}/when-due", get(sheet::back).post(desk::when_due))
        .route("/games/{id}/{side}/absent", get(absent::get).post(absent::post))
        .route("/games/{id}/{side}/time", get(time::get).post(time::post))
        .route("/games/{id}/{side}/notes", get(sheet::back).post(desk::note))
        .route("/games/{id}/{side}/check", get(sheet::back).post(sheet::check))
        .route("/games/{id}/{side}/seal", get(sheet::back).post(sheet::seal))
        .route("/games/{id}/{side}/days/{n}", get(day::get))
        .route("/games/{id}/{side}/days/{n}/seen", get(watch::back).post(watch::seen))
        .route("/games/{id}/{side}/results", get(watch::back_to_seat).post(watch::results))
        .route("/games/{id}/{side}/story", get(story::get))
        .route("/games/{id}/{side}/record.json", get(record::json))
        .route("/games/{id}/{side}/record.txt", get(record::text))
        .route("/games/{id}/{side}/resign", get(people::ask_resign).post(people::resign))
        .route("/games/{id}/{side}/draw", get(agree::ask_draw).post(agree::draw))
        .route("/games/{id}/{side}/continue", get(agree::ask_continue).post(agree::go_on))
        .route("/games/{id}/{side}/unseat", get(people::ask_unseat).post(people::unseat))
        .route("/games/{id}/{side}/invitation/withdraw", post(people::withdraw))
        .route("/games/{id}/{side}/address", post(people::address))
        .route("/games/{id}/{side}/challenge", get(sheet::back).post(company::challenge))
        .route("/games/{id}/{side}/invitation/send", post(company::send))
        .route("/games/{id}/{side}/again", get(sheet::back).post(company::again))
        .route("/games/{id}/{side}/block", get(company::ask_block).post(company::block))
        .route("/games/{id}/{side}/messages", get(messages::get).post(messages::post))
        .route("/games/{id}/{side}/messages/read", get(messages::back).post(messages::read))
        .route("/games/{id}/{side}/messages/mute", get(messages::back).post(messages::mute))
        .route("/games/{id}/{side}/messages/report", get(messages::back).post(messages::report))
        .route("/games/{id}/{side}/letters", get(letters::get).post(letters::post))
        .route("/games/{id}/{side}/webhooks", get(webhooks::get).post(webhooks::post))
        .route("/games/{id}/{side}/consent", get(sheet::back).post(organiser::post))
        .route("/letters/{secret}", get(letters::ask).post(letters::act))
        .route("/lobby", get(lobby::list))
        .route("/lobby/{id}", get(lobby::get).post(lobby::post))
        .route("/games/{id}/{side}/link", get(link::get))
        .merge(desk())
        .fallback(nothing)
        .layer(from_fn(guard::private))
        .layer(from_fn_with_state(state.clone(), session::as_reader));
    open.merge(alike)
        .merge(home)
        .merge(private)
        .method_not_allowed_fallback(not_so)
        .layer(from_fn_with_state(state.clone(), guard::own_forms))
        .layer(from_fn(guard::headers))
        .layer(DefaultBodyLimit::max(form::MOST_BYTES))
        .with_state(state)
}

/// The organiser's desk.
fn desk() -> Router<WebState> {
    Router::new()
        .route("/admin", get(admin::overview::get))
        .route("/admin/sign-in", get(admin::session::get).post(admin::session::post))
        .route("/admin/sign-out", get(admin::act::back).post(admin::session::out))
        .route("/admin/games", get(admin::games::get))
        .route("/admin/games/{id}", get(admin::game::get))
        .route("/admin/act", get(admin::act::back).post(admin::act::post))
        .route("/admin/letters", get(admin::lists::letters))
        .route("/admin/mails", get(admin::lists::mails))
        .route("/admin/log", get(admin::lists::log))
        .route("/admin/webhooks", get(admin::webhooks::get))
        .route("/admin/boards", get(admin::boards::get))
        .route("/admin/blocks", get(admin::lists::blocks))
        .route("/admin/people", get(admin::people::list))
        .route("/admin/people/{id}", get(admin::people::get))
}

/// A form of the settings, after a reload.
async fn back_to_me() -> axum::response::Response {
    frame::see("/me")
}

/// For addresses that lead nowhere.
async fn nothing() -> PageError {
    PageError::not_found()
}

/// For addresses that do not take the method.
async fn not_so() -> PageError {
    let message = "This address does something else: it shows a page or takes a form, not both.";
    PageError::new(StatusCode::METHOD_NOT_ALLOWED, "Not this way", message)
}
