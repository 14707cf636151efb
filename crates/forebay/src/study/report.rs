//! The result of a study: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::Study;
use super::estimate::{Estimate, mean_and_ci95};
use super::measure::{Measured, bins};
use super::quantity::{Quantity, RankQuantity};
use crate::openqueue;
use crate::scenario::Plan;
use forebay_core::ParamValue;
use forebay_sched::RankUnit;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// A whole study.
#[derive(Debug, Clone, Serialize)]
pub struct StudyReport {
    /// Version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// Root of all random numbers.
    pub seed: u64,
    /// What was asked.
    pub queue_study: Settings,
    /// What the user should know of the result.
    pub warnings: Vec<String>,
    /// Distribution by distribution, load by load, queue by queue.
    pub results: Vec<CellReport>,
}

/// What was asked for.
#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    pub rate_bps: u64,
    pub buffer: String,
    pub arrivals: String,
    pub packets: u64,
    pub seeds: u64,
    pub baseline: String,
}

/// One queue with one distribution of ranks at one load.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    pub ranks: String,
    pub load: f64,
    /// The queue's name in the study.
    pub queue: String,
    /// Its name in `forebay list`.
    pub algorithm: String,
    /// The parameters given to it; optimal bounds as numbers.
    pub parameters: BTreeMap<String, serde_json::Value>,
    pub drop: String,
    /// `null` for a policy in OpenQueue, which says it itself.
    pub buffer: Option<String>,
    /// What ranks are counted in before they go into the queue, as a study gives it.
    pub rank_unit: serde_json::Value,
    /// False if repetitions are missing because of an interrupt, or the clock came to
    /// its end in one.
    pub complete: bool,
    /// The repetitions that were finished, by number from 0.
    pub repetitions: Vec<u64>,
    /// In the order of [`Quantity::ALL`].
    #[serde(serialize_with = "by_quantity")]
    quantities: Vec<Estimate>,
    /// Counters of the discipline that are not zero, over all repetitions.
    pub counters: BTreeMap<&'static str, u64>,
    pub per_rank: PerRankReport,
}

/// Means over repetitions for each bin of ranks.
#[derive(Debug, Clone, Serialize)]
pub struct PerRankReport {
    /// Ranks in a bin.
    pub bin_width: u64,
    /// The lowest rank of each bin.
    pub lowest_rank: Vec<u64>,
    /// The highest rank of the last bin.
    pub greatest_rank: u64,
    /// In the order of [`RankQuantity::ALL`].
    #[serde(flatten, serialize_with = "by_rank_quantity")]
    columns: Vec<Column>,
}

/// A quantity over the bins.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Column {
    pub mean: Vec<Option<f64>>,
    pub ci95: Vec<Option<f64>>,
    /// For each bin, of each repetition.
    #[serde(skip)]
    pub values: Vec<Vec<Option<f64>>>,
}

fn by_quantity<S: Serializer>(estimates: &[Estimate], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Quantity::ALL.iter().map(|quantity| quantity.name()).zip(estimates))
}

fn by_rank_quantity<S: Serializer>(columns: &[Column], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(RankQuantity::ALL.iter().map(|quantity| quantity.name()).zip(columns))
}

impl Settings {
    pub(super) fn of(study: &Study) -> Self {
        Self {
            rate_bps: study.rate.bits_per_second(),
            buffer: study.buffer.to_string(),
            arrivals: study.arrivals_name.clone(),
            packets: study.packets,
            seeds: study.repetitions,
            baseline: study.ranks[0].queues[study.baseline].name.clone(),
        }
    }
}

impl StudyReport {
    /// The result of a queue with some ranks at a load.
    #[cfg(test)]
    pub fn find(&self, ranks: &str, load: f64, queue: &str) -> Option<&CellReport> {
        self.results.iter().find(|cell| cell.ranks == ranks && cell.load == load && cell.queue == queue)
    }

    /// The results of all queues, together for each distribution and load.
    pub fn blocks(&self) -> impl Iterator<Item = &[CellReport]> {
        self.results.chunk_by(|a, b| a.ranks == b.ranks && a.load == b.load)
    }

    /// The loads, in the order of the scenario.
    pub fn loads(&self) -> Vec<f64> {
        let first = &self.results[0];
        let of_first = self.results.iter().filter(|cell| cell.ranks == first.ranks && cell.queue == first.queue);
        of_first.map(|cell| cell.load).collect()
    }

    /// Whether every repetition was measured to its end.
    pub fn is_complete(&self) -> bool {
        self.results.iter().all(|cell| cell.complete)
    }
}

