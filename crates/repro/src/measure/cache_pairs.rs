//! How often a choice between two policies by hit rate takes the one with the higher latency. The scenarios are those of `caches`.
//! Values: `cdn: share of pairs misjudged by hit rate` or `by miss rate` and `cdn: pairs`, of a trace and of a file
//! (`made: ...` of `scenario-made.toml`).

use super::caches::{Cell, CellResult, play};
use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::Result;
use forebay::output::csv;
use forebay_core::{About, Exactness, Seed};
use std::collections::BTreeMap;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "cache-pairs",
        title: "For every pair of online policies: does the one with the better hit rate have the lower latency?",
        exactness: Exactness::NotApplicable,
        hardware: "traces that a scenario names; without them it is skipped",
        cost: "as the scenarios",
        source: "Atre, thesis, section 2.2.1, Figure 2.4",
        params: &[],
    },
    run,
    missing: || None,
};

/// What was counted.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    pairs: u32,
    /// By the hit rate of the classical model.
    by_hits: u32,
    /// By the misses of the model with delayed hits.
    by_misses: u32,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let played = play(experiment, seed, &mut measured, observer)?;
    let mut rows = Vec::new();
    for played in &played {
        played.add_values(&mut measured);
        let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
        for cell in &played.cells {
            for (a, b) in pairs(cell) {
                let Some((by_hits, by_misses)) = misjudged(a, b) else { continue };
                for group in [&cell.trace, &played.scenario] {
                    let count = counts.entry(group).or_default();
                    count.pairs += 1;
                    count.by_hits += u32::from(by_hits);
                    count.by_misses += u32::from(by_misses);
                }
                let names = [cell.place().trim_end_matches(": ").to_owned(), a.policy.clone(), b.policy.clone()];
                rows.push(names.into_iter().chain([by_hits.to_string(), by_misses.to_string()]).collect());
            }
        }
        counts.iter().for_each(|(group, count)| add_shares(&mut measured, group, *count));
    }
    let header = ["place", "policy", "other", "misjudged_by_hit_rate", "misjudged_by_misses"];
    measured.files.push(("pairs.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(measured)
}

fn add_shares(measured: &mut Measured, name: &str, count: Count) {
    let share = |part: u32| f64::from(part) / f64::from(count.pairs.max(1));
    measured.value(format!("{name}: pairs"), f64::from(count.pairs));
    measured.value(format!("{name}: share of pairs misjudged by hit rate"), share(count.by_hits));
    measured.value(format!("{name}: share of pairs misjudged by miss rate"), share(count.by_misses));
}

/// Every two policies that do not know the future.
fn pairs(cell: &Cell) -> impl Iterator<Item = (&CellResult, &CellResult)> {
    let online: Vec<_> = cell.results.iter().filter(|result| !result.offline).collect();
    (0..online.len()).flat_map(move |first| {
        let (a, others) = (online[first], online[first + 1..].to_vec());
        others.into_iter().map(move |b| (a, b))
    })
}

/// Whether the hit rate, and whether the miss rate, prefer the one with the higher latency.
fn misjudged(a: &CellResult, b: &CellResult) -> Option<(bool, bool)> {
    let by_latency = a.mean_latency.total_cmp(&b.mean_latency);
    let hits = |result: &CellResult| result.classical.map(|(_, miss_ratio)| miss_ratio);
    let by_hits = hits(a)?.total_cmp(&hits(b)?);
    let by_misses = a.miss_ratio.total_cmp(&b.miss_ratio);
    Some((
        by_hits == by_latency.reverse() && by_latency.is_ne(),
        by_misses == by_latency.reverse() && by_latency.is_ne(),
    ))
}
