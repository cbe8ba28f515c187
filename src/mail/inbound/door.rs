//! One mail for one recipient, whichever door it comes through: read, and given to `play`. When this is done, it is kept.

use std::borrow::Cow;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::mail::Answers;
use crate::mail::inbound::reader::{self, Authenticated, Unreadable, report};
use crate::play::by_mail::Mailed;
use crate::play::postmark::Postmark;
use crate::play::{Play, PlayError};

/// Why a mail is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// The address stands for nothing here, or for nothing any more.
    #[error("no such address here, or not any more; answer the newest letter")]
    NoSuchAddress,
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] Unreadable),
    /// The server was moved or restored, and its organiser has not let it go on.
    #[error("the server stands still at the moment; please try again later")]
    StandsStill,
    /// The server could not do its part; later it may.
    #[error("not now; please try again later")]
    Later(PlayError),
}

/// The door behind which mail is dealt with. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Door {
    play: Play,
    answers: Arc<Answers>,
    authserv: Option<Arc<str>>,
    /// The domain of the Message-IDs of our own letters.
    own: Arc<str>,
}

impl Door {
    /// A door for the addresses of `answers`. `authserv` is the name of the receiving server whose findings about senders
    /// count, `own` the domain that letters come from.
    #[must_use]
    pub fn new(play: Play, answers: Answers, authserv: Option<&str>, own: &str) -> Door {
        Door { play, answers: Arc::new(answers), authserv: authserv.map(Arc::from), own: Arc::from(own) }
    }

    /// Whether a mail for an address would be taken.
    ///
    /// # Errors
    /// [`NotTaken::NoSuchAddress`]; the store failed.
    pub async fn knows(&self, recipient: &str) -> Result<(), NotTaken> {
        self.is_open().await?;
        match self.answers.mark(recipient).ok_or(NotTaken::NoSuchAddress)? {
            mark @ Postmark::Answer { .. } => self.play.answering(&mark).await.map(|_| ()).map_err(not_taken),
            mark @ Postmark::Returned { .. } => self.play.returned(&mark).map(|_| ()).map_err(not_taken),
        }
    }

    /// While the server stands still mail waits where it is: what it would be answered would be dropped.
    async fn is_open(&self) -> Result<(), NotTaken> {
        match self.play.quiet().await.map_err(NotTaken::Later)? {
            Some(_) => Err(NotTaken::StandsStill),
            None => Ok(()),
        }
    }

    /// The first of a mail's recipients that stands for something here.
    #[must_use]
    pub fn recipient_in(&self, bytes: &[u8]) -> Option<String> {
        let mail = reader::read(bytes, None).ok()?;
        mail.recipients.into_iter().find(|recipient| self.answers.mark(recipient).is_some())
    }

    /// Takes a mail for one recipient. `nobody` says that its envelope names no sender.
    ///
    /// # Errors
    /// It is not taken; nothing was done.
    pub async fn take(&self, recipient: &str, nobody: bool, bytes: &[u8]) -> Result<(), NotTaken> {
        let done = self.take_marked(recipient, nobody, bytes).await;
        match &done {
            // What was taken counts itself by its verdict.
            Ok(()) => {}
            Err(NotTaken::NoSuchAddress) => self.play.metrics().mail("no_such_address"),
            Err(NotTaken::Unreadable(_)) => self.play.metrics().mail("unreadable"),
            Err(NotTaken::Later(_) | NotTaken::StandsStill) => self.play.metrics().mail("later"),
        }
        done
    }

    async fn take_marked(&self, recipient: &str, nobody: bool, bytes: &[u8]) -> Result<(), NotTaken> {
        self.is_open().await?;
        let mark = self.answers.mark(recipient).ok_or(NotTaken::NoSuchAddress)?;
        match mark {
            Postmark::Answer { .. } => {
                let mail = self.read(nobody, bytes)?;
                self.play.answer_by_mail(&mark, mail).await.map(|_| ()).map_err(not_taken)
            }
            Postmark::Returned { .. } => {
                let letter = self.play.returned(&mark).map_err(not_taken)?;
                // Absent people's programs write there too: what is no report of a server means nothing.
                let Some(bounce) = report::read(bytes)? else {
                    self.play.metrics().mail("no_bounce");
                    return Ok(());
                };
                self.play.letter_bounced(&letter, bounce.hard, &bounce.why).await.map_err(not_taken)
            }
        }
    }

    fn read(&self, nobody: bool, bytes: &[u8]) -> Result<Mailed, Unreadable> {
        let read = reader::read(bytes, self.authserv.as_deref())?;
        let ours = read.message_id.as_deref().is_some_and(|id| self.own_letter(id).is_some());
        // Ids of letters are in the order of time.
        let answers = read.references.iter().filter_map(|id| self.own_letter(id)).max();
        let key = read.message_id.as_deref().map_or_else(|| Cow::Owned(hash(bytes)), Cow::Borrowed).into_owned();
        Ok(Mailed {
            key,
            message_id: read.message_id.map(|id| format!("<{id}>")),
            answers: answers.map(|letter| letter.to_string()),
            from: read.from,
            automatic: nobody || ours || read.automatic.is_some(),
            disowned: read.authenticated == Authenticated::Fail,
            unsubscribes: read.unsubscribes,
            text: read.text,
        })
    }

    /// The letter of ours that a Message-ID names. A mail that bears such a one itself has come back to us by a circle.
    fn own_letter(&self, id: &str) -> Option<uuid::Uuid> {
        let (letter, domain) = id.rsplit_once('@')?;
        // Behind a dot stands the epoch, if there is one.
        let letter = letter.split('.').next().unwrap_or(letter);
        uuid::Uuid::try_parse(letter).ok().filter(|_| domain.eq_ignore_ascii_case(&self.own))
    }
}

fn not_taken(error: PlayError) -> NotTaken {
    match error {
        PlayError::NotFound => NotTaken::NoSuchAddress,
        error => NotTaken::Later(error),
    }
}

fn hash(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}
