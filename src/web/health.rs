//! How the server is, for programs that watch it: whether it lives, whether it can do its work, and its numbers.
//!
//! On the address where players come there is the bare answer; what is wrong, and the numbers, stand on a listener of
//! their own (`--metrics-listen`), which the organiser keeps to itself. Neither holds a game, a name, an address or a secret.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::metrics::{Looked, Running};
use crate::play::Play;
use crate::play::pulse::{NOT_RESTORED, Pulse};

/// How long what was found is told again: whoever asks often costs nothing.
const FRESH: Duration = Duration::from_secs(1);
/// How long the database may take to answer.
const ANSWER: Duration = Duration::from_secs(5);
/// How old the sweep's sign of life may be. It gives one every 15 seconds.
const SWEEP: Duration = Duration::from_mins(1);
/// How long a letter that is due may go untried.
const UNTRIED: Duration = Duration::from_mins(10);
/// After what time a letter that does not leave is worth a warning.
const WAITING: Duration = Duration::from_hours(1);

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// As it should be.
    Ok,
    /// Somebody should look at it; the server does its work.
    Warn,
    /// The server cannot do its work.
    Fail,
}

impl Level {
    /// The word for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Warn => "warn",
            Level::Fail => "fail",
        }
    }
}

/// What was found of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is.
    pub name: &'static str,
    /// How it is.
    pub level: Level,
    /// The same in words.
    pub said: String,
}

impl Finding {
    /// Something that was found.
    pub fn new(name: &'static str, level: Level, said: impl Into<String>) -> Finding {
        Finding { name, level, said: said.into() }
    }
}

impl Finding {
    /// What does not happen by itself keeps nobody away from a process that only answers; it is worth a warning there.
    fn of_a_process(self, works: bool) -> Finding {
        Finding { level: if works { self.level } else { self.level.min(Level::Warn) }, ..self }
    }
}

/// What was found of all.
#[derive(Clone, Debug, Serialize)]
struct Report {
    status: &'static str,
    findings: Vec<Finding>,
    /// The numbers; `None` where the database does not answer.
    #[serde(skip)]
    looked: Option<Looked>,
}

impl Report {
    fn of(findings: Vec<Finding>, looked: Option<Looked>) -> Report {
        let ready = findings.iter().all(|finding| finding.level < Level::Fail);
        Report { status: if ready { "ready" } else { "not ready" }, findings, looked }
    }

