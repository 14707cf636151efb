//! The interface of cache policies.

use crate::access::{Access, Entry, Fetched, Slot};
use forebay_core::Seed;

/// Chooses the objects that leave. The [`Cache`](crate::Cache) holds the entries themselves, their keys and sizes; a
/// policy keeps the data that it needs per [`Slot`].
pub trait CachePolicy {
    /// Announces that a request for this object arrives soon. A policy with large tables may look there now: the data
    /// for several coming requests is then fetched from memory at the same time.
    fn expect(&self, key: u64) {
        let _ = key;
    }

    /// Whether the policy measures time in requests where fetches take no time. In the classical model, `time` of
    /// [`Access`] and of [`Fetched`] and the future are then numbers of requests. So the clock of the trace does not
    /// matter, and requests that share a tick keep their order. Policies that weigh the latency of fetches need ticks.
    fn counts_requests(&self) -> bool {
        false
    }

    /// A request, before its outcome is known: hit, delayed hit or miss. `slot` is the object's slot if it is in the
    /// cache.
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let _ = (access, slot);
    }

    /// The request hits the object at `slot`.
    fn hit(&mut self, slot: Slot, access: &Access);

    /// As [`hit`](Self::hit), by one of several threads that share the cache for reading; [`request`](Self::request) is not
    /// called. Returns false if the policy cannot record a hit in this way; then both must be called.
    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        let _ = slot;
        false
    }

    /// Whether [`mark`](Self::mark) records hits. It always gives the same answer.
    fn marks(&self) -> bool {
        false
    }

    /// The object at `slot` has this size from now on. The request that revealed the size follows, as a
    /// [`hit`](Self::hit). Policies that keep sizes, or sums of them, change them.
    fn resize(&mut self, slot: Slot, size: u64) {
        let _ = (slot, size);
    }

    /// The cache has another capacity from now on, and objects leave if they do not fit. Returns false if the policy
    /// cannot change its capacity; then it stays as it is.
    fn set_capacity(&mut self, capacity: u64) -> bool {
        let _ = capacity;
        false
    }

    /// The slots in the order in which the policy would evict them if nothing more were requested, as far as it can say
    /// without a change of its state.
    fn eviction_order(&self) -> Option<Vec<Slot>> {
        None
    }

    /// The number of hits by which the object at `slot` would stay longer, if the policy counts them.
    fn recorded_hits(&self, slot: Slot) -> u8 {
        let _ = slot;
        0
    }

    /// Whether the policy looks at the latency of an [`Access`].
    fn weighs_latency(&self) -> bool {
        true
    }

    /// Whether `new`, which fits the cache, may enter at all. Called before any room is made for it.
    fn admits(&self, new: &Fetched) -> bool {
        let _ = new;
        true
    }

    /// Chooses a victim for `new`, which is not in the cache and for which there is no room. Called again until `new`
    /// fits. The cache holds at least one object. The victim stays until [`evict`](Self::evict) is called.
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

    /// `new` does not enter: [`victim`](Self::victim) decided so, it is larger than the cache, or its fetch failed. Its
    /// fetch is over.
    fn refuse(&mut self, new: &Fetched) {
        let _ = new;
    }

    /// Evicts the object at `slot`. It may be remembered.
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let _ = entry;
        self.remove(slot);
    }

    /// Forgets the object at `slot`, which was removed (invalidated, expired).
    fn remove(&mut self, slot: Slot);
}

/// The object that leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The object at this slot.
    Slot(Slot),
    /// The object that was just fetched: it does not enter.
    New,
}

/// The facts of its cache that a policy may use when it is built.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Greatest sum of sizes: entries where sizes are all 1, bytes otherwise.
    pub capacity: u64,
    /// How many entries to expect; a hint for allocation, not a limit.
    pub entries: usize,
    /// The root of its random numbers.
    pub seed: Seed,
}

impl<P: CachePolicy + ?Sized> CachePolicy for Box<P> {
    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        (**self).mark(slot)
    }

    fn marks(&self) -> bool {
        (**self).marks()
    }

    fn expect(&self, key: u64) {
        (**self).expect(key);
    }

    fn counts_requests(&self) -> bool {
        (**self).counts_requests()
    }

    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        (**self).request(access, slot);
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        (**self).hit(slot, access);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        (**self).resize(slot, size);
    }

    fn set_capacity(&mut self, capacity: u64) -> bool {
        (**self).set_capacity(capacity)
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        (**self).eviction_order()
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        (**self).recorded_hits(slot)
    }

    fn weighs_latency(&self) -> bool {
        (**self).weighs_latency()
    }

    fn admits(&self, new: &Fetched) -> bool {
        (**self).admits(new)
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        (**self).victim(new)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        (**self).victim_among(new, may_leave)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        (**self).insert(slot, new);
    }

    fn refuse(&mut self, new: &Fetched) {
        (**self).refuse(new);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        (**self).evict(slot, entry);
    }

    fn remove(&mut self, slot: Slot) {
        (**self).remove(slot);
    }
}
