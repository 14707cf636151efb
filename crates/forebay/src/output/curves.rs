//! A picture of several lines, or of several panels of them.
//!
//! ```
//! use forebay::output::curves::{self, Axis, Curve};
//!
//! let fifo = Curve { label: "fifo".to_owned(), points: vec![(0.1, 20.0), (0.5, 90.0), (0.9, 4000.0)] };
//! let axes = [Axis::linear("load"), Axis::logarithmic("delay (ns)")];
//! let picture = curves::svg("Delay by load", axes, &[fifo])?;
//! assert!(picture.starts_with("<svg") && picture.contains("Delay by load"));
//! # Ok::<(), forebay::UserError>(())
//! ```

use super::folder::plot_error;
use super::plot::{COLOURS, DrawResult};
use crate::error::Result;
use forebay_core::convert::saturate;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::full_palette as colour;

/// Of one panel with its legend.
const SIZE: (u32, u32) = (900, 480);
/// Of one of several panels, of which so many stand side by side.
const PANEL: (u32, u32) = (520, 380);
const SIDE_BY_SIDE: usize = 2;
/// What the title of several panels takes.
const HEADING: u32 = 30;
/// Room on the right of the plot per letter of the longest label, and beside it.
const LETTER: u32 = 6;
const BESIDE_LABEL: u32 = 40;
/// Where the legend begins, and how far its labels are apart.
const FIRST_LABEL: i32 = 20;
const LABEL_HEIGHT: i32 = 20;

/// One line with its label.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The name of the curve.
    pub label: String,
    /// Its points: x and y.
    pub points: Vec<(f64, f64)>,
}

/// Lines in axes of their own; the title says what is special about them.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Stands above the panel.
    pub title: String,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// An axis with its text.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    text: &'a str,
    /// Values that are not positive are left out.
    logarithmic: bool,
    /// From a power of ten.
    whole_powers: bool,
    /// How a value is written.
    format: fn(f64) -> String,
}

impl<'a> Axis<'a> {
    /// From 0 or the least value, what is less, to the greatest.
    pub fn linear(text: &'a str) -> Self {
        Self { text, logarithmic: false, whole_powers: false, format: number }
    }

    /// From the least value to the greatest.
    pub fn logarithmic(text: &'a str) -> Self {
        Self { text, logarithmic: true, whole_powers: false, format: number }
    }

    /// From a power of ten on, if it is logarithmic: labels begin at one, and within a decade there might be none.
    pub fn whole_powers(self) -> Self {
        Self { whole_powers: true, ..self }
    }

    /// With values written so.
    pub fn labelled(self, format: fn(f64) -> String) -> Self {
        Self { format, ..self }
    }

    /// What stands at a value. Within a decade of a logarithmic axis, labels of all digits
    /// would stand in each other's way.
    fn label(&self, value: f64) -> String {
        let digits = format!("{value:.3e}");
        let is_labelled = ["1.000e", "2.000e", "5.000e"].iter().any(|start| digits.starts_with(start));
        if self.logarithmic && !is_labelled { String::new() } else { (self.format)(value) }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.logarithmic)
    }

    /// The least and greatest of the values, with some room beyond.
    fn range(&self, values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
        let least = values.clone().reduce(f64::min);
        let greatest = values.reduce(f64::max);
        let (least, greatest) = (least.unwrap_or(1.0), greatest.unwrap_or(10.0));
        if self.logarithmic && self.whole_powers {
            // A little less, so that rounding does not lose its label.
            10_f64.powf(least.log10().floor()) * 0.999..(greatest * 1.2).max(least * 2.0)
        } else if self.logarithmic {
            least * 0.8..(greatest * 1.2).max(least * 2.0)
        } else {
            let (least, greatest) = (least.min(0.0), greatest.max(0.0));
            let room = if least < 0.0 || greatest == 0.0 { (greatest - least).max(1.0) * 0.05 } else { 0.0 };
            let below = if least < 0.0 { least - room } else { 0.0 };
            below..greatest + room.max((greatest - least) * 0.02)
        }
    }
}

/// Without the digits that floats add: 0.3 and not 0.30000000000000004.
fn number(value: f64) -> String {
    if value.abs() < 1e-12 {
        return "0".to_owned();
    }
    let rounded = format!("{value:.6e}").parse::<f64>();
    rounded.unwrap_or(value).to_string()
}

