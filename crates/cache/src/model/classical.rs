//! The classical model: a missed object is there at once (thesis 2.1).

use super::counts::{Counted, Outcome};
use super::{SizeChange, Step, size_change};
use crate::access::{Access, Fetched, Future};
use crate::latency::Latencies;
use crate::policy::Policy;
use crate::sets::Sets;
use forebay_core::Request;

/// One cache in the classical model. Latencies are only added up: the model's
/// prediction is misses x latency (thesis, equation 2.1).
pub(super) struct Classical<P> {
    sets: Sets<P>,
    latencies: Latencies,
    changes: Option<SizeChange>,
    counted: Counted,
}

impl<P: Policy> Classical<P> {
    pub(super) fn new(sets: Sets<P>, latencies: Latencies, changes: Option<SizeChange>, counted: Counted) -> Self {
        Self { sets, latencies, changes, counted }
    }
}

impl<P: Policy + Send> Step for Classical<P> {
    #[inline]
    fn expect(&mut self, requests: &[Request]) {
        self.sets.expect(requests);
    }

    #[inline]
    fn request(&mut self, request: &Request, future: Future) {
        let Request { time, key, size } = *request;
        let latency = self.latencies.expected(key);
        let access = Access { time, key, size, latency, future };
        if size_change::request(self.changes, &mut self.sets, &access, &mut self.counted) {
            return self.counted.outcome(request, Outcome::Hit);
        }
        let latency = self.latencies.draw(key);
        self.counted.outcome(request, Outcome::Miss(latency));
        let new = Fetched { time: time.saturating_add(1), key, size, latency, last: time, waiting: 1, future };
        self.counted.admit(&mut self.sets, &new);
    }

    fn counted(&self) -> &Counted {
        &self.counted
    }

    fn into_counted(self) -> Counted {
        self.counted
    }
}
