//! What is counted while the server works, for Prometheus: numbers alone. No label names a game, a person or an address,
//! and each takes few values, so that there are as many series on the last day as on the first.
//!
//! Counting stands where it happens, through one handle that `Play` carries. What can be looked up (letters that wait,
//! deadlines that are late) is not counted but set when somebody asks: see `Metrics::text`.

use std::fmt::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::clock::Timestamp;

/// The upper bounds of the times of requests, in seconds.
const REQUEST_SECONDS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// The upper bounds of the times of resolutions, in seconds.
const RESOLVE_SECONDS: [f64; 9] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 2.0];

/// A label that is one word of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Word(&'static str);

impl EncodeLabelValue for Word {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        encoder.write_str(self.0)
    }
}

/// What requests are told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    route: String,
    method: Word,
    class: Word,
}

/// What times of requests are told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Routed {
    route: String,
    method: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Fated {
    fate: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Judged {
    verdict: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Use {
    state: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Runs {
    part: Word,
}

/// Which program counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: Word,
    profile: Word,
}

/// What became of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterFate {
    /// The mail server took it.
    Sent,
    /// It will be tried again.
    Delayed,
    /// It was given up.
    Failed,
    /// Its reason was gone before it left.
    Needless,
    /// It came back.
    Returned,
}

impl LetterFate {
    const fn word(self) -> Word {
        Word(match self {
            LetterFate::Sent => "sent",
            LetterFate::Delayed => "delayed",
            LetterFate::Failed => "failed",
            LetterFate::Needless => "needless",
            LetterFate::Returned => "returned",
        })
    }
}

/// What became of a call of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFate {
    /// The receiver took what it was told.
    Taken,
    /// It answered otherwise.
    NotTaken,
    /// It did not answer.
    Unreachable,
}

impl CallFate {
    const fn word(self) -> Word {
        Word(match self {
            CallFate::Taken => "taken",
            CallFate::NotTaken => "not_taken",
            CallFate::Unreachable => "unreachable",
        })
    }
}

/// How many processes work on the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// Those that do everything.
    pub whole: i64,
    /// Those that only answer.
    pub web: i64,
    /// Those that only do what happens by itself.
    pub workers: i64,
}

impl Running {
    /// Counts one, by the word for what it runs.
    pub fn count(&mut self, part: &str) {
        match part {
            "web" => self.web += 1,
            "workers" => self.workers += 1,
            _ => self.whole += 1,
        }
    }
}

/// What is looked up when somebody asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Letters that have not left.
    pub letters: i64,
    /// How long the oldest of them has waited.
    pub oldest_letter: Duration,
    /// Webhooks for which something waits.
    pub webhooks: i64,
    /// How long the oldest of it has waited.
    pub oldest_event: Duration,
    /// Webhooks that are switched off.
    pub webhooks_off: i64,
    /// Turns that are due and not resolved.
    pub late: i64,
    /// By how much the latest of them is late.
    pub latest: Duration,
    /// Computers whose sheets are awaited.
    pub computers: i64,
    /// Since when the sweep has given no sign of life; `None` if it never gave one.
    pub heartbeat: Option<Duration>,
    /// Connections to the database that are in use, and those that are not.
    pub connections: (u32, u32),
    /// Processes on this database.
    pub processes: Running,
    /// Whether the server stands still because it was moved or restored.
    pub quiet: bool,
    /// When the last backup was made.
    pub backup: Option<Timestamp>,
    /// When the last drill was held, and how many of its games did not hold.
    pub drill: Option<(Timestamp, i64)>,
}

type Whole = Gauge<i64>;
type Seconds = Gauge<f64, AtomicU64>;

