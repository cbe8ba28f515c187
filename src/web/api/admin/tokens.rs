//! Tokens of organisers, for those whose token is of scope `owner`.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::body::Body;
use super::super::problem::Problem;
use super::super::problem_sets::{AdminReadProblems, MendProblems, NewProblems};
use super::acts::ToAct;
use super::asker::{KeyHeader, Owns};
use super::shown::{AdminActLine, Done, IdParam, done};
use crate::clock::Timestamp;
use crate::play::admin::{Act, NewToken, Scope, TokenLine};
use crate::web::WebState;

/// All tokens, the oldest first. None of them is shown itself.
#[derive(Serialize, ToSchema)]
pub struct AdminTokens {
    tokens: Vec<AdminToken>,
}

/// A token.
#[derive(Serialize, ToSchema)]
pub struct AdminToken {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// Whose it is, for the log of acts.
    #[schema(example = "Olga")]
    name: String,
    scope: ScopeWord,
    /// Whether it belongs to a person who may have seats here.
    person: bool,
    /// When it was made.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    made_at: Timestamp,
    /// Until when it opens anything; `null` for ever.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-06-01T18:00:00Z")]
    ends_at: Option<Timestamp>,
    /// When it was revoked; `null` if it was not.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-05-01T18:00:00Z")]
    revoked_at: Option<Timestamp>,
    /// When it was used last, to a minute; `null` if it never was.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-04T21:40:12Z")]
    used_at: Option<Timestamp>,
}

/// What a token may do.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScopeWord {
    /// Look.
    Read,
    /// Act on games, letters and addresses as well.
    Act,
    /// Make and revoke tokens as well.
    Owner,
}

impl From<Scope> for ScopeWord {
    fn from(scope: Scope) -> ScopeWord {
        match scope {
            Scope::Read => ScopeWord::Read,
            Scope::Act => ScopeWord::Act,
            Scope::Owner => ScopeWord::Owner,
        }
    }
}

impl From<ScopeWord> for Scope {
    fn from(scope: ScopeWord) -> Scope {
        match scope {
            ScopeWord::Read => Scope::Read,
            ScopeWord::Act => Scope::Act,
            ScopeWord::Owner => Scope::Owner,
        }
    }
}

impl From<TokenLine> for AdminToken {
    fn from(line: TokenLine) -> AdminToken {
        AdminToken {
            id: line.id,
            name: line.name,
            scope: line.scope.into(),
            person: line.person,
            made_at: line.made_at,
            ends_at: line.ends_at,
            revoked_at: line.revoked_at,
            used_at: line.used_at,
        }
    }
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Help for the autumn league.", "name": "Olga", "scope": "act", "days": 90}))]
pub struct TokenToMake {
    /// Why, for the log.
    #[schema(example = "Help for the autumn league.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// Whose it is, at most 40 characters.
    #[schema(example = "Olga")]
    name: String,
    scope: ScopeWord,
    /// After how many days it ends, 1 to 3660; `null` for never.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 3660, example = 90)]
    days: Option<u32>,
    /// The confirmed address of the person whom it belongs to: opponents are told, and it does nothing to games of that
    /// person. Empty for nobody.
    #[serde(default)]
    #[schema(example = "")]
    person: String,
}

/// A token that has been made.
#[derive(Serialize, ToSchema)]
pub struct MadeToken {
    /// The token. It is shown in this one answer; where the request came a second time it is `null`.
    #[schema(required, example = "fca_m4zq6l3hb5xw2dktn7ruofyc4em4zq6l")]
    token: Option<String>,
    act: AdminActLine,
}

/// List tokens
#[utoipa::path(
    get,
    path = "/tokens",
    tag = "organising",
    operation_id = "admin_list_tokens",
    security(("admin" = [])),
    responses((status = 200, description = "The tokens", body = AdminTokens), AdminReadProblems)
)]
pub async fn list(State(web): State<WebState>, _owner: Owns) -> Result<Json<AdminTokens>, Problem> {
    let tokens = web.play.tokens().await?;
    Ok(Json(AdminTokens { tokens: tokens.into_iter().map(Into::into).collect() }))
}

/// Make a token
#[utoipa::path(
    post,
    path = "/tokens",
    tag = "organising",
    operation_id = "admin_make_token",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = TokenToMake,
    responses((status = 201, description = "The token", body = MadeToken), NewProblems)
)]
pub async fn make(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Body(to): Body<TokenToMake>,
) -> Result<(StatusCode, Json<MadeToken>), Problem> {
    let new = NewToken { name: to.name, scope: to.scope.into(), days: to.days, person: to.person };
    let cause = acts.cause(to.reason, to.note);
    let acted = web.play.act(&acts.admin, cause, Act::MakeToken(new)).await?;
    let token = acted.secret.map(|secret| secret.reveal().to_owned());
    Ok((StatusCode::CREATED, Json(MadeToken { token, act: acted.act.into() })))
}

/// Revoke a token
///
/// It opens nothing from this moment on.
#[utoipa::path(
    post,
    path = "/tokens/{id}/revoke",
    tag = "organising",
    operation_id = "admin_revoke_token",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = AdminActLine), MendProblems)
)]
pub async fn revoke(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::RevokeToken { token: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}
