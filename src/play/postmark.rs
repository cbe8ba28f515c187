//! What stands in the addresses that come back to the server: which turn of which seat an answer is for, and which
//! letter could not be delivered. Each carries a secret that nobody else can make.
//!
//! An answer: twelve characters of the game, `r` or `b`, the turn in decimal, 26 characters of secret. A returned
//! letter: `l` (which no game's id begins with), 26 characters of base 32 of its id, 16 characters of secret. Only
//! letters and digits in lower case, since mail programs fold local parts, and at most 45 of them, since a local part
//! may have 64 octets (RFC 5321, 4.5.3.1.1).

use data_encoding::BASE32_NOPAD;

use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;

/// The length of a seat's secret and of a letter's id, in characters.
const SECRET: usize = 26;
/// The length of the secret of a returned letter, in characters.
const RETURN: usize = 16;
/// The length of a game's id, in characters.
const GAME: usize = 12;

/// What an address of the server's stands for, before it is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Postmark {
    /// A turn of a seat.
    Answer {
        /// The game.
        game: GameId,
        /// The side of the seat.
        side: Side,
        /// The turn that was awaited when the letter was written.
        turn: u32,
        /// What proves it.
        secret: Secret,
    },
    /// A letter, by its id.
    Returned {
        /// The id of the letter.
        letter: String,
        /// What proves it.
        secret: Secret,
    },
}

impl Postmark {
    /// Reads a postmark; upper and lower case are one. Anything else is `None`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Postmark> {
        let text = text.to_ascii_lowercase();
        if let Some(rest) = text.strip_prefix('l') {
            let (id, secret) = rest.split_at_checked(SECRET).filter(|(_, secret)| secret.len() == RETURN)?;
            let bytes = BASE32_NOPAD.decode(id.to_ascii_uppercase().as_bytes()).ok()?;
            let letter = uuid::Uuid::from_slice(&bytes).ok()?.hyphenated().to_string();
            return is_secret(secret).then(|| Postmark::Returned { letter, secret: Secret::sent(secret) });
        }
        let (mark, secret) = text.split_at_checked(text.len().checked_sub(SECRET)?)?;
        if !is_secret(secret) {
            return None;
        }
        let secret = Secret::sent(secret);
        let (game, rest) = mark.split_at_checked(GAME)?;
        let (side, turn) = match rest.as_bytes().first()? {
            b'r' => (Side::Red, rest.get(1..)?),
            b'b' => (Side::Blue, rest.get(1..)?),
            _ => return None,
        };
        let plain = !turn.is_empty() && turn.len() <= 6 && turn.bytes().all(|byte| byte.is_ascii_digit());
        let turn = turn.parse().ok().filter(|_| plain)?;
        Some(Postmark::Answer { game: GameId::parse(game)?, side, turn, secret })
    }

    /// The postmark in writing.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Postmark::Answer { game, side, turn, secret } => {
                let side = match side {
                    Side::Red => 'r',
                    Side::Blue => 'b',
                };
                format!("{game}{side}{turn}{}", secret.reveal())
            }
            Postmark::Returned { letter, secret } => {
                let id = uuid::Uuid::try_parse(letter).unwrap_or_default();
                format!("l{}{}", BASE32_NOPAD.encode(id.as_bytes()).to_ascii_lowercase(), secret.reveal())
            }
        }
    }
}

/// Whether a text may be a secret: base 32, lower case.
fn is_secret(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte))
}

impl Play {
    /// The postmark of answers to what a seat is asked for a turn.
    #[must_use]
    pub fn answer_mark(&self, seat: &Seat, turn: u32) -> Postmark {
        let (game, side) = (seat.game().clone(), seat.side());
        let secret = self.key.answer_in(self.epoch(), &game, side, seat.generation(), turn);
        Postmark::Answer { game, side, turn, secret }
    }

    /// The postmark of a letter that cannot be delivered.
    #[must_use]
    pub fn return_mark(&self, letter: &str) -> Postmark {
        Postmark::Returned { letter: letter.to_owned(), secret: self.key.returned(letter) }
    }

    /// The seat and the turn that an answer is for. Whether the turn is still awaited is another question.
    ///
    /// # Errors
    /// The mark is not the seat's, or no longer, since the seat was given to somebody else: `NotFound`. The store failed.
    pub async fn answering(&self, mark: &Postmark) -> Result<(Seat, u32), PlayError> {
        let Postmark::Answer { game, side, turn, secret } = mark else { return Err(PlayError::NotFound) };
        let (id, word) = (game.to_string(), side.word());
        let read =
            self.store.read(move |tx| Box::pin(async move { Ok((tx.seat(&id, word).await?, tx.place().await?)) }));
        let (row, place) = read.await.map_err(|error: crate::store::StoreError| PlayError::from(error))?;
        let generation = row.ok_or(PlayError::NotFound)?.link_generation;
        if self.key.answer_in(place.epoch, game, *side, generation, *turn).has_hash(&secret.hash()) {
            Ok((Seat::new(game.clone(), *side, generation), *turn))
        } else {
            Err(PlayError::NotFound)
        }
    }

    /// The id of the letter that came back.
    ///
    /// # Errors
    /// The mark is none of this server's: `NotFound`.
    pub fn returned(&self, mark: &Postmark) -> Result<String, PlayError> {
        match mark {
            Postmark::Returned { letter, secret } if self.key.returned(letter).has_hash(&secret.hash()) => {
                Ok(letter.clone())
            }
            _ => Err(PlayError::NotFound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ServerKey;

    #[test]
    fn a_postmark_is_read_as_it_was_written_in_either_case() {
        let (key, game) = (ServerKey::new([7; 32]), GameId::parse("0bcdefghjkmn").unwrap());
        for (side, turn) in [(Side::Red, 0), (Side::Blue, 5), (Side::Red, 123_456)] {
            let mark = Postmark::Answer { game: game.clone(), side, turn, secret: key.answer(&game, side, 1, turn) };
            let text = mark.text();
            assert!(text.len() <= 45, "{text}");
            assert_eq!(Postmark::parse(&text), Some(mark.clone()));
            assert_eq!(Postmark::parse(&text.to_uppercase()), Some(mark));
        }
        let letter = "01976f0e-8c6a-7000-8000-0123456789ab".to_owned();
        let mark = Postmark::Returned { secret: key.returned(&letter), letter };
        assert!(mark.text().len() <= 45, "{}", mark.text());
        assert_eq!(Postmark::parse(&mark.text()), Some(mark));
    }

    #[test]
    fn what_is_no_postmark_is_none() {
        let secret = "a".repeat(26);
        for text in [
            "",
            "play",
            "é",
            &secret,
            &format!("0bcdefghjkmnx5{secret}"),
            &format!("0bcdefghjkmnr{secret}"),
            &format!("0bcdefghjkmnr-1{secret}"),
            &format!("0bcdefghjkmnr1234567{secret}"),
            &format!("0bcdefghjkmér5{secret}"),
            &format!("l{secret}{}", "1".repeat(16)),
            &format!("l{secret}{}", "a".repeat(15)),
            &format!("0bcdefghjkmnr5{}1", "a".repeat(25)),
        ] {
            assert_eq!(Postmark::parse(text), None, "{text}");
        }
    }
}
