//! A picture of bars, panel below panel.

use super::folder::plot_error;
use super::plot::{COLOURS, DrawResult};
use crate::error::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colour;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: u32 = 900;
const BAR_HEIGHT: u32 = 26;
/// What a panel has above and below its bars.
const AROUND: u32 = 100;
/// What the title takes.
const HEADING: u32 = 40;
/// Room on the left per letter of the longest label.
const LETTER: u32 = 8;
const MOST_LETTERS: u32 = 40;

/// Bars of one quantity.
pub(crate) struct BarPanel {
    /// Stands above the picture.
    pub(crate) title: String,
    /// The label of the axis.
    pub(crate) axis: &'static str,
    /// How a value is written.
    pub(crate) format: fn(f64) -> String,
    /// From left to right.
    pub(crate) bars: Vec<Bar>,
}

/// One value.
pub(crate) struct Bar {
    /// The name of the bar.
    pub(crate) label: String,
    /// How high it is.
    pub(crate) value: f64,
    /// Whether it is there to compare with; drawn paler.
    pub(crate) is_reference: bool,
}

/// Draws the panels as SVG under one title.
pub(crate) fn bars(title: &str, panels: &[BarPanel]) -> Result<String> {
    let height = |panel: &BarPanel| AROUND + BAR_HEIGHT * u32::try_from(panel.bars.len()).unwrap_or(1);
    let all = panels.iter().map(height).fold(HEADING, u32::saturating_add).max(AROUND);
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, (WIDTH, all)).into_drawing_area();
        draw(&root, title, panels, height).map_err(plot_error)?;
    }
    Ok(out)
}

fn draw<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    title: &str,
    panels: &[BarPanel],
    height: impl Fn(&BarPanel) -> u32,
) -> DrawResult<'a> {
    root.fill(&WHITE)?;
    let mut rest = root.titled(title, ("sans-serif", 18))?;
    for panel in panels {
        let (area, below) = rest.split_vertically(height(panel));
        draw_panel(&area, panel)?;
        rest = below;
    }
    root.present()
}

fn draw_panel<'a>(area: &DrawingArea<SVGBackend<'a>, Shift>, panel: &BarPanel) -> DrawResult<'a> {
    let greatest = panel.bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    // The value stands behind its bar.
    let x_max = if greatest > 0.0 { greatest * 1.2 } else { 1.0 };
    let rows = panel.bars.len() as f64;
    let longest = panel.bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
    let letters = u32::try_from(longest).unwrap_or(MOST_LETTERS).min(MOST_LETTERS);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(letters * LETTER + 20)
        .build_cartesian_2d(0.0..x_max, 0.0..rows)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_labels(6)
        .y_labels(0)
        .x_desc(panel.axis)
        .x_label_formatter(&|value| (panel.format)(*value))
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    let text = |side: HPos| TextStyle::from(("sans-serif", 13).into_font()).pos(Pos::new(side, VPos::Center));
    // The first bar is at the top.
    for (from_top, bar) in panel.bars.iter().enumerate() {
        let bottom = rows - 1.0 - from_top as f64;
        let (middle, corners) = (bottom + 0.5, [(0.0, bottom), (bar.value, bottom + 1.0)]);
        let fill = if bar.is_reference { COLOURS[0].mix(0.4).filled() } else { COLOURS[0].filled() };
        let mut rectangle = Rectangle::new(corners, fill);
        rectangle.set_margin(4, 4, 0, 0);
        chart.draw_series([rectangle])?;
        let label = Text::new(bar.label.clone(), (-8, 0), text(HPos::Right));
        chart.draw_series([EmptyElement::at((0.0, middle)) + label])?;
        let value = Text::new((panel.format)(bar.value), (5, 0), text(HPos::Left));
        chart.draw_series([EmptyElement::at((bar.value, middle)) + value])?;
    }
    Ok(())
}
