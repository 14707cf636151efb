//! Lengths of flows, and the packets that they send in each round trip.

use forebay_core::{Rng, real};
use rand::RngExt as _;

/// Sizes of flows in whole packets: Pareto, cut at the longest.
///
/// A flow has n packets or more with probability n^-shape, and the distribution is
/// conditioned on no flow being longer than the longest.
#[derive(Debug, Clone)]
pub(crate) struct FlowSizes {
    shape: f64,
    pub(crate) longest: u64,
    /// The share of a Pareto distribution that is longer than the longest.
    cut: f64,
}

impl FlowSizes {
    pub(crate) fn new(shape: f64, longest: u64) -> Self {
        Self { shape, longest, cut: real::pow(longest as f64 + 1.0, -shape) }
    }

    /// Returns the share of flows with at least `packets` packets, 1 or more.
    pub(crate) fn share_of_at_least(&self, packets: u64) -> f64 {
        ((real::pow(packets as f64, -self.shape) - self.cut) / (1.0 - self.cut)).max(0.0)
    }

    /// Returns the mean number of packets in a flow.
    pub(crate) fn mean(&self) -> f64 {
        (1..=self.longest).map(|packets| self.share_of_at_least(packets)).sum()
    }

    /// Draws the size of a flow that has at least `packets` packets.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(crate) fn draw_at_least(&self, packets: u64, rng: &mut Rng) -> u64 {
        // In (0, 1], so that its power is finite.
        let share = (1.0 - rng.random::<f64>()) * self.share_of_at_least(packets);
        let size = real::pow(share * (1.0 - self.cut) + self.cut, -1.0 / self.shape);
        (size as u64).clamp(packets, self.longest)
    }
}

/// The windows of a flow in slow start: one for each round trip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Windows {
    pub(crate) initial: u64,
    pub(crate) largest: u64,
}

impl Windows {
    /// Returns the number of packets that a flow sends in round trip `round`, from 0.
    pub(crate) fn of(self, round: u64) -> u64 {
        // Windows are below 2^20, so that after 20 doublings any is the largest.
        (self.initial << round.min(20)).min(self.largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn windows_double_each_round_trip_up_to_the_largest() {
        let first = |initial, largest| (0..8).map(|round| Windows { initial, largest }.of(round)).collect::<Vec<_>>();
        assert_eq!(first(1, 44), [1, 2, 4, 8, 16, 32, 44, 44]);
        assert_eq!(first(10, 1_000), [10, 20, 40, 80, 160, 320, 640, 1_000]);
        assert_eq!(first(5, 3), [3; 8]);
        assert_eq!(Windows { initial: 1, largest: 1_000_000 }.of(u64::MAX), 1_000_000);
    }

    #[test]
    fn sizes_are_pareto_and_have_the_stated_mean() {
        let mut rng = Seed(1).stream("sizes");
        for (shape, longest) in [(1.1, 1_000), (0.5, 30), (3.0, 1_000_000), (1.1, 1)] {
            let sizes = FlowSizes::new(shape, longest);
            let drawn: Vec<u64> = (0..200_000).map(|_| sizes.draw_at_least(1, &mut rng)).collect();
            assert!(drawn.iter().all(|&size| (1..=longest).contains(&size)));
            let share = |packets| drawn.iter().filter(|&&size| size >= packets).count() as f64 / 200_000.0;
            let tail = |packets: f64| packets.powf(-shape) - (longest as f64 + 1.0).powf(-shape);
            for packets in [1, 2, 3, 10, 100, 1_000] {
                let expected = (tail(packets as f64) / tail(1.0)).max(0.0);
                // Five standard deviations of a share.
                let slack = 5.0 * (expected * (1.0 - expected) / 200_000.0).sqrt();
                assert!((share(packets) - expected).abs() <= slack + 1e-12, "{shape} {longest} {packets}: {expected}");
            }
            let (mean, spread) = mean_and_spread(&drawn);
            assert!((mean - sizes.mean()).abs() <= 5.0 * spread / 200_000_f64.sqrt(), "{shape} {longest}: {mean}");
        }
    }

    #[test]
    fn sizes_of_at_least_some_packets_are_those_of_the_rest() {
        let (sizes, mut rng) = (FlowSizes::new(1.1, 500), Seed(1).stream("sizes"));
        let mut share = |least, packets| {
            (0..100_000).filter(|_| sizes.draw_at_least(least, &mut rng) >= packets).count() as f64 / 1e5
        };
        for (least, packets) in [(1, 1), (7, 7), (7, 8), (7, 100), (499, 500), (500, 500)] {
            let expected = sizes.share_of_at_least(packets) / sizes.share_of_at_least(least);
            let slack = 5.0 * (expected * (1.0 - expected) / 1e5).sqrt();
            assert!((share(least, packets) - expected).abs() <= slack + 1e-12, "{least} {packets}: {expected}");
        }
    }

    fn mean_and_spread(values: &[u64]) -> (f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<u64>() as f64 / count;
        let squares: f64 = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum();
        (mean, (squares / count).sqrt())
    }
}
