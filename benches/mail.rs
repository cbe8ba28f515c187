//! How fast letters leave, beside a raw SMTP dialogue over as many connections in the same run:
//! `cargo bench --bench mail`.
//!
//! The catcher runs in threads of its own and keeps nothing. Each number is of several rounds that alternate, so that what
//! else the machine does meets both. Letters without and with a picture; 1, 2 and 4 connections
//! (`FIELDCOMMAND_MAIL_LETTERS=5000` sends more of each). The last part is the whole way of letters from their rows to the
//! catcher, with claims, composing and marks.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use fieldcommand::clock::{Chance, Clock};
use fieldcommand::mail::transport::SmtpServer;
use fieldcommand::mail::{Courier, Outgoing, Sender, Transport};
use fieldcommand::pace::Pace;
use fieldcommand::play::open::{Company, NewGame, SideChoice};
use fieldcommand::play::terms::Terms;
use fieldcommand::play::{Play, ServerKey};
use fieldcommand::rules::{Setup, Side, field_command};
use fieldcommand::runner::outbox;
use fieldcommand::store::Store;
use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Attachment, MultiPart, SinglePart};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How many letters a round sends.
const LETTERS: usize = 1000;
/// How many rounds each way has.
const ROUNDS: usize = 5;

/// Takes whatever comes, in threads of its own, and counts.
fn catcher() -> anyhow::Result<(SocketAddr, Arc<AtomicUsize>)> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let (address, caught) = (listener.local_addr()?, Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&caught);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(catch(stream, Arc::clone(&count)));
            }
        });
    });
    Ok((address, caught))
}

async fn catch(stream: TcpStream, count: Arc<AtomicUsize>) -> std::io::Result<()> {
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
                swallow(&mut read).await?;
                count.fetch_add(1, Ordering::Relaxed);
                write.write_all(b"250 taken\r\n").await?;
            }
            Some(b"QUIT") => return write.write_all(b"221 bye\r\n").await,
            Some(_) => write.write_all(b"250 ok\r\n").await?,
            None => return Ok(()),
        }
    }
}

/// Reads up to the dot that ends a letter, in whole buffers.
async fn swallow(read: &mut BufReader<tokio::net::tcp::OwnedReadHalf>) -> std::io::Result<()> {
    const END: &[u8] = b"\r\n.\r\n";
    let mut tail: Vec<u8> = Vec::new();
    loop {
        let chunk = read.fill_buf().await?;
        if chunk.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let length = chunk.len();
        tail.extend_from_slice(chunk.get(length.saturating_sub(END.len())..).unwrap_or(chunk));
        read.consume(length);
        let from = tail.len().saturating_sub(END.len());
        tail.drain(..from);
        // A client that waits for the answer sends nothing after its dot.
        if tail == END {
            return Ok(());
        }
    }
}

/// A letter of our form, with a picture of that many bytes.
fn message(picture: usize) -> anyhow::Result<Message> {
    let text = "What happened on the day, in sentences, one after the other.\n".repeat(60);
    let plain = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(text.clone());
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(format!("<p>{text}</p>"));
    let body = MultiPart::alternative().singlepart(plain);
    let bytes: Vec<u8> = (0..picture).map(|n| u8::try_from(n * 7919 % 251).unwrap_or(0)).collect();
    let body = if picture == 0 {
        body.singlepart(html)
    } else {
        let png = Attachment::new_inline("board".into()).body(bytes, ContentType::parse("image/png")?);
        body.multipart(MultiPart::related().singlepart(html).singlepart(png))
    };
    let builder = Message::builder().from("games@example.org".parse()?).to("ann@example.org".parse()?);
    Ok(builder.subject("Day 5 has been resolved").multipart(body)?)
}

/// The plain dialogue: each command when the one before is answered, the letter with its dot in one piece.
async fn raw(address: SocketAddr, letters: usize, body: Arc<Vec<u8>>) -> anyhow::Result<()> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let mut line = String::new();
    read.read_line(&mut line).await?;
    let mut ask = async |command: &[u8]| -> anyhow::Result<()> {
        write.write_all(command).await?;
        line.clear();
        read.read_line(&mut line).await?;
        anyhow::ensure!(line.starts_with(['2', '3']), "{line}");
        Ok(())
    };
    ask(b"EHLO bench\r\n").await?;
    for _ in 0..letters {
        ask(b"MAIL FROM:<games@example.org>\r\n").await?;
        ask(b"RCPT TO:<ann@example.org>\r\n").await?;
        ask(b"DATA\r\n").await?;
        ask(&body).await?;
    }
    ask(b"QUIT\r\n").await
}

