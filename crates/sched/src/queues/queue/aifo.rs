//! AIFO: one FIFO queue that approximates a rank queue by admission alone.
//!
//! The fuller the queue, the lower a packet's rank must be to enter. The packet is admitted if the share of the last W ranks below its own
//! is at most `1 / (1 - burst) x free / capacity`. Admitted packets leave in order of arrival. Source: Yu et al.: Programmable packet
//! scheduling with a single queue, SIGCOMM'21.

use super::fifo::Fifo;
use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::rank_window::RankWindow;
use crate::queues::serve_from::serve_from;
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, Params};

/// The registry's entry for [`Aifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "aifo",
        title: "One FIFO queue with admission by rank: the fuller the queue, the lower a rank must be",
        exactness: Exactness::Approximate,
        hardware: "one queue, its length at ingress, a window of recent ranks; runs on programmable switches",
        cost: "O(window) per push, O(1) per pop; one slot per packet and 16 bytes per rank of the window",
        source: "Yu et al.: AIFO, SIGCOMM'21",
        params: &[WINDOW, BURST],
    },
    build: |size, params| {
        let (window, burst) = admission(params);
        Ok(BuiltQueue::SingleEnded(Box::new(Aifo::new(size.packets, window, burst))))
    },
};

/// The parameter for the number of remembered ranks.
pub(super) const WINDOW: ParamSpec = ParamSpec {
    name: "window",
    kind: ParamKind::Integer { min: 1, max: 1 << 20, default: Some(1_000) },
    meaning: "number of recent ranks that a packet is compared with",
};

/// The parameter for the allowance for bursts, k in the papers.
pub(super) const BURST: ParamSpec = ParamSpec {
    name: "burst",
    kind: ParamKind::Number { min: 0.0, max: 0.99, default: 0.1 },
    meaning: "allowance for bursts (k): packets of any rank enter while at most this share of the buffer is in use",
};

/// The parameters of [`WINDOW`] and [`BURST`].
pub(super) fn admission(params: &Params) -> (usize, f64) {
    let window = params.integer("window").and_then(|window| usize::try_from(window).ok());
    (window.unwrap_or(1), params.number("burst"))
}

/// Whether a rank is admitted with `free` of `capacity` slots free. `place` is the share of recent ranks below it (AIFO, PACKS), or its
/// relative position in their range (RIFO).
pub(super) fn admits(place: f64, burst: f64, free: usize, capacity: usize) -> bool {
    place <= free as f64 / capacity as f64 / (1.0 - burst)
}

/// A FIFO queue with admission by rank.
#[derive(Debug)]
pub struct Aifo<T> {
    queue: Fifo<T>,
    window: RankWindow,
    burst: f64,
}

impl<T> Aifo<T> {
    /// Creates an empty queue for `capacity` items that remembers the last `window` ranks.
    ///
    /// # Panics
    /// If the window is empty or `burst` is not from 0 up to 1.
    #[must_use]
    pub fn new(capacity: usize, window: usize, burst: f64) -> Self {
        assert!((0.0..1.0).contains(&burst), "the burst allowance is a share");
        Self { queue: Fifo::new(capacity), window: RankWindow::new(window), burst }
    }
}

impl<T> RankQueue<T> for Aifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let share = self.window.share_below(rank);
        let admitted = admits(share, self.burst, self.capacity() - self.len(), self.capacity());
        self.window.push(rank);
        // A full queue admits the best ranks by its rule, and rejects the packets itself.
        if admitted { self.queue.push(rank, item) } else { Err(PushError::full(item)) }
    }

    serve_from!(queue);

    fn sure_capacity(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fuller_queue_is_pickier() {
        let mut queue = Aifo::new(4, 10, 0.0);
        // The window knows ranks 0 to 9.
        for rank in 0..10 {
            queue.push(rank, ()).ok();
        }
        while queue.pop_min().is_some() {}
        let admitted = |queue: &mut Aifo<()>, rank| queue.push(rank, ()).is_ok();
        assert!(admitted(&mut queue, 9), "an empty queue takes anything");
        assert!(!admitted(&mut queue, 9), "three quarters are free, nine tenths are better");
        assert!(admitted(&mut queue, 5));
        assert!(!admitted(&mut queue, 8));
        assert!(admitted(&mut queue, 2) && admitted(&mut queue, 0));
        assert!(!admitted(&mut queue, 0), "full");
    }
}
