//! The policy with the lowest latency, and the confidence in this verdict.
//!
//! Policies see the same requests, so their differences are paired over repetitions. With one repetition, they are paired over 20 to 39
//! blocks of the trace with equal numbers of requests (batch means). The interval is that of Student's t. Blocks exceed a cache's memory
//! only if the trace does so by far, so an interval over blocks says less than one over repetitions.

use super::report::{Place, Row};
use super::units::percent;
use crate::statistics::mean_and_ci95;
use serde::Serialize;

/// Fewer blocks say nothing.
const FEWEST_BLOCKS: usize = 8;

/// The best policy in one cell, by latency and by hit rate, among the policies that do not know the future.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The policy with the lowest mean latency.
    pub best_by_latency: String,
    /// The policies that are not clearly behind: their difference is within its interval.
    pub level: Vec<String>,
    /// The policy with the next lowest mean latency.
    pub next: Difference,
    /// The policy with the most hits in the classical model, MAD forms excluded; `null` if that model was not played.
    pub best_by_hit_rate: Option<String>,
    /// The amount by which the mean latency is higher with `best_by_hit_rate` than with `best_by_latency`, as a share of the latter's.
    pub regret: Option<f64>,
    /// Half the width of the regret's 95 % confidence interval.
    pub regret_ci95: Option<f64>,
}

/// The amount by which a policy's mean latency is above the best policy's, as a share of the best policy's.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The policy.
    pub policy: String,
    /// The amount as a share.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval; `null` if the trace is too short for one.
    pub difference_ci95: Option<f64>,
    /// The pairs: `repetitions` or `blocks`.
    pub paired_over: &'static str,
    /// The number of pairs.
    pub pairs: usize,
}

/// Returns the verdict on rows of one place; `None` unless there are several policies to compare.
pub(super) fn verdict(rows: &[Row]) -> Option<Verdict> {
    let latency = |row: &Row| row.mean("mean_latency");
    let mut online: Vec<&Row> = rows.iter().filter(|row| !row.offline).collect();
    // Of equal ones, the first as they were named.
    online.sort_by(|a, b| latency(a).total_cmp(&latency(b)));
    let [best, others @ ..] = &online[..] else { return None };
    let differences: Vec<Difference> = others.iter().map(|row| Difference::of(row, best)).collect();
    let next = differences.first()?.clone();
    let level = differences.iter().filter(|difference| !difference.is_clear());
    let by_hits = by_hit_rate(rows);
    let regret = by_hits.map(|row| Difference::of(row, best));
    Some(Verdict {
        place: best.place.clone(),
        best_by_latency: best.policy.clone(),
        level: level.map(|difference| difference.policy.clone()).collect(),
        next,
        best_by_hit_rate: by_hits.map(|row| row.policy.clone()),
        regret: regret.as_ref().map(|regret| regret.difference),
        regret_ci95: regret.and_then(|regret| regret.difference_ci95),
    })
}

/// The policy with most hits in the classical model. Nobody would choose a MAD form by its hit rate: without delays it has none.
fn by_hit_rate(rows: &[Row]) -> Option<&Row> {
    let plain = || rows.iter().filter(|row| !row.offline && !row.mad && row.has_classical());
    let hits = |row: &Row| row.mean("classical_hits");
    let most = plain().map(hits).reduce(f64::max)?;
    plain().find(|row| hits(row) >= most)
}

impl Difference {
    fn of(row: &Row, best: &Row) -> Self {
        let least = best.mean("mean_latency");
        let share = |latency: f64| if least > 0.0 { latency / least } else { 0.0 };
        let over_repetitions = by_repetition(row, best);
        let (paired_over, pairs) = if best.repetitions.len() > 1 {
            ("repetitions", over_repetitions)
        } else {
            ("blocks", by_block(row, best))
        };
        let ci95 = mean_and_ci95(pairs.iter().copied()).1;
        let is_enough = paired_over == "repetitions" || pairs.len() >= FEWEST_BLOCKS;
        Self {
            policy: row.policy.clone(),
            difference: share(row.mean("mean_latency") - least),
            difference_ci95: ci95.filter(|_| is_enough).map(share),
            paired_over,
            pairs: pairs.len(),
        }
    }

