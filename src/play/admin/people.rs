//! People, found by their address or by words of their name.

use crate::clock::Timestamp;
use crate::play::admin::games::{DeskLine, line};
use crate::play::admin::{Admin, wrong};
use crate::play::erase::own_seats;
use crate::play::mailed::address_key;
use crate::play::public::name_words;
use crate::play::stopped::Stopped;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::{PersonRow, Reader};

/// How many people are found at once.
const FOUND: usize = 50;
/// How many are looked through at once, and how often.
const BATCH: (i64, usize) = (500, 20);

/// A person on the desk.
#[derive(Clone, Debug)]
pub struct DeskPerson {
    /// The id.
    pub id: String,
    /// The address.
    pub address: String,
    /// The name.
    pub name: Option<String>,
    /// Since when the address is known.
    pub since: Timestamp,
    /// The block that the address is under, and since when.
    pub blocked: Option<(String, Timestamp)>,
}

/// A seat of a person.
#[derive(Clone, Debug)]
pub struct PersonSeat {
    /// The side.
    pub side: Side,
    /// Why no letters about the game go there.
    pub stopped: Option<Stopped>,
    /// The game.
    pub line: DeskLine,
}

/// A page of people.
#[derive(Clone, Debug)]
pub struct PeoplePage {
    /// The people.
    pub people: Vec<DeskPerson>,
    /// After which id the list goes on, if it does. A page that looked for a name may be short and go on all the same.
    pub next: Option<String>,
    /// The block that the address is under which was asked for and belongs to nobody, and since when.
    pub blocked: Option<(String, Timestamp)>,
}

impl Play {
    /// The person of an address. One that belongs to nobody may be blocked all the same.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_person_by_address(&self, _admin: &Admin, address: &str) -> Result<PeoplePage, PlayError> {
        let (play, key) = (self.clone(), address_key(address.trim()));
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut page = PeoplePage { people: Vec::new(), next: None, blocked: None };
                    match tx.person_by_address(&key).await? {
                        Some(row) => page.people.push(play.desk_person_of(tx, row).await?),
                        None => page.blocked = play.block_on(tx, &key).await?,
                    }
                    Ok::<_, PlayError>(page)
                })
            })
            .await
    }

    /// People whose name has all words of a text, after the one with an id.
    ///
    /// # Errors
    /// [`PlayError::Field`] for a text without words.
    pub async fn desk_people(&self, _admin: &Admin, name: &str, after: Option<&str>) -> Result<PeoplePage, PlayError> {
        let words = name_words(name);
        if words.is_empty() {
            return Err(wrong("name", "has no letter and no digit"));
        }
        let (play, after) = (self.clone(), after.unwrap_or_default().to_owned());
        self.store.read(move |tx| Box::pin(async move { play.people_in(tx, &words, after).await })).await
    }

    async fn people_in(&self, tx: &mut Reader, words: &[String], mut after: String) -> Result<PeoplePage, PlayError> {
        let mut people = Vec::new();
        for _ in 0..BATCH.1 {
            let rows = tx.desk_people(&after, BATCH.0).await?;
            let whole = i64::try_from(rows.len()).is_ok_and(|found| found == BATCH.0);
            for (id, name) in rows {
                if people.len() == FOUND {
                    return Ok(PeoplePage { people, next: Some(after), blocked: None });
                }
                let own = name.as_deref().map(name_words).unwrap_or_default();
                if words.iter().all(|word| own.contains(word))
                    && let Some(row) = tx.person(&id).await?
                {
                    people.push(self.desk_person_of(tx, row).await?);
                }
                after = id;
            }
            if !whole {
                return Ok(PeoplePage { people, next: None, blocked: None });
            }
        }
        Ok(PeoplePage { people, next: Some(after), blocked: None })
    }

    /// A person with all seats.
    ///
    /// # Errors
    /// [`PlayError::NotFound`]; the store failed.
    pub async fn desk_person(&self, _admin: &Admin, id: &str) -> Result<(DeskPerson, Vec<PersonSeat>), PlayError> {
        let (play, id, now) = (self.clone(), id.to_owned(), self.clock.now());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let row = tx.person(&id).await?.ok_or(PlayError::NotFound)?;
                    let mut seats = Vec::new();
                    for seat in own_seats(tx, &row.id).await? {
                        let (game, side) = (seat.game().as_str(), seat.side());
                        let held = tx.seat(game, side.word()).await?.ok_or(PlayError::NotFound)?;
                        let line = line(tx, game, now).await?;
                        seats.push(PersonSeat { side, stopped: Stopped::of(&held), line });
                    }
                    Ok::<_, PlayError>((play.desk_person_of(tx, row).await?, seats))
                })
            })
            .await
    }

    async fn desk_person_of(&self, tx: &mut Reader, row: PersonRow) -> Result<DeskPerson, PlayError> {
        Ok(DeskPerson {
            blocked: self.block_on(tx, &row.address).await?,
            id: row.id,
            address: row.address,
            name: row.name,
            since: Timestamp(row.created_at),
        })
    }

    /// The block that an address is under, and since when.
    async fn block_on(&self, tx: &mut Reader, address: &str) -> Result<Option<(String, Timestamp)>, PlayError> {
        let block = tx.admin_block(&self.blocked_hash(address)).await?;
        Ok(block.map(|(id, at)| (id, Timestamp(at))))
    }
}
