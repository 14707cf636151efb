//! The classical model: a missed object is there at once (thesis 2.1).

use super::counts::{Counted, RequestOutcome};
use super::service::{Expiry, Service};
use super::{SizeChange, Step, size_change};
use crate::access::{Access, Fetched, Future};
use crate::latency::Latencies;
use crate::policy::CachePolicy;
use crate::sets::Sets;
use forebay_core::Request;

/// One cache in the classical model. Latencies are only added up: the model's
/// prediction is hits x latency of a hit + misses x latency of a miss (thesis, equation 2.1).
pub(super) struct Classical<P> {
    sets: Sets<P>,
    latencies: Latencies,
    changes: Option<SizeChange>,
    hit_latency: u64,
    expiry: Option<Expiry>,
    /// The number of the next request, for a policy that [counts requests](CachePolicy::counts_requests).
    number: Option<u64>,
    counted: Counted,
}

impl<P: CachePolicy> Classical<P> {
    pub(super) fn new(
        sets: Sets<P>,
        latencies: Latencies,
        changes: Option<SizeChange>,
        service: Service,
        counted: Counted,
    ) -> Self {
        let Service { hit_latency, lifetime, .. } = service;
        let number = sets.counts_requests().then_some(0);
        Self { sets, latencies, changes, hit_latency, expiry: Expiry::new(lifetime), number, counted }
    }
}

impl<P: CachePolicy + Send> Step for Classical<P> {
    #[inline]
    fn expect(&mut self, requests: &[Request]) {
        self.sets.expect(requests);
    }

    #[inline]
    fn request(&mut self, request: &Request, future: Future) -> RequestOutcome {
        let Request { time, key, size } = *request;
        self.counted.expire(&mut self.expiry, key, time, &mut self.sets);
        let latency = self.latencies.expected(key, size);
        let (now, future) = match &mut self.number {
            None => (time, future),
            Some(number) => {
                *number += 1;
                // A miss delays its own request only.
                (*number - 1, Future { next: future.number, delay: latency, ..future })
            }
        };
        let access = Access { time: now, key, size, latency, future };
        if size_change::request(self.changes, &mut self.sets, &access, &mut self.counted) {
            let outcome = RequestOutcome::Hit(self.hit_latency);
            self.counted.outcome(request, outcome);
            return outcome;
        }
        let latency = self.latencies.draw(key, size);
        let outcome = RequestOutcome::Miss(latency.max(self.hit_latency));
        self.counted.outcome(request, outcome);
        let new = Fetched { time: now.saturating_add(1), key, size, latency, last: now, waiting: 1, future };
        self.counted.admit(&mut self.sets, &new, self.expiry.as_mut().map(|expiry| (expiry, time)), None);
        outcome
    }

    fn counted(&self) -> &Counted {
        &self.counted
    }

    fn into_counted(self) -> Counted {
        self.counted
    }
}
