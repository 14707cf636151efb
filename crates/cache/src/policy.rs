//! What a cache policy is.

use crate::access::{Access, Entry, Fetched, Slot};
use forebay_core::Seed;

/// Says who leaves. The entries themselves, their keys and sizes are the
/// [`Cache`](crate::Cache)'s; a policy keeps what it needs per [`Slot`].
pub trait CachePolicy {
    /// A request for this object comes soon. A policy with large tables may look there
    /// now: what several coming requests need is fetched from memory at the same time.
    fn expect(&self, key: u64) {
        let _ = key;
    }

    /// A request, before its outcome is known: hit, delayed hit or miss. `slot` is the
    /// object's place if it is in the cache.
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let _ = (access, slot);
    }

    /// The request hits the object at `slot`.
    fn hit(&mut self, slot: Slot, access: &Access);

    /// The object at `slot` has this size from now on; the request that found it out comes next, as a [`hit`](Self::hit).
    /// Policies that keep sizes, or sums of them, change them.
    fn resize(&mut self, slot: Slot, size: u64) {
        let _ = (slot, size);
    }

    /// There is no room for `new`, which is not in the cache: who leaves? Asked again
    /// until `new` fits. The cache holds at least one object. The victim is not gone
    /// until [`evict`](Self::evict) says so.
    fn victim(&mut self, new: &Fetched) -> Victim;

    /// As [`victim`](Self::victim), where only some may leave: the object that the policy would evict if the others did
    /// not exist. [`Victim::New`] if it would rather keep all of them; [`None`] if the policy cannot say, or none may
    /// leave. If all may, the answer is that of `victim`.
    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let _ = (new, may_leave);
        None
    }

    /// `new` enters at `slot`.
    fn insert(&mut self, slot: Slot, new: &Fetched);

    /// `new` does not enter: [`victim`](Self::victim) said so, it is larger than the
    /// cache, or its fetch came to nothing. Its fetch is over.
    fn refuse(&mut self, new: &Fetched) {
        let _ = new;
    }

    /// The object at `slot` leaves for want of room. It may be remembered.
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let _ = entry;
        self.remove(slot);
    }

    /// Forgets the object at `slot`, which was removed (invalidated, expired).
    fn remove(&mut self, slot: Slot);
}

/// Who leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The object at this place.
    Slot(Slot),
    /// The object that was just fetched: it does not enter.
    New,
}

/// What a policy may know of its cache when it is built.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Greatest sum of sizes: entries where sizes are all 1, bytes otherwise.
    pub capacity: u64,
    /// How many entries to expect; a hint for allocation, not a limit.
    pub entries: usize,
    /// The root of its random numbers.
    pub seed: Seed,
}
