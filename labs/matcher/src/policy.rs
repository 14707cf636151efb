//! The schedulers that stand in front of the matcher, made of the parts of `crates/sched`.

use forebay_core::estimate::Kept;
use forebay_core::{BufferSize, Rate};
use forebay_sched::{DisciplineError, DisciplineSpec, Part, RankDiscipline, RankUnit};

/// A scheduler with its knowledge about jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatcherPolicy {
    /// First come, first served, with tail drop. The filter runs when a payload is served.
    Fcfs,
    /// Fair queueing: each flow gets an equal share of the work, as far as it can be estimated.
    FairQueueing,
    /// WSJF with the published estimator.
    WsjfPublished,
    /// WSJF with a work budget: the estimate is the median cost per byte of all payloads. A job that exceeds its slice
    /// goes back into the queue with its cost so far.
    WsjfBudget,
    /// WSJF with the median cost per byte of each candidate rule as the estimate, and a work budget.
    WsjfLearned,
}

impl MatcherPolicy {
    /// All of them, the simplest first.
    pub const ALL: [Self; 5] =
        [Self::Fcfs, Self::FairQueueing, Self::WsjfPublished, Self::WsjfBudget, Self::WsjfLearned];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fcfs => "fcfs",
            Self::FairQueueing => "fq",
            Self::WsjfPublished => "wsjf-published",
            Self::WsjfBudget => "wsjf-budget",
            Self::WsjfLearned => "wsjf-learned",
        }
    }

    /// Whether jobs are cut into slices.
    #[must_use]
    pub fn has_budget(self) -> bool {
        matches!(self, Self::WsjfBudget | Self::WsjfLearned)
    }

    /// The statistic that is kept of the costs of each rule, where payloads are ranked by the costs of their
    /// candidates.
    ///
    /// Take a rule that is a candidate for every payload. If the worst is kept, as published, the rule makes all
    /// payloads look as bad as the worst attack. The median is hardly moved by the few payloads of an attacker. It says
    /// nothing of the worst, which the work budget handles.
    #[must_use]
    pub fn kept(self) -> Kept {
        match self {
            Self::WsjfLearned => Kept::Median,
            _ => Kept::worst(),
        }
    }

    /// The queue with its order and its drop rule, for this many payloads.
    ///
    /// # Errors
    /// If there are too many.
    pub fn discipline(self, payloads: u64) -> Result<RankDiscipline, DisciplineError> {
        let (rank, drop) = match self {
            Self::Fcfs => ("arrival", "tail"),
            Self::FairQueueing => ("stfq", "worst-first"),
            Self::WsjfPublished | Self::WsjfBudget | Self::WsjfLearned => ("job-ratio", "worst-first"),
        };
        // No rank function used here uses the rate of the link.
        let link_rate = Rate::from_bits_per_second(1_000_000_000);
        RankDiscipline::new(&DisciplineSpec {
            rank: Part::named(rank),
            queue: Part::named("pifo"),
            drop: Part::named(drop),
            mark: None,
            pace: None,
            buffer: BufferSize::Packets(payloads),
            rank_unit: RankUnit::ONE,
            link_rate: link_rate.ok_or_else(|| DisciplineError::Buffer("there is no link".to_owned()))?,
        })
    }
}
