//! Inversions by rank in the report: the counts at the links of single runs, combined.

use super::run_result::{LinkInversions, RankCounts};
use crate::statistics::mean_and_ci95;
use forebay_core::convert::index;
use serde::Serialize;

/// Packets that left a link, by rank: means over repetitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RanksOfLink {
    pub link: String,
    /// The number of ranks in a bin.
    pub bin_width: u64,
    /// The lowest rank of each bin.
    pub lowest_rank: Vec<u64>,
    /// The number of packets that departed.
    pub packets_out: Means,
    /// The number of packets that departed while a packet of lower rank waited.
    pub inversions: Means,
}

/// A number for each bin, with its confidence interval.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Means {
    pub mean: Vec<f64>,
    pub ci95: Vec<Option<f64>>,
}

impl RanksOfLink {
    /// Combines, for each link, the counts of each repetition. Bins are as wide as the widest bin of a repetition.
    pub fn all(runs: &[&[LinkInversions]]) -> Vec<Self> {
        let links = runs.iter().map(|links| links.len()).min().unwrap_or(0);
        (0..links).map(|place| Self::new(&runs.iter().map(|links| &links[place]).collect::<Vec<_>>())).collect()
    }

    fn new(runs: &[&LinkInversions]) -> Self {
        let counts = || runs.iter().map(|run| &run.by_rank);
        let bin_width = counts().map(|counts| counts.bin_width).max().unwrap_or(1);
        let means = |of: fn(&RankCounts) -> &[u64]| Means::of(counts().map(|counts| widened(counts, of, bin_width)));
        let packets_out = means(|counts| &counts.packets_out);
        Self {
            link: runs[0].link.clone(),
            bin_width,
            lowest_rank: (0..packets_out.mean.len() as u64).map(|bin| bin * bin_width).collect(),
            packets_out,
            inversions: means(|counts| &counts.inversions),
        }
    }
}

impl Means {
    /// Over repetitions; a bin that one does not reach has nothing in it.
    fn of(repetitions: impl Iterator<Item = Vec<f64>>) -> Self {
        let repetitions: Vec<Vec<f64>> = repetitions.collect();
        let bins = repetitions.iter().map(Vec::len).max().unwrap_or(0);
        let of_bin = |bin: usize| repetitions.iter().map(move |counts| counts.get(bin).copied().unwrap_or(0.0));
        let estimates = (0..bins).map(|bin| mean_and_ci95(of_bin(bin)));
        let (mean, ci95) = estimates.map(|(mean, ci95)| (mean.unwrap_or(0.0), ci95)).unzip();
        Self { mean, ci95 }
    }
}

/// The counts in bins of this width, which is a multiple of their own.
fn widened(counts: &RankCounts, of: fn(&RankCounts) -> &[u64], bin_width: u64) -> Vec<f64> {
    let times = index(bin_width / counts.bin_width);
    of(counts).chunks(times).map(|bins| bins.iter().sum::<u64>() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bin_width: u64, packets_out: &[u64], inversions: &[u64]) -> [LinkInversions; 1] {
        let by_rank = RankCounts { bin_width, packets_out: packets_out.to_vec(), inversions: inversions.to_vec() };
        [LinkInversions { link: "a>b".to_owned(), inversions: inversions.iter().sum(), overtaken: 0, by_rank }]
    }

    #[test]
    fn repetitions_meet_in_the_widest_bins() {
        let runs = [run(1, &[5, 1, 2, 0, 4], &[0, 1, 1, 0, 2]), run(4, &[10, 20, 6], &[4, 8, 6])];
        let links = RanksOfLink::all(&[&runs[0][..], &runs[1][..]]);
        let [link] = &links[..] else { panic!("{links:?}") };
        assert_eq!((&link.link[..], link.bin_width, &link.lowest_rank[..]), ("a>b", 4, &[0, 4, 8][..]));
        assert_eq!(link.packets_out.mean, [9.0, 12.0, 3.0]);
        assert_eq!(link.inversions.mean, [3.0, 5.0, 3.0]);
        // Student's t for one degree of freedom, times half the difference of the two.
        assert!((link.packets_out.ci95[0].unwrap() - 12.706).abs() < 1e-2);
    }

    #[test]
    fn one_repetition_has_no_interval_and_no_link_no_ranks() {
        let run = run(1, &[3, 2], &[0, 1]);
        assert_eq!(RanksOfLink::all(&[&run[..]])[0].inversions, Means { mean: vec![0.0, 1.0], ci95: vec![None; 2] });
        assert_eq!(RanksOfLink::all(&[&[], &[]]), []);
    }
}
