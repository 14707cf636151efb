//! One repetition: one queue, one load, one kind of ranks, one seed.

use super::quantity::{Quantity, RankQuantity, Seen};
use super::{Ranks, Study};
use crate::error::Result;
use crate::observer::Meter;
use crate::scenario::{Plan, Policy, Sinks};
use forebay_core::{Counter, Element as _};
use forebay_sim::probes::{PerRank, RankBins, Traffic};
use forebay_sim::{EndReason, Port, RunOptions};
use forebay_traces::generate::Generator;
use std::cell::Cell;

/// Most bins that ranks are cut into.
const MAX_BINS: u32 = 128;

/// The numbers of one repetition.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    /// In the order of [`Quantity::ALL`].
    pub values: [Option<f64>; Quantity::ALL.len()],
    /// For each bin, in the order of [`RankQuantity::ALL`].
    pub bins: Vec<[Option<f64>; RankQuantity::ALL.len()]>,
    pub counters: Vec<Counter>,
    /// Whether simulated time came to its end first.
    pub clock_ended: bool,
}

/// How ranks are cut into bins.
pub(super) fn bins(ranks: &Ranks) -> RankBins {
    RankBins::new(ranks.pattern.min(), ranks.pattern.max(), MAX_BINS)
}

/// Measures, and tells `sinks` what is done to the queue; `None` if it was interrupted, since half a repetition is none.
pub(super) fn measure(
    study: &Study,
    ranks: &Ranks,
    load: f64,
    queue: &Policy<Plan>,
    repetition: u64,
    sinks: Sinks,
    progress: &Meter<'_>,
) -> Result<Option<Measured>> {
    if !progress.goes_on() {
        return Ok(None);
    }
    // The same for every queue, load and distribution.
    let seed = study.seed.part(&format!("study/repetition/{repetition}"));
    let probes = (Traffic::default(), PerRank::new(bins(ranks)));
    let mut port = Port::new(study.rate, queue.discipline.element(seed, sinks)?, probes);
    let mut source = Generator::new(study.traffic(ranks, load), seed);
    let reported = Cell::new(0);
    let go_on = |offered: u64| {
        progress.add(offered - reported.replace(offered));
        progress.goes_on()
    };
    let outcome = port.run(&mut source, &RunOptions { go_on: &go_on, ..RunOptions::default() });
    progress.add(study.packets - reported.get());
    if outcome.reason == EndReason::Stopped {
        return Ok(None);
    }
    let (discipline, (traffic, per_rank)) = port.into_parts();
    let total = traffic.total();
    assert_eq!(total.packets_queued(), outcome.packets_queued, "every packet is out, dropped or queued");
    let seen = Seen {
        traffic: &total,
        bins: per_rank.bins(),
        seconds: outcome.end.as_secs_f64(),
        rate_bps: study.rate.bits_per_second() as f64,
    };
    Ok(Some(Measured {
        values: Quantity::ALL.map(|quantity| quantity.of(&seen)),
        bins: seen.bins.iter().map(|bin| RankQuantity::ALL.map(|quantity| quantity.of(bin))).collect(),
        counters: discipline.counters(),
        clock_ended: outcome.reason == EndReason::ClockOverflow,
    }))
}
