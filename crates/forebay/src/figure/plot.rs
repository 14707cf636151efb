//! The interface of a kind of plot: its points, its axes, and its drawing.

use super::model::{Axis, Figure, Panel, Point, Series};
use super::palette::Style;
use super::scale::{How, Range, Scale};
use super::scene::{Rect, Scene};
use crate::statistics::mean_and_ci95;
use forebay_core::{About, Exactness, Named};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A kind of plot: an entry of the registry.
pub struct Kind {
    pub(super) about: About,
    pub(super) plot: &'static dyn Plot,
}

impl Kind {
    /// Creates a kind of plot with this name and this drawing.
    pub(super) const fn new(
        name: &'static str,
        title: &'static str,
        cost: &'static str,
        plot: &'static dyn Plot,
    ) -> Self {
        let exactness = Exactness::NotApplicable;
        let about = About { name, title, exactness, hardware: "none", cost, source: "docs/figures.md", params: &[] };
        Self { about, plot }
    }

    /// Returns the points of a series from its numbers, x and y, in ascending order of x.
    pub(crate) fn points(&self, samples: &[(f64, f64)]) -> Vec<Point> {
        self.plot.gather(samples)
    }

    /// Returns whether the horizontal axis shows the metric itself.
    pub(crate) fn needs_no_x(&self) -> bool {
        self.plot.has_values_below()
    }
}

impl Named for Kind {
    fn about(&self) -> &About {
        &self.about
    }
}

/// The functions of a kind of plot.
pub(super) trait Plot: Sync {
    /// The points of a series from its numbers, x and y, in ascending order of x: means with their intervals, if the kind does not
    /// say otherwise.
    fn gather(&self, samples: &[(f64, f64)]) -> Vec<Point> {
        means(samples)
    }

    /// Whether the plot needs no field for its horizontal axis, since it is that of the metric.
    fn has_values_below(&self) -> bool {
        false
    }

    /// Whether the horizontal axis has names, also where they are numbers.
    fn wants_names(&self) -> bool {
        false
    }

    /// Returns the axes of a panel that is `room` points wide.
    fn sides(&self, figure: &Figure, panel: &Panel, room: f64, size: f64) -> Sides;

    /// Draws the data of a panel.
    fn draw(&self, area: &Area<'_>, scene: &mut Scene);

    /// The sign before a name in the legend.
    fn swatch(&self) -> Swatch;

    /// The height of a plot, where it is not for the page to say.
    fn height(&self, _figure: &Figure, _panel: &Panel, _room: f64, _size: f64) -> Option<f64> {
        None
    }

    /// The layers of a Vega-Lite view: marks, with what their encoding adds to that of all kinds.
    fn vega(&self) -> Vec<Value>;
}

/// The sample before a name in a legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swatch {
    /// A line with a marker.
    Marked,
    Line,
    Box,
    /// There is no legend.
    None,
}

/// The axes of a panel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sides {
    pub(super) x: Side,
    pub(super) y: Side,
    /// The scale of the shades.
    pub(super) shades: Option<Side>,
}

/// One axis of a panel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub(super) axis: Axis,
    pub(super) range: Range,
    /// The space in points before the least and after the greatest number.
    pub(super) pad: (f64, f64),
    /// The numbers that should have ticks.
    pub(super) wanted: Vec<f64>,
}

impl Side {
    /// Creates an axis over these numbers.
    pub(super) fn over(axis: &Axis, range: Option<Range>, pad: f64) -> Self {
        let range = range.unwrap_or(if axis.is_logarithmic {
            Range { low: 1.0, high: 10.0 }
        } else {
            Range { low: 0.0, high: 1.0 }
        });
        Self { axis: axis.clone(), range, pad: (pad, pad), wanted: Vec::new() }
    }

    /// Creates an axis with a slot for each name.
    pub(super) fn slots(axis: &Axis) -> Self {
        let range = Range { low: -0.5, high: axis.names.len().max(1) as f64 - 0.5 };
        Self { axis: axis.clone(), range, pad: (0.0, 0.0), wanted: Vec::new() }
    }

