//! Whether all is well with a server, for who sets it up or looks for what is wrong: one finding for each thing, with advice.
//!
//! Nothing is changed, no key and no database made, and no secret said.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::operations::kept_key;
use super::{Settings, database_setting, kept_store, mail, public_url, transport};
use crate::clock::{Chance, Clock, Timestamp};
use crate::mail::{Mailbox, Transport, stream, trial};
use crate::play::Play;
use crate::play::pulse::NOT_RESTORED;
use crate::store::Store;
use crate::web::health::{Finding, Level};

/// How long anything elsewhere may take to answer.
const ANSWER: Duration = Duration::from_secs(10);
/// By how many milliseconds two clocks may differ.
const APART: i64 = 5_000;
/// How much of an answer is read, in bytes.
const MOST: u64 = 16 * 1024;
/// Below how many bytes of free space there is a warning, and below how many a failure.
const SPACE: (u64, u64) = (1 << 30, 64 << 20);
/// A day in milliseconds.
const DAY: i64 = 24 * 3_600_000;

fn ok(name: &'static str, said: impl Into<String>) -> Finding {
    Finding::new(name, Level::Ok, said)
}

fn warn(name: &'static str, said: impl Into<String>) -> Finding {
    Finding::new(name, Level::Warn, said)
}

fn fail(name: &'static str, said: impl Into<String>) -> Finding {
    Finding::new(name, Level::Fail, said)
}

/// Looks at everything. With `mail_to` a letter is sent there.
pub async fn look(settings: &Settings, clock: &Clock, mail_to: Option<&str>) -> Vec<Finding> {
    let mut found = vec![folder(&settings.data), space(&settings.data), key_file(settings)];
    found.extend(database(settings, clock).await);
    found.extend(address(settings, clock).await);
    found.extend(letters(settings, clock, mail_to).await);
    found.push(answers(settings).await);
    found.push(signing(settings));
    found
}

