//! A picture as PNG, for letters: mail programs show no SVG.
//!
//! Its letters are drawn with a font that comes along, so that it looks the same wherever the server runs.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use png::{BitDepth, ColorType, Encoder, Filter};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// The font `DejaVu Serif`, unchanged; `font/LICENSE` says what may be done with it.
const FONT: &[u8] = include_bytes!("font/DejaVuSerif.ttf");
/// The name of that font in itself.
const FAMILY: &str = "DejaVu Serif";

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_serif_family(FAMILY);
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

/// A picture that has been drawn.
struct Drawn {
    svg: String,
    width: u32,
    png: Vec<u8>,
}

/// How many pictures are remembered.
const REMEMBERED: usize = 8;

/// The pictures that were drawn last: letters of one moment often show the same board, and drawing it is what takes longest.
static DRAWN: Mutex<VecDeque<Drawn>> = Mutex::new(VecDeque::new());

/// Gives a picture so many pixels wide and high. `None` for what is no SVG.
#[must_use]
pub fn png(svg: &str, width: u32) -> Option<Vec<u8>> {
    let remembered = || DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(drawn) = remembered().iter().find(|drawn| drawn.width == width && drawn.svg == svg) {
        return Some(drawn.png.clone());
    }
    let png = draw(svg, width)?;
    let mut drawn = remembered();
    drawn.truncate(REMEMBERED - 1);
    drawn.push_front(Drawn { svg: svg.to_owned(), width, png: png.clone() });
    Some(png)
}

fn draw(svg: &str, width: u32) -> Option<Vec<u8>> {
    let options = Options { fontdb: Arc::clone(&FONTS), font_family: FAMILY.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).ok()?;
    let mut pixels = Pixmap::new(width, width)?;
    pixels.fill(Color::WHITE);
    #[expect(clippy::cast_precision_loss, reason = "pictures are far smaller than 2^24 pixels")]
    let scale = width as f32 / tree.size().width();
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    written(&pixels)
}

/// Writes a picture that is opaque all over, and without the filters of PNG: what is drawn in areas of one colour gets
/// smaller so, and is written in a third of the time.
fn written(pixels: &Pixmap) -> Option<Vec<u8>> {
    let colours: Vec<u8> =
        pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_filter(Filter::NoFilter);
    encoder.write_header().ok()?.write_image_data(&colours).ok()?;
    Some(png)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    #[test]
    fn a_board_becomes_a_png_of_the_size_that_was_asked_for() {
        let svg = crate::picture::standing(&crate::picture::tests::deployed().0, Side::Red);
        let bytes = png(&svg, 300).unwrap();
        assert_eq!(bytes.get(..8), Some(&b"\x89PNG\r\n\x1a\n"[..]));
        assert_eq!(bytes.get(16..24), Some(&[0, 0, 1, 44, 0, 0, 1, 44][..]), "width and height");
        assert_eq!(png(&svg, 300), Some(bytes), "once more");
        assert_eq!(png(&svg, 200).unwrap().get(16..20), Some(&[0, 0, 0, 200][..]), "another size is another picture");
        assert_eq!(png("nonsense", 300), None);
    }
}
