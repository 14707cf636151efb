//! What a flow has queued, and what its rank is made of.

use forebay_core::{About, Duration, Field, Named};

/// What one item asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Job {
    /// How long it must be worked on, as far as is known.
    pub work: Duration,
    /// Its size.
    pub bytes: u32,
}

/// All queued items of a flow, without those in service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowLoad {
    /// How many items; never 0 when a rank is computed.
    pub items: u32,
    /// Their sizes.
    pub bytes: u64,
    /// Their work in picoseconds; exact, since added work must be subtracted again.
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
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// What the traffic must say about its packets.
    pub needs: Option<Field>,
    /// Computes it.
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
