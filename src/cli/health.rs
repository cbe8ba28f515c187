//! `fieldcommand health`: asks a running server whether it is ready, for containers and watchdogs that have no other client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use http::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// How long the server may take.
const LONGEST: Duration = Duration::from_secs(10);

/// Asks the server that listens at an address.
///
/// # Errors
/// It does not answer, or is not ready.
pub async fn ask(listen: SocketAddr) -> anyhow::Result<()> {
    let address = reachable(listen);
    let answer = tokio::time::timeout(LONGEST, ready(address)).await;
    let status = match answer {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => anyhow::bail!("http://{address}: {error}"),
        Err(_) => anyhow::bail!("http://{address}: no answer within {} seconds", LONGEST.as_secs()),
    };
    anyhow::ensure!(status.is_success(), "http://{address}: not ready ({status})");
    Ok(())
}

/// A server that listens everywhere is asked on this machine.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

async fn ready(address: SocketAddr) -> anyhow::Result<StatusCode> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::get("/health/ready").header("host", address.to_string()).body(String::new())?;
    Ok(sender.send_request(request).await?.status())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_here() {
        for (listen, asked) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("192.0.2.1:80", "192.0.2.1:80")]
        {
            assert_eq!(reachable(listen.parse().unwrap()), asked.parse().unwrap());
        }
    }
}
