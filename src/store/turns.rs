//! Resolved turns: both sheets as they were sealed, and of some the standing after the turn. The report
//! is made again from them on reading; its hash proves that it comes out the same.

use data_encoding::{BASE64_NOPAD, HEXLOWER};
use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A resolved turn as it is kept.
#[derive(Clone, Debug)]
pub struct TurnRow {
    /// Its number.
    pub turn: i64,
    /// Red's sheet.
    pub red: TurnSheet,
    /// Blue's sheet.
    pub blue: TurnSheet,
    /// The standing after it, JSON, where it is kept.
    pub standing: Option<String>,
    /// SHA-256 of the canonical report, in hexadecimal.
    pub report_hash: String,
    /// The running hash over this turn and all before it; `None` for one that was resolved before there was any.
    pub chain: Option<String>,
    /// When it was resolved.
    pub resolved_at: i64,
}

/// One side's sheet of a resolved turn.
#[derive(Clone, Debug)]
pub struct TurnSheet {
    /// How it came about: `sealed`.
    pub how: String,
    /// The canonical text.
    pub body: String,
    /// The salt of its seal.
    pub salt: String,
    /// Its seal.
    pub seal: String,
    /// When it was sealed.
    pub sealed_at: i64,
}

/// The columns of a [`Flat`].
const COLUMNS: &str = "turn, red_how, red_body, red_salt, red_seal, red_sealed_at, blue_how, blue_body, blue_salt, \
                       blue_seal, blue_sealed_at, standing, report_hash, running_hash, resolved_at";

/// The columns, as they come. A standing that is not kept is empty.
#[derive(FromRow)]
struct Flat {
    turn: i64,
    red_how: String,
    red_body: String,
    red_salt: String,
    red_seal: String,
    red_sealed_at: i64,
    blue_how: String,
    blue_body: String,
    blue_salt: String,
    blue_seal: String,
    blue_sealed_at: i64,
    standing: String,
    report_hash: String,
    running_hash: Option<String>,
    resolved_at: i64,
}

impl From<Flat> for TurnRow {
    fn from(row: Flat) -> TurnRow {
        TurnRow {
            turn: row.turn,
            red: TurnSheet {
                how: row.red_how,
                body: row.red_body,
                salt: digits(row.red_salt),
                seal: digits(row.red_seal),
                sealed_at: row.red_sealed_at,
            },
            blue: TurnSheet {
                how: row.blue_how,
                body: row.blue_body,
                salt: digits(row.blue_salt),
                seal: digits(row.blue_seal),
                sealed_at: row.blue_sealed_at,
            },
            standing: Some(row.standing).filter(|standing| !standing.is_empty()),
            report_hash: digits(row.report_hash),
            chain: row.running_hash.map(digits),
            resolved_at: row.resolved_at,
        }
    }
}

/// Hexadecimal digits of a salt or a hash as they are kept: in base 64 (RFC 4648, section 4, without padding), a third shorter.
fn kept(digits: &str) -> String {
    match HEXLOWER.decode(digits.as_bytes()) {
        Ok(bytes) if matches!(bytes.len(), 16 | 32) => BASE64_NOPAD.encode(&bytes),
        _ => digits.to_owned(),
    }
}

/// The digits again. Turns from before migration 25 have them as they are.
fn digits(kept: String) -> String {
    match (kept.len(), BASE64_NOPAD.decode(kept.as_bytes())) {
        (22 | 43, Ok(bytes)) => HEXLOWER.encode(&bytes),
        _ => kept,
    }
}

impl Reader {
    /// A resolved turn.
    ///
    /// # Errors
    /// The store failed.
    pub async fn turn(&mut self, game: &str, turn: i64) -> Result<Option<TurnRow>, StoreError> {
        let row: Option<Flat> =
            sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} from turns where game_id = $1 and turn = $2")))
                .bind(game)
                .bind(turn)
                .fetch_optional(self.conn())
                .await?;
        Ok(row.map(TurnRow::from))
    }

    /// The resolved turns of a game up to `last`, from the last one on whose standing is kept, or else all of them; the first
    /// one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn turns_since_standing(&mut self, game: &str, last: i64) -> Result<Vec<TurnRow>, StoreError> {
        let rows: Vec<Flat> = sqlx::query_as(AssertSqlSafe(format!(
            "select {COLUMNS} from turns where game_id = $1 and turn <= $2 and turn >= coalesce((select max(kept.turn) \
             from turns kept where kept.game_id = $1 and kept.turn <= $2 and kept.standing <> ''), 0) order by turn"
        )))
        .bind(game)
        .bind(last)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(TurnRow::from).collect())
    }

    /// All resolved turns of a game, the first one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn turns(&mut self, game: &str) -> Result<Vec<TurnRow>, StoreError> {
        let rows: Vec<Flat> =
            sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} from turns where game_id = $1 order by turn")))
                .bind(game)
                .fetch_all(self.conn())
                .await?;
        Ok(rows.into_iter().map(TurnRow::from).collect())
    }
}

impl Writer {
    /// Keeps a resolved turn. The key on game and turn refuses a second one.
    ///
    /// # Errors
    /// The store failed, or the turn is there already.
    pub async fn insert_turn(&mut self, game: &str, row: &TurnRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into turns (game_id, turn, red_how, red_body, red_salt, red_seal, red_sealed_at, \
             blue_how, blue_body, blue_salt, blue_seal, blue_sealed_at, standing, report_hash, resolved_at, running_hash) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        )
        .bind(game)
        .bind(row.turn)
        .bind(&row.red.how)
        .bind(&row.red.body)
        .bind(kept(&row.red.salt))
        .bind(kept(&row.red.seal))
        .bind(row.red.sealed_at)
        .bind(&row.blue.how)
        .bind(&row.blue.body)
        .bind(kept(&row.blue.salt))
        .bind(kept(&row.blue.seal))
        .bind(row.blue.sealed_at)
        .bind(row.standing.as_deref().unwrap_or_default())
        .bind(kept(&row.report_hash))
        .bind(row.resolved_at)
        .bind(row.chain.as_deref().map(kept))
        .execute(self.conn())
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{digits, kept};

    #[test]
    fn digits_come_back_as_they_were() {
        let (salt, hash) = ("00ff10a5".repeat(4), "9b3e00ff".repeat(8));
        assert_eq!((kept(&salt).len(), kept(&hash).len()), (22, 43));
        assert_eq!((digits(kept(&salt)), digits(kept(&hash))), (salt, hash.clone()));
        assert_eq!(digits(hash.clone()), hash, "as it was kept before");
        // What is no hash was written by hand, and is named as it stands.
        for text in ["", "salt of a sheet", "9B3E00FF", &"00".repeat(11), &"00FF".repeat(8), &"g".repeat(40)] {
            assert_eq!(kept(text), text);
            assert_eq!(digits(text.to_owned()), text);
        }
    }
}
