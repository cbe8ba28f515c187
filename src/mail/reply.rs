//! How a letter is answered by mail, in words, and the button that begins the answer.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::mail::words::{Reply, Words, name};
use crate::play::view::SeatView;

/// What must be encoded in the fields of a `mailto:` address (RFC 6068, 2).
const FIELD: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'/')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// How a letter is answered.
#[derive(Clone, Debug)]
pub struct HowTo {
    /// In sentences.
    pub lines: Vec<String>,
    /// The address that begins an answer.
    pub mailto: String,
    /// The words on its button.
    pub button: &'static str,
}

impl HowTo {
    /// How a letter is answered that has an address for answers.
    pub fn of(words: &Words, view: &SeatView, address: &str, public_url: &str) -> Option<HowTo> {
        let form = view.standing.entry_form(view.side);
        let opponent = name(view, view.side.other());
        let (first, body, button) = match words.reply {
            Reply::None => return None,
            Reply::Sheet if view.standing.turn() == 0 => (
                "Answer this letter with your deployment, above the quoted text: a line for each kind of unit, its code and \
                 then its positions. The one that is ready may be sent as it stands."
                    .to_owned(),
                form.presets.first().map(|preset| {
                    format!("# {}: change what you like, and send it.\n{}", preset.name, preset.text)
                }),
                "Answer with a deployment",
            ),
            Reply::Sheet => (
                "Answer this letter with your orders, one a line, above the quoted text, such as H7-F7. HOLD alone seals an \
                 empty list."
                    .to_owned(),
                Some(format!("# {}: one order a line, such as H7-F7. HOLD for none.\n", view.standing.turn_name())),
                "Answer with orders",
            ),
            Reply::Say => (
                format!("Answer this letter with a line that begins with SAY: what follows goes to {opponent}."),
                Some("SAY ".to_owned()),
                "Answer by mail",
            ),
            Reply::Draw => (
                "Answer this letter with DRAW to accept, or DRAW NO to decline, on a line above the quoted text.".to_owned(),
                None,
                "Answer by mail",
            ),
            Reply::Ask => (
                "This letter can be answered by mail, with one of these words on a line above the quoted text.".to_owned(),
                None,
                "Answer by mail",
            ),
        };
        let lines = vec![
            first,
            "CLEAR takes back what is sealed. STATUS tells where the game stands, MAP what stands on the board, HELP all that \
             can be written."
                .to_owned(),
            format!(
                "SAY and a text writes to {opponent}; nothing else of your mail is shown to anybody. DRAW offers a draw or \
                 accepts one, DRAW NO declines it. RESIGN gives up, after one more question."
            ),
            format!("The address for answers is yours, and good for this turn alone. More about that: {public_url}/by-mail"),
        ];
        let subject = format!("Re: {}", words.subject);
        let mut mailto = format!("mailto:{address}?subject={}", utf8_percent_encode(&subject, FIELD));
        if let Some(body) = body {
            let body = body.replace('\n', "\r\n");
            mailto.push_str("&body=");
            mailto.extend(utf8_percent_encode(&body, FIELD));
        }
        Some(HowTo { lines, mailto, button })
    }
}
