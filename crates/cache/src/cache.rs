//! A cache: entries, and the policy that says which of them leaves.

use crate::access::{Access, Entry, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::table::{Keys, Table};

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

/// A cache of limited size under one policy. Its table may keep more than keys and sizes.
#[derive(Debug, Clone)]
pub struct Cache<P, T = Keys> {
    policy: P,
    capacity: u64,
    used: u64,
    table: T,
}

impl<P: CachePolicy> Cache<P> {
    /// An empty cache of keys and sizes.
    #[must_use]
    pub fn new(shape: &Shape, policy: P) -> Self {
        Self::with_table(shape.capacity, policy, Keys::new(shape.entries))
    }
}

impl<P: CachePolicy, T: Table> Cache<P, T> {
    /// A cache whose entries are in this table, which is empty.
    #[must_use]
    pub fn with_table(capacity: u64, policy: P, table: T) -> Self {
        Self { policy, capacity, used: 0, table }
    }

    /// Announces that a request for this object arrives soon; see [`CachePolicy::expect`].
    #[inline]
    pub fn expect(&self, key: u64) {
        if self.table.len() > LARGE {
            std::hint::black_box(self.table.find(key));
        }
        self.policy.expect(key);
    }

    /// Passes a request to the policy, and returns the slot of the object if it is there.
    #[inline]
    pub fn request(&mut self, access: &Access) -> Option<Slot> {
        let slot = self.table.find(access.key);
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
    pub fn entry(&self, slot: Slot) -> Entry {
        self.table.entry(slot)
    }

    /// The size with which an object is in the cache, if it is there.
    #[must_use]
    pub fn size_of(&self, key: u64) -> Option<u64> {
        self.table.find(key).map(|slot| self.table.entry(slot).size)
    }

    /// An object that is in the cache has another size from now on. It may take more room than there is:
    /// [`make_room`](Self::make_room) corrects that, after the request that revealed the size.
    pub fn resize(&mut self, key: u64, size: u64) {
        let Some(slot) = self.table.find(key) else { return };
        let before = self.table.entry(slot).size;
        self.table.resize(slot, size);
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
            let (entry, _) = self.let_go(slot);
            evicted(slot, &entry);
        }
    }

    /// Inserts a fetched object with what its table keeps of it, and returns its slot; calls `evicted` for each object that
    /// leaves for it.
    ///
    /// The object must not be in the cache.
    ///
    /// # Errors
    /// If it does not enter: the reason, and the item.
    #[inline]
    pub fn admit_item(
        &mut self,
        new: &Fetched,
        item: T::Item,
        mut evicted: impl FnMut(Slot, &Entry, T::Item),
    ) -> Result<Slot, (Admission, T::Item)> {
        debug_assert!(self.table.find(new.key).is_none(), "an object is in the cache once");
        if new.size > self.capacity {
            self.policy.refuse(new);
            return Err((Admission::TooLarge, item));
        }
        if !self.policy.admits(new) {
            self.policy.refuse(new);
            return Err((Admission::Refused, item));
        }
        while new.size > self.capacity - self.used {
            let Victim::Slot(slot) = self.policy.victim(new) else {
                self.policy.refuse(new);
                return Err((Admission::Refused, item));
            };
            let (entry, left) = self.let_go(slot);
            evicted(slot, &entry, left);
        }
        Ok(self.enter(new, item))
    }

    /// Inserts a fetched object; calls `evicted` for each object that leaves for it.
    ///
    /// The object must not be in the cache.
    #[inline]
    pub fn admit(&mut self, new: &Fetched, mut evicted: impl FnMut(Slot, &Entry)) -> Admission
    where
        T: Table<Item = ()>,
    {
        let entered = self.admit_item(new, (), |slot, entry, ()| evicted(slot, entry));
        entered.map_or_else(|(admission, ())| admission, Admission::Entered)
    }

    #[inline]
    fn enter(&mut self, new: &Fetched, item: T::Item) -> Slot {
        let slot = self.table.insert(Entry { key: new.key, size: new.size }, item);
        self.used += new.size;
        self.policy.insert(slot, new);
        slot
    }

    /// The capacity is another one from now on. Objects leave until the others fit; calls `evicted` for each. A policy
    /// that cannot change its capacity ([`CachePolicy::set_capacity`]) is replaced by the one that `make` makes. The
    /// objects enter it as if they had just been fetched, with the hits that the old one has recorded. Their order is that in
    /// which the old one would evict them, if it can say.
    ///
    /// # Errors
    /// The error of `make`. Then nothing changes.
    pub fn set_capacity<X>(
        &mut self,
        capacity: u64,
        time: u64,
        make: impl FnOnce() -> Result<P, X>,
        mut evicted: impl FnMut(Slot, &Entry, T::Item),
    ) -> Result<(), X> {
        let next = if self.policy.set_capacity(capacity) { None } else { Some(make()?) };
        self.capacity = capacity;
        // No object has this key, so the policy decides as for one that it has never seen.
        let none = Fetched { time, key: 0, size: 1, latency: 1, last: time, waiting: 1, future: Future::NONE };
        while self.used > capacity {
            let slot = match self.policy.victim(&none) {
                Victim::Slot(slot) => Some(slot),
                Victim::New => self.order().first().copied(),
            };
            let Some(slot) = slot else { break };
            let (entry, item) = self.let_go(slot);
            evicted(slot, &entry, item);
        }
        let Some(next) = next else { return Ok(()) };
        let order = self.order();
        let before = std::mem::replace(&mut self.policy, next);
        for slot in order {
            let Entry { key, size } = self.table.entry(slot);
            self.policy.insert(slot, &Fetched { key, size, ..none });
            for _ in 0..before.recorded_hits(slot) {
                self.policy.hit(slot, &Access { time, key, size, latency: 1, future: Future::NONE });
            }
        }
        Ok(())
    }

    /// All slots in the order in which the policy would evict them, if it can say; otherwise in the order of their numbers.
    #[must_use]
    pub fn order(&self) -> Vec<Slot> {
        self.policy.eviction_order().unwrap_or_else(|| {
            let mut slots: Vec<Slot> = self.table.slots().collect();
            slots.sort_unstable();
            slots
        })
    }

    /// Evicts one object for `new`: of those that may leave, the one that the policy chooses
    /// ([`CachePolicy::victim_among`]). [`None`] if none may, or the policy would rather keep them.
    ///
    /// A policy that cannot choose among some objects is asked while it knows only those. The others then enter it
    /// again as if they had just been fetched.
    pub fn evict_among(&mut self, new: &Fetched, may_leave: impl FnMut(&Entry) -> bool) -> Option<Entry> {
        self.let_one_go(new, may_leave).map(|(_, entry, _)| entry)
    }

    /// The same; also returns the slot.
    pub(crate) fn let_one_go(
        &mut self,
        new: &Fetched,
        mut may_leave: impl FnMut(&Entry) -> bool,
    ) -> Option<(Slot, Entry, T::Item)> {
        let Self { policy, table, .. } = self;
        match policy.victim_among(new, &mut |slot| may_leave(&table.entry(slot))) {
            Some(Victim::Slot(slot)) => Some(self.let_slot_go(slot)),
            Some(Victim::New) => None,
            None => self.evict_beside(new, may_leave),
        }
    }

    #[cold]
    fn evict_beside(
        &mut self,
        new: &Fetched,
        mut may_leave: impl FnMut(&Entry) -> bool,
    ) -> Option<(Slot, Entry, T::Item)> {
        if !self.entries().any(|entry| may_leave(&entry)) {
            return None;
        }
        let mut slots: Vec<Slot> = self.table.slots().collect();
        slots.sort_unstable();
        slots.retain(|&slot| !may_leave(&self.table.entry(slot)));
        slots.iter().for_each(|&slot| self.policy.remove(slot));
        let gone = match self.policy.victim(new) {
            Victim::Slot(slot) => Some(self.let_slot_go(slot)),
            Victim::New => None,
        };
        for slot in slots {
            let Entry { key, size } = self.table.entry(slot);
            let again = Fetched { key, size, last: new.time, waiting: 1, future: Future::NONE, ..*new };
            self.policy.insert(slot, &again);
        }
        gone
    }

    /// Evicts an object, whatever the policy would choose.
    pub fn evict(&mut self, key: u64) -> Option<Entry> {
        let slot = self.find(key)?;
        Some(self.let_go(slot).0)
    }

    /// Evicts the object at a slot, whatever the policy would choose.
    #[inline]
    pub fn let_go(&mut self, slot: Slot) -> (Entry, T::Item) {
        let entry = self.table.entry(slot);
        self.policy.evict(slot, &entry);
        (entry, self.forget(slot, &entry))
    }

    fn let_slot_go(&mut self, slot: Slot) -> (Slot, Entry, T::Item) {
        let (entry, item) = self.let_go(slot);
        (slot, entry, item)
    }

    /// Reserves room for an object in flight, if there is any. Until [`enter_reserved`](Self::enter_reserved), no other
    /// object gets that room.
    pub fn reserve(&mut self, size: u64) -> bool {
        let fits = size <= self.room();
        self.used += if fits { size } else { 0 };
        fits
    }

    /// Inserts an object for which room was reserved.
    pub fn enter_reserved(&mut self, new: &Fetched) -> Slot
    where
        T: Table<Item = ()>,
    {
        debug_assert!(self.table.find(new.key).is_none(), "an object is in the cache once");
        self.used -= new.size;
        self.enter(new, ())
    }

    /// The size that fits in without an eviction.
    #[must_use]
    pub fn room(&self) -> u64 {
        self.capacity - self.used
    }

    /// All objects, in no particular order.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.table.slots().map(|slot| self.table.entry(slot))
    }

    /// The fetch of a requested object failed, was given up, or is out of date. The policy need not wait for it.
    pub fn give_up(&mut self, new: &Fetched) {
        if self.table.find(new.key).is_none() {
            self.policy.refuse(new);
        }
    }

    /// Takes an object out, if it is there, e.g. because it is out of date.
    pub fn invalidate(&mut self, key: u64) -> Option<(Slot, Entry)> {
        let slot = self.table.find(key)?;
        let entry = self.table.entry(slot);
        self.take_out(slot);
        Some((slot, entry))
    }

    /// Takes the object at a slot out, as [`invalidate`](Self::invalidate).
    pub fn take_out(&mut self, slot: Slot) -> T::Item {
        let entry = self.table.entry(slot);
        self.policy.remove(slot);
        self.forget(slot, &entry)
    }

    fn forget(&mut self, slot: Slot, entry: &Entry) -> T::Item {
        self.used -= entry.size;
        self.table.remove(slot)
    }

    /// The slot of an object, without a request for it.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Slot> {
        self.table.find(key)
    }

    /// The sum of the sizes of the objects that are in the cache or have room reserved for them.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// How many objects are in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The table of entries.
    #[must_use]
    pub fn table(&self) -> &T {
        &self.table
    }

    /// The table of entries. Keys, sizes and slots must stay as they are.
    pub fn table_mut(&mut self) -> &mut T {
        &mut self.table
    }
}