/// Our way, with a letter that is written already.
async fn ours(transport: Transport, letters: usize, letter: Outgoing) -> anyhow::Result<()> {
    let mut courier = Courier::new(transport);
    for _ in 0..letters {
        courier.deliver(&letter).await?;
    }
    courier.rest().await;
    Ok(())
}

/// Letters a second over so many connections.
async fn rate(
    connections: usize,
    letters: usize,
    talk: impl Fn(usize) -> tokio::task::JoinHandle<anyhow::Result<()>>,
) -> anyhow::Result<f64> {
    let began = Instant::now();
    let talks: Vec<_> = (0..connections).map(|_| talk(letters / connections)).collect();
    for talk in talks {
        talk.await??;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand letters")]
    Ok((letters / connections * connections) as f64 / began.elapsed().as_secs_f64())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(0.0)
}

async fn compare(address: SocketAddr, picture: usize, connections: usize, letters: usize) -> anyhow::Result<()> {
    let transport = Transport::Smtp(SmtpServer::parse(&format!("smtp://{address}")).map_err(anyhow::Error::msg)?);
    let message = message(picture)?;
    let letter = transport.prepare("bench", &message)?;
    let mut bytes = message.formatted();
    bytes.extend_from_slice(b"\r\n.\r\n");
    let size = bytes.len();
    let bytes = Arc::new(bytes);
    let (mut theirs, mut own) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(rate(connections, letters, |n| tokio::spawn(raw(address, n, Arc::clone(&bytes)))).await?);
        own.push(rate(connections, letters, |n| tokio::spawn(ours(transport.clone(), n, letter.clone()))).await?);
    }
    let (theirs, own) = (median(theirs), median(own));
    println!(
        "{connections} connections, {:>3} KiB: raw {theirs:>8.0} a second, ours {own:>8.0} a second, ratio {:.2}",
        size / 1024,
        own / theirs
    );
    Ok(())
}

/// From the rows of letters to the catcher: questions whether an address is right.
async fn whole(address: SocketAddr, caught: &AtomicUsize, connections: usize, letters: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let store = Store::open_sqlite(&folder.path().join("fieldcommand.sqlite")).await?;
    store.migrate(None).await?;
    let play = Play::new(store.clone(), Clock::System, Chance::System, ServerKey::new([7; 32]));
    let board = Arc::clone(field_command::maps::classic());
    let opened = play
        .open(NewGame {
            setup: Setup::FieldCommand(field_command::Setup { board, no_removal_limit: 12, day_limit: 0 }),
            side: SideChoice::Side(Side::Red),
            name: "Ann".into(),
            address: String::new(),
            pace: Pace::Open,
            terms: Terms::default(),
            company: Company::default(),
        })
        .await?;
    let seat = play.seat_of_link(&opened.link).await?;
    for n in 0..letters {
        play.set_address(&seat, &format!("a{n}@example.org")).await?;
    }
    let server = SmtpServer::parse(&format!("smtp://{address}")).map_err(anyhow::Error::msg)?;
    let sender = Sender {
        from: "games@example.org".parse().context("an address")?,
        public_url: "https://play.example.org".into(),
        answers: None,
    };
    let (before, stop, began) = (caught.load(Ordering::Relaxed), CancellationToken::new(), Instant::now());
    let running = tokio::spawn(outbox::run(play, sender, Transport::Smtp(server), connections, stop.clone()));
    while caught.load(Ordering::Relaxed) < before + letters {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand letters")]
    let rate = letters as f64 / began.elapsed().as_secs_f64();
    stop.cancel();
    running.await?;
    store.close().await;
    println!("{connections} connections, from the rows (SQLite): {rate:>8.0} a second");
    Ok(())
}

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only looks whether it runs.
    let trial = std::env::args().any(|word| word == "--test");
    let letters = std::env::var("FIELDCOMMAND_MAIL_LETTERS").ok().and_then(|number| number.parse().ok());
    let letters = if trial { 8 } else { letters.unwrap_or(LETTERS) };
    let (address, caught) = catcher()?;
    tokio::runtime::Runtime::new()?.block_on(async move {
        for picture in [0, 120 * 1024] {
            for connections in [1, 2, 4] {
                compare(address, picture, connections, letters).await?;
            }
        }
        for connections in [1, 2, 4] {
            whole(address, &caught, connections, letters).await?;
        }
        Ok(())
    })
}
