//! Browsers in which an organiser has signed in with a token: for 12 hours, and no longer than 2 hours without a use.

use crate::play::admin::Admin;
use crate::play::admin::tokens;
use crate::play::{Play, PlayError, Secret};

/// How long a browser is signed in, in milliseconds.
const WHOLE: i64 = 12 * 3_600_000;
/// How long it is so without a use, in milliseconds.
pub(in crate::play) const IDLE: i64 = 2 * 3_600_000;
/// How often a use is written, in milliseconds.
const USED_EVERY: i64 = 60_000;

impl Play {
    /// Signs a browser in with a token, and gives the secret of its cookie.
    ///
    /// # Errors
    /// [`PlayError::NoToken`].
    pub async fn sign_in_admin(&self, token: &Secret) -> Result<Secret, PlayError> {
        let admin = self.admin(token).await?;
        let (secret, now) = (Secret::draw(&self.chance), self.clock.now().0);
        let hash = secret.hash();
        self.store
            .write(move |tx| {
                let (hash, id) = (hash.clone(), admin.id.clone());
                Box::pin(async move { Ok::<_, PlayError>(tx.insert_admin_session(&hash, &id, now).await?) })
            })
            .await?;
        tracing::info!("an organiser has signed in");
        Ok(secret)
    }

    /// Who is signed in in a browser.
    ///
    /// # Errors
    /// [`PlayError::NoToken`] where nobody is (any more).
    pub async fn admin_of_browser(&self, browser: &Secret) -> Result<Admin, PlayError> {
        let (hash, now) = (browser.hash(), self.clock.now());
        let row = self
            .store
            .read({
                let hash = hash.clone();
                move |tx| {
                    Box::pin(async move {
                        let Some((token, used)) = tx.admin_session(&hash, now.0 - WHOLE, now.0 - IDLE).await? else {
                            return Ok(None);
                        };
                        Ok::<_, PlayError>(tx.admin_token_by_id(&token).await?.map(|token| (token, used)))
                    })
                }
            })
            .await?;
        let (token, used) = row.filter(|(token, _)| tokens::opens(token, now)).ok_or(PlayError::NoToken)?;
        if used < now.0 - USED_EVERY {
            self.store
                .write(move |tx| {
                    let hash = hash.clone();
                    Box::pin(async move { Ok::<_, PlayError>(tx.admin_session_used(&hash, now.0).await?) })
                })
                .await?;
        }
        Admin::of(token)
    }

    /// A key for a form, so that it may be sent twice and is done once.
    #[must_use]
    pub fn form_key(&self) -> String {
        Secret::draw(&self.chance).reveal().to_owned()
    }

    /// Signs a browser out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_out_admin(&self, browser: &Secret) -> Result<(), PlayError> {
        let hash = browser.hash();
        self.store
            .write(move |tx| {
                let hash = hash.clone();
                Box::pin(async move { Ok(tx.end_admin_session(&hash).await?) })
            })
            .await
    }
}
