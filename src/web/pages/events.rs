//! News of a game as server-sent events (WHATWG HTML, 9.2): the version, whenever it rises, the number of a new message, and
//! nothing of what happened. The page asks again for what its holder may know.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::metrics::OpenStream;
use crate::play::{GameId, Play, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::limit::Listening;
use crate::web::pages::session::Held;

/// How often the version is looked up though nothing was heard: another process may have changed the game.
const POLL: Duration = Duration::from_secs(5);
/// How often an idle stream says that it lives, so that nothing on the way takes it for dead.
const ALIVE: Duration = Duration::from_secs(20);
/// How long a stream lives; then the browser comes again, with its cookie looked at anew.
const LIFE: Duration = Duration::from_mins(30);

/// What is asked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The version now, as text, and no stream.
    once: Option<String>,
}

/// GET /games/{id}/{side}/events
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    Query(asked): Query<Asked>,
) -> Result<Response, PageError> {
    let version = state.play.version(&seat).await.map_err(at(&seat))?;
    if asked.once.is_some() {
        return Ok(version.to_string().into_response());
    }
    let Some(listening) = state.limits.listening(format!("{} {}", seat.game(), seat.side().word())) else {
        let message =
            "This seat is looked at in too many places at once. Close some of them; this page goes on without news.";
        return Err(PageError::new(StatusCode::TOO_MANY_REQUESTS, "Too many at once", message).at(&seat));
    };
    let listener = state.play.listen();
    let message = state.play.announced_message(&seat).await.map_err(at(&seat))?;
    let open = state.play.metrics().stream();
    let (play, stop) = (state.play.clone(), state.stop.clone());
    let news = News { play, seat, listener, stop, told: None, message, _listening: listening, _open: open };
    let stream = Sse::new(stream(news)).keep_alive(KeepAlive::new().interval(ALIVE));
    // Proxies that gather answers before they pass them on are asked not to.
    let unbuffered = [(header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"))];
    Ok((unbuffered, stream).into_response())
}

/// What one stream listens to.
struct News {
    play: Play,
    seat: Seat,
    listener: Receiver<GameId>,
    stop: CancellationToken,
    /// The version that was told last.
    told: Option<i64>,
    /// The last message that was announced.
    message: i64,
    /// Counts among the streams of the seat until it ends.
    _listening: Listening,
    /// Counted as long as it lives.
    _open: OpenStream,
}

/// The versions as they rise, until the server stops, the seat is lost, or the stream is old.
fn stream(news: News) -> impl Stream<Item = Result<Event, Infallible>> {
    let end = tokio::time::Instant::now() + LIFE;
    futures_util::stream::unfold(news, move |mut news| async move {
        loop {
            let version = news.play.version(&news.seat).await.ok()?;
            if news.told != Some(version) {
                news.told = Some(version);
                return Some((Ok(Event::default().event("version").data(version.to_string())), news));
            }
            let message = news.play.announced_message(&news.seat).await.ok()?;
            if message > news.message {
                news.message = message;
                return Some((Ok(Event::default().event("message-number").data(message.to_string())), news));
            }
            news.message = message;
            tokio::select! {
                () = news.stop.cancelled() => return None,
                () = tokio::time::sleep_until(end) => return None,
                heard = heard(&mut news.listener, news.seat.game()) => if !heard { return None },
                () = tokio::time::sleep(POLL) => {}
            }
        }
    })
}

/// Waits for a change of the game. Whoever missed some has heard enough to look. False when nobody announces any more.
async fn heard(listener: &mut Receiver<GameId>, game: &GameId) -> bool {
    loop {
        match listener.recv().await {
            Ok(changed) if changed == *game => return true,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return true,
            Err(RecvError::Closed) => return false,
        }
    }
}
