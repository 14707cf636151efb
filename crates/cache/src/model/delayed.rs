//! The model with delayed hits (thesis 2.1 and 2.3.2).
//!
//! A miss at tick `t` begins a fetch that takes `L` ticks. The object may enter the cache at `t + L`, before the
//! requests of that tick. The victim is chosen then, not at the miss. Until then, requests for the object are delayed
//! hits and wait for the rest of the fetch. An object is never fetched twice at a time. Fetches that end in one tick
//! enter in the order in which they began.
//!
//! [`Service`] adds a store that serves a limited number of fetches at a time, requests that leave one
//! after another, the latency of hits, and lifetimes.

use super::counts::{Counted, RequestOutcome};
use super::prefetching::Prefetching;
use super::service::{Expiry, Service};
use super::{SizeChange, Step, size_change};
use crate::access::{Access, Fetched, Future};
use crate::backing_store::BackingStore;
use crate::latency::Latencies;
use crate::policy::CachePolicy;
use crate::prefetcher::Prefetcher;
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
    hit_latency: u64,
    release_interval: u64,
    /// One for each origin, if they serve a limited number of fetches at a time.
    stores: Option<Vec<BackingStore>>,
    expiry: Option<Expiry>,
    prefetching: Option<Prefetching>,
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

impl<P: CachePolicy> DelayedHits<P> {
    pub(super) fn new(
        sets: Sets<P>,
        latencies: Latencies,
        in_order: bool,
        changes: Option<SizeChange>,
        service: Service,
        prefetcher: Option<Box<dyn Prefetcher>>,
        counted: Counted,
    ) -> Self {
        let ends = if in_order { Ends::InOrder(VecDeque::new()) } else { Ends::AnyOrder(BinaryHeap::new(), 0) };
        let Service { hit_latency, release_interval, parallel, lifetime, .. } = service;
        let stores = parallel.map(|_| vec![BackingStore::new(0, parallel); latencies.origins()]);
        Self {
            sets,
            latencies,
            flights: FxHashMap::default(),
            ends,
            changes,
            hit_latency,
            release_interval,
            stores,
            expiry: Expiry::new(lifetime),
            prefetching: prefetcher.map(Prefetching::new),
            counted,
        }
    }

    /// Inserts the objects whose fetches have ended by `time`.
    #[inline]
    fn land(&mut self, time: u64) {
        while let Some(key) = self.ends.pop(time) {
            let Some(flight) = self.flights.remove(&key) else { continue };
            let Flight { size, latency, end, last, waiting, future } = flight;
            // The counts of policies begin with one request.
            let new = Fetched { time: end, key, size, latency, last, waiting: waiting.max(1), future };
            let expiry = self.expiry.as_mut().map(|expiry| (expiry, end));
            self.counted.admit(&mut self.sets, &new, expiry, self.prefetching.as_mut());
        }
    }

    /// Begins a fetch; returns its end.
    fn fetch(&mut self, time: u64, key: u64, size: u64, waiting: u64, future: Future) -> u64 {
        let fetch = self.latencies.draw(key, size);
        let end = match &mut self.stores {
            None => time.saturating_add(fetch),
            Some(stores) => stores[self.latencies.origin(key)].fetch_for(time, fetch),
        };
        self.flights.insert(key, Flight { size, latency: end - time, end, last: time, waiting, future });
        self.ends.push(end, key);
        end
    }

    /// Begins the fetches that a prefetcher wants without a request, up to `time`.
    fn prefetch_until(&mut self, time: u64) {
        while let Some(prefetching) = &mut self.prefetching
            && let Some(due) = prefetching.due(time)
        {
            let wanted = prefetching.wake();
            self.land(due);
            self.prefetch(due, wanted);
        }
    }

    /// Fetches those of these objects that are neither in the cache nor in flight.
    fn prefetch(&mut self, time: u64, wanted: Vec<u64>) {
        for &key in &wanted {
            // An object that has expired is fetched anew. No request has found it expired, so none is counted.
            if let Some(expiry) = &mut self.expiry {
                expiry.take_out(key, time, &mut self.sets);
            }
            if self.sets.get(key).find(key).is_some() || self.flights.contains_key(&key) {
                continue;
            }
            self.fetch(time, key, 1, 0, Future::NONE);
            self.counted.prefetch();
            if let Some(prefetching) = &mut self.prefetching {
                prefetching.began(key);
            }
        }
        if let Some(prefetching) = &mut self.prefetching {
            prefetching.recycle(wanted);
        }
    }

    /// The outcome of a request at its time.
    #[inline]
    fn outcome(&mut self, request: &Request, future: Future) -> RequestOutcome {
        let Request { time, key, size } = *request;
        self.counted.expire(&mut self.expiry, key, time, &mut self.sets);
        let latency = self.latencies.expected(key, size);
        let access = Access { time, key, size, latency, future };
        if size_change::request(self.changes, &mut self.sets, &access, &mut self.counted) {
            return RequestOutcome::Hit(self.hit_latency);
        }
        if let Some(flight) = self.flights.get_mut(&key) {
            if self.changes.is_some() && flight.size != size {
                self.counted.size_change(0);
                if self.changes != Some(SizeChange::Hit) {
                    flight.size = size;
                }
            }
            let leaves = flight.end.saturating_add(flight.waiting.saturating_mul(self.release_interval));
            flight.waiting += 1;
            flight.last = time;
            flight.future = future;
            return RequestOutcome::DelayedHit((leaves - time).max(self.hit_latency));
        }
        let latency = self.fetch(time, key, size, 1, future) - time;
        RequestOutcome::Miss(latency.max(self.hit_latency))
    }
}

impl<P: CachePolicy + Send> Step for DelayedHits<P> {
    #[inline]
    fn expect(&mut self, requests: &[Request]) {
        self.sets.expect(requests);
    }

    #[inline]
    fn request(&mut self, request: &Request, future: Future) -> RequestOutcome {
        let Request { time, key, .. } = *request;
        if self.prefetching.is_some() {
            self.prefetch_until(time);
        }
        self.land(time);
        let outcome = self.outcome(request, future);
        if let Some(prefetching) = &mut self.prefetching {
            // An object that a request does not find may have expired.
            let is_first = prefetching.is_first_use(key) && !matches!(outcome, RequestOutcome::Miss(_));
            if is_first {
                self.counted.prefetch_used(matches!(outcome, RequestOutcome::DelayedHit(_)));
            }
            let wanted = prefetching.request(request);
            self.prefetch(time, wanted);
        }
        self.counted.outcome(request, outcome);
        outcome
    }

    fn counted(&self) -> &Counted {
        &self.counted
    }

    fn into_counted(self) -> Counted {
        self.counted
    }
}
