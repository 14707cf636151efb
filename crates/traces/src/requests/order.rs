//! Sorts requests that are slightly out of order by time.

use super::fault::RequestFault;
use super::reader_checks::Arrival;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The number of requests that wait for earlier ones.
pub(super) const WINDOW: usize = 4_096;

/// The waiting requests, which an earlier request may still overtake.
#[derive(Debug)]
pub(super) struct Window {
    /// Requests that arrived in order of time, as most do.
    in_order: VecDeque<Arrival>,
    /// Requests that are earlier than one before them.
    early: BinaryHeap<Reverse<Early>>,
    /// The maximum number of waiting requests; 0 if they are not sorted.
    size: usize,
    /// The time of the last request that left.
    earliest: u64,
    /// Requests that were earlier than one before them.
    sorted: u64,
}

/// Derived order: by time, then by arrival.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Early {
    time: u64,
    number: u64,
    key: u64,
    size: u64,
}

impl Window {
    pub(super) fn new(size: usize) -> Self {
        Self { in_order: VecDeque::new(), early: BinaryHeap::new(), size, earliest: 0, sorted: 0 }
    }

    /// Returns whether requests are sorted at all.
    pub(super) fn sorts(&self) -> bool {
        self.size > 0
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.in_order.len() + self.early.len() > self.size
    }

    /// Adds a request, after waiting requests of the same time.
    #[inline]
    pub(super) fn push(&mut self, arrival: Arrival) -> Result<(), RequestFault> {
        if arrival.time < self.earliest {
            return Err(RequestFault::TooEarly(self.size));
        }
        self.take(arrival);
        Ok(())
    }

    /// Adds a request as `push`, but gives a request that is too early the time of the last one that left. Returns whether it did so.
    #[inline]
    pub(super) fn push_in_time(&mut self, arrival: Arrival) -> bool {
        self.take(Arrival { time: arrival.time.max(self.earliest), ..arrival });
        arrival.time < self.earliest
    }

    #[inline]
    fn take(&mut self, arrival: Arrival) {
        if self.in_order.back().is_none_or(|last| last.time <= arrival.time) {
            self.in_order.push_back(arrival);
        } else {
            self.take_early(arrival);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_early(&mut self, Arrival { time, key, size }: Arrival) {
        self.sorted += 1;
        self.early.push(Reverse(Early { time, number: self.sorted, key, size }));
    }

    /// Removes and returns the earliest request.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Arrival> {
        let arrival = if self.early.is_empty() { self.in_order.pop_front() } else { self.pop_sorted() }?;
        self.earliest = arrival.time;
        Some(arrival)
    }

    /// Returns the next request as `pop`, if early requests wait.
    #[inline(never)]
    fn pop_sorted(&mut self) -> Option<Arrival> {
        // All of the same time that are in order came before the early one.
        let Reverse(early) = self.early.peek()?;
        if self.in_order.front().is_some_and(|first| first.time <= early.time) {
            return self.in_order.pop_front();
        }
        let Reverse(Early { time, key, size, .. }) = self.early.pop()?;
        Some(Arrival { time, key, size })
    }

    pub(super) fn warning(&self) -> Option<String> {
        let what = "requests were earlier than a request before them; sorted by time";
        (self.sorted > 0).then(|| format!("{} {what}", self.sorted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_sorted_within_the_window_and_refused_beyond() {
        let arrival = |time, key| Arrival { time, key, size: 1 };
        let mut window = Window::new(2);
        for (time, key) in [(5, 1), (3, 2), (5, 3)] {
            window.push(arrival(time, key)).unwrap();
        }
        assert!(window.is_full());
        assert_eq!(window.pop().map(|first| (first.time, first.key)), Some((3, 2)));
        assert_eq!(window.push(arrival(2, 4)), Err(RequestFault::TooEarly(2)));
        window.push(arrival(4, 5)).unwrap();
        let rest: Vec<u64> = std::iter::from_fn(|| window.pop()).map(|next| next.key).collect();
        assert_eq!(rest, [5, 1, 3]);
        assert!(window.warning().unwrap().starts_with("2 requests were earlier"));
    }

    /// The reference keeps all that waits in one sorted list.
    #[test]
    fn random_requests_leave_as_from_a_sorted_list() {
        let mut random = 1_u64;
        for size in 0..40 {
            let (mut window, mut sorted, mut earliest) = (Window::new(size), Vec::<(u64, u64)>::new(), 0);
            for key in 0..2_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let time = key / 3 + (random >> 60);
                assert_eq!(window.push_in_time(Arrival { time, key, size: 1 }), time < earliest);
                let time = time.max(earliest);
                sorted.insert(sorted.partition_point(|(other, _)| *other <= time), (time, key));
                assert_eq!(window.is_full(), sorted.len() > size);
                if window.is_full() {
                    let first = sorted.remove(0);
                    assert_eq!(window.pop().map(|next| (next.time, next.key)), Some(first));
                    earliest = first.0;
                }
            }
            let rest = std::iter::from_fn(|| window.pop()).map(|next| (next.time, next.key));
            assert!(rest.eq(sorted), "window of {size}");
        }
    }
}
