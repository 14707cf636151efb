//! The estimate of the time to the next access, on which MAD builds.

use crate::access::{Fetched, Slot};
use crate::policy::Policy;
use std::ops::ControlFlow;

/// A policy that can say how soon it expects an object to be requested again.
///
/// All policies that maximise the hit rate try to evict what is requested latest, so
/// each has such an estimate, said or unsaid (thesis 2.5.2). MAD weighs it with the
/// aggregate delay.
pub trait Estimate: Policy {
    /// Does what the policy does before it chooses a victim for `new` (moves its hand,
    /// changes lists, adapts), then shows candidates until `see` breaks off: the
    /// policy's own victim first, then the others in the order in which the policy
    /// would rather evict them. With each goes its *rate*: an estimate of
    /// 1 / (time to next access), above zero, that never falls from one candidate to
    /// the next. The unit is the policy's own; only ratios count.
    ///
    /// Called instead of [`Policy::victim`], and like it once per victim.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>);
}
