//! PNG, with its resolution in dots per inch.

use crate::error::{Result, UserError};
use crate::figure::drawing::{Drawing, Format};
use crate::figure::font;
use crate::figure::scene::{Colour, Item, Path, Scene, Step, Text};
use tiny_skia::{FillRule, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};

/// The entry of the registry.
pub(crate) const ENTRY: Format = Format { ending: "png", write };

/// Dots of a side at most.
const MOST: f64 = 20_000.0;

fn write(drawing: &Drawing<'_>) -> Result<Vec<u8>> {
    let scene = drawing.scene()?;
    let dpi = drawing.page.dpi();
    let pixmap = painted(&scene, dpi / 72.0).ok_or_else(|| {
        UserError::argument("dpi", format!("{dpi} dots per inch are too many for the size of this figure"))
    })?;
    encoded(&pixmap, dpi).map_err(|error| UserError::new(format!("the picture cannot be written as PNG: {error}")))
}

/// Paints the page with `dots` dots for each point.
fn painted(scene: &Scene, dots: f64) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(whole(scene.width * dots)?, whole(scene.height * dots)?)?;
    // The last dots stick out of the page.
    pixmap.fill(tiny_skia::Color::WHITE);
    let zoom = Transform::from_scale(single(dots), single(dots));
    for item in &scene.items {
        match item {
            Item::Path(path) => paint_path(&mut pixmap, path, zoom),
            Item::Text(text) => paint_text(&mut pixmap, text, zoom),
        }
    }
    Some(pixmap)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn whole(dots: f64) -> Option<u32> {
    (1.0..=MOST).contains(&dots).then(|| dots.ceil() as u32)
}

#[expect(clippy::cast_possible_truncation, reason = "places on paper need no more digits")]
fn single(value: f64) -> f32 {
    value as f32
}

fn paint(Colour(red, green, blue): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}

fn built(steps: &[Step]) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move(x, y) => builder.move_to(single(x), single(y)),
            Step::Line(x, y) => builder.line_to(single(x), single(y)),
            Step::Curve(a, b, c, d, x, y) => {
                builder.cubic_to(single(a), single(b), single(c), single(d), single(x), single(y));
            }
            Step::Close => builder.close(),
        }
    }
    builder.finish()
}

fn paint_path(pixmap: &mut Pixmap, path: &Path, zoom: Transform) {
    let Some(built) = built(&path.steps) else { return };
    if let Some(fill) = path.fill {
        pixmap.fill_path(&built, &paint(fill), FillRule::Winding, zoom, None);
    }
    if let Some(stroke) = path.stroke {
        let lengths = stroke.dash.iter().map(|length| single(length * stroke.width)).collect();
        let dash = if stroke.dash.is_empty() { None } else { StrokeDash::new(lengths, 0.0) };
        let pen =
            tiny_skia::Stroke { width: single(stroke.width), dash, line_join: LineJoin::Round, ..Default::default() };
        pixmap.stroke_path(&built, &paint(stroke.colour), &pen, zoom, None);
    }
}

fn paint_text(pixmap: &mut Pixmap, text: &Text, zoom: Transform) {
    let mut at = 0.0;
    for letter in text.words.chars() {
        if let Some(outline) = built(&font::outline(letter)) {
            let size = single(text.size);
            let turn = if text.is_turned { Transform::from_rotate(-90.0) } else { Transform::identity() };
            let place = Transform::from_scale(size, size)
                .post_concat(Transform::from_translate(single(at), 0.0))
                .post_concat(turn)
                .post_concat(Transform::from_translate(single(text.x), single(text.y)))
                .post_concat(zoom);
            pixmap.fill_path(&outline, &paint(text.colour), FillRule::Winding, place, None);
        }
        at += font::advance(letter) * text.size;
    }
}

fn encoded(pixmap: &Pixmap, dpi: f64) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let in_metre = whole((dpi / 0.0254).round()).unwrap_or(0);
    let dots = png::PixelDimensions { xppu: in_metre, yppu: in_metre, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(dots));
    let mut writer = encoder.write_header()?;
    // The page is white, so no dot is transparent.
    let dots: Vec<u8> = pixmap.pixels().iter().flat_map(|dot| [dot.red(), dot.green(), dot.blue()]).collect();
    writer.write_image_data(&dots)?;
    writer.finish()?;
    Ok(bytes)
}
