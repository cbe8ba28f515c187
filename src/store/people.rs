//! People: who has proven an address.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A person as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PersonRow {
    /// The id.
    pub id: String,
    /// The address, as it was typed.
    pub address: String,
    /// The name.
    pub name: Option<String>,
    /// What this person wants, JSON; `None` for the usual.
    pub settings: Option<String>,
    /// When the address was first confirmed.
    pub created_at: i64,
}

/// The address of a person's calendar, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CalendarRow {
    /// How many there have been; `None` for none.
    pub calendar_generation: Option<i64>,
    /// The hash of the newest; `None` where it was shut.
    pub calendar_hash: Option<String>,
}

impl Reader {
    /// A person by id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person(&mut self, id: &str) -> Result<Option<PersonRow>, StoreError> {
        let row = sqlx::query_as("select id, address, name, settings, created_at from people where id = $1")
            .bind(id)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The person whose address has a key.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person_by_address(&mut self, key: &str) -> Result<Option<PersonRow>, StoreError> {
        let row = sqlx::query_as("select id, address, name, settings, created_at from people where address_key = $1")
            .bind(key)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }
}

impl Reader {
    /// The address of a person's calendar.
    ///
    /// # Errors
    /// The store failed.
    pub async fn calendar(&mut self, person: &str) -> Result<Option<CalendarRow>, StoreError> {
        let row = sqlx::query_as("select calendar_generation, calendar_hash from people where id = $1")
            .bind(person)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The id of the person whose calendar has an address.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person_of_calendar(&mut self, hash: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("select id from people where calendar_hash = $1")
            .bind(hash)
            .fetch_optional(self.conn())
            .await?;
        Ok(row.map(|(id,)| id))
    }
}

impl Writer {
    /// Keeps the address of a person's calendar in place of the one before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open_calendar(&mut self, person: &str, generation: i64, hash: &str) -> Result<(), StoreError> {
        sqlx::query("update people set calendar_generation = $2, calendar_hash = $3 where id = $1")
            .bind(person)
            .bind(generation)
            .bind(hash)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Shuts a person's calendar: its address opens nothing any more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn shut_calendar(&mut self, person: &str) -> Result<(), StoreError> {
        sqlx::query("update people set calendar_hash = null where id = $1").bind(person).execute(self.conn()).await?;
        Ok(())
    }

    /// Keeps a person whose address has been confirmed. Does nothing if somebody has that address already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_person(&mut self, id: &str, address: &str, key: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into people (id, address, address_key, created_at) values ($1, $2, $3, $4) \
             on conflict (address_key) do nothing",
        )
        .bind(id)
        .bind(address)
        .bind(key)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Sets the name of a person and what this person wants.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_person(&mut self, id: &str, name: Option<&str>, settings: Option<&str>) -> Result<(), StoreError> {
        sqlx::query("update people set name = $2, settings = $3 where id = $1")
            .bind(id)
            .bind(name)
            .bind(settings)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Gives a person another address.
    ///
    /// # Errors
    /// The store failed; somebody else may have that address.
    pub async fn set_person_address(&mut self, id: &str, address: &str, key: &str) -> Result<(), StoreError> {
        sqlx::query("update people set address = $2, address_key = $3 where id = $1")
            .bind(id)
            .bind(address)
            .bind(key)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Makes one person out of two: all that refers to `from` refers to `into`, and `from` is no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn merge_people(&mut self, from: &str, into: &str) -> Result<(), StoreError> {
        for sql in [
            "update seats set person_id = $2 where person_id = $1",
            "update sessions set person_id = $2 where person_id = $1",
            "update mailed_links set person_id = $2 where person_id = $1",
            "update outbox set person_id = $2 where person_id = $1",
            "update admin_tokens set person_id = $2 where person_id = $1",
        ] {
            sqlx::query(sql).bind(from).bind(into).execute(self.conn()).await?;
        }
        sqlx::query("delete from people where id = $1").bind(from).execute(self.conn()).await?;
        Ok(())
    }

    /// Removes a person, whose seats and sessions have been let go, with all links that were mailed to them and the
    /// letters that carried those.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete_person(&mut self, id: &str) -> Result<(), StoreError> {
        let links = "select mailed_links.id from mailed_links where mailed_links.person_id = $1 \
                     or mailed_links.address_key = (select address_key from people where people.id = $1)";
        let letters = format!("delete from outbox where outbox.about in ({links})");
        sqlx::query(sqlx::AssertSqlSafe(letters)).bind(id).execute(self.conn()).await?;
        let mailed = format!("delete from mailed_links where mailed_links.id in ({links})");
        sqlx::query(sqlx::AssertSqlSafe(mailed)).bind(id).execute(self.conn()).await?;
        for sql in [
            "delete from outbox where folded_into in (select digest.id from outbox digest where digest.person_id = $1)",
            "delete from outbox where kind = 'digest' and person_id = $1",
            "update outbox set person_id = null, returned_why = null where person_id = $1",
            "delete from people where id = $1",
        ] {
            sqlx::query(sql).bind(id).execute(self.conn()).await?;
        }
        Ok(())
    }
}