    const fn code(&self) -> StatusCode {
        match self.status.as_bytes() {
            b"ready" => StatusCode::OK,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// What was found last, and when.
type Found = Option<(Instant, Arc<Report>)>;

/// Whether the process is about to stop. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Leaving(Arc<AtomicBool>);

impl Leaving {
    /// It is, from now on.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Who finds out how the server is. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Health {
    play: Play,
    data: PathBuf,
    leaving: Leaving,
    found: Arc<Mutex<Found>>,
}

impl Health {
    /// Of a server with a data folder.
    #[must_use]
    pub fn new(play: Play, data: PathBuf, leaving: Leaving) -> Health {
        Health { play, data, leaving, found: Arc::default() }
    }

    /// What is found now, or was a moment ago. Who asks meanwhile waits for the one who looks.
    async fn report(&self) -> Arc<Report> {
        if self.leaving.is_set() {
            let stops = Finding::new("process", Level::Fail, "is about to stop");
            return Arc::new(Report::of(vec![stops], None));
        }
        let mut found = self.found.lock().await;
        if let Some((at, report)) = found.as_ref()
            && at.elapsed() < FRESH
        {
            return Arc::clone(report);
        }
        let report = Arc::new(self.look().await);
        *found = Some((Instant::now(), Arc::clone(&report)));
        report
    }

    async fn look(&self) -> Report {
        let folder = self.folder().await;
        let pulse = match tokio::time::timeout(ANSWER, self.play.pulse()).await {
            Ok(Ok(pulse)) => pulse,
            Ok(Err(error)) => {
                tracing::error!(%error, "the database does not answer");
                return unanswered(folder);
            }
            Err(_) => return unanswered(folder),
        };
        let mut findings = vec![Finding::new("database", Level::Ok, "answers")];
        findings.push(if pulse.current {
            Finding::new("migrations", Level::Ok, "are those of this program")
        } else {
            Finding::new(
                "migrations",
                Level::Fail,
                "are not those of this program: another version has used the database",
            )
        });
        let (processes, works) = (pulse.looked.processes, self.play.part().works());
        findings.extend([sweep(&pulse), letters(&pulse)].map(|finding| finding.of_a_process(works)));
        findings.extend([running(processes), folder, backup(&self.play, &pulse)]);
        Report::of(findings, Some(pulse.looked))
    }

    /// Whether the data folder can be written to.
    async fn folder(&self) -> Finding {
        let data = self.data.clone();
        let tried = tokio::task::spawn_blocking(move || {
            let mut file = tempfile::tempfile_in(data)?;
            std::io::Write::write_all(&mut file, b"fieldcommand")
        });
        match tried.await {
            Ok(Ok(())) => Finding::new("data folder", Level::Ok, "can be written to"),
            Ok(Err(error)) => {
                Finding::new("data folder", Level::Fail, format!("cannot be written to: {}", error.kind()))
            }
            Err(_) => Finding::new("data folder", Level::Fail, "could not be tried"),
        }
    }
}

/// Where the database does not answer nothing else can be said.
fn unanswered(folder: Finding) -> Report {
    let database = Finding::new("database", Level::Fail, "does not answer; the log says more");
    Report::of(vec![database, folder], None)
}

fn sweep(pulse: &Pulse) -> Finding {
    let name = "sweep";
    if pulse.looked.quiet {
        let said =
            "stands still, and no letters leave: the server was moved or restored (fieldcommand adopt or resume)";
        return Finding::new(name, Level::Warn, said);
    }
    match pulse.looked.heartbeat {
        None => Finding::new(name, Level::Fail, "has given no sign of life yet"),
        Some(age) if age > SWEEP => {
            Finding::new(name, Level::Fail, format!("gave its last sign of life {} ago", long(age)))
        }
        Some(_) => {
            let said = format!("is awake; {} turns are due and not resolved", pulse.looked.late);
            Finding::new(name, if pulse.looked.latest > SWEEP { Level::Warn } else { Level::Ok }, said)
        }
    }
}

/// Letters that nobody tries are this server's fault; those that another server does not take are not, and do not keep
/// players away.
fn letters(pulse: &Pulse) -> Finding {
    let (name, looked) = ("letters", &pulse.looked);
    if let Some(untried) = pulse.untried_letter.filter(|age| *age > UNTRIED && !looked.quiet) {
        return Finding::new(
            name,
            Level::Fail,
            format!("one has been due for {} and nobody has tried it", long(untried)),
        );
    }
    if looked.letters == 0 {
        return Finding::new(name, Level::Ok, "none waits");
    }
    let level = if looked.oldest_letter > WAITING { Level::Warn } else { Level::Ok };
    Finding::new(name, level, format!("{} wait, the oldest for {}", looked.letters, long(looked.oldest_letter)))
}

/// Which processes there are.
fn running(Running { whole, web, workers }: Running) -> Finding {
    let name = "processes";
    if whole + workers == 0 {
        let said = format!("{web} answer, and none resolves turns or sends letters: start one with `serve --workers`");
        return Finding::new(name, Level::Warn, said);
    }
    let mut said = Vec::new();
    for (number, does) in [(whole, "everything"), (web, "pages and API"), (workers, "what happens by itself")] {
        match number {
            0 => {}
            1 => said.push(format!("1 does {does}")),
            number => said.push(format!("{number} do {does}")),
        }
    }
    Finding::new(name, Level::Ok, said.join(", "))
}

fn backup(play: &Play, pulse: &Pulse) -> Finding {
    let now = play.clock().now();
    let since = |at: crate::clock::Timestamp| long(Duration::from_millis(u64::try_from(now.0 - at.0).unwrap_or(0)));
    let made = match pulse.looked.backup {
        None => "none was made".to_owned(),
        Some(at) => format!("the last one was made {} ago", since(at)),
    };
    match pulse.looked.drill {
        None => Finding::new("backup", Level::Ok, format!("{made}; no drill was held")),
        Some((at, 0)) => Finding::new(
            "backup",
            Level::Ok,
            format!("{made}; the last drill, {} ago, found all games whole", since(at)),
        ),
        Some((at, NOT_RESTORED)) => {
            let said = format!("{made}; in the last drill, {} ago, the newest could not be restored", since(at));
            Finding::new("backup", Level::Warn, said)
        }
        Some((at, wrong)) => {
            let said = format!("{made}; in the last drill, {} ago, {wrong} games did not hold", since(at));
            Finding::new("backup", Level::Warn, said)
        }
    }
}

/// A length of time in its largest unit.
fn long(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86400),
    }
}

/// For the address where players come: the bare answer.
pub fn bare(health: Health) -> Router {
    Router::new().route("/health/live", get(live)).route("/health/ready", get(ready)).with_state(health)
}

/// For the listener of its own: what was found, and the numbers.
pub fn whole(health: Health) -> Router {
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready_in_words))
        .route("/metrics", get(metrics))
        .with_state(health)
}

