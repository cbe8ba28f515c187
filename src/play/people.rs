//! People: who has proven an address may sign in by it, and then holds all seats of that address.
//!
//! Playing needs none of this. Whether an address is known is told to nobody: asking for a link looks the same
//! and costs the same either way.

use crate::clock::Timestamp;
use crate::play::address::checked_address;
use crate::play::mailed::{Errand, MailedLink, address_key};
use crate::play::open::checked_name;
use crate::play::wishes::Wishes;
use crate::play::{Play, PlayError, Seat, Secret};
use crate::store::{PersonRow, Reader, SignInRow, Writer};

/// Who is signed in, for this person alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub(in crate::play) id: String,
    /// The address.
    pub address: String,
    /// The name, for new games.
    pub name: Option<String>,
    /// What this person wants.
    pub wishes: Wishes,
}

impl Person {
    fn read(row: PersonRow) -> Result<Person, PlayError> {
        Ok(Person { wishes: Wishes::read(row.settings.as_deref())?, id: row.id, address: row.address, name: row.name })
    }

    /// Whether a text is this person's address.
    #[must_use]
    pub fn has_address(&self, text: &str) -> bool {
        address_key(text.trim()) == address_key(&self.address)
    }
}

/// Another address is the one that somebody else signs in by.
fn taken() -> PlayError {
    let problem = "is that of somebody who signs in here already: sign in with it and delete that one first".into();
    PlayError::Field { field: "address", problem }
}

/// How long a sign-in lasts, in milliseconds: 180 days, however often the browser comes by.
pub const SIGN_IN_LIFE: i64 = 180 * 24 * 3_600_000;
/// How recent a sign-in must be for changing the address and for being removed, in milliseconds: an hour. Whoever finds
/// an open browser has no mailbox with it.
pub const PROVEN_LATELY: i64 = 3_600_000;

/// A browser that is signed in, as its person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// What tells it apart from the others; not a secret.
    pub key: String,
    /// Since when.
    pub at: Timestamp,
    /// Whether it is the browser that asks.
    pub here: bool,
}

/// How much of a session's hash tells it apart.
const KEY: usize = 16;

