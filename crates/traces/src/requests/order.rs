//! Puts requests that are slightly out of order in order of time.

use super::fault::RequestFault;
use super::intake::Arrival;
use std::collections::VecDeque;

/// How many requests wait for earlier ones.
pub(super) const WINDOW: usize = 4_096;

/// The requests that an earlier one may still overtake, in order of time.
#[derive(Debug)]
pub(super) struct Window {
    waiting: VecDeque<Arrival>,
    /// How many wait at most; 0 if nothing is sorted.
    size: usize,
    /// The time of the last request that left.
    earliest: u64,
    /// Requests that were earlier than one before them.
    sorted: u64,
}

impl Window {
    pub(super) fn new(size: usize) -> Self {
        Self { waiting: VecDeque::with_capacity(size + 1), size, earliest: 0, sorted: 0 }
    }

    /// Whether anything is sorted at all.
    pub(super) fn sorts(&self) -> bool {
        self.size > 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() > self.size
    }

    /// Puts a request in its place, behind those of the same time.
    #[inline]
    pub(super) fn push(&mut self, arrival: Arrival) -> Result<(), RequestFault> {
        if self.waiting.back().is_none_or(|last| last.time <= arrival.time) && self.earliest <= arrival.time {
            self.waiting.push_back(arrival);
            return Ok(());
        }
        if arrival.time < self.earliest {
            return Err(RequestFault::TooEarly(self.size));
        }
        self.sorted += 1;
        let place = self.waiting.partition_point(|other| other.time <= arrival.time);
        self.waiting.insert(place, arrival);
        Ok(())
    }

    /// The earliest request.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Arrival> {
        let arrival = self.waiting.pop_front()?;
        self.earliest = arrival.time;
        Some(arrival)
    }

    pub(super) fn warning(&self) -> Option<String> {
        let what = "requests were earlier than one before; sorted by time";
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
}
