//! Chains of requests: a request may be sent only when the answer to an earlier one has arrived, as for the objects
//! that a web page names (thesis, section 2.6.3). Their times depend on waiting times, and so on the policy.

use crate::model::Simulation;
use forebay_core::convert::index;
use forebay_core::{Follows, Request};
use hdrhistogram::Histogram;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Significant digits of quantiles.
const DIGITS: u8 = 3;
/// Requests after which it is asked whether to go on.
const AT_A_TIME: u64 = 1 << 16;

/// A trace in which requests follow others.
#[derive(Debug, Clone)]
pub struct Chains {
    requests: Vec<Request>,
    follows: Vec<Option<Follows>>,
    /// Of each request, where its followers begin in `followers`; one more at the end.
    starts: Vec<usize>,
    /// Requests by the one that they follow.
    followers: Vec<usize>,
    /// The first request of the page of each.
    pages: Vec<usize>,
    /// How many requests the page of each first request has.
    sizes: Vec<u64>,
}

/// How long pages took. A page is a request that follows none, with all that follow it, if any do; it takes from its first request to its
/// last answer.
#[derive(Debug, Clone)]
pub struct Pages {
    latencies: Histogram<u64>,
    total: u64,
    max: u64,
}

impl Pages {
    fn new() -> Self {
        Self { latencies: Histogram::new(DIGITS).expect("the number of digits is valid"), total: 0, max: 0 }
    }

    fn add(&mut self, latency: u64) {
        // A histogram that resizes takes every value.
        let _taken = self.latencies.record(latency);
        self.total = self.total.saturating_add(latency);
        self.max = self.max.max(latency);
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.latencies.len()
    }

    /// The sum of their times, in ticks; `u64::MAX` if it does not fit.
    #[must_use]
    pub fn total_latency(&self) -> u64 {
        self.total
    }

    /// The time of the slowest, in ticks.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The latency in ticks below which this share of them lies, with three significant digits.
    #[must_use]
    pub fn quantile(&self, share: f64) -> u64 {
        self.latencies.value_at_quantile(share).min(self.max)
    }
}

impl Chains {
    /// Of requests in order of time, and what each follows: an earlier one, or none.
    ///
    /// # Panics
    /// If a request follows itself or a later one, or there are not as many of both.
    #[must_use]
    pub fn new(requests: Vec<Request>, follows: Vec<Option<Follows>>) -> Self {
        assert_eq!(requests.len(), follows.len(), "each request follows one or none");
        let mut starts = vec![0; requests.len() + 1];
        let mut pages: Vec<usize> = Vec::with_capacity(requests.len());
        let mut sizes = vec![0; requests.len()];
        for (number, own) in follows.iter().enumerate() {
            let parent = own.map(|own| index(own.request));
            assert!(parent.is_none_or(|parent| parent < number), "a request follows an earlier one");
            let page = parent.map_or(number, |parent| pages[parent]);
            pages.push(page);
            sizes[page] += 1;
            if let Some(parent) = parent {
                starts[parent + 1] += 1;
            }
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut followers = vec![0; starts[requests.len()]];
        for (number, own) in follows.iter().enumerate() {
            if let Some(own) = own {
                let place = &mut next[index(own.request)];
                followers[*place] = number;
                *place += 1;
            }
        }
        Self { requests, follows, starts, followers, pages, sizes }
    }

    /// How many requests there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Plays all requests. A request that follows another arrives when that one's answer has arrived and its think time
    /// has passed. Requests of one tick arrive in the order of the trace. Pages are counted whose first request is not
    /// among the first `warmup` that are played. Calls `goes_on` now and then with the number of requests played since,
    /// and stops if it returns false.
    pub fn play(&self, simulation: &mut dyn Simulation, warmup: u64, mut goes_on: impl FnMut(u64) -> bool) -> Pages {
        let mut all = Pages::new();
        let mut roots = (0..self.requests.len()).filter(|&number| self.follows[number].is_none()).peekable();
        // When the requests arrive whose parents have been answered.
        let mut ready: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        // Of each first request in flight: its arrival, the last answer so far, and the number of requests left.
        let mut under_way = vec![(0, 0, 0); self.requests.len()];
        let (mut played, mut told) = (0, 0);
        loop {
            let root = roots.peek().map(|&number| (self.requests[number].time, number));
            let follower = ready.peek().map(|next| next.0);
            let Some((time, number)) = root.into_iter().chain(follower).min() else { break };
            if root == Some((time, number)) {
                roots.next();
                under_way[number] = (time, time, self.sizes[number]);
            } else {
                ready.pop();
            }
            let outcome = simulation.play(&Request { time, ..self.requests[number] });
            let answered = time.saturating_add(outcome.latency());
            for &follower in &self.followers[self.starts[number]..self.starts[number + 1]] {
                let think = self.follows[follower].map_or(0, |own| own.think);
                ready.push(Reverse((answered.saturating_add(think), follower)));
            }
            let page = self.pages[number];
            if page == number && played < warmup {
                // Its page is not counted: it never ends.
                under_way[page].2 = u64::MAX;
            }
            let (came, last, left) = &mut under_way[page];
            *last = answered.max(*last);
            *left -= 1;
            if *left == 0 && self.sizes[page] > 1 {
                all.add(*last - *came);
            }
            played += 1;
            if played - told == AT_A_TIME {
                if !goes_on(played - told) {
                    return all;
                }
                told = played;
            }
        }
        goes_on(played - told);
        all
    }
}
