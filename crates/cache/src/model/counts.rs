//! The counts of a simulation.

use super::prefetching::Prefetching;
use super::service::Expiry;
use crate::access::{Entry, Fetched};
use crate::cache::Admission;
use crate::policy::CachePolicy;
use crate::sets::Sets;
use forebay_core::Request;
use std::any::Any;

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    /// The object was in the cache: the cost of a hit, in ticks; 0 unless [`Service`](super::Service) says otherwise.
    Hit(u64),
    /// The object was in flight: the rest of its fetch, in ticks.
    DelayedHit(u64),
    /// A fetch began: all of it, in ticks.
    Miss(u64),
}

impl RequestOutcome {
    /// How long the request waited, in ticks.
    #[must_use]
    pub fn latency(self) -> u64 {
        match self {
            Self::Hit(latency) | Self::DelayedHit(latency) | Self::Miss(latency) => latency,
        }
    }

    /// The word for it in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Hit(_) => "hit",
            Self::DelayedHit(_) => "delayed-hit",
            Self::Miss(_) => "miss",
        }
    }
}

/// Receives the outcome of every request that is counted.
pub trait Observer: Send + Any {
    /// The request had this outcome.
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome);
}

/// The outcomes of all requests after the warm-up. Sums stop at `u64::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Requests.
    pub requests: u64,
    /// Requests whose object was in the cache.
    pub hits: u64,
    /// Requests that waited for a fetch that another request had begun.
    pub delayed_hits: u64,
    /// Requests that began a fetch.
    pub misses: u64,
    /// The sum of the latencies of all requests, in ticks; `u64::MAX` if it does not fit.
    pub total_latency: u64,
    /// Sum of the sizes of the requested objects.
    pub bytes: u64,
    /// Sum of the sizes of the objects of misses: the traffic of the link.
    pub miss_bytes: u64,
    /// Evicted objects.
    pub evictions: u64,
    /// Fetched objects that did not enter: the policy did not admit them, or they are larger than the cache.
    pub refused: u64,
    /// Requests for an object that was in the cache, or in flight, with another size.
    pub size_changes: u64,
    /// Requests for an object that was in the cache and had outlived its lifetime. Each is a miss.
    pub expired: u64,
    /// Fetches that began before a request.
    pub prefetches: u64,
    /// Prefetched objects that were requested before they were evicted.
    pub prefetches_used: u64,
    /// Requests that waited for the rest of a prefetch; the first for each.
    pub prefetches_late: u64,
}

impl Counts {
    /// The mean latency of a request, in ticks; 0 without requests.
    #[must_use]
    pub fn mean_latency(&self) -> f64 {
        if self.requests == 0 { 0.0 } else { self.total_latency as f64 / self.requests as f64 }
    }

    /// Counts the outcome of a request.
    #[inline]
    pub fn count(&mut self, request: &Request, outcome: RequestOutcome) {
        self.requests += 1;
        self.bytes = self.bytes.saturating_add(request.size);
        self.total_latency = self.total_latency.saturating_add(outcome.latency());
        match outcome {
            RequestOutcome::Hit(_) => self.hits += 1,
            RequestOutcome::DelayedHit(_) => self.delayed_hits += 1,
            RequestOutcome::Miss(_) => {
                self.misses += 1;
                self.miss_bytes = self.miss_bytes.saturating_add(request.size);
            }
        }
    }
}

/// Counts the events after the warm-up.
pub(super) struct Counted {
    pub(super) counts: Counts,
    warmup_left: u64,
    pub(super) observer: Option<Box<dyn Observer>>,
}

impl Counted {
    pub(super) fn new(warmup: u64, observer: Option<Box<dyn Observer>>) -> Self {
        Self { counts: Counts::default(), warmup_left: warmup, observer }
    }

    #[inline]
    pub(super) fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        if self.warmup_left > 0 {
            self.warmup_left -= 1;
            return;
        }
        self.counts.count(request, outcome);
        if let Some(observer) = &mut self.observer {
            observer.outcome(request, outcome);
        }
    }

    /// A request found its object with another size, for which this many others left.
    #[cold]
    pub(super) fn size_change(&mut self, evicted: u64) {
        if self.warmup_left == 0 {
            self.counts.size_changes += 1;
            self.counts.evictions += evicted;
        }
    }

    /// Takes the object of a request out of the cache if it has expired, and counts that.
    #[inline]
    pub(super) fn expire<P: CachePolicy>(
        &mut self,
        expiry: &mut Option<Expiry>,
        key: u64,
        time: u64,
        sets: &mut Sets<P>,
    ) {
        let was_there = expiry.as_mut().is_some_and(|expiry| expiry.take_out(key, time, sets));
        if was_there && self.warmup_left == 0 {
            self.counts.expired += 1;
        }
    }

    /// A fetch began before a request.
    pub(super) fn prefetch(&mut self) {
        self.counts.prefetches += u64::from(self.warmup_left == 0);
    }

    /// The first request for a prefetched object arrives. It waits for the rest of its fetch if `is_late`.
    pub(super) fn prefetch_used(&mut self, is_late: bool) {
        if self.warmup_left == 0 {
            self.counts.prefetches_used += 1;
            self.counts.prefetches_late += u64::from(is_late);
        }
    }

    /// Inserts a fetched object, and counts the objects that leave for it. Where objects expire, `expiry` receives
    /// both, with the tick at which the fetch ended. Where objects are prefetched, `prefetching` may choose the
    /// victims.
    #[inline]
    pub(super) fn admit<P: CachePolicy>(
        &mut self,
        sets: &mut Sets<P>,
        new: &Fetched,
        mut expiry: Option<(&mut Expiry, u64)>,
        prefetching: Option<&mut Prefetching>,
    ) {
        let mut evicted = 0;
        let mut leaves = |entry: &Entry| {
            evicted += 1;
            if let Some((expiry, _)) = &mut expiry {
                expiry.left(entry.key);
            }
        };
        let admission = match prefetching {
            None => sets.admit(new, |_, entry| leaves(entry)),
            Some(prefetching) => prefetching.admit(sets, new, leaves),
        };
        let has_entered = matches!(admission, Admission::Entered(_));
        if let Some((expiry, time)) = expiry.filter(|_| has_entered) {
            expiry.entered(new.key, time);
        }
        if self.warmup_left == 0 {
            self.counts.evictions += evicted;
            self.counts.refused += u64::from(!has_entered);
        }
    }
}
