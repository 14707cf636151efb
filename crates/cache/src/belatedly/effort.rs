//! How much work a search of bounds may spend, and how far it is.

use crate::belatedly::paths::approximate;

/// How much work to spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundOptions {
    /// Steps of the ascent. The length of steps sinks to 0 over all of them, so that
    /// 500 asked for are better than 500 of 5,000.
    pub iterations: u32,
    /// Steps between two looks: each evaluates the average of the prices and makes a schedule
    /// from it, so that both bounds may become better.
    pub look_every: u32,
    /// Stop at this gap, e.g. 0.001; 0 stops at proven optima only.
    pub gap: f64,
    /// Threads that search the windows of a long trace, at least 1. The bounds are the same with any number.
    pub threads: usize,
    /// Whether to keep what proves the lower bound. The classical problem is then searched, too: Belady's rule proves nothing.
    pub proves: bool,
}

impl Default for BoundOptions {
    fn default() -> Self {
        Self { iterations: 600, look_every: 20, gap: 0.0, threads: 1, proves: false }
    }
}

/// The progress of the bounds, at the last look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Steps of the ascent so far; 0 during preparation.
    pub iteration: u32,
    /// Steps asked for.
    pub iterations: u32,
    /// Windows of a long trace that have been searched.
    pub window: u32,
    /// Windows of a long trace; 0 for a trace that is searched as a whole.
    pub windows: u32,
    /// The best value of the dual so far, with the rounding errors of floats: the final bound is
    /// computed without. 0 before the first look.
    pub lower: f64,
    /// The least total latency of a schedule so far; `u64::MAX` before the first.
    pub upper: u64,
}

impl Progress {
    pub(crate) const fn begin(iterations: u32) -> Self {
        Self { iteration: 0, iterations, window: 0, windows: 0, lower: 0.0, upper: u64::MAX }
    }

    /// Of the upper bound, the share by which the lower bound is below it.
    #[must_use]
    pub fn gap(&self) -> f64 {
        gap(self.lower, self.upper)
    }
}

/// Of the upper bound, the share by which the lower bound is below it.
pub(crate) fn gap(lower: f64, upper: u64) -> f64 {
    if upper == 0 { 0.0 } else { 1.0 - lower / approximate(upper) }
}
