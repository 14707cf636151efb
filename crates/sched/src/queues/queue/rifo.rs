//! RIFO: one FIFO queue that approximates a rank queue by admission alone, from
//! three numbers: the least and the greatest rank of a window, and its length.
//!
//! A packet is admitted if its relative place between the least and the greatest rank is at most the free share of the buffer, with an
//! allowance for bursts: `(rank - least) / (greatest - least) <= 1 / (1 - burst) x free / capacity`. As long as no more than the share
//! `burst` of the buffer is in use, this holds for any rank: the guaranteed admission buffer. AIFO counts the recent packets of lower rank;
//! RIFO assumes that ranks are spread evenly, so it needs no memory of them. Source: Mostafaei, Pacut, Schmid: RIFO, arXiv 2308.07442.
//!
//! Chosen here: the window tumbles, and a new one starts with the packet that arrives. The range includes the arriving packet before it is
//! used, so the packet's relative place lies between 0 and 1. If the range is one rank, the place is 0, and the packet is admitted if the
//! queue has room. Packets that are not admitted count in the window, too.

use super::aifo::{BURST, admits};
use super::fifo::Fifo;
use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::serve_from::serve_from;
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec};

/// The registry's entry for [`Rifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "rifo",
        title: "One FIFO queue with admission by the rank's position in the range of recent ranks",
        exactness: Exactness::Approximate,
        hardware: "one queue, its length at ingress, three registers; runs on programmable switches",
        cost: "O(1) per operation; one slot per packet",
        source: "Mostafaei, Pacut, Schmid: RIFO, arXiv 2308.07442",
        params: &[
            ParamSpec {
                name: "window",
                kind: ParamKind::Integer { min: 1, max: 1 << 32, default: Some(1_000) },
                meaning: "packets after which the range of ranks starts anew",
            },
            BURST,
        ],
    },
    build: |size, params| {
        let window = params.integer("window").unwrap_or(1);
        Ok(BuiltQueue::SingleEnded(Box::new(Rifo::new(size.packets, window, params.number("burst")))))
    },
};

/// A FIFO queue with admission by range.
#[derive(Debug)]
pub struct Rifo<T> {
    queue: Fifo<T>,
    window: u64,
    packets_of_window: u64,
    least: u64,
    greatest: u64,
    burst: f64,
}

impl<T> Rifo<T> {
    /// Creates an empty queue for `capacity` items whose range is reset after every `window` packets.
    ///
    /// # Panics
    /// If the window is empty or `burst` is not from 0 up to 1.
    #[must_use]
    pub fn new(capacity: usize, window: u64, burst: f64) -> Self {
        assert!((0.0..1.0).contains(&burst), "the burst allowance is a share");
        assert!(window > 0, "a window holds at least one packet");
        Self { queue: Fifo::new(capacity), window, packets_of_window: 0, least: 0, greatest: 0, burst }
    }

    /// Extends the range to `rank`, and returns the position of `rank` in it: 0 at the least rank, 1 at the greatest.
    fn place(&mut self, rank: u64) -> f64 {
        if self.packets_of_window == 0 {
            (self.least, self.greatest) = (rank, rank);
        }
        self.packets_of_window = (self.packets_of_window + 1) % self.window;
        self.least = self.least.min(rank);
        self.greatest = self.greatest.max(rank);
        (rank - self.least) as f64 / (self.greatest - self.least).max(1) as f64
    }
}

impl<T> RankQueue<T> for Rifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let place = self.place(rank);
        let admitted = admits(place, self.burst, self.capacity() - self.len(), self.capacity());
        // A full queue admits the best rank by its rule, and rejects the packet itself.
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

    fn admitted(queue: &mut Rifo<()>, rank: u64) -> bool {
        queue.push(rank, ()).is_ok()
    }

    #[test]
    fn a_fuller_queue_is_pickier() {
        let mut queue = Rifo::new(4, 100, 0.0);
        assert!(admitted(&mut queue, 20), "the first packet is the whole range");
        assert!(admitted(&mut queue, 10), "three quarters are free, and it is the least");
        while queue.pop_min().is_some() {}
        assert!(admitted(&mut queue, 20), "an empty queue takes anything");
        assert!(!admitted(&mut queue, 18), "three quarters are free, and it is four fifths up");
        assert!(admitted(&mut queue, 17));
        assert!(!admitted(&mut queue, 17), "half is free");
        assert!(admitted(&mut queue, 10) && admitted(&mut queue, 12));
        assert!(!admitted(&mut queue, 10), "full");
    }

    #[test]
    fn a_new_window_forgets_the_range() {
        let mut queue = Rifo::new(8, 3, 0.0);
        assert!(admitted(&mut queue, 0));
        assert!(!admitted(&mut queue, 10) && !admitted(&mut queue, 9), "an eighth is in use");
        assert!(admitted(&mut queue, 10), "the only rank of a new window");
    }

    #[test]
    fn the_guaranteed_part_takes_any_rank() {
        let mut queue = Rifo::new(4, 100, 0.5);
        assert!(admitted(&mut queue, 0));
        assert!(admitted(&mut queue, u64::MAX) && admitted(&mut queue, u64::MAX), "up to half in use: any rank");
        assert!(!admitted(&mut queue, u64::MAX));
    }
}
