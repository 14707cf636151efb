//! Times to the next access that fit a policy's order all along, which is more than
//! [`Estimate::candidates`] promises: there, none is longer than that of the first.
//!
//! [`Estimate::candidates`]: crate::estimate::Estimate::candidates

use crate::access::Slot;
use std::ops::ControlFlow;

/// Shows candidates in the order in which a policy would evict them, with times that never rise. The times are the closest
/// fit to the separate estimates (isotonic regression; pool adjacent violators, Ayer et al. 1955). Where order and
/// estimates disagree, neighbours share their mean.
///
/// For orders that have nothing to do with the estimate: those of queues, clocks and stacks. [`Rising`](super::Rising) says
/// when a running maximum is better, and has measurements.
///
/// O(n) for n candidates; a caller that wants only the first few pays for [`FIRST`](Self::FIRST).
#[derive(Debug, Clone, Default)]
pub struct Isotonic {
    slots: Vec<Slot>,
    pools: Vec<Pool>,
}

/// Candidates side by side that share their mean time.
#[derive(Debug, Clone, Copy)]
struct Pool {
    mean: f64,
    count: usize,
}

impl Isotonic {
    /// How many candidates are fitted before the first is shown; what comes after them
    /// is fitted in blocks that double, none above the last time of those before.
    pub const FIRST: usize = 512;

    /// Shows slots, each with an estimate of the time to its next access in ticks,
    /// above zero; `see` gets 1 / time.
    pub fn show(
        &mut self,
        times: impl Iterator<Item = (Slot, f64)>,
        see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>,
    ) {
        let mut times = times.fuse();
        let mut most = f64::INFINITY;
        let mut block = Self::FIRST;
        while self.fit(times.by_ref().take(block), most) {
            let mut slots = self.slots.iter();
            for pool in &self.pools {
                most = pool.mean;
                for &slot in slots.by_ref().take(pool.count) {
                    if see(slot, 1.0 / most).is_break() {
                        return;
                    }
                }
            }
            block *= 2;
        }
    }

    /// Pools a block; returns whether there was anything in it.
    fn fit(&mut self, times: impl Iterator<Item = (Slot, f64)>, most: f64) -> bool {
        self.slots.clear();
        self.pools.clear();
        for (slot, time) in times {
            self.slots.push(slot);
            let mut pool = Pool { mean: time.min(most), count: 1 };
            while let Some(before) = self.pools.pop_if(|before| before.mean < pool.mean) {
                let count = before.count + pool.count;
                let sum = before.mean * before.count as f64 + pool.mean * pool.count as f64;
                pool = Pool { mean: (sum / count as f64).min(most), count };
            }
            self.pools.push(pool);
        }
        !self.slots.is_empty()
    }
}

/// The time to the next access of an object last requested at `last`: one that was not requested for long is assumed
/// not to be requested for as long.
#[inline]
#[must_use]
pub fn age(now: u64, last: u64) -> f64 {
    now.saturating_sub(last).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fit(times: &[f64]) -> Vec<f64> {
        let mut shown = Vec::new();
        Isotonic::default().show((0..).zip(times.iter().copied()), &mut |slot, rate| {
            assert_eq!(slot as usize, shown.len());
            shown.push(1.0 / rate);
            ControlFlow::Continue(())
        });
        shown
    }

    #[test]
    fn disagreeing_neighbours_share_their_mean() {
        assert_eq!(fit(&[9.0, 4.0, 8.0, 2.0]), [9.0, 6.0, 6.0, 2.0]);
        assert_eq!(fit(&[1.0, 2.0, 6.0]), [3.0, 3.0, 3.0]);
    }

    proptest! {
        /// The fit is the min-max formula of isotonic regression (Robertson, Wright and
        /// Dykstra, 1988): the least over all starts of the greatest mean over all ends.
        #[test]
        fn is_the_closest_fit_that_never_rises(times in proptest::collection::vec(1..50_u32, 1..40)) {
            let times: Vec<_> = times.into_iter().map(f64::from).collect();
            let mean = |from: usize, to: usize| times[from..=to].iter().sum::<f64>() / (to - from + 1) as f64;
            for (at, fitted) in fit(&times).into_iter().enumerate() {
                let greatest = |from: usize| (at..times.len()).map(|to| mean(from, to)).fold(0.0, f64::max);
                let exact = (0..=at).map(greatest).fold(f64::INFINITY, f64::min);
                prop_assert!((fitted - exact).abs() < 1e-9 * exact, "{fitted} is not {exact}");
            }
        }

        #[test]
        fn times_never_rise_from_block_to_block(seed in 0..1_000_u32) {
            let times: Vec<_> = (0..2_000).map(|at| f64::from((at * 7_919 + seed * 104_729) % 1_000 + 1)).collect();
            prop_assert!(fit(&times).is_sorted_by(|one, next| one >= next));
        }
    }
}
