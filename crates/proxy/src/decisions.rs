//! The decisions of the cache: which object enters, and which object leaves for it. Time is an argument.
//!
//! The policy hears of three things, in the order of a lock around this state: requests with their outcome, fetches with
//! their duration and the requests that waited, and removals.

use crate::counts::Counts;
use forebay_cache::{Access, Admission, Cache, CachePolicy, Fetched, Future, MeasuredLatencies, Slot};
use pingora_cache::eviction::{CacheEntryKey, CacheEntryKeyRef};
use pingora_cache::key::{CacheHashKey, CompactCacheKey};
use std::collections::{HashMap, VecDeque};

/// Maximum number of fetches whose answer has begun, but whose object has not entered yet. Beyond it the oldest is
/// forgotten, and its object enters as one fetched in the expected time.
const MOST_ANSWERED: usize = 1 << 16;

/// The policy of a cache.
pub(crate) type BoxedPolicy = Box<dyn CachePolicy + Send + Sync>;

/// The state behind the lock of a [`Manager`](crate::Manager).
pub(crate) struct Decisions {
    cache: Cache<BoxedPolicy>,
    /// The objects in the cache, by slot.
    tracked: Vec<Option<Tracked>>,
    fetches: HashMap<u64, Fetch>,
    /// The answered fetches, by key and beginning, oldest first.
    answered: VecDeque<(u64, u64)>,
    latencies: MeasuredLatencies,
    largest: u64,
    now: u64,
    pub(crate) counts: Counts,
}

/// An object in the cache.
struct Tracked {
    entry: CacheEntryKey,
    /// When it was requested last.
    last: u64,
    /// How many requests have waited for it and will look it up again. They count once.
    echoes: u64,
}

/// A fetch from an origin.
struct Fetch {
    began: u64,
    /// The times of the requests that wait for it.
    waiting: Vec<u64>,
    /// The number of requests that it serves: the miss, and those that waited.
    requests: u64,
    /// When the last of them came.
    last: u64,
    /// How long it took, when its answer is there.
    took: Option<u64>,
    /// As [`Tracked::echoes`].
    echoes: u64,
}

/// A cached object, as it is saved.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Saved {
    pub(crate) entry: CacheEntryKey,
    pub(crate) size: u64,
}

