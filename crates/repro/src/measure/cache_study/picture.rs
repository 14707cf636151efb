//! Data and pictures of a study.

use super::cells::{Cell, Outcomes};
use super::{Measured, Played, Study};
use crate::drawing::{self, Line, one_panel, unit};
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay::output::csv;

/// Adds `cells.csv`, `comparisons.csv` and pictures of what is compared.
pub(super) fn add(measured: &mut Measured, study: &Study, played: &[Played<'_>]) -> Result<()> {
    measured.files.push(("cells.csv".to_owned(), cells_csv(played)));
    if study.classical && !study.pairs {
        for played in played {
            idealized(measured, played)?;
        }
    }
    if study.comparisons.is_empty() {
        return Ok(());
    }
    measured.files.push(("comparisons.csv".to_owned(), comparisons_csv(study, played)));
    // The axis is the latency, unless there is one only.
    let over_capacity = played.iter().all(|played| played.trace.latencies.len() == 1);
    let x = if over_capacity { Axis::logarithmic("capacity", unit("entries")) } else { latency_axis() };
    let axes = [&x, &Axis::linear("change", unit("%"))];
    let mut of_traces: Vec<Line> = Vec::new();
    for played in played {
        let lines = lines(study, played, over_capacity);
        if let [(_, line)] = &lines[..] {
            of_traces.push((played.trace.name.clone(), line.clone()));
            continue;
        }
        measured.draw(&played.trace.name, "lines", one_panel(&played.trace.name, axes, lines))?;
    }
    if !of_traces.is_empty() {
        let title = study.comparisons[0].to_string();
        measured.draw("traces", "lines", one_panel(&title, axes, of_traces))?;
    }
    Ok(())
}

/// One line for each comparison, and for each capacity or latency that is not the axis.
fn lines(study: &Study, played: &Played<'_>, over_capacity: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for comparison in &study.comparisons {
        for cell in &played.cells {
            let (x, label) = if over_capacity {
                (Some(cell.entries as f64), comparison.to_string())
            } else if played.trace.capacities.len() == 1 {
                (number(&cell.latency), comparison.to_string())
            } else {
                (number(&cell.latency), format!("{comparison}, {}", cell.capacity))
            };
            let Some(point) = x.zip(comparison.of(cell)) else { continue };
            drawing::add(&mut lines, label, point);
        }
    }
    lines
}

/// A latency as a number, if it is one.
fn number(latency: &str) -> Option<f64> {
    latency.replace('_', "").parse().ok()
}

/// Both models over the latency, each latency as a share of that without a cache.
fn idealized(measured: &mut Measured, played: &Played<'_>) -> Result<()> {
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |label: String, point: (f64, f64)| drawing::add(&mut lines, label, point);
    for cell in &played.cells {
        let Some(latency) = number(&cell.latency) else { continue };
        for result in &cell.results {
            let Some(idealized) = &result.idealized else { continue };
            add(format!("{}, actual", result.policy), (latency, result.mean_latency / latency));
            add(format!("{}, idealized", result.policy), (latency, idealized.mean_latency / latency));
        }
    }
    let title = format!("{}: with and without delayed hits", played.trace.name);
    let axes = [&latency_axis(), &Axis::linear("mean latency / Z", Unit::Plain)];
    measured.draw(&format!("{}-idealized", played.trace.name), "lines", one_panel(&title, axes, lines))
}

fn latency_axis() -> Axis {
    Axis::logarithmic("Z, latency of a fetch", unit("slots"))
}

fn cells_csv(played: &[Played<'_>]) -> String {
    let header = [
        "trace",
        "latency",
        "capacity",
        "entries",
        "policy",
        "mean_latency",
        "miss_ratio",
        "idealized_mean_latency",
        "idealized_miss_ratio",
    ];
    let or_empty = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let row = |trace: &str, cell: &Cell, result: &Outcomes| {
        let idealized = result.idealized.as_ref();
        vec![
            trace.to_owned(),
            cell.latency.clone(),
            cell.capacity.clone(),
            cell.entries.to_string(),
            result.policy.clone(),
            result.mean_latency.to_string(),
            or_empty(result.miss_ratio),
            or_empty(idealized.map(|idealized| idealized.mean_latency)),
            or_empty(idealized.map(|idealized| idealized.miss_ratio)),
        ]
    };
    let rows = played.iter().flat_map(|played| {
        let name = &played.trace.name;
        played.cells.iter().flat_map(move |cell| cell.results.iter().map(move |result| row(name, cell, result)))
    });
    csv::lines(&header, rows)
}

fn comparisons_csv(study: &Study, played: &[Played<'_>]) -> String {
    let header = ["trace", "latency", "capacity", "entries", "comparison", "percent"];
    let mut rows = Vec::new();
    for played in played {
        for cell in &played.cells {
            for comparison in &study.comparisons {
                let Some(percent) = comparison.of(cell) else { continue };
                rows.push(vec![
                    played.trace.name.clone(),
                    cell.latency.clone(),
                    cell.capacity.clone(),
                    cell.entries.to_string(),
                    comparison.to_string(),
                    percent.to_string(),
                ]);
            }
        }
    }
    csv::lines(&header, rows.into_iter())
}
