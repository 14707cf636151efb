//! How long is searched.

use cpu_time::ProcessTime;
use std::time::Duration;

/// How much may be spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Budget {
    /// CPU time of all searches together.
    CpuTime(Duration),
    /// Generations of each search.
    Generations(u64),
}

/// What one of several searches has left.
#[derive(Debug)]
pub(super) struct Spending {
    budget: Budget,
    began: ProcessTime,
    pub(super) generations: u64,
}

impl Budget {
    /// Begins one of `searches`, among which CPU time is spread evenly.
    pub(super) fn begin(self, searches: usize) -> Spending {
        let searches = u32::try_from(searches.max(1)).unwrap_or(u32::MAX);
        let budget = match self {
            Self::CpuTime(time) => Self::CpuTime(time / searches),
            generations @ Self::Generations(_) => generations,
        };
        Spending { budget, began: ProcessTime::now(), generations: 0 }
    }
}

impl Spending {
    /// From 0 to 1.
    pub(super) fn spent(&self) -> f64 {
        match self.budget {
            Budget::CpuTime(time) => (self.began.elapsed().as_secs_f64() / time.as_secs_f64()).min(1.0),
            Budget::Generations(most) => self.generations as f64 / most as f64,
        }
    }

    /// Whether another generation may be tried; the first always may.
    pub(super) fn is_left(&self) -> bool {
        self.generations == 0 || self.spent() < 1.0
    }
}
