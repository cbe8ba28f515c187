//! The `fieldcommand` program.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fieldcommand::cli::adjudicate;

/// A server for the board wargame Field Command.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Adjudicate a day: JSON on standard input, its result on standard output
    Adjudicate {
        /// One day a line, one answer a line
        #[arg(long)]
        lines: bool,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Some(Command::Adjudicate { lines }) => run_adjudicate(lines),
        None => ExitCode::SUCCESS,
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
            let _ = writeln!(io::stderr(), "fieldcommand adjudicate: {error}");
            ExitCode::from(2)
        }
    }
}