/// Whether somebody asks for JSON.
fn as_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| kind.trim_start().starts_with("application/json"))
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

const PLAIN: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

/// A status alone.
fn status(code: StatusCode, word: &str, json: bool) -> Response {
    if json {
        answer(code, JSON, format!("{{\"status\":\"{word}\"}}\n"))
    } else {
        answer(code, PLAIN, format!("{word}\n"))
    }
}

/// GET /health/live: the process answers.
async fn live(headers: HeaderMap) -> Response {
    status(StatusCode::OK, "live", as_json(&headers))
}

/// GET /health/ready for anybody.
async fn ready(State(health): State<Health>, headers: HeaderMap) -> Response {
    let report = health.report().await;
    status(report.code(), report.status, as_json(&headers))
}

/// GET /health/ready for the organiser.
async fn ready_in_words(State(health): State<Health>, request: Request) -> Response {
    let report = health.report().await;
    if as_json(request.headers()) {
        return match serde_json::to_string(&*report) {
            Ok(body) => answer(report.code(), JSON, body + "\n"),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        };
    }
    let mut body = format!("{}\n", report.status);
    for Finding { name, level, said } in &report.findings {
        // Writing into a string does not fail.
        let _ = writeln!(body, "{:4}  {name}: {said}", level.word());
    }
    answer(report.code(), PLAIN, body)
}

/// GET /metrics
async fn metrics(State(health): State<Health>) -> Response {
    let report = health.report().await;
    let text = health.play.metrics().text(report.looked.as_ref());
    answer(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulse() -> Pulse {
        let looked = Looked { heartbeat: Some(Duration::from_secs(14)), ..Looked::default() };
        Pulse { current: true, untried_letter: None, looked }
    }

    #[test]
    fn a_sweep_without_a_sign_of_life_fails() {
        assert_eq!(sweep(&pulse()).level, Level::Ok);
        let mut still = pulse();
        still.looked.heartbeat = Some(Duration::from_secs(61));
        assert_eq!(sweep(&still).level, Level::Fail);
        assert!(sweep(&still).said.contains("61 s"));
        still.looked.heartbeat = None;
        assert_eq!(sweep(&still).level, Level::Fail);
        let mut late = pulse();
        (late.looked.late, late.looked.latest) = (2, Duration::from_mins(3));
        assert_eq!(sweep(&late).level, Level::Warn);
        still.looked.quiet = true;
        assert_eq!(sweep(&still).level, Level::Warn, "pages work while the server stands still");
    }

    #[test]
    fn a_letter_that_nobody_tries_fails_and_one_that_nobody_takes_warns() {
        assert_eq!(letters(&pulse()).level, Level::Ok);
        let mut waits = pulse();
        (waits.looked.letters, waits.looked.oldest_letter) = (1, Duration::from_hours(3));
        assert_eq!(letters(&waits), Finding::new("letters", Level::Warn, "1 wait, the oldest for 3 h"));
        waits.untried_letter = Some(Duration::from_mins(11));
        assert_eq!(letters(&waits).level, Level::Fail);
    }

    #[test]
    fn a_process_that_only_answers_is_ready_and_says_that_nobody_works() {
        let mut still = pulse();
        still.looked.heartbeat = None;
        assert_eq!(sweep(&still).of_a_process(true).level, Level::Fail);
        assert_eq!(sweep(&still).of_a_process(false).level, Level::Warn);
        assert_eq!(sweep(&pulse()).of_a_process(false).level, Level::Ok);
        let nobody = running(Running { web: 2, ..Running::default() });
        assert_eq!((nobody.level, nobody.said.starts_with("2 answer, and none")), (Level::Warn, true));
        let some = running(Running { whole: 2, workers: 1, web: 0 });
        assert_eq!(some.said, "2 do everything, 1 does what happens by itself");
    }

    #[test]
    fn json_is_for_who_asks_for_it() {
        let asked = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            as_json(&headers)
        };
        assert!(asked("application/json") && asked("text/html, application/json;q=0.9"));
        assert!(!asked("*/*") && !asked("text/html") && !as_json(&HeaderMap::new()));
    }
}
