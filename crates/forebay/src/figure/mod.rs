//! Figures: one layout for every picture of forebay. It knows the width of each text, and no two texts overlap.
//!
//! A [`Figure`] is data: panels of series of points. A kind of plot (one file and one line in `kind/`) draws it, and a format (one
//! file and one line in `format/`) writes it. A policy has one colour, one dash and one marker in all figures.
//!
//! ```
//! use forebay::figure::{Axis, Figure, Page, Panel, Point, Series, Unit};
//!
//! let fifo = Series { name: "FIFO".to_owned(), points: vec![Point::of(0.5, 2e-5), Point::of(0.9, 4e-4)] };
//! let panel = Panel {
//!     x: Axis::linear("load", Unit::Plain),
//!     y: Axis::logarithmic("mean delay", Unit::Seconds),
//!     series: vec![fifo],
//!     ..Panel::default()
//! };
//! let figure = Figure { by: "policy".to_owned(), panels: vec![panel], ..Figure::default() };
//! let svg = figure.draw("lines", &Page::one_column(), "svg")?;
//! assert!(svg.starts_with(b"<svg") && figure.draw("lines", &Page::one_column(), "pdf")?.starts_with(b"%PDF"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod axes;
mod drawing;
mod font;
#[path = "format/registry.rs"]
mod format;
#[path = "kind/registry.rs"]
mod kind;
mod layout;
mod legend;
mod marker;
mod model;
mod names;
mod page;
mod palette;
mod plot;
mod scale;
mod scene;
#[cfg(test)]
mod tests;
mod ticks;
mod unit;

use crate::error::{Result, UserError};
use drawing::Drawing;
pub use drawing::Format;
use forebay_core::registry::{find, suggest};
pub use format::FORMATS;
pub use kind::KINDS;
pub use model::{Axis, Figure, Panel, Point, Series};
pub use page::Page;
pub(crate) use palette::styles;
pub use plot::Kind;
pub(crate) use scene::Colour;
pub use unit::Unit;

/// Returns the points that a kind of plot makes of numbers, x and y, in ascending order of x; if there is no such kind, the points that
/// `lines` makes.
pub(crate) fn gather(kind: &str, samples: &[(f64, f64)]) -> Vec<Point> {
    KINDS
        .iter()
        .find(|known| known.about.name == kind)
        .map_or_else(|| plot::means(samples), |kind| kind.points(samples))
}

impl Figure {
    /// Draws the figure as a kind of plot, in the format whose files end in `ending`: `svg`, `pdf`, `png`, `json` (Vega-Lite) or `csv` (the
    /// plotted numbers).
    ///
    /// # Errors
    /// If there is no such kind or format, or the picture cannot be written.
    pub fn draw(&self, kind: &str, page: &Page, ending: &str) -> Result<Vec<u8>> {
        let kind = find("kind of plot", KINDS, kind).map_err(|error| UserError::argument("kind", error.to_string()))?;
        let endings = || FORMATS.iter().map(|format| format.ending);
        let format = FORMATS.iter().find(|format| format.ending == ending).ok_or_else(|| {
            UserError::argument("out", format!("unknown format `{ending}`{}", suggest(ending, endings())))
        })?;
        (format.write)(&Drawing { figure: self, kind, page: *page })
    }
}
