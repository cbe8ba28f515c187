//! What a conversation with a mail server runs over: a TCP stream that holds nothing back, in the clear or within TLS.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A TCP stream within TLS.
#[derive(Debug)]
struct Wrapped(TlsStream<TcpStream>);

/// Connects. Every small step of the conversation leaves at once (`TCP_NODELAY`): else each letter would wait for the
/// other side's delayed acknowledgement.
pub async fn connect(host: &str, port: u16, wrapped: bool) -> Result<Box<dyn AsyncTokioStream>, String> {
    let host = host.trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    if !wrapped {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
    let stream = connector()?.connect(name, stream).await.map_err(|error| error.to_string())?;
    Ok(Box::new(Wrapped(stream)))
}

/// TLS by the authorities that browsers trust.
fn connector() -> Result<TlsConnector, String> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

impl AsyncTokioStream for Wrapped {
    fn peer_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.get_ref().0.peer_addr()
    }
}

impl AsyncRead for Wrapped {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wrapped {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
