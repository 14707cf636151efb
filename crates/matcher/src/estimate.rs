//! What a payload will cost in the second stage, learned from what others have cost.
//!
//! The published estimator (SurgeProtector, thesis, section 3.5.2) keeps for each rule the most
//! that it has ever cost per byte, and adds these up over the candidates. A rule that is a
//! candidate for every payload then makes all of them look as bad as the worst attack. So
//! [`Estimator::per_class`] keeps a number for each rule and each class of payloads, and
//! forgets slowly, since one disturbed measurement would otherwise count for ever.
//!
//! It can be fooled by slow payloads that are as varied as innocent ones; the search for attacks
//! looks for these too. A work budget needs no estimate that an attacker could spoil.

use forebay_core::Duration;

/// Classes of payloads: eighths of the variety of their least varied part.
pub const CLASSES: usize = 8;

/// Part of a payload whose variety is counted, in bytes.
const WINDOW: usize = 128;

/// How much of a worst cost is forgotten with each cheaper job that is learned from.
const FORGET: f64 = 1.0 / 256.0;

/// The class of a payload: how much it repeats itself, 0 for most. A backtracking matcher is slow
/// on what is repeated, so most slow payloads are in low classes and hardly any innocent one is.
/// Counted are the different groups of four bytes in each window.
#[must_use]
pub fn class_of(payload: &[u8]) -> usize {
    let least = payload.chunks(WINDOW).filter(|window| window.len() >= WINDOW / 2).map(variety).min();
    least.unwrap_or(CLASSES - 1)
}

fn variety(window: &[u8]) -> usize {
    // A bit for each hash; with 2,048 of them, 125 groups rarely meet.
    let mut seen = [0_u64; 32];
    for group in window.windows(4) {
        let group = u32::from_le_bytes([group[0], group[1], group[2], group[3]]);
        let hash = (group.wrapping_mul(0x9e37_79b1) >> 21) as usize;
        seen[hash / 64] |= 1 << (hash % 64);
    }
    let different: u32 = seen.iter().map(|bits| bits.count_ones()).sum();
    (different as usize * CLASSES / window.len()).min(CLASSES - 1)
}

/// Estimates the cost of payloads from candidate rules.
#[derive(Debug, Clone)]
pub struct Estimator {
    /// Worst cost per byte in nanoseconds, of each rule and class.
    worst: Vec<f64>,
    classes: usize,
    forget: f64,
}

impl Estimator {
    /// As published: the worst cost per byte ever seen of each rule.
    #[must_use]
    pub fn published(rules: usize) -> Self {
        Self { worst: vec![0.0; rules], classes: 1, forget: 0.0 }
    }

    /// The worst cost per byte of each rule among payloads of the same class, slowly forgotten.
    #[must_use]
    pub fn per_class(rules: usize) -> Self {
        Self { worst: vec![0.0; rules * CLASSES], classes: CLASSES, forget: FORGET }
    }

    fn place(&self, rule: u32, class: usize) -> usize {
        rule as usize * self.classes + class.min(self.classes - 1)
    }

    /// What a payload of that class and size will cost with these candidates. A rule that has not
    /// been seen in the class counts as free.
    #[must_use]
    pub fn estimate(&self, candidates: &[u32], class: usize, bytes: usize) -> Duration {
        let worst = |rule: &u32| self.worst.get(self.place(*rule, class)).copied().unwrap_or(0.0);
        let per_byte: f64 = candidates.iter().map(worst).sum();
        Duration::from_secs_f64(per_byte * bytes as f64 * 1e-9)
    }

    /// Learns what a rule has cost with a payload of that class and size.
    pub fn learn(&mut self, rule: u32, class: usize, bytes: usize, cost: Duration) {
        let per_byte = cost.as_ns_f64() / bytes.max(1) as f64;
        let place = self.place(rule, class);
        if let Some(worst) = self.worst.get_mut(place) {
            *worst = per_byte.max(*worst + (per_byte - *worst) * self.forget);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_estimate_is_the_worst_ever_of_each_candidate() {
        let mut estimator = Estimator::published(3);
        estimator.learn(0, 0, 100, Duration::from_ns(1_000));
        estimator.learn(0, 5, 100, Duration::from_ns(200));
        estimator.learn(2, 5, 100, Duration::from_ns(300));
        assert_eq!(estimator.estimate(&[0], 5, 50), Duration::from_ns(500));
        assert_eq!(estimator.estimate(&[0, 1, 2], 5, 100), Duration::from_ns(1_300));
    }

    #[test]
    fn a_class_does_not_pay_for_another_and_the_worst_is_forgotten() {
        let mut estimator = Estimator::per_class(1);
        estimator.learn(0, 0, 1, Duration::from_ms(1));
        estimator.learn(0, 7, 100, Duration::from_ns(1_000));
        assert_eq!(estimator.estimate(&[0], 7, 100), Duration::from_ns(1_000));
        for _ in 0..10_000 {
            estimator.learn(0, 7, 100, Duration::from_ns(100));
        }
        assert!(estimator.estimate(&[0], 7, 100) < Duration::from_ns(101));
        assert_eq!(estimator.estimate(&[0], 0, 1), Duration::from_ms(1));
    }

    #[test]
    fn what_repeats_itself_is_in_a_low_class() {
        let text =
            b"GET /search?q=innocent+traffic+is+varied HTTP/1.1\r\nHost: www.example.org\r\nCookie: a=b; c=d1e2f3\r\n";
        assert!(class_of(text) >= 5, "{}", class_of(text));
        assert_eq!(class_of(&[b'{'; 1_400]), 0);
        // A repeated part is found wherever it is.
        let mut hidden = text.to_vec();
        hidden.extend([b'{'; 300]);
        hidden.extend(text);
        assert_eq!(class_of(&hidden), 0);
        assert_eq!(class_of(b""), CLASSES - 1);
    }
}
