//! Sheets: checking one, filling one in, sealing one.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::{Body, whole};
use super::problem::Problem;
use super::problem_sets::{CheckProblems, SealProblems};
use super::schema;
use super::state::ShownSeal;
use crate::clock::Timestamp;
use crate::play::seal::{Receipt, ToSeal};
use crate::rules::CheckedLine;
use crate::web::WebState;

/// A sheet to be checked or filled in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetToCheck {
    /// The turn that it is for.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 5)]
    pub(super) turn: u32,
    /// The sheet.
    #[schema(example = "H7-F7\nI2 G8-F8")]
    pub(super) text: String,
}

/// A sheet to be sealed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetToSeal {
    /// The turn that it is for.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 5)]
    turn: u32,
    /// The sheet. An empty list of orders is sealed as what it is.
    #[schema(example = "H7-F7\nI2 G8-F8")]
    text: String,
    /// Seal only if that does not resolve the turn: answer `would_resolve` if the opponent has sealed.
    #[serde(default)]
    #[schema(default = false)]
    only_if_first: bool,
    /// In a game with minutes for second thoughts: do without them. Where both sheets are final, the turn is resolved at
    /// once. The opponent is not told.
    #[serde(default)]
    #[schema(default = false)]
    r#final: bool,
}

/// What will become of a sheet, as its writer may know it beforehand. Nothing is kept.
#[derive(Serialize, ToSchema)]
pub struct CheckedSheet {
    /// The sheet in canonical notation.
    #[schema(example = "H7-F7 G8-F8")]
    text: String,
    /// A line for each order or kind of unit.
    lines: Vec<Line>,
    /// The sheet's size in words.
    #[schema(example = "2 orders")]
    measure: String,
    /// How many lines will not be carried out. They may be sealed all the same.
    #[schema(example = 0)]
    warnings: usize,
}

/// A line of a sheet with its verdict.
#[derive(Serialize, ToSchema)]
pub struct Line {
    /// The line in canonical notation.
    #[schema(example = "H7-F7")]
    text: String,
    /// Whether it will be carried out.
    legal: bool,
    /// Why not, for programs.
    #[schema(required, value_type = Option<schema::Reason>)]
    reason: Option<String>,
    /// What will happen, or why not, for people.
    #[schema(example = "2nd Infantry; will be carried out")]
    note: String,
}

/// A sheet that has been filled in. Nothing is kept.
#[derive(Serialize, ToSchema)]
pub struct FilledSheet {
    /// The sheet in canonical notation.
    text: String,
}

/// The receipt of a sealed sheet.
#[derive(Serialize, ToSchema)]
pub struct SheetSealed {
    /// The turn.
    #[schema(example = 5)]
    turn: u32,
    /// The sheet in canonical notation, which is what the seal is made of.
    #[schema(example = "H7-F7 G8-F8")]
    text: String,
    #[serde(flatten)]
    seal: ShownSeal,
    /// The salt of the seal, 32 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    salt: String,
    /// Whether the turn has been resolved with this sheet.
    resolved: bool,
    /// Until when both may still replace their sheets, if both are in; then the turn is resolved. `null` if not.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-05T19:31:07Z")]
    settles_at: Option<Timestamp>,
}

impl From<CheckedLine> for Line {
    fn from(line: CheckedLine) -> Line {
        Line { text: line.text, legal: line.legal, reason: line.reason, note: line.note }
    }
}

impl From<Receipt> for SheetSealed {
    fn from(receipt: Receipt) -> SheetSealed {
        SheetSealed {
            turn: receipt.turn,
            text: receipt.text,
            seal: receipt.seal.into(),
            salt: receipt.salt,
            resolved: receipt.resolved,
            settles_at: receipt.settles,
        }
    }
}

/// Check a sheet
///
/// Says of each line whether it will be carried out, and why not. Nothing is kept.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/check",
    tag = "playing",
    operation_id = "check_sheet",
    security(("seat" = [])),
    params(SeatPath),
    request_body = SheetToCheck,
    responses((status = 200, description = "What will become of it", body = CheckedSheet), CheckProblems)
)]
pub async fn check(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(sheet): Body<SheetToCheck>,
) -> Result<Json<CheckedSheet>, Problem> {
    let checked = web.play.check(&seat, sheet.turn, &sheet.text).await?;
    Ok(Json(CheckedSheet {
        text: checked.text,
        warnings: checked.check.warnings(),
        measure: checked.check.measure,
        lines: checked.check.lines.into_iter().map(Into::into).collect(),
    }))
}

/// Fill in a sheet by chance
///
/// Completes what is written, where the form says that it `fills`; else answers `text`. Nothing is kept.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/fill",
    tag = "playing",
    operation_id = "fill_sheet",
    security(("seat" = [])),
    params(SeatPath),
    request_body = SheetToCheck,
    responses((status = 200, description = "The whole sheet", body = FilledSheet), CheckProblems)
)]
pub async fn fill(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(sheet): Body<SheetToCheck>,
) -> Result<Json<FilledSheet>, Problem> {
    let text = web.play.fill(&seat, sheet.turn, &sheet.text).await?;
    Ok(Json(FilledSheet { text }))
}

/// Seal a sheet
///
/// Until the opponent has sealed too, another sheet may take its place. The second seal resolves the turn at once, or, in
/// a game with minutes for second thoughts, so many minutes later. Sealing the same sheet again changes nothing and gives the same receipt, also when
/// the turn has been resolved with it meanwhile: a request may be repeated.
#[utoipa::path(
    put,
    path = "/games/{id}/{side}/sheet",
    tag = "playing",
    operation_id = "seal_sheet",
    security(("seat" = [])),
    params(SeatPath),
    request_body = SheetToSeal,
    responses((status = 200, description = "The sheet is sealed", body = SheetSealed), SealProblems)
)]
pub async fn seal(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(sheet): Body<SheetToSeal>,
) -> Result<Json<SheetSealed>, Problem> {
    let SheetToSeal { turn, text, only_if_first, r#final: is_final } = sheet;
    let sheet = ToSeal { turn, text, empty_is_meant: true, may_resolve: !only_if_first, is_final };
    Ok(Json(web.play.seal(&seat, sheet).await?.into()))
}
