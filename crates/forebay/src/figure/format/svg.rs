//! SVG, with its font, so that text can be searched and copied.

use crate::figure::drawing::{Drawing, Format};
use crate::figure::font::{FALLBACK, FAMILY, WOFF2};
use crate::figure::page::POINTS_PER_MM;
use crate::figure::scene::{Colour, Item, Path, Scene, Step, Stroke, Text};
use std::fmt::Write as _;

/// The entry of the registry.
pub(crate) const ENTRY: Format =
    Format { ending: "svg", write: |drawing: &Drawing<'_>| Ok(text(&drawing.scene()?).into_bytes()) };

fn text(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mm = |points: f64| short(points / POINTS_PER_MM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\">\n",
        mm(width),
        mm(height),
        short(width),
        short(height)
    );
    if !scene.title.is_empty() {
        let _ = writeln!(out, "<title>{}</title>", escaped(&scene.title));
    }
    let _ = writeln!(
        out,
        "<style>@font-face{{font-family:'{FAMILY}';src:url(data:font/woff2;base64,{}) format('woff2')}}text{{font-family:'{FAMILY}',{FALLBACK}}}</style>",
        base64(WOFF2)
    );
    for item in &scene.items {
        match item {
            Item::Path(path) => write_path(&mut out, path),
            Item::Text(text) => write_text(&mut out, text),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn write_path(out: &mut String, path: &Path) {
    let mut steps = String::new();
    for step in &path.steps {
        let _ = match *step {
            Step::Move(x, y) => write!(steps, "M{} {}", short(x), short(y)),
            Step::Line(x, y) => write!(steps, "L{} {}", short(x), short(y)),
            Step::Curve(a, b, c, d, x, y) => {
                write!(steps, "C{} {} {} {} {} {}", short(a), short(b), short(c), short(d), short(x), short(y))
            }
            Step::Close => write!(steps, "Z"),
        };
    }
    let fill = path.fill.map_or_else(|| "none".to_owned(), hex);
    let _ = write!(out, "<path d=\"{steps}\" fill=\"{fill}\"");
    if let Some(Stroke { colour, width, dash }) = path.stroke {
        let _ = write!(out, " stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", hex(colour), short(width));
        if !dash.is_empty() {
            let lengths: Vec<String> = dash.iter().map(|length| short(length * width)).collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", lengths.join(" "));
        }
    }
    out.push_str("/>\n");
}

/// Writes a text with its width: a program with another font stretches the text to it, so that no texts overlap.
fn write_text(out: &mut String, text: &Text) {
    let (x, y) = (short(text.x), short(text.y));
    let turn = if text.is_turned { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"{turn}>{}</text>",
        short(text.size),
        hex(text.colour),
        short(text.width()),
        escaped(&text.words)
    );
}

/// Hundredths of a point are enough.
fn short(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // No negative zero.
    (rounded + 0.0).to_string()
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]);
            out.push(if place <= three.len() { letter } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
        assert_eq!((short(-0.001), short(1.239)), ("0".to_owned(), "1.24".to_owned()));
        assert_eq!(escaped("a<b&\u{1}"), "a&lt;b& ".replace("& ", "&amp; "));
    }
}