/// The numbers, and how they are written.
struct Table {
    registry: Registry,
    requests: Family<Asked, Counter>,
    took: Family<Routed, Histogram>,
    resolved: Histogram,
    letters: Family<Fated, Counter>,
    mails: Family<Judged, Counter>,
    calls: Family<Fated, Counter>,
    given_up: Counter,
    streams: Whole,
    answers: Whole,
    started: Seconds,
    waiting: Whole,
    oldest: Seconds,
    webhooks: Whole,
    oldest_event: Seconds,
    webhooks_off: Whole,
    late: Whole,
    latest: Seconds,
    computers: Whole,
    heartbeat: Seconds,
    connections: Family<Use, Whole>,
    processes: Family<Runs, Whole>,
    quiet: Whole,
    backup: Seconds,
    drill: Seconds,
    drill_wrong: Whole,
}

impl Table {
    fn new() -> Table {
        let took = || Histogram::new(REQUEST_SECONDS);
        let mut table = Table {
            registry: Registry::with_prefix("fieldcommand"),
            requests: Family::default(),
            took: Family::new_with_constructor(took),
            resolved: Histogram::new(RESOLVE_SECONDS),
            letters: Family::default(),
            mails: Family::default(),
            calls: Family::default(),
            given_up: Counter::default(),
            streams: Whole::default(),
            answers: Whole::default(),
            started: Seconds::default(),
            waiting: Whole::default(),
            oldest: Seconds::default(),
            webhooks: Whole::default(),
            oldest_event: Seconds::default(),
            webhooks_off: Whole::default(),
            late: Whole::default(),
            latest: Seconds::default(),
            computers: Whole::default(),
            heartbeat: Seconds::default(),
            connections: Family::default(),
            processes: Family::default(),
            quiet: Whole::default(),
            backup: Seconds::default(),
            drill: Seconds::default(),
            drill_wrong: Whole::default(),
        };
        table.register_counted();
        table.register_looked_up();
        table
    }

    /// What is counted where it happens.
    fn register_counted(&mut self) {
        let to = &mut self.registry;
        to.register("requests", "Requests that were answered", self.requests.clone());
        let help = "Time until an answer began";
        to.register_with_unit("request_duration", help, Unit::Seconds, self.took.clone());
        let help = "Time that resolving a turn took, with keeping it";
        to.register_with_unit("resolve_duration", help, Unit::Seconds, self.resolved.clone());
        to.register("letters", "What became of letters that were tried or came back", self.letters.clone());
        to.register("mails", "Mails that came in, by what became of them", self.mails.clone());
        to.register("webhook_calls", "Calls of webhooks, by what became of them", self.calls.clone());
        to.register("webhook_events_given_up", "Events that no webhook took in time", self.given_up.clone());
        to.register("event_streams", "Event streams that are open", self.streams.clone());
        let help = "When this process started, in seconds since 1970";
        to.register_with_unit("start_time", help, Unit::Seconds, self.started.clone());
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        let build = Build { version: Word(env!("CARGO_PKG_VERSION")), profile: Word(profile) };
        to.register("build", "Which program this is", Info::new(build));
    }

    /// What is looked up when somebody asks.
    fn register_looked_up(&mut self) {
        let to = &mut self.registry;
        let help = "1 while the database answers; while it does not, what follows stands as it was";
        to.register("database_answers", help, self.answers.clone());
        to.register("letters_waiting", "Letters that have not left", self.waiting.clone());
        let help = "How long the oldest letter that has not left has waited";
        to.register_with_unit("letters_oldest", help, Unit::Seconds, self.oldest.clone());
        to.register("webhooks_waiting", "Webhooks for which something waits", self.webhooks.clone());
        let help = "How long the oldest event that no webhook has taken has waited";
        to.register_with_unit("webhooks_oldest", help, Unit::Seconds, self.oldest_event.clone());
        to.register("webhooks_off", "Webhooks that are switched off", self.webhooks_off.clone());
        to.register("deadlines_late", "Turns that are due and not resolved", self.late.clone());
        let help = "By how much the latest of those turns is late";
        to.register_with_unit("deadlines_latest", help, Unit::Seconds, self.latest.clone());
        to.register("computers_waiting", "Computers whose sheets are awaited", self.computers.clone());
        let help = "Time since the sweep of deadlines last gave a sign of life; -1 if it never did";
        to.register_with_unit("sweep_age", help, Unit::Seconds, self.heartbeat.clone());
        to.register("database_connections", "Connections to the database", self.connections.clone());
        to.register("processes", "Processes that work on the database, by what they run", self.processes.clone());
        let help = "1 while the server stands still because it was moved or restored";
        to.register("quiet", help, self.quiet.clone());
        let help = "When the last backup was made, in seconds since 1970; 0 for never";
        to.register_with_unit("backup_time", help, Unit::Seconds, self.backup.clone());
        let help = "When the last drill was held, in seconds since 1970; 0 for never";
        to.register_with_unit("drill_time", help, Unit::Seconds, self.drill.clone());
        to.register("drill_games_wrong", "Games that did not hold in the last drill", self.drill_wrong.clone());
    }

