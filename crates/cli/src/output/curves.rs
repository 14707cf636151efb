//! A picture of several lines.

use super::plot::COLOURS;
use crate::error::{Result, UserError};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::full_palette as colour;

const SIZE: (u32, u32) = (900, 480);
/// Room on the right of the plot per letter of the longest label, and beside it.
const LETTER: u32 = 6;
const BESIDE_LABEL: u32 = 40;

/// One line with its label.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// An axis with its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis<'a> {
    text: &'a str,
    /// Values that are not positive are left out.
    logarithmic: bool,
}

impl<'a> Axis<'a> {
    /// From 0 or the least value, what is less, to the greatest.
    pub(crate) fn linear(text: &'a str) -> Self {
        Self { text, logarithmic: false }
    }

    /// From the least value to the greatest.
    pub(crate) fn logarithmic(text: &'a str) -> Self {
        Self { text, logarithmic: true }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.logarithmic)
    }

    /// The least and greatest of the values, with some room beyond.
    fn range(&self, values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
        let least = values.clone().reduce(f64::min);
        let greatest = values.reduce(f64::max);
        let (least, greatest) = (least.unwrap_or(1.0), greatest.unwrap_or(10.0));
        if self.logarithmic {
            least * 0.8..(greatest * 1.2).max(least * 2.0)
        } else {
            let (least, greatest) = (least.min(0.0), greatest.max(0.0));
            let room = if least < 0.0 || greatest == 0.0 { (greatest - least).max(1.0) * 0.05 } else { 0.0 };
            let below = if least < 0.0 { least - room } else { 0.0 };
            below..greatest + room.max((greatest - least) * 0.02)
        }
    }
}

/// Draws the lines as SVG, `axes` are x and y.
pub(crate) fn svg(title: &str, axes: [Axis<'_>; 2], curves: &[Curve]) -> Result<String> {
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        draw(&root, title, axes, curves)
            .map_err(|error| UserError::new(format!("the plot cannot be drawn: {error}")))?;
    }
    Ok(out)
}

type DrawResult<'a> = std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    title: &str,
    axes: [Axis<'_>; 2],
    curves: &[Curve],
) -> DrawResult<'a> {
    root.fill(&WHITE)?;
    let [x, y] = axes;
    let points = curves.iter().flat_map(|curve| &curve.points).filter(|(a, b)| x.shows(*a) && y.shows(*b));
    let x_range = x.range(points.clone().map(|(a, _)| *a));
    let y_range = y.range(points.map(|(_, b)| *b));
    match (x.logarithmic, y.logarithmic) {
        (false, false) => lines(root, title, axes, x_range, y_range, curves),
        (false, true) => lines(root, title, axes, x_range, y_range.log_scale(), curves),
        (true, false) => lines(root, title, axes, x_range.log_scale(), y_range, curves),
        (true, true) => lines(root, title, axes, x_range.log_scale(), y_range.log_scale(), curves),
    }
}

fn lines<'a, X: AsRangedCoord<Value = f64>, Y: AsRangedCoord<Value = f64>>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    title: &str,
    axes: [Axis<'_>; 2],
    x_range: X,
    y_range: Y,
    curves: &[Curve],
) -> DrawResult<'a>
where
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let [x, y] = axes;
    let longest = curves.iter().map(|curve| curve.label.len()).max().unwrap_or(0);
    let beside = u32::try_from(longest).unwrap_or(u32::MAX).saturating_mul(LETTER).saturating_add(BESIDE_LABEL);
    // Where labels are long, they stand beside the lines and not on them.
    let (plot, legend) = root.split_horizontally(SIZE.0.saturating_sub(beside).max(SIZE.0 / 2));
    let mut chart = ChartBuilder::on(&plot)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(60)
        .build_cartesian_2d(x_range, y_range)?;
    chart
        .configure_mesh()
        .x_desc(x.text)
        .x_label_formatter(&|x| rounded(*x))
        .y_label_formatter(&|y| rounded(*y))
        .y_desc(y.text)
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    let mut row = 40;
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let style = colour.stroke_width(2);
        let points = curve.points.iter().copied().filter(|(a, b)| x.shows(*a) && y.shows(*b));
        chart.draw_series(LineSeries::new(points, style))?;
        legend.draw(&PathElement::new([(4, row), (24, row)], style))?;
        legend.draw(&Text::new(curve.label.clone(), (30, row - 6), ("sans-serif", 13)))?;
        row += 20;
    }
    root.present()
}

/// Without the digits that floats add: 0.3 and not 0.30000000000000004.
fn rounded(value: f64) -> String {
    let near = (value * 1e6).round() / 1e6;
    if near == 0.0 && value.abs() > 1e-12 { format!("{value}") } else { format!("{near}") }
}
