//! The `fieldcommand` program: reads the command line, and sets going what it asks for.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fieldcommand::app::doctor;
use fieldcommand::app::operations::{self, Destination};
use fieldcommand::app::{self, App};
use fieldcommand::cli::deliver::NotDelivered;
use fieldcommand::cli::settings::{LogFormat, Settings};
use fieldcommand::cli::token::{self, TokenCommand};
use fieldcommand::cli::verify::{self, Verdict};
use fieldcommand::cli::{adjudicate, arena, bot, config, health, seed};
use fieldcommand::clock::{Chance, Clock};
use fieldcommand::mail::inbound::reader;
use fieldcommand::play::processes::Part;
use fieldcommand::web::health::{Finding, Level};
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
    /// Serve pages and API, resolve turns, send letters (this is what happens without a command). Several processes may share
    /// a PostgreSQL database: with a data folder each, and the same key (--key, or a copy of server.key in each folder)
    Serve {
        /// Only what others ask for: pages, API, and mail that is handed over on --lmtp-listen
        #[arg(long)]
        web: bool,
        /// Only what happens by itself: turns that are due, letters, computers, tidying; nothing listens but --metrics-listen
        #[arg(long)]
        workers: bool,
    },
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
    /// Fill an empty database with games for measuring, and write a line of JSON with the seats' secrets for each running one
    Seed(seed::Options),
    /// Take a mail for --answers-to from standard input, also while the server runs. The status is one of sysexits.h: 0,
    /// `EX_NOUSER` (67), `EX_DATAERR` (65), `EX_TEMPFAIL` (75) or `EX_CONFIG` (78)
    Deliver {
        /// Whom the envelope is for [default: the first address of Delivered-To, X-Original-To, To … that is one of this
        /// server's]
        #[arg(long, value_name = "ADDRESS")]
        recipient: Option<String>,
    },
    /// Make, list and revoke the tokens by which organisers act, also while the server runs
    Token {
        #[command(subcommand)]
        what: TokenCommand,
    },
    /// Back up the database, also while the server runs, and play every game of the backup again. The backup is a SQLite
    /// file, also of a PostgreSQL database; the server's key is not in it
    Backup {
        /// The file to be made; it must not be there yet
        #[arg(required_unless_present = "dir", conflicts_with = "dir")]
        file: Option<PathBuf>,
        /// Folder in which the file is made, with a name by its time
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
        /// Do not play the games of the backup again
        #[arg(long)]
        no_verify: bool,
    },
    /// Put a backup into a data folder or a PostgreSQL database in which there is none; a server that is started on it
    /// stands still until `resume`
    Restore {
        /// The backup
        file: PathBuf,
    },
    /// Restore the newest backup aside, play every game of it again, and keep in the database what came of it. Status 0:
    /// all holds, 1: something does not
    Drill {
        /// Folder with the backups [default: the snapshots in the data folder]
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
    /// Carry all that a server keeps from a SQLite file into a PostgreSQL database, or back; the server must be stopped. Every
    /// row is read back, and the target is filled whole or not at all
    MigrateData {
        /// Where the data are: sqlite:PATH or postgres://…
        #[arg(long, value_name = "ADDRESS")]
        from: String,
        /// Where they shall be, which holds nothing yet: postgres://… or sqlite:PATH
        #[arg(long, value_name = "ADDRESS")]
        to: String,
    },
    /// Print every setting with its value, where that comes from, and what it means, as a file for --config; secrets are masked
    Config,
    /// Look whether all is well: settings, data folder, key, database, clock, public address, mail, disk; each with advice.
    /// Status 0: nothing fails, 1: something does
    Doctor {
        /// Send a letter to this address, too [default: the conversation with the mail server ends before the letter]
        #[arg(long, value_name = "ADDRESS")]
        mail_to: Option<String>,
    },
    /// Ask the server that listens at --listen whether it is ready. Status 0: it is, 1: it is not, or does not answer
    Health,
    /// Let a server go on that has moved to another public address: letters that wait are dropped, every open turn has its
    /// whole time again, players are told; also while it runs
    Adopt,
    /// Let a server go on whose database was restored from a backup, in the same way
    Resume,
}

fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let config::Read { asked: arguments, matches, file } = match config::read::<Arguments>(&line) {
        Ok(read) => read,
        Err(error) => return finish(Err(error.into())),
    };
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
        Some(Command::Seed(options)) => {
            finish(asynchronous(app::seed(&arguments.settings, &options, &mut io::stdout())))
        }
        Some(Command::Token { what }) => finish(asynchronous(run_token(&arguments.settings, what))),
        Some(Command::Backup { file, dir, no_verify }) => {
            let to = file.map(Destination::File).or(dir.map(Destination::Folder));
            let Some(to) = to else { return finish(Err(anyhow::anyhow!("backup: a file or --dir is missing"))) };
            let output = &mut io::stdout();
            let made = operations::backup(&arguments.settings, &to, !no_verify, &Clock::System, output);
            finish(asynchronous(made).map(|_| ()))
        }
        Some(Command::Restore { file }) => {
            finish(asynchronous(operations::restore(&arguments.settings, &file, &Clock::System, &mut io::stdout())))
        }
        Some(Command::Drill { dir }) => {
            let output = &mut io::stdout();
            match asynchronous(operations::drill(&arguments.settings, dir.as_deref(), &Clock::System, output)) {
                Ok(played) if played.wrong > 0 => ExitCode::FAILURE,
                done => finish(done.map(|_| ())),
            }
        }
        Some(Command::MigrateData { from, to }) => {
            finish(asynchronous(app::migrate_data(&from, &to, &Clock::System, &mut io::stdout())))
        }
        Some(Command::Config) => {
            finish_writing("config", io::stdout().write_all(config::explained(&matches, &file).as_bytes()))
        }
        Some(Command::Doctor { mail_to }) => run_doctor(&arguments.settings, mail_to.as_deref()),
        Some(Command::Health) => finish(asynchronous(health::ask(arguments.settings.listen))),
        Some(Command::Adopt) => finish(go_on(&arguments.settings, true)),
        Some(Command::Resume) => finish(go_on(&arguments.settings, false)),
        Some(Command::Deliver { recipient }) => run_deliver(&arguments.settings, recipient.as_deref()),
        None => finish(asynchronous(serve(arguments.settings, Part::Whole))),
        Some(Command::Serve { web, workers }) => {
            let part = match (web, workers) {
                (true, false) => Part::Web,
                (false, true) => Part::Workers,
                _ => Part::Whole,
            };
            finish(asynchronous(serve(arguments.settings, part)))
        }
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

async fn run_token(settings: &Settings, what: TokenCommand) -> anyhow::Result<()> {
    match what {
        TokenCommand::Make(make) => {
            let (line, secret) = app::make_token(settings, make.into()).await?;
            say(secret.reveal());
            complain(&format!(
                "this token is shown this once; it is {} for {}, scope {}",
                line.id,
                line.name,
                line.scope.word()
            ));
        }
        TokenCommand::List => token::write_list(&app::list_tokens(settings).await?, &mut io::stdout())?,
        TokenCommand::Revoke { id } => {
            app::revoke_token(settings, &id).await?;
            say("Revoked.");
        }
    }
    Ok(())
}

/// Looks whether all is well, a line for each thing.
fn run_doctor(settings: &Settings, mail_to: Option<&str>) -> ExitCode {
    let mut worst = Level::Ok;
    let looked = asynchronous(async {
        for Finding { name, level, said } in doctor::look(settings, &Clock::System, mail_to).await {
            worst = worst.max(level);
            say(&format!("{:4}  {name}: {said}", level.word()));
        }
        Ok(())
    });
    if worst == Level::Fail { ExitCode::FAILURE } else { finish(looked) }
}

/// Lets a server go on that was moved or restored, and says what was done.
fn go_on(settings: &Settings, adopts: bool) -> anyhow::Result<()> {
    let gone_on = asynchronous(operations::go_on(settings, adopts))?;
    say(&format!(
        "The server goes on. {} letters that had not left were dropped; the players of {} open games are told, and every open \
         turn has its whole time again.",
        gone_on.dropped, gone_on.games
    ));
    if gone_on.unreadable > 0 {
        say(&format!("{} games cannot be read and stand still: the log names them.", gone_on.unreadable));
    }
    Ok(())
}

async fn serve(settings: Settings, part: Part) -> anyhow::Result<()> {
    let filter = EnvFilter::try_from_env("FIELDCOMMAND_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // Colours are for terminals.
    let lines = lines.with_ansi(io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(false).init(),
    }
    std::panic::set_hook(Box::new(panicked));
    let data = settings.data.clone();
    let app = App::build_part(settings, part, Clock::System, Chance::System).await?;
    let data = data.display();
    match part {
        Part::Whole => say(&format!(
            "Field Command is ready: open {} in a browser, press “New game”, and send your friend the invitation.\n\
             Everything is kept in {data}. Ctrl-C stops the server.",
            app.public_url(),
        )),
        Part::Web => say(&format!(
            "Field Command answers at {} (its data folder is {data}). Turns that are due, letters and computers are left to \
             processes with --workers.",
            app.address(),
        )),
        Part::Workers => say(&format!(
            "Field Command works (its data folder is {data}): turns that are due, letters, computers. It answers nobody."
        )),
    }
    if let Some(quiet) = app.quiet() {
        tracing::warn!("{}", quiet.advice());
        say(&format!("The server stands still: {}.", quiet.advice()));
    }
    let stop = CancellationToken::new();
    tokio::spawn(wait_for_signal(stop.clone()));
    app.run(stop).await;
    Ok(())
}

/// A panic is a line of the log like any other, with the words of the program's text alone: those that are put together may
/// quote what was being read.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    let at = panic.location().map(ToString::to_string).unwrap_or_default();
    let said = panic.payload().downcast_ref::<&'static str>().unwrap_or(&"in words that are not told");
    tracing::error!(at, said, "the program made a mistake");
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
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    // What a thread still computes is nobody's any more.
    runtime.shutdown_background();
    done
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
