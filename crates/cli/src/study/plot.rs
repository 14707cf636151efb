//! Pictures of a study: what happens to each rank, a panel for each distribution of
//! ranks and load, a line for each queue (as in SP-PIFO, NSDI'20, figures 5 and 6).

use super::quantity::RankQuantity;
use super::report::{CellReport, StudyReport};
use crate::output::plot::{COLOURS, DrawResult, micros};
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use plotters::style::full_palette as colour;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const PANEL_WIDTH: u32 = 560;
const PANEL_HEIGHT: u32 = 340;
/// Most panels beside each other.
const MAX_COLUMNS: usize = 3;
/// Height of the title, and of each row of the legend.
const TITLE_HEIGHT: u32 = 40;
const LEGEND_ROW: u32 = 22;
/// Width of one character of the legend, with some to spare.
const CHARACTER: u32 = 8;

/// One picture.
struct Figure {
    file: &'static str,
    title: &'static str,
    quantity: RankQuantity,
    axis: Axis,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Count,
    Share,
    /// Nanoseconds on a logarithmic scale: the ranks differ by powers of ten.
    Delay,
}

const FIGURES: [Figure; 4] = [
    Figure {
        file: "inversions.svg",
        title: "Inversions caused by each rank, per seed",
        quantity: RankQuantity::Inversions,
        axis: Axis::Count,
    },
    Figure {
        file: "drops.svg",
        title: "Drops: share of the packets of each rank",
        quantity: RankQuantity::DropShare,
        axis: Axis::Share,
    },
    Figure {
        file: "delay.svg",
        title: "Mean delay of each rank",
        quantity: RankQuantity::DelayMean,
        axis: Axis::Delay,
    },
    Figure {
        file: "delay-p99.svg",
        title: "99th percentile of the delay of each rank",
        quantity: RankQuantity::DelayP99,
        axis: Axis::Delay,
    },
];

/// Every picture as SVG, with the name of its file.
pub(crate) fn files(report: &StudyReport) -> Result<Vec<(&'static str, String)>, String> {
    FIGURES.iter().map(|figure| Ok((figure.file, svg(report, figure)?))).collect()
}

fn svg(report: &StudyReport, figure: &Figure) -> Result<String, String> {
    let blocks: Vec<&[CellReport]> = report.blocks().collect();
    let columns = blocks.len().clamp(1, MAX_COLUMNS);
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let rows = blocks.len().div_ceil(columns);
    let width = PANEL_WIDTH.saturating_mul(small(columns));
    let legend = legend_places(report, width);
    let legend_rows = legend.last().map_or(0, |&(_, row)| row + 1);
    let head = TITLE_HEIGHT + LEGEND_ROW * legend_rows + 8;
    let height = head.saturating_add(PANEL_HEIGHT.saturating_mul(small(rows)));
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let draw = || {
            root.fill(&WHITE)?;
            let (top, panels) = root.split_vertically(head);
            draw_head(report, figure, &legend, &top)?;
            for (panel, block) in panels.split_evenly((rows, columns)).iter().zip(&blocks) {
                match figure.axis {
                    Axis::Delay => draw_delays(figure, block, panel)?,
                    Axis::Count | Axis::Share => draw_linear(figure, block, panel)?,
                }
            }
            root.present()
        };
        draw().map_err(|error: DrawingAreaErrorKind<_>| error.to_string())?;
    }
    Ok(text)
}

/// The queues, in the order of the scenario.
fn queues(report: &StudyReport) -> impl Iterator<Item = &str> {
    report.blocks().take(1).flatten().map(|cell| cell.queue.as_str())
}

/// Where each queue stands in the legend: from the left, and in which row.
fn legend_places(report: &StudyReport, width: u32) -> Vec<(u32, u32)> {
    let (mut x, mut row) = (20, 0);
    queues(report)
        .map(|name| {
            let needed = 44 + CHARACTER * u32::try_from(name.chars().count()).unwrap_or(u32::MAX / CHARACTER - 44);
            if x > 20 && x + needed > width {
                (x, row) = (20, row + 1);
            }
            let place = (x, row);
            x += needed;
            place
        })
        .collect()
}

/// The colour of a queue, and how its line is broken: beyond the colours that there
/// are, lines are dashed.
fn style_of(queue: usize) -> (ShapeStyle, bool) {
    (COLOURS[queue % COLOURS.len()].stroke_width(2), queue >= COLOURS.len())
}

