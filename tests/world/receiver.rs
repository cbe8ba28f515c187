//! A receiver of webhooks that does as it is told, and remembers what it heard.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// What it does with a request.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Answers with a status and nothing else.
    Say(u16),
    /// Answers with a status, and with what `Retry-After` shall say.
    Busy(u16, &'static str),
    /// Sends the asker elsewhere, to this port of this machine.
    Redirect(u16),
    /// Answers 200 and sends a body without an end.
    Endless,
    /// Sends a head without an end.
    EndlessHead,
    /// Says nothing.
    Hang,
    /// Closes the connection.
    Drop,
    /// Says what is no HTTP.
    Babble,
}

/// A request that it heard.
#[derive(Clone, Debug)]
pub struct Heard {
    pub head: String,
    pub body: String,
}

impl Heard {
    /// A header.
    pub fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")));
        line.unwrap_or_else(|| panic!("no {name} in {}", self.head)).split_once(": ").unwrap().1
    }

    /// The body.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What happened.
    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }
}

/// A receiver on a free port.
pub struct Receiver {
    pub port: u16,
    heard: Arc<Mutex<Vec<Heard>>>,
    running: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Receiver {
    /// One that does with its n-th request what `act` says.
    pub async fn start(act: impl Fn(usize) -> Act + Send + Sync + 'static) -> Receiver {
        Receiver::start_within(None, act).await
    }

    /// The same within TLS.
    pub async fn start_within(
        tls: Option<TlsAcceptor>,
        act: impl Fn(usize) -> Act + Send + Sync + 'static,
    ) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard: Arc<Mutex<Vec<Heard>>> = Arc::default();
        let (ears, act) = (Arc::clone(&heard), Arc::new(act));
        let running = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (ears, act, tls) = (Arc::clone(&ears), Arc::clone(&act), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => answer(stream, &ears, &*act).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                answer(stream, &ears, &*act).await;
                            }
                        }
                    }
                });
            }
        });
        Receiver { port, heard, running }
    }

    /// One that takes everything.
    pub async fn kind() -> Receiver {
        Receiver::start(|_| Act::Say(204)).await
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?of=test", self.port)
    }

    /// What it heard so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// Forgets it.
    pub fn take(&self) -> Vec<Heard> {
        std::mem::take(&mut self.heard.lock().unwrap())
    }
}

/// Reads one request and answers it. Whoever asked may have gone.
async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    ears: &Mutex<Vec<Heard>>,
    act: &impl Fn(usize) -> Act,
) {
    let mut text = Vec::new();
    let (head, length) = loop {
        let mut some = [0; 4096];
        match stream.read(&mut some).await {
            Ok(0) | Err(_) => return,
            Ok(read) => text.extend_from_slice(&some[..read]),
        }
        let so_far = String::from_utf8_lossy(&text).into_owned();
        if let Some((head, _)) = so_far.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            break (head.to_owned(), length.unwrap_or(0_usize));
        }
    };
    while text.len() < head.len() + 4 + length {
        let mut some = [0; 4096];
        match stream.read(&mut some).await {
            Ok(0) | Err(_) => return,
            Ok(read) => text.extend_from_slice(&some[..read]),
        }
    }
    let body = String::from_utf8(text[head.len() + 4..].to_vec()).unwrap();
    let number = {
        let mut heard = ears.lock().unwrap();
        heard.push(Heard { head, body });
        heard.len() - 1
    };
    let said = match act(number) {
        Act::Say(status) => format!("HTTP/1.1 {status} Said\r\ncontent-length: 0\r\n\r\n"),
        Act::Busy(status, after) => {
            format!("HTTP/1.1 {status} Busy\r\nretry-after: {after}\r\ncontent-length: 0\r\n\r\n")
        }
        Act::Redirect(port) => {
            format!("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{port}/secret\r\ncontent-length: 0\r\n\r\n")
        }
        Act::Endless => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".into(),
        Act::EndlessHead => "HTTP/1.1 200 OK\r\n".into(),
        Act::Hang => {
            tokio::time::sleep(std::time::Duration::from_mins(5)).await;
            return;
        }
        Act::Drop => return,
        Act::Babble => "220 smtp.example.org ESMTP\r\n".into(),
    };
    let _ = stream.write_all(said.as_bytes()).await;
    let more = match act(number) {
        Act::Endless => "10000\r\n".to_owned() + &"x".repeat(0x10000) + "\r\n",
        Act::EndlessHead => "x-more: ".to_owned() + &"x".repeat(1000) + "\r\n",
        _ => {
            let _ = stream.shutdown().await;
            return;
        }
    };
    while stream.write_all(more.as_bytes()).await.is_ok() {}
}
