//! The picture of a report: who waits how long, and how much is dropped.

use super::folder::plot_error;
use crate::error::Result;
use crate::port::{Report, quantiles};
use forebay_core::convert::saturate;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colour;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: u32 = 1100;
/// Height without the legend and with the fewest policies.
const MIN_HEIGHT: u32 = 420;
/// Height of one bar of the drops panel.
const BAR_HEIGHT: u32 = 34;

/// The first seven are told apart by people who do not see all colours, on white
/// (Okabe and Ito); the others are darker and lighter.
pub(crate) const COLOURS: [RGBColor; 12] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(70, 70, 70),
    RGBColor(0, 50, 110),
    RGBColor(130, 40, 0),
    RGBColor(0, 90, 60),
    RGBColor(120, 50, 100),
    RGBColor(170, 170, 60),
];

/// What drawing on an SVG gives.
pub(crate) type DrawResult<'a> =
    std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// Draws the report as SVG.
pub(crate) fn svg(report: &Report) -> Result<String> {
    let policies = saturate::<u32>(report.results.len());
    let height = MIN_HEIGHT.max(BAR_HEIGHT.saturating_mul(policies).saturating_add(140));
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(report, &root).map_err(plot_error)?;
    }
    Ok(text)
}

/// Colour by rank function, so that a policy on two queues has one colour, and a
/// dashed line for all but its first queue.
fn styles(report: &Report) -> Vec<(RGBColor, bool)> {
    let mut ranks: Vec<&str> = Vec::new();
    let mut seen = Vec::new();
    let several_ranks = report.results.iter().any(|result| result.parts().rank != report.results[0].parts().rank);
    for (index, result) in report.results.iter().enumerate() {
        if !several_ranks {
            seen.push((COLOURS[index % COLOURS.len()], index >= COLOURS.len()));
            continue;
        }
        let place = ranks.iter().position(|rank| *rank == result.parts().rank);
        let place_or_new = place.unwrap_or(ranks.len());
        if place.is_none() {
            ranks.push(&result.parts().rank);
        }
        seen.push((COLOURS[place_or_new % COLOURS.len()], place.is_some()));
    }
    seen
}

fn draw<'a>(report: &Report, root: &DrawingArea<SVGBackend<'a>, Shift>) -> DrawResult<'a> {
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(WIDTH * 6 / 10);
    draw_delays(report, &left)?;
    draw_drops(report, &right)?;
    root.present()
}

fn draw_delays<'a>(report: &Report, area: &DrawingArea<SVGBackend<'a>, Shift>) -> DrawResult<'a> {
    let delays =
        || report.results.iter().flat_map(|result| &result.runs[0].delay_curve).copied().filter(|&ns| ns > 0.0);
    // In microseconds; a decade if there is nothing to show.
    let least = delays().reduce(f64::min).map_or(1.0, |ns| ns / 1e3);
    let greatest = delays().reduce(f64::max).map_or(10.0, |ns| ns / 1e3);
    let x_range = (least * 0.9)..(greatest * 1.1).max(least * 2.0);
    let mut chart = ChartBuilder::on(area)
        .caption("Delay: share of packets sent within", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(52)
        .build_cartesian_2d(x_range.log_scale(), 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_desc("delay from arrival to last bit sent")
        .x_label_formatter(&|us| micros(*us))
        .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    for (result, (colour, dashed)) in report.results.iter().zip(styles(report)) {
        let points: Vec<(f64, f64)> = result.runs[0]
            .delay_curve
            .iter()
            .zip(quantiles())
            .map(|(&ns, q)| ((ns / 1e3).max(least * 0.9), q))
            .collect();
        let style = colour.stroke_width(2);
        if dashed {
            chart
                .draw_series(DashedLineSeries::new(points, 6, 4, style))?
                .label(&result.policy)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 8, y)], style));
        } else {
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(&result.policy)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.85))
        .border_style(colour::GREY_300)
        .label_font(("sans-serif", 13))
        .draw()?;
    Ok(())
}

fn draw_drops<'a>(report: &Report, area: &DrawingArea<SVGBackend<'a>, Shift>) -> DrawResult<'a> {
    let count = report.results.len();
    let most = report.results.iter().map(|result| result.runs[0].counts.drop_share()).fold(0.0, f64::max);
    let x_max = if most > 0.0 { most * 1.25 } else { 0.01 };
    let rows = i32::try_from(count).expect("a report has fewer than 2^31 policies");
    let mut chart = ChartBuilder::on(area)
        .caption("Drops: share of packets", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(150)
        .build_cartesian_2d(0.0..x_max, (0..rows).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_labels(5)
        .y_labels(count)
        .x_label_formatter(&|share| format!("{:.1} %", share * 100.0))
        .y_label_formatter(&|place| match place {
            SegmentValue::CenterOf(index) => {
                // The first policy is at the top.
                let from_top = rows - 1 - index;
                usize::try_from(from_top)
                    .ok()
                    .and_then(|at| report.results.get(at))
                    .map_or_else(String::new, |result| result.policy.clone())
            }
            _ => String::new(),
        })
        .light_line_style(colour::GREY_100)
        .bold_line_style(colour::GREY_300)
        .label_style(("sans-serif", 13))
        .draw()?;
    for ((index, result), (colour, dashed)) in (0..rows).rev().zip(&report.results).zip(styles(report)) {
        let share = result.runs[0].counts.drop_share();
        let bar = [(0.0, SegmentValue::Exact(index)), (share, SegmentValue::Exact(index + 1))];
        let fill = if dashed { colour.mix(0.45).filled() } else { colour.filled() };
        let mut rectangle = Rectangle::new(bar, fill);
        rectangle.set_margin(5, 5, 0, 0);
        chart.draw_series([rectangle])?;
        let beside = TextStyle::from(("sans-serif", 13).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        let label = Text::new(format!(" {:.2} %", share * 100.0), (share, SegmentValue::CenterOf(index)), beside);
        chart.draw_series([label])?;
    }
    Ok(())
}

/// A delay in microseconds as an axis shows it.
pub(crate) fn micros(us: f64) -> String {
    if us >= 1e6 {
        format!("{} s", us / 1e6)
    } else if us >= 1e3 {
        format!("{} ms", us / 1e3)
    } else if us >= 1.0 {
        format!("{us} us")
    } else {
        format!("{} ns", us * 1e3)
    }
}