    /// Whether the policy is behind for sure.
    fn is_clear(&self) -> bool {
        self.difference_ci95.is_some_and(|ci95| self.difference > ci95)
    }

    fn text(&self) -> String {
        with_interval(self.difference, self.difference_ci95)
    }
}

/// Differences of the mean latency in each repetition that both have.
fn by_repetition(row: &Row, best: &Row) -> Vec<f64> {
    let values = |row: &Row| -> Vec<(u64, f64)> {
        let values = row.quantities.get("mean_latency").map(|latency| latency.values.clone()).unwrap_or_default();
        row.repetitions.iter().copied().zip(values).filter_map(|(own, value)| Some((own, value?))).collect()
    };
    let of_best = values(best);
    let pair = |(own, value): (u64, f64)| Some(value - of_best.iter().find(|(other, _)| *other == own)?.1);
    values(row).into_iter().filter_map(pair).collect()
}

/// Differences of the mean latency in each block of the trace.
fn by_block(row: &Row, best: &Row) -> Vec<f64> {
    let blocks = |row: &Row| -> Vec<f64> {
        let spread = row.points().next().and_then(|point| point.spread.as_ref());
        spread.map(|spread| spread.block_means().collect()).unwrap_or_default()
    };
    blocks(row).iter().zip(blocks(best)).map(|(own, other)| own - other).collect()
}

fn with_interval(share: f64, ci95: Option<f64>) -> String {
    match ci95 {
        Some(ci95) => format!("{} +- {}", percent(share).trim_end_matches(" %"), percent(ci95)),
        None => percent(share),
    }
}

/// Blocks of one sample do not tell how far another sample would be.
fn of_sample(sentence: &str, sample: f64, paired_over: &str) -> String {
    let other = if paired_over == "blocks" { ". Another sample may differ: --repeat draws others" } else { "" };
    let place = format!(", in a sample of {} of the objects: ", percent(sample));
    sentence.replacen(": ", &place, 1) + other
}

impl Verdict {
    /// Describes for people which policy is best, how sure that is, and which policy the hit rate would have chosen. `sample` is the share
    /// of the objects that was played.
    pub(crate) fn sentence(&self, sample: f64) -> String {
        let Self { best_by_latency: best, next, level, .. } = self;
        let paired =
            format!("paired over {} {}", next.pairs, next.paired_over.replace("blocks", "blocks of the trace"));
        let first = if next.difference_ci95.is_none() {
            format!("Lowest latency in this run: {best}. The trace is too short to say more")
        } else if level.is_empty() {
            let (other, text) = (&next.policy, next.text());
            format!("Lowest latency without knowing the future: {best}. The next, {other}, has {text} more ({paired})")
        } else {
            let (others, text) = (level.join(", "), next.text());
            format!(
                "Lowest latency without knowing the future: {best}, but not clearly: {others} may be as low. \
                 {} has {text} more ({paired})",
                next.policy
            )
        };
        let first = if sample < 1.0 { of_sample(&first, sample, next.paired_over) } else { first };
        let (Some(by_hits), Some(regret)) = (&self.best_by_hit_rate, self.regret) else { return first + "." };
        let more = with_interval(regret, self.regret_ci95);
        let second = if by_hits == best {
            "The hit rate says the same.".to_owned()
        } else if self.regret_ci95.is_some_and(|ci95| regret > ci95) {
            format!("The hit rate alone would have chosen {by_hits}: {more} more latency.")
        } else {
            format!("The hit rate alone would have chosen {by_hits}, which is not clearly behind: {more}.")
        };
        format!("{first}.\n{second}")
    }
}
