//! Tokens of organisers. Of each the database keeps the hash; the secret is shown once, when it is made.

use std::str::FromStr;

use crate::clock::Timestamp;
use crate::play::address::checked_address;
use crate::play::admin::{Admin, Cause, Done, wrong};
use crate::play::mailed::address_key;
use crate::play::open::checked_name;
use crate::play::{Play, PlayError, Secret};
use crate::store::{TokenRow, Writer};

/// What the secret of a token begins with, so that one that lies about is recognised.
pub const PREFIX: &str = "fca_";
/// How often a token's last use is written, in milliseconds.
const USED_EVERY: i64 = 60_000;
/// How many days a token may last.
const DAYS_MOST: u32 = 3660;
/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;

/// What a token may do; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Look.
    Read,
    /// Act on games, letters and addresses.
    Act,
    /// Make and revoke tokens.
    Owner,
}

impl Scope {
    /// All of them.
    pub const ALL: [Scope; 3] = [Scope::Read, Scope::Act, Scope::Owner];

    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Act => "act",
            Scope::Owner => "owner",
        }
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(word: &str) -> Result<Scope, String> {
        let known = Scope::ALL.into_iter().find(|scope| scope.word() == word);
        known.ok_or_else(|| "must be read, act or owner".to_owned())
    }
}

/// A token to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Whose it is, for the log of acts.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// After how many days it ends; `None` for never.
    pub days: Option<u32>,
    /// The address of the person whom it belongs to, who must have confirmed it; empty for nobody.
    pub person: String,
}

/// A token as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenLine {
    /// The id.
    pub id: String,
    /// Whose it is.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// Whether it belongs to a person who is known here.
    pub person: bool,
    /// When it was made.
    pub made_at: Timestamp,
    /// Until when it opens anything.
    pub ends_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, to a minute.
    pub used_at: Option<Timestamp>,
}

impl TokenLine {
    fn read(row: TokenRow) -> Result<TokenLine, PlayError> {
        Ok(TokenLine {
            id: row.id,
            name: row.name,
            scope: row.scope.parse().map_err(|_| PlayError::Broken("token".into()))?,
            person: row.person_id.is_some(),
            made_at: Timestamp(row.made_at),
            ends_at: row.ends_at.map(Timestamp),
            revoked_at: row.revoked_at.map(Timestamp),
            used_at: row.used_at.map(Timestamp),
        })
    }
}

impl Admin {
    /// Whom a token that opens something is for.
    pub(in crate::play) fn of(row: TokenRow) -> Result<Admin, PlayError> {
        let scope = row.scope.parse().map_err(|_| PlayError::Broken("token".into()))?;
        Ok(Admin { id: row.id, name: row.name, scope })
    }
}

/// Whether a token opens anything now.
pub(in crate::play) fn opens(row: &TokenRow, now: Timestamp) -> bool {
    row.revoked_at.is_none() && row.ends_at.is_none_or(|ends| ends > now.0)
}

impl Play {
    /// Who a token is for. Its use is noted, once a minute at most.
    ///
    /// # Errors
    /// [`PlayError::NoToken`] for one that opens nothing (any more).
    pub async fn admin(&self, token: &Secret) -> Result<Admin, PlayError> {
        if !token.reveal().starts_with(PREFIX) {
            return Err(PlayError::NoToken);
        }
        let (hash, now) = (token.hash(), self.clock.now());
        let row = self.store.read(move |tx| Box::pin(async move { tx.admin_token(&hash).await })).await?;
        let row = row.filter(|row| token.has_hash(&row.hash) && opens(row, now)).ok_or(PlayError::NoToken)?;
        let before = now.0 - USED_EVERY;
        if row.used_at.is_none_or(|used| used < before) {
            let id = row.id.clone();
            self.store
                .write(move |tx| {
                    let id = id.clone();
                    Box::pin(async move { Ok::<_, PlayError>(tx.admin_token_used(&id, now.0, before).await?) })
                })
                .await?;
        }
        Admin::of(row)
    }

