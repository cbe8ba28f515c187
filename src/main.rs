//! The `fieldcommand` program: reads the command line, and sets going what it asks for.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fieldcommand::app::{self, App};
use fieldcommand::cli::deliver::NotDelivered;
use fieldcommand::cli::settings::Settings;
use fieldcommand::cli::verify::{self, Verdict};
use fieldcommand::cli::{adjudicate, arena, bot};
use fieldcommand::clock::{Chance, Clock};
use fieldcommand::mail::inbound::reader;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

/// A server for the board wargame Field Command. Without a command it serves.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Serve pages and API, send letters (this is what happens without a command)
    Serve,
    /// Adjudicate a day: JSON on standard input, its result on standard output
    Adjudicate {
        /// One day a line, one answer a line
        #[arg(long)]
        lines: bool,
    },
    /// Play records of games again, offline, and check every seal, result and running hash in them; without FILES, every
    /// game that the database of --data or --database-url keeps, also while the server runs. Status 0: all holds, 1:
    /// something does not, 2: something cannot be read
    Verify {
        /// Records, as a game's page gives them; - is the standard input
        files: Vec<PathBuf>,
        /// A line of JSON for each file or game
        #[arg(long)]
        json: bool,
    },
    /// Answer each line of standard input by the computer's sheet for it, as JSON lines. A request for a deployment:
    /// {"side":"red","level":"hard","seed":7,"map":"classic","deploy":true}; for orders, with every unit on the board:
    /// {"side":"red","level":"hard","seed":8,"map":"classic","units":[{"side":"red","unit":"I2","at":"H7"},…]}
    Bot(bot::Options),
    /// Let the computer play against itself and count what comes of it: wins, draws, score, days, thinking time
    Arena(arena::Options),
    /// Take a mail for --answers-to from standard input, also while the server runs. The status is one of sysexits.h: 0,
    /// `EX_NOUSER` (67), `EX_DATAERR` (65), `EX_TEMPFAIL` (75) or `EX_CONFIG` (78)
    Deliver {
        /// Whom the envelope is for [default: the first address of Delivered-To, X-Original-To, To … that is one of this
        /// server's]
        #[arg(long, value_name = "ADDRESS")]
        recipient: Option<String>,
    },
    /// Write a consistent copy of the database to FILE, also while the server runs
    Backup {
        /// The file to be made; it must not be there yet
        file: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Command::Adjudicate { lines }) => run_adjudicate(lines),
        Some(Command::Verify { files, json }) if files.is_empty() => {
            finish_verify(asynchronous(app::verify_all(&arguments.settings, json, &mut io::stdout())))
        }
        Some(Command::Verify { files, json }) => finish_verify(
            verify::files(&files, json, io::stdin().lock(), &mut io::stdout().lock()).map_err(anyhow::Error::from),
        ),
        Some(Command::Bot(options)) => {
            finish_writing("bot", bot::lines(&options, io::stdin().lock(), &mut io::stdout().lock()))
        }
        Some(Command::Arena(options)) => {
            finish_writing("arena", arena::run(&options, &Clock::System, &mut io::stdout()))
        }
        Some(Command::Backup { file }) => finish(asynchronous(async {
            app::backup(&arguments.settings, &file).await?;
            say(&format!("Backed up to {}", file.display()));
            Ok(())
        })),
        Some(Command::Deliver { recipient }) => run_deliver(&arguments.settings, recipient.as_deref()),
        None | Some(Command::Serve) => finish(asynchronous(serve(arguments.settings))),
    }
}

fn run_adjudicate(lines: bool) -> ExitCode {
    let (input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let done = if lines {
        match adjudicate::lines(input, &mut output) {
            // Whoever reads the answers has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done.map_err(|error| error.to_string()),
        }
    } else {
        adjudicate::one(input, &mut output)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("adjudicate: {error}"));
            ExitCode::from(2)
        }
    }
}

/// The status of a command that only reads and writes.
fn finish_writing(command: &str, done: io::Result<()>) -> ExitCode {
    match done {
        // Whoever reads the answers has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("{command}: {error}"));
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Takes the mail on standard input. Whatever cannot be known now is worth another try.
fn run_deliver(settings: &Settings, recipient: Option<&str>) -> ExitCode {
    let mut mail = Vec::new();
    let longest = u64::try_from(reader::LONGEST).unwrap_or(u64::MAX);
    let read = io::stdin().lock().take(longest.saturating_add(1)).read_to_end(&mut mail);
    let done = match read {
        Ok(_) => match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(app::deliver(settings, recipient, &mail)),
            Err(error) => Err(NotDelivered::TryAgain(error.to_string())),
        },
        Err(error) => Err(NotDelivered::TryAgain(error.to_string())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("deliver: {error}"));
            ExitCode::from(error.status())
        }
    }
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_from_env("FIELDCOMMAND_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let data = settings.data.clone();
    let app = App::build(settings, Clock::System, Chance::System).await?;
    say(&format!(
        "Field Command is ready: open {} in a browser, press “New game”, and send your friend the invitation.\n\
         Everything is kept in {}. Ctrl-C stops the server.",
        app.public_url(),
        data.display()
    ));
    let stop = CancellationToken::new();
    tokio::spawn(wait_for_signal(stop.clone()));
    app.run(stop).await;
    Ok(())
}

/// Stops the server on Ctrl-C and on the signal that service managers send.
async fn wait_for_signal(stop: CancellationToken) {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            stop.cancel();
            return;
        }
    }
    let _ = interrupt.await;
    stop.cancel();
}

fn asynchronous<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

/// What could not be looked at at all counts as unreadable.
fn finish_verify(done: anyhow::Result<Verdict>) -> ExitCode {
    match done {
        Ok(verdict) => ExitCode::from(verdict.status()),
        Err(error) => {
            complain(&format!("verify: {error}"));
            ExitCode::from(Verdict::Unreadable.status())
        }
    }
}

fn finish(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// One line on standard error.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "fieldcommand: {text}");
}
