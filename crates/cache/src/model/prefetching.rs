//! Prefetches in the model with delayed hits: which are wanted and used, and the victims for requests that are known in
//! advance.

use crate::access::{Entry, Fetched, Slot};
use crate::cache::Admission;
use crate::policy::CachePolicy;
use crate::prefetcher::Prefetcher;
use crate::sets::Sets;
use forebay_core::Request;
use rustc_hash::FxHashSet;

/// A prefetcher at work.
pub(super) struct Prefetching {
    prefetcher: Box<dyn Prefetcher>,
    wanted: Vec<u64>,
    /// Prefetched objects in the cache or in flight that were not requested yet.
    unused: FxHashSet<u64>,
}

impl Prefetching {
    pub(super) fn new(prefetcher: Box<dyn Prefetcher>) -> Self {
        Self { prefetcher, wanted: Vec::new(), unused: FxHashSet::default() }
    }

    /// The next tick up to `time` at which something is wanted without a request.
    pub(super) fn due(&self, time: u64) -> Option<u64> {
        self.prefetcher.due().filter(|due| *due <= time)
    }

    /// Called at that tick; returns the wanted objects.
    pub(super) fn wake(&mut self) -> Vec<u64> {
        self.prefetcher.wake(&mut self.wanted);
        std::mem::take(&mut self.wanted)
    }

    /// A request has had its outcome; returns the wanted objects.
    pub(super) fn request(&mut self, request: &Request) -> Vec<u64> {
        self.prefetcher.request(request, &mut self.wanted);
        std::mem::take(&mut self.wanted)
    }

    /// Takes the memory of a list of wanted objects back.
    pub(super) fn recycle(&mut self, mut wanted: Vec<u64>) {
        wanted.clear();
        self.wanted = wanted;
    }

    pub(super) fn began(&mut self, key: u64) {
        self.unused.insert(key);
    }

    /// Whether this is the first request for a prefetched object since its fetch.
    pub(super) fn is_first_use(&mut self, key: u64) -> bool {
        self.unused.remove(&key)
    }

    /// Inserts an object. If the prefetcher knows future requests, they decide the victims
    /// ([`Cache::admit_knowing`](crate::Cache)). Calls `evicted` for each victim.
    pub(super) fn admit<P: CachePolicy>(
        &mut self,
        sets: &mut Sets<P>,
        new: &Fetched,
        mut evicted: impl FnMut(&Entry),
    ) -> Admission {
        let Self { prefetcher, unused, .. } = self;
        let mut gone = |_: Slot, entry: &Entry| {
            unused.remove(&entry.key);
            evicted(entry);
        };
        let set = sets.set(new.key);
        let admission = match prefetcher.knows() {
            true => set.admit_knowing(new, |key| prefetcher.next(key, new.time), &mut gone),
            false => set.admit(new, &mut gone),
        };
        if !matches!(admission, Admission::Entered(_)) {
            unused.remove(&new.key);
        }
        admission
    }
}
