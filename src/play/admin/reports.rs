//! Messages that players have reported to the organiser.

use serde_json::Value;

use crate::clock::Timestamp;
use crate::play::admin::Admin;
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::DeskReportRow;

/// How many reports stand on a page.
const PAGE: usize = 20;

/// A report on the desk.
#[derive(Clone, Debug)]
pub struct DeskReport {
    /// The id.
    pub id: String,
    /// From which game.
    pub game: GameId,
    /// Who reported.
    pub side: Side,
    /// Why.
    pub reason: String,
    /// The messages as they were then.
    pub messages: Value,
    /// When.
    pub at: Timestamp,
}

/// A page of reports, the last one first.
#[derive(Clone, Debug)]
pub struct ReportPage {
    /// The reports.
    pub reports: Vec<DeskReport>,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
}

impl DeskReport {
    fn read(row: DeskReportRow) -> Result<DeskReport, PlayError> {
        let broken = || PlayError::Broken("report".into());
        Ok(DeskReport {
            id: row.id,
            game: GameId::parse(&row.game_id).ok_or_else(broken)?,
            side: Side::from_word(&row.side).ok_or_else(broken)?,
            reason: row.reason,
            messages: serde_json::from_str(&row.thread).map_err(|_| broken())?,
            at: Timestamp(row.made_at),
        })
    }
}

impl Play {
    /// A page of the reports before the one with an id. Those from games in which the organiser sits are for another one.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn desk_reports(&self, admin: &Admin, before: Option<String>) -> Result<ReportPage, PlayError> {
        let (most, token) = (i64::try_from(PAGE).unwrap_or(i64::MAX) + 1, admin.id.clone());
        let mut rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.desk_reports(&token, before.as_deref(), most).await }))
            .await?;
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let next = rows.last().filter(|_| more).map(|row| row.id.clone());
        Ok(ReportPage { reports: rows.into_iter().map(DeskReport::read).collect::<Result<_, _>>()?, next })
    }
}
