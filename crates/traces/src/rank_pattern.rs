//! Patterns of the ranks of packets: each rank is drawn on its own, or an order repeats.
//!
//! The order of ranks also affects the results of an approximate queue: the same ranks in another order can cause far more inversions
//! (SP-PIFO, NSDI'20, section 7). An order assigns its ranks to packets as they arrive, in any flow.

use crate::distribution::{Distribution, Range};
use forebay_core::{ParamError, Rng, ramp};
use std::sync::Arc;

/// The ranks of packets.
#[derive(Debug, Clone)]
pub enum RankPattern {
    /// Each is drawn on its own.
    Drawn(Distribution),
    /// They come in this order.
    Order(RankOrder),
}

impl RankPattern {
    /// Returns the least rank.
    #[must_use]
    pub fn min(&self) -> u64 {
        match self {
            Self::Drawn(distribution) => distribution.min(),
            Self::Order(order) => order.range.min,
        }
    }

    /// Returns the greatest rank.
    #[must_use]
    pub fn max(&self) -> u64 {
        match self {
            Self::Drawn(distribution) => distribution.max(),
            Self::Order(order) => order.range.max,
        }
    }

    /// Returns the rank of a packet, by its number from 0. Only drawn ranks use `rng`.
    #[inline]
    pub fn rank_of(&self, packet: u64, rng: &mut Rng) -> u64 {
        match self {
            Self::Drawn(distribution) => distribution.draw(rng),
            Self::Order(order) => order.rank_of(packet),
        }
    }
}

/// Ranks in a given order, which starts again after the last one. Clones share the ranks.
#[derive(Debug, Clone)]
pub struct RankOrder {
    ranks: Arc<[u64]>,
    range: Range,
}

impl RankOrder {
    /// The maximum number of ranks in an order.
    pub const MAX_RANKS: usize = 1 << 26;

    /// Creates an order from its ranks.
    ///
    /// # Errors
    /// If there are none, or more than [`MAX_RANKS`](Self::MAX_RANKS).
    pub fn new(ranks: Vec<u64>) -> Result<Self, ParamError> {
        let wrong = |message| Err(ParamError { param: None, message });
        let (Some(&min), Some(&max)) = (ranks.iter().min(), ranks.iter().max()) else {
            return wrong("an order has at least one rank".to_owned());
        };
        if ranks.len() > Self::MAX_RANKS {
            return wrong(format!("an order has at most {} ranks, not {}", Self::MAX_RANKS, ranks.len()));
        }
        Ok(Self { ranks: ranks.into(), range: Range { min, max } })
    }

    /// Creates an order of `length` ranks that rise evenly over the range, and then drop to its start.
    ///
    /// # Errors
    /// If the range is empty, or the length 0 or above [`MAX_RANKS`](Self::MAX_RANKS).
    pub fn ramps(length: usize, range: Range) -> Result<Self, ParamError> {
        if length == 0 || length > Self::MAX_RANKS {
            let message = format!("`length` must be from 1 to {}, not {length}", Self::MAX_RANKS);
            return Err(ParamError::of("length", message));
        }
        if range.max < range.min {
            return Err(ParamError::of("max", format!("`max` must be at least `min`, which is {}", range.min)));
        }
        Self::new(ramp(length, range.min, range.max).collect())
    }

    /// Returns the ranks, once.
    #[must_use]
    pub fn ranks(&self) -> &[u64] {
        &self.ranks
    }

    #[inline]
    fn rank_of(&self, packet: u64) -> u64 {
        let place = packet % self.ranks.len() as u64;
        self.ranks[usize::try_from(place).expect("below the length")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    fn first(pattern: &RankPattern, packets: u64) -> Vec<u64> {
        let mut rng = Seed(1).stream("ranks");
        (0..packets).map(|packet| pattern.rank_of(packet, &mut rng)).collect()
    }

    #[test]
    fn an_order_starts_again_when_it_is_used_up() {
        let pattern = RankPattern::Order(RankOrder::new(vec![5, 9, 2]).unwrap());
        assert_eq!(first(&pattern, 7), [5, 9, 2, 5, 9, 2, 5]);
        assert_eq!((pattern.min(), pattern.max()), (2, 9));
    }

    #[test]
    fn ramps_rise_and_drop() {
        let pattern = RankPattern::Order(RankOrder::ramps(3, Range { min: 10, max: 30 }).unwrap());
        assert_eq!(first(&pattern, 6), [10, 20, 30, 10, 20, 30]);
        assert_eq!((pattern.min(), pattern.max()), (10, 30));
    }

    #[test]
    fn drawn_ranks_are_those_of_the_distribution() {
        let distribution = Distribution::constant(4);
        let pattern = RankPattern::Drawn(distribution);
        assert_eq!(first(&pattern, 3), [4; 3]);
        assert_eq!((pattern.min(), pattern.max()), (4, 4));
    }

    #[test]
    fn orders_without_ranks_are_refused() {
        assert!(RankOrder::new(Vec::new()).is_err());
        assert!(RankOrder::ramps(0, Range { min: 1, max: 2 }).is_err());
        assert!(RankOrder::ramps(RankOrder::MAX_RANKS + 1, Range { min: 1, max: 2 }).is_err());
        assert!(RankOrder::ramps(5, Range { min: 3, max: 2 }).is_err());
    }
}