    pub(super) fn how(&self) -> How {
        match self.axis.is_logarithmic {
            _ if !self.axis.names.is_empty() => How::Slots,
            true => How::Logarithmic,
            false => How::Linear,
        }
    }

    /// Returns the scale between two positions on paper.
    pub(super) fn scale(&self, from: f64, to: f64) -> Scale {
        let how = self.how();
        let range = if how == How::Slots { self.range } else { self.range.widened(how == How::Logarithmic) };
        let toward = if to > from { 1.0 } else { -1.0 };
        Scale { how, low: range.low, high: range.high, from: from + toward * self.pad.0, to: to - toward * self.pad.1 }
    }
}

/// The area in which a panel is drawn.
pub(super) struct Area<'a> {
    pub(super) panel: &'a Panel,
    pub(super) rect: Rect,
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) shades: Option<Scale>,
    pub(super) styles: &'a BTreeMap<String, Style>,
    /// The font size.
    pub(super) size: f64,
}

impl Area<'_> {
    pub(super) fn style(&self, series: &Series) -> Style {
        self.styles.get(&series.name).copied().unwrap_or_default()
    }
}

/// The space for a marker at the end of an axis.
pub(super) const MARGIN: f64 = 4.0;

/// Returns the axes of points: from the least x to the greatest, and y from zero if it is near.
pub(super) fn sides_of_points(panel: &Panel, pad: f64) -> Sides {
    let mut x = if panel.x.names.is_empty() {
        Side::over(&panel.x, Range::of(panel.points().map(|point| point.x)), pad)
    } else {
        Side::slots(&panel.x)
    };
    x.wanted = panel.points().map(|point| point.x).collect();
    x.wanted.sort_by(f64::total_cmp);
    x.wanted.dedup();
    Sides { x, y: side_of_values(panel), shades: None }
}

/// Returns the axis of values with their intervals.
pub(super) fn side_of_values(panel: &Panel) -> Side {
    let mut y = Side::over(&panel.y, range_of_values(panel), MARGIN);
    if !panel.y.is_logarithmic {
        y.range = y.range.with_near_zero();
        if y.range.low == 0.0 {
            y.pad.0 = 0.0;
        }
    }
    y
}

/// Returns the range of the values with their intervals that the axis shows.
pub(super) fn range_of_values(panel: &Panel) -> Option<Range> {
    let ends = |point: &Point| {
        let ci95 = point.ci95.unwrap_or(0.0);
        [point.y, point.y - ci95, point.y + ci95]
    };
    Range::of(panel.points().flat_map(ends).filter(|value| panel.y.shows(*value)))
}

/// Returns the mean of all numbers with the same x, and its interval.
pub(super) fn means(samples: &[(f64, f64)]) -> Vec<Point> {
    let of_x = samples.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq());
    let point = |same: &[(f64, f64)]| {
        let (mean, ci95) = mean_and_ci95(same.iter().map(|(_, y)| *y));
        Some(Point { x: same.first()?.0, y: mean?, ci95: ci95.filter(|ci95| ci95.is_finite()), samples: same.len() })
    };
    of_x.filter_map(point).collect()
}

/// Returns the layers of lines with markers and intervals.
pub(super) fn vega_points(line: &Value) -> Vec<Value> {
    let interval = json!({"mark": {"type": "rule"}, "encoding": {"y": {"field": "low"}, "y2": {"field": "high"}}});
    vec![interval, json!({ "mark": line })]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_the_same_x_have_one_mean() {
        let points = means(&[(1.0, 2.0), (1.0, 4.0), (2.0, 5.0)]);
        assert_eq!((points[0].y, points[0].samples, points[1]), (3.0, 2, Point::of(2.0, 5.0)));
        assert!((points[0].ci95.unwrap() - 12.706).abs() < 0.01, "{points:?}");
    }
}
