//! The link to a seat as a QR code, on a page of its own: whoever sees it can photograph it.

use std::fmt::Write;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use qrcode::{Color, QrCode};

use crate::play::view::SeatView;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::frame::{self, Frame};
use crate::web::pages::session::Held;

/// The empty rim that a reader needs, in modules (ISO/IEC 18004).
const RIM: usize = 4;

#[derive(Template)]
#[template(path = "pages/link.html")]
struct LinkPage {
    frame: Frame,
    link: String,
    /// The code; `None` for a link that is too long for one.
    picture: Option<String>,
}

/// GET /games/{id}/{side}/link
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    Ok(frame::page(StatusCode::OK, &link_page(&view, &state.public_url)))
}

fn link_page(view: &SeatView, public_url: &str) -> LinkPage {
    let link = format!("{public_url}/s/{}", view.link.reveal());
    LinkPage { frame: Frame::of_seat(view, "Link to your seat"), picture: qr(&link), link }
}

/// A QR code as SVG, dark on light whatever the page's colours are.
fn qr(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let (width, mut path) = (code.width(), String::new());
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            // Writing into a string does not fail.
            let _ = write!(path, "M{} {}h1v1h-1z", at % width + RIM, at / width + RIM);
        }
    }
    let size = width + 2 * RIM;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" role=\"img\" shape-rendering=\"crispEdges\">\
         <title>QR code of the link to your seat</title><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn the_link_stands_there_as_text_and_as_code() {
        let html = link_page(&samples::view(), "https://play.example.org").render().unwrap();
        assert!(html.contains("value=\"https://play.example.org/s/redlink\""));
        assert!(html.contains("viewBox=\"0 0 33 33\"") || html.contains("viewBox=\"0 0 37 37\""), "{html}");
        // The upper left finder: seven dark modules behind the rim, then a light one.
        let row: Vec<bool> = (4..12).map(|x| html.contains(&format!("M{x} 4h1v1h-1z"))).collect();
        assert_eq!(row, [true, true, true, true, true, true, true, false]);
        assert_eq!(qr(&"x".repeat(4000)), None);
    }
}
