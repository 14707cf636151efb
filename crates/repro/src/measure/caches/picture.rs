//! Pictures of caches: those of every result, and what is compared over the latency or the capacity.

use super::{Cell, Comparison, Measured, Played};
use crate::drawing::{self, Line, one_panel, unit};
use forebay::caching;
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay::output::csv;

/// Adds `comparisons.csv` and pictures of what is compared.
pub(super) fn add(measured: &mut Measured, played: &[Played], comparisons: &[Comparison]) -> Result<()> {
    for played in played {
        idealized(measured, played)?;
        for mut picture in caching::pictures(&played.report, &(&*played.report).into())? {
            picture.name.insert_str(0, &format!("{}-", played.scenario));
            measured.add(&picture)?;
        }
    }
    if comparisons.is_empty() {
        return Ok(());
    }
    measured.files.push(("comparisons.csv".to_owned(), comparisons_csv(played, comparisons)));
    let cells = || played.iter().flat_map(|played| &played.cells);
    // The axis is the latency, unless there is one only.
    let over_capacity = cells().all(|cell| cell.axis("latency").is_none());
    let x = if over_capacity { Axis::logarithmic("capacity", unit("entries")) } else { latency_axis() };
    let axes = [&x, &Axis::linear("change", unit("%"))];
    let mut of_traces: Vec<Line> = Vec::new();
    for trace in traces(cells()) {
        let of_trace: Vec<&Cell> = cells().filter(|cell| cell.trace == trace).collect();
        let lines = lines(&of_trace, comparisons, over_capacity);
        if let [(_, line)] = &lines[..] {
            of_traces.push((trace.to_owned(), line.clone()));
            continue;
        }
        measured.draw(trace, "lines", one_panel(trace, axes, lines))?;
    }
    if !of_traces.is_empty() {
        measured.draw("traces", "lines", one_panel(&comparisons[0].to_string(), axes, of_traces))?;
    }
    Ok(())
}

/// All traces of these cells, each once.
fn traces<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<&'a str> {
    let mut traces: Vec<&str> = Vec::new();
    for cell in cells {
        if !traces.contains(&cell.trace.as_str()) {
            traces.push(&cell.trace);
        }
    }
    traces
}

/// One line for each comparison, and for each capacity or latency that is not the axis.
fn lines(cells: &[&Cell], comparisons: &[Comparison], over_capacity: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for comparison in comparisons {
        for cell in cells {
            let (x, label) = match cell.axis("capacity") {
                _ if over_capacity => (Some(cell.place.capacity as f64), comparison.to_string()),
                None => (latency(cell), comparison.to_string()),
                Some(capacity) => (latency(cell), format!("{comparison}, {capacity}")),
            };
            let Some(point) = x.zip(comparison.of(cell)) else { continue };
            drawing::add(&mut lines, label, point);
        }
    }
    lines
}

/// The latency of a fetch as a number, if it is an axis.
fn latency(cell: &Cell) -> Option<f64> {
    cell.axis("latency")?.replace('_', "").parse().ok()
}

/// Both models over the latency of a fetch, each mean latency as a share of it, which is that without a cache.
fn idealized(measured: &mut Measured, played: &Played) -> Result<()> {
    for trace in traces(played.cells.iter()) {
        let mut lines: Vec<Line> = Vec::new();
        for cell in played.cells.iter().filter(|cell| cell.trace == trace) {
            let Some(fetch) = latency(cell) else { continue };
            for result in &cell.results {
                let Some((classical, _)) = result.classical else { continue };
                let mut add = |what: &str, mean: f64| {
                    drawing::add(&mut lines, format!("{}, {what}", result.policy), (fetch, mean / fetch));
                };
                add("actual", result.mean_latency);
                add("idealized", classical);
            }
        }
        if lines.is_empty() {
            continue;
        }
        let title = format!("{trace}: with and without delayed hits");
        let axes = [&latency_axis(), &Axis::linear("mean latency / Z", Unit::Plain)];
        measured.draw(&format!("{trace}-idealized"), "lines", one_panel(&title, axes, lines))?;
    }
    Ok(())
}

fn latency_axis() -> Axis {
    Axis::logarithmic("Z, latency of a fetch", unit("slots"))
}

fn comparisons_csv(played: &[Played], comparisons: &[Comparison]) -> String {
    let header = ["trace", "latency", "capacity", "entries", "comparison", "percent"];
    let mut rows = Vec::new();
    for cell in played.iter().flat_map(|played| &played.cells) {
        for comparison in comparisons {
            let Some(percent) = comparison.of(cell) else { continue };
            let axis = |name: &str| cell.axis(name).unwrap_or_default().to_owned();
            rows.push(vec![
                cell.trace.clone(),
                axis("latency"),
                axis("capacity"),
                cell.place.capacity.to_string(),
                comparison.to_string(),
                percent.to_string(),
            ]);
        }
    }
    csv::lines(&header, rows.into_iter())
}
