//! Counts for each rank that packets carry, in bins of equal width.

use crate::metric;
use crate::statistics::mean_and_ci95;
use forebay_sim::probes::{RankBin, RankBins};
use forebay_traces::RankPattern;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The maximum number of bins into which ranks are divided.
const MAX_BINS: u32 = 128;

/// The bins of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankNumbers {
    /// The number of ranks in a bin.
    pub bin_width: u64,
    /// The lowest rank of each bin.
    pub lowest_rank: Vec<u64>,
    /// The highest rank of the last bin.
    pub greatest_rank: u64,
    /// Numbers of each bin, by name.
    columns: BTreeMap<String, Vec<Option<f64>>>,
}

/// Returns the bins into which ranks are divided.
pub(super) fn bins(pattern: &RankPattern) -> RankBins {
    RankBins::new(pattern.min(), pattern.max(), MAX_BINS)
}

impl RankNumbers {
    pub(super) fn new(pattern: &RankPattern, counted: &[RankBin]) -> Self {
        let bins = bins(pattern);
        Self {
            bin_width: bins.width(),
            lowest_rank: bins.lowest_ranks().collect(),
            greatest_rank: pattern.max(),
            columns: metric::of::<RankBin>()
                .map(|(metric, how)| (metric.name.to_owned(), counted.iter().map(how).collect()))
                .collect(),
        }
    }

    /// Returns a number of each bin.
    pub fn values(&self, name: &str) -> Option<&[Option<f64>]> {
        self.columns.get(name).map(Vec::as_slice)
    }
}

/// Means over repetitions for each bin of ranks.
#[derive(Debug, Clone, Serialize)]
pub struct PerRankReport {
    /// The number of ranks in a bin.
    pub bin_width: u64,
    /// The lowest rank of each bin.
    pub lowest_rank: Vec<u64>,
    /// The highest rank of the last bin.
    pub greatest_rank: u64,
    #[serde(flatten)]
    columns: BTreeMap<&'static str, Column>,
}

/// A quantity over the bins.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Column {
    /// The mean of each bin over repetitions.
    pub mean: Vec<Option<f64>>,
    /// Half the width of the 95 % confidence interval of each bin.
    pub ci95: Vec<Option<f64>>,
    /// The values of each bin in each repetition.
    #[serde(skip)]
    pub values: Vec<Vec<Option<f64>>>,
}

impl PerRankReport {
    /// Combines a run of each repetition, with the same bins; returns `None` if there are none.
    pub(super) fn new(runs: &[&RankNumbers]) -> Option<Self> {
        let first = runs.first()?;
        let column = |name: &'static str| {
            let of_bin = |bin: usize| runs.iter().map(move |run| run.values(name).and_then(|values| values[bin]));
            let bins = 0..first.lowest_rank.len();
            let (mean, ci95) = bins.clone().map(|bin| mean_and_ci95(of_bin(bin).flatten())).unzip();
            (name, Column { mean, ci95, values: bins.map(|bin| of_bin(bin).collect()).collect() })
        };
        Some(Self {
            bin_width: first.bin_width,
            lowest_rank: first.lowest_rank.clone(),
            greatest_rank: first.greatest_rank,
            columns: metric::of::<RankBin>().map(|(metric, _)| column(metric.name)).collect(),
        })
    }

    /// Returns the number of bins that are as wide as the first.
    pub fn full_bins(&self) -> usize {
        let last_is_full = |&lowest: &u64| self.greatest_rank - lowest + 1 == self.bin_width;
        self.lowest_rank.len() - usize::from(!self.lowest_rank.last().is_some_and(last_is_full))
    }

    /// Returns the names of numbers, with their measurements bin by bin.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &Column)> {
        self.columns.iter().map(|(name, column)| (*name, column))
    }

    /// Returns the numbers of a quantity, bin by bin.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(name)
    }
}
