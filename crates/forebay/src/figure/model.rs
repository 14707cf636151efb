//! The content of a figure: panels of series of points, without measures on paper.

use super::unit::Unit;

/// A figure.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// Stands above the figure; empty for none, as in papers, which have captions.
    pub title: String,
    /// The field that series differ in, such as `policy`; it heads their column in CSV.
    pub by: String,
    /// At least one.
    pub panels: Vec<Panel>,
    /// Names of series that are in no panel, but whose looks no series of the figure may have.
    pub others: Vec<String>,
    /// So many panels stand side by side; [`None`] for as many as have room.
    pub across: Option<usize>,
}

/// A part of a figure, with axes of its own.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// Stands above the panel.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis; in a heat map, what the shades stand for.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// Its quantity, without its unit.
    pub title: String,
    /// The unit of the data.
    pub unit: Unit,
    /// Whether equal distances are equal ratios; then only positive numbers are shown.
    pub is_logarithmic: bool,
    /// Names instead of numbers: a point at 2 is at the third of them. Empty for numbers.
    pub names: Vec<String>,
}

/// Points that belong together, such as those of a policy.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// In ascending order of x.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The place on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Half the width of the 95 % confidence interval of the value, if there is one.
    pub ci95: Option<f64>,
    /// How many numbers it is made of.
    pub samples: usize,
}

impl Point {
    /// A point of one number.
    #[must_use]
    pub fn of(x: f64, y: f64) -> Self {
        Self { x, y, ci95: None, samples: 1 }
    }
}

impl Axis {
    /// A linear axis of numbers.
    #[must_use]
    pub fn linear(title: impl Into<String>, unit: Unit) -> Self {
        Self { title: title.into(), unit, ..Self::default() }
    }

    /// A logarithmic axis of numbers.
    #[must_use]
    pub fn logarithmic(title: impl Into<String>, unit: Unit) -> Self {
        Self { is_logarithmic: true, ..Self::linear(title, unit) }
    }

    /// An axis of names.
    #[must_use]
    pub fn named(title: impl Into<String>, names: Vec<String>) -> Self {
        Self { names, ..Self::linear(title, Unit::Plain) }
    }

    /// Whether it has a place for the number.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.is_logarithmic)
    }
}

impl Figure {
    /// A figure without panels, with this title and this word for what its series are.
    #[must_use]
    pub fn titled(title: impl Into<String>, by: impl Into<String>) -> Self {
        Self { title: title.into(), by: by.into(), ..Self::default() }
    }

    /// The panel with this title and these axes, which is made where there is none.
    pub fn panel(&mut self, title: &str, [x, y]: [&Axis; 2]) -> &mut Panel {
        let known = self.panels.iter().position(|panel| panel.title == title && panel.x == *x && panel.y == *y);
        let place = known.unwrap_or_else(|| {
            let panel = Panel { title: title.to_owned(), x: x.clone(), y: y.clone(), series: Vec::new() };
            self.panels.push(panel);
            self.panels.len() - 1
        });
        &mut self.panels[place]
    }

    /// The names of all series, each once, in their order.
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
    /// Adds points at the end of the series of this name, which is made where there is none.
    pub fn add(&mut self, series: &str, points: impl IntoIterator<Item = Point>) {
        match self.series.iter_mut().find(|known| known.name == series) {
            Some(known) => known.points.extend(points),
            None => self.series.push(Series { name: series.to_owned(), points: points.into_iter().collect() }),
        }
    }

    /// The points that its axes have places for.
    pub(crate) fn shown<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        series.points.iter().filter(|point| self.x.shows(point.x) && self.y.shows(point.y))
    }

    /// All of these.
    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| self.shown(series))
    }
}
