//! All that is kept of a person, for this person: never anything that the opponent keeps to themselves.

use serde_json::{Value, json};

use crate::clock::Timestamp;
use crate::play::erase::own_seats;
use crate::play::ledger::LetterFate;
use crate::play::people::person_in;
use crate::play::{Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{LetterRecord, Reader, SheetRow, TurnSheet};

impl Play {
    /// The data of who is signed in, as JSON. Times are UTC, as in RFC 3339.
    ///
    /// # Errors
    /// The store failed; [`PlayError::NotFound`] if nobody is signed in.
    pub async fn own_data(&self, session: &Secret) -> Result<Value, PlayError> {
        let hash = session.hash();
        self.store.read(move |tx| Box::pin(async move { own_data_in(tx, &hash).await })).await
    }
}

async fn own_data_in(tx: &mut Reader, hash: &str) -> Result<Value, PlayError> {
    let person = person_in(tx, hash).await?.ok_or(PlayError::NotFound)?;
    let created_at = tx.person(&person.id).await?.map(|row| row.created_at);
    let mut seats = Vec::new();
    for seat in own_seats(tx, &person.id).await? {
        seats.push(seat_data(tx, &seat).await?);
    }
    let letters = tx.letters_of_person(&person.id).await?;
    let blocks = tx.blocks_of(&person.id).await?;
    let settings = serde_json::to_value(&person.wishes).map_err(|error| PlayError::Broken(error.to_string()))?;
    Ok(json!({
        "format": "fieldcommand-person/1",
        "person": {
            "id": person.id,
            "address": person.address,
            "name": person.name,
            "since": time(created_at),
            "signed_in_browsers": tx.sessions_of_person(&person.id).await?.len(),
        },
        "settings": settings,
        "seats": seats,
        "blocks": blocks.iter().map(|(made_at, game)| {
            json!({"since": time(Some(*made_at)), "met_in": game})
        }).collect::<Vec<_>>(),
        "letters": letters.iter().map(letter).collect::<Vec<_>>(),
    }))
}

/// What one seat has written. Every reader that is called here reads its writer's own alone, but for resolved turns, of
/// which the other half is left out.
async fn seat_data(tx: &mut Reader, seat: &Seat) -> Result<Value, PlayError> {
    let (id, side) = (seat.game().as_str(), seat.side().word());
    let row = tx.seat(id, side).await?.ok_or(PlayError::NotFound)?;
    let turns = tx.game(id).await?.ok_or(PlayError::NotFound)?.turn;
    let mut sheets = Vec::new();
    for turn in 0..turns {
        if let Some(row) = tx.turn(id, turn).await? {
            let own = if seat.side() == Side::Red { row.red } else { row.blue };
            sheets.push(turn_sheet(turn, &own));
        }
    }
    let draft = tx
        .own_draft(id, side)
        .await?
        .map(|draft| json!({"turn": draft.turn, "text": draft.body, "saved_at": time(Some(draft.saved_at))}));
    let notes = tx.own_notes(id, side).await?;
    let what_ifs = tx.all_own_what_ifs(id, side).await?;
    let messages = tx.messages_of(id, side).await?;
    let reports = tx.reports_of(id, side).await?;
    let mailbox = tx.mailbox(id, side).await?;
    let mut absences = tx.absences(id).await?;
    absences.retain(|absence| absence.side == side);
    let mails = tx.mail_of_seat(id, side).await?;
    let senders = tx.senders_of_seat(id, side, seat.generation()).await?;
    let webhooks = tx.webhooks_of_seat(id, side, seat.generation()).await?;
    Ok(json!({
        "game": id,
        "side": side,
        "name": row.name,
        "taken_at": time(row.taken_at),
        "turns_missed": row.missed.unwrap_or(0),
        "sealed": tx.own_sheet(id, side).await?.as_ref().map(sealed),
        "draft": draft,
        "sheets": sheets,
        "notes": notes.iter().map(|note| {
            json!({"about": note.about, "text": note.body, "saved_at": time(Some(note.saved_at))})
        }).collect::<Vec<_>>(),
        "absences": absences.iter().map(|absence| {
            json!({"from": time(Some(absence.from_at)), "until": time(Some(absence.until_at))})
        }).collect::<Vec<_>>(),
        "messages": messages.iter().map(|message| {
            json!({"number": message.number, "text": message.body, "sent_at": time(Some(message.sent_at))})
        }).collect::<Vec<_>>(),
        "messages_muted_since": time(mailbox.and_then(|mailbox| mailbox.muted_at)),
        "reports": reports.iter().map(|(made_at, reason)| {
            json!({"made_at": time(Some(*made_at)), "reason": reason})
        }).collect::<Vec<_>>(),
        "what_ifs": what_ifs.iter().map(|what_if| json!({
            "turn": what_if.turn,
            "name": what_if.name,
            "own": what_if.own_body,
            "guessed": what_if.other_body,
            "saved_at": time(Some(what_if.saved_at)),
        })).collect::<Vec<_>>(),
        "mails": mails.iter().map(|(verdict, at)| json!({"verdict": verdict, "at": time(Some(*at))})).collect::<Vec<_>>(),
        "webhooks": webhooks.iter().map(|hook| {
            json!({"url": hook.url, "made_at": time(Some(hook.made_at))})
        }).collect::<Vec<_>>(),
        "other_addresses": senders.iter().map(|(address, allowed)| {
            json!({"address": address, "allowed_at": time(*allowed)})
        }).collect::<Vec<_>>(),
    }))
}

fn turn_sheet(turn: i64, sheet: &TurnSheet) -> Value {
    json!({
        "turn": turn, "how": sheet.how, "text": sheet.body, "seal": sheet.seal, "salt": sheet.salt,
        "sealed_at": time(Some(sheet.sealed_at)),
    })
}

fn sealed(sheet: &SheetRow) -> Value {
    json!({
        "turn": sheet.turn, "text": sheet.body, "seal": sheet.seal, "salt": sheet.salt,
        "sealed_at": time(Some(sheet.sealed_at)),
    })
}

fn letter(letter: &LetterRecord) -> Value {
    let fate = LetterFate::of(letter);
    let done = !matches!(fate, LetterFate::Waits { .. });
    json!({
        "kind": letter.kind, "game": letter.game_id, "queued_at": time(Some(letter.created_at)),
        "fate": fate.word().replace('_', " "), "at": time(done.then_some(fate.at().0)), "why": fate.why(),
    })
}

fn time(at: Option<i64>) -> Option<String> {
    at.map(|at| Timestamp(at).to_string())
}
