//! The length of a search.

use forebay_core::convert::saturate;
use std::time::Duration;

/// Returns the CPU time spent since a fixed moment.
pub type CpuTime<'a> = &'a (dyn Fn() -> Duration + Sync);

/// The budget of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// CPU time of all searches together.
    CpuTime(Duration),
    /// Generations of each search.
    Generations(u64),
}

/// The remaining budget of one of several searches.
pub(super) struct Spending<'a> {
    budget: Budget,
    cpu_time: CpuTime<'a>,
    began: Duration,
    pub(super) generations: u64,
}

impl Budget {
    /// Begins one of `searches` searches, among which CPU time is divided evenly.
    pub(super) fn begin(self, searches: usize, cpu_time: CpuTime<'_>) -> Spending<'_> {
        let searches = saturate::<u32>(searches.max(1));
        let budget = match self {
            Self::CpuTime(time) => Self::CpuTime(time / searches),
            generations @ Self::Generations(_) => generations,
        };
        Spending { budget, cpu_time, began: cpu_time(), generations: 0 }
    }
}

impl Spending<'_> {
    /// Returns the share of the budget that is spent, from 0 to 1.
    pub(super) fn spent(&self) -> f64 {
        match self.budget {
            Budget::CpuTime(time) => {
                ((self.cpu_time)().saturating_sub(self.began).as_secs_f64() / time.as_secs_f64()).min(1.0)
            }
            Budget::Generations(most) => self.generations as f64 / most as f64,
        }
    }

    /// Returns whether another generation may be tried; the first always may.
    pub(super) fn is_left(&self) -> bool {
        self.generations == 0 || self.spent() < 1.0
    }
}
