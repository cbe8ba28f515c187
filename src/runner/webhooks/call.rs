//! Calling a receiver: one request over one connection, to an address that was looked at, within TLS for the receiver's
//! name. Redirects are not followed, no proxy of the environment is asked, and of the answer nothing is read but its head.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use http::{HeaderMap, Request, Response, StatusCode, header};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::clock::Timestamp;
use crate::play::webhooks::telling::{Answer, Later, Telling};
use crate::play::webhooks::{Reach, Target};

/// How long a call may take in all.
const CALL: Duration = Duration::from_secs(15);
/// How long connecting to one address may take.
const CONNECT: Duration = Duration::from_secs(5);
/// To how many of a name's addresses it is tried to connect.
const ADDRESSES: usize = 3;
/// The longest head of an answer, in bytes.
const HEAD: usize = 16 * 1024;

/// What is said of a call that came to no request. Whoever names an address does not learn whether anything listens there.
const UNREACHED: &str = "no connection came about, or its certificate, or its TLS, does not do";

/// Who calls receivers. Cheap to clone.
#[derive(Clone)]
pub struct Caller {
    reach: Reach,
    tls: TlsConnector,
    limit: Duration,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl Caller {
    /// One who believes the authorities that browsers trust.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn new(reach: Reach) -> Result<Caller, String> {
        Caller::believing(reach, webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect())
    }

    /// One who believes other authorities.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn believing(reach: Reach, roots: RootCertStore) -> Result<Caller, String> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Caller { reach, tls: TlsConnector::from(Arc::new(config)), limit: CALL })
    }

    /// The same with another limit for a whole call.
    #[must_use]
    pub fn within(self, limit: Duration) -> Caller {
        Caller { limit, ..self }
    }

    /// Tells a receiver something, and gives what it answered.
    pub async fn call(&self, telling: &Telling) -> Answer {
        let Ok(target) = &telling.target else { return Answer::None("its URL is not one that this server calls") };
        let mut connected = false;
        match timeout(self.limit, self.try_call(target, telling, &mut connected)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(why)) => Answer::None(why),
            Err(_) if connected => Answer::None("it took too long"),
            Err(_) => Answer::None(UNREACHED),
        }
    }

    async fn try_call(&self, target: &Target, telling: &Telling, connected: &mut bool) -> Result<Answer, &'static str> {
        let addresses = target.addresses(self.reach).await?;
        let stream = connect(&addresses).await.ok_or(UNREACHED)?;
        if !target.protected() {
            *connected = true;
            return asked(stream, target, telling).await;
        }
        let name = ServerName::try_from(target.host().to_owned()).map_err(|_| "its name is none for TLS")?;
        let stream = self.tls.connect(name, stream).await.map_err(|_| UNREACHED)?;
        *connected = true;
        asked(stream, target, telling).await
    }
}

/// Connects to one of some addresses that were looked at, and to no other.
async fn connect(addresses: &[SocketAddr]) -> Option<TcpStream> {
    for address in addresses.iter().take(ADDRESSES) {
        if let Ok(Ok(stream)) = timeout(CONNECT, TcpStream::connect(address)).await {
            let _ = stream.set_nodelay(true);
            return Some(stream);
        }
    }
    None
}

/// Sends the request and reads the head of its answer. The connection ends there, whatever else is sent over it.
async fn asked<S>(stream: S, target: &Target, telling: &Telling) -> Result<Answer, &'static str>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    const BROKEN: &str = "the connection broke, or what was answered is no HTTP";
    let request = Request::post(target.path())
        .header(header::HOST, target.authority())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("fieldcommand/", env!("CARGO_PKG_VERSION")))
        .header(header::CONNECTION, "close")
        .header("webhook-id", &telling.id)
        .header("webhook-timestamp", &telling.seconds)
        .header("webhook-signature", &telling.signatures)
        .body(telling.body.clone())
        .map_err(|_| "its URL is not one that this server calls")?;
    let (mut sender, connection) =
        http1::Builder::new().max_buf_size(HEAD).handshake(TokioIo::new(stream)).await.map_err(|_| BROKEN)?;
    // The connection is driven here, so that nothing of it is left once the head is there, or the time is over.
    let answer = sender.send_request(request);
    tokio::pin!(answer, connection);
    let answer = tokio::select! {
        biased;
        answer = &mut answer => answer,
        // A receiver may close as soon as it has answered.
        _ = &mut connection => answer.await,
    };
    answer.map(|answer| head_of(&answer)).map_err(|_| BROKEN)
}

/// What the head of an answer says. A receiver that has too much to do may say until when (RFC 9110, 10.2.3).
fn head_of<B>(answer: &Response<B>) -> Answer {
    let status = answer.status();
    let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    match later(answer.headers()).filter(|_| busy) {
        Some(later) => Answer::Later(status.as_u16(), later),
        None => Answer::Status(status.as_u16()),
    }
}

/// What the header `Retry-After` says: so many seconds, or a date in any of the three forms of HTTP.
fn later(headers: &HeaderMap) -> Option<Later> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Later::After(Duration::from_secs(text.parse().unwrap_or(u64::MAX))));
    }
    let date = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(Later::At(Timestamp(i64::try_from(date.as_millis()).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(status: u16, text: &str) -> Answer {
        head_of(&Response::builder().status(status).header("retry-after", text).body(()).unwrap())
    }

    #[test]
    fn who_is_busy_says_until_when() {
        let after = |seconds| Answer::Later(503, Later::After(Duration::from_secs(seconds)));
        assert_eq!(said(503, "120"), after(120));
        assert_eq!(said(503, " 0 "), after(0));
        assert_eq!(said(503, "99999999999999999999999"), after(u64::MAX), "more than any number");
        let at = Answer::Later(429, Later::At(Timestamp(784_111_777_000)));
        for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(said(429, date), at, "{date}");
        }
        for nonsense in ["", "-1", "1.5", "soon", "120 s", "0x10", "Sun, 06 Nov 1994", "Thu, 01 Jan 1960 00:00:00 GMT"]
        {
            assert_eq!(said(503, nonsense), Answer::Status(503), "{nonsense}");
        }
        for status in [200, 301, 410, 500] {
            assert_eq!(said(status, "120"), Answer::Status(status), "it is not asked for by {status}");
        }
    }
}
