//! A cache: entries, and the policy that says which of them leaves.

use crate::access::{Access, Entry, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use rustc_hash::FxHashMap;

/// The outcome of an object that was to enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It is in the cache, at this slot.
    Entered(Slot),
    /// The policy would rather keep the objects that it has.
    Refused,
    /// It is larger than the cache.
    TooLarge,
}

/// Tables with more entries do not stay in a processor's cache by themselves.
pub(crate) const LARGE: usize = 8_192;

/// A cache of limited size under one policy.
#[derive(Debug, Clone)]
pub struct Cache<P> {
    policy: P,
    capacity: u64,
    used: u64,
    places: FxHashMap<u64, Slot>,
    entries: Vec<Entry>,
    free: Vec<Slot>,
}

impl<P: CachePolicy> Cache<P> {
    /// An empty cache.
    #[must_use]
    pub fn new(shape: &Shape, policy: P) -> Self {
        // Twice as much, so that slots of removed objects are not tidied up all the time.
        let places = FxHashMap::with_capacity_and_hasher(2 * shape.entries, rustc_hash::FxBuildHasher);
        let entries = Vec::with_capacity(shape.entries);
        Self { policy, capacity: shape.capacity, used: 0, places, entries, free: Vec::new() }
    }

    /// Announces that a request for this object arrives soon; see [`CachePolicy::expect`].
    #[inline]
    pub fn expect(&self, key: u64) {
        if self.entries.len() > LARGE {
            std::hint::black_box(self.places.get(&key));
        }
        self.policy.expect(key);
    }

    /// Passes a request to the policy, and returns the slot of the object if it is there.
    #[inline]
    pub fn request(&mut self, access: &Access) -> Option<Slot> {
        let slot = self.places.get(&access.key).copied();
        self.policy.request(access, slot);
        if let Some(slot) = slot {
            self.policy.hit(slot, access);
        }
        slot
    }

    /// As [`request`](Self::request), for the object at a slot that is known.
    #[inline]
    pub fn request_at(&mut self, slot: Slot, access: &Access) {
        self.policy.request(access, Some(slot));
        self.policy.hit(slot, access);
    }

    /// Records a hit of the object at a slot by one of several threads that share the cache for reading, instead of
    /// [`request`](Self::request). Returns false if the policy cannot do that.
    #[inline]
    pub fn mark(&self, slot: Slot) -> bool {
        self.policy.mark(slot)
    }

    /// The object at a slot that [`request`](Self::request) returned.
    #[must_use]
    pub fn entry(&self, slot: Slot) -> &Entry {
        &self.entries[slot as usize]
    }

    /// The size with which an object is in the cache, if it is there.
    #[must_use]
    pub fn size_of(&self, key: u64) -> Option<u64> {
        self.places.get(&key).map(|&slot| self.entries[slot as usize].size)
    }

    /// An object that is in the cache has another size from now on. It may take more room than there is:
    /// [`make_room`](Self::make_room) corrects that, after the request that revealed the size.
    pub fn resize(&mut self, key: u64, size: u64) {
        let Some(&slot) = self.places.get(&key) else { return };
        let before = std::mem::replace(&mut self.entries[slot as usize].size, size);
        self.used = self.used - before + size;
        self.policy.resize(slot, size);
    }

    /// Evicts objects until the cache holds no more than it may, for `grown`, which is in it and may be evicted itself.
    /// Calls `evicted` for each.
    pub fn make_room(&mut self, grown: &Fetched, mut evicted: impl FnMut(Slot, &Entry)) {
        while self.used > self.capacity {
            let chosen = if grown.size > self.capacity { Victim::New } else { self.policy.victim(grown) };
            let victim = match chosen {
                Victim::Slot(slot) => Some(slot),
                Victim::New => self.find(grown.key),
            };
            // Without the object that has grown, there is room for all others.
            let Some(slot) = victim else { return };
            let entry = self.let_go(slot);
            evicted(slot, &entry);
        }
    }

    /// Inserts a fetched object; calls `evicted` for each object that leaves for it.
    ///
    /// The object must not be in the cache.
    #[inline]
    pub fn admit(&mut self, new: &Fetched, mut evicted: impl FnMut(Slot, &Entry)) -> Admission {
        debug_assert!(!self.places.contains_key(&new.key), "an object is in the cache once");
        if new.size > self.capacity {
            self.policy.refuse(new);
            return Admission::TooLarge;
        }
        if !self.policy.admits(new) {
            self.policy.refuse(new);
            return Admission::Refused;
        }
        while new.size > self.capacity - self.used {
            let Victim::Slot(slot) = self.policy.victim(new) else {
                self.policy.refuse(new);
                return Admission::Refused;
            };
            let entry = self.let_go(slot);
            evicted(slot, &entry);
        }
        Admission::Entered(self.enter(new))
    }

