//! The ports of a process, answering connections, and ceasing to without leaving anybody unanswered.

use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use futures_util::FutureExt;
use http::HeaderValue;
use http::header::CONNECTION;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;

use super::{StartError, mail};
use crate::cli::settings::Settings;
use crate::mail::Answers;
use crate::play::processes::Part;
use crate::web::health::Leaving;
use crate::web::limit::Peer;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// How long a client may take nothing of an answer that waits for it.
const UNREAD: Duration = Duration::from_secs(30);
/// How many bytes the head of a request may have: cookies of other programs on the same host included.
const HEAD_BYTES: usize = 64 * 1024;

/// Where a process listens.
pub(super) struct Ports {
    /// For players.
    pub(super) players: Option<TcpListener>,
    /// For mail.
    pub(super) mail: Option<TcpListener>,
    /// For who looks after the server.
    pub(super) metrics: Option<TcpListener>,
}

impl Ports {
    /// Opens those that a process needs for its part.
    pub(super) async fn open(settings: &Settings, part: Part, answers: Option<&Answers>) -> Result<Ports, StartError> {
        let mut ports = Ports { players: None, mail: None, metrics: None };
        if part.serves() {
            ports.mail = mail::mail_listener(settings, answers).await?;
            let players = TcpListener::bind(settings.listen).await;
            ports.players = Some(players.map_err(|error| StartError::Listen(settings.listen, error))?);
        }
        if let Some(at) = settings.metrics_listen {
            ports.metrics = Some(TcpListener::bind(at).await.map_err(|error| StartError::Metrics(at, error))?);
        }
        Ok(ports)
    }

    /// Where players are answered.
    pub(super) fn address(&self) -> Option<std::net::SocketAddr> {
        self.players.as_ref().and_then(|listener| listener.local_addr().ok())
    }
}

/// Answers connections until `stop`; then those that are answered at the moment are finished.
pub(super) async fn serve(listener: TcpListener, router: Router, leaving: Leaving, stop: CancellationToken) {
    let router = router.layer(from_fn_with_state(leaving, closing));
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Mostly too many open files: a moment later there are fewer.
                    tracing::error!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        answer(stream, Peer(peer.ip()), &router, &graceful);
    }
    // Whoever has connected already, and has not been met yet, is answered too.
    while let Some(Ok((stream, peer))) = listener.accept().now_or_never() {
        answer(stream, Peer(peer.ip()), &router, &graceful);
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Answers one connection in a task of its own.
fn answer(stream: TcpStream, peer: Peer, router: &Router, graceful: &GracefulShutdown) {
    let _ = stream.set_nodelay(true);
    let mut patient = TimeoutStream::new(stream);
    patient.set_write_timeout(Some(UNREAD));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(
            TokioIo::new(Box::pin(patient)),
            TowerToHyperService::new(AddExtension::new(router.clone(), peer)),
        );
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}

/// While the server is about to stop, each connection ends with its next answer: a proxy that keeps connections would
/// otherwise send a request into one that is being closed.
async fn closing(State(leaving): State<Leaving>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if leaving.is_set() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
