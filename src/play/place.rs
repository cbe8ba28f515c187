//! A server that was moved or restored wakes quiet: it mails nobody, resolves nothing by itself, and lets no computer
//! write, until its organiser says that it may go on. Pages work, and say so.
//!
//! The database remembers the public address that players know. A process that runs under another one stands still as long
//! as that is so, which holds back a copy of the server that was started elsewhere and, once the new address is adopted,
//! the old server on the same database. Only addresses that the organiser has set, and that lead to this machine from
//! elsewhere, are compared: `localhost` and addresses of private networks change by themselves, and whoever plays at home
//! never meets any of this. A database that came out of a copy is marked in the copy itself, however it was put back.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use crate::clock::Timestamp;
use crate::play::deadline::HEARTBEAT;
use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::webhooks::EventKind;
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::{PlaceRow, Reader, Writer};

/// A minute in milliseconds.
const MINUTE: i64 = 60_000;
/// How many games are looked up at once.
const BATCH: i64 = 100;
/// By how much versions rise when a server goes on: further than any game comes between a copy and its loss.
const LEAP: i64 = 1_000_000;
/// They rise at least to the number of seconds since this moment, the beginning of 2026: so a second return to the same copy
/// gives other versions than the first one.
const LEAPS_SINCE: i64 = 1_767_225_600_000;
/// What is kept of a letter that was dropped.
const DROPPED: &str = "the server was moved or restored before it left";

/// The address of this process, as far as it matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Own {
    /// It is not known, and not compared: commands, and parts of a server in tests.
    #[default]
    Unknown,
    /// There is none that leads here from elsewhere.
    Home,
    /// `play.example.org`, or with a port that is not the usual one.
    Public(String),
}

/// Where a process runs, and what it last heard of the database's place. Shared by all clones of [`Play`].
#[derive(Debug, Default)]
pub(in crate::play) struct Place {
    own: Own,
    still: AtomicBool,
    epoch: AtomicI64,
}

/// Why a server stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Players know another address than its own.
    Moved {
        /// The address that the database remembers.
        from: String,
        /// Its own, if it has one.
        to: Option<String>,
    },
    /// Its database came out of a copy.
    Restored {
        /// When the copy was made.
        copied_at: Timestamp,
    },
}

impl Quiet {
    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Quiet::Moved { from, to: Some(to) } => format!(
                "this database belongs to {from}, and the server runs as {to}: nothing is mailed or resolved by itself; \
                 if it has moved for good, run `fieldcommand adopt` with the same settings"
            ),
            Quiet::Moved { from, to: None } => format!(
                "this database belongs to {from}, and the server runs without --public-url: nothing is mailed or resolved \
                 by itself; set --public-url, or run `fieldcommand adopt` with the same settings"
            ),
            Quiet::Restored { copied_at } => format!(
                "this database is a copy of {copied_at}: nothing is mailed or resolved by itself; if it takes the place of \
                 the one that was lost, run `fieldcommand resume` with the same settings"
            ),
        }
    }
}

/// What was done so that a server goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoneOn {
    /// How many letters were dropped.
    pub dropped: u64,
    /// How many games have open turns; the players of each are told.
    pub games: usize,
    /// How many games have open turns and cannot be read; nothing was done with them.
    pub unreadable: usize,
    /// The epoch that has begun.
    pub epoch: i64,
}

/// Why a server cannot go on in this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotGoneOn {
    /// It does not stand still.
    #[error("the server does not stand still: nothing is to be done")]
    Awake,
    /// It was moved, and is to be told so.
    #[error("{0}")]
    Moved(String),
    /// It was restored at its own address.
    #[error("{0}")]
    Restored(String),
    /// The store failed.
    #[error("{0}")]
    Play(#[from] PlayError),
}

impl crate::store::WorkError for NotGoneOn {
    fn store_error(&self) -> Option<&crate::store::StoreError> {
        match self {
            NotGoneOn::Play(PlayError::Store(error)) => Some(error),
            _ => None,
        }
    }
}

impl From<crate::store::StoreError> for NotGoneOn {
    fn from(error: crate::store::StoreError) -> NotGoneOn {
        NotGoneOn::Play(PlayError::from(error))
    }
}

/// The part of a public address that is compared: host and port. `None` for one that means this machine or a private
/// network, or is none.
fn lasting(public_url: &str) -> Option<String> {
    let (scheme, rest) = public_url.split_once("://")?;
    let authority = rest.split('/').next().filter(|authority| !authority.is_empty())?.to_ascii_lowercase();
    let usual = if scheme.eq_ignore_ascii_case("https") { ":443" } else { ":80" };
    let authority = authority.strip_suffix(usual).unwrap_or(&authority).to_owned();
    let bare = host_of(&authority);
    let home = match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        Ok(IpAddr::V6(ip)) => {
            ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_unspecified()
        }
        // A name without a dot is one of a private network.
        Err(_) => !bare.contains('.') || [".localhost", ".local", ".lan"].iter().any(|end| bare.ends_with(end)),
    };
    (!home).then_some(authority)
}

