//! The load of a flow: its queued items, from which its rank is computed.

use forebay_core::{About, Duration, Field, Named};

/// The needs of one item: work and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Job {
    /// The time that a server needs for the item, as far as it is known.
    pub work: Duration,
    /// The size of the item.
    pub bytes: u32,
}

/// All queued items of a flow, without those in service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowLoad {
    /// The number of items; never 0 when a rank is computed.
    pub items: u32,
    /// The sum of the items' sizes.
    pub bytes: u64,
    /// The sum of the items' work in picoseconds. The sum is exact, since each item's work is subtracted again.
    pub work_ps: u128,
    /// The item that leaves next.
    pub head: Job,
}

impl FlowLoad {
    pub(crate) fn add(&mut self, job: Job) {
        self.items += 1;
        self.bytes += u64::from(job.bytes);
        self.work_ps += u128::from(job.work.as_ps());
    }

    pub(crate) fn subtract(&mut self, job: Job) {
        self.items -= 1;
        self.bytes -= u64::from(job.bytes);
        self.work_ps -= u128::from(job.work.as_ps());
    }
}

/// The rank of a flow: its place in the order of service, lowest first.
pub type FlowRank = fn(&FlowLoad) -> u64;

/// One flow rank in the registry.
pub struct FlowRankEntry {
    /// The name, title, cost and source of the flow rank.
    pub about: About,
    /// Other names of the flow rank.
    pub also_known_as: &'static [&'static str],
    /// The field of packets that the traffic must set for this rank.
    pub needs: Option<Field>,
    /// The function that computes the rank.
    pub rank: FlowRank,
}

impl Named for FlowRankEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
