//! The content of a page: paths and texts in points, which every format writes in its own way.

use super::font;
use super::palette::Hatch;

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

pub(super) const WHITE: Colour = Colour(255, 255, 255);
/// The colour of texts and axes.
pub(super) const INK: Colour = Colour(38, 38, 38);
/// The colour of guide lines.
pub(super) const GRID: Colour = Colour(222, 222, 222);

/// A step of a path; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    Move(f64, f64),
    Line(f64, f64),
    /// A cubic curve: two control points and the end.
    Curve(f64, f64, f64, f64, f64, f64),
    Close,
}

/// The style of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// The lengths of dashes and gaps; none for a solid line.
    pub(super) dash: &'static [f64],
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    #[cfg(test)]
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The purpose of an item of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A guide for the eye: lines of a grid, axes and their ticks.
    Guide,
    /// Lines, markers and bars that represent data.
    Data,
    /// Samples of these in a legend.
    Legend,
}

/// Text on one line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    pub(super) words: String,
    /// The x coordinate at which the base line begins.
    pub(super) x: f64,
    pub(super) y: f64,
    /// The font size in points.
    pub(super) size: f64,
    /// Whether the text is vertical, to be read from below.
    pub(super) is_turned: bool,
    pub(super) colour: Colour,
}

impl Text {
    pub(super) fn width(&self) -> f64 {
        font::width(&self.words, self.size)
    }

    /// Returns the rectangle that the text covers.
    #[cfg(test)]
    pub(super) fn bounds(&self) -> Rect {
        let (up, down) = (font::CAP * self.size, font::DESCENT * self.size);
        if self.is_turned {
            Rect { left: self.x - up, right: self.x + down, top: self.y - self.width(), bottom: self.y }
        } else {
            Rect { left: self.x, right: self.x + self.width(), top: self.y - up, bottom: self.y + down }
        }
    }
}

/// A path that is filled, stroked or both.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path {
    pub(super) role: Role,
    pub(super) steps: Vec<Step>,
    pub(super) fill: Option<Colour>,
    pub(super) stroke: Option<Stroke>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Path(Path),
    Text(Text),
}

/// A page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    /// The width in points.
    pub(super) width: f64,
    pub(super) height: f64,
    /// The title, for programs that read aloud.
    pub(super) title: String,
    /// The items; later items cover earlier ones.
    pub(super) items: Vec<Item>,
}

impl Scene {
    pub(super) fn path(&mut self, path: Path) {
        self.items.push(Item::Path(path));
    }

    /// Draws a line through points.
    pub(super) fn line(&mut self, role: Role, points: &[(f64, f64)], stroke: Stroke) {
        let place =
            |(index, &(x, y)): (usize, &(f64, f64))| if index == 0 { Step::Move(x, y) } else { Step::Line(x, y) };
        let steps = points.iter().enumerate().map(place).collect();
        self.path(Path { role, steps, fill: None, stroke: Some(stroke) });
    }

    pub(super) fn rect(&mut self, role: Role, rect: Rect, fill: Option<Colour>, stroke: Option<Stroke>) {
        let Rect { left, top, right, bottom } = rect;
        let steps = vec![
            Step::Move(left, top),
            Step::Line(right, top),
            Step::Line(right, bottom),
            Step::Line(left, bottom),
            Step::Close,
        ];
        self.path(Path { role, steps, fill, stroke });
    }

    /// Draws white lines over a filled rectangle.
    pub(super) fn hatch(&mut self, role: Role, rect: Rect, hatch: Hatch) {
        const APART: f64 = 3.2;
        let stroke = Stroke { colour: WHITE, width: 0.8, dash: &[] };
        let Rect { left, right, top, bottom } = rect;
        if matches!(hatch, Hatch::Rising | Hatch::Crossed) {
            // Lines on which x + y is a multiple of the distance.
            let mut sum = ((left + top) / APART).ceil() * APART;
            while sum < right + bottom {
                let (from, to) = (left.max(sum - bottom), right.min(sum - top));
                self.line(role, &[(from, sum - from), (to, sum - to)], stroke);
                sum += APART;
            }
        }
        if matches!(hatch, Hatch::Falling | Hatch::Crossed) {
            // The same of x - y.
            let mut difference = ((left - bottom) / APART).ceil() * APART;
            while difference < right - top {
                let (from, to) = (left.max(difference + top), right.min(difference + bottom));
                self.line(role, &[(from, from - difference), (to, to - difference)], stroke);
                difference += APART;
            }
        }
    }

    /// Draws a text whose start (0), middle (0.5) or end (1) is at `x`, on the base line `y`.
    pub(super) fn text(&mut self, words: &str, x: f64, y: f64, size: f64, anchor: f64) {
        self.coloured(words, (x, y), size, anchor, INK);
    }

    /// Draws a text as [`text`](Self::text), in a colour.
    pub(super) fn coloured(&mut self, words: &str, (x, y): (f64, f64), size: f64, anchor: f64, colour: Colour) {
        if !words.is_empty() {
            let x = x - anchor * font::width(words, size);
            self.items.push(Item::Text(Text { words: words.to_owned(), x, y, size, is_turned: false, colour }));
        }
    }

    /// Draws a text that is read from below, whose start (0), middle (0.5) or end (1) is at `y`, and whose base line is at `x`.
    pub(super) fn turned(&mut self, words: &str, x: f64, y: f64, size: f64, anchor: f64) {
        if !words.is_empty() {
            let y = y + anchor * font::width(words, size);
            let text = Text { words: words.to_owned(), x, y, size, is_turned: true, colour: INK };
            self.items.push(Item::Text(text));
        }
    }

    /// Returns all texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Text> {
        self.items.iter().filter_map(|item| if let Item::Text(text) = item { Some(text) } else { None })
    }
}