/// The host of an address, of version 6 without its brackets.
fn host_of(authority: &str) -> &str {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    host.trim_start_matches('[').trim_end_matches(']')
}

impl Place {
    /// Why the process stands still, if it does.
    fn quiet(&self, row: &PlaceRow) -> Option<Quiet> {
        let moved = match (&row.address, &self.own) {
            (None, _) | (_, Own::Unknown) => None,
            (Some(from), Own::Public(own)) if from == own => None,
            (Some(from), Own::Public(own)) => Some(Quiet::Moved { from: from.clone(), to: Some(own.clone()) }),
            (Some(from), Own::Home) => Some(Quiet::Moved { from: from.clone(), to: None }),
        };
        moved.or_else(|| row.copied_at.map(|at| Quiet::Restored { copied_at: Timestamp(at) }))
    }

    /// Looks, and remembers what was found.
    async fn look(&self, tx: &mut Reader) -> Result<Option<Quiet>, PlayError> {
        let row = tx.place().await?;
        let quiet = self.quiet(&row);
        self.still.store(quiet.is_some(), Ordering::Relaxed);
        self.epoch.store(row.epoch, Ordering::Relaxed);
        Ok(quiet)
    }
}

impl Play {
    /// The same use cases for a process that people reach under an address: what the organiser has set, or nothing.
    #[must_use]
    pub fn standing_at(self, public_url: Option<&str>) -> Play {
        let own = public_url.and_then(lasting).map_or(Own::Home, Own::Public);
        self.but(|needs| needs.place = Arc::new(Place { own, ..Place::default() }))
    }

    /// Looks where the server stands, at the start. The first address that is set is remembered.
    ///
    /// # Errors
    /// The store failed.
    pub async fn settle_in(&self) -> Result<Option<Quiet>, PlayError> {
        if let Own::Public(own) = &self.place.own {
            let own = own.clone();
            self.store
                .write(move |tx| {
                    let own = own.clone();
                    Box::pin(async move { Ok::<_, PlayError>(tx.keep_address(&own).await?) })
                })
                .await?;
        }
        self.quiet().await
    }

    /// Why the server stands still, if it does.
    ///
    /// # Errors
    /// The store failed.
    pub async fn quiet(&self) -> Result<Option<Quiet>, PlayError> {
        let place = Arc::clone(&self.place);
        self.store.read(move |tx| Box::pin(async move { place.look(tx).await })).await
    }

    /// Whether the server may do anything by itself.
    pub(in crate::play) async fn awake(&self, tx: &mut Reader) -> Result<bool, PlayError> {
        Ok(self.place.look(tx).await?.is_none())
    }

    /// Whether the server stood still when this process last looked, which it does every second.
    #[must_use]
    pub fn stands_still(&self) -> bool {
        self.place.still.load(Ordering::Relaxed)
    }

    /// The host by which people reach this process from elsewhere, where that is known.
    pub(in crate::play) fn own_host(&self) -> Option<&str> {
        match &self.place.own {
            Own::Public(authority) => Some(host_of(authority)),
            Own::Home | Own::Unknown => None,
        }
    }

    /// The epoch when this process last looked.
    pub(in crate::play) fn epoch(&self) -> i64 {
        self.place.epoch.load(Ordering::Relaxed)
    }

    /// Lets a server go on that was moved: from now on its address is the one that players know.
    ///
    /// # Errors
    /// It was not moved; the store failed, and nothing was done.
    pub async fn go_on_moved(&self) -> Result<GoneOn, NotGoneOn> {
        self.go_on(true).await
    }

    /// Lets a server go on whose database came out of a copy.
    ///
    /// # Errors
    /// It did not, or the server was moved too; the store failed, and nothing was done.
    pub async fn go_on_restored(&self) -> Result<GoneOn, NotGoneOn> {
        self.go_on(false).await
    }

    async fn go_on(&self, adopts: bool) -> Result<GoneOn, NotGoneOn> {
        let play = self.clone();
        let (gone_on, games) = self
            .store
            .write(move |tx| {
                let play = play.clone();
                Box::pin(async move {
                    match play.place.look(tx).await? {
                        None => return Err(NotGoneOn::Awake),
                        Some(quiet @ Quiet::Moved { .. }) if !adopts => return Err(NotGoneOn::Moved(quiet.advice())),
                        Some(quiet @ Quiet::Restored { .. }) if adopts => {
                            return Err(NotGoneOn::Restored(quiet.advice()));
                        }
                        Some(_) => {}
                    }
                    play.go_on_in(tx, adopts).await.map_err(NotGoneOn::from)
                })
            })
            .await?;
        // What was looked at before the commit stands now.
        self.quiet().await?;
        games.iter().filter_map(|id| GameId::parse(id)).for_each(|game| self.announce(&game));
        Ok(gone_on)
    }

