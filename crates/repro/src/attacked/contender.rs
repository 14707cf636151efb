//! The policies that are attacked.

use forebay::error::{Result, UserError};
use forebay_core::{BufferSize, Discipline, Rate, Seed};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::attack::optimal::Order;

/// Packets that wait at most.
const BUFFER: u64 = 1_000;

/// A policy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contender {
    /// As the source calls it.
    pub(crate) name: &'static str,
    rank: &'static str,
    drop: &'static str,
    /// The attack on it.
    pub(crate) order: Order,
}

pub(crate) const FCFS: Contender = Contender { name: "FCFS", rank: "arrival", drop: "tail", order: Order::Blind };
pub(super) const SJF: Contender = Contender { name: "SJF", rank: "job-size", drop: "worst-first", order: Order::Work };
pub(super) const SJF_IN_ORDER: Contender = Contender { name: "SJF in order", rank: "job-size-inorder", ..SJF };
pub(crate) const WSJF: Contender =
    Contender { name: "WSJF", rank: "job-ratio", drop: "worst-first", order: Order::Ratio };
pub(crate) const WSJF_IN_ORDER: Contender = Contender { name: "WSJF in order", rank: "job-ratio-inorder", ..WSJF };

/// Those of figures 3.17 and 3.18. Fair queueing drops what arrives, as the queues do that section 3.5.4 quotes; it starts
/// a flow that has nothing queued at the virtual time or, as claim 4 counts, at the arrival.
pub(super) const ALL: [Contender; 7] = [
    FCFS,
    Contender { name: "FQ", rank: "job-fair", ..FCFS },
    Contender { name: "FQ from the arrival", rank: "job-clock", ..FCFS },
    SJF,
    SJF_IN_ORDER,
    WSJF,
    WSJF_IN_ORDER,
];

impl Contender {
    /// The policy with nothing in it.
    pub(crate) fn discipline(self) -> Result<Box<dyn Discipline + Send>> {
        let spec = DisciplineSpec {
            rank: Part::named(self.rank),
            queue: Part::named("pifo"),
            drop: Part::named(self.drop),
            mark: None,
            buffer: BufferSize::Packets(BUFFER),
            rank_unit: RankUnit::ONE,
            // No rank here depends on it.
            link_rate: Rate::from_bits_per_second(100_000_000_000)
                .ok_or_else(|| UserError::new("a rate of 100 Gbps is none"))?,
        };
        // Nothing in it is random.
        discipline(&spec, Seed(0)).map_err(|error| UserError::new(format!("{}: {error}", self.name)))
    }
}