impl Play {
    /// Who is signed in in a browser.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person(&self, session: &Secret) -> Result<Option<Person>, PlayError> {
        let hash = session.hash();
        self.store.read(move |tx| Box::pin(async move { person_in(tx, &hash).await })).await
    }

    /// The address to be offered for another seat: that of who is signed in, else the confirmed one of the seat
    /// that the browser has entered last.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offered_address(&self, session: &Secret) -> Result<Option<String>, PlayError> {
        let hash = session.hash();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    if let Some(person) = tx.session_person(&hash).await? {
                        return Ok(Some(person.address));
                    }
                    for held in tx.held_seats(&hash).await? {
                        let seat = tx.seat(&held.game_id, &held.side).await?;
                        if let Some(address) = seat.and_then(|seat| seat.confirmed_address) {
                            return Ok(Some(address));
                        }
                    }
                    Ok(None)
                })
            })
            .await
    }

    /// Mails a link to sign in, if letters about games go to the address; else only the same traces are left.
    ///
    /// # Errors
    /// [`PlayError::Field`] for what is no address.
    pub async fn ask_sign_in(&self, address: &str) -> Result<(), PlayError> {
        let problem = || PlayError::Field { field: "address", problem: "is missing".into() };
        let address = checked_address(address)?.ok_or_else(problem)?;
        let play = self.clone();
        self.store
            .write(move |tx| {
                let (play, address) = (play.clone(), address.clone());
                Box::pin(async move {
                    let person = tx.person_by_address(&address_key(&address)).await?;
                    if play.has_enough(tx, Errand::SignIn, &address).await? {
                        return Ok(());
                    }
                    if let Some(person) = person {
                        // To the address as it was confirmed, not as it was typed now.
                        let link = play.new_link(Errand::SignIn, &person.address, None, Some(&person.id));
                        return play.mail(tx, Errand::SignIn, &link).await;
                    }
                    // Nobody learns this link. It counts, and it costs what the other one does.
                    let link = play.new_link(Errand::SignIn, &address, None, None);
                    Ok(tx.insert_mailed_link(&link).await?)
                })
            })
            .await
    }

    /// Signs a browser in: a new session takes the place of the one that it had, and keeps its seats.
    pub(in crate::play) async fn sign_in(
        &self,
        tx: &mut Writer,
        link: &MailedLink,
        session: Option<&str>,
        fresh: &Secret,
    ) -> Result<(), PlayError> {
        // The address may be another one since the letter left: then the link is over.
        let person = tx.person_by_address(&address_key(&link.address)).await?;
        let person = person.filter(|person| link.person.as_ref() == Some(&person.id)).ok_or(PlayError::LinkOver)?;
        if self.is_blocked(tx, &person.address).await? {
            return Err(PlayError::LinkOver);
        }
        let (now, fresh) = (self.clock.now().0, fresh.hash());
        tx.insert_session(&fresh, now).await?;
        if let Some(old) = session
            && tx.session_exists(old).await?
        {
            if tx.session_person(old).await?.is_some_and(|before| before.id != person.id) {
                tx.sign_out_session(old).await?;
            }
            tx.replace_session(old, &fresh).await?;
        }
        tx.sign_in_session(&fresh, &person.id, now).await?;
        Ok(())
    }

    /// Signs a browser out, or all browsers of its person.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_out(&self, session: &Secret, everywhere: bool) -> Result<(), PlayError> {
        let hash = session.hash();
        self.store
            .write(move |tx| {
                let hash = hash.clone();
                Box::pin(async move {
                    let Some(person) = tx.session_person(&hash).await? else { return Ok(()) };
                    if everywhere {
                        sign_out_everywhere(tx, &person.id).await
                    } else {
                        Ok(tx.sign_out_session(&hash).await?)
                    }
                })
            })
            .await
    }

    /// The browsers in which the person of a session is signed in, the latest first.
    ///
    /// # Errors
    /// The store failed; [`PlayError::NotFound`] if nobody is signed in.
    pub async fn sign_ins(&self, session: &Secret) -> Result<Vec<SignIn>, PlayError> {
        let hash = session.hash();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let person = tx.session_person(&hash).await?.ok_or(PlayError::NotFound)?;
                    let rows = tx.sign_ins_of_person(&person.id).await?;
                    let sign_in = |row: SignInRow| SignIn {
                        key: row.hash.chars().take(KEY).collect(),
                        at: Timestamp(row.signed_in_at),
                        here: row.hash == hash,
                    };
                    Ok(rows.into_iter().map(sign_in).collect())
                })
            })
            .await
    }

    /// Signs another browser of the same person out, named as in [`Play::sign_ins`]. One that is gone already is no error.
    ///
    /// # Errors
    /// The store failed; [`PlayError::NotFound`] if nobody is signed in.
    pub async fn end_sign_in(&self, session: &Secret, key: &str) -> Result<(), PlayError> {
        let (hash, key) = (session.hash(), key.to_owned());
        self.store
            .write(move |tx| {
                let (hash, key) = (hash.clone(), key.clone());
                Box::pin(async move {
                    let person = tx.session_person(&hash).await?.ok_or(PlayError::NotFound)?;
                    for other in tx.sessions_of_person(&person.id).await? {
                        if key.len() == KEY && other.starts_with(&key) {
                            tx.sign_out_session(&other).await?;
                        }
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Whether a session has proven its person's address lately enough for what cannot be taken back.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_proven_lately(&self, session: &Secret) -> Result<bool, PlayError> {
        let (hash, now) = (session.hash(), self.clock.now().0);
        self.store.read(move |tx| Box::pin(async move { Ok(proven_lately(tx, &hash, now).await?.is_some()) })).await
    }

    /// Remembers a seat that has just been taken in a session, as [`Play::remember`] does. If the session is signed in
    /// and nobody has typed another address, the seat becomes the person's, and no letter asks anything.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sit_down(&self, seat: &Seat, session: Option<&Secret>) -> Result<Secret, PlayError> {
        let known = self.remember(seat, session).await?;
        let (play, hash, seat) = (self.clone(), known.hash(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, hash, seat) = (play.clone(), hash.clone(), seat.clone());
                Box::pin(async move {
                    let (game, side) = (seat.game().as_str(), seat.side().word());
                    let Some(person) = tx.session_person(&hash).await? else { return Ok(()) };
                    let row = tx.seat(game, side).await?.ok_or(PlayError::NotFound)?;
                    if row.person_id.is_none() && row.address.is_none() && row.link_generation == seat.generation() {
                        tx.set_address(game, side, None, Some(&person.id)).await?;
                        play.tell_awaited(tx, game, seat.side()).await?;
                    }
                    Ok::<_, PlayError>(())
                })
            })
            .await?;
        Ok(known)
    }

    /// Sets the name and the wishes of who is signed in.
    ///
    /// # Errors
    /// [`PlayError::Field`]; [`PlayError::NotFound`] if nobody is signed in.
    pub async fn set_person(&self, session: &Secret, name: &str, wishes: Wishes) -> Result<(), PlayError> {
        let name = checked_name(name)?;
        wishes.check()?;
        let (hash, settings) = (session.hash(), wishes.written()?);
        self.store
            .write(move |tx| {
                let (hash, name, settings) = (hash.clone(), name.clone(), settings.clone());
                Box::pin(async move {
                    let person = tx.session_person(&hash).await?.ok_or(PlayError::NotFound)?;
                    Ok(tx.set_person(&person.id, name.as_deref(), Some(&settings)).await?)
                })
            })
            .await
    }

    /// Asks a new address of who is signed in whether it is right. Nothing changes until its link is followed.
    ///
    /// # Errors
    /// [`PlayError::Field`] for what is no address, or the one that it is already, and where the sign-in is not of
    /// [lately](Play::is_proven_lately); [`PlayError::NotFound`] if nobody is signed in.
    pub async fn ask_change(&self, session: &Secret, address: &str) -> Result<(), PlayError> {
        let missing = || PlayError::Field { field: "address", problem: "is missing".into() };
        let address = checked_address(address)?.ok_or_else(missing)?;
        let (play, hash) = (self.clone(), session.hash());
        self.store
            .write(move |tx| {
                let (play, hash, address) = (play.clone(), hash.clone(), address.clone());
                Box::pin(async move {
                    let person = tx.session_person(&hash).await?.ok_or(PlayError::NotFound)?;
                    proven_lately(tx, &hash, play.clock.now().0).await?.ok_or_else(stale)?;
                    if address_key(&person.address) == address_key(&address) {
                        let problem = "is the one that you have".into();
                        return Err(PlayError::Field { field: "address", problem });
                    }
                    tx.end_mailed_links(&person.id, Errand::Change.word(), play.clock.now().0).await?;
                    if play.has_enough(tx, Errand::Change, &address).await? {
                        return Ok(());
                    }
                    let link = play.new_link(Errand::Change, &address, None, Some(&person.id));
                    play.mail(tx, Errand::Change, &link).await
                })
            })
            .await
    }

    /// The new address has been proven; the old one is told, however many letters it has got. Of the person's browsers
    /// the one that followed the link alone stays signed in: whoever asked may be somebody else than who has proven it.
    pub(in crate::play) async fn change(
        &self,
        tx: &mut Writer,
        link: &MailedLink,
        session: Option<&str>,
    ) -> Result<(), PlayError> {
        let person = of_link(tx, link).await?;
        let key = address_key(&link.address);
        if tx.person_by_address(&key).await?.is_some() {
            return Err(taken());
        }
        let back = self.new_link(Errand::Revert, &person.address, None, Some(&person.id));
        self.mail(tx, Errand::Revert, &back).await?;
        // A link to sign in that lies in the old mailbox opens nothing any more.
        tx.end_mailed_links(&person.id, Errand::SignIn.word(), self.clock.now().0).await?;
        let sessions = tx.sessions_of_person(&person.id).await?;
        if !sessions.iter().any(|own| Some(own.as_str()) == session) {
            tx.shut_calendar(&person.id).await?;
        }
        for other in sessions.iter().filter(|own| Some(own.as_str()) != session) {
            tx.sign_out_session(other).await?;
        }
        tx.resume_letters_of_person(&person.id, self.clock.now().0).await?;
        Ok(tx.set_person_address(&person.id, &link.address, &key).await?)
    }

    /// The old address comes back. Whoever changed it is signed out.
    pub(in crate::play) async fn revert(&self, tx: &mut Writer, link: &MailedLink) -> Result<(), PlayError> {
        let person = of_link(tx, link).await?;
        let (key, now) = (address_key(&link.address), self.clock.now().0);
        sign_out_everywhere(tx, &person.id).await?;
        tx.shut_calendar(&person.id).await?;
        for errand in [Errand::Change, Errand::SignIn, Errand::Revert] {
            tx.end_mailed_links(&person.id, errand.word(), now).await?;
        }
        // Whoever confirmed the old address for a seat meanwhile is who has proven it now.
        if let Some(other) = tx.person_by_address(&key).await?.filter(|other| other.id != person.id) {
            tx.carry_blocks(&other.id, &person.id).await?;
            tx.merge_people(&other.id, &person.id).await?;
        }
        tx.resume_letters_of_person(&person.id, self.clock.now().0).await?;
        Ok(tx.set_person_address(&person.id, &link.address, &key).await?)
    }
}

/// Who is signed in in a session, within a transaction.
pub(in crate::play) async fn person_in(tx: &mut Reader, hash: &str) -> Result<Option<Person>, PlayError> {
    tx.session_person(hash).await?.map(Person::read).transpose()
}

/// When a session was signed in, if that was lately.
pub(in crate::play) async fn proven_lately(tx: &mut Reader, hash: &str, now: i64) -> Result<Option<i64>, PlayError> {
    let Some(person) = tx.session_person(hash).await? else { return Ok(None) };
    let sign_ins = tx.sign_ins_of_person(&person.id).await?;
    let at = sign_ins.into_iter().find(|row| row.hash == hash).map(|row| row.signed_in_at);
    Ok(at.filter(|at| now - at <= PROVEN_LATELY))
}

/// What is said where a sign-in is too old for what was asked.
pub(in crate::play) fn stale() -> PlayError {
    let problem = "is of more than an hour ago: sign in once more by a letter, then this can be done".into();
    PlayError::Field { field: "sign-in", problem }
}

/// Signs all browsers of a person out.
pub(in crate::play) async fn sign_out_everywhere(tx: &mut Writer, person: &str) -> Result<(), PlayError> {
    for session in tx.sessions_of_person(person).await? {
        tx.sign_out_session(&session).await?;
    }
    Ok(())
}

async fn of_link(tx: &mut Reader, link: &MailedLink) -> Result<PersonRow, PlayError> {
    let id = link.person.as_deref().ok_or_else(|| PlayError::Broken("mailed link".into()))?;
    tx.person(id).await?.ok_or(PlayError::LinkOver)
}
