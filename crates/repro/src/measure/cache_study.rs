//! Caches on request traces under delayed hits, beside bounds of what is possible: most
//! figures of chapter 2 of the thesis. What is played says the `study.toml` of an experiment.

mod bursts;
mod cells;
mod comparison;
mod formulation;
mod misjudged;
mod picture;
mod study;
mod workload;

use super::{Experiment, MeasureEntry, Measured};
use cells::{BELATEDLY, Cell, LOWER_BOUND};
use comparison::Comparison;
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay_core::{About, Exactness, Seed};
use study::{Study, StudyTrace};
pub(super) use workload::Workloads;
use workload::{Opened, Workload};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "cache-study",
        title: "The cache study in study.toml: latency of policies on request traces, beside bounds",
        exactness: Exactness::NotApplicable,
        hardware: "traces that the experiment names; without them it is skipped",
        cost: "each trace once for each policy, capacity and latency",
        source: "Atre, thesis, chapter 2",
        params: &[],
    },
    run,
    missing: || None,
};

/// The cells of one trace.
struct Played<'a> {
    trace: &'a StudyTrace,
    /// Whether it is made from a recipe, so that it is always there.
    made: bool,
    cells: Vec<Cell>,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let study = Study::read(experiment)?;
    let workloads = Workloads::read(experiment)?;
    let mut measured = Measured::default();
    let mut played = Vec::new();
    for trace in &study.traces {
        let workload = match workloads.open(trace, seed, observer)? {
            Opened::Workload(workload) => workload,
            Opened::Missing(path) => {
                measured.skipped.push((trace.name.clone(), format!("{} is not there", path.display())));
                continue;
            }
        };
        let cells = cells::play(&study, trace, &workload, seed, observer)?;
        if !observer.goes_on() {
            return Ok(measured);
        }
        describe(&mut measured, trace, &workload);
        if study.formulation {
            formulation::add(&mut measured, trace, &workload)?;
        }
        cells.iter().for_each(|cell| add_cell(&mut measured, trace, cell));
        bursts::add(&mut measured, &study, trace, &cells)?;
        played.push(Played { trace, made: workload.made, cells });
    }
    summarise(&mut measured, &study, &played);
    misjudged::add(&mut measured, &study, &played);
    picture::add(&mut measured, &study, &played)?;
    Ok(measured)
}

/// What a cell is called in values.
fn place(trace: &StudyTrace, cell: &Cell) -> String {
    format!("{}: Z = {}: {}", trace.name, cell.latency, cell.capacity)
}

fn describe(measured: &mut Measured, trace: &StudyTrace, workload: &Workload) {
    let name = |what: &str| format!("{}: {what}", trace.name);
    measured.value(name("requests"), workload.requests.len() as f64);
    measured.value(name("objects"), workload.statistics.objects as f64);
    measured.value(name("most active objects"), workload.statistics.most_active_objects as f64);
    if let Some(burstiness) = workload.statistics.burstiness {
        measured.value(name("mean burstiness"), burstiness);
    }
}

fn add_cell(measured: &mut Measured, trace: &StudyTrace, cell: &Cell) {
    let place = place(trace, cell);
    measured.value(format!("{place}: entries"), cell.entries as f64);
    for result in &cell.results {
        let name = |what: &str| format!("{place}: {}: {what}", result.policy);
        measured.value(name("mean latency"), result.mean_latency);
        if let Some(misses) = result.miss_ratio {
            measured.value(name("miss ratio"), misses);
        }
        if let Some(idealized) = &result.idealized {
            measured.value(name("idealized mean latency"), idealized.mean_latency);
            measured.value(name("idealized miss ratio"), idealized.miss_ratio);
            measured.value(name("error of the idealized"), percent_below(idealized.mean_latency, result.mean_latency));
        }
    }
    if let Some(gap) = gap(cell) {
        measured.value(format!("{place}: gap of the bounds"), gap);
    }
}

/// By how many percent `value` is below `whole`.
fn percent_below(value: f64, whole: f64) -> f64 {
    (1.0 - value / whole) * 100.0
}

/// A number that a cell has.
type Quantity<'a> = Box<dyn Fn(&Cell) -> Option<f64> + 'a>;

/// Least, mean, median and greatest over all cells of a trace, and of all traces from recipes.
fn summarise(measured: &mut Measured, study: &Study, played: &[Played<'_>]) {
    let mut quantities: Vec<(String, Quantity<'_>)> = Vec::new();
    for comparison in &study.comparisons {
        quantities.push((comparison.to_string(), Box::new(|cell| comparison.of(cell))));
    }
    quantities.push(("gap of the bounds".to_owned(), Box::new(gap)));
    for (name, of) in &quantities {
        let values = |played: &Played<'_>| played.cells.iter().filter_map(of).collect::<Vec<_>>();
        let all: Vec<f64> = played.iter().filter(|played| played.made).flat_map(values).collect();
        add_summary(measured, &format!("all: {name}"), all);
        for played in played {
            add_summary(measured, &format!("{}: {name}", played.trace.name), values(played));
        }
    }
    for played in played {
        for comparison in &study.comparisons {
            for cell in &played.cells {
                if let Some(value) = comparison.of(cell) {
                    measured.value(format!("{}: {comparison}", place(played.trace, cell)), value);
                }
            }
        }
    }
}

/// By how many percent the upper bound is above the lower one.
fn gap(cell: &Cell) -> Option<f64> {
    let (lower, upper) = cell.mean_latency(LOWER_BOUND).zip(cell.mean_latency(BELATEDLY))?;
    Some((upper / lower - 1.0) * 100.0)
}

fn add_summary(measured: &mut Measured, name: &str, mut values: Vec<f64>) {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let (Some(least), Some(greatest)) = (values.first(), values.last()) else { return };
    let middle = values.len() / 2;
    let median = if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
    measured.value(format!("{name}: least"), *least);
    measured.value(format!("{name}: greatest"), *greatest);
    measured.value(format!("{name}: median"), median);
    measured.value(format!("{name}: mean"), values.iter().sum::<f64>() / values.len() as f64);
}
