//! The worst cost per byte that each rule has shown: the estimate of section 3.5.2.

use forebay_core::Duration;

/// Learns, for each rule, the greatest cost per byte that it had so far (`z_k`). A job's estimate is the sum of that
/// over its candidates, times its size.
///
/// Work that was learnt from is never underestimated again. One payload on which a rule is slow makes all its payloads
/// look slow for ever: an attacker that knows how can so raise the estimates of innocents (section 3.5.2, limits in
/// 3.7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorstSeen {
    ps_per_byte: Vec<u64>,
}

impl WorstSeen {
    /// For so many rules, each of which counts as having cost `first_ps_per_byte` picoseconds per byte until it was
    /// seen to cost more. With 0 a rule that was never evaluated is taken to be free.
    #[must_use]
    pub fn new(rules: usize, first_ps_per_byte: u64) -> Self {
        Self { ps_per_byte: vec![first_ps_per_byte; rules] }
    }

    /// What the evaluation of these rules costs at worst, as far as is known. A rule that there is not costs nothing.
    #[must_use]
    pub fn estimate(&self, candidates: impl IntoIterator<Item = usize>, size_bytes: u32) -> Duration {
        let worst = candidates.into_iter().filter_map(|rule| self.ps_per_byte.get(rule));
        let ps_per_byte = worst.fold(0_u64, |sum, &ps| sum.saturating_add(ps));
        Duration::from_ps(ps_per_byte.saturating_mul(size_bytes.max(1).into()))
    }

    /// A rule was evaluated on so many bytes, which took `work`.
    pub fn learn(&mut self, rule: usize, size_bytes: u32, work: Duration) {
        if let Some(worst) = self.ps_per_byte.get_mut(rule) {
            *worst = (*worst).max(work.as_ps().div_ceil(size_bytes.max(1).into()));
        }
    }

    /// The worst cost of a rule so far, in picoseconds per byte; 0 if there is no such rule.
    #[must_use]
    pub fn ps_per_byte(&self, rule: usize) -> u64 {
        self.ps_per_byte.get(rule).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_the_sum_of_the_worst_of_each_candidate() {
        let mut worst = WorstSeen::new(3, 1);
        worst.learn(0, 100, Duration::from_ps(1_050));
        worst.learn(0, 100, Duration::from_ps(300));
        worst.learn(2, 0, Duration::from_ps(7));
        worst.learn(3, 1, Duration::from_us(1));
        assert_eq!([0, 1, 2, 3].map(|rule| worst.ps_per_byte(rule)), [11, 1, 7, 0], "rounded up");
        assert_eq!(worst.estimate([0, 1, 3], 50), Duration::from_ps(600));
        assert_eq!(worst.estimate([], 50), Duration::ZERO);
        assert!(worst.estimate([0], 100) >= Duration::from_ps(1_050));
    }
}
