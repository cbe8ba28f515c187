//! Webhooks: programs that want to be told when a game has changed, instead of asking again and again.
//!
//! A seat's holder sets them up for the own seat, an organiser for all games. What is told holds ids, turn and version and
//! nothing else. The events are queued in the transaction in which they happen (`events`), like letters, and told by
//! `runner::webhooks` (`telling`).

use crate::clock::Timestamp;
use crate::play::admin::{Act, Admin, Done, Scope, wrong};
use crate::play::{Play, PlayError, Seat, Secret};
use crate::store::{ActRow, Reader, WebhookEventRow, WebhookRow, Writer};

/// What is told.
pub mod events;
/// Where a webhook may be.
pub mod target;
/// Signatures.
pub mod sign;
/// Telling it: claims, and what became of each try.
pub mod telling;

pub use events::EventKind;
pub use target::{Reach, Target};

/// How many webhooks a seat may have.
pub const MOST_OF_SEAT: usize = 3;
/// How many the organiser may have.
const OF_DESK: usize = 5;
/// How many tests may wait at once.
const TESTS: i64 = 3;
/// How many of the last events are shown.
const SHOWN: i64 = 50;
/// For how long a form that is sent once more sets up nothing more, in milliseconds: ten minutes.
const SAME_FORM: i64 = 10 * 60_000;
/// How long the secret before counts beside a new one, in milliseconds: a day.
const BOTH_SECRETS: i64 = 24 * 3_600_000;

/// A webhook as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The id.
    pub id: String,
    /// Where it is.
    pub url: String,
    /// What it wants to hear of; all, if nothing is named.
    pub kinds: Vec<EventKind>,
    /// Whose token it was set up by, if it is the organiser's.
    pub maker: Option<String>,
    /// When it was set up.
    pub made_at: Timestamp,
    /// When its secret was last renewed.
    pub renewed_at: Option<Timestamp>,
    /// When it last took something.
    pub delivered_at: Option<Timestamp>,
    /// Since when nothing has been taken.
    pub failing_since: Option<Timestamp>,
    /// When it was switched off, and why.
    pub off: Option<(Timestamp, String)>,
}

impl Webhook {
    fn read(row: WebhookRow) -> Webhook {
        Webhook {
            kinds: row.kinds.split(' ').filter_map(EventKind::from_word).collect(),
            id: row.id,
            url: row.url,
            maker: None,
            made_at: Timestamp(row.made_at),
            renewed_at: row.renewed_at.map(Timestamp),
            delivered_at: row.delivered_at.map(Timestamp),
            failing_since: row.failing_since.map(Timestamp),
            off: row.off_at.map(|at| (Timestamp(at), row.off_why.unwrap_or_default())),
        }
    }

    fn made_by(self, makers: &[(String, String)]) -> Webhook {
        let maker = makers.iter().find(|(id, _)| *id == self.id).map(|(_, who)| who.clone());
        Webhook { maker, ..self }
    }

    /// The same for an organiser. A URL often opens something by itself, so that of it only an owner reads more than where
    /// it leads.
    fn seen_by(self, admin: &Admin) -> Webhook {
        let url = if admin.scope >= Scope::Owner { self.url } else { target::veiled(&self.url) };
        Webhook { url, ..self }
    }
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It waits, and is tried at this moment or later.
    Waits(Timestamp),
    /// It was taken.
    Taken(Timestamp),
    /// It was given up.
    GivenUp(Timestamp),
}

/// An event for a webhook, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id, which is the header `webhook-id` too.
    pub id: String,
    /// What happened.
    pub kind: EventKind,
    /// In which game.
    pub game: Option<String>,
    /// In which turn.
    pub turn: Option<u32>,
    /// The game's version then.
    pub version: Option<i64>,
    /// When.
    pub made_at: Timestamp,
    /// What became of it.
    pub told: Told,
    /// How often it was tried.
    pub tries: u32,
    /// When it was tried last.
    pub tried_at: Option<Timestamp>,
    /// The status of the last answer.
    pub status: Option<u16>,
    /// What was wrong with it.
    pub why: Option<String>,
}

