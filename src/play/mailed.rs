//! Links that go by mail alone: whoever follows one has proven the address that it went to.
//!
//! Looking at one changes nothing, since programs that scan mail look at every link; acting needs a button.
//! A link works once and for a limited time. It is derived from its id, so that the letter can be written when it is sent.

use crate::play::letters::LetterKind;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{MailedLinkRow, NewLetter, Reader, Writer};

/// How long an address may be confirmed, in milliseconds: 7 days.
const CONFIRM_TIME: i64 = 7 * 24 * 3_600_000;
/// How many links go to one address in an hour; who asks for more is answered as before, and no letter leaves.
const MOST_IN_AN_HOUR: i64 = 5;
/// An hour in milliseconds.
const HOUR: i64 = 3_600_000;

/// What a mailed link does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// Confirms the address of a seat.
    Confirm,
}

impl Errand {
    /// All of them.
    const ALL: [Errand; 1] = [Errand::Confirm];

    /// The word in the database.
    const fn word(self) -> &'static str {
        match self {
            Errand::Confirm => "confirm",
        }
    }

    fn from_word(word: &str) -> Option<Errand> {
        Errand::ALL.into_iter().find(|errand| errand.word() == word)
    }

    /// The letter that carries it.
    const fn letter(self) -> LetterKind {
        match self {
            Errand::Confirm => LetterKind::Confirm,
        }
    }

    /// How long it works, in milliseconds.
    const fn time(self) -> i64 {
        match self {
            Errand::Confirm => CONFIRM_TIME,
        }
    }
}

/// A mailed link, looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedLink {
    /// What it does.
    pub errand: Errand,
    /// The address that it went to.
    pub address: String,
    /// The seat that it is about.
    pub seat: Option<(GameId, Side)>,
}

impl Play {
    /// Looks at a mailed link that would still do something.
    ///
    /// # Errors
    /// [`PlayError::NotFound`]; [`PlayError::LinkOver`] for one that was used or has ended.
    pub async fn mailed_link(&self, secret: &Secret) -> Result<MailedLink, PlayError> {
        let (hash, now) = (secret.hash(), self.clock.now().0);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let row = open_link(tx, &hash, now).await?;
                    look(&row)
                })
            })
            .await
    }

    /// Does what a mailed link is for.
    ///
    /// # Errors
    /// As [`Play::mailed_link`]; also [`PlayError::LinkOver`] where the seat has another address by now.
    pub async fn follow(&self, secret: &Secret) -> Result<MailedLink, PlayError> {
        let (play, hash) = (self.clone(), secret.hash());
        self.store
            .write(move |tx| {
                let (play, hash) = (play.clone(), hash.clone());
                Box::pin(async move { play.follow_in(tx, &hash).await })
            })
            .await
    }

    async fn follow_in(&self, tx: &mut Writer, hash: &str) -> Result<MailedLink, PlayError> {
        let now = self.clock.now().0;
        let row = open_link(tx, hash, now).await?;
        if !tx.use_mailed_link(&row.id, now).await? {
            return Err(PlayError::LinkOver);
        }
        let link = look(&row)?;
        match link.errand {
            Errand::Confirm => self.confirm(tx, &link).await?,
        }
        Ok(link)
    }

    /// The address of a seat becomes a person's, if it still is the one that was asked about.
    async fn confirm(&self, tx: &mut Writer, link: &MailedLink) -> Result<(), PlayError> {
        let (game, side) = link.seat.as_ref().ok_or_else(|| PlayError::Broken("mailed link".into()))?;
        let seat = tx.seat(game.as_str(), side.word()).await?.ok_or(PlayError::NotFound)?;
        if seat.address.as_deref() != Some(&link.address) {
            return Err(PlayError::LinkOver);
        }
        let person = self.person_of(tx, &link.address).await?;
        tx.set_address(game.as_str(), side.word(), None, Some(&person)).await?;
        Ok(())
    }

    /// The id of the person of a proven address, who may be new.
    pub(in crate::play) async fn person_of(&self, tx: &mut Writer, address: &str) -> Result<String, PlayError> {
        let key = address_key(address);
        tx.insert_person(&self.sorted_id(), address, &key, self.clock.now().0).await?;
        let person = tx.person_by_address(&key).await?.ok_or_else(|| PlayError::Broken("person".into()))?;
        Ok(person.id)
    }

    /// Makes a link and queues the letter that carries it, unless the address has got too many within the hour.
    pub(in crate::play) async fn mail_link(
        &self,
        tx: &mut Writer,
        errand: Errand,
        address: &str,
        seat: Option<&Seat>,
    ) -> Result<(), PlayError> {
        let (now, key) = (self.clock.now().0, address_key(address));
        if tx.count_mailed_links(&key, now - HOUR).await? >= MOST_IN_AN_HOUR {
            return Ok(());
        }
        let id = self.sorted_id();
        let link = MailedLinkRow {
            hash: self.key.mailed(&id).hash(),
            purpose: errand.word().to_owned(),
            address: address.to_owned(),
            address_key: key,
            game_id: seat.map(|seat| seat.game().to_string()),
            side: seat.map(|seat| seat.side().word().to_owned()),
            person_id: None,
            made_at: now,
            ends_at: now + errand.time(),
            used_at: None,
            id,
        };
        tx.insert_mailed_link(&link).await?;
        tx.queue_letter(&NewLetter {
            id: &self.sorted_id(),
            kind: errand.letter().word(),
            seat: None,
            address: Some(address),
            about: Some(&link.id),
            revision: 0,
            now,
        })
        .await?;
        Ok(())
    }
}

/// An address as it is found by: case makes no difference.
pub(in crate::play) fn address_key(address: &str) -> String {
    address.to_lowercase()
}

async fn open_link(tx: &mut Reader, hash: &str, now: i64) -> Result<MailedLinkRow, PlayError> {
    let row = tx.mailed_link(hash).await?.ok_or(PlayError::NotFound)?;
    if row.used_at.is_some() || row.ends_at <= now {
        return Err(PlayError::LinkOver);
    }
    Ok(row)
}

/// What a kept link says.
pub(in crate::play) fn look(row: &MailedLinkRow) -> Result<MailedLink, PlayError> {
    let broken = || PlayError::Broken("mailed link".into());
    let seat = match (&row.game_id, &row.side) {
        (Some(game), Some(side)) => {
            Some((GameId::parse(game).ok_or_else(broken)?, Side::from_word(side).ok_or_else(broken)?))
        }
        _ => None,
    };
    Ok(MailedLink { errand: Errand::from_word(&row.purpose).ok_or_else(broken)?, address: row.address.clone(), seat })
}
