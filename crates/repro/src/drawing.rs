//! Figures of measurements, each with a file of its numbers.

use crate::Measured;
use forebay::error::Result;
use forebay::figure::{Axis, Figure, Point, Unit};
use forebay::picture::Picture;

/// Pairs of x and y under a label.
pub(crate) type Line = (String, Vec<(f64, f64)>);

impl Measured {
    /// Adds a figure and its numbers, `NAME.svg` and `NAME.data.csv`.
    pub(crate) fn draw(&mut self, name: &str, kind: &'static str, figure: Figure) -> Result<()> {
        self.add(&Picture::new(name, kind, figure))
    }

    /// Adds a picture and its numbers.
    pub(crate) fn add(&mut self, picture: &Picture) -> Result<()> {
        for (name, bytes) in picture.files()? {
            self.files.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
        Ok(())
    }
}

/// Points without intervals.
pub(crate) fn points(pairs: impl IntoIterator<Item = (f64, f64)>) -> impl Iterator<Item = Point> {
    pairs.into_iter().map(|(x, y)| Point::of(x, y))
}

/// A figure of one panel.
pub(crate) fn one_panel(title: &str, axes: [&Axis; 2], lines: impl IntoIterator<Item = Line>) -> Figure {
    let mut figure = Figure::titled(title, "line");
    for (label, pairs) in lines {
        figure.panel("", axes).add(&label, points(pairs));
    }
    figure
}

/// Adds a point to the line of a label.
pub(crate) fn add(lines: &mut Vec<Line>, label: String, point: (f64, f64)) {
    match lines.iter_mut().find(|(known, _)| *known == label) {
        Some((_, points)) => points.push(point),
        None => lines.push((label, vec![point])),
    }
}

/// Returns a unit without prefixes, such as that of a count.
pub(crate) fn unit(name: &str) -> Unit {
    Unit::Count(name.to_owned())
}
