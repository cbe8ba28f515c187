//! Does what a mail asks for, by the functions that pages and API use, all within the one transaction of the mail.
//!
//! What those functions refuse is refused before they write anything, so that the refusal can be kept as the answer.

use crate::play::agree::{OfferAct, OfferKind, ToAgree, standing_offers};
use crate::play::draft::{self, ToDraft};
use crate::play::game::Game;
use crate::play::messages::ToSend;
use crate::play::seal::ToSeal;
use crate::play::{Play, PlayError, Seat};
use crate::store::{SeatRow, Writer};

use super::Mailed;
use super::asks::{self, Asked, Verb};
use super::reply::{self, Line, Question, Reply};

/// The parts of the answer, and what is asked in it.
#[derive(Default)]
struct Answer {
    replies: Vec<Reply>,
    /// One alone: a `YES` is a word, and says yes to one thing.
    question: Option<Question>,
    /// The id of the letter of ours that the mail answers, if it names one.
    to: Option<String>,
}

/// A sheet by mail.
struct Written<'m> {
    turn: u32,
    text: &'m str,
    /// Whether it is sealed whatever becomes of its lines.
    sure: bool,
    /// What else stood in the mail.
    unread: &'m [String],
}

impl Play {
    /// Does what a mail about a turn asks for, and gives the parts of the answer.
    pub(super) async fn carry_out_mail(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        row: &SeatRow,
        turn: u32,
        mail: &Mailed,
    ) -> Result<Vec<Reply>, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        let asked = asks::read(&mail.text, |line| game.standing.reads_as_sheet(line));
        let mut answer = Answer { to: mail.answers.clone(), ..Answer::default() };
        if turn == game.standing.turn() {
            self.acts(tx, &game, seat, row, &asked, &mut answer).await?;
        } else {
            self.old_sheet(tx, &game, seat, turn, &asked, &mut answer).await?;
        }
        if let Some(question) = &answer.question {
            let body = reply::written(&[question])?;
            // What the mail did may have resolved the turn that it was for.
            let turn = self.lock(tx, game.id.as_str()).await?.turn();
            tx.keep_question(game.id.as_str(), seat.side().word(), turn, &body, self.clock.now().0).await?;
        }
        Ok(answer.replies)
    }

    /// An answer to a turn that is over does nothing; who sends the sheet that was used gets its receipt again.
    async fn old_sheet(
        &self,
        tx: &mut Writer,
        game: &Game,
        seat: &Seat,
        turn: u32,
        asked: &Asked,
        answer: &mut Answer,
    ) -> Result<(), PlayError> {
        if let Some(text) = &asked.sheet {
            match self.seal_in(tx, seat, &to_seal(turn, text)).await {
                Ok(receipt) => {
                    let standing = crate::play::proof::before(tx, game, turn).await?;
                    answer.replies.push(Reply::sealed(&standing, seat.side(), receipt));
                    return Ok(());
                }
                Err(error) => refusal(error)?,
            };
        }
        answer.replies.push(Reply::Late { turn: game.standing.setup().turn_name(turn) });
        answer.replies.push(Reply::Status);
        Ok(())
    }

    async fn acts(
        &self,
        tx: &mut Writer,
        game: &Game,
        seat: &Seat,
        row: &SeatRow,
        asked: &Asked,
        answer: &mut Answer,
    ) -> Result<(), PlayError> {
        let turn = game.standing.turn();
        if asked.has(Verb::Clear) {
            let done = self.clear(tx, game, seat).await;
            answer.tell(done, "", false)?;
        }
        let hold = asked.has(Verb::Hold).then_some("");
        if let Some(text) = asked.sheet.as_deref().or(hold) {
            let sure = asked.has(Verb::Yes) || self.seals_at_once(tx, row).await?;
            let sheet = Written { turn, text, sure, unread: &asked.unread };
            let both = hold.is_some() && asked.sheet.is_some();
            self.sheet(tx, game, seat, &sheet, both, answer).await?;
        } else if asked.has(Verb::Yes) {
            self.yes(tx, game, seat, answer).await?;
        }
        if asked.has(Verb::Draw) || asked.has(Verb::NoDraw) {
            let done = self.draw(tx, game, seat, asked.has(Verb::Draw)).await;
            answer.tell(done, "", false)?;
        }
        if let Some(text) = &asked.say {
            self.say(tx, seat, text, false, answer).await?;
        }
        if asked.has(Verb::Resign) {
            if game.ended.is_some() {
                answer.tell(Err(PlayError::GameOver), "", false)?;
            } else {
                answer.asks(Question::Resign, Reply::AsksToResign, Reply::ResignWaits);
            }
        }
        for (verb, reply) in [
            (Verb::Status, Reply::Status),
            (Verb::StatusOfAll, Reply::StatusOfAll),
            (Verb::Map, Reply::Map),
            (Verb::Help, Reply::Help),
        ] {
            if asked.has(verb) {
                answer.replies.push(reply);
            }
        }
        // Of what stands beside a sheet the answer about that tells.
        if asked.sheet.is_none() && hold.is_none() && (answer.replies.is_empty() || !asked.unread.is_empty()) {
            answer.replies.push(Reply::Unread(asked.unread.clone()));
        }
        Ok(())
    }

    /// Whether the person of a seat wants lists sealed whatever becomes of their lines.
    async fn seals_at_once(&self, tx: &mut Writer, row: &SeatRow) -> Result<bool, PlayError> {
        match &row.person_id {
            Some(person) => Ok(self.letter_wishes(tx, person).await?.seal_at_once),
            None => Ok(false),
        }
    }

    /// Seals a sheet, or keeps it as the draft and asks. An unreadable one changes nothing.
    async fn sheet(
        &self,
        tx: &mut Writer,
        game: &Game,
        seat: &Seat,
        sheet: &Written<'_>,
        both: bool,
        answer: &mut Answer,
    ) -> Result<(), PlayError> {
        let (id, side) = (game.id.as_str(), seat.side());
        let sealed_before = tx.own_sheet(id, side.word()).await?.is_some();
        if both {
            let problem = "HOLD means a list without orders, and there are orders beside it. Write one or the other.";
            let (problem, text) = (problem.to_owned(), sheet.text.to_owned());
            answer.replies.push(Reply::Refused { problem, text, sealed_before });
            return Ok(());
        }
        if let Err(error) = game.awaits(sheet.turn) {
            return answer.tell(Err(error), sheet.text, sealed_before);
        }
        let read = match game.standing.parse(side, sheet.text) {
            Ok(read) => read,
            Err(error) => return answer.tell(Err(error.into()), sheet.text, sealed_before),
        };
        let lines = Line::of(&game.standing.check(side, &read));
        let doubtful = lines.iter().any(|line| !line.legal) || !sheet.unread.is_empty();
        if doubtful && !sheet.sure {
            // An empty list is no draft: it would take the place of one that holds something.
            if !sheet.text.is_empty() {
                let draft = ToDraft {
                    turn: sheet.turn,
                    text: if sheet.text.len() > draft::LONGEST { read.canonical() } else { sheet.text.to_owned() },
                    held: String::new(),
                    act: None,
                    base: None,
                    use_when_due: None,
                };
                self.draft_in(tx, seat, &draft).await?;
            }
            let (turn, unread) = (game.standing.turn_name(), sheet.unread.to_vec());
            answer.question = Some(Question::Seal(read.canonical()));
            answer.replies.push(Reply::Asks { turn, lines, unread, sealed_before });
            return Ok(());
        }
        let done = self.seal_in(tx, seat, &to_seal(sheet.turn, sheet.text)).await;
        let done = done.map(|receipt| Reply::sealed(&game.standing, side, receipt));
        answer.tell(done, sheet.text, sealed_before)
    }

    /// Does what the seat was asked about last.
    async fn yes(&self, tx: &mut Writer, game: &Game, seat: &Seat, answer: &mut Answer) -> Result<(), PlayError> {
        let (id, side) = (game.id.as_str(), seat.side().word());
        let Some((kept, asked_at)) = tx.own_question(id, side, game.turn()).await? else {
            answer.replies.push(Reply::NothingAsked);
            return Ok(());
        };
        // Who answers an older letter has not seen what was asked since, and means something else.
        if let Some(letter) = &answer.to
            && tx.seat_letter_queued_at(id, side, letter).await?.is_some_and(|queued| queued < asked_at)
        {
            answer.replies.push(Reply::OlderLetter);
            return Ok(());
        }
        tx.erase_question(id, side).await?;
        match reply::read::<Vec<Question>>(&kept)?.into_iter().next() {
            None => answer.replies.push(Reply::NothingAsked),
            Some(Question::Seal(text)) => {
                let sealed_before = tx.own_sheet(id, side).await?.is_some();
                let done = self.seal_in(tx, seat, &to_seal(game.standing.turn(), &text)).await;
                let done = done.map(|receipt| Reply::sealed(&game.standing, seat.side(), receipt));
                answer.tell(done, &text, sealed_before)?;
            }
            Some(Question::Say(text)) => self.say(tx, seat, &text, true, answer).await?,
            Some(Question::Resign) => {
                let done = self.resign_in(tx, seat).await.map(|()| Reply::Resigned);
                answer.tell(done, "", false)?;
            }
        }
        Ok(())
    }

    async fn clear(&self, tx: &mut Writer, game: &Game, seat: &Seat) -> Result<Reply, PlayError> {
        let (id, side) = (game.id.as_str(), seat.side().word());
        game.awaits(game.standing.turn())?;
        let sealed_before = tx.own_sheet(id, side).await?.is_some();
        if sealed_before {
            self.withdraw_in(tx, seat, game.standing.turn()).await?;
        }
        tx.erase_draft(id, side).await?;
        tx.erase_question(id, side).await?;
        Ok(Reply::Cleared { sealed_before })
    }

    async fn draw(&self, tx: &mut Writer, game: &Game, seat: &Seat, wanted: bool) -> Result<Reply, PlayError> {
        let offers = standing_offers(&tx.offers(game.id.as_str()).await?, game)?;
        let by = offers.into_iter().find(|offer| offer.kind == OfferKind::Draw).map(|offer| offer.by);
        let theirs = by.is_some_and(|by| by != seat.side());
        let (act, reply) = match (wanted, theirs) {
            (true, true) => (OfferAct::Accept, Reply::DrawAgreed),
            (true, false) => (OfferAct::Offer, Reply::DrawOffered),
            (false, true) => (OfferAct::Decline, Reply::DrawDeclined),
            (false, false) => (OfferAct::Withdraw, Reply::DrawDeclined),
        };
        let wanted = ToAgree { kind: OfferKind::Draw, turn: game.standing.turn(), act, from_turn: None };
        self.agree_in(tx, seat, wanted).await?;
        Ok(reply)
    }

    async fn say(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        text: &str,
        all_the_same: bool,
        answer: &mut Answer,
    ) -> Result<(), PlayError> {
        let done = self.send_checked(tx, seat, &ToSend { text: text.to_owned(), all_the_same }).await;
        if done == Err(PlayError::LooksLikeSheet) {
            let text = || text.to_owned();
            answer.asks(Question::Say(text()), Reply::AsksToSay(text()), Reply::SayWaits(text()));
            return Ok(());
        }
        answer.tell(done.map(|message| Reply::Said(message.text)), text, false)
    }
}