    /// All tokens.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tokens(&self) -> Result<Vec<TokenLine>, PlayError> {
        let rows = self.store.read(|tx| Box::pin(async move { tx.admin_tokens().await })).await?;
        rows.into_iter().map(TokenLine::read).collect()
    }

    /// Makes a token on behalf of whoever can write to the database by hand: the command line.
    ///
    /// # Errors
    /// [`PlayError::Field`].
    pub async fn make_token(&self, new: NewToken) -> Result<(TokenLine, Secret), PlayError> {
        let (play, secret) = (self.clone(), Secret::draw_long(&self.chance));
        let fresh = secret.clone();
        let line = self
            .store
            .write(move |tx| {
                let (play, new, fresh) = (play.clone(), new.clone(), fresh.clone());
                Box::pin(async move {
                    let done = play.make_token_in(tx, &new, &fresh).await?;
                    play.log_by_hand(tx, &done).await?;
                    let row = tx.admin_token(&fresh.hash()).await?;
                    TokenLine::read(row.ok_or_else(|| PlayError::Broken("token".into()))?)
                })
            })
            .await?;
        Ok((line, secret))
    }

    /// Revokes a token on behalf of the command line.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is none, or it was revoked before.
    pub async fn revoke_token(&self, id: &str) -> Result<(), PlayError> {
        let (play, id) = (self.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let (play, id) = (play.clone(), id.clone());
                Box::pin(async move {
                    let done = play.revoke_token_in(tx, &id).await?;
                    play.log_by_hand(tx, &done).await
                })
            })
            .await
    }

    async fn log_by_hand(&self, tx: &mut Writer, done: &Done) -> Result<(), PlayError> {
        let cause = Cause { reason: "By the command line.".into(), ..Cause::default() };
        self.log_act(tx, &self.sorted_id(), (None, "command line"), &cause, done).await?;
        Ok(())
    }

    pub(super) async fn make_token_in(
        &self,
        tx: &mut Writer,
        new: &NewToken,
        secret: &Secret,
    ) -> Result<Done, PlayError> {
        let name = checked_name(&new.name)?.ok_or_else(|| wrong("name", "is missing"))?;
        if new.days.is_some_and(|days| !(1..=DAYS_MOST).contains(&days)) {
            return Err(wrong("days", format!("is a number from 1 to {DAYS_MOST}")));
        }
        let person = match checked_address(&new.person).map_err(|_| wrong("person", "is not an e-mail address"))? {
            Some(address) => {
                let person = tx.person_by_address(&address_key(&address)).await?;
                let unknown = || wrong("person", "is not an address that somebody has confirmed here");
                Some(person.ok_or_else(unknown)?.id)
            }
            None => None,
        };
        let now = self.clock.now().0;
        let row = TokenRow {
            id: self.sorted_id(),
            name,
            scope: new.scope.word().to_owned(),
            hash: secret.hash(),
            person_id: person,
            made_at: now,
            ends_at: new.days.map(|days| now + i64::from(days) * DAY),
            revoked_at: None,
            used_at: None,
        };
        tx.insert_admin_token(&row).await?;
        Ok(Done::elsewhere("token_made", format!("{} for {}, scope {}", row.id, row.name, row.scope)))
    }

    pub(super) async fn revoke_token_in(&self, tx: &mut Writer, id: &str) -> Result<Done, PlayError> {
        let row = tx.admin_token_by_id(id).await?.ok_or(PlayError::NotFound)?;
        let now = self.clock.now().0;
        if !tx.revoke_admin_token(id, now).await? {
            return Err(PlayError::NotFound);
        }
        // Whoever is shut out hears nothing more either. An owner who wants to keep a webhook sends it a test.
        let why = "the token by which it was set up was revoked";
        for webhook in tx.webhooks_of_token(id).await? {
            tx.switch_off_webhook(&webhook, now, why).await?;
            tx.give_up_webhook_events(Some(&webhook), i64::MAX, now, why).await?;
        }
        Ok(Done::elsewhere("token_revoked", format!("{} of {}", row.id, row.name)))
    }
}