/// The key of an object for the policy: 64 bits of its hash.
pub(crate) fn policy_key(key: &impl CacheHashKey) -> u64 {
    let bytes = key.combined_bin();
    bytes.iter().take(8).fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

impl Decisions {
    /// An empty cache. An object larger than `largest` does not enter.
    pub(crate) fn new(cache: Cache<BoxedPolicy>, expected_entries: usize, largest: u64) -> Self {
        Self {
            cache,
            tracked: Vec::new(),
            fetches: HashMap::new(),
            answered: VecDeque::new(),
            latencies: MeasuredLatencies::new(expected_entries),
            largest,
            now: 0,
            counts: Counts::default(),
        }
    }

    /// Moves the time on. Threads read the clock before they get the lock, so `now` may be in the past.
    pub(crate) fn advance(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// A request begins a fetch: a miss, or the revalidation of an object whose request [`hit`](Self::hit) reports.
    pub(crate) fn begin(&mut self, key: u64, revalidates: bool) {
        if revalidates {
            self.counts.revalidations += 1;
        } else {
            self.counts.misses += 1;
            self.request(key, 1);
        }
        let now = self.now;
        let new = Fetch { began: now, waiting: Vec::new(), requests: 1, last: now, took: None, echoes: 0 };
        self.fetches.insert(key, new);
    }

    /// A request waits for the fetch of its object.
    pub(crate) fn wait(&mut self, key: u64, revalidates: bool) {
        if !revalidates {
            self.counts.delayed_hits += 1;
            self.request(key, 1);
        }
        let now = self.now;
        if let Some(fetch) = self.fetches.get_mut(&key) {
            fetch.waiting.push(now);
            fetch.requests += 1;
            fetch.last = now;
        }
    }

    /// A fetch ends: with an answer that is stored or confirms the stored object, or in vain.
    pub(crate) fn end(&mut self, key: u64, revalidates: bool, brought: bool) {
        let now = self.now;
        let Some(mut fetch) = self.fetches.remove(&key) else { return };
        let took = now.saturating_sub(fetch.began).max(1);
        let waiting = std::mem::take(&mut fetch.waiting);
        for since in &waiting {
            self.counts.waits.record(now.saturating_sub(*since));
        }
        if !brought {
            self.counts.failed += 1;
            self.cache.give_up(&self.fetched(key, 1, &fetch));
        } else {
            self.counts.fetches.record(took);
            self.latencies.measured(key, took);
        }
        // These look the object up again. A request that a failed miss leaves behind asks anew, and counts anew.
        if brought || revalidates {
            fetch.echoes = waiting.len() as u64;
        }
        if let Some(tracked) = self.at(key) {
            tracked.echoes += fetch.echoes;
        } else if brought {
            fetch.took = Some(took);
            self.answered.push_back((key, fetch.began));
            self.fetches.insert(key, fetch);
            self.forget_old_answers();
        }
    }

    fn forget_old_answers(&mut self) {
        while self.answered.len() > MOST_ANSWERED
            && let Some((key, began)) = self.answered.pop_front()
        {
            if self.fetches.get(&key).is_some_and(|fetch| fetch.took.is_some() && fetch.began == began) {
                self.fetches.remove(&key);
            }
        }
    }

    /// A request finds its object in the storage. Returns whether the cache knew it.
    pub(crate) fn hit(&mut self, entry: &CacheEntryKey, size: u64) -> bool {
        let key = policy_key(entry.key());
        let now = self.now;
        if self.knows(key, entry.key()) {
            if let Some(tracked) = self.at(key) {
                tracked.last = now;
                if tracked.echoes > 0 {
                    tracked.echoes -= 1;
                    return true;
                }
            }
            self.counts.hits += 1;
            let size = self.cache.size_of(key).unwrap_or(size);
            self.request(key, size);
            return true;
        }
        if let Some(fetch) = self.fetches.get_mut(&key).filter(|fetch| fetch.took.is_some()) {
            // Its object is stored, and about to enter.
            if fetch.echoes > 0 {
                fetch.echoes -= 1;
                return false;
            }
            fetch.requests += 1;
            fetch.last = now;
        }
        self.counts.hits += 1;
        self.request(key, size.max(1));
        false
    }

    /// A stored object enters, or has another size or generation from now on. Returns what must leave the storage, which
    /// may be the object itself.
    pub(crate) fn admit(&mut self, entry: CacheEntryKey, size: u64) -> Vec<CacheEntryKey> {
        let key = policy_key(entry.key());
        if self.knows(key, entry.key()) {
            return self.replace(key, entry, size);
        }
        let mut gone = Vec::new();
        // Another object has the same key: one of the two must leave.
        if let Some((slot, other)) = self.cache.invalidate(key) {
            gone.extend(leave(&mut self.tracked, &mut self.counts, slot, other.size));
        }
        let fetch = self.fetches.remove(&key).filter(|fetch| fetch.took.is_some());
        let fetch = fetch.map(|fetch| self.until_now(fetch)).unwrap_or_else(|| {
            let now = self.now;
            let took = Some(self.latencies.of(key));
            Fetch { began: now, waiting: Vec::new(), requests: 1, last: now, took, echoes: 0 }
        });
        let new = self.fetched(key, size, &fetch);
        if size > self.largest {
            self.cache.give_up(&new);
            self.counts.refused += 1;
            gone.push(entry);
            return gone;
        }
        let Self { cache, tracked, counts, .. } = self;
        let admission = cache.admit(&new, |slot, left| gone.extend(leave(tracked, counts, slot, left.size)));
        match admission {
            Admission::Entered(slot) => {
                counts.admitted += 1;
                self.track(slot, Tracked { entry, last: fetch.last, echoes: fetch.echoes });
            }
            Admission::Refused | Admission::TooLarge => {
                counts.refused += 1;
                gone.push(entry);
            }
        }
        gone
    }

    fn replace(&mut self, key: u64, entry: CacheEntryKey, size: u64) -> Vec<CacheEntryKey> {
        let now = self.now;
        if let Some(tracked) = self.at(key) {
            tracked.entry = entry;
            tracked.last = now;
        }
        if self.cache.size_of(key) == Some(size) {
            return Vec::new();
        }
        if size > self.largest {
            let gone = self.take_out(key);
            self.counts.refused += 1;
            return gone.into_iter().collect();
        }
        self.cache.resize(key, size);
        let latency = self.latencies.of(key);
        let grown = Fetched { time: now, key, size, latency, last: now, waiting: 1, future: Future::NONE };
        let mut gone = Vec::new();
        let Self { cache, tracked, counts, .. } = self;
        cache.make_room(&grown, |slot, left| gone.extend(leave(tracked, counts, slot, left.size)));
        gone
    }

    /// A stored object grows.
    pub(crate) fn grow(&mut self, entry: &CacheEntryKey, by: u64, most: Option<u64>) -> Vec<CacheEntryKey> {
        let key = policy_key(entry.key());
        let before = if self.knows(key, entry.key()) { self.cache.size_of(key).unwrap_or(0) } else { 0 };
        let after = before.saturating_add(by);
        let after = most.map_or(after, |most| after.min(most)).max(before).max(1);
        self.admit(entry.clone(), after)
    }

    /// An answer that enters right after its fetch: the fetch lasted until now. If the body came long after the answer
    /// had begun, the fetch is as long as requests waited for it.
    fn until_now(&self, fetch: Fetch) -> Fetch {
        let whole = self.now.saturating_sub(fetch.began).max(1);
        let took = fetch.took.map(|took| if whole - whole.min(took) < whole / 16 { whole } else { took });
        Fetch { took, ..fetch }
    }

    /// The storage has removed an object.
    pub(crate) fn remove(&mut self, entry: CacheEntryKeyRef<'_>) {
        let key = policy_key(entry.key());
        if self.at(key).is_some_and(|tracked| CacheEntryKeyRef::from(&tracked.entry) == entry) {
            self.take_out(key);
            self.counts.invalidated += 1;
        }
    }

    fn take_out(&mut self, key: u64) -> Option<CacheEntryKey> {
        let (slot, _) = self.cache.invalidate(key)?;
        self.tracked[slot as usize].take().map(|tracked| tracked.entry)
    }

    /// Whether an object is in the cache.
    pub(crate) fn contains(&self, entry: &CacheEntryKey) -> bool {
        self.knows(policy_key(entry.key()), entry.key())
    }

    /// Takes over an object that the storage has kept from an earlier run. Returns whether there was room.
    pub(crate) fn restore(&mut self, saved: Saved) -> bool {
        let key = policy_key(saved.entry.key());
        if self.cache.find(key).is_some() || saved.size > self.largest || saved.size > self.cache.room() {
            return false;
        }
        self.request(key, saved.size);
        self.admit(saved.entry, saved.size).is_empty()
    }

    /// All objects, those that were requested last at the end.
    pub(crate) fn saved(&self) -> Vec<Saved> {
        let mut all: Vec<(u64, Saved)> = self
            .tracked
            .iter()
            .enumerate()
            .filter_map(|(slot, tracked)| {
                let tracked = tracked.as_ref()?;
                let slot = Slot::try_from(slot).ok()?;
                let saved = Saved { entry: tracked.entry.clone(), size: self.cache.entry(slot).size };
                Some((tracked.last, saved))
            })
            .collect();
        all.sort_by_key(|(last, _)| *last);
        all.into_iter().map(|(_, saved)| saved).collect()
    }

    /// The sum of the sizes of all objects.
    pub(crate) fn used(&self) -> u64 {
        self.cache.used()
    }

    /// The bytes for which there is room without an eviction.
    pub(crate) fn room(&self) -> u64 {
        self.cache.room()
    }

    /// The number of objects.
    pub(crate) fn len(&self) -> usize {
        self.cache.len()
    }

    /// The number of fetches without an answer.
    pub(crate) fn in_flight(&self) -> usize {
        self.fetches.len() - self.fetches.values().filter(|fetch| fetch.took.is_some()).count()
    }

    fn track(&mut self, slot: Slot, new: Tracked) {
        let slot = slot as usize;
        if self.tracked.len() <= slot {
            self.tracked.resize_with(slot + 1, || None);
        }
        self.tracked[slot] = Some(new);
    }

    fn at(&mut self, key: u64) -> Option<&mut Tracked> {
        let slot = self.cache.find(key)?;
        self.tracked[slot as usize].as_mut()
    }

    fn knows(&self, key: u64, whole: &CompactCacheKey) -> bool {
        let tracked = self.cache.find(key).and_then(|slot| self.tracked[slot as usize].as_ref());
        tracked.is_some_and(|tracked| tracked.entry.key() == whole)
    }

    fn request(&mut self, key: u64, size: u64) {
        let latency = self.latencies.of(key);
        self.cache.request(&Access { time: self.now, key, size, latency, future: Future::NONE });
    }

    fn fetched(&self, key: u64, size: u64, fetch: &Fetch) -> Fetched {
        let latency = fetch.took.unwrap_or_else(|| self.now.saturating_sub(fetch.began)).max(1);
        let Fetch { last, requests, .. } = *fetch;
        Fetched { time: self.now, key, size, latency, last, waiting: requests, future: Future::NONE }
    }
}

/// Counts an eviction, and returns what must leave the storage.
fn leave(tracked: &mut [Option<Tracked>], counts: &mut Counts, slot: Slot, size: u64) -> Option<CacheEntryKey> {
    counts.evicted(size);
    tracked[slot as usize].take().map(|tracked| tracked.entry)
}

#[cfg(test)]
mod tests;
