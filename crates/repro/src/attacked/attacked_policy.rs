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
/// Fair queueing that drops what arrives, as the queues do that section 3.5.4 quotes. It serves packets in the order in
/// which they would finish, as claim 4 counts.
pub(super) const FAIR: Contender = Contender { name: "FQ", rank: "job-finish", ..FCFS };
pub(super) const SJF: Contender = Contender { name: "SJF", rank: "job-size", drop: "worst-first", order: Order::Work };
pub(super) const SJF_IN_ORDER: Contender = Contender { name: "SJF in order", rank: "job-size-inorder", ..SJF };
pub(crate) const WSJF: Contender =
    Contender { name: "WSJF", rank: "job-ratio", drop: "worst-first", order: Order::Ratio };
pub(crate) const WSJF_IN_ORDER: Contender = Contender { name: "WSJF in order", rank: "job-ratio-inorder", ..WSJF };

/// Those of figures 3.17 and 3.18, with fair queueing by the start of packets for comparison.
pub(super) const ALL: [Contender; 7] =
    [FCFS, FAIR, Contender { name: "FQ by start", rank: "job-fair", ..FCFS }, SJF, SJF_IN_ORDER, WSJF, WSJF_IN_ORDER];

impl Contender {
    /// Its name before what is called so; empty for the usual.
    pub(super) fn before(self, what: &str) -> String {
        if what.is_empty() { self.name.to_owned() } else { format!("{}, {what}", self.name) }
    }

    /// The policy with nothing in it.
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
