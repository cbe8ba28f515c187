//! A mail server in threads of its own, which takes whatever comes and remembers when, and the beginning of each letter.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// How much of a letter is kept, in bytes: its head and the plain text.
const KEPT: usize = 12_000;

/// A letter that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// When its last dot had come.
    pub at: Instant,
    /// How it begins, with its long lines put together again.
    pub text: String,
}

/// The mail server.
#[derive(Clone, Debug)]
pub struct Catcher {
    /// Where it listens.
    pub address: SocketAddr,
    letters: Arc<Mutex<Vec<Taken>>>,
}

impl Catcher {
    /// Starts one.
    pub fn start() -> std::io::Result<Catcher> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let catcher = Catcher { address: listener.local_addr()?, letters: Arc::default() };
        let letters = Arc::clone(&catcher.letters);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        std::thread::spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(talk(stream, Arc::clone(&letters)));
                }
            });
        });
        Ok(catcher)
    }

    /// What has come since the last time.
    pub fn collect(&self) -> Vec<Taken> {
        std::mem::take(&mut *self.letters.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn talk(stream: TcpStream, letters: Arc<Mutex<Vec<Taken>>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::with_capacity(1 << 16, read);
    write.write_all(b"220 catcher\r\n").await?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if read.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        match line.first_chunk::<4>() {
            Some(b"DATA") => {
                write.write_all(b"354 go on\r\n").await?;
                let mut letter = Vec::new();
                loop {
                    line.clear();
                    if read.read_until(b'\n', &mut line).await? == 0 {
                        return Ok(());
                    }
                    if line == b".\r\n" {
                        break;
                    }
                    if letter.len() < KEPT {
                        letter.extend_from_slice(&line);
                    }
                }
                let text = String::from_utf8_lossy(&letter).replace("=\r\n", "");
                let taken = Taken { at: Instant::now(), text };
                letters.lock().unwrap_or_else(PoisonError::into_inner).push(taken);
                write.write_all(b"250 taken\r\n").await?;
            }
            Some(b"QUIT") => return write.write_all(b"221 bye\r\n").await,
            Some(_) => write.write_all(b"250 ok\r\n").await?,
            None => return Ok(()),
        }
    }
}
