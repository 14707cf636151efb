//! A window of ranks that moves forward with service, over two partitions of a queue with a fixed range.
//!
//! One partition holds the ranks from `base` on, the other the ranks behind them. When service reaches the second partition, the first is
//! empty: the window moves forward and the two partitions swap roles. Source: BBQ (NSDI'24), appendix D, after Eiffel's circular queue.

use super::out_of_window::Outside;
use forebay_core::Counter;

/// The ranks of the two halves of a window.
#[derive(Debug, Clone)]
pub struct RollingWindow {
    /// The number of ranks in each half.
    span: u64,
    /// The first rank of the window, a multiple of `span`.
    base: u64,
    outside: Outside,
}

/// The position of a rank in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The half, 0 or 1.
    pub half: usize,
    /// The rank, counted from the start of the half.
    pub rank: u64,
    side: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Beyond,
}

impl RollingWindow {
    /// Creates a window of two halves of `span` ranks, from rank 0.
    ///
    /// # Panics
    /// If `span` is zero or more than 2^62.
    #[must_use]
    pub fn new(span: u64) -> Self {
        assert!((1..=1 << 62).contains(&span), "a half holds 1 to 2^62 ranks");
        Self { span, base: 0, outside: Outside::default() }
    }

    /// The ranks that the window covers now: the first rank, and the end of the range, which is not included.
    #[must_use]
    pub fn ranks(&self) -> (u128, u128) {
        (self.base.into(), u128::from(self.base) + 2 * u128::from(self.span))
    }

    /// The half that is served first.
    #[must_use]
    pub fn first_half(&self) -> usize {
        usize::from(!(self.base / self.span).is_multiple_of(2))
    }

    /// Makes the second half the first, after service has reached it.
    pub fn advance(&mut self) {
        self.base += self.span;
    }

    /// Moves the window so that it includes `rank`, in the second half if `rank` is ahead of the window. Only for a window without items.
    pub fn move_to(&mut self, rank: u64) {
        let half = rank - rank % self.span;
        if rank < self.base {
            self.base = half;
        } else if rank - self.base >= 2 * self.span {
            self.base = half - self.span;
        }
    }

    /// Returns the position of `rank`, or the nearest position if `rank` lies outside the window.
    #[must_use]
    pub fn place(&self, rank: u64) -> Place {
        // Ranks near 2^64 have no room for a window behind them.
        let last = self.base.saturating_add(2 * self.span - 1);
        let side = match rank {
            _ if rank < self.base => Some(Side::Before),
            _ if rank > last => Some(Side::Beyond),
            _ => None,
        };
        let rank = rank.clamp(self.base, last) % (2 * self.span);
        Place { half: usize::from(rank >= self.span), rank: rank % self.span, side }
    }

    /// Counts an item that was inserted at `place`, if its rank lay outside the window.
    pub fn count(&mut self, place: Place) {
        match place.side {
            Some(Side::Before) => self.outside.before += 1,
            Some(Side::Beyond) => self.outside.beyond += 1,
            None => {}
        }
    }

    /// The numbers of ranks that lay before and beyond the window.
    #[must_use]
    pub fn counters(&self) -> Vec<Counter> {
        self.outside.counters()
    }
}
