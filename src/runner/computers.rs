//! Computer players write: calls are leased one after the other, the sheets are computed on one blocking thread, and
//! sealed as people's are.
//!
//! How much may be computed for a sheet is measured once at the start, in days that can be evaluated. A process that stops
//! in the middle of a sheet leaves a lease, and when that is over the call is taken up again, here or elsewhere.

use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::bot::{self, Budget};
use crate::clock::Clock;
use crate::play::computer::Call;
use crate::play::{GameId, Play, PlayError};
use crate::rules::field_command::{self, maps};
use crate::rules::{BySide, Setup, Sheet, Side, Standing};

/// How often it is looked for calls at least: of those that another process has made or left.
const LOOK: Duration = Duration::from_secs(1);
/// How far two looks are apart at least.
const APART: Duration = Duration::from_millis(50);
/// How long to wait after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// How long a sheet of the hard level may take on this machine.
const SHEET: Duration = Duration::from_millis(200);
/// How much of that goes into evaluated days; the rest goes into finding the mixture.
const EVALUATING: Duration = Duration::from_millis(160);
/// The least that the hard level may compute for a sheet, however slow the machine is, in evaluated days: with so many its
/// strength was measured.
const LEAST: u64 = 12_000;
/// The most, however fast it is.
const MOST: u64 = 500_000;

/// Lets computers write until `stop`. A sheet that is being computed is finished first.
pub async fn run(play: Play, stop: CancellationToken) {
    let mut changes = play.listen();
    let Ok(budget) = tokio::task::spawn_blocking(measure).await else {
        tracing::error!("the computers cannot be measured: none of them plays");
        return;
    };
    tracing::info!(days = budget.0, "computers may evaluate so many days for a sheet");
    while !stop.is_cancelled() {
        let looked = Instant::now();
        let pause = match answer_all(&play, budget, &stop).await {
            Ok(_) => LOOK,
            Err(error) => {
                tracing::error!(error = %error.cause(), "computers cannot write");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
            () = heard(&mut changes, looked), if pause == LOOK => {}
        }
    }
}

/// Waits until a game changes, and forgets all that changed until now: one look serves for all of them.
async fn heard(changes: &mut Receiver<GameId>, looked: Instant) {
    match changes.recv().await {
        Ok(_) | Err(RecvError::Lagged(_)) => {
            tokio::time::sleep_until(looked + APART).await;
            *changes = changes.resubscribe();
        }
        // Nothing changes any more.
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

/// Answers all calls that wait, until none does or the server stops, and says how many.
///
/// # Errors
/// The store failed; what was leased is called again when the lease is over.
pub async fn answer_all(play: &Play, budget: Budget, stop: &CancellationToken) -> Result<usize, PlayError> {
    let mut answered = 0;
    while !stop.is_cancelled() {
        let Some(call) = play.lease_call().await? else { break };
        let Some(sheet) = write(&call, budget).await else { continue };
        match play.answer_call(&call, &sheet).await {
            Ok(()) => answered += 1,
            Err(PlayError::Store(error)) => return Err(PlayError::Store(error)),
            Err(error) => {
                tracing::error!(game = %call.game(), error = %error.cause(), "a computer's sheet cannot be sealed");
            }
        }
    }
    Ok(answered)
}

/// Computes the sheet of a call. A level that fails does not stop the game: the plainest sheet goes in then.
async fn write(call: &Call, budget: Budget) -> Option<Sheet> {
    let (standing, side, level, seed) = (call.standing.clone(), call.side(), call.level, call.seed);
    let thought = tokio::task::spawn_blocking(move || bot::sheet(&standing, side, level, seed, budget)).await;
    let Ok(sheet) = thought else {
        tracing::error!(game = %call.game(), "a computer could not write; it stands still");
        return plainest(&call.standing, call.side());
    };
    Some(sheet)
}

/// The first ready-made sheet, or an empty one.
fn plainest(standing: &Standing, side: Side) -> Option<Sheet> {
    let ready = standing.entry_form(side).presets.into_iter().next();
    standing.parse(side, &ready.map(|ready| ready.text).unwrap_or_default()).ok()
}

/// How many days can be evaluated in the time of a sheet. As long as a sheet may take samples are measured, each so short
/// that it mostly runs through, and the quickest counts: other work on the machine only ever makes one slower.
fn measure() -> Budget {
    let (standing, begin) = (first_day(), Clock::System.steady());
    let mut best = 0;
    loop {
        let before = Clock::System.steady();
        let days = bot::sample(&standing, Side::Red);
        let after = Clock::System.steady();
        best = best.max(within(days, after.saturating_sub(before)));
        if after.saturating_sub(begin) > SHEET {
            return Budget(best.clamp(LEAST, MOST));
        }
    }
}

/// How many days fit into a sheet, if so many took so long.
fn within(days: u64, took: Duration) -> u64 {
    let within = u128::from(days) * EVALUATING.as_micros() / took.as_micros().max(1);
    u64::try_from(within).unwrap_or(MOST)
}

/// A standing of the first day, with both armies deployed ready-made.
fn first_day() -> Standing {
    let setup = field_command::Setup { board: maps::classic().clone(), no_removal_limit: 12, day_limit: 0 };
    let open = Standing::open(Setup::FieldCommand(setup));
    match (plainest(&open, Side::Red), plainest(&open, Side::Blue)) {
        (Some(red), Some(blue)) => open.resolve(BySide { red: &red, blue: &blue }).0,
        _ => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_follows_the_machine_within_bounds() {
        assert_eq!(within(1_000, Duration::from_millis(1)), 160_000);
        assert_eq!((within(1_000, Duration::MAX), within(u64::MAX, Duration::ZERO)), (0, MOST));
        assert_eq!(first_day().turn(), 1);
        assert!((LEAST..=MOST).contains(&measure().0));
    }
}