/// Draws the lines as SVG, `axes` are x and y.
pub fn svg(title: &str, axes: [Axis<'_>; 2], curves: &[Curve]) -> Result<String> {
    panels(title, axes, &[Panel { title: String::new(), curves: curves.to_vec() }])
}

/// Draws the panels as SVG under one title and with one legend: a label has one colour.
pub fn panels(title: &str, axes: [Axis<'_>; 2], panels: &[Panel]) -> Result<String> {
    let placed: Vec<Placed<'_>> = panels.iter().map(|panel| (axes, panel)).collect();
    draw_all(title, panels.len().clamp(1, SIDE_BY_SIDE), &placed)
}

/// As [`panels`], in rows of the same number of panels, each row with axes of its own.
pub fn grid(title: &str, rows: &[([Axis<'_>; 2], Vec<Panel>)]) -> Result<String> {
    let placed: Vec<Placed<'_>> =
        rows.iter().flat_map(|(axes, panels)| panels.iter().map(|panel| (*axes, panel))).collect();
    draw_all(title, rows.iter().map(|(_, panels)| panels.len()).max().unwrap_or(1).max(1), &placed)
}

/// As [`panels`], in rows of so many panels, each panel with axes of its own.
pub fn mixed(title: &str, columns: usize, panels: &[([Axis<'_>; 2], Panel)]) -> Result<String> {
    let placed: Vec<Placed<'_>> = panels.iter().map(|(axes, panel)| (*axes, panel)).collect();
    draw_all(title, columns, &placed)
}

/// A panel with its axes.
type Placed<'a> = ([Axis<'a>; 2], &'a Panel);

fn draw_all(title: &str, columns: usize, panels: &[Placed<'_>]) -> Result<String> {
    let mut labels: Vec<&str> = Vec::new();
    for curve in panels.iter().flat_map(|(_, panel)| &panel.curves) {
        if !labels.contains(&curve.label.as_str()) {
            labels.push(&curve.label);
        }
    }
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let legend = saturate::<u32>(longest).saturating_mul(LETTER).saturating_add(BESIDE_LABEL);
    let rows = panels.len().div_ceil(columns).max(1);
    let size = if panels.len() > 1 {
        let times = |length: u32, count: usize| length.saturating_mul(saturate(count));
        (times(PANEL.0, columns).saturating_add(legend), times(PANEL.1, rows).saturating_add(HEADING))
    } else {
        SIZE
    };
    let labels_end =
        i32::try_from(labels.len()).map_or(i32::MAX, |count| FIRST_LABEL + count.saturating_mul(LABEL_HEIGHT));
    let size = (size.0, size.1.max(HEADING.saturating_add_signed(labels_end)));
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, size).into_drawing_area();
        root.fill(&WHITE).map_err(plot_error)?;
        // Where labels are long, they stand beside the lines and not on them.
        let plot = size.0.saturating_sub(legend).max(size.0 / 2);
        let drawn = root.titled(title, ("sans-serif", 18)).and_then(|root| {
            let (plot, legend) = root.split_horizontally(plot);
            draw(&plot, (rows, columns), panels, &labels)?;
            draw_legend(&legend, &labels)?;
            root.present()
        });
        drawn.map_err(plot_error)?;
    }
    Ok(out)
}

fn draw<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    grid: (usize, usize),
    panels: &[Placed<'_>],
    labels: &[&str],
) -> DrawResult<'a> {
    for (area, (axes, panel)) in area.split_evenly(grid).iter().zip(panels) {
        draw_panel(area, *axes, panel, labels)?;
    }
    Ok(())
}

fn draw_legend<'a>(area: &DrawingArea<SVGBackend<'a>, Shift>, labels: &[&str]) -> DrawResult<'a> {
    for ((row, label), colour) in (0..).zip(labels).zip(COLOURS.iter().cycle()) {
        let y = FIRST_LABEL + row * LABEL_HEIGHT;
        area.draw(&PathElement::new([(4, y), (24, y)], colour.stroke_width(2)))?;
        area.draw(&Text::new((*label).to_owned(), (30, y - 6), ("sans-serif", 13)))?;
    }
    Ok(())
}

fn draw_panel<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    axes: [Axis<'_>; 2],
    panel: &Panel,
    labels: &[&str],
) -> DrawResult<'a> {
    let [x, y] = axes;
    let points = panel.curves.iter().flat_map(|curve| &curve.points).filter(|(a, b)| x.shows(*a) && y.shows(*b));
    let x_range = x.range(points.clone().map(|(a, _)| *a));
    let y_range = y.range(points.map(|(_, b)| *b));
    match (x.logarithmic, y.logarithmic) {
        (false, false) => lines(area, axes, x_range, y_range, panel, labels),
        (false, true) => lines(area, axes, x_range, y_range.log_scale(), panel, labels),
        (true, false) => lines(area, axes, x_range.log_scale(), y_range, panel, labels),
        (true, true) => lines(area, axes, x_range.log_scale(), y_range.log_scale(), panel, labels),
    }
}

fn lines<'a, X: AsRangedCoord<Value = f64>, Y: AsRangedCoord<Value = f64>>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    axes: [Axis<'_>; 2],
    x_range: X,
    y_range: Y,
    panel: &Panel,
    labels: &[&str],
) -> DrawResult<'a>
where
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let [x, y] = axes;
    let mut builder = ChartBuilder::on(area);
    if !panel.title.is_empty() {
        builder.caption(&panel.title, ("sans-serif", 15));
    }
    let mut chart =
        builder.margin(12).x_label_area_size(42).y_label_area_size(70).build_cartesian_2d(x_range, y_range)?;
    chart
        .configure_mesh()
        .x_desc(x.text)
        .x_label_formatter(&|value| x.label(*value))
        .y_label_formatter(&|value| y.label(*value))
        .y_desc(y.text)
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    for curve in &panel.curves {
        let place = labels.iter().position(|label| *label == curve.label).unwrap_or(0);
        let style = COLOURS[place % COLOURS.len()].stroke_width(2);
        let points = curve.points.iter().copied().filter(|(a, b)| x.shows(*a) && y.shows(*b));
        chart.draw_series(LineSeries::new(points, style))?;
    }
    Ok(())
}
