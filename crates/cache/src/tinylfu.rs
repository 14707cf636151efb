//! TinyLFU: admission in front of any policy, by how often objects were requested lately.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::structures::{PerSlot, Sketch};
use forebay_core::params::ParamKind;
use forebay_core::{ParamSpec, Params};

/// The parameters of every TinyLFU form. No policy has a parameter of the same name.
pub const TINYLFU_PARAMS: &[ParamSpec] = &[ParamSpec {
    name: "reset",
    kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: Some(10) },
    meaning: "requests per entry after which all counters of TinyLFU are halved",
}];

/// The TinyLFU form of a policy: the new object enters if it was requested more often lately than the victim that the
/// policy names. Otherwise the victim stays, and the policy hears that the new object was not admitted (Einziger, Friedman
/// and Manes, "TinyLFU", ACM Transactions on Storage 2017, section 3).
///
/// The sketch counts all requests when they arrive, delayed hits included. With sizes, the
/// new object contends with one victim after the other, and may lose after some have left.
/// There is no doorkeeper, which saves memory in the paper and decides nothing.
///
/// Costs 8 to 16 bytes of counters and a key per entry, and O(1) amortised beside the policy.
#[derive(Debug, Clone)]
pub struct TinyLfu<B> {
    base: B,
    sketch: Sketch,
    keys: PerSlot<u64>,
    entries: usize,
}

impl<B: CachePolicy> TinyLfu<B> {
    /// Wraps a policy.
    #[must_use]
    pub fn new(base: B, shape: &Shape, params: &Params) -> Self {
        let reset = params.integer("reset").unwrap_or(1);
        let sketch = Sketch::new(shape.seed.part("tinylfu").0, reset);
        Self { base, sketch, keys: PerSlot::new(shape.entries), entries: 0 }
    }

    /// The victim leaves, or the new object does not enter.
    fn contest(&self, new: &Fetched, victim: Victim) -> Victim {
        match victim {
            Victim::Slot(slot) if self.sketch.count(new.key) <= self.sketch.count(self.keys[slot]) => Victim::New,
            winner => winner,
        }
    }
}

impl<B: CachePolicy> CachePolicy for TinyLfu<B> {
    fn expect(&self, key: u64) {
        self.base.expect(key);
    }

    fn counts_requests(&self) -> bool {
        self.base.counts_requests()
    }

    #[inline]
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.sketch.add(access.key);
        self.base.request(access, slot);
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.base.hit(slot, access);
    }

    fn set_capacity(&mut self, capacity: u64) -> bool {
        self.base.set_capacity(capacity)
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        self.base.eviction_order()
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.base.recorded_hits(slot)
    }

    fn weighs_latency(&self) -> bool {
        self.base.weighs_latency()
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.base.resize(slot, size);
    }

    fn admits(&self, new: &Fetched) -> bool {
        self.base.admits(new)
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let victim = self.base.victim(new);
        self.contest(new, victim)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let victim = self.base.victim_among(new, may_leave)?;
        Some(self.contest(new, victim))
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.keys.set(slot, new.key);
        self.entries += 1;
        self.sketch.fit(self.entries);
        self.base.insert(slot, new);
    }

    fn refuse(&mut self, new: &Fetched) {
        self.base.refuse(new);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.entries -= 1;
        self.base.evict(slot, entry);
    }

    fn remove(&mut self, slot: Slot) {
        self.entries -= 1;
        self.base.remove(slot);
    }
}
