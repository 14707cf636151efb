//! The queued processing of each queue: `currProcessing` (section 2 of `docs/openqueue-semantics.md`).

use super::value::time;
use forebay_core::Duration;
use forebay_lang::ir::Policy;

/// The exact sums of the `processing` of packets by queue, in units of numbers; empty if the policy reads none.
#[derive(Debug)]
pub(super) struct Work(Box<[u128]>);

/// Converts remaining processing into units of numbers.
fn units(left: Duration) -> u128 {
    u128::from(time(left.as_ps()).unsigned_abs())
}

impl Work {
    /// Creates the sums of queues without packets.
    pub(super) fn new(policy: &Policy) -> Self {
        Self(if policy.sums_processing() { vec![0; policy.queues.len()].into() } else { Box::default() })
    }

    /// Whether the policy reads sums.
    #[inline(always)]
    pub(super) fn is_kept(&self) -> bool {
        !self.0.is_empty()
    }

    /// Adds the remaining processing of a packet that enters a queue.
    #[inline(always)]
    pub(super) fn enters(&mut self, queue: usize, left: Duration) {
        if let Some(sum) = self.0.get_mut(queue) {
            *sum += units(left);
        }
    }

    /// Subtracts the remaining processing of a packet that leaves a queue.
    #[inline(always)]
    pub(super) fn leaves(&mut self, queue: usize, left: Duration) {
        if let Some(sum) = self.0.get_mut(queue) {
            *sum -= units(left);
        }
    }

    /// Clears the sum of a queue that loses all packets.
    pub(super) fn all_leave(&mut self, queue: usize) {
        if let Some(sum) = self.0.get_mut(queue) {
            *sum = 0;
        }
    }

    /// Returns the sum as a number.
    pub(super) fn of(&self, queue: usize) -> i64 {
        self.0.get(queue).map_or(0, |sum| i64::try_from(*sum).unwrap_or(i64::MAX))
    }

    /// 6.8: whether a sum has reached the greatest number.
    pub(super) fn is_too_much(&self, queue: usize) -> bool {
        self.of(queue) == i64::MAX
    }
}
