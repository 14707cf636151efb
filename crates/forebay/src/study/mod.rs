//! A queue study: which queue suits these ranks, at this load, on this hardware?
//!
//! Every queue gets the same packets, with the ranks that they carry, at every load;
//! this is repeated with other packets, so that each number has a confidence
//! interval. `docs/scenario.md` describes the file, `docs/result.md` the result.

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

pub use estimate::{Estimate, mean_and_ci95};
pub use plot::files as plots;
pub use quantity::{Quantity, RankQuantity};
pub use read::is_study;
pub use report::StudyReport;
pub use run::{recorder, run};
pub use table::{report as table, with_interval};

/// A checked study.
#[derive(Debug, Clone)]
pub struct Study {
    /// Its name.
    pub name: String,
    /// Root of all random numbers.
    pub seed: Seed,
    /// The rate of the link.
    pub rate: Rate,
    /// The buffer of each queue.
    pub buffer: BufferSize,
    /// When packets arrive.
    pub arrivals: Arrivals,
    /// How the scenario calls them.
    pub arrivals_name: String,
    /// Flows that share the packets.
    pub flows: u32,
    /// Sizes of packets in bytes.
    pub size_bytes: Distribution,
    /// The distributions of ranks.
    pub ranks: Vec<Ranks>,
    /// Bits that arrive over bits that the link can send.
    pub loads: Vec<f64>,
    /// How often all is repeated with other packets.
    pub repetitions: u64,
    /// Packets that arrive in each repetition.
    pub packets: u64,
    /// Whom the other queues are compared with: an index of [`Ranks::queues`].
    pub baseline: usize,
}

/// Named ranks: drawn from a distribution, or in an order.
#[derive(Debug, Clone)]
pub struct Ranks {
    /// Its name.
    pub name: String,
    /// How ranks are drawn.
    pub pattern: RankPattern,
    /// The queues of the study: alike for all ranks, but for bounds that are optimal
    /// for these.
    pub queues: Vec<Policy<Plan>>,
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