/// Whether the data folder is there, its owner's alone, and can be written to.
fn folder(data: &Path) -> Finding {
    let name = "data folder";
    let shown = data.display();
    let metadata = match fs::metadata(data) {
        Ok(metadata) => metadata,
        Err(error) => return fail(name, format!("{shown}: {error}; the server makes it when it first starts")),
    };
    if !metadata.is_dir() {
        return fail(name, format!("{shown} is no folder; set --data"));
    }
    if let Err(error) = tempfile::tempfile_in(data) {
        return fail(
            name,
            format!("{shown} cannot be written to ({error}); run this as the user that the server runs as"),
        );
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0 {
        return warn(name, format!("{shown} is open to other users; chmod 700 it: the key and every sheet lie in it"));
    }
    ok(name, format!("{shown} is its owner's alone and can be written to"))
}

/// Whether there is room in the data folder.
fn space(data: &Path) -> Finding {
    let name = "disk";
    #[cfg(unix)]
    match rustix::fs::statvfs(data) {
        Ok(space) => {
            let free = space.f_bavail.saturating_mul(space.f_frsize);
            let said = format!("{} MiB are free for the data folder", free >> 20);
            match free {
                free if free < SPACE.1 => fail(name, format!("only {said}; nothing can be kept when it is full")),
                free if free < SPACE.0 => warn(name, format!("only {said}; make room, or move old backups away")),
                _ => ok(name, said),
            }
        }
        Err(error) => warn(name, format!("how much is free cannot be found out: {error}")),
    }
    #[cfg(not(unix))]
    ok(name, "is not looked at on this system")
}

/// Whether there is a key that can be read.
fn key_file(settings: &Settings) -> Finding {
    let name = "key";
    let file = settings.data.join("server.key");
    match kept_key(settings) {
        Some(_) if settings.key.is_some() => ok(name, "comes from --key; keep a copy of it apart from the backups"),
        Some(_) => {
            #[cfg(unix)]
            if fs::metadata(&file)
                .is_ok_and(|metadata| std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0)
            {
                return warn(name, format!("{} can be read by other users; chmod 600 it", file.display()));
            }
            ok(name, format!("lies in {}; keep a copy of it apart from the backups", file.display()))
        }
        None if settings.key.is_some() || file.exists() => fail(name, "cannot be read: it is 64 hexadecimal digits"),
        None => fail(name, format!("{} is missing; the server makes it when it first starts", file.display())),
    }
}

/// Whether the database answers, is of this version, belongs to the key, and has the same time; and how its backups are.
async fn database(settings: &Settings, clock: &Clock) -> Vec<Finding> {
    let name = "database";
    let store = match kept_store(settings).await {
        Ok(store) => store,
        Err(error) => return vec![fail(name, error.to_string())],
    };
    let setting = database_setting(settings);
    let mut found = Vec::new();
    match store.is_current().await {
        Ok(true) => {
            found.push(ok(name, format!("{setting}: answers, and is of this version")));
            found.extend(kept(settings, &store, clock).await);
        }
        Ok(false) => found.push(fail(
            name,
            format!("{setting}: answers, but is of another version; start the server of this version once"),
        )),
        Err(error) => found.push(fail(name, format!("{setting}: {error}"))),
    }
    store.close().await;
    found
}

/// What is kept in a database of this version.
async fn kept(settings: &Settings, store: &Store, clock: &Clock) -> Vec<Finding> {
    let mut found = Vec::new();
    let key = kept_key(settings);
    let fits = key.clone();
    // Without a key all but that can be looked at.
    let some = key.unwrap_or_else(|| crate::play::ServerKey::new([0; 32]));
    let play =
        Play::new(store.clone(), clock.clone(), Chance::System, some).standing_at(settings.public_url.as_deref());
    if fits.is_some() {
        found.push(match play.key_fits().await {
            Ok(true) => ok("key", "belongs to the database"),
            Ok(false) => fail("key", "is not the one that belongs to the database: put back the right server.key"),
            Err(error) => fail("key", error.to_string()),
        });
    }
    found.push(match play.quiet().await {
        Ok(None) => ok("place", "the server may do its work"),
        Ok(Some(quiet)) => warn("place", quiet.advice()),
        Err(error) => fail("place", error.to_string()),
    });
    match store.clock().await {
        Ok(Some(theirs)) => found.push(apart("clock", "the database’s", Timestamp(theirs), clock.now())),
        Ok(None) => {}
        Err(error) => found.push(fail("clock", error.to_string())),
    }
    found.push(match play.pulse().await {
        Ok(pulse) => backup(pulse.looked.backup, pulse.looked.drill, clock.now()),
        Err(error) => fail("backup", error.to_string()),
    });
    found
}

fn backup(made: Option<Timestamp>, drill: Option<(Timestamp, i64)>, now: Timestamp) -> Finding {
    let name = "backup";
    let days = |at: Timestamp| (now.0 - at.0) / DAY;
    match (made, drill) {
        (_, Some((_, NOT_RESTORED))) => fail(name, "in the last drill the newest backup could not be restored"),
        (_, Some((_, wrong))) if wrong > 0 => fail(name, format!("in the last drill {wrong} games did not hold")),
        (None, _) => warn(name, "none was made; let `fieldcommand backup --dir FOLDER` run every day, to another disk"),
        (Some(at), _) if days(at) > 7 => warn(name, format!("the last one is {} days old", days(at))),
        (Some(_), None) => warn(name, "there is one; whether it can be restored `fieldcommand drill` finds out"),
        (Some(at), Some((drill, _))) => {
            ok(name, format!("made {} days ago; the last drill, {} days ago, found all well", days(at), days(drill)))
        }
    }
}

fn apart(name: &'static str, whose: &str, theirs: Timestamp, ours: Timestamp) -> Finding {
    let apart = (theirs.0 - ours.0).abs();
    if apart > APART {
        let said = format!("differs from {whose} by {} s; deadlines hang on it: set it by NTP", apart / 1000);
        return warn(name, said);
    }
    ok(name, format!("agrees with {whose}"))
}

/// Whether the public address leads to this server, and what time it is there.
async fn address(settings: &Settings, clock: &Clock) -> Vec<Finding> {
    let name = "public address";
    let Some(address) = &settings.public_url else {
        return vec![warn(
            name,
            "--public-url is not set: links lead to the listening address, which others cannot reach",
        )];
    };
    let url = match public_url(settings, settings.listen) {
        Ok(url) => url,
        Err(error) => return vec![fail(name, error.to_string())],
    };
    let answer = match timeout(ANSWER, live(&url)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            return vec![fail(
                name,
                format!(
                    "{address} cannot be reached from here ({error}); is the proxy set up, and the server started?"
                ),
            )];
        }
        Err(_) => return vec![fail(name, format!("{address} does not answer within {} s", ANSWER.as_secs()))],
    };
    let mut found = Vec::new();
    let first = answer.lines().next().unwrap_or_default();
    if first.split(' ').nth(1) == Some("200") && answer.contains("live") {
        found.push(ok(name, format!("{address} leads to a server of this kind")));
        if !url.starts_with("https:") {
            found.push(warn(name, "is not https: links and sessions can be read on the way"));
        }
    } else {
        found.push(fail(name, format!("{address} is answered by something else ({first}); look at the proxy")));
    }
    let date = answer.lines().find_map(|line| line.strip_prefix("date: ").or_else(|| line.strip_prefix("Date: ")));
    if let Some(date) = date.and_then(|date| jiff::fmt::rfc2822::parse(date.trim()).ok()) {
        let theirs = Timestamp(date.timestamp().as_millisecond());
        found.push(apart("clock", "that of the public address", theirs, clock.now()));
    }
    found
}

