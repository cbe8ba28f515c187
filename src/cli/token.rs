//! `fieldcommand token`: making, listing and revoking the tokens of organisers.

use std::io::{self, Write};

use clap::{Args, Subcommand};

use crate::play::admin::{NewToken, Scope, TokenLine};

/// What is done with tokens.
#[derive(Clone, Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token, and show it this once
    Make(ToMake),
    /// List all tokens: id, scope, name, when each was made and used, and whether it still opens anything
    List,
    /// Revoke a token: it opens nothing from this moment on
    Revoke {
        /// The id, as `token list` gives it
        id: String,
    },
}

/// A token to be made.
#[derive(Clone, Debug, Args)]
pub struct ToMake {
    /// Whose it is, for the log of acts
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// What it may do: read (look), act (mend games as well), owner (make and revoke tokens as well)
    #[arg(long, value_name = "SCOPE", default_value = "read")]
    pub scope: Scope,
    /// After how many days it ends [default: never]
    #[arg(long, value_name = "NUMBER")]
    pub days: Option<u32>,
    /// The confirmed address of the person whom it belongs to: opponents of that person are told, and it does nothing to
    /// games in which that person plays [default: nobody's]
    #[arg(long, value_name = "ADDRESS", default_value = "", hide_default_value = true)]
    pub person: String,
}

impl From<ToMake> for NewToken {
    fn from(make: ToMake) -> NewToken {
        NewToken { name: make.name, scope: make.scope, days: make.days, person: make.person }
    }
}

/// Writes a list of tokens, one a line.
///
/// # Errors
/// It cannot be written.
pub fn write_list(tokens: &[TokenLine], output: &mut impl Write) -> io::Result<()> {
    if tokens.is_empty() {
        return writeln!(output, "There are no tokens.");
    }
    for token in tokens {
        let used = token.used_at.map_or_else(|| "never used".to_owned(), |at| format!("used {at}"));
        let state = match (token.revoked_at, token.ends_at) {
            (Some(at), _) => format!("revoked {at}"),
            (None, Some(at)) => format!("ends {at}"),
            (None, None) => "does not end".to_owned(),
        };
        let person = if token.person { ", of a person" } else { "" };
        let (id, scope, name, made) = (&token.id, token.scope.word(), &token.name, token.made_at);
        writeln!(output, "{id}  {scope:<5}  {name}{person}: made {made}, {used}, {state}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    #[test]
    fn a_token_is_a_line() {
        let token = TokenLine {
            id: "1".into(),
            name: "Olga".into(),
            scope: Scope::Act,
            person: true,
            made_at: Timestamp(0),
            ends_at: None,
            revoked_at: Some(Timestamp(1000)),
            used_at: None,
        };
        let mut text = Vec::new();
        write_list(&[token], &mut text).unwrap();
        let line = "1  act    Olga, of a person: made 1970-01-01T00:00:00Z, never used, revoked 1970-01-01T00:00:01Z\n";
        assert_eq!(String::from_utf8(text).unwrap(), line);
    }
}
