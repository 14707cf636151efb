//! Rates that never fall, as [`Estimate::candidates`] promises.
//!
//! [`Estimate::candidates`]: crate::estimate::Estimate::candidates

use crate::access::Slot;
use std::ops::ControlFlow;

/// Shows candidates; one whose rate would be below that of the one before gets that.
pub struct Rising<'a> {
    see: &'a mut dyn FnMut(Slot, f64) -> ControlFlow<()>,
    least: f64,
}

impl<'a> Rising<'a> {
    /// Shows candidates to `see`.
    pub fn new(see: &'a mut dyn FnMut(Slot, f64) -> ControlFlow<()>) -> Self {
        Self { see, least: 0.0 }
    }

    /// Shows the next candidate.
    #[inline]
    pub fn show(&mut self, slot: Slot, rate: f64) -> ControlFlow<()> {
        self.least = self.least.max(rate);
        (self.see)(slot, self.least)
    }
}

/// The rate of what was last requested at `last`: not for long means not for as long.
#[inline]
#[must_use]
pub fn by_age(now: u64, last: u64) -> f64 {
    1.0 / now.saturating_sub(last).max(1) as f64
}
