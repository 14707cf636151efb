//! The model with delayed hits (thesis 2.1 and 2.3.2).
//!
//! A miss at tick `t` begins a fetch that takes `L` ticks. The object may enter the
//! cache at `t + L`, before the requests of that tick: who has to leave is decided
//! then, not at the miss. Until then its requests are delayed hits and wait for the
//! rest of the fetch. An object is never fetched twice at a time. Fetches that end
//! in one tick enter in the order in which they began.

use super::counts::{Counted, Outcome};
use super::{SizeChange, Step, size_change};
use crate::access::{Access, Fetched, Future};
use crate::latency::Latencies;
use crate::policy::Policy;
use crate::sets::Sets;
use forebay_core::Request;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// One cache in the model with delayed hits.
pub(super) struct DelayedHits<P> {
    sets: Sets<P>,
    latencies: Latencies,
    flights: FxHashMap<u64, Flight>,
    ends: Ends,
    changes: Option<SizeChange>,
    counted: Counted,
}

/// A fetch that is not complete.
struct Flight {
    size: u64,
    latency: u64,
    end: u64,
    last: u64,
    waiting: u64,
    future: Future,
}

/// The ends of the fetches, with their keys, first end first.
enum Ends {
    /// Fetches end in the order in which they began.
    InOrder(VecDeque<(u64, u64)>),
    /// End, number of the fetch, key.
    AnyOrder(BinaryHeap<Reverse<(u64, u64, u64)>>, u64),
}

impl Ends {
    fn push(&mut self, end: u64, key: u64) {
        match self {
            Self::InOrder(queue) => queue.push_back((end, key)),
            Self::AnyOrder(heap, count) => {
                heap.push(Reverse((end, *count, key)));
                *count += 1;
            }
        }
    }

    /// The key of the first fetch that ends at `time` or before.
    #[inline]
    fn pop(&mut self, time: u64) -> Option<u64> {
        match self {
            Self::InOrder(queue) => queue.pop_front_if(|(end, _)| *end <= time).map(|(_, key)| key),
            Self::AnyOrder(heap, _) => {
                heap.peek().is_some_and(|Reverse((end, ..))| *end <= time).then(|| heap.pop())?.map(|next| next.0.2)
            }
        }
    }
}

impl<P: Policy> DelayedHits<P> {
    pub(super) fn new(
        sets: Sets<P>,
        latencies: Latencies,
        in_order: bool,
        changes: Option<SizeChange>,
        counted: Counted,
    ) -> Self {
        let ends = if in_order { Ends::InOrder(VecDeque::new()) } else { Ends::AnyOrder(BinaryHeap::new(), 0) };
        Self { sets, latencies, flights: FxHashMap::default(), ends, changes, counted }
    }

    /// Lets enter what has come by `time`.
    #[inline]
    fn land(&mut self, time: u64) {
        while let Some(key) = self.ends.pop(time) {
            let Some(flight) = self.flights.remove(&key) else { continue };
            let Flight { size, latency, end, last, waiting, future } = flight;
            let new = Fetched { time: end, key, size, latency, last, waiting, future };
            self.counted.admit(&mut self.sets, &new);
        }
    }
}

impl<P: Policy + Send> Step for DelayedHits<P> {
    #[inline]
    fn expect(&mut self, requests: &[Request]) {
        self.sets.expect(requests);
    }

    #[inline]
    fn request(&mut self, request: &Request, future: Future) {
        let Request { time, key, size } = *request;
        self.land(time);
        let latency = self.latencies.expected(key);
        let access = Access { time, key, size, latency, future };
        if size_change::request(self.changes, &mut self.sets, &access, &mut self.counted) {
            return self.counted.outcome(request, Outcome::Hit);
        }
        if let Some(flight) = self.flights.get_mut(&key) {
            if self.changes.is_some() && flight.size != size {
                self.counted.size_change(0);
                if self.changes != Some(SizeChange::Hit) {
                    flight.size = size;
                }
            }
            flight.waiting += 1;
            flight.last = time;
            flight.future = future;
            let rest = flight.end - time;
            return self.counted.outcome(request, Outcome::DelayedHit(rest));
        }
        let latency = self.latencies.draw(key);
        let end = time.saturating_add(latency);
        self.flights.insert(key, Flight { size, latency, end, last: time, waiting: 1, future });
        self.ends.push(end, key);
        self.counted.outcome(request, Outcome::Miss(latency));
    }

    fn counted(&self) -> &Counted {
        &self.counted
    }

    fn into_counted(self) -> Counted {
        self.counted
    }
}
