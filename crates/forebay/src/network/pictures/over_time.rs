//! Queues, windows and rates over time, in the first repetition.

use super::super::report::NetworkReport;
use super::super::run_result::SeriesResult;
use super::{common_axes, label, title, titled};
use crate::figure::{Axis, Point, Unit, gather};
use crate::picture::Picture;

/// Gaps that a rate is taken over at most, so that it is not about single packets.
const MAX_RATES: usize = 150;

/// The name of something that was sampled, and its numbers: seconds, and bytes or bits per second.
type Sampled = (String, Vec<(f64, f64)>);

/// A sampled quantity: the name of the file, its description, its unit, and its samples in a series.
type What = (&'static str, &'static str, Unit, fn(&SeriesResult) -> Vec<Sampled>);

const SAMPLED: [What; 3] = [
    ("queues", "queue", Unit::Bytes, queues),
    ("windows", "congestion window", Unit::Bytes, windows),
    ("rates", "rate received", Unit::BitsPerSecond, rates),
];

/// Returns a panel for each link, or for each policy with a line for each flow, which shows the shares of flows.
pub(super) fn pictures(report: &NetworkReport) -> Vec<Picture> {
    let common = common_axes(report);
    let draw = |(name, what, unit, of): What| {
        let axes = [&Axis::linear("time", Unit::Seconds), &Axis::linear(what, unit)];
        let is_of_flows = name == "rates";
        let mut figure = titled(report, &format!("{what} over time"), if is_of_flows { "flow" } else { "policy" });
        for cell in &report.results {
            for (item, samples) in cell.series.iter().flat_map(of).filter(|(_, samples)| !samples.is_empty()) {
                let policy = label(cell, &common);
                let (panel, series) = if is_of_flows { (policy, item) } else { (item, policy) };
                let points: Vec<Point> = gather("time-series", &samples);
                figure.panel(&title(&panel, cell, &common), axes).add(&series, points);
            }
        }
        Picture::of_panels(name, "time-series", figure)
    };
    SAMPLED.into_iter().filter_map(draw).collect()
}

fn queues(series: &SeriesResult) -> Vec<Sampled> {
    let line = |bytes: &[u64]| over_time(&series.times_ns, bytes.iter().map(|&bytes| Some(bytes)));
    series.queues.iter().map(|queue| (queue.link.clone(), line(&queue.bytes))).collect()
}

fn windows(series: &SeriesResult) -> Vec<Sampled> {
    let line = |bytes: &[Option<u64>]| over_time(&series.times_ns, bytes.iter().copied());
    series.windows.iter().map(|window| (format!("flow {}", window.flow), line(&window.bytes))).collect()
}

fn over_time(times_ns: &[f64], values: impl Iterator<Item = Option<u64>>) -> Vec<(f64, f64)> {
    times_ns.iter().zip(values).filter_map(|(ns, value)| Some((ns / 1e9, value? as f64))).collect()
}

/// Bits per second between each few values.
fn rates(series: &SeriesResult) -> Vec<Sampled> {
    let few = series.times_ns.len().div_ceil(MAX_RATES).max(1);
    let of_flow = |bytes: &[u64]| {
        let looks: Vec<(f64, u64)> =
            series.times_ns.iter().map(|ns| ns / 1e9).zip(bytes.iter().copied()).step_by(few).collect();
        let rate = |ends: &[(f64, u64)]| {
            let (from, to) = (ends[0], ends[1]);
            ((from.0 + to.0) / 2.0, to.1.saturating_sub(from.1) as f64 * 8.0 / (to.0 - from.0))
        };
        looks.windows(2).map(rate).collect()
    };
    series.received.iter().map(|received| (format!("flow {}", received.flow), of_flow(&received.bytes))).collect()
}
