//! The mail door, put together: its port, and the one mail of `deliver`.

use tokio::net::TcpListener;

use super::{StartError, given_key, kept_store};
use crate::cli::deliver::NotDelivered;
use crate::cli::settings::Settings;
use crate::clock::{Chance, Clock};
use crate::mail::inbound::{Door, NotTaken};
use crate::mail::{Answers, Mailbox, Sender};
use crate::play::Play;
use crate::store::Store;

/// The address for answers, if there is one.
pub(super) fn answers(settings: &Settings) -> Result<Option<Answers>, StartError> {
    let parse = |address: &String| Answers::parse(address).map_err(|error| StartError::Answers(address.clone(), error));
    settings.answers_to.as_ref().map(parse).transpose()
}

/// The port on which mail is taken, if it is to be.
pub(super) async fn mail_listener(
    settings: &Settings,
    answers: Option<&Answers>,
) -> Result<Option<TcpListener>, StartError> {
    let Some(address) = settings.lmtp_listen else { return Ok(None) };
    if answers.is_none() {
        return Err(StartError::NoAnswers);
    }
    TcpListener::bind(address).await.map(Some).map_err(|error| StartError::Lmtp(address, error))
}

/// The door for mail.
pub(super) fn door(play: &Play, settings: &Settings, sender: &Sender) -> Option<Door> {
    let answers = sender.answers.clone()?;
    Some(Door::new(play.clone(), answers, settings.authserv_id.as_deref(), sender.from.email.domain()))
}

/// Takes a mail, also while a server runs on the same database; that server's browsers hear of it within seconds.
///
/// # Errors
/// It was not taken, and nothing was done.
pub async fn deliver(settings: &Settings, recipient: Option<&str>, mail: &[u8]) -> Result<(), NotDelivered> {
    let config = |error: StartError| NotDelivered::Config(error.to_string());
    let from: Mailbox = settings.mail_from.parse().map_err(|_| config(StartError::From(settings.mail_from.clone())))?;
    let answers = answers(settings).map_err(config)?.ok_or_else(|| config(StartError::NoAnswers))?;
    // A key that is missing is not made here: it belongs to the database.
    let missing = || NotDelivered::Config(format!("--data {}: there is no server.key here", settings.data.display()));
    let key = given_key(settings).map_err(config)?.ok_or_else(missing)?;
    let store = kept_store(settings).await.map_err(|error| match error {
        StartError::Database(..) => NotDelivered::TryAgain(error.to_string()),
        error => config(error),
    })?;
    let play = Play::new(store.clone(), Clock::System, Chance::System, key).standing_at(settings.public_url.as_deref());
    if play.key_fits().await.is_ok_and(|fits| !fits) {
        return Err(config(StartError::OtherKey(if settings.key.is_some() {
            "--key"
        } else {
            "server.key in --data"
        })));
    }
    let door = Door::new(play.clone(), answers, settings.authserv_id.as_deref(), from.email.domain());
    let done = deliver_to(&store, &door, recipient, mail).await;
    // A server that does not hear of it looks by itself.
    let _ = play.tell_others("deliver").await;
    store.close().await;
    done
}

async fn deliver_to(store: &Store, door: &Door, recipient: Option<&str>, mail: &[u8]) -> Result<(), NotDelivered> {
    if !store.is_current().await.map_err(|error| NotDelivered::TryAgain(error.to_string()))? {
        return Err(NotDelivered::TryAgain(
            "the database is of another version; start this version's server once".into(),
        ));
    }
    let recipient = recipient.map(str::to_owned).or_else(|| door.recipient_in(mail)).ok_or_else(|| {
        NotDelivered::NoUser("the message is for no address of this server; say which by --recipient".into())
    })?;
    door.take(&recipient, false, mail).await.map_err(|error| match error {
        NotTaken::NoSuchAddress => NotDelivered::NoUser(error.to_string()),
        NotTaken::Unreadable(_) => NotDelivered::Data(error.to_string()),
        NotTaken::StandsStill => NotDelivered::TryAgain(error.to_string()),
        NotTaken::Later(cause) => NotDelivered::TryAgain(cause.to_string()),
    })
}
