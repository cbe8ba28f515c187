//! Names and secrets: game ids, seat secrets, sessions.

use std::fmt;

use data_encoding::{BASE32_NOPAD, BASE64, Encoding, HEXLOWER, Specification};
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;
use subtle::ConstantTimeEq;

use crate::clock::Chance;
use crate::rules::Side;

/// A game's id: twelve characters of Crockford's base 32, lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct GameId(String);

static CROCKFORD: LazyLock<Option<Encoding>> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    specification.encoding().ok()
});

impl GameId {
    /// Draws a new id: 60 random bits.
    #[must_use]
    pub fn draw(chance: &Chance) -> GameId {
        let bytes: [u8; 8] = chance.bytes();
        let text = CROCKFORD.as_ref().map_or_else(|| HEXLOWER.encode(&bytes), |crockford| crockford.encode(&bytes));
        GameId(text.chars().take(12).collect())
    }

    /// Reads an id out of an address; anything that cannot be one is `None`.
    #[must_use]
    pub fn parse(text: &str) -> Option<GameId> {
        let fits = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        fits.then(|| GameId(text.to_owned()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A secret in an address or a cookie: 26 characters of base 32, lower case. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Draws a new secret of 128 bits.
    #[must_use]
    pub fn draw(chance: &Chance) -> Secret {
        Secret::from_bytes(&chance.bytes::<16>())
    }

    /// Draws the secret of an organiser's token: 160 bits, behind a prefix by which it is recognised where it lies about.
    #[must_use]
    pub fn draw_long(chance: &Chance) -> Secret {
        let Secret(text) = Secret::from_bytes(&chance.bytes::<20>());
        Secret(format!("{}{text}", crate::play::admin::tokens::PREFIX))
    }

    /// A secret that was sent to us.
    #[must_use]
    pub fn sent(text: &str) -> Secret {
        Secret(text.chars().take(64).collect::<String>().to_ascii_lowercase())
    }

    fn from_bytes(bytes: &[u8]) -> Secret {
        Secret(BASE32_NOPAD.encode(bytes).to_ascii_lowercase())
    }

    /// The secret itself, to be put into a link, an answer or a cookie.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What the database keeps of it: SHA-256 in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.0.as_bytes()))
    }

    /// Whether this is the secret with the given hash, compared in constant time.
    #[must_use]
    pub fn has_hash(&self, hash: &str) -> bool {
        self.hash().as_bytes().ct_eq(hash.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What a derived secret opens. One purpose does not open another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The link to a seat, which is also the API's bearer token.
    Link,
    /// The invitation to a free seat.
    Invitation,
    /// The calendar of a seat's deadlines.
    Calendar,
    /// The page on which the letters of a seat are stopped.
    Unsubscribe,
}

/// The server's key, from which every seat's secrets are derived.
#[derive(Clone)]
pub struct ServerKey([u8; 32]);

impl ServerKey {
    /// A key of 32 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> ServerKey {
        ServerKey(bytes)
    }

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<ServerKey> {
        let bytes = HEXLOWER.decode(text.trim().to_ascii_lowercase().as_bytes()).ok()?;
        bytes.try_into().ok().map(ServerKey)
    }

    /// Writes what [`ServerKey::from_hex`] reads.
    #[must_use]
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// What tells this key from another, and nothing else of it.
    #[must_use]
    pub fn mark(&self) -> i64 {
        let tag = self.tag("mark");
        tag.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
    }

    /// The secret of a seat: the first 128 bits of HMAC-SHA256 over purpose, seat and
    /// generation. A new generation is a new secret, and the old one opens nothing.
    #[must_use]
    pub fn derive(&self, purpose: Purpose, game: &GameId, side: Side, generation: i64) -> Secret {
        let purpose = match purpose {
            Purpose::Link => "link",
            Purpose::Invitation => "invitation",
            Purpose::Calendar => "calendar",
            Purpose::Unsubscribe => "unsubscribe",
        };
        self.secret(&format!("{purpose}|{game}|{}|{generation}", side.word()))
    }

    /// The secret of the calendar of all deadlines of a person.
    #[must_use]
    pub fn calendar_of_person(&self, person: &str, generation: i64) -> Secret {
        self.secret(&format!("calendar-of-person|{person}|{generation}"))
    }

    /// The secret of a link that goes by mail alone, made of the link's id in the same way.
    #[must_use]
    pub fn mailed(&self, id: &str) -> Secret {
        self.secret(&format!("mailed|{id}"))
    }

    /// What a computer chooses by in a turn of its seat: nobody without the key can foresee it, and it is the same whoever
    /// computes, and however often.
    #[must_use]
    pub fn computer_seed(&self, game: &GameId, turn: u32, side: Side) -> [u8; 32] {
        let tag = self.tag(&format!("computer|{game}|{turn}|{}", side.word()));
        tag.try_into().unwrap_or_default()
    }

    /// The same in an epoch of the server: after a move or a restored backup no address of before is good any more.
    #[must_use]
    pub fn answer_in(&self, epoch: i64, game: &GameId, side: Side, generation: i64, turn: u32) -> Secret {
        match epoch {
            0 => self.answer(game, side, generation, turn),
            epoch => self.secret(&format!("mail|{game}|{}|{generation}|{turn}|{epoch}", side.word())),
        }
    }

    /// The secret in the address by which a turn of a seat is answered. It is good for that turn alone.
    #[must_use]
    pub fn answer(&self, game: &GameId, side: Side, generation: i64, turn: u32) -> Secret {
        self.secret(&format!("mail|{game}|{}|{generation}|{turn}", side.word()))
    }

    /// The key by which what a webhook is told is signed.
    #[must_use]
    pub fn webhook_key(&self, id: &str, generation: i64) -> Vec<u8> {
        self.tag(&format!("webhook|{id}|{generation}"))
    }

    /// The same as its owner gets it: base 64 behind a prefix, as Standard Webhooks writes secrets.
    #[must_use]
    pub fn webhook_secret(&self, id: &str, generation: i64) -> Secret {
        Secret(format!("{}{}", crate::play::webhooks::sign::PREFIX, BASE64.encode(&self.webhook_key(id, generation))))
    }

    /// The secret in the address to which a letter comes back that cannot be delivered: 80 bits, since addresses are short.
    #[must_use]
    pub fn returned(&self, letter: &str) -> Secret {
        let tag = self.tag(&format!("returned|{letter}"));
        Secret::from_bytes(tag.get(..10).unwrap_or(&tag))
    }

    /// A text as nobody else can guess it, for counting what is not kept.
    #[must_use]
    pub fn blinded(&self, text: &str) -> String {
        self.secret(&format!("blinded|{text}")).hash()
    }

    /// The code that letters of a day carry for a seat: eight characters of Crockford's base 32, upper case; 40 bits.
    #[must_use]
    pub fn code(&self, game: &GameId, side: Side, generation: i64, day: i64) -> String {
        let tag = self.tag(&format!("code|{game}|{}|{generation}|{day}", side.word()));
        let bytes = tag.get(..5).unwrap_or(&tag);
        CROCKFORD.as_ref().map_or_else(|| HEXLOWER.encode(bytes), |letters| letters.encode(bytes)).to_ascii_uppercase()
    }

    /// Whether a text is that code, compared in constant time.
    #[must_use]
    pub fn is_code(&self, text: &str, game: &GameId, side: Side, generation: i64, day: i64) -> bool {
        self.code(game, side, generation, day).as_bytes().ct_eq(text.as_bytes()).into()
    }

    fn secret(&self, of: &str) -> Secret {
        let tag = self.tag(of);
        Secret::from_bytes(tag.get(..16).unwrap_or(&tag))
    }

    fn tag(&self, of: &str) -> Vec<u8> {
        // HMAC takes a key of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return Vec::new() };
        mac.update(format!("fieldcommand-secret/1|{of}").as_bytes());
        mac.finalize().into_bytes().to_vec()
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_by_purpose_seat_and_generation_and_show_nothing() {
        let key = ServerKey::new([7; 32]);
        let game = GameId::parse("abcdefghjkmn").unwrap();
        let all = [
            key.derive(Purpose::Link, &game, Side::Red, 1),
            key.derive(Purpose::Link, &game, Side::Red, 2),
            key.derive(Purpose::Link, &game, Side::Blue, 1),
            key.derive(Purpose::Invitation, &game, Side::Red, 1),
            key.derive(Purpose::Calendar, &game, Side::Red, 1),
            key.derive(Purpose::Unsubscribe, &game, Side::Red, 1),
            key.answer(&game, Side::Red, 1, 5),
            key.answer(&game, Side::Red, 1, 6),
            key.answer(&game, Side::Red, 2, 5),
            key.calendar_of_person("ann", 1),
            key.calendar_of_person("ann", 2),
            key.mailed("1"),
            key.mailed("2"),
        ];
        for (n, secret) in all.iter().enumerate() {
            assert_eq!(secret.reveal().len(), 26);
            assert!(all.iter().skip(n + 1).all(|other| other != secret));
            assert!(secret.has_hash(&Secret::sent(&secret.reveal().to_uppercase()).hash()));
            assert_eq!(format!("{secret:?}"), "Secret(…)");
        }
        assert_eq!(format!("{key:?}"), "ServerKey(…)");
        assert_eq!(ServerKey::from_hex(&key.to_hex()).map(|key| key.0), Some([7; 32]));
    }

    #[test]
    fn codes_are_eight_plain_characters_of_one_seat_and_day() {
        let key = ServerKey::new([7; 32]);
        let game = GameId::parse("abcdefghjkmn").unwrap();
        let code = key.code(&game, Side::Red, 1, 20_000);
        assert!(code.len() == 8 && code.chars().all(|c| "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(c)), "{code}");
        assert!(key.is_code(&code, &game, Side::Red, 1, 20_000));
        for (side, generation, day) in [(Side::Blue, 1, 20_000), (Side::Red, 2, 20_000), (Side::Red, 1, 20_001)] {
            assert!(!key.is_code(&code, &game, side, generation, day));
        }
        assert!(!key.is_code("", &game, Side::Red, 1, 20_000));
    }

    #[test]
    fn ids_are_twelve_characters() {
        let id = GameId::draw(&Chance::seeded(1));
        assert_eq!(GameId::parse(id.as_str()), Some(id));
        assert_eq!(GameId::parse("../../etc/pw"), None);
    }
}
