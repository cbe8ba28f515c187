//! The files of `static/`: style sheets, the icon, small scripts. What a page always needs together
//! is sent together, so that its first visit takes few requests.
//!
//! Addresses carry the file's hash, so browsers keep a file for ever and fetch a changed
//! one at once.

use std::collections::BTreeMap;
use std::sync::{LazyLock, RwLock};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::field_command;

/// The files, part of the program.
#[derive(Embed)]
#[folder = "static/"]
struct Static;

/// Files that are sent as one, and of which files they are made.
const TOGETHER: [(&str, &[&str]); 4] = [
    ("site.css", &["style.css", "board.css", "table.css", "learn.css"]),
    ("site.js", &["copy.js", "times.js"]),
    ("seat.js", &["copy.js", "times.js", "table.js", "live.js"]),
    ("learn.js", &["table.js", "solved.js"]),
];

/// A file as it is sent.
struct File {
    data: Vec<u8>,
    /// The beginning of its SHA-256: enough to tell its versions apart.
    hash: String,
}

impl File {
    fn get(name: &str) -> Option<File> {
        let data = match TOGETHER.iter().find(|(whole, _)| *whole == name) {
            Some((_, parts)) => {
                let mut data = Vec::new();
                for part in *parts {
                    let script = kind(part) == kind(".js");
                    // Each script keeps its names to itself in a block of its own.
                    data.extend_from_slice(if script { b"{\n" } else { b"" });
                    data.extend_from_slice(&Static::get(part)?.data);
                    data.extend_from_slice(if script { b"}\n" } else { b"" });
                }
                data
            }
            None => Static::get(name)?.data.into_owned(),
        };
        let digest = Sha256::digest(&data);
        let hash = HEXLOWER.encode(digest.get(..8).unwrap_or(&digest));
        Some(File { data, hash })
    }
}

/// The address of a file.
pub fn url(name: &str) -> String {
    /// The addresses that were asked for: a file does not change while the server runs.
    static KNOWN: LazyLock<RwLock<BTreeMap<String, String>>> = LazyLock::new(RwLock::default);
    if let Some(url) = KNOWN.read().ok().and_then(|known| known.get(name).cloned()) {
        return url;
    }
    let url =
        File::get(name).map_or_else(|| format!("/static/none/{name}"), |file| format!("/static/{}/{name}", file.hash));
    if let Ok(mut known) = KNOWN.write() {
        known.insert(name.to_owned(), url.clone());
    }
    url
}

/// The kind of a file, by the end of its name.
fn kind(name: &str) -> HeaderValue {
    HeaderValue::from_static(match name.rsplit_once('.').map(|(_, end)| end) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    })
}

/// GET /static/{hash}/{name}
pub async fn get(Path((asked, name)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, PageError> {
    let file = File::get(&name).ok_or_else(PageError::not_found)?;
    // An address with an old hash still gives the file of today, but is not to be kept.
    let keep = if asked == file.hash { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok(answer(&name, file, keep, &headers))
}

/// GET /robots.txt
pub async fn robots(headers: HeaderMap) -> Result<Response, PageError> {
    let file = File::get("robots.txt").ok_or_else(PageError::not_found)?;
    Ok(answer("robots.txt", file, "public, max-age=86400", &headers))
}

/// GET /boards/{name}: a board without units, `classic.svg`.
pub async fn board(State(state): State<WebState>, Path(name): Path<String>) -> Result<Response, PageError> {
    let name = name.strip_suffix(".svg").ok_or_else(PageError::not_found)?;
    let picture = field_command::board_picture(&state.play, name).await?.ok_or_else(PageError::not_found)?;
    let head = [
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400")),
        (header::CONTENT_TYPE, kind(".svg")),
    ];
    Ok((head, picture).into_response())
}

fn answer(name: &str, file: File, keep: &'static str, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", file.hash);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| names_tag(known, &tag));
    let head = [
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
        (header::ETAG, HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""))),
        (header::CONTENT_TYPE, kind(name)),
    ];
    if known { (StatusCode::NOT_MODIFIED, head).into_response() } else { (head, file.data).into_response() }
}

/// Whether `If-None-Match` lists the tag; a compressing layer may have made it a weak one.
fn names_tag(header: &HeaderValue, tag: &str) -> bool {
    let known = header.to_str().unwrap_or("");
    known.split(',').map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_kept_under_its_hash_alone() {
        let address = url("style.css");
        let hash = address.split('/').nth(2).unwrap().to_owned();
        let fresh = get(Path((hash.clone(), "style.css".into())), HeaderMap::new()).await.unwrap();
        assert!(fresh.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        let old = get(Path(("0".into(), "style.css".into())), HeaderMap::new()).await.unwrap();
        assert_eq!(old.headers()[header::CACHE_CONTROL], "no-cache");
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(&format!("W/\"{hash}\"")).unwrap());
        let again = get(Path((hash, "style.css".into())), headers).await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert!(get(Path(("0".into(), "../Cargo.toml".into())), HeaderMap::new()).await.is_err());
    }

    #[test]
    fn what_is_sent_together_is_whole() {
        let css = String::from_utf8(File::get("site.css").unwrap().data).unwrap();
        assert!(css.contains(".masthead") && css.contains(".board-frame") && css.contains(".squares"));
        let js = String::from_utf8(File::get("seat.js").unwrap().data).unwrap();
        assert!(js.contains("data-copies") && js.contains("EventSource") && js.starts_with("{\n"));
        assert_eq!(js.matches("\nimport ").count(), 0, "a block holds no import");
    }
}
