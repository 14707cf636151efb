//! What is reported of runs, of classes of packets and of bins of ranks, with the names that results and tables have for it.

use super::result::{Counts, RunResult};
use crate::statistics::{Quantity, quantities};
use forebay_sim::probes::RankBin;

/// Of a run, besides those of all its packets.
pub(super) const OF_RUNS: &[Quantity<RunResult>] = quantities![
    "offered_load": |run| Some(run.offered_load),
    "utilisation": |run| Some(run.utilisation),
    "end_ns": |run| Some(run.end_ns),
    "drop_inversions": |run| {
        let ranks = run.ranks.as_ref()?;
        ranks.values("drop_inversions").map(|values| values.iter().flatten().sum())
    },
];

/// Of packets: all, or those of a class.
pub(super) const OF_PACKETS: &[Quantity<Counts>] = quantities![
    "packets_in": |counts| Some(counts.packets_in as f64),
    "packets_out": |counts| Some(counts.packets_out as f64),
    "packets_dropped": |counts| Some(counts.packets_dropped as f64),
    "packets_queued": |counts| Some(counts.packets_queued as f64),
    "packets_marked": |counts| Some(counts.packets_marked as f64),
    "bytes_in": |counts| Some(counts.bytes_in as f64),
    "bytes_out": |counts| Some(counts.bytes_out as f64),
    "bytes_dropped": |counts| Some(counts.bytes_dropped as f64),
    "inversions": |counts| Some(counts.inversions as f64),
    "inversions_per_packet": |counts| {
        (counts.packets_out > 0).then(|| counts.inversions as f64 / counts.packets_out as f64)
    },
    "overtaken": |counts| Some(counts.overtaken as f64),
    "drop_share": |counts| (counts.packets_in > 0).then(|| counts.drop_share()),
    "throughput_bps": |counts| Some(counts.throughput_bps),
    "delay_ns_mean": |counts| counts.delay_ns.mean,
    "delay_ns_p50": |counts| counts.delay_ns.p50,
    "delay_ns_p90": |counts| counts.delay_ns.p90,
    "delay_ns_p99": |counts| counts.delay_ns.p99,
    "delay_ns_p999": |counts| counts.delay_ns.p999,
    "delay_ns_max": |counts| counts.delay_ns.max,
];

/// Of a bin of ranks.
pub(super) const OF_RANKS: &[Quantity<RankBin>] = quantities![
    "packets_in": |bin| Some(bin.packets_in as f64),
    "inversions": |bin| Some(bin.inversions as f64),
    "overtaken": |bin| Some(bin.overtaken as f64),
    "packets_dropped": |bin| Some(bin.packets_dropped as f64),
    "drop_share": |bin| (bin.packets_in > 0).then(|| bin.packets_dropped as f64 / bin.packets_in as f64),
    "drop_inversions": |bin| Some(bin.drop_inversions as f64),
    "delay_ns_mean": |bin| bin.mean_delay_ns(),
    "delay_ns_p99": |bin| bin.delay_quantile_ns(0.99),
];

/// Inversions over those of the baseline with the same packets.
pub(super) const VS_BASELINE: &str = "inversions_vs_baseline";

/// The names of all numbers: of policies and classes, and of bins of ranks.
#[cfg(test)]
pub(crate) fn names() -> [Vec<&'static str>; 2] {
    let of_runs = OF_RUNS.iter().map(|quantity| quantity.name).chain([VS_BASELINE]);
    let of_ranks = OF_RANKS.iter().map(|quantity| quantity.name).collect();
    [of_runs.chain(OF_PACKETS.iter().map(|quantity| quantity.name)).collect(), of_ranks]
}
