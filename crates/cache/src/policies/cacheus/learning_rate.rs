//! CACHEUS' learning rate, which follows the hit rate.

use forebay_core::Rng;
use rand::RngExt as _;

/// Least and greatest learning rate.
const LEAST: f64 = 0.001;
const MOST: f64 = 1.0;
/// After so many windows that were no better the rate starts again at random.
const PATIENCE: u32 = 10;

/// Moves on in the direction in which the hit rate rose from one window of requests to
/// the next (algorithm 2 of the paper).
#[derive(Debug, Clone)]
pub(super) struct LearningRate {
    now: f64,
    before: f64,
    hit_rate: f64,
    no_better: u32,
    requests: usize,
    hits: usize,
    rng: Rng,
}

impl LearningRate {
    /// For a cache of so many entries.
    pub(super) fn new(entries: usize, rng: Rng) -> Self {
        let first = (2.0 * std::f64::consts::LN_2 / entries.max(1) as f64).sqrt().clamp(LEAST, MOST);
        Self { now: first, before: first, hit_rate: 0.0, no_better: 0, requests: 0, hits: 0, rng }
    }

    pub(super) fn now(&self) -> f64 {
        self.now
    }

    /// A request; a window has as many as the cache has entries.
    #[inline]
    pub(super) fn request(&mut self, hit: bool, entries: usize) {
        self.requests += 1;
        self.hits += usize::from(hit);
        if self.requests >= entries {
            self.adapt(self.hits as f64 / self.requests as f64);
            (self.requests, self.hits) = (0, 0);
        }
    }

    fn adapt(&mut self, hit_rate: f64) {
        let (step, gain) = (self.now - self.before, hit_rate - self.hit_rate);
        (self.before, self.hit_rate) = (self.now, hit_rate);
        if step != 0.0 {
            let change = (self.now * step).abs();
            self.now = if gain / step > 0.0 { self.now + change } else { self.now - change }.clamp(LEAST, MOST);
            self.no_better = 0;
        } else if hit_rate == 0.0 || gain <= 0.0 {
            self.no_better += 1;
            if self.no_better >= PATIENCE {
                self.no_better = 0;
                self.now = self.rng.random_range(LEAST..=MOST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    fn after(hit_rates: &[usize]) -> LearningRate {
        let mut rate = LearningRate::new(100, Seed(1).stream("test"));
        for &hits in hit_rates {
            (0..100).for_each(|index| rate.request(index < hits, 100));
        }
        rate
    }

    #[test]
    fn starts_again_when_nothing_helps_and_then_follows_the_hit_rate() {
        let first = (2.0 * 2_f64.ln() / 100.0).sqrt();
        assert_eq!(after(&[50; 10]).now(), first);
        let jumped = after(&[50; 11]).now();
        assert_ne!(jumped, first);
        // A jump up that helped goes on up, one that did not goes down again.
        let (better, worse) = (after(&[&[50; 11][..], &[60]].concat()), after(&[&[50; 11][..], &[40]].concat()));
        let change = jumped * (jumped - first).abs();
        let up = if jumped > first { 1.0 } else { -1.0 };
        assert_eq!(better.now(), (jumped + up * change).clamp(LEAST, MOST));
        assert_eq!(worse.now(), (jumped - up * change).clamp(LEAST, MOST));
    }
}
