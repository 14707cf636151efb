//! Pictures of sweeps and of ranks: panels under one title and one legend, where every policy has
//! its colour.

mod by_load;
mod by_rank;

use super::report::{CellReport, Report};
use crate::error::Result;
use crate::output::folder::plot_error;
use crate::output::plot;
use crate::output::plot::{COLOURS, DrawResult};
use forebay_core::convert::saturate;
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::full_palette as colour;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Where a panel is drawn.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const PANEL_WIDTH: u32 = 560;
const PANEL_HEIGHT: u32 = 340;
/// Height of the title, and of each row of the legend.
const TITLE_HEIGHT: u32 = 40;
const LEGEND_ROW: u32 = 22;
/// Width of one character of the legend and of the title, with some to spare.
const CHARACTER: u32 = 8;
const TITLE_CHARACTER: u32 = 10;

/// Every picture as SVG, with the name of its file.
pub fn files(report: &Report) -> Result<Vec<(String, String)>> {
    if report.results.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    if report.is_single() {
        files.push(("plot.svg".to_owned(), plot::svg(report)?));
    }
    if report.results.iter().all(|cell| cell.per_rank.is_some()) {
        for figure in &by_rank::FIGURES {
            files.push((figure.file.to_owned(), figure.svg(report)?));
        }
    }
    for axis in by_load::axes(report) {
        files.push((by_load::file(&axis), by_load::svg(report, &axis)?));
    }
    Ok(files)
}

/// The cells of all policies, together for each value of the axes that they share.
fn blocks(report: &Report) -> Vec<&[CellReport]> {
    let of_policies = &report.port.policy_axes;
    report.results.chunk_by(|a, b| a.shared_axes(of_policies) == b.shared_axes(of_policies)).collect()
}

/// A policy with the values of its own axes.
fn called(report: &Report, cell: &CellReport) -> String {
    let own = cell.axes.iter().filter(|(name, _)| report.port.policy_axes.contains(name));
    let own = own.map(|(name, value)| format!(", {name} {}", value.text));
    format!("{}{}", cell.policy, own.collect::<String>())
}

/// As `load 0.8, rank uniform`.
fn place(report: &Report, cell: &CellReport, but: Option<&str>) -> String {
    let shared = cell.shared_axes(&report.port.policy_axes).into_iter().filter(|(name, _)| Some(*name) != but);
    shared.map(|(name, value)| format!("{name} {}", value.text)).collect::<Vec<_>>().join(", ")
}

/// A picture of so many panels, in rows of `columns`. `draw` draws each, by number.
fn svg<F>(report: &Report, title: &str, (panels, columns): (usize, usize), draw: F) -> Result<String>
where
    F: for<'a> Fn(usize, &Area<'a>) -> DrawResult<'a>,
{
    let small = |number: usize| saturate::<u32>(number);
    let rows = panels.div_ceil(columns);
    let title = format!("{}: {title}", report.scenario);
    let title_width = TITLE_CHARACTER.saturating_mul(small(title.chars().count() + 4));
    let width = PANEL_WIDTH.saturating_mul(small(columns)).max(title_width);
    let legend = legend_places(report, width);
    let legend_rows = legend.last().map_or(0, |&(_, row)| row + 1);
    let head = TITLE_HEIGHT + LEGEND_ROW * legend_rows + 8;
    let height = head.saturating_add(PANEL_HEIGHT.saturating_mul(small(rows)));
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let draw_all = || {
            root.fill(&WHITE)?;
            let (top, below) = root.split_vertically(head);
            draw_head(report, &title, &legend, &top)?;
            for (number, area) in below.split_evenly((rows, columns)).iter().enumerate().take(panels) {
                draw(number, area)?;
            }
            root.present()
        };
        draw_all().map_err(plot_error)?;
    }
    Ok(text)
}

/// The policies with their own axes, in the order of the scenario.
fn policies(report: &Report) -> Vec<String> {
    blocks(report).into_iter().take(1).flatten().map(|cell| called(report, cell)).collect()
}

/// Where each policy stands in the legend: from the left, and in which row.
fn legend_places(report: &Report, width: u32) -> Vec<(u32, u32)> {
    let (mut x, mut row) = (20, 0);
    policies(report)
        .into_iter()
        .map(|name| {
            let needed = 44 + CHARACTER * u32::try_from(name.chars().count()).unwrap_or(0);
            if x > 20 && x + needed > width {
                (x, row) = (20, row + 1);
            }
            let place = (x, row);
            x += needed;
            place
        })
        .collect()
}

/// The colour of a policy, and whether its line is dashed, as those beyond the colours
/// that there are.
fn style_of(queue: usize) -> (ShapeStyle, bool) {
    (COLOURS[queue % COLOURS.len()].stroke_width(2), queue >= COLOURS.len())
}

fn draw_head<'a>(report: &Report, title: &str, legend: &[(u32, u32)], area: &Area<'a>) -> DrawResult<'a> {
    let signed = |number: u32| i32::try_from(number).expect("a picture is less than 2^31 wide");
    let large = TextStyle::from(("sans-serif", 18).into_font());
    area.draw(&Text::new(title.to_owned(), (20, 12), large))?;
    let label = TextStyle::from(("sans-serif", 14).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
    for ((queue, name), &(x, row)) in policies(report).into_iter().enumerate().zip(legend) {
        let (x, y) = (signed(x), signed(TITLE_HEIGHT + LEGEND_ROW * row + LEGEND_ROW / 2));
        let (style, dashed) = style_of(queue);
        area.draw(&PathElement::new([(x, y), (x + if dashed { 9 } else { 24 }, y)], style))?;
        if dashed {
            area.draw(&PathElement::new([(x + 15, y), (x + 24, y)], style))?;
        }
        area.draw(&Text::new(name, (x + 30, y), label.clone()))?;
    }
    Ok(())
}

