//! The estimate of the time to the next access, on which MAD builds.

use crate::access::{Fetched, Slot};
use crate::mad::MadDefaults;
use crate::policy::{CachePolicy, Victim};
use crate::structures::Line;
use std::ops::ControlFlow;

/// A policy that can say how soon it expects an object to be requested again.
///
/// All policies that maximise the hit rate try to evict the object that is requested latest. So each has such an
/// estimate, explicit or not (thesis 2.5.2). MAD weighs it with the aggregate delay.
pub trait Estimate: CachePolicy {
    /// Does what the policy does before it chooses a victim for `new`: it moves its hand, changes lists or adapts. Then
    /// shows candidates until `see` breaks off: the policy's own victim first, then the others in the policy's order of
    /// eviction. The policy chooses which objects are candidates:
    ///
    /// - all of them;
    /// - those of the list that has to give (ARC, CAR);
    /// - those that it drew (LHD);
    /// - those that have earned no other place (SIEVE, S3-FIFO);
    /// - none if `new` is not to be admitted (W-TinyLFU, GDSF).
    ///
    /// With each candidate goes its *rate*: an estimate of 1 / (time to next access), above zero. The unit is the
    /// policy's own; only ratios count. Where every fetch takes one tick and each request has a tick of its own, no
    /// candidate has a lower rate than the first. All aggregate delays are then alike, so the MAD form is its base
    /// policy. Most policies' rates never fall from one candidate to the next, but that is not promised: after the
    /// first, SIEVE shows rates by the ages.
    ///
    /// With longer fetches, an order by use (LRU, ARC) and the time of the last request differ a little, since an
    /// object enters later than it was requested. The time is the better estimate, so another candidate than the first
    /// may have the lowest rate. Orders that differ from the estimates in other ways are reconciled with
    /// [`Isotonic`](crate::structures::Isotonic) or [`Rising`](crate::structures::Rising).
    ///
    /// Called instead of [`CachePolicy::victim`], and like it once per victim.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>);

    /// What its MAD form counts where its user does not say. Those of the thesis' own
    /// forms differ; [`MadDefaults`] lists them.
    const MAD: MadDefaults = MadDefaults::USUAL;

    /// Whether [`candidates`](Self::candidates) shows all entries. Otherwise it shows as many at any capacity.
    const SHOWS_ALL: bool = true;

    /// Whether [`rate`](Self::rate) knows the rate of any object, so that MAD can draw candidates.
    const DRAWS: bool = false;

    /// The rate of the object at `slot`, which was drawn; [`None`] if it is no candidate. `own` is the policy's own victim
    /// for `new`, which it chose just before. MAD takes no rate for lower than that of `own`.
    fn rate(&self, slot: Slot, own: Slot, new: &Fetched) -> Option<f64> {
        let _ = (slot, own, new);
        None
    }

    /// A fast path for policies whose estimates are [lines](Line): times to the next access over time (LRU, LFU, ARC,
    /// Hyperbolic), or rates over the age of the cache (LFUDA, GDSF). Their objects are in this many groups, and MAD looks
    /// for a victim in one group. With 0, the default, MAD calls [`candidates`](Self::candidates) instead of the methods below; it also does so if
    /// its user wants the `first` candidates only. Both ways find the same victim except for ties: candidates come in
    /// the policy's order, lines in that of the last hit or insertion.
    ///
    /// Group and line of an object may change when it enters or is hit, and at no other
    /// time.
    const GROUPS: usize = 0;

    /// The group of the object at `slot`.
    fn group(&self, slot: Slot) -> usize {
        let _ = slot;
        0
    }

    /// What the lines are.
    const LINES: LinesOf = LinesOf::Times;

    /// The estimate for the object at `slot`, as a line. It is above
    /// zero whenever a victim is looked for.
    fn line(&self, slot: Slot) -> Line {
        let _ = slot;
        Line::constant(1.0)
    }

    /// Where the lines are looked at, after [`victims`](Self::victims): at the time of `new`, unless the estimates change
    /// with something else. Never falls.
    fn now(&self, new: &Fetched) -> f64 {
        new.time as f64
    }

    /// Does what the policy does before it chooses a victim for `new`, and returns in which
    /// group the victim is. The group is not empty. [`None`] if `new` is not to be admitted.
    fn victims(&mut self, new: &Fetched) -> Option<usize> {
        let _ = new;
        Some(0)
    }
}

/// What the lines of [`Estimate::line`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinesOf {
    /// Times to the next access: 1 / rate.
    Times,
    /// Rates.
    Rates,
}

/// [`CachePolicy::victim_among`] of a policy that shows its candidates one by one and in no time.
pub(crate) fn first_candidate<E: Estimate>(
    policy: &mut E,
    new: &Fetched,
    may_leave: &mut dyn FnMut(Slot) -> bool,
) -> Option<Victim> {
    let mut first = None;
    policy.candidates(new, &mut |slot, _| {
        if !may_leave(slot) {
            return ControlFlow::Continue(());
        }
        first = Some(Victim::Slot(slot));
        ControlFlow::Break(())
    });
    first
}
