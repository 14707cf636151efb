//! What a payload will cost in the second stage, learned from what others have cost.
//!
//! The published estimator (SurgeProtector, thesis, section 3.5.2) keeps for each rule the most
//! that it has ever cost per byte, and adds these up over the candidates. A rule that is a
//! candidate for every payload then makes all of them look as bad as the worst attack. The median
//! of each rule is not moved by the few payloads of an attacker; that it says nothing of the worst is what a
//! work budget is for.

use forebay_core::Duration;

/// By this share a median moves with each payload.
const STEP: f64 = 1.0 / 32.0;

/// What is kept of the costs of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Worst,
    Median,
}

/// Estimates the cost of payloads from candidate rules.
#[derive(Debug, Clone)]
pub struct Estimator {
    kept: Kept,
    /// Nanoseconds per byte of each rule; 0 of those that were never seen.
    per_byte: Vec<f64>,
}

impl Estimator {
    /// As published: the worst cost per byte ever seen of each rule.
    #[must_use]
    pub fn worst(rules: usize) -> Self {
        Self { kept: Kept::Worst, per_byte: vec![0.0; rules] }
    }

    /// The median cost per byte of each rule, of late.
    #[must_use]
    pub fn median(rules: usize) -> Self {
        Self { kept: Kept::Median, per_byte: vec![0.0; rules] }
    }

    /// What a payload of that size will cost with these candidates. A rule that has not been seen counts as free.
    #[must_use]
    pub fn estimate(&self, candidates: &[u32], bytes: usize) -> Duration {
        let of_rule = |rule: &u32| self.per_byte.get(*rule as usize).copied().unwrap_or(0.0);
        let per_byte: f64 = candidates.iter().map(of_rule).sum();
        Duration::from_secs_f64(per_byte * bytes as f64 * 1e-9)
    }

    /// Learns what a rule has cost with a payload of that size.
    pub fn learn(&mut self, rule: u32, bytes: usize, cost: Duration) {
        let seen = cost.as_ns_f64() / bytes.max(1) as f64;
        let Some(known) = self.per_byte.get_mut(rule as usize) else { return };
        *known = match self.kept {
            Kept::Worst => known.max(seen),
            Kept::Median if *known <= 0.0 => seen,
            Kept::Median if seen > *known => *known * (1.0 + STEP),
            Kept::Median => *known / (1.0 + STEP),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_estimate_is_the_worst_ever_of_each_candidate() {
        let mut estimator = Estimator::worst(3);
        estimator.learn(0, 100, Duration::from_ns(1_000));
        estimator.learn(0, 100, Duration::from_ns(200));
        estimator.learn(2, 100, Duration::from_ns(300));
        assert_eq!(estimator.estimate(&[0], 50), Duration::from_ns(500));
        assert_eq!(estimator.estimate(&[0, 1, 2], 100), Duration::from_ns(1_300));
    }

    #[test]
    fn a_median_is_found_whatever_a_few_cost() {
        let mut estimator = Estimator::median(1);
        // The first is an attack, and so is every tenth.
        for payload in 0..2_000_u64 {
            let cost =
                if payload % 10 == 0 { Duration::from_ms(10) } else { Duration::from_ns(900 + payload % 7 * 50) };
            estimator.learn(0, 100, cost);
        }
        let estimate = estimator.estimate(&[0], 100);
        assert!((950..=1_150).contains(&estimate.as_ns()), "{estimate}");
    }
}