    #[inline]
    fn enter(&mut self, new: &Fetched) -> Slot {
        let entry = Entry { key: new.key, size: new.size };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(entry);
            Slot::try_from(self.entries.len() - 1).expect("fewer than 2^32 objects fit into a cache")
        });
        self.entries[slot as usize] = entry;
        self.places.insert(new.key, slot);
        self.used += new.size;
        self.policy.insert(slot, new);
        slot
    }

    /// Evicts one object for `new`: of those that may leave, the one that the policy chooses
    /// ([`CachePolicy::victim_among`]). [`None`] if none may, or the policy would rather keep them.
    ///
    /// A policy that cannot choose among some objects is asked while it knows only those. The others then enter it
    /// again as if they had just been fetched.
    pub fn evict_among(&mut self, new: &Fetched, may_leave: impl FnMut(&Entry) -> bool) -> Option<Entry> {
        self.let_one_go(new, may_leave).map(|(_, entry)| entry)
    }

    /// The same; also returns the slot.
    pub(crate) fn let_one_go(
        &mut self,
        new: &Fetched,
        mut may_leave: impl FnMut(&Entry) -> bool,
    ) -> Option<(Slot, Entry)> {
        let Self { policy, entries, .. } = self;
        match policy.victim_among(new, &mut |slot| may_leave(&entries[slot as usize])) {
            Some(Victim::Slot(slot)) => Some((slot, self.let_go(slot))),
            Some(Victim::New) => None,
            None => self.evict_beside(new, may_leave),
        }
    }

    #[cold]
    fn evict_beside(&mut self, new: &Fetched, mut may_leave: impl FnMut(&Entry) -> bool) -> Option<(Slot, Entry)> {
        if !self.entries().any(&mut may_leave) {
            return None;
        }
        let mut slots: Vec<Slot> = self.places.values().copied().collect();
        slots.sort_unstable();
        slots.retain(|&slot| !may_leave(&self.entries[slot as usize]));
        slots.iter().for_each(|&slot| self.policy.remove(slot));
        let gone = match self.policy.victim(new) {
            Victim::Slot(slot) => Some((slot, self.let_go(slot))),
            Victim::New => None,
        };
        for slot in slots {
            let Entry { key, size } = self.entries[slot as usize];
            let again = Fetched { key, size, last: new.time, waiting: 1, future: Future::NONE, ..*new };
            self.policy.insert(slot, &again);
        }
        gone
    }

    /// Evicts an object, whatever the policy would choose.
    pub fn evict(&mut self, key: u64) -> Option<Entry> {
        let slot = self.find(key)?;
        Some(self.let_go(slot))
    }

    #[inline]
    fn let_go(&mut self, slot: Slot) -> Entry {
        let entry = self.entries[slot as usize];
        self.policy.evict(slot, &entry);
        self.forget(slot, &entry);
        entry
    }

    /// Reserves room for an object in flight, if there is any. Until [`enter_reserved`](Self::enter_reserved), no other
    /// object gets that room.
    pub fn reserve(&mut self, size: u64) -> bool {
        let fits = size <= self.room();
        self.used += if fits { size } else { 0 };
        fits
    }

    /// Inserts an object for which room was reserved.
    pub fn enter_reserved(&mut self, new: &Fetched) -> Slot {
        debug_assert!(!self.places.contains_key(&new.key), "an object is in the cache once");
        self.used -= new.size;
        self.enter(new)
    }

    /// The size that fits in without an eviction.
    #[must_use]
    pub fn room(&self) -> u64 {
        self.capacity - self.used
    }

    /// All objects, in no particular order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.places.values().map(|&slot| &self.entries[slot as usize])
    }

    /// The fetch of a requested object failed, was given up, or is out of date. The policy need not wait for it.
    pub fn give_up(&mut self, new: &Fetched) {
        if !self.places.contains_key(&new.key) {
            self.policy.refuse(new);
        }
    }

    /// Takes an object out, if it is there, e.g. because it is out of date.
    pub fn invalidate(&mut self, key: u64) -> Option<(Slot, Entry)> {
        let slot = *self.places.get(&key)?;
        let entry = self.entries[slot as usize];
        self.policy.remove(slot);
        self.forget(slot, &entry);
        Some((slot, entry))
    }

    fn forget(&mut self, slot: Slot, entry: &Entry) {
        self.places.remove(&entry.key);
        self.free.push(slot);
        self.used -= entry.size;
    }

    /// The slot of an object, without a request for it.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Slot> {
        self.places.get(&key).copied()
    }

    /// The sum of the sizes of the objects that are in the cache or have room reserved for them.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// How many objects are in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &P {
        &self.policy
    }
}

impl<P: CachePolicy + ?Sized> CachePolicy for Box<P> {
    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        (**self).mark(slot)
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