impl Delivery {
    fn read(row: WebhookEventRow) -> Result<Delivery, PlayError> {
        Ok(Delivery {
            kind: EventKind::from_word(&row.kind).ok_or_else(|| PlayError::Broken("webhook".into()))?,
            told: match (row.delivered_at, row.given_up_at) {
                (Some(at), _) => Told::Taken(Timestamp(at)),
                (None, Some(at)) => Told::GivenUp(Timestamp(at)),
                (None, None) => Told::Waits(Timestamp(row.due_at)),
            },
            id: row.id,
            game: row.game_id,
            turn: row.turn.and_then(|turn| u32::try_from(turn).ok()),
            version: row.version,
            made_at: Timestamp(row.made_at),
            tries: u32::try_from(row.tries).unwrap_or(0),
            tried_at: row.tried_at.map(Timestamp),
            status: row.status.and_then(|status| u16::try_from(status).ok()),
            why: row.why,
        })
    }
}

/// A webhook to be set up.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Where it is.
    pub url: String,
    /// What it wants to hear of; nothing for all.
    pub kinds: Vec<EventKind>,
}

/// Whose webhook it is.
#[derive(Clone, Debug)]
enum Owner {
    Seat(Seat),
    Desk,
}

/// A webhook with the last of what it was told.
pub type Ledger = (Webhook, Vec<Delivery>);

impl Play {
    /// The same use cases on a server that calls others so far.
    #[must_use]
    pub fn reaching(self, reach: Reach) -> Play {
        self.but(|needs| needs.reach = reach)
    }

    /// Whom this server calls.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The webhooks of a seat, the oldest first.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a seat that has been given to somebody else meanwhile.
    pub async fn webhooks(&self, seat: &Seat) -> Result<Vec<Webhook>, PlayError> {
        self.webhooks_of(Owner::Seat(seat.clone())).await
    }

