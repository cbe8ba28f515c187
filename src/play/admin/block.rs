//! Addresses from which nobody opens a game, takes a seat, signs in or sends mail. Games that are on their way go on: whoever
//! has the link to a seat plays there.

use crate::clock::Timestamp;
use crate::play::address::checked_address;
use crate::play::admin::{ActLine, Admin, Done, wrong};
use crate::play::mailed::{Errand, address_key};
use crate::play::people::sign_out_everywhere;
use crate::play::{Play, PlayError};
use crate::store::{Reader, Writer};

/// How many blocks stand on a page.
pub const PAGE: usize = 50;

/// A block that is in force. Whom it is for nobody can read: of the address a hash is kept.
#[derive(Clone, Debug)]
pub struct DeskBlock {
    /// The id, by which it is lifted.
    pub id: String,
    /// Since when.
    pub since: Timestamp,
    /// The line in the log that says who set it and why, if there is one.
    pub act: Option<ActLine>,
}

/// A page of the blocks in force, the last one first.
#[derive(Clone, Debug)]
pub struct BlockPage {
    /// The blocks.
    pub blocks: Vec<DeskBlock>,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
}

impl Play {
    /// A page of the blocks in force before the one with an id.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn desk_blocks(&self, _admin: &Admin, before: Option<String>) -> Result<BlockPage, PlayError> {
        let most = i64::try_from(PAGE).unwrap_or(i64::MAX) + 1;
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut rows = tx.admin_blocks(before.as_deref(), most).await?;
                    let more = rows.len() > PAGE;
                    rows.truncate(PAGE);
                    let next = rows.last().filter(|_| more).map(|row| row.id.clone());
                    let mut blocks = Vec::new();
                    for row in rows {
                        let act = match row.act_id {
                            Some(id) => tx.admin_act(&id).await?.map(ActLine::read).transpose()?,
                            None => None,
                        };
                        blocks.push(DeskBlock { id: row.id, since: Timestamp(row.made_at), act });
                    }
                    Ok::<_, PlayError>(BlockPage { blocks, next })
                })
            })
            .await
    }

    /// An address as blocks name it.
    pub(in crate::play) fn blocked_hash(&self, address: &str) -> String {
        self.key.blinded(&format!("blocked|{}", address_key(address)))
    }

    /// Whether an address is blocked.
    pub(in crate::play) async fn is_blocked(&self, tx: &mut Reader, address: &str) -> Result<bool, PlayError> {
        Ok(tx.admin_block(&self.blocked_hash(address)).await?.is_some())
    }

    /// Refuses an address that is blocked.
    pub(in crate::play) async fn not_blocked(&self, tx: &mut Reader, address: &str) -> Result<(), PlayError> {
        if self.is_blocked(tx, address).await? {
            return Err(wrong("address", "cannot be used on this server: its organiser has blocked it"));
        }
        Ok(())
    }

    pub(super) async fn block_address(&self, tx: &mut Writer, person: &str, address: &str) -> Result<Done, PlayError> {
        let address = match (person.is_empty(), checked_address(address)?) {
            (true, Some(address)) => address,
            (false, None) if person.contains('\0') => return Err(wrong("person", "is not known")),
            (false, None) => tx.person(person).await?.ok_or_else(|| wrong("person", "is not known"))?.address,
            _ => return Err(wrong("address", "or person is to be given, and one of the two alone")),
        };
        let (hash, now) = (self.blocked_hash(&address), self.clock.now().0);
        if tx.admin_block(&hash).await?.is_some() {
            return Err(wrong("address", "is blocked already"));
        }
        let id = self.sorted_id();
        tx.insert_admin_block(&id, &hash, now).await?;
        if let Some(person) = tx.person_by_address(&address_key(&address)).await? {
            sign_out_everywhere(tx, &person.id).await?;
            for errand in [Errand::SignIn, Errand::Change] {
                tx.end_mailed_links(&person.id, errand.word(), now).await?;
            }
        }
        // By these words the list of blocks finds this line again (`store::admin_blocks`).
        Ok(Done::elsewhere("blocked", format!("block {id}")))
    }

    pub(super) async fn lift_block(&self, tx: &mut Writer, block: &str) -> Result<Done, PlayError> {
        if !tx.lift_admin_block(block, self.clock.now().0).await? {
            return Err(PlayError::NotFound);
        }
        Ok(Done::elsewhere("unblocked", format!("block {block}")))
    }
}
