//! What a conversation with a mail server runs over: a TCP stream that holds nothing back, in the clear or within TLS.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use lettre::transport::smtp::client::{AsyncTokioStream, Certificate, CertificateStore, TlsParameters};
use rustls_pki_types::pem::PemObject;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The first octet of a TLS conversation (RFC 8446, 5.1: a record that holds a handshake).
const HANDSHAKE: u8 = 22;

/// Who is believed to say which server one talks to: the authorities that browsers trust, or those of a file alone.
#[derive(Clone, Default)]
pub(super) struct Trust(Option<Arc<[CertificateDer<'static>]>>);

impl Trust {
    /// The authorities of a file, in PEM.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(path: &Path) -> Result<Trust, String> {
        let name = path.display();
        let pem = std::fs::read(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        let certificates = certificates.map_err(|_| format!("{name} holds what is no certificate in PEM"))?;
        let trust = Trust(Some(certificates.into()));
        if trust.roots()?.is_empty() {
            return Err(format!("{name} holds no certificate in PEM"));
        }
        Ok(trust)
    }

    fn roots(&self) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        match &self.0 {
            None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(own) => {
                for certificate in own.iter() {
                    roots.add(certificate.clone()).map_err(|error| format!("a certificate does not do: {error}"))?;
                }
            }
        }
        Ok(roots)
    }

    /// TLS from the first byte.
    fn connector(&self) -> Result<TlsConnector, String> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(self.roots()?)
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }

    /// TLS after `STARTTLS`.
    pub(super) fn upgrade(&self, host: &str) -> Result<TlsParameters, String> {
        let mut parameters = TlsParameters::builder(bare(host).to_owned());
        if let Some(own) = &self.0 {
            parameters = parameters.certificate_store(CertificateStore::None);
            for certificate in own.iter() {
                let certificate = Certificate::from_der(certificate.to_vec()).map_err(|error| error.to_string())?;
                parameters = parameters.add_root_certificate(certificate);
            }
        }
        parameters.build().map_err(|error| error.to_string())
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Trust(a file)" } else { "Trust(browsers)" })
    }
}

/// A host without the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.trim_matches(['[', ']'])
}

/// A TCP stream within TLS.
#[derive(Debug)]
struct Wrapped(TlsStream<TcpStream>);

/// A TCP stream that is to become one within TLS. Until then it is read octet by octet, so that whoever reads lines has read
/// nothing beyond the answer to `STARTTLS`: what somebody on the way puts behind it cannot be taken for an answer given
/// within TLS, but ends the handshake.
#[derive(Debug)]
struct Careful {
    stream: TcpStream,
    /// Whether the handshake has begun.
    within: bool,
}

/// Connects. Every small step of the conversation leaves at once (`TCP_NODELAY`): else each letter would wait for the
/// other side's delayed acknowledgement.
pub(super) async fn connect(host: &str, port: u16) -> Result<TcpStream, String> {
    let stream = TcpStream::connect((bare(host), port)).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    Ok(stream)
}

/// Connects to any server, within TLS if it is `protected`, whose certificate browsers would trust.
///
/// # Errors
/// What went wrong.
pub(crate) async fn open(host: &str, port: u16, protected: bool) -> Result<Box<dyn AsyncTokioStream>, String> {
    let stream = connect(host, port).await?;
    if protected { wrapped(stream, host, &Trust::default()).await } else { Ok(clear(stream)) }
}

/// A connection that stays as it is.
pub(super) fn clear(stream: TcpStream) -> Box<dyn AsyncTokioStream> {
    Box::new(stream)
}

/// A connection that is to be protected later on.
pub(super) fn careful(stream: TcpStream) -> Box<dyn AsyncTokioStream> {
    Box::new(Careful { stream, within: false })
}

/// A connection that is protected now.
pub(super) async fn wrapped(stream: TcpStream, host: &str, trust: &Trust) -> Result<Box<dyn AsyncTokioStream>, String> {
    let name = ServerName::try_from(bare(host).to_owned()).map_err(|error| error.to_string())?;
    let stream = trust.connector()?.connect(name, stream).await.map_err(|error| error.to_string())?;
    Ok(Box::new(Wrapped(stream)))
}

impl AsyncTokioStream for Careful {
    fn peer_addr(&self) -> std::io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

impl AsyncRead for Careful {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        if self.within {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let mut octet = [0];
        let mut one = ReadBuf::new(&mut octet);
        let read = Pin::new(&mut self.stream).poll_read(context, &mut one);
        buffer.put_slice(one.filled());
        read
    }
}

impl AsyncWrite for Careful {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.within |= bytes.first() == Some(&HANDSHAKE);
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
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
