//! Which of two experts chooses, learnt from their regrets.

use forebay_core::Rng;
use rand::RngExt as _;

/// The weights of two experts, 0 and 1: the probabilities with which each chooses.
///
/// Neither falls below 0.01, so that each can win again: with its weight at 0 an expert
/// would never be asked, and no regret of the other could raise it.
#[derive(Debug, Clone, Copy)]
pub struct Experts {
    first: f64,
}

const LEAST: f64 = 0.01;

impl Default for Experts {
    fn default() -> Self {
        Self { first: 0.5 }
    }
}

impl Experts {
    /// Draws the expert that chooses.
    #[inline]
    pub fn draw(self, rng: &mut Rng) -> usize {
        usize::from(rng.random::<f64>() >= self.first)
    }

    /// `expert` evicted an object that returned: the odds against it rise by exp(`regret`).
    pub fn regret(&mut self, expert: usize, regret: f64) {
        let mut weights = [self.first, 1.0 - self.first];
        weights[expert] *= (-regret).exp();
        self.first = (weights[0] / (weights[0] + weights[1])).clamp(LEAST, 1.0 - LEAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn who_regrets_chooses_less_often_and_can_win_again() {
        let mut rng = Seed(1).stream("test/experts");
        let mut share = |experts: Experts| (0..10_000).map(|_| experts.draw(&mut rng)).sum::<usize>();
        let mut experts = Experts::default();
        assert!((4_800..5_200).contains(&share(experts)));
        experts.regret(1, 3_f64.ln());
        assert!((2_300..2_700).contains(&share(experts)));
        (0..10_000).for_each(|_| experts.regret(1, 45.0));
        assert!((50..150).contains(&share(experts)));
        (0..20).for_each(|_| experts.regret(0, 0.45));
        assert!(share(experts) > 9_000);
    }
}