impl CellReport {
    /// From the repetitions of a queue, and of the baseline with the same packets.
    pub(super) fn new(
        study: &Study,
        (ranks, load, queue): (usize, usize, usize),
        repetitions: &[Option<Measured>],
        baseline: &[Option<Measured>],
    ) -> Self {
        let finished: Vec<(u64, &Measured)> =
            (0..).zip(repetitions).filter_map(|(number, measured)| Some((number, measured.as_ref()?))).collect();
        let of = |place: usize| finished.iter().map(|(_, measured)| measured.values[place]).collect();
        let vs_baseline = || {
            let pairs = repetitions.iter().zip(baseline).filter(|(own, _)| own.is_some());
            pairs.map(|(own, other)| ratio(own.as_ref(), other.as_ref())).collect()
        };
        let quantities = Quantity::ALL
            .iter()
            .enumerate()
            .map(|(place, quantity)| match quantity {
                Quantity::InversionsVsBaseline => Estimate::of(vs_baseline()),
                _ => Estimate::of(of(place)),
            })
            .collect();
        let mut counters = BTreeMap::new();
        for counter in finished.iter().flat_map(|(_, measured)| &measured.counters).filter(|counter| counter.value > 0)
        {
            *counters.entry(counter.name).or_default() += counter.value;
        }
        let policy = &study.ranks[ranks].queues[queue];
        Self {
            ranks: study.ranks[ranks].name.clone(),
            load: study.loads[load],
            queue: policy.name.clone(),
            algorithm: policy.discipline.queue().to_owned(),
            parameters: parameters(&policy.discipline),
            drop: policy.discipline.drop_rule().to_owned(),
            buffer: policy.discipline.buffer().map(|buffer| buffer.to_string()),
            rank_unit: unit(policy.discipline.rank_unit()),
            complete: repetitions
                .iter()
                .all(|measured| measured.as_ref().is_some_and(|measured| !measured.clock_ended)),
            repetitions: finished.iter().map(|&(number, _)| number).collect(),
            quantities,
            counters,
            per_rank: PerRankReport::new(study, ranks, &finished),
        }
    }

    /// What was measured of a quantity.
    pub fn estimate(&self, quantity: Quantity) -> &Estimate {
        &self.quantities[quantity as usize]
    }
}

/// The parameters of a queue; of a policy in OpenQueue its file and the values of its params.
fn parameters(plan: &Plan) -> BTreeMap<String, serde_json::Value> {
    match plan {
        Plan::Parts(spec) | Plan::Flows(spec) => {
            spec.queue.params.iter().map(|(name, value)| (name.clone(), as_json(value))).collect()
        }
        Plan::Tree(spec, ..) => spec.queue.params.iter().map(|(name, value)| (name.clone(), as_json(value))).collect(),
        Plan::OpenQueue(plan) => {
            let params = openqueue::params(&plan.policy).map(|param| (param.name, param.value.into()));
            params.chain([("policy".to_owned(), plan.file.as_str().into())]).collect()
        }
    }
}

/// As a scenario gives it.
fn unit(unit: RankUnit) -> serde_json::Value {
    match unit {
        RankUnit::Linear(unit) => unit.get().into(),
        RankUnit::Float { mantissa_bits } => json!({ "steps_per_doubling": 1_u64 << mantissa_bits }),
    }
}

fn as_json(value: &ParamValue) -> serde_json::Value {
    match value {
        ParamValue::Integer(number) => (*number).into(),
        ParamValue::Number(number) => (*number).into(),
        ParamValue::Text(text) => text.as_str().into(),
        ParamValue::Boolean(boolean) => (*boolean).into(),
        ParamValue::List(items) => items.iter().map(as_json).collect(),
        ParamValue::Table(entries) => entries.iter().map(|(key, value)| (key.clone(), as_json(value))).collect(),
    }
}

/// Inversions over those of the baseline, where it has any.
fn ratio(own: Option<&Measured>, baseline: Option<&Measured>) -> Option<f64> {
    let inversions = |measured: &Measured| measured.values[Quantity::Inversions as usize];
    let of_baseline = baseline.and_then(inversions).filter(|&count| count > 0.0)?;
    Some(own.and_then(inversions)? / of_baseline)
}

impl PerRankReport {
    fn new(study: &Study, ranks: usize, finished: &[(u64, &Measured)]) -> Self {
        let bins = bins(&study.ranks[ranks]);
        let greatest_rank = study.ranks[ranks].pattern.max();
        let lowest_rank: Vec<u64> = bins.lowest_ranks().collect();
        let column = |place: usize| {
            let of_bin = |bin: usize| finished.iter().map(move |(_, measured)| measured.bins[bin][place]);
            let (mean, ci95) = (0..lowest_rank.len()).map(|bin| mean_and_ci95(of_bin(bin).flatten())).unzip();
            Column { mean, ci95, values: (0..lowest_rank.len()).map(|bin| of_bin(bin).collect()).collect() }
        };
        let columns = (0..RankQuantity::ALL.len()).map(column).collect();
        Self { bin_width: bins.width(), lowest_rank, greatest_rank, columns }
    }

    /// How many bins are as wide as the first.
    pub fn full_bins(&self) -> usize {
        let last_is_full = |&lowest: &u64| self.greatest_rank - lowest + 1 == self.bin_width;
        self.lowest_rank.len() - usize::from(!self.lowest_rank.last().is_some_and(last_is_full))
    }

    /// What was measured of a quantity, bin by bin.
    pub fn column(&self, quantity: RankQuantity) -> &Column {
        &self.columns[quantity as usize]
    }
}
