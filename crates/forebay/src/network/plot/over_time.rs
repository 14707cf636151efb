//! Queues, windows and rates over time, in the first repetition.

use super::super::report::{CellReport, NetworkReport};
use super::super::run_result::{ReceivedSeries, SeriesResult};
use super::{Point, bytes, common_axes, label, points, rate, time};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed};

/// Points of a line at most: each is then the greatest of its neighbours.
const MAX_POINTS: usize = 500;

/// Gaps that a rate is taken over at most, so that it is not about single packets.
const MAX_RATES: usize = 150;

/// One line: times in nanoseconds, and bytes or bits per second.
type Line = Vec<(f64, f64)>;

/// For each combination of values of the axes pictures of queues, windows and rates, where they were sampled.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for point in points(report, None) {
        for (file, words, of) in [("queues", "bytes that wait", queues as Of), ("windows", "window", windows)] {
            let panels = panels(report, &point, of);
            if !panels.is_empty() {
                let axes = [Axis::linear("time").labelled(time), Axis::linear(words).labelled(bytes)];
                let panels: Vec<_> = panels.into_iter().map(|panel| (axes, panel)).collect();
                let title = point.title(&report.scenario, &format!("{words} over time"));
                files.push((point.file(file), mixed(&title, columns(panels.len()), &panels)?));
            }
        }
        let panels = rate_panels(report, &point);
        if !panels.is_empty() {
            let title = point.title(&report.scenario, "rates of flows over time");
            files.push((point.file("rates"), mixed(&title, columns(panels.len()), &panels)?));
        }
    }
    Ok(files)
}

fn columns(panels: usize) -> usize {
    if panels > 1 { 2 } else { 1 }
}

/// Names and lines in a series.
type Of = fn(&SeriesResult) -> Vec<(String, Line)>;

fn queues(series: &SeriesResult) -> Vec<(String, Line)> {
    let line = |bytes: &[u64]| thinned(&series.times_ns, bytes.iter().map(|&bytes| Some(bytes)));
    series.queues.iter().map(|queue| (queue.link.clone(), line(&queue.bytes))).collect()
}

fn windows(series: &SeriesResult) -> Vec<(String, Line)> {
    let line = |bytes: &[Option<u64>]| thinned(&series.times_ns, bytes.iter().copied());
    series.windows.iter().map(|window| (format!("flow {}", window.flow), line(&window.bytes))).collect()
}

/// The greatest of each few values, at the time of the first of them.
fn thinned(times_ns: &[f64], values: impl ExactSizeIterator<Item = Option<u64>>) -> Line {
    let few = values.len().div_ceil(MAX_POINTS).max(1);
    let values: Vec<Option<u64>> = values.collect();
    let of_few = |(times, values): (&[f64], &[Option<u64>])| {
        let most = values.iter().flatten().max()?;
        Some((*times.first()?, *most as f64))
    };
    times_ns.chunks(few).zip(values.chunks(few)).filter_map(of_few).collect()
}

/// A panel for each link or flow, with a line for each scheme.
fn panels(report: &NetworkReport, point: &Point<'_>, of: Of) -> Vec<Panel> {
    let common = common_axes(report);
    let mut panels: Vec<Panel> = Vec::new();
    for cell in &point.cells {
        for (title, points) in cell.series.iter().flat_map(of) {
            let curve = Curve { label: label(cell, &common), points };
            match panels.iter_mut().find(|panel| panel.title == title) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel { title, curves: vec![curve] }),
            }
        }
    }
    panels
}

/// A panel for each scheme, with a line for each flow, so that their shares are seen.
fn rate_panels(report: &NetworkReport, point: &Point<'_>) -> Vec<([Axis<'static>; 2], Panel)> {
    let common = common_axes(report);
    let axes = [Axis::linear("time").labelled(time), Axis::linear("bits received per second").labelled(rate)];
    let panel = |cell: &CellReport| {
        let series = cell.series.as_ref()?;
        let curve = |received: &ReceivedSeries| Curve {
            label: format!("flow {}", received.flow),
            points: rates(&series.times_ns, &received.bytes),
        };
        let curves: Vec<Curve> = series.received.iter().map(curve).collect();
        (!curves.is_empty()).then(|| (axes, Panel { title: label(cell, &common), curves }))
    };
    point.cells.iter().filter_map(|cell| panel(cell)).collect()
}

/// Bits per second between each few values.
fn rates(times_ns: &[f64], bytes: &[u64]) -> Line {
    let few = times_ns.len().div_ceil(MAX_RATES).max(1);
    let looks: Vec<(f64, u64)> = times_ns.iter().copied().zip(bytes.iter().copied()).step_by(few).collect();
    let rate = |ends: &[(f64, u64)]| {
        let (from, to) = (ends[0], ends[1]);
        ((from.0 + to.0) / 2.0, to.1.saturating_sub(from.1) as f64 * 8e9 / (to.0 - from.0))
    };
    looks.windows(2).map(rate).collect()
}
