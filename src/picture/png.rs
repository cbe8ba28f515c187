//! A picture as PNG, for letters: mail programs show no SVG.
//!
//! Its letters are drawn with a font that comes along, so that it looks the same wherever the server runs.

use std::sync::{Arc, LazyLock};

use png::{BitDepth, ColorType, Encoder, Filter};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::recent::Recent;
use super::scene::Scene;
use crate::rules::Side;
use crate::rules::field_command::board::Board;

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

/// What a map in pixels depends on.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    board: Board,
    bottom: Side,
    width: u32,
}

/// A map, as it lies under the pictures for letters.
struct Base {
    key: Key,
    pixels: Pixmap,
}

/// A picture that has been drawn: what lies over which map, and the file.
struct Drawn {
    key: Key,
    over: String,
    png: Vec<u8>,
}

/// Two sides of two boards. Each takes four bytes a pixel.
static BASES: Recent<Base> = Recent::new(4);
/// Letters of one moment often show the same board, and drawing it is what takes longest.
static DRAWN: Recent<Drawn> = Recent::new(8);

/// Draws a scene on the whole board, so many pixels wide and high. `None` where that is no size.
pub(super) fn png(scene: &Scene<'_>, width: u32) -> Option<Vec<u8>> {
    let key = Key { board: scene.board.clone(), bottom: scene.view.bottom(), width };
    let over = super::draw_over(scene, None);
    let is_it = |drawn: &Drawn| drawn.key == key && drawn.over == over;
    let draw = || {
        let base = BASES.get(|base| base.key == key, || base(scene, &key))?;
        let mut pixels = base.pixels.clone();
        paint(&over, &mut pixels)?;
        Some(Drawn { key: key.clone(), over: over.clone(), png: written(&pixels)? })
    };
    Some(DRAWN.get(is_it, draw)?.png.clone())
}

/// Draws the map under a scene.
fn base(scene: &Scene<'_>, key: &Key) -> Option<Base> {
    let mut pixels = Pixmap::new(key.width, key.width)?;
    pixels.fill(Color::WHITE);
    paint(&super::draw_ground(scene, &super::printed::of(scene)), &mut pixels)?;
    Some(Base { key: key.clone(), pixels })
}

/// Paints a picture over what is there. `None` for what is no SVG.
fn paint(svg: &str, pixels: &mut Pixmap) -> Option<()> {
    let options = Options { fontdb: Arc::clone(&FONTS), font_family: FAMILY.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "pictures are far smaller than 2^24 pixels")]
    let scale = pixels.width() as f32 / tree.size().width();
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Some(())
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
    use crate::picture::tests::{deployed, fullest, setup};
    use crate::rules::{Report, Setup, Standing};

    /// The same picture, painted from bottom to top in one go.
    fn at_once(svg: &str, width: u32) -> Vec<u8> {
        let mut pixels = Pixmap::new(width, width).unwrap();
        pixels.fill(Color::WHITE);
        paint(svg, &mut pixels).unwrap();
        written(&pixels).unwrap()
    }

    #[test]
    fn a_board_becomes_a_png_of_the_size_that_was_asked_for() {
        let Standing::FieldCommand(standing) = deployed().0;
        let scene = Scene::of_standing(&standing, Side::Red);
        let bytes = png(&scene, 300).unwrap();
        assert_eq!(bytes.get(..8), Some(&b"\x89PNG\r\n\x1a\n"[..]));
        assert_eq!(bytes.get(16..24), Some(&[0, 0, 1, 44, 0, 0, 1, 44][..]), "width and height");
        assert_eq!(png(&scene, 300), Some(bytes), "once more");
        assert_eq!(png(&scene, 200).unwrap().get(16..20), Some(&[0, 0, 0, 200][..]), "another size is another picture");
        assert_eq!(png(&scene, 0), None);
        assert!(paint("nonsense", &mut Pixmap::new(9, 9).unwrap()).is_none());
    }

    #[test]
    fn what_is_painted_over_a_map_that_was_kept_is_the_whole_picture() {
        let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (fullest(), setup());
        let Standing::FieldCommand(standing) = deployed().0;
        for bottom in [Side::Red, Side::Blue, Side::Red] {
            let scenes = [Scene::of_standing(&standing, bottom), Scene::of_dusk(&report, &setup, bottom)];
            for scene in scenes {
                assert!(png(&scene, 450).unwrap() == at_once(&super::super::draw(&scene), 450), "{bottom:?}");
            }
        }
    }
}
