//! A picture of several lines.

use super::plot::COLOURS;
use crate::error::{Result, UserError};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colour;

const SIZE: (u32, u32) = (900, 480);

/// One line with its label.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Draws the lines as SVG: `x` from zero, `y` on a logarithmic scale, on which values
/// that are not positive are left out.
pub(crate) fn svg(title: &str, x: &str, y: &str, curves: &[Curve]) -> Result<String> {
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        draw(&root, title, x, y, curves)
            .map_err(|error| UserError::new(format!("the plot cannot be drawn: {error}")))?;
    }
    Ok(out)
}

type DrawResult<'a> = std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    title: &str,
    x: &str,
    y: &str,
    curves: &[Curve],
) -> DrawResult<'a> {
    root.fill(&WHITE)?;
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|(_, y)| *y > 0.0);
    let x_max = points().map(|(x, _)| *x).fold(1.0, f64::max);
    let least = points().map(|(_, y)| *y).reduce(f64::min).unwrap_or(1.0);
    let greatest = points().map(|(_, y)| *y).reduce(f64::max).unwrap_or(10.0);
    let y_range = least * 0.8..(greatest * 1.2).max(least * 2.0);
    let mut chart = ChartBuilder::on(root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..x_max, y_range.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x)
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{y}"))
        .y_desc(y)
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let style = colour.stroke_width(2);
        chart
            .draw_series(LineSeries::new(curve.points.iter().copied().filter(|(_, y)| *y > 0.0), style))?
            .label(&curve.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(colour::GREY_300)
        .label_font(("sans-serif", 13))
        .draw()?;
    root.present()
}
