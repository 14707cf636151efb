//! Queues and windows over time, in the first repetition.

use super::super::report::NetworkReport;
use super::super::run_result::SeriesResult;
use super::{Point, bytes, common_axes, label, points, time};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed};

/// Points of a line at most: each is then the greatest of its neighbours.
const MAX_POINTS: usize = 1_000;

/// One line: times in nanoseconds and bytes.
type Line = Vec<(f64, f64)>;

/// For each combination of values of the axes a picture of queues and one of windows, where they were sampled.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for point in points(report, None) {
        for (file, words, of) in [("queues", "bytes that wait", queues as Of), ("windows", "window", windows)] {
            let panels = panels(report, &point, of);
            if !panels.is_empty() {
                let axes = [Axis::linear("time").labelled(time), Axis::linear(words).labelled(bytes)];
                let panels: Vec<_> = panels.into_iter().map(|panel| (axes, panel)).collect();
                let title = point.title(&report.scenario, &format!("{words} over time"));
                files.push((point.file(file), mixed(&title, if panels.len() > 1 { 2 } else { 1 }, &panels)?));
            }
        }
    }
    Ok(files)
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
