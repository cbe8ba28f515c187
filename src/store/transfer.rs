//! All rows from one database to another, whichever kinds they are: so a PostgreSQL database is backed up into a SQLite
//! file, and restored from one.
//!
//! Whoever wants to be sure has every row read back (`carry_to`): a table is compared by the number of its rows and a sum of
//! their hashes, which needs no order, since databases sort texts differently.
//!
//! Both have the same schema, of texts and whole numbers. What tables there are, and which refer to which, is asked of the
//! SQLite side, so that no list of them has to be kept here.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::{Kind, Store, StoreError};

/// What is not carried over: who works on a database is no part of it.
const OWN: &str = "processes";
/// What a server writes when it is started, before anybody has done anything.
const FROM_THE_START: [&str; 3] = ["memory", "place", OWN];

/// A table, as it is copied.
struct Table {
    name: String,
    /// The names of its columns, and whether each holds whole numbers.
    columns: Vec<(String, bool)>,
}

/// What was carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// From how many tables.
    pub tables: usize,
    /// How many rows.
    pub rows: u64,
}

/// A value of a row.
enum Value {
    Whole(Option<i64>),
    Text(Option<String>),
}

/// The rows of a table, in any order: how many, and the sum of their hashes in four parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    hashes: [u64; 4],
}

impl Sum {
    fn add(&mut self, row: &[Value]) {
        let mut hash = Sha256::new();
        for value in row {
            match value {
                Value::Whole(None) | Value::Text(None) => hash.update([0]),
                Value::Whole(Some(number)) => {
                    hash.update([1]);
                    hash.update(number.to_be_bytes());
                }
                Value::Text(Some(text)) => {
                    hash.update([2]);
                    hash.update((text.len() as u64).to_be_bytes());
                    hash.update(text);
                }
            }
        }
        self.rows += 1;
        for (sum, part) in self.hashes.iter_mut().zip(hash.finalize().as_chunks().0) {
            *sum = sum.wrapping_add(u64::from_be_bytes(*part));
        }
    }
}

