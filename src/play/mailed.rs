//! Links that go by mail alone: whoever follows one has proven the address that it went to.
//!
//! Looking at one changes nothing, since programs that scan mail look at every link; acting needs a button.
//! A link works once and for a limited time. It is derived from its id, so that the letter can be written when it is sent.

use crate::play::letters::LetterKind;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{ActRow, MailedLinkRow, NewLetter, Reader, Writer};

/// How long an address may be confirmed, in milliseconds: 7 days.
const CONFIRM_TIME: i64 = 7 * 24 * 3_600_000;
/// How long a link to sign in works, in milliseconds: 15 minutes.
const SIGN_IN_TIME: i64 = 15 * 60_000;
/// How many links for one purpose go to one address in an hour; who asks for more is answered as before, and no letter leaves.
const MOST_IN_AN_HOUR: i64 = 5;
/// How many questions whether an address is right go in a day to one that is no person's.
const MOST_TO_A_STRANGER: i64 = 10;
/// An hour in milliseconds.
const HOUR: i64 = 3_600_000;

/// What a mailed link does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// Confirms the address of a seat.
    Confirm,
    /// Signs a browser in as the person of the address.
    SignIn,
    /// Makes the address that of a person who had another one.
    Change,
    /// Undoes that; the link goes to the old address.
    Revert,
    /// Lets another address write for a seat.
    Allow,
    /// Opens a seat that an organiser has given to the address.
    Seat,
}

impl Errand {
    /// All of them.
    const ALL: [Errand; 6] =
        [Errand::Confirm, Errand::SignIn, Errand::Change, Errand::Revert, Errand::Allow, Errand::Seat];