    fn set(&self, looked: &Looked) {
        self.waiting.set(looked.letters);
        self.oldest.set(looked.oldest_letter.as_secs_f64());
        self.webhooks.set(looked.webhooks);
        self.oldest_event.set(looked.oldest_event.as_secs_f64());
        self.webhooks_off.set(looked.webhooks_off);
        self.late.set(looked.late);
        self.latest.set(looked.latest.as_secs_f64());
        self.computers.set(looked.computers);
        self.heartbeat.set(looked.heartbeat.map_or(-1.0, |age| age.as_secs_f64()));
        let (busy, idle) = looked.connections;
        self.connections.get_or_create(&Use { state: Word("busy") }).set(i64::from(busy));
        self.connections.get_or_create(&Use { state: Word("idle") }).set(i64::from(idle));
        let Running { whole, web, workers } = looked.processes;
        for (part, number) in [("whole", whole), ("web", web), ("workers", workers)] {
            self.processes.get_or_create(&Runs { part: Word(part) }).set(number);
        }
        self.quiet.set(i64::from(looked.quiet));
        self.backup.set(looked.backup.map_or(0.0, seconds));
        self.drill.set(looked.drill.map_or(0.0, |(at, _)| seconds(at)));
        self.drill_wrong.set(looked.drill.map_or(0, |(_, wrong)| wrong));
    }
}

/// A moment in seconds since 1970.
#[expect(clippy::cast_precision_loss, reason = "a double counts milliseconds for 285,000 years")]
fn seconds(at: Timestamp) -> f64 {
    at.0 as f64 / 1000.0
}

/// The numbers of one process. Cheap to clone.
#[derive(Clone)]
pub struct Metrics(Arc<Table>);

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics(Arc::new(Table::new()))
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Notes when the process started.
    pub fn started(&self, at: Timestamp) {
        self.0.started.set(seconds(at));
    }

    /// Counts a request that was answered, by the pattern of its address.
    pub fn request(&self, route: &str, method: &http::Method, status: http::StatusCode, took: Duration) {
        let (method, class) = (method_word(method), class(status));
        self.0.requests.get_or_create(&Asked { route: route.to_owned(), method, class }).inc();
        self.0.took.get_or_create(&Routed { route: route.to_owned(), method }).observe(took.as_secs_f64());
    }

    /// Counts a turn that was resolved.
    pub fn resolved(&self, took: Duration) {
        self.0.resolved.observe(took.as_secs_f64());
    }

    /// Counts what became of a letter.
    pub fn letter(&self, fate: LetterFate) {
        self.0.letters.get_or_create(&Fated { fate: fate.word() }).inc();
    }

    /// Counts a mail that came in, by a word for what became of it.
    pub fn mail(&self, verdict: &'static str) {
        self.0.mails.get_or_create(&Judged { verdict: Word(verdict) }).inc();
    }

    /// Counts a call of a webhook.
    pub fn call(&self, fate: CallFate) {
        self.0.calls.get_or_create(&Fated { fate: fate.word() }).inc();
    }

    /// Counts events that were given up.
    pub fn events_given_up(&self, number: u64) {
        self.0.given_up.inc_by(number);
    }

    /// Counts an event stream until what is given is dropped.
    #[must_use]
    pub fn stream(&self) -> OpenStream {
        self.0.streams.inc();
        OpenStream(self.clone())
    }

    /// All numbers, with what was looked up, in the text format of Prometheus (0.0.4).
    #[must_use]
    pub fn text(&self, looked: Option<&Looked>) -> String {
        // Where nothing could be looked up the last numbers stand, rather than some that say that all is well.
        self.0.answers.set(i64::from(looked.is_some()));
        if let Some(looked) = looked {
            self.0.set(looked);
        }
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = prometheus_text::encode(&mut text, &self.0.registry);
        text
    }
}

