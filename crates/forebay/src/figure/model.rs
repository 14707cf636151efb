//! The content of a figure: panels of series of points, without sizes on paper.

use super::unit::Unit;

/// A figure.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// The title above the figure; empty for none, as in papers, which have captions.
    pub title: String,
    /// The field that distinguishes the series, such as `policy`; it heads their column in CSV.
    pub by: String,
    /// The panels, at least one.
    pub panels: Vec<Panel>,
    /// The names of series that are in no panel, but whose styles no series of the figure may have.
    pub others: Vec<String>,
    /// The number of panels in a row; [`None`] for as many as fit.
    pub across: Option<usize>,
}

/// A part of a figure, with axes of its own.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// The title above the panel.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis; in a heat map, the quantity of the shades.
    pub y: Axis,
    /// The series of the panel.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// The quantity of the axis, without its unit.
    pub title: String,
    /// The unit of the data.
    pub unit: Unit,
    /// Whether the axis is logarithmic; then only positive numbers are shown.
    pub is_logarithmic: bool,
    /// Names in place of numbers: a point at 2 is at the third name. Empty for numbers.
    pub names: Vec<String>,
}

/// A series of points, such as the points of a policy.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points in ascending order of x.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The position on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Half the width of the 95 % confidence interval of the value, if there is one.
    pub ci95: Option<f64>,
    /// The number of values from which the point is made.
    pub samples: usize,
}

impl Point {
    /// Creates a point from one number.
    #[must_use]
    pub fn of(x: f64, y: f64) -> Self {
        Self { x, y, ci95: None, samples: 1 }
    }
}

impl Axis {
    /// Creates a linear axis of numbers.
    #[must_use]
    pub fn linear(title: impl Into<String>, unit: Unit) -> Self {
        Self { title: title.into(), unit, ..Self::default() }
    }

    /// Creates a logarithmic axis of numbers.
    #[must_use]
    pub fn logarithmic(title: impl Into<String>, unit: Unit) -> Self {
        Self { is_logarithmic: true, ..Self::linear(title, unit) }
    }

    /// Creates an axis of names.
    #[must_use]
    pub fn named(title: impl Into<String>, names: Vec<String>) -> Self {
        Self { names, ..Self::linear(title, Unit::Plain) }
    }

    /// Returns whether the axis can show the number.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.is_logarithmic)
    }
}

impl Figure {
    /// Creates a figure without panels, with this title and this word for the field that distinguishes its series.
    #[must_use]
    pub fn titled(title: impl Into<String>, by: impl Into<String>) -> Self {
        Self { title: title.into(), by: by.into(), ..Self::default() }
    }

    /// Returns the panel with this title and these axes, and creates it if it does not exist.
    pub fn panel(&mut self, title: &str, [x, y]: [&Axis; 2]) -> &mut Panel {
        let known = self.panels.iter().position(|panel| panel.title == title && panel.x == *x && panel.y == *y);
        let place = known.unwrap_or_else(|| {
            let panel = Panel { title: title.to_owned(), x: x.clone(), y: y.clone(), series: Vec::new() };
            self.panels.push(panel);
            self.panels.len() - 1
        });
        &mut self.panels[place]
    }

    /// Returns the names of all series, each once, in their order.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }
}

impl Panel {
    /// Appends points to the series of this name, and creates it if it does not exist.
    pub fn add(&mut self, series: &str, points: impl IntoIterator<Item = Point>) {
        match self.series.iter_mut().find(|known| known.name == series) {
            Some(known) => known.points.extend(points),
            None => self.series.push(Series { name: series.to_owned(), points: points.into_iter().collect() }),
        }
    }

    /// Returns the points that the panel's axes can show.
    pub(crate) fn shown<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        series.points.iter().filter(|point| self.x.shows(point.x) && self.y.shows(point.y))
    }

    /// Returns all points that the panel's axes can show.
    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| self.shown(series))
    }
}
