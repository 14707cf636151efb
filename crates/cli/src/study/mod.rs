//! A queue study: which queue suits these ranks, at this load, on this hardware?
//!
//! Every queue gets the same packets, with the ranks that they carry, at every load;
//! this is repeated with other packets, so that each number has a confidence
//! interval. `docs/scenario.md` describes the file, `docs/result.md` the result.

mod csv;
mod estimate;
mod measure;
mod optimal_bounds;
mod plot;
mod quantity;
mod read;
mod report;
mod run;
mod table;

use crate::scenario::{Plan, Policy};
use forebay_core::{BufferSize, ClassId, Rate, Seed, Time};
use forebay_traces::generate::{Arrivals, TrafficSpec};
use forebay_traces::{Distribution, RankPattern};

pub(crate) use csv::report as csv;
pub(crate) use estimate::{Estimate, mean_and_ci95};
pub(crate) use plot::files as plots;
pub(crate) use quantity::{Quantity, RankQuantity};
pub(crate) use read::is_study;
pub(crate) use report::StudyReport;
pub(crate) use run::{recorder, run};
pub(crate) use table::{report as table, with_interval};

/// A checked study.
#[derive(Debug, Clone)]
pub(crate) struct Study {
    pub(crate) name: String,
    pub(crate) seed: Seed,
    pub(crate) rate: Rate,
    pub(crate) buffer: BufferSize,
    pub(crate) arrivals: Arrivals,
    /// How the scenario calls them.
    pub(crate) arrivals_name: String,
    pub(crate) flows: u32,
    pub(crate) size_bytes: Distribution,
    pub(crate) ranks: Vec<Ranks>,
    /// Bits that arrive over bits that the link can send.
    pub(crate) loads: Vec<f64>,
    /// How often all is repeated with other packets.
    pub(crate) repetitions: u64,
    /// Packets that arrive in each repetition.
    pub(crate) packets: u64,
    /// Whom the other queues are compared with: an index of [`Ranks::queues`].
    pub(crate) baseline: usize,
}

/// Named ranks: drawn from a distribution, or in an order.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    pub(crate) name: String,
    pub(crate) pattern: RankPattern,
    /// The queues of the study: alike for all ranks, but for bounds that are optimal
    /// for these.
    pub(crate) queues: Vec<Policy<Plan>>,
}

impl Study {
    /// The packets with these ranks at this load.
    fn traffic(&self, ranks: &Ranks, load: f64) -> TrafficSpec {
        TrafficSpec {
            arrivals: self.arrivals.clone(),
            mean_rate_bps: load * self.rate.bits_per_second() as f64,
            max_packets: self.packets,
            until: Time::MAX,
            flows: self.flows,
            size_bytes: self.size_bytes.clone(),
            flow_bytes: None,
            classes: vec![(ClassId(0), 1.0)],
            queue: None,
            rank: Some(ranks.pattern.clone()),
            value: None,
            processing_ns: None,
            slack_ns: None,
        }
    }
}