    /// One webhook of a seat, with the last of what it was told, the newest first.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub async fn webhook(&self, seat: &Seat, id: &str) -> Result<Ledger, PlayError> {
        self.webhook_of(Owner::Seat(seat.clone()), id).await
    }

    /// The organiser's webhooks, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_webhooks(&self, admin: &Admin) -> Result<Vec<Webhook>, PlayError> {
        let hooks = self.webhooks_of(Owner::Desk).await?;
        let makers = self.store.read(|tx| Box::pin(async move { tx.makers_of_desk_webhooks().await })).await?;
        Ok(hooks.into_iter().map(|hook| hook.made_by(&makers).seen_by(admin)).collect())
    }

    /// One webhook of the organiser's, with the last of what it was told, the newest first.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub async fn desk_webhook(&self, admin: &Admin, id: &str) -> Result<Ledger, PlayError> {
        let (hook, told) = self.webhook_of(Owner::Desk, id).await?;
        let makers = self.store.read(|tx| Box::pin(async move { tx.makers_of_desk_webhooks().await })).await?;
        Ok((hook.made_by(&makers).seen_by(admin), told))
    }

    /// Sets a webhook up for a seat. Its secret is shown this once.
    ///
    /// # Errors
    /// [`PlayError::Field`]; [`PlayError::NotFound`] for a seat that has been given to somebody else meanwhile.
    pub async fn add_webhook(&self, seat: &Seat, new: NewWebhook) -> Result<(Webhook, Secret), PlayError> {
        let target = self.callable(&new.url).await?;
        self.of_seat(seat, move |play, tx, seat| {
            let (target, kinds) = (target.clone(), new.kinds.clone());
            Box::pin(async move {
                let owner = Owner::Seat(seat.clone());
                let row = play.add_webhook_in(tx, &owner, play.sorted_id(), (&target, &kinds)).await?;
                let secret = play.key.webhook_secret(&row.id, row.secret_generation);
                Ok((Webhook::read(row), secret))
            })
        })
        .await
    }

    /// Sets a webhook up for a seat with a form, which may be sent twice: one that was set up a moment ago with the same
    /// words is the same one, and its secret is shown once more.
    ///
    /// # Errors
    /// As of [`Play::add_webhook`].
    pub async fn add_webhook_once(&self, seat: &Seat, new: NewWebhook) -> Result<(Webhook, Secret), PlayError> {
        let target = self.callable(&new.url).await?;
        self.of_seat(seat, move |play, tx, seat| {
            let (target, kinds) = (target.clone(), new.kinds.clone());
            Box::pin(async move {
                let owner = Owner::Seat(seat.clone());
                let since = play.clock.now().0 - SAME_FORM;
                let same = rows_of(tx, &owner).await?.into_iter().find(|row| {
                    let fresh = row.renewed_at.is_none() && row.made_at > since;
                    fresh && row.url == target.as_str() && row.kinds == words_of(&kinds)
                });
                let row = match same {
                    Some(row) => row,
                    None => play.add_webhook_in(tx, &owner, play.sorted_id(), (&target, &kinds)).await?,
                };
                let secret = play.key.webhook_secret(&row.id, row.secret_generation);
                Ok((Webhook::read(row), secret))
            })
        })
        .await
    }

    /// Renews the secret of a webhook. The one before counts for another day, in which the new one stays.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub async fn renew_webhook(&self, seat: &Seat, id: &str) -> Result<(Webhook, Secret), PlayError> {
        let id = id.to_owned();
        self.of_seat(seat, move |play, tx, seat| {
            let id = id.clone();
            Box::pin(async move {
                let row = found(tx, &Owner::Seat(seat.clone()), &id).await?;
                let row = play.renew_webhook_in(tx, &row).await?;
                let secret = play.key.webhook_secret(&row.id, row.secret_generation);
                Ok((Webhook::read(row), secret))
            })
        })
        .await
    }

    /// Sends a test to a webhook. One that is switched off is on again once it takes it.
    ///
    /// # Errors
    /// [`PlayError::NotFound`], [`PlayError::TooMany`].
    pub async fn test_webhook(&self, seat: &Seat, id: &str) -> Result<Delivery, PlayError> {
        let id = id.to_owned();
        self.of_seat(seat, move |play, tx, seat| {
            let id = id.clone();
            Box::pin(async move {
                let row = found(tx, &Owner::Seat(seat.clone()), &id).await?;
                play.test_webhook_in(tx, &row).await
            })
        })
        .await
    }

    /// Tells a webhook something once more, with the same id.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub async fn retell(&self, seat: &Seat, id: &str, event: &str) -> Result<Delivery, PlayError> {
        let (id, event) = (id.to_owned(), event.to_owned());
        self.of_seat(seat, move |play, tx, seat| {
            let (id, event) = (id.clone(), event.clone());
            Box::pin(async move {
                let row = found(tx, &Owner::Seat(seat.clone()), &id).await?;
                play.retell_in(tx, &row, &event).await
            })
        })
        .await
    }

    /// Removes a webhook, with all that is kept of it.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub async fn remove_webhook(&self, seat: &Seat, id: &str) -> Result<(), PlayError> {
        let id = id.to_owned();
        self.of_seat(seat, move |_, tx, seat| {
            let id = id.clone();
            Box::pin(async move {
                let row = found(tx, &Owner::Seat(seat.clone()), &id).await?;
                Ok(tx.delete_webhook(&row.id).await?)
            })
        })
        .await
    }

    /// A piece of work of a seat's holder, within a transaction that has locked the game. Nobody else can notice it.
    async fn of_seat<T, F>(&self, seat: &Seat, work: F) -> Result<T, PlayError>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t Play, &'t mut Writer, &'t Seat) -> crate::store::Work<'t, T, PlayError>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, work) = (play.clone(), seat.clone(), work.clone());
                Box::pin(async move {
                    self::lock_of(&play, tx, &seat).await?;
                    work(&play, tx, &seat).await
                })
            })
            .await
    }

    async fn webhooks_of(&self, owner: Owner) -> Result<Vec<Webhook>, PlayError> {
        let rows = self.store.read(move |tx| Box::pin(async move { rows_of(tx, &owner).await })).await?;
        Ok(rows.into_iter().map(Webhook::read).collect())
    }

    async fn webhook_of(&self, owner: Owner, id: &str) -> Result<Ledger, PlayError> {
        let id = id.to_owned();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let row = found(tx, &owner, &id).await?;
                    let events = tx.webhook_events(&row.id, SHOWN).await?;
                    let told: Result<Vec<_>, _> = events.into_iter().map(Delivery::read).collect();
                    Ok((Webhook::read(row), told?))
                })
            })
            .await
    }

    /// A URL that this server calls, looked up before any transaction begins.
    pub(in crate::play) async fn callable(&self, url: &str) -> Result<Target, PlayError> {
        let target = self.target(url).map_err(|problem| wrong("url", problem))?;
        target.addresses(self.reach).await.map_err(|problem| wrong("url", problem))?;
        Ok(target)
    }

    /// Reads a URL. The name under which people reach this server leads back to it, whatever address it has.
    fn target(&self, url: &str) -> Result<Target, String> {
        let target = Target::parse(url, self.reach)?;
        let host = target.host().trim_end_matches('.');
        let own = self.own_host().is_some_and(|own| own.eq_ignore_ascii_case(host));
        if self.reach == Reach::Public && own { Err(target::NOWHERE.into()) } else { Ok(target) }
    }

    async fn add_webhook_in(
        &self,
        tx: &mut Writer,
        owner: &Owner,
        id: String,
        (target, kinds): (&Target, &[EventKind]),
    ) -> Result<WebhookRow, PlayError> {
        let (before, most) = match owner {
            Owner::Seat(_) => (rows_of(tx, owner).await?, MOST_OF_SEAT),
            Owner::Desk => (rows_of(tx, owner).await?, OF_DESK),
        };
        if before.len() >= most {
            return Err(wrong("url", format!("is one too many: there are {most} webhooks already")));
        }
        let seat = match owner {
            Owner::Seat(seat) => Some(seat),
            Owner::Desk => None,
        };
        let row = WebhookRow {
            id,
            game_id: seat.map(|seat| seat.game().to_string()),
            side: seat.map(|seat| seat.side().word().to_owned()),
            seat_generation: seat.map(Seat::generation),
            url: target.as_str().to_owned(),
            kinds: words_of(kinds),
            secret_generation: 1,
            renewed_at: None,
            made_at: self.clock.now().0,
            claimed_until: None,
            claimed_by: None,
            rest_until: None,
            failures: 0,
            failing_since: None,
            delivered_at: None,
            off_at: None,
            off_why: None,
        };
        tx.insert_webhook(&row).await?;
        Ok(row)
    }

    /// Renews a secret. Of one that was renewed less than a day ago the one before still counts, and its receiver may have no
    /// other: so it is not renewed once more, and whoever did not read the answer reads it now.
    async fn renew_webhook_in(&self, tx: &mut Writer, row: &WebhookRow) -> Result<WebhookRow, PlayError> {
        let now = self.clock.now().0;
        if row.renewed_at.is_some_and(|at| now < at + BOTH_SECRETS) {
            return Ok(row.clone());
        }
        tx.renew_webhook(&row.id, now).await?;
        tx.webhook(&row.id).await?.ok_or(PlayError::NotFound)
    }

    async fn test_webhook_in(&self, tx: &mut Writer, row: &WebhookRow) -> Result<Delivery, PlayError> {
        if tx.webhook_events_waiting(&row.id, EventKind::Test.word()).await? >= TESTS {
            return Err(PlayError::TooMany("Some tests of this webhook are on their way already."));
        }
        let event = self.event_for(row, EventKind::Test, row.game_id.as_deref(), None);
        tx.queue_webhook_event(&event).await?;
        tx.wake_webhook(&row.id).await?;
        Delivery::read(tx.webhook_event(&row.id, &event.id).await?.ok_or(PlayError::NotFound)?)
    }

    async fn retell_in(&self, tx: &mut Writer, row: &WebhookRow, event: &str) -> Result<Delivery, PlayError> {
        let event = tx.webhook_event(&row.id, event).await?.ok_or(PlayError::NotFound)?;
        tx.repeat_webhook_event(&event.id, self.clock.now().0).await?;
        tx.wake_webhook(&row.id).await?;
        Delivery::read(tx.webhook_event(&row.id, &event.id).await?.ok_or(PlayError::NotFound)?)
    }

    /// The secret that an act has shown, for whoever sends it once more: the first answer may have been lost. `None` where it
    /// is not the webhook's any more, or the act has shown none.
    pub(in crate::play) async fn secret_again(
        &self,
        tx: &mut Reader,
        act: &Act,
        row: &ActRow,
    ) -> Result<Option<Secret>, PlayError> {
        let id = match act {
            Act::AddWebhook(_) => &row.id,
            Act::RenewWebhook { webhook } => webhook,
            _ => return Ok(None),
        };
        let same = |hook: &WebhookRow| match act {
            Act::AddWebhook(_) => hook.secret_generation == 1,
            _ => hook.renewed_at.is_some_and(|at| at <= row.done_at),
        };
        let hook = tx.webhooks_of_desk().await?.into_iter().find(|hook| hook.id == *id && same(hook));
        Ok(hook.map(|hook| self.key.webhook_secret(&hook.id, hook.secret_generation)))
    }

    /// Sets a webhook of the organiser's up. Its id is that of the act, by which it is found again.
    pub(in crate::play) async fn add_desk_webhook(
        &self,
        tx: &mut Writer,
        id: &str,
        target: &Target,
        kinds: &[EventKind],
    ) -> Result<(Done, Secret), PlayError> {
        if kinds.contains(&EventKind::OpponentSealed) {
            return Err(wrong("events", "holds opponent_sealed, which the two players alone are told"));
        }
        let row = self.add_webhook_in(tx, &Owner::Desk, id.to_owned(), (target, kinds)).await?;
        let secret = self.key.webhook_secret(&row.id, row.secret_generation);
        Ok((Done::elsewhere("webhook_made", format!("webhook {} at {}", row.id, target.host())), secret))
    }

    /// Renews the secret of a webhook of the organiser's.
    pub(in crate::play) async fn renew_desk_webhook(
        &self,
        tx: &mut Writer,
        id: &str,
    ) -> Result<(Done, Secret), PlayError> {
        let row = found(tx, &Owner::Desk, id).await?;
        let renewed = self.renew_webhook_in(tx, &row).await?;
        let same = renewed.secret_generation == row.secret_generation;
        let about = if same { ": shown again, within a day" } else { "" };
        let secret = self.key.webhook_secret(&row.id, renewed.secret_generation);
        Ok((Done::elsewhere("webhook_secret_renewed", format!("webhook {id}{about}")), secret))
    }

    /// Sends a test to a webhook of the organiser's.
    pub(in crate::play) async fn test_desk_webhook(&self, tx: &mut Writer, id: &str) -> Result<Done, PlayError> {
        let row = found(tx, &Owner::Desk, id).await?;
        let sent = self.test_webhook_in(tx, &row).await?;
        Ok(Done::elsewhere("webhook_tested", format!("webhook {id}, event {}", sent.id)))
    }

    /// Tells a webhook of the organiser's something once more.
    pub(in crate::play) async fn retell_desk_webhook(
        &self,
        tx: &mut Writer,
        id: &str,
        event: &str,
    ) -> Result<Done, PlayError> {
        let row = found(tx, &Owner::Desk, id).await?;
        let sent = self.retell_in(tx, &row, event).await?;
        Ok(Done::elsewhere("webhook_event_repeated", format!("webhook {id}, event {}", sent.id)))
    }

    /// Removes a webhook of the organiser's.
    pub(in crate::play) async fn remove_desk_webhook(&self, tx: &mut Writer, id: &str) -> Result<Done, PlayError> {
        let row = found(tx, &Owner::Desk, id).await?;
        tx.delete_webhook(&row.id).await?;
        Ok(Done::elsewhere("webhook_removed", format!("webhook {id}")))
    }

    /// Removes the webhooks of a seat whose person goes: an address may tell who it was.
    pub(in crate::play) async fn forget_webhooks(&self, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
        for row in rows_of(tx, &Owner::Seat(seat.clone())).await? {
            tx.delete_webhook(&row.id).await?;
        }
        Ok(())
    }
}

/// The kinds of event that are wanted, as they are kept.
fn words_of(kinds: &[EventKind]) -> String {
    let mut words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    words.sort_unstable();
    words.dedup();
    words.join(" ")
}

/// Locks the game of a seat, which must still be held.
async fn lock_of(play: &Play, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
    play.lock(tx, seat.game().as_str()).await?;
    play.still_held(tx, seat).await
}

/// The webhooks of an owner.
async fn rows_of(tx: &mut Reader, owner: &Owner) -> Result<Vec<WebhookRow>, PlayError> {
    Ok(match owner {
        Owner::Seat(seat) => tx.webhooks_of_seat(seat.game().as_str(), seat.side().word(), seat.generation()).await?,
        Owner::Desk => tx.webhooks_of_desk().await?,
    })
}

/// The webhook with an id, if it is the owner's.
async fn found(tx: &mut Reader, owner: &Owner, id: &str) -> Result<WebhookRow, PlayError> {
    rows_of(tx, owner).await?.into_iter().find(|row| row.id == id).ok_or(PlayError::NotFound)
}
