//! The font of figures: a subset of DejaVu Sans Condensed. It is part of the program, so every machine draws the same picture and knows the
//! width of every text.

use super::scene::Step;
use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font as TrueType: Latin-1, Greek and signs.
pub(super) const TRUETYPE: &[u8] = include_bytes!("font/sans.ttf");
/// The font with ASCII and few signs, compressed for SVG.
pub(super) const WOFF2: &[u8] = include_bytes!("font/sans.woff2");

/// The font's name, and the replacement for programs that do not read fonts in SVG.
pub(super) const FAMILY: &str = "Forebay Sans";
pub(super) const FALLBACK: &str = "'DejaVu Sans Condensed', 'DejaVu Sans', Verdana, sans-serif";

/// The height of capitals and the depth of letters below the base line, over the font size.
pub(super) const CAP: f64 = 0.73;
pub(super) const DESCENT: f64 = 0.24;

static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(TRUETYPE, 0).expect("the font is part of the program"));

/// The font.
pub(super) fn face() -> &'static Face<'static> {
    &FACE
}

/// Returns the glyph of a letter; for a letter that the font lacks, the sign for a missing glyph.
pub(super) fn glyph(letter: char) -> GlyphId {
    face().glyph_index(letter).unwrap_or(GlyphId(0))
}

/// Returns the number of font units in the font size.
pub(super) fn units() -> f64 {
    f64::from(face().units_per_em())
}

/// Returns the width of a letter, over the font size.
pub(super) fn advance(letter: char) -> f64 {
    f64::from(face().glyph_hor_advance(glyph(letter)).unwrap_or(0)) / units()
}

/// Returns the width of a text at a font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// Returns the text, or the longest beginning of it that fits, with an ellipsis.
pub(super) fn shortened(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let candidate = format!("{}…", kept.trim_end());
        if width(&candidate, size) <= room {
            return candidate;
        }
    }
    String::new()
}

/// Returns the text in lines of this width, broken between words; at most `most` lines, of which the last may be shortened.
pub(super) fn wrapped(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let fits = |line: &String| width(&format!("{line} {word}"), size) <= room || lines.len() == most;
        match lines.last() {
            Some(line) if fits(line) => {
                let place = lines.len() - 1;
                lines[place] = format!("{} {word}", lines[place]);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| shortened(line, size, room)).collect()
}

/// Returns the outline of a letter at the origin and font size 1, with y downwards.
pub(super) fn outline(letter: char) -> Vec<Step> {
    let mut pen = Pen { steps: Vec::new(), scale: 1.0 / units(), at: (0.0, 0.0) };
    face().outline_glyph(glyph(letter), &mut pen);
    pen.steps
}

struct Pen {
    steps: Vec<Step>,
    scale: f64,
    /// Where it is, in units of the font.
    at: (f32, f32),
}

impl Pen {
    fn x(&self, x: f32) -> f64 {
        f64::from(x) * self.scale
    }

    fn y(&self, y: f32) -> f64 {
        -f64::from(y) * self.scale
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Move(self.x(x), self.y(y)));
        self.at = (x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Line(self.x(x), self.y(y)));
        self.at = (x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        // The cubic curve that is the same.
        let toward = |from: f32, control: f32| from + (control - from) * 2.0 / 3.0;
        let (x0, y0) = self.at;
        self.curve_to(toward(x0, x1), toward(y0, y1), toward(x, x1), toward(y, y1), x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let step = Step::Curve(self.x(x1), self.y(y1), self.x(x2), self.y(y2), self.x(x), self.y(y));
        self.steps.push(step);
        self.at = (x, y);
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // In units of the font, of which the font size has 2048.
        assert!((width("i", 2048.0) - 512.0).abs() < 1.0, "{}", width("i", 2048.0));
        assert!((width("m", 2048.0) - 1795.0).abs() < 1.0, "{}", width("m", 2048.0));
        assert_eq!(width("mi", 8.0), width("im", 8.0));
        assert!(!outline('m').is_empty() && outline(' ').is_empty());
    }

    #[test]
    fn long_texts_are_shortened_and_broken() {
        let room = width("a long text of", 8.0);
        assert_eq!(shortened("a long text", 8.0, room), "a long text");
        assert_eq!(shortened("a long text of words", 8.0, room), "a long text…");
        assert_eq!(wrapped("a long text of words", 8.0, room, 2), ["a long text of", "words"]);
        assert_eq!(wrapped("a long text of many more words here", 8.0, room, 2), ["a long text of", "many mor…"]);
        assert_eq!(shortened("x", 8.0, 0.1), "");
    }
}
