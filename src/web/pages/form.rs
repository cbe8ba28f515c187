//! Forms as browsers send them, read strictly: not too long, UTF-8 and nothing else.
//!
//! Lenient readers put replacement signs where a text is not UTF-8; then a sheet could be
//! sealed that nobody wrote. So this one refuses, in words.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use crate::web::error::PageError;

/// The longest form that is read, in bytes. A deployment has about 200.
pub const MOST_BYTES: usize = 64 * 1024;

/// The fields of a form. Line ends are LF, whatever the browser sent; there is no NUL in them, which no text needs and not
/// every database takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first field with this name; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// All fields with this name, in the form's order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| &**value)
    }

    /// A form as a test would send it.
    #[cfg(test)]
    pub fn of(pairs: &[(&str, &str)]) -> Fields {
        Fields(pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Whether the form has a field with this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    /// Whether a box was ticked.
    pub fn ticked(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// The number of the turn that a sheet is for.
    pub fn turn(&self) -> Result<u32, PageError> {
        match self.text("turn") {
            "" => Err(PageError::odd_form("The field “turn” is missing: it says which turn a sheet is for.")),
            turn => {
                turn.parse().map_err(|_| PageError::odd_form("The field “turn” is not the number of a turn: 0, 1, 2 …"))
            }
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &S) -> Result<Fields, PageError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let is_form = kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded");
        let body = Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_long(),
            status => PageError::new(
                status,
                "This form did not arrive",
                "The form was not received whole. Please send it again.",
            ),
        })?;
        if !is_form && !body.is_empty() {
            return Err(PageError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "This is not a form",
                "This address takes forms as browsers send them: application/x-www-form-urlencoded.",
            ));
        }
        read(&body)
    }
}

fn too_long() -> PageError {
    let message = format!("A form may have up to {} KiB; this one is longer. Nothing was changed.", MOST_BYTES / 1024);
    PageError::new(StatusCode::PAYLOAD_TOO_LARGE, "This form is too long", message)
}

/// Reads `name=value&…`.
fn read(body: &[u8]) -> Result<Fields, PageError> {
    let pairs = body.split(|&byte| byte == b'&').filter(|pair| !pair.is_empty());
    let fields = pairs.map(|pair| {
        let mut halves = pair.splitn(2, |&byte| byte == b'=');
        let name = decode(halves.next().unwrap_or_default());
        let value = decode(halves.next().unwrap_or_default());
        Some((name?, value?))
    });
    fields.collect::<Option<Vec<_>>>().map(Fields).ok_or_else(|| {
        let message = "The form is not valid UTF-8. Write the text anew and send it again; nothing was changed.";
        PageError::odd_form(message)
    })
}

/// Decodes `+` and `%41`; `None` for what is not UTF-8 then. A `%` without two digits stands for itself.
fn decode(part: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part;
    while let [first, tail @ ..] = rest {
        let (byte, after) = match (first, tail) {
            (b'+', _) => (b' ', tail),
            (b'%', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, after),
                _ => (b'%', tail),
            },
            _ => (*first, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    let text = String::from_utf8(bytes).ok()?;
    Some(text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', ""))
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn fields_are_read_as_browsers_send_them() {
        let fields = read(b"turn=5&text=H7-F7%0D%0AG8+F8&do=check&&flag").unwrap();
        assert_eq!(fields.text("text"), "H7-F7\nG8 F8");
        assert_eq!(fields.turn().unwrap(), 5);
        assert!(fields.ticked("do") && !fields.ticked("flag") && !fields.ticked("empty"));
        assert_eq!(read(b"text=100%25+%zz+%C3%A9").unwrap().text("text"), "100% %zz é");
        assert_eq!(read(b"board=ma%00rsh\0").unwrap().text("board"), "marsh");
        assert!(read(b"turn=x").unwrap().turn().is_err() && read(b"").unwrap().turn().is_err());
    }

    #[test]
    fn what_is_not_utf8_is_refused() {
        assert!(read(b"text=%FF%FE").is_err());
        assert!(read(b"text=\xC3").is_err());
        assert!(read(b"%FF=1").is_err());
    }

    #[tokio::test]
    async fn other_kinds_of_body_are_refused() {
        let request = Request::post("/").header("content-type", "application/json").body(Body::from("{}")).unwrap();
        assert!(Fields::from_request(request, &()).await.is_err());
        let request = Request::post("/").body(Body::empty()).unwrap();
        assert_eq!(Fields::from_request(request, &()).await.unwrap(), Fields::default());
    }
}