    async fn go_on_in(&self, tx: &mut Writer, adopts: bool) -> Result<(GoneOn, Vec<String>), PlayError> {
        let now = self.clock.now();
        let address = match &self.place.own {
            Own::Public(own) => Some(own.as_str()),
            Own::Home | Own::Unknown => None,
        };
        if adopts && address.is_none() {
            tx.forget_address().await?;
        }
        let epoch = tx.begin_epoch(address.filter(|_| adopts)).await?;
        let dropped = tx.drop_waiting_letters(now.0, DROPPED).await?;
        // A game that is over stays so; whatever else waited is told anew below, if it is still so.
        tx.give_up_all_but(EventKind::GameOver.word(), now.0, DROPPED).await?;
        // Whoever has seen versions that were lost takes the ones that come for newer ones.
        tx.leap_versions(LEAP, (now.0 - LEAPS_SINCE) / 1000).await?;
        // No deadline that fell meanwhile is put off once more.
        tx.remember(HEARTBEAT, now.0).await?;
        let (mut games, mut unreadable): (Vec<String>, usize) = (Vec::new(), 0);
        loop {
            let last = games.last().cloned().unwrap_or_default();
            let some = tx.open_games(&last, BATCH).await?;
            if some.is_empty() {
                break;
            }
            for id in &some {
                match self.lock(tx, id).await {
                    Ok(game) => self.begin_again(tx, &game, epoch).await?,
                    // One game that cannot be read does not hold up the others.
                    Err(PlayError::Broken(why)) => {
                        tracing::error!(game = id, why, "a game cannot be read, and does not go on");
                        unreadable += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
            games.extend(some);
        }
        Ok((GoneOn { dropped, games: games.len() - unreadable, unreadable, epoch }, games))
    }

    /// Gives the open turn of a locked game its whole time from now, and tells its players.
    async fn begin_again(&self, tx: &mut Writer, game: &Game, epoch: i64) -> Result<(), PlayError> {
        let (id, now) = (game.id.as_str(), self.clock.now());
        if game.due.is_some() {
            self.begin_span(tx, game, game.standing.turn() == 0).await?;
        } else {
            if game.reminds.is_some() {
                self.set_nudge(tx, game).await?;
            }
            if tx.seats(id).await?.iter().all(|seat| seat.taken_at.is_some()) {
                self.tell_webhooks(tx, id, EventKind::TurnAwaited, None).await?;
            }
        }
        if game.settles.is_some() {
            // The time for second thoughts begins anew, as the deadline does.
            tx.set_settle(id, Some(now.0 + i64::from(game.terms.second_thoughts) * MINUTE)).await?;
        }
        tx.touch_game(id).await?;
        for side in Side::BOTH {
            self.queue_letter(tx, game, side, LetterKind::GoesOn, epoch).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_is_host_and_port_of_a_lasting_address() {
        assert_eq!(lasting("https://Play.Example.org").as_deref(), Some("play.example.org"));
        assert_eq!(lasting("https://play.example.org:443/"), lasting("http://play.example.org:80"));
        assert_eq!(lasting("http://play.example.org:8080").as_deref(), Some("play.example.org:8080"));
        assert_eq!(lasting("http://203.0.113.7").as_deref(), Some("203.0.113.7"));
        assert_eq!(lasting("http://[2001:db8::1]:8080").as_deref(), Some("[2001:db8::1]:8080"));
        for home in [
            "http://127.0.0.1:8080",
            "http://localhost:8080",
            "http://192.168.1.5:8080",
            "http://10.0.0.1",
            "http://[::1]:8080",
            "http://[fd00::1]",
            "http://nas:8080",
            "http://games.local",
            "none",
        ] {
            assert_eq!(lasting(home), None, "{home}");
        }
    }

    #[test]
    fn only_another_lasting_address_is_a_move() {
        let row = |address: Option<&str>| PlaceRow { address: address.map(str::to_owned), epoch: 0, copied_at: None };
        let at = |own: Own| Place { own, ..Place::default() };
        let there = Own::Public("play.example.org".into());
        let kept = row(Some("play.example.org"));
        assert_eq!(at(there.clone()).quiet(&kept), None);
        assert_eq!(at(Own::Unknown).quiet(&kept), None);
        assert!(matches!(at(Own::Home).quiet(&kept), Some(Quiet::Moved { to: None, .. })));
        assert!(matches!(at(Own::Public("other.example.org".into())).quiet(&kept), Some(Quiet::Moved { .. })));
        for own in [Own::Home, there, Own::Unknown] {
            assert_eq!(at(own).quiet(&row(None)), None, "a new server is never moved");
        }
        let copy = PlaceRow { copied_at: Some(7), ..row(None) };
        assert_eq!(at(Own::Home).quiet(&copy), Some(Quiet::Restored { copied_at: Timestamp(7) }));
    }
}