impl Store {
    /// Whether the database holds no game and nobody.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        if self.is_bare().await? {
            return Ok(true);
        }
        let mut conn = self.bare().await?;
        let sql = "select cast((select count(*) from games) + (select count(*) from people) as bigint)";
        let (number,): (i64,) = sqlx::query_as(sql).fetch_one(&mut *conn).await?;
        Ok(number == 0)
    }

    /// A table in which there is something that a server does not write by itself when it is started; `None` if all are
    /// empty, or there are none.
    ///
    /// # Errors
    /// The store failed.
    pub async fn holds_something(&self) -> Result<Option<String>, StoreError> {
        let mut conn = self.bare().await?;
        let sql = match self.kind {
            Kind::Sqlite => "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
            Kind::Postgres => "select cast(tablename as text) from pg_tables where schemaname = current_schema()",
        };
        let tables: Vec<(String,)> = sqlx::query_as(sql).fetch_all(&mut *conn).await?;
        for (table,) in tables {
            if FROM_THE_START.contains(&&*table) || table.starts_with("_sqlx_") {
                continue;
            }
            let sql =
                AssertSqlSafe(format!("select cast(count(*) as bigint) from (select 1 from {table} limit 1) as found"));
            let (number,): (i64,) = sqlx::query_as(sql).fetch_one(&mut *conn).await?;
            if number > 0 {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Writes all rows of this database into another one of the same version, in place of whatever is there, and says how
    /// many they were. One of the two must be SQLite's. What is read is one state, and what is written is there whole or
    /// not at all.
    ///
    /// # Errors
    /// The versions differ; one of the databases failed.
    pub async fn copy_to(&self, target: &Store) -> Result<u64, StoreError> {
        Ok(self.transfer(target, false).await?.rows)
    }

    /// The same, and every row is read back before what is written counts.
    ///
    /// # Errors
    /// As [`Store::copy_to`]; a table does not come out as it went in.
    pub async fn carry_to(&self, target: &Store) -> Result<Carried, StoreError> {
        self.transfer(target, true).await
    }

    async fn transfer(&self, target: &Store, checked: bool) -> Result<Carried, StoreError> {
        if self.applied().await? != target.applied().await? {
            return Err(StoreError::new("the two databases are of different versions"));
        }
        let described = if self.kind == Kind::Sqlite { self } else { target };
        let tables = in_order(&mut *described.bare().await?).await?;
        let begin = match self.kind {
            Kind::Sqlite => "begin",
            Kind::Postgres => "begin isolation level repeatable read, read only",
        };
        let mut from = self.readers.begin_with(begin).await?;
        let mut into = target.writer.begin_with("begin").await?;
        for (kind, conn) in [(self.kind, &mut from), (target.kind, &mut into)] {
            if kind == Kind::Postgres {
                // A large table takes its time.
                let patient = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";
                sqlx::raw_sql(patient).execute(&mut **conn).await?;
            }
        }
        for table in tables.iter().rev() {
            sqlx::query(AssertSqlSafe(format!("delete from {}", table.name))).execute(&mut *into).await?;
        }
        let mut carried = Carried { tables: tables.len(), rows: 0 };
        for table in &tables {
            let named = |error: StoreError| StoreError { message: format!("table {}: {error}", table.name), ..error };
            let written = copy(table, &mut from, &mut into).await.map_err(named)?;
            carried.rows += written.rows;
            if checked && sum(table, &mut into).await.map_err(named)? != written {
                let message =
                    format!("the table {} does not come out as it went in; nothing was carried over", table.name);
                return Err(StoreError::new(message));
            }
        }
        into.commit().await?;
        from.rollback().await?;
        Ok(carried)
    }
}

/// The tables of a SQLite database, each after those that it refers to.
async fn in_order(conn: &mut AnyConnection) -> Result<Vec<Table>, StoreError> {
    let names: Vec<(String,)> = sqlx::query_as(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_sqlx_%' \
         and name <> $1 order by name",
    )
    .bind(OWN)
    .fetch_all(&mut *conn)
    .await?;
    let mut waiting = Vec::new();
    for (name,) in names {
        let columns: Vec<(String, String)> = sqlx::query_as("select name, lower(type) from pragma_table_info($1)")
            .bind(&name)
            .fetch_all(&mut *conn)
            .await?;
        let columns = columns.into_iter().map(|(column, kind)| (column, kind == "bigint")).collect();
        let refers: Vec<(String,)> = sqlx::query_as("select distinct \"table\" from pragma_foreign_key_list($1)")
            .bind(&name)
            .fetch_all(&mut *conn)
            .await?;
        let refers: BTreeSet<String> =
            refers.into_iter().map(|(other,)| other).filter(|other| *other != name).collect();
        waiting.push((Table { name, columns }, refers));
    }
    let mut ordered: Vec<Table> = Vec::new();
    while !waiting.is_empty() {
        let placed =
            |refers: &BTreeSet<String>| refers.iter().all(|other| ordered.iter().any(|table| table.name == *other));
        let Some(at) = waiting.iter().position(|(_, refers)| placed(refers)) else {
            return Err(StoreError::new("the tables refer to each other in a circle"));
        };
        ordered.push(waiting.swap_remove(at).0);
    }
    Ok(ordered)
}

impl Table {
    fn columns(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    fn values(&self, row: &AnyRow) -> Result<Vec<Value>, StoreError> {
        let value = |(at, (_, whole)): (usize, &(String, bool))| {
            Ok(if *whole { Value::Whole(row.try_get(at)?) } else { Value::Text(row.try_get(at)?) })
        };
        self.columns.iter().enumerate().map(value).collect()
    }
}

/// Copies the rows of a table.
async fn copy(table: &Table, from: &mut AnyConnection, into: &mut AnyConnection) -> Result<Sum, StoreError> {
    let (columns, places) = (table.columns(), (1..=table.columns.len()).map(|n| format!("${n}")));
    let places = places.collect::<Vec<_>>().join(", ");
    let read = format!("select {columns} from {}", table.name);
    let write = format!("insert into {} ({columns}) values ({places})", table.name);
    let mut rows = sqlx::query(AssertSqlSafe(read)).fetch(from);
    let mut sum = Sum::default();
    while let Some(row) = rows.try_next().await? {
        let values = table.values(&row)?;
        sum.add(&values);
        let mut insert = sqlx::query(AssertSqlSafe(write.clone()));
        for value in values {
            insert = match value {
                Value::Whole(number) => insert.bind(number),
                Value::Text(text) => insert.bind(text),
            };
        }
        insert.execute(&mut *into).await.map_err(|error| {
            let error = StoreError::from(error);
            // The first column mostly names the row; the others may be nobody's business.
            StoreError { message: format!("{}, at its row {}", error.message, sum.rows), ..error }
        })?;
    }
    Ok(sum)
}

/// Reads the rows of a table.
async fn sum(table: &Table, conn: &mut AnyConnection) -> Result<Sum, StoreError> {
    let read = format!("select {} from {}", table.columns(), table.name);
    let mut rows = sqlx::query(AssertSqlSafe(read)).fetch(conn);
    let mut sum = Sum::default();
    while let Some(row) = rows.try_next().await? {
        sum.add(&table.values(&row)?);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(rows: &[Vec<Value>]) -> Sum {
        let mut sum = Sum::default();
        for row in rows {
            sum.add(row);
        }
        sum
    }

    #[test]
    fn a_sum_knows_rows_in_any_order_and_no_others() {
        let text = |text: &str| Value::Text(Some(text.into()));
        let one = || vec![Value::Whole(Some(1)), text("ab"), Value::Text(None)];
        let two = || vec![Value::Whole(None), text(""), text("c")];
        let both = sum_of(&[one(), two()]);
        assert_eq!(both, sum_of(&[two(), one()]));
        for other in [
            vec![Value::Whole(Some(2)), text("ab"), Value::Text(None)],
            vec![Value::Whole(Some(1)), text("a"), text("b")],
            vec![Value::Whole(Some(1)), text("ab"), text("")],
        ] {
            assert_ne!(both, sum_of(&[other, two()]));
        }
        assert_ne!(both, sum_of(&[one(), two(), two()]));
    }
}
