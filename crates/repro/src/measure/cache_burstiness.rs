//! Who gains when another policy is taken, by how bursty an object's requests are. The scenarios are those of `caches`, each with
//! `attribute`. Values: by how many percent the latency falls, like `cdn: latency 1000: bursty objects`, `regular objects` (Goh-Barabasi
//! score above 0, and not), and `bursty less regular objects`.

use super::caches::{Cell, play};
use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, one_panel, unit};
use forebay::Observer;
use forebay::caching::{Attribution, Object};
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay::output::csv;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "cache-burstiness",
        title: "Objects that gain from another policy, by the burstiness of their requests",
        exactness: Exactness::NotApplicable,
        hardware: "traces that a scenario names; without them it is skipped",
        cost: "as the scenarios",
        source: "Atre, thesis, Figures 2.10 and 2.24",
        params: &[],
    },
    run,
    missing: || None,
};

/// How wide a step of burstiness is.
const STEP: f64 = 0.1;
/// Scores go from -1 to 1.
const STEPS: i32 = 20;
/// Steps with fewer requests say little and are left out of the picture.
const LEAST_REQUESTS: u64 = 500;

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let played = play(experiment, seed, &mut measured, observer)?;
    for played in &played {
        played.add_values(&mut measured);
        let all: Vec<(&Cell, &Attribution)> = played.attributions().collect();
        for own in all.chunk_by(|a, b| a.0.trace == b.0.trace) {
            add(&mut measured, own)?;
        }
    }
    Ok(measured)
}

/// Values, a picture and data of one trace.
fn add(measured: &mut Measured, cells: &[(&Cell, &Attribution)]) -> Result<()> {
    let mut lines: Vec<Line> = Vec::new();
    for (cell, attribution) in cells {
        let (place, objects) = (cell.place(), &attribution.objects);
        let mut falls = |what: &str, belongs: &dyn Fn(f64) -> bool| {
            let chosen = objects.iter().filter(|object| object.burstiness.is_some_and(belongs));
            let (before, after, _) = sums(chosen);
            let percent = percent_below(after, before);
            measured.value(format!("{place}{what}"), percent);
            percent
        };
        let regular = falls("regular objects", &|score| score <= 0.0);
        let bursty = falls("bursty objects", &|score| score > 0.0);
        measured.value(format!("{place}bursty less regular objects"), bursty - regular);
        let label: Vec<String> = cell.axes.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let points = steps(objects).map(|(score, before, after, _)| (score, percent_below(after, before)));
        lines.push((label.join(", "), points.collect()));
        let file = format!("objects {} {}.csv", cell.trace, label.join(" ")).replace(' ', "-").replace('%', "");
        measured.files.push((file, objects_csv(objects)));
    }
    let Some((cell, Attribution { before, after, .. })) = cells.first() else { return Ok(()) };
    let title = format!("{}: latency of {after} below {before} in percent, by burstiness", cell.trace);
    let x = Axis::linear("Goh-Barabasi score of an object's requests", Unit::Plain);
    let y = Axis::linear("change", unit("%"));
    measured.draw(&format!("{}-burstiness", cell.trace), "lines", one_panel(&title, [&x, &y], lines))
}

/// By how many percent `after` is below `before`.
fn percent_below(after: u64, before: u64) -> f64 {
    (1.0 - after as f64 / before as f64) * 100.0
}

/// Latency before and after, and requests.
fn sums<'a>(objects: impl Iterator<Item = &'a Object>) -> (u64, u64, u64) {
    objects.fold((0, 0, 0), |(before, after, requests), object| {
        (before + object.latency_before, after + object.latency_after, requests + object.requests)
    })
}

/// The middle of each step of burstiness with its sums.
fn steps(objects: &[Object]) -> impl Iterator<Item = (f64, u64, u64, u64)> + '_ {
    (0..STEPS).filter_map(|step| {
        let from = -1.0 + f64::from(step) * STEP;
        let belongs = |score: f64| score >= from && (score < from + STEP || step == STEPS - 1);
        let (before, after, requests) = sums(objects.iter().filter(|object| object.burstiness.is_some_and(belongs)));
        (requests >= LEAST_REQUESTS && before > 0).then_some((from + STEP / 2.0, before, after, requests))
    })
}

fn objects_csv(objects: &[Object]) -> String {
    let header = ["burstiness_from", "burstiness_to", "objects", "requests", "latency_before", "latency_after"];
    let rows = (0..STEPS).map(|step| {
        let from = -1.0 + f64::from(step) * STEP;
        let belongs = |object: &&Object| {
            object.burstiness.is_some_and(|score| score >= from && (score < from + STEP || step == STEPS - 1))
        };
        let (before, after, requests) = sums(objects.iter().filter(belongs));
        let number = objects.iter().filter(belongs).count();
        let numbers = [number as u64, requests, before, after].map(|number| number.to_string());
        let ends = [from, from + STEP].map(|score| format!("{score:.1}"));
        ends.into_iter().chain(numbers).collect()
    });
    csv::lines(&header, rows)
}