impl Answer {
    /// Asks, if nothing is asked yet; else it tells that this waits.
    fn asks(&mut self, question: Question, asks: Reply, waits: Reply) {
        if self.question.is_some() {
            self.replies.push(waits);
        } else {
            self.question = Some(question);
            self.replies.push(asks);
        }
    }

    /// Tells what was done, or why nothing was; a failure of the server's goes on as one.
    fn tell(&mut self, done: Result<Reply, PlayError>, text: &str, sealed_before: bool) -> Result<(), PlayError> {
        let reply = match done {
            Ok(reply) => reply,
            Err(error) => Reply::Refused { problem: refusal(error)?, text: text.to_owned(), sealed_before },
        };
        self.replies.push(reply);
        Ok(())
    }
}

/// Why something was refused, in the writer's words; a failure of the server's goes on as one.
fn refusal(error: PlayError) -> Result<String, PlayError> {
    match error {
        PlayError::Store(_) | PlayError::Broken(_) => Err(error),
        error => Ok(error.to_string()),
    }
}

/// Who writes by mail knows that a legal list is sealed at once, and that an empty one is meant by `HOLD` alone.
fn to_seal(turn: u32, text: &str) -> ToSeal {
    ToSeal { turn, text: text.to_owned(), empty_is_meant: text.is_empty(), may_resolve: true, is_final: false }
}
