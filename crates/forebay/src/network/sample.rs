//! Invented runs, for tests of tables, files and pictures.

use super::report::{NetworkReport, NetworkSettings};
use super::run_result::{
    AtLeast, Completion, DropCounts, Ended, GroupResult, LinkInversions, NamedBytes, NamedShare, PortSums, QueueSeries,
    RankCounts, ReceivedSeries, RunResult, SenderCounts, SeriesResult, SizeClass, Spread, WindowSeries,
};
use super::spread::{quantiles, spread};
use super::state_result::StateResult;
use crate::run::{About, Asked, CellRuns, Head};
use crate::sweep::AxisValue;
use std::collections::BTreeMap;

/// Creates a run with completion times between `least_us` and a hundred times that.
pub(super) fn run(least_us: f64, unfinished: u64) -> RunResult {
    let classes = [("< 100 KB", 0, Some(100_000), 1.0), (">= 100 KB", 100_000, None, 10.0)];
    let class = |(name, from_bytes, below_bytes, times): (&str, u64, Option<u64>, f64)| {
        let sizes = SizeClass { name: name.to_owned(), from_bytes, below_bytes };
        group(Some(sizes), least_us * times, if from_bytes > 0 { unfinished } else { 0 })
    };
    let all = group(None, least_us * 5.0, unfinished);
    RunResult {
        ended: Ended::Finished,
        end_ns: 2e9,
        counted_ns: 1e9,
        hosts: 4,
        access_bps: 4_000_000_000,
        flows_started: all.flows,
        flows: all.flows,
        completed: all.completed,
        unfinished,
        endless: 0,
        offered_load: Some(0.598),
        asked_load: Some(0.6),
        load_deviation: Some(0.01),
        settled: None,
        goodput_bps: Some(2e9),
        delivered_bps: Some(2.2e9),
        senders: SenderCounts {
            data_segments: 10_000,
            retransmissions: 12,
            timeouts: 3,
            handshake_timeouts: 0,
            fast_retransmits: 9,
        },
        switches: PortSums { packets_dropped: 12, packets_marked: 400, ..PortSums::default() },
        cards: PortSums { packets_offered: 10_000, ..PortSums::default() },
        busiest: Some(NamedShare { link: "s>h3".to_owned(), utilisation: 0.71 }),
        longest_queue: Some(NamedBytes { link: "s>h3".to_owned(), bytes: 30_000 }),
        drops: DropCounts { discipline: 12, ..DropCounts::default() },
        packets_injected: 10_000,
        packets_delivered: 9_988,
        packets_in_network: 0,
        packet_hops: 20_000,
        events: 50_000,
        counters: BTreeMap::new(),
        groups: std::iter::once(all).chain(classes.map(class)).collect(),
        inversions: Vec::new(),
        states: Vec::new(),
        series: None,
    }
}

/// Creates states in switches, with 1,000 lookups.
pub(super) fn states(policy: &str, misses: u64) -> StateResult {
    StateResult {
        name: "flows".to_owned(),
        key: "flow".to_owned(),
        policy: policy.to_owned(),
        nodes: 2,
        states: 100,
        entries: 16,
        hits: 1_000 - misses,
        delayed_hits: 0,
        misses,
        evictions: misses,
        refused: 0,
        dropped: 0,
        waited_ns: 100.0 * misses as f64,
        max_waiting: 3,
        optimum_misses: None,
        told: None,
        travelled: None,
    }
}

fn group(sizes: Option<SizeClass>, least_us: f64, unfinished: u64) -> GroupResult {
    let fct: Vec<f64> = quantiles().map(|share| least_us * 1e3 * (1.0 + 99.0 * share.powi(6))).collect();
    let slowdown = fct.iter().map(|ns| ns / least_us / 1e3).collect();
    let mean = fct.iter().sum::<f64>() / fct.len() as f64;
    let completed = fct.len() as u64;
    GroupResult {
        workload: None,
        sizes,
        flows: completed + unfinished,
        completed,
        unfinished,
        endless: 0,
        bytes: 1_000_000,
        bytes_completed: 1_000_000,
        fairness: Some(0.9),
        deadlines_missed: None,
        fct_ns: spread(fct, Some(mean), true),
        fct_at_least_ns: AtLeast { mean: Some(mean), p99: None },
        slowdown: Spread { mean: Some(5.5), ..spread(slowdown, None, true) },
    }
}

/// Creates inversions at a link, in two bins of two ranks, multiplied by `times`.
pub(super) fn inversions(times: u64) -> LinkInversions {
    let by_rank = RankCounts { bin_width: 2, packets_out: vec![50, 40], inversions: vec![0, 15 * times] };
    LinkInversions { link: "s>h3".to_owned(), inversions: 15 * times, overtaken: 20 * times, by_rank }
}

/// Creates a queue and a window over time.
pub(super) fn series() -> SeriesResult {
    let times: Vec<u64> = (1..=2_500).collect();
    SeriesResult {
        times_ns: times.iter().map(|time| *time as f64 * 1e4).collect(),
        queues: vec![QueueSeries {
            link: "s>h3".to_owned(),
            bytes: times.iter().map(|time| time * 7_919 % 30_000).collect(),
        }],
        windows: vec![WindowSeries {
            flow: 0,
            bytes: times.iter().map(|time| (*time > 100).then_some(15_000 + time * 12 % 20_000)).collect(),
        }],
        received: vec![ReceivedSeries { flow: 0, bytes: times.iter().map(|time| time * time * 5).collect() }],
    }
}

/// Creates a run of `policy` at a load, in a repetition.
pub(super) fn cell(policy: &str, load: &str, repetition: u64, result: RunResult) -> CellRuns<RunResult> {
    let value = AxisValue { text: load.to_owned(), number: load.parse().ok() };
    let axes = vec![("load".to_owned(), value)];
    CellRuns { policy: policy.to_owned(), axes, repetitions: vec![repetition], seeds: vec![1], runs: vec![result] }
}

/// Creates the report of cells; neighbours may be repetitions of one cell.
pub(super) fn report(repetitions: u64, runs: u64, cells: Vec<CellRuns<RunResult>>) -> NetworkReport {
    let settings = NetworkSettings { topology: "leaf-spine".to_owned(), completion: Completion::Received };
    let policies = cells.iter().map(|cell| cell.policy.as_str());
    let asked = Asked { runs, ..Asked::new(settings, repetitions, policies, None, 0) };
    let mut joined: Vec<CellRuns<RunResult>> = Vec::new();
    for cell in cells {
        match joined.last_mut().filter(|last| last.policy == cell.policy && last.axes == cell.axes) {
            Some(last) => {
                last.repetitions.extend(cell.repetitions);
                last.seeds.extend(cell.seeds);
                last.runs.extend(cell.runs);
            }
            None => joined.push(cell),
        }
    }
    let head = Head { asked, own_axes: ["state_policy".to_owned()].into(), warnings: Vec::new() };
    NetworkReport::new(About { scenario: "web search".to_owned(), seed: 1 }, head, joined)
}

/// Creates a report of two policies at three loads, with two repetitions each.
pub(super) fn sweep() -> NetworkReport {
    let mut cells = Vec::new();
    for (load, times) in [("0.2", 1.0), ("0.5", 1.6), ("0.8", 4.0)] {
        for (policy, least_us) in [("TCP", 20.0), ("DCTCP", 12.0)] {
            for repetition in 0..2 {
                let mut result = run(least_us * times * (1.0 + repetition as f64 / 50.0), 0);
                result.series = Some(series());
                cells.push(cell(policy, load, repetition, result));
            }
        }
    }
    report(2, 12, cells)
}