/// What an address answers when it is asked whether a server lives there.
async fn live(url: &str) -> Result<String, String> {
    let url = url::Url::parse(url).map_err(|error| error.to_string())?;
    let (host, wrapped) = (url.host_str().unwrap_or_default(), url.scheme() == "https");
    let port = url.port_or_known_default().unwrap_or(80);
    let mut stream = stream::open(host, port, wrapped).await?;
    let named = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let request =
        format!("GET /health/live HTTP/1.1\r\nHost: {named}\r\nAccept: text/plain\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    stream.flush().await.map_err(|error| error.to_string())?;
    let mut answer = Vec::new();
    // Some servers end TLS without a word; what came before counts.
    let read = stream.take(MOST).read_to_end(&mut answer).await;
    if answer.is_empty() {
        read.map_err(|error| error.to_string())?;
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Whether letters leave.
async fn letters(settings: &Settings, clock: &Clock, mail_to: Option<&str>) -> Vec<Finding> {
    let name = "letters";
    let from: Mailbox = match settings.mail_from.parse() {
        Ok(from) => from,
        Err(_) => return vec![fail(name, format!("--mail-from {}: is not an e-mail address", settings.mail_from))],
    };
    let way = match transport(settings, &from) {
        Ok(way) => way,
        Err(error) => return vec![fail(name, error.to_string())],
    };
    let mut found = Vec::new();
    match &way {
        Transport::Folder(folder) => {
            found.push(warn(
                name,
                format!("--smtp-url is not set: letters are files in {}, and reach nobody", folder.display()),
            ));
        }
        Transport::Smtp(server) => found.push(match timeout(ANSWER * 3, trial::conversation(server, &from)).await {
            Ok(Ok(())) => ok(name, "the mail server takes letters from --mail-from"),
            Ok(Err(error)) => fail(name, format!("the mail server does not take letters: {error}; look at --smtp-url")),
            Err(_) => fail(name, "the mail server takes too long to answer; look at --smtp-url"),
        }),
    }
    if let Some(to) = mail_to {
        found.push(match timeout(ANSWER * 3, trial::letter(&way, &from, to, clock.now())).await {
            Ok(Ok(())) => {
                ok(name, "one was sent to the address of --mail-to; look whether it arrives, and not as spam")
            }
            Ok(Err(error)) => fail(name, format!("none could be sent to the address of --mail-to: {error}")),
            Err(_) => fail(name, "none could be sent to the address of --mail-to: the mail server takes too long"),
        });
    }
    found
}

/// Whether answers by mail find a door.
async fn answers(settings: &Settings) -> Finding {
    let name = "answers";
    match (mail::answers(settings), settings.lmtp_listen) {
        (Err(error), _) => fail(name, error.to_string()),
        (Ok(None), Some(_)) => fail(name, "--lmtp-listen is set, and --answers-to is not: nothing can come"),
        (Ok(None), None) => ok(name, "are not taken by mail (--answers-to is not set)"),
        (Ok(Some(_)), None) => ok(name, "come by `fieldcommand deliver` alone (--lmtp-listen is not set)"),
        (Ok(Some(_)), Some(at)) => match timeout(ANSWER, greeting(at)).await {
            Ok(Ok(line)) if line.starts_with("220") => ok(name, format!("are taken at {at}")),
            Ok(Ok(_)) => fail(name, format!("something else listens at {at}; look at --lmtp-listen")),
            _ => warn(name, format!("nothing listens at {at}; is the server started?")),
        },
    }
}

async fn greeting(at: std::net::SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(at).await?;
    let mut line = [0; 64];
    let read = stream.read(&mut line).await?;
    Ok(String::from_utf8_lossy(line.get(..read).unwrap_or_default()).into_owned())
}

/// Where the other half of the key stands by which letters are signed.
fn signing(settings: &Settings) -> Finding {
    let name = "signatures";
    let domain = settings.dkim_domain.clone().or_else(|| {
        let from: Option<Mailbox> = settings.mail_from.parse().ok();
        from.map(|from| from.email.domain().to_owned())
    });
    match (&settings.dkim_key, &settings.dkim_selector, domain) {
        (Some(_), Some(selector), Some(domain)) => ok(
            name,
            format!(
                "letters are signed; `dig +short TXT {selector}._domainkey.{domain}` must show the other half of the key"
            ),
        ),
        (Some(_), ..) => fail(name, "--dkim-key is set, and --dkim-selector is not"),
        (None, ..) => ok(name, "letters are not signed here (--dkim-key is not set); the mail server may do it"),
    }
}