fn draw_head<'a>(
    report: &StudyReport,
    figure: &Figure,
    legend: &[(u32, u32)],
    area: &DrawingArea<SVGBackend<'a>, Shift>,
) -> DrawResult<'a> {
    let signed = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let title = TextStyle::from(("sans-serif", 18).into_font());
    area.draw(&Text::new(format!("{}: {}", report.scenario, figure.title), (20, 12), title))?;
    let label = TextStyle::from(("sans-serif", 14).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
    for ((queue, name), &(x, row)) in queues(report).enumerate().zip(legend) {
        let (x, y) = (signed(x), signed(TITLE_HEIGHT + LEGEND_ROW * row + LEGEND_ROW / 2));
        let (style, dashed) = style_of(queue);
        area.draw(&PathElement::new([(x, y), (x + if dashed { 9 } else { 24 }, y)], style))?;
        if dashed {
            area.draw(&PathElement::new([(x + 15, y), (x + 24, y)], style))?;
        }
        area.draw(&Text::new(name.to_owned(), (x + 30, y), label.clone()))?;
    }
    Ok(())
}

/// The points of a queue's line; bins without a value are left out.
fn points(cell: &CellReport, quantity: RankQuantity) -> impl Iterator<Item = (f64, f64)> + Clone {
    let ranks = cell.per_rank.lowest_rank.iter();
    ranks.zip(&cell.per_rank.column(quantity).mean).filter_map(|(&rank, mean)| Some((rank as f64, (*mean)?)))
}

/// From the first rank to the last, however many there are.
fn rank_range(block: &[CellReport]) -> std::ops::Range<f64> {
    let ranks = &block[0].per_rank.lowest_rank;
    let (first, last) = (ranks[0] as f64, ranks[ranks.len() - 1] as f64);
    if first < last { first..last } else { first - 1.0..last + 1.0 }
}

fn greatest(figure: &Figure, block: &[CellReport]) -> f64 {
    block.iter().flat_map(|cell| points(cell, figure.quantity)).map(|(_, y)| y).fold(0.0, f64::max)
}

fn draw_linear<'a>(figure: &Figure, block: &[CellReport], area: &DrawingArea<SVGBackend<'a>, Shift>) -> DrawResult<'a> {
    let most = greatest(figure, block);
    let nothing = if figure.axis == Axis::Share { 0.01 } else { 1.0 };
    let y_range = 0.0..if most > 0.0 { most * 1.08 } else { nothing };
    let mut chart = panel(area, block).build_cartesian_2d(rank_range(block), y_range)?;
    let label = |y: &f64| match figure.axis {
        Axis::Share => format!("{} %", short(y * 100.0)),
        Axis::Count | Axis::Delay => short(*y),
    };
    draw_lines(&mut chart, figure, block, &label)
}

fn draw_delays<'a>(figure: &Figure, block: &[CellReport], area: &DrawingArea<SVGBackend<'a>, Shift>) -> DrawResult<'a> {
    let delays = || block.iter().flat_map(|cell| points(cell, figure.quantity)).map(|(_, ns)| ns);
    let least = delays().filter(|&ns| ns > 0.0).reduce(f64::min).unwrap_or(1e3);
    let y_range = least * 0.8..(greatest(figure, block) * 1.25).max(least * 10.0);
    let mut chart = panel(area, block).build_cartesian_2d(rank_range(block), y_range.log_scale())?;
    draw_lines(&mut chart, figure, block, &|ns: &f64| micros(ns / 1e3))
}

/// A panel with its title.
fn panel<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
    block: &[CellReport],
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(format!("{}, load {}", block[0].ranks, block[0].load), ("sans-serif", 15))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(64);
    builder
}

fn draw_lines<'a, Y>(
    chart: &mut ChartContext<'_, SVGBackend<'a>, Cartesian2d<plotters::coord::types::RangedCoordf64, Y>>,
    figure: &Figure,
    block: &[CellReport],
    y_label: &dyn Fn(&f64) -> String,
) -> DrawResult<'a>
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let width = block[0].per_rank.bin_width;
    let x_title = if width > 1 { format!("rank (bins of {width})") } else { "rank".to_owned() };
    chart
        .configure_mesh()
        .x_desc(x_title)
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|rank| short(*rank))
        .y_label_formatter(&y_label)
        .light_line_style(WHITE)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    for (queue, cell) in block.iter().enumerate() {
        let line = points(cell, figure.quantity);
        match style_of(queue) {
            (style, false) => chart.draw_series(LineSeries::new(line, style))?,
            (style, true) => chart.draw_series(DashedLineSeries::new(line, 6, 4, style))?,
        };
    }
    Ok(())
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