/// An event stream that is open.
#[derive(Debug)]
pub struct OpenStream(Metrics);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.0.streams.dec();
    }
}

/// A method as a label: anybody can send any word.
fn method_word(method: &http::Method) -> Word {
    Word(match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    })
}

/// The class of a status.
fn class(status: http::StatusCode) -> Word {
    Word(match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{Method, StatusCode};

    #[test]
    fn what_is_counted_is_written() {
        let metrics = Metrics::default();
        metrics.request("/s/{secret}", &Method::GET, StatusCode::SEE_OTHER, Duration::from_millis(3));
        metrics.request("(none)", &Method::from_bytes(b"BREW").unwrap(), StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.letter(LetterFate::Returned);
        metrics.mail("answered");
        metrics.call(CallFate::Unreachable);
        metrics.events_given_up(2);
        let stream = metrics.stream();
        let looked = Looked { letters: 3, connections: (1, 7), drill: Some((Timestamp(5000), 2)), ..Looked::default() };
        let text = metrics.text(Some(&looked));
        for line in [
            "fieldcommand_requests_total{route=\"/s/{secret}\",method=\"GET\",class=\"3xx\"} 1",
            "fieldcommand_requests_total{route=\"(none)\",method=\"other\",class=\"4xx\"} 1",
            "fieldcommand_request_duration_seconds_bucket{route=\"/s/{secret}\",method=\"GET\",le=\"0.005\"} 1",
            "fieldcommand_letters_total{fate=\"returned\"} 1",
            "fieldcommand_mails_total{verdict=\"answered\"} 1",
            "fieldcommand_webhook_calls_total{fate=\"unreachable\"} 1",
            "fieldcommand_webhook_events_given_up_total 2",
            "fieldcommand_event_streams 1",
            "fieldcommand_letters_waiting 3",
            "fieldcommand_sweep_age_seconds -1.0",
            "fieldcommand_database_connections{state=\"idle\"} 7",
            "fieldcommand_drill_time_seconds 5.0",
            "fieldcommand_drill_games_wrong 2",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        drop(stream);
        assert!(metrics.text(Some(&looked)).contains("fieldcommand_event_streams 0"));
    }

    #[test]
    fn while_the_database_is_away_its_numbers_stand_as_they_were() {
        let metrics = Metrics::default();
        assert!(metrics.text(None).contains("fieldcommand_database_answers 0"), "nothing was ever looked up");
        let looked = Looked {
            letters: 3,
            late: 2,
            webhooks: 4,
            oldest_event: Duration::from_secs(90),
            quiet: true,
            ..Looked::default()
        };
        assert!(metrics.text(Some(&looked)).contains("fieldcommand_database_answers 1"));
        metrics.letter(LetterFate::Delayed);
        let text = metrics.text(None);
        for line in [
            "fieldcommand_database_answers 0",
            "fieldcommand_letters_waiting 3",
            "fieldcommand_deadlines_late 2",
            "fieldcommand_webhooks_waiting 4",
            "fieldcommand_webhooks_oldest_seconds 90.0",
            "fieldcommand_quiet 1",
            "fieldcommand_letters_total{fate=\"delayed\"} 1",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        let text = metrics.text(Some(&Looked::default()));
        assert!(text.contains("fieldcommand_database_answers 1") && text.contains("fieldcommand_letters_waiting 0"));
    }
}
