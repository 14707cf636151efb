//! The future requests for offline policies: found once by a pass over the whole trace.

use crate::access::Future;
use forebay_core::{Request, convert};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Number of requests between two calls of `goes_on`.
const ASKED_EVERY: usize = 1 << 16;

/// For each request, the next request for the same object and its aggregate delay
/// (thesis, equation 2.13), with fetches of `latency_of(key)` ticks.
///
/// Takes O(1) per request and 24 bytes of memory for each.
#[must_use]
pub fn futures(requests: &[Request], latency_of: impl Fn(u64) -> u64) -> Vec<Future> {
    futures_while(requests, latency_of, || true).unwrap_or_default()
}

/// The same, for a trace that takes a while: calls `goes_on` every 65,536 requests. [`None`] if `goes_on` returned
/// false.
#[must_use]
pub fn futures_while(
    requests: &[Request],
    latency_of: impl Fn(u64) -> u64,
    goes_on: impl Fn() -> bool,
) -> Option<Vec<Future>> {
    let mut objects = FxHashMap::<u64, Object>::default();
    let mut futures = vec![Future::NONE; requests.len()];
    let mut number = requests.len() as u64;
    // From the last request back, so that later requests are known.
    for (requests, futures) in requests.rchunks(ASKED_EVERY).zip(futures.rchunks_mut(ASKED_EVERY)) {
        if !goes_on() {
            return None;
        }
        for (request, future) in requests.iter().zip(futures).rev() {
            number -= 1;
            let latency = latency_of(request.key);
            let object = objects.entry(request.key).or_default();
            if let Some(next) = object.window.front() {
                *future = Future { next: *next, number: object.number, delay: convert::saturate(object.delay) };
            }
            object.request_before(request.time, latency);
            object.number = number;
        }
    }
    Some(futures)
}

/// The requests for one object within a fetch after the earliest of them.
#[derive(Default)]
struct Object {
    window: VecDeque<u64>,
    /// May be more than a `u64` holds, if latencies are enormous.
    delay: u128,
    /// The number of the earliest request among all.
    number: u64,
}

impl Object {
    /// Those of the window that are near enough would wait for a miss at `time`.
    fn request_before(&mut self, time: u64, latency: u64) {
        if let Some(&front) = self.window.front() {
            // Each request in the window now waits `gap` less.
            let gap = front - time;
            let remaining = |at: u64| u128::from(latency - (at - front));
            while self.window.back().is_some_and(|&last| last - time >= latency) {
                if let Some(last) = self.window.pop_back() {
                    self.delay -= remaining(last);
                }
            }
            self.delay -= u128::from(gap) * self.window.len() as u128;
        }
        self.delay += u128::from(latency);
        self.window.push_front(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Equation 2.13 as printed.
    fn naive(requests: &[Request], latency: u64) -> Vec<Future> {
        let next_of = |index: usize| {
            let same = |next: &usize| requests[*next].key == requests[index].key;
            (index + 1..requests.len()).find(same)
        };
        let delay_of = |index: usize| {
            let Request { time, key, .. } = requests[index];
            let waits = |other: &&Request| other.key == key && other.time - time < latency;
            requests[index..].iter().filter(waits).map(|other| latency - (other.time - time)).sum()
        };
        let future = |next: usize| Future { next: requests[next].time, number: next as u64, delay: delay_of(next) };
        (0..requests.len()).map(|index| next_of(index).map_or(Future::NONE, future)).collect()
    }

    proptest! {
        #[test]
        fn is_what_the_equation_says(
            steps in proptest::collection::vec((0..4_u64, 0..5_u64), 0..60),
            latency in 1..12_u64,
        ) {
            let mut time = 0;
            let requests: Vec<_> = steps
                .into_iter()
                .map(|(gap, key)| {
                    time += gap;
                    Request { time, key, size: 1 }
                })
                .collect();
            prop_assert_eq!(futures(&requests, |_| latency), naive(&requests, latency));
        }
    }

    #[test]
    fn it_is_asked_whether_to_go_on() {
        let requests: Vec<_> =
            (0..2 * ASKED_EVERY as u64 + 1).map(|at| Request { time: at, key: at % 3, size: 1 }).collect();
        let asked = std::cell::Cell::new(0);
        let ask = |most| futures_while(&requests, |_| 1, || asked.replace(asked.get() + 1) < most);
        assert_eq!(ask(2), None);
        asked.set(0);
        assert_eq!(ask(3).unwrap(), futures(&requests, |_| 1));
        assert_eq!(asked.get(), 3);
    }
}
