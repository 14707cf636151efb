//! How often a choice between two policies by hit rate takes the one with the higher latency.

use super::cells::{Cell, Outcomes};
use super::{Measured, Played, Study, place};
use forebay::output::csv;

/// What was counted.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    pairs: u32,
    /// By the hit rate of the classical model.
    by_hits: u32,
    /// By the misses of the model with delayed hits.
    by_misses: u32,
}

/// Adds values, and a list of all pairs.
pub(super) fn add(measured: &mut Measured, study: &Study, played: &[Played<'_>]) {
    if !study.pairs {
        return;
    }
    let mut all = Count::default();
    let mut rows = Vec::new();
    for played in played {
        let mut count = Count::default();
        for cell in &played.cells {
            let before = count;
            for (a, b) in pairs(cell) {
                let Some((by_hits, by_misses)) = misjudged(a, b) else { continue };
                count.pairs += 1;
                count.by_hits += u32::from(by_hits);
                count.by_misses += u32::from(by_misses);
                rows.push(vec![
                    played.trace.name.clone(),
                    cell.latency.clone(),
                    cell.capacity.clone(),
                    a.policy.clone(),
                    b.policy.clone(),
                    by_hits.to_string(),
                    by_misses.to_string(),
                ]);
            }
            measured.value(
                format!("{}: pairs misjudged by hit rate", place(played.trace, cell)),
                f64::from(count.by_hits - before.by_hits),
            );
        }
        add_shares(measured, &played.trace.name, count);
        if played.made {
            all.pairs += count.pairs;
            all.by_hits += count.by_hits;
            all.by_misses += count.by_misses;
        }
    }
    add_shares(measured, "all", all);
    let header = ["trace", "latency", "capacity", "policy", "other", "misjudged_by_hit_rate", "misjudged_by_misses"];
    measured.files.push(("pairs.csv".to_owned(), csv::lines(&header, rows.into_iter())));
}

fn add_shares(measured: &mut Measured, name: &str, count: Count) {
    let share = |part: u32| f64::from(part) / f64::from(count.pairs.max(1));
    measured.value(format!("{name}: pairs"), f64::from(count.pairs));
    measured.value(format!("{name}: share of pairs misjudged by hit rate"), share(count.by_hits));
    measured.value(format!("{name}: share of pairs misjudged by miss rate"), share(count.by_misses));
}

/// Every two policies that do not know the future.
fn pairs(cell: &Cell) -> impl Iterator<Item = (&Outcomes, &Outcomes)> {
    let online: Vec<_> = cell.results.iter().filter(|result| !result.offline).collect();
    (0..online.len()).flat_map(move |first| {
        let (a, others) = (online[first], online[first + 1..].to_vec());
        others.into_iter().map(move |b| (a, b))
    })
}

/// Whether the hit rate, and whether the miss rate, prefer the one with the higher latency.
fn misjudged(a: &Outcomes, b: &Outcomes) -> Option<(bool, bool)> {
    let by_latency = a.mean_latency.total_cmp(&b.mean_latency);
    let hits = |result: &Outcomes| result.idealized.as_ref().map(|idealized| idealized.miss_ratio);
    let by_hits = hits(a)?.total_cmp(&hits(b)?);
    let by_misses = a.miss_ratio?.total_cmp(&b.miss_ratio?);
    Some((
        by_hits == by_latency.reverse() && by_latency.is_ne(),
        by_misses == by_latency.reverse() && by_latency.is_ne(),
    ))
}