/// What a vertical axis shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// A number from zero.
    Number,
    /// A share from zero, in percent.
    Share,
    /// Nanoseconds on a logarithmic scale: policies differ by powers of ten.
    Delay,
}

/// The points of a policy's line, each with half the width of its confidence interval
/// where that is to be drawn.
type Line = Vec<(f64, f64, Option<f64>)>;

/// A panel with a line for each policy, in the order of the legend.
struct Panel {
    title: String,
    x_title: String,
    x_range: Range<f64>,
    axis: Axis,
    lines: Vec<Line>,
}

impl Panel {
    fn draw<'a>(&self, area: &Area<'a>) -> DrawResult<'a> {
        let mut builder = ChartBuilder::on(area);
        builder.caption(&self.title, ("sans-serif", 15)).margin(12).x_label_area_size(40).y_label_area_size(64);
        let values = || self.lines.iter().flatten().map(|&(_, y, _)| y);
        let most = values().fold(0.0, f64::max);
        match self.axis {
            Axis::Number | Axis::Share => {
                let nothing = if self.axis == Axis::Share { 0.01 } else { 1.0 };
                let y_range = 0.0..if most > 0.0 { most * 1.08 } else { nothing };
                let mut chart = builder.build_cartesian_2d(self.x_range.clone(), y_range)?;
                match self.axis {
                    Axis::Share => self.draw_lines(&mut chart, &|y: &f64| format!("{} %", short(y * 100.0))),
                    Axis::Number | Axis::Delay => self.draw_lines(&mut chart, &|y: &f64| short(*y)),
                }
            }
            Axis::Delay => {
                let least = values().filter(|&ns| ns > 0.0).reduce(f64::min).unwrap_or(1e3);
                let y_range = decades(least, most.max(least));
                let mut chart = builder.build_cartesian_2d(self.x_range.clone(), y_range.log_scale())?;
                self.draw_lines(&mut chart, &|ns: &f64| plot::micros(ns / 1e3))
            }
        }
    }

    fn draw_lines<'a, Y>(
        &self,
        chart: &mut ChartContext<'_, SVGBackend<'a>, Cartesian2d<RangedCoordf64, Y>>,
        y_label: &dyn Fn(&f64) -> String,
    ) -> DrawResult<'a>
    where
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        chart
            .configure_mesh()
            .x_desc(&self.x_title)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&y_label)
            .light_line_style(WHITE)
            .bold_line_style(colour::GREY_300)
            .label_style(("sans-serif", 13))
            .draw()?;
        for (queue, line) in self.lines.iter().enumerate() {
            let points = line.iter().map(|&(x, y, _)| (x, y));
            let (style, dashed) = style_of(queue);
            if dashed {
                chart.draw_series(DashedLineSeries::new(points, 6, 4, style))?;
            } else {
                chart.draw_series(LineSeries::new(points, style))?;
            }
            if let [(x, y, None)] = line[..] {
                chart.draw_series([Circle::new((x, y), 3, style.filled())])?;
            }
            let intervals = line.iter().filter_map(|&(x, y, ci95)| Some((x, y, ci95?)));
            chart.draw_series(intervals.clone().map(|(x, y, _)| Circle::new((x, y), 3, style.filled())))?;
            // Nothing here is negative, and a logarithmic axis has no zero.
            let bar = |(x, y, ci95): (f64, f64, f64)| [(x, (y - ci95).max(y / 100.0)), (x, y + ci95)];
            chart.draw_series(intervals.map(|point| PathElement::new(bar(point), style)))?;
        }
        Ok(())
    }
}

/// Whole powers of ten around two positive numbers, since these have labels; a little
/// wider, so that rounding loses none of them.
fn decades(least: f64, greatest: f64) -> Range<f64> {
    let low = least.log10().floor();
    let high = greatest.log10().ceil().max(low + 1.0);
    10_f64.powf(low) * 0.999..10_f64.powf(high) * 1.001
}

/// A number of an axis, short: 1200000 is `1.2M`.
fn short(number: f64) -> String {
    let (value, unit) = match number.abs() {
        large if large >= 1e9 => (number / 1e9, "G"),
        large if large >= 1e6 => (number / 1e6, "M"),
        large if large >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    // Without digits that only rounding made.
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}{unit}")
}

#[cfg(test)]
mod tests {
    use super::{decades, short};

    #[test]
    fn logarithmic_axes_reach_from_one_power_of_ten_to_another() {
        for (least, greatest, low, high) in
            [(8_500.0, 82_000.0, 1e3, 1e5), (16.7, 65.0, 1e1, 1e2), (10.0, 10.0, 1e1, 1e2), (0.2, 3.0, 0.1, 10.0)]
        {
            let range = decades(least, greatest);
            assert!((range.start / low - 0.999).abs() < 1e-9 && (range.end / high - 1.001).abs() < 1e-9, "{range:?}");
        }
    }

    #[test]
    fn numbers_of_axes_are_short() {
        for (number, text) in
            [(0.0, "0"), (0.1 + 0.2, "0.3"), (2_500.0, "2500"), (12_000.0, "12k"), (1.2e6, "1.2M"), (3e9, "3G")]
        {
            assert_eq!(short(number), text);
        }
    }
}
