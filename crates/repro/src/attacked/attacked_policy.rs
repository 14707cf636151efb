//! The policies that are attacked.

use forebay::error::{Result, UserError};
use forebay_core::{BufferSize, Discipline, Rate, Seed};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::attack::optimal::Order;

/// The most queued packets.
const BUFFER: u64 = 1_000;

/// A policy under attack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contender {
    /// The policy's name in the source.
    pub(crate) name: &'static str,
    rank: &'static str,
    drop: &'static str,
    /// The order that the attack is computed for.
    pub(crate) order: Order,
}

pub(crate) const FCFS: Contender = Contender { name: "FCFS", rank: "arrival", drop: "tail", order: Order::Blind };
/// Fair queueing that drops arriving packets, like the queues that section 3.5.4 quotes. It serves packets in the order in which they would
/// finish, as claim 4 counts.
pub(super) const FAIR: Contender = Contender { name: "FQ", rank: "job-finish", ..FCFS };
pub(super) const SJF: Contender = Contender { name: "SJF", rank: "job-size", drop: "worst-first", order: Order::Work };
pub(super) const SJF_IN_ORDER: Contender = Contender { name: "SJF in order", rank: "job-size-inorder", ..SJF };
pub(crate) const WSJF: Contender =
    Contender { name: "WSJF", rank: "job-ratio", drop: "worst-first", order: Order::Ratio };
pub(crate) const WSJF_IN_ORDER: Contender = Contender { name: "WSJF in order", rank: "job-ratio-inorder", ..WSJF };

/// The policies of figures 3.17 and 3.18, and fair queueing by the start of packets for comparison.
pub(super) const ALL: [Contender; 7] =
    [FCFS, FAIR, Contender { name: "FQ by start", rank: "job-fair", ..FCFS }, SJF, SJF_IN_ORDER, WSJF, WSJF_IN_ORDER];

impl Contender {
    /// Returns the policy's name followed by `what` it protects, or the name alone if `what` is empty.
    pub(super) fn before(self, what: &str) -> String {
        if what.is_empty() { self.name.to_owned() } else { format!("{}, {what}", self.name) }
    }

    /// Returns the policy as an empty discipline.
    pub(crate) fn discipline(self) -> Result<Box<dyn Discipline + Send>> {
        let spec = DisciplineSpec {
            rank: Part::named(self.rank),
            queue: Part::named("pifo"),
            drop: Part::named(self.drop),
            mark: None,
            pace: None,
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
