//! Who gains when another policy is taken, by how bursty an object's requests are.

use super::cells::Cell;
use super::study::{Study, StudyTrace};
use super::{Measured, place};
use crate::drawing::{Line, one_panel, unit};
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay::output::csv;
use forebay_cache::attribution::Change;

/// How wide a step of burstiness is.
const STEP: f64 = 0.1;
/// Scores go from -1 to 1.
const STEPS: i32 = 20;
/// Steps with fewer requests say little and are left out of the picture.
const LEAST_REQUESTS: u64 = 500;

/// Adds values, a picture and data for each comparison that is looked at object by object.
pub(super) fn add(measured: &mut Measured, study: &Study, trace: &StudyTrace, cells: &[Cell]) -> Result<()> {
    for comparison in &study.bursts {
        let mut lines: Vec<Line> = Vec::new();
        for cell in cells {
            let objects = |policy: &str| cell.result(policy)?.objects.as_ref();
            let Some((own, other)) = objects(&comparison.policy).zip(objects(&comparison.other)) else { continue };
            let changes = other.changes(own);
            let mut share = |what: &str, belongs: &dyn Fn(f64) -> bool| {
                let chosen = changes.iter().filter(|change| change.burstiness.is_some_and(belongs));
                let (before, after, _) = sums(chosen);
                let percent = comparison.percent(after as f64, before as f64);
                measured.value(format!("{}: {comparison}: {what}", place(trace, cell)), percent);
                percent
            };
            let regular = share("regular objects", &|score| score <= 0.0);
            let bursty = share("bursty objects", &|score| score > 0.0);
            measured
                .value(format!("{}: {comparison}: bursty less regular objects", place(trace, cell)), bursty - regular);
            let label = format!("Z = {}, {}", cell.latency, cell.capacity);
            let points = steps(&changes)
                .map(|(score, before, after, _)| (score, comparison.percent(after as f64, before as f64)));
            lines.push((label, points.collect()));
            let file = format!("objects {} Z {} {}.csv", trace.name, cell.latency, cell.capacity).replace(' ', "-");
            measured.files.push((file.replace('%', ""), objects_csv(&changes)));
        }
        let title = format!("{}: {comparison} in percent, by burstiness", trace.name);
        let x = Axis::linear("Goh-Barabasi score of an object's requests", Unit::Plain);
        let y = Axis::linear("change", unit("%"));
        let figure = one_panel(&title, [&x, &y], lines);
        measured.draw(&format!("{}-burstiness", trace.name), "lines", figure)?;
    }
    Ok(())
}

/// Latency before and after, and requests.
fn sums<'a>(changes: impl Iterator<Item = &'a Change>) -> (u64, u64, u64) {
    changes.fold((0, 0, 0), |(before, after, requests), change| {
        (before + change.before, after + change.after, requests + change.requests)
    })
}

/// The middle of each step of burstiness with its sums.
fn steps(changes: &[Change]) -> impl Iterator<Item = (f64, u64, u64, u64)> + '_ {
    (0..STEPS).filter_map(|step| {
        let from = -1.0 + f64::from(step) * STEP;
        let belongs = |score: f64| score >= from && (score < from + STEP || step == STEPS - 1);
        let (before, after, requests) = sums(changes.iter().filter(|change| change.burstiness.is_some_and(belongs)));
        (requests >= LEAST_REQUESTS && before > 0).then_some((from + STEP / 2.0, before, after, requests))
    })
}

fn objects_csv(changes: &[Change]) -> String {
    let header = ["burstiness_from", "burstiness_to", "objects", "requests", "latency_before", "latency_after"];
    let rows = (0..STEPS).map(|step| {
        let from = -1.0 + f64::from(step) * STEP;
        let belongs = |change: &&Change| {
            change.burstiness.is_some_and(|score| score >= from && (score < from + STEP || step == STEPS - 1))
        };
        let (before, after, requests) = sums(changes.iter().filter(belongs));
        let objects = changes.iter().filter(belongs).count();
        let numbers = [objects as u64, requests, before, after].map(|number| number.to_string());
        let ends = [from, from + STEP].map(|score| format!("{score:.1}"));
        ends.into_iter().chain(numbers).collect()
    });
    csv::lines(&header, rows)
}
