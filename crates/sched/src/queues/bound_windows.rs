//! The bounds of a queue over a run, window by window.
//!
//! SP-PIFO (NSDI'20), appendix A.4, shows how the unpifoness of a window of packets falls while bounds adapt, and B.1 gives their
//! equilibrium ([`bound_dynamics`](crate::queues::bound_dynamics)).

use crate::queues::entry::BuiltQueue;
use crate::queues::traits::{PopEligible, PushError, RankQueue, Remove};
use crate::queues::unpifoness::Histogram;
use forebay_core::{Counter, Packet};
use std::sync::Arc;

/// Receives every complete window, in order.
pub trait BoundSink: Send + Sync {
    /// Receives a complete window.
    fn window(&self, window: &BoundWindow);
}

/// The bounds of a queue over one window of arriving packets. Packets that the buffer drops before the queue are not counted.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundWindow {
    /// The number of packets that arrived in the window.
    pub packets: usize,
    /// The bounds at the start of the window, highest priority first.
    pub bounds: Vec<u64>,
    /// The means of the bounds after each packet of the window.
    pub mean_bounds: Vec<f64>,
    /// The expected unpifoness of the window's ranks under the bounds at its start (equation 5).
    pub unpifoness: f64,
}

/// Wraps `queue` so that `sink` receives its bounds after each window of `window` packets. A queue without bounds is returned unchanged.
///
/// # Panics
/// If `window` is 0.
#[must_use]
pub fn with_bounds_told(queue: BuiltQueue, window: usize, sink: Arc<dyn BoundSink>) -> BuiltQueue {
    assert!(window > 0, "a window has packets");
    match queue {
        BuiltQueue::SingleEnded(queue) => {
            let bounds = bounds_of(queue.as_ref());
            if bounds.is_empty() {
                return BuiltQueue::SingleEnded(queue);
            }
            let sums = vec![0.0; bounds.len()];
            let told = Told { queue, sink, window, ranks: Vec::with_capacity(window), bounds, now: Vec::new(), sums };
            BuiltQueue::SingleEnded(Box::new(told))
        }
        queue @ BuiltQueue::DoubleEnded(_) => queue,
    }
}

fn bounds_of(queue: &(dyn RankQueue<Packet> + Send)) -> Vec<u64> {
    let mut bounds = Vec::new();
    queue.add_bounds(&mut bounds);
    bounds
}

struct Told {
    queue: Box<dyn RankQueue<Packet> + Send>,
    sink: Arc<dyn BoundSink>,
    window: usize,
    /// The ranks of this window.
    ranks: Vec<u64>,
    /// The bounds at the start of the window.
    bounds: Vec<u64>,
    /// A buffer for the bounds after a packet.
    now: Vec<u64>,
    /// The sums of the bounds after each packet of the window.
    sums: Vec<f64>,
}

impl Told {
    fn arrived(&mut self, rank: u64) {
        self.ranks.push(rank);
        self.now.clear();
        self.queue.add_bounds(&mut self.now);
        self.sums.iter_mut().zip(&self.now).for_each(|(sum, bound)| *sum += *bound as f64);
        if self.ranks.len() < self.window {
            return;
        }
        let packets = self.ranks.len();
        // Bounds that sink in a second pass need not be sorted.
        let mut sorted = self.bounds.clone();
        sorted.sort_unstable();
        let unpifoness = Histogram::of_ranks(&mut self.ranks).expected_unpifoness(&sorted);
        let mean_bounds = self.sums.iter().map(|sum| sum / packets as f64).collect();
        let bounds = std::mem::replace(&mut self.bounds, self.now.clone());
        self.sink.window(&BoundWindow { packets, bounds, mean_bounds, unpifoness });
        self.ranks.clear();
        self.sums.fill(0.0);
    }
}

impl RankQueue<Packet> for Told {
    fn push(&mut self, rank: u64, packet: Packet) -> Result<(), PushError<Packet>> {
        let pushed = self.queue.push(rank, packet);
        self.arrived(rank);
        pushed
    }

    fn pop_min(&mut self) -> Option<(u64, Packet)> {
        self.queue.pop_min()
    }

    fn peek_min(&self) -> Option<(u64, &Packet)> {
        self.queue.peek_min()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn capacity(&self) -> usize {
        self.queue.capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.queue.sure_capacity()
    }

    fn max_rank(&self) -> u64 {
        self.queue.max_rank()
    }

    fn counters(&self) -> Vec<Counter> {
        self.queue.counters()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        self.queue.add_bounds(bounds);
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<Packet>> {
        self.queue.as_remove_mut()
    }

    fn as_pop_eligible_mut(&mut self) -> Option<&mut dyn PopEligible<Packet>> {
        self.queue.as_pop_eligible_mut()
    }

    fn as_pop_eligible(&self) -> Option<&dyn PopEligible<Packet>> {
        self.queue.as_pop_eligible()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::queue::fifo::Fifo;
    use crate::queues::queue::sp_pifo::SpPifo;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Windows(Mutex<Vec<BoundWindow>>);

    impl BoundSink for Windows {
        fn window(&self, window: &BoundWindow) {
            self.0.lock().unwrap().push(window.clone());
        }
    }

    /// The worked example of SP-PIFO, section 2, in windows of two: bounds (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (1, 4).
    #[test]
    fn windows_have_the_bounds_before_and_their_means() {
        let windows = Arc::new(Windows::default());
        let queue = BuiltQueue::SingleEnded(Box::new(SpPifo::new(2, 4)));
        let mut queue = with_bounds_told(queue, 2, windows.clone());
        for rank in [3, 4, 5, 1, 2, 1, 9] {
            let _ = queue.push(rank, Packet::default());
        }
        let told = windows.0.lock().unwrap();
        let bounds: Vec<_> = told.iter().map(|window| window.bounds.clone()).collect();
        assert_eq!(bounds, [[0, 0], [0, 4], [1, 5]]);
        let means: Vec<_> = told.iter().map(|window| window.mean_bounds.clone()).collect();
        assert_eq!(means, [[0.0, 3.5], [0.5, 5.0], [1.5, 4.5]]);
        // All of the first window would go to the second queue, in which 3 and 4 are one apart: a quarter of all pairs.
        let unpifoness: Vec<_> = told.iter().map(|window| window.unpifoness).collect();
        assert_eq!(unpifoness, [0.25, 0.0, 0.25]);
        assert_eq!(queue.len(), 7);
    }

    #[test]
    fn a_queue_without_bounds_has_no_windows() {
        let windows = Arc::new(Windows::default());
        let mut queue = with_bounds_told(BuiltQueue::SingleEnded(Box::new(Fifo::new(4))), 1, windows.clone());
        queue.push(3, Packet::default()).unwrap();
        assert_eq!(windows.0.lock().unwrap().len(), 0);
    }
}