    /// The word in the database.
    pub(in crate::play) const fn word(self) -> &'static str {
        match self {
            Errand::Confirm => "confirm",
            Errand::SignIn => "sign_in",
            Errand::Change => "change",
            Errand::Revert => "revert",
            Errand::Allow => "allow",
            Errand::Seat => "seat",
        }
    }

    fn from_word(word: &str) -> Option<Errand> {
        Errand::ALL.into_iter().find(|errand| errand.word() == word)
    }

    /// The letter that carries it.
    const fn letter(self) -> LetterKind {
        match self {
            Errand::Confirm => LetterKind::Confirm,
            Errand::SignIn => LetterKind::SignIn,
            Errand::Change => LetterKind::Change,
            Errand::Revert => LetterKind::Revert,
            Errand::Allow => LetterKind::Allow,
            Errand::Seat => LetterKind::Seat,
        }
    }

    /// How long it works, in milliseconds.
    const fn time(self) -> i64 {
        match self {
            Errand::Confirm | Errand::Change | Errand::Revert | Errand::Allow | Errand::Seat => CONFIRM_TIME,
            Errand::SignIn => SIGN_IN_TIME,
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
    /// The id of the person that it is about.
    pub person: Option<String>,
    /// The address by which that person signs in, where it is to become another one.
    pub before: Option<String>,
    /// The address that may write for the seat then.
    pub allows: Option<String>,
    /// Why an organiser has given the seat to the address.
    pub reason: Option<String>,
}

/// A mailed link that has been followed.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The link.
    pub link: MailedLink,
    /// The new session of a browser that has been signed in.
    pub session: Option<Secret>,
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
                    look(tx, &row).await
                })
            })
            .await
    }

    /// Does what a mailed link is for.
    ///
    /// # Errors
    /// As [`Play::follow_in_browser`].
    pub async fn follow(&self, secret: &Secret) -> Result<MailedLink, PlayError> {
        Ok(self.follow_in_browser(secret, None).await?.link)
    }

    /// Does what a mailed link is for, on behalf of a browser's session.
    ///
    /// # Errors
    /// As [`Play::mailed_link`]; also [`PlayError::LinkOver`] where the seat has another address by now, and
    /// [`PlayError::Field`] where somebody else signs in by an address.
    pub async fn follow_in_browser(&self, secret: &Secret, session: Option<&Secret>) -> Result<Followed, PlayError> {
        let (play, hash, session) = (self.clone(), secret.hash(), session.map(Secret::hash));
        let fresh = Secret::draw(&self.chance);
        self.store
            .write(move |tx| {
                let (play, hash, session, fresh) = (play.clone(), hash.clone(), session.clone(), fresh.clone());
                Box::pin(async move { play.follow_in(tx, &hash, session.as_deref(), fresh).await })
            })
            .await
    }

    async fn follow_in(
        &self,
        tx: &mut Writer,
        hash: &str,
        session: Option<&str>,
        fresh: Secret,
    ) -> Result<Followed, PlayError> {
        let now = self.clock.now().0;
        let row = open_link(tx, hash, now).await?;
        if !tx.use_mailed_link(&row.id, now).await? {
            return Err(PlayError::LinkOver);
        }
        let link = look(tx, &row).await?;
        // An address that was blocked since proves nothing any more. Who was robbed of one may have it back.
        if link.errand != Errand::Revert && self.is_blocked(tx, &link.address).await? {
            return Err(PlayError::LinkOver);
        }
        match link.errand {
            Errand::Confirm => self.confirm(tx, &link).await?,
            Errand::SignIn => {
                self.sign_in(tx, &link, session, &fresh).await?;
                return Ok(Followed { link, session: Some(fresh) });
            }
            Errand::Change => self.change(tx, &link, session).await?,
            Errand::Revert => self.revert(tx, &link).await?,
            Errand::Allow => self.allow_sender(tx, &row.id, &link).await?,
            Errand::Seat => {
                let session = self.enter_seat(tx, &link, session, fresh).await?;
                return Ok(Followed { link, session });
            }
        }
        Ok(Followed { link, session: None })
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
        tx.resume_letters(game.as_str(), side.word(), self.clock.now().0).await?;
        self.tell_awaited(tx, game.as_str(), *side).await
    }

    /// The address of a seat that an organiser has given to it is proven, and the browser holds the seat. Gives the secret
    /// of a session that is new.
    async fn enter_seat(
        &self,
        tx: &mut Writer,
        link: &MailedLink,
        session: Option<&str>,
        fresh: Secret,
    ) -> Result<Option<Secret>, PlayError> {
        let (game, side) = link.seat.as_ref().ok_or_else(|| PlayError::Broken("mailed link".into()))?;
        let (id, word, now) = (game.as_str(), side.word(), self.clock.now().0);
        let seat = tx.seat(id, word).await?.ok_or(PlayError::NotFound)?;
        let still = seat.address.as_ref().or(seat.confirmed_address.as_ref());
        if seat.taken_at.is_none() || still.map(|own| address_key(own)) != Some(address_key(&link.address)) {
            return Err(PlayError::LinkOver);
        }
        if seat.person_id.is_none() {
            let person = self.person_of(tx, &link.address).await?;
            tx.set_address(id, word, None, Some(&person)).await?;
            tx.resume_letters(id, word, now).await?;
            self.tell_awaited(tx, id, *side).await?;
        }
        if let Some(session) = session
            && tx.session_exists(session).await?
        {
            tx.hold_seat(session, id, word, now).await?;
            return Ok(None);
        }
        tx.insert_session(&fresh.hash(), now).await?;
        tx.hold_seat(&fresh.hash(), id, word, now).await?;
        Ok(Some(fresh))
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
        if !self.has_enough(tx, errand, address).await? {
            let link = self.new_link(errand, address, seat, None);
            self.mail(tx, errand, &link).await?;
        }
        Ok(())
    }

    /// Whether an address has got so many links for a purpose that no more go there for now. Each purpose has its own
    /// count: who asks strangers whether an address is theirs uses up nobody's links to sign in.
    pub(in crate::play) async fn has_enough(
        &self,
        tx: &mut Writer,
        errand: Errand,
        address: &str,
    ) -> Result<bool, PlayError> {
        let (key, now) = (address_key(address), self.clock.now().0);
        // Nothing goes to an address that the organiser has blocked, and whoever asks is answered as ever.
        if self.is_blocked(tx, address).await? {
            return Ok(true);
        }
        if tx.count_mailed_links(&key, errand.word(), now - HOUR).await? >= MOST_IN_AN_HOUR {
            return Ok(true);
        }
        Ok(errand == Errand::Confirm
            && tx.person_by_address(&key).await?.is_none()
            && tx.count_mailed_links(&key, errand.word(), now - 24 * HOUR).await? >= MOST_TO_A_STRANGER)
    }

    /// A link that nobody has been sent yet.
    pub(in crate::play) fn new_link(
        &self,
        errand: Errand,
        address: &str,
        seat: Option<&Seat>,
        person: Option<&str>,
    ) -> MailedLinkRow {
        let (id, now) = (self.sorted_id(), self.clock.now().0);
        MailedLinkRow {
            hash: self.key.mailed(&id).hash(),
            purpose: errand.word().to_owned(),
            address: address.to_owned(),
            address_key: address_key(address),
            game_id: seat.map(|seat| seat.game().to_string()),
            side: seat.map(|seat| seat.side().word().to_owned()),
            person_id: person.map(str::to_owned),
            made_at: now,
            ends_at: now + errand.time(),
            used_at: None,
            id,
        }
    }

    /// Keeps a link and queues the letter that carries it.
    pub(in crate::play) async fn mail(
        &self,
        tx: &mut Writer,
        errand: Errand,
        link: &MailedLinkRow,
    ) -> Result<(), PlayError> {
        tx.insert_mailed_link(link).await?;
        tx.queue_letter(&NewLetter {
            id: &self.sorted_id(),
            kind: errand.letter().word(),
            seat: None,
            address: Some(&link.address),
            about: Some(&link.id),
            revision: 0,
            now: self.clock.now().0,
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
pub(in crate::play) async fn look(tx: &mut Reader, row: &MailedLinkRow) -> Result<MailedLink, PlayError> {
    let broken = || PlayError::Broken("mailed link".into());
    let seat = match (&row.game_id, &row.side) {
        (Some(game), Some(side)) => {
            Some((GameId::parse(game).ok_or_else(broken)?, Side::from_word(side).ok_or_else(broken)?))
        }
        _ => None,
    };
    let errand = Errand::from_word(&row.purpose).ok_or_else(broken)?;
    let before = match &row.person_id {
        Some(person) if errand == Errand::Change => tx.person(person).await?.map(|person| person.address),
        _ => None,
    };
    let reason = match &row.game_id {
        Some(game) if errand == Errand::Seat => {
            let fits = |act: &ActRow| gives_seats(act) && (act.side.is_none() || act.side == row.side);
            tx.acts_on_game(game).await?.into_iter().rfind(fits).map(|act| act.reason)
        }
        _ => None,
    };
    let allows = if errand == Errand::Allow { tx.sender_of_link(&row.id).await? } else { None };
    Ok(MailedLink { errand, address: row.address.clone(), seat, person: row.person_id.clone(), before, allows, reason })
}

/// Whether an organiser has given a seat to somebody by an act.
fn gives_seats(act: &ActRow) -> bool {
    matches!(act.act.as_str(), "game_opened" | "seat_reissued")
}
