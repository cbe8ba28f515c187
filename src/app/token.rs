//! Tokens of organisers by the command line, also while a server runs on the same database.

use super::{StartError, database_setting, given_key, kept_store};
use crate::cli::settings::Settings;
use crate::clock::{Chance, Clock};
use crate::play::admin::{NewToken, TokenLine};
use crate::play::{Play, PlayError, Secret};
use crate::store::Store;

/// Makes a token.
///
/// # Errors
/// There is no database, or it is another version's, or the token cannot be.
pub async fn make_token(settings: &Settings, new: NewToken) -> anyhow::Result<(TokenLine, Secret)> {
    let (play, store) = kept_play(settings).await?;
    let made = play.make_token(new).await;
    store.close().await;
    Ok(made?)
}

/// All tokens, the oldest first.
///
/// # Errors
/// There is no database, or it is another version's.
pub async fn list_tokens(settings: &Settings) -> anyhow::Result<Vec<TokenLine>> {
    let (play, store) = kept_play(settings).await?;
    let tokens = play.tokens().await;
    store.close().await;
    Ok(tokens?)
}

/// Revokes a token.
///
/// # Errors
/// There is no database, or it is another version's, or there is no such token.
pub async fn revoke_token(settings: &Settings, id: &str) -> anyhow::Result<()> {
    let (play, store) = kept_play(settings).await?;
    let revoked = play.revoke_token(id).await;
    store.close().await;
    match revoked {
        Err(PlayError::NotFound) => anyhow::bail!("{id}: there is no such token, or it was revoked before"),
        revoked => Ok(revoked?),
    }
}

/// The use cases over the database as it is kept; nothing is made that is not there.
async fn kept_play(settings: &Settings) -> anyhow::Result<(Play, Store)> {
    let Some(key) = given_key(settings)? else {
        anyhow::bail!("--data {}: there is no server.key here; start the server once", settings.data.display());
    };
    let store = kept_store(settings).await?;
    if !store.is_current().await? {
        anyhow::bail!(
            "{}: this database is of another version; start this version's server once",
            database_setting(settings)
        );
    }
    let play = Play::new(store.clone(), Clock::System, Chance::System, key);
    if !play.key_fits().await? {
        return Err(StartError::OtherKey(if settings.key.is_some() { "--key" } else { "server.key in --data" }).into());
    }
    Ok((play, store))
}
