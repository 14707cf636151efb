//! The eviction manager and key lock that a Pingora service uses.

use crate::counts::Counts;
use crate::decisions::{Decisions, Saved, policy_key};
use crate::failure::StartError;
use async_trait::async_trait;
use forebay_cache::{Cache, Choice, ChoiceError, Shape, bounded};
use forebay_clock::{Clock, MonotonicClock};
use forebay_core::{Seed, convert};
use pingora_cache::CacheKey;
use pingora_cache::eviction::{CacheEntryKey, CacheEntryKeyRef, EvictionManager};
use pingora_cache::lock::{CacheKeyLock, CacheLock, LockStatus, Locked, WritePermit};
use pingora_core::{Error, ErrorType, OrErr, Result};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// The file in which [`Manager`] saves its objects.
const FILE: &str = "forebay-objects.json";

/// The assumed mean size of an object, in bytes, from which the room for tables at the start follows.
const MEAN_SIZE: u64 = 1 << 14;
/// Maximum number of entries for which tables are made at the start.
const MOST_EXPECTED: u64 = 1 << 20;

/// Decides which objects a Pingora service keeps, by any policy of forebay, and measures the fetches that it decides by.
///
/// It is an [`EvictionManager`] and a [`CacheKeyLock`] at once. The lock sees when a fetch begins and ends, and which
/// requests wait for it. So the policy gets the true latency of each fetch, and the true number of delayed hits.
/// A service that gives Pingora both has latency-aware eviction:
///
/// ```
/// # fn enable(session: &mut pingora_proxy::Session, storage: &'static (dyn pingora_cache::Storage + Sync)) {
/// use std::sync::LazyLock;
/// static MANAGER: LazyLock<forebay_proxy::Manager> =
///     LazyLock::new(|| forebay_proxy::Manager::new("lru-mad(sample=64)", 1 << 30).expect("a known policy"));
/// session.cache.enable(storage, Some(&*MANAGER), None, Some(&*MANAGER), None);
/// # }
/// ```
///
/// Requests that waited look the object up again when it is there. They count once, as delayed hits. A request whose
/// fetch failed and that asks again counts again.
pub struct Manager {
    decisions: Mutex<Decisions>,
    lock: CacheLock,
    clock: Box<dyn Clock>,
}

impl Manager {
    /// A manager of a cache of `capacity` bytes under a policy, by the names of forebay's command line.
    ///
    /// # Errors
    /// If there is no such policy, it needs the future, or its parameters do not fit together.
    pub fn new(policy: &str, capacity: u64) -> std::result::Result<Self, StartError> {
        Self::with(policy, capacity, capacity, Duration::from_secs(60), Box::new(MonotonicClock::start()))
    }

    /// The same, for objects of at most `largest` bytes. If a fetch takes longer than `lock_age`, another request may
    /// begin a new one.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with(
        policy: &str,
        capacity: u64,
        largest: u64,
        lock_age: Duration,
        clock: Box<dyn Clock>,
    ) -> std::result::Result<Self, StartError> {
        let choice: Choice = bounded(policy)
            .and_then(|policy| policy.parse().map_err(|error: ChoiceError| error.to_string()))
            .map_err(StartError::Policy)?;
        if choice.offline() {
            return Err(StartError::Policy(format!(
                "`{policy}` needs to know the future; choose a policy that does not, for example `lru-mad(sample=64)`"
            )));
        }
        let entries = convert::index((capacity / MEAN_SIZE).clamp(64, MOST_EXPECTED));
        let shape = Shape { capacity, entries, seed: Seed(1) };
        let policy = choice.shared_policy(&shape).map_err(|error| StartError::Policy(error.to_string()))?;
        let decisions = Decisions::new(Cache::new(&shape, policy), entries, largest);
        Ok(Self { decisions: Mutex::new(decisions), lock: CacheLock::new(lock_age), clock })
    }

    /// What it has counted since the start.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.decide().counts.clone()
    }

    /// The number of fetches that have no answer yet.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.decide().in_flight()
    }

    /// Takes over objects that the storage has kept from an earlier run, those that were requested last at the end.
    /// Returns those for which there is no room.
    pub(crate) fn restore(&self, objects: impl Iterator<Item = (CacheEntryKey, u64)>) -> Vec<CacheEntryKey> {
        let mut decisions = self.decide();
        let saved = objects.map(|(entry, size)| Saved { entry, size });
        saved
            .filter_map(|saved| {
                let entry = saved.entry.clone();
                (!decisions.restore(saved)).then_some(entry)
            })
            .collect()
    }

    /// The bytes for which there is room without an eviction.
    pub(crate) fn room(&self) -> u64 {
        self.decide().room()
    }

    /// The objects that [`save`](EvictionManager::save) has written into a folder, those requested last at the end. None
    /// if there is no such file, or it is of another version.
    pub(crate) fn saved_order(folder: &Path) -> Vec<CacheEntryKey> {
        let saved = std::fs::read(folder.join(FILE)).ok().and_then(|json| serde_json::from_slice(&json).ok());
        let saved: Vec<Saved> = saved.unwrap_or_default();
        saved.into_iter().map(|saved| saved.entry).collect()
    }

    fn decide(&self) -> MutexGuard<'_, Decisions> {
        let now = self.clock.nanoseconds();
        let mut decisions = self.decisions.lock().unwrap_or_else(PoisonError::into_inner);
        decisions.advance(now);
        decisions
    }
}

impl CacheKeyLock for Manager {
    fn lock(&self, key: &CacheKey, stale_writer: bool) -> Locked {
        let id = policy_key(key);
        // Both under one lock, so that the policy hears of a fetch before it hears of who waits for it.
        let mut decisions = self.decide();
        let locked = self.lock.lock(key, stale_writer);
        match &locked {
            Locked::Write(_) => decisions.begin(id, stale_writer),
            Locked::Read(_) => decisions.wait(id, stale_writer),
        }
        locked
    }

    fn release(&self, key: &CacheKey, permit: WritePermit, reason: LockStatus) {
        let brought = reason == LockStatus::Done;
        let mut decisions = self.decide();
        // A fetch that took too long has been replaced by another, if somebody wanted the object.
        if permit.lock_status() != LockStatus::AgeTimeout {
            decisions.end(policy_key(key), permit.stale_writer(), brought);
        }
        self.lock.release(key, permit, reason);
    }
}

#[async_trait]
impl EvictionManager for Manager {
    fn total_size(&self) -> usize {
        convert::index(self.decide().used())
    }

    fn total_items(&self) -> usize {
        self.decide().len()
    }

    fn evicted_size(&self) -> usize {
        convert::index(self.decide().counts.evicted_bytes)
    }

    fn evicted_items(&self) -> usize {
        convert::index(self.decide().counts.evictions)
    }

    fn admit(&self, item: CacheEntryKey, size: usize, _fresh_until: SystemTime) -> Vec<CacheEntryKey> {
        self.decide().admit(item, size.max(1) as u64)
    }

    fn increment_weight(&self, item: &CacheEntryKey, delta: usize, most: Option<usize>) -> Vec<CacheEntryKey> {
        self.decide().grow(item, delta as u64, most.map(|most| most as u64))
    }

    fn remove(&self, item: CacheEntryKeyRef<'_>) {
        self.decide().remove(item);
    }

    fn access(&self, item: &CacheEntryKey, size: usize, _fresh_until: SystemTime) -> bool {
        self.decide().hit(item, size as u64)
    }

    fn peek(&self, item: &CacheEntryKey) -> bool {
        self.decide().contains(item)
    }

    /// Saves which objects are there, in the order of their last requests. Counts and other knowledge of the policy
    /// are not saved.
    async fn save(&self, folder: &str) -> Result<()> {
        let saved = self.decide().saved();
        let json = serde_json::to_vec(&saved).or_err(ErrorType::InternalError, "objects as JSON")?;
        let file = Path::new(folder).join(FILE);
        let part = Path::new(folder).join(format!("{FILE}.part"));
        tokio::fs::create_dir_all(folder).await.or_err(ErrorType::FileCreateError, "folder for the cache's objects")?;
        tokio::fs::write(&part, json).await.or_err(ErrorType::FileWriteError, "list of the cache's objects")?;
        tokio::fs::rename(&part, &file).await.or_err(ErrorType::FileWriteError, "list of the cache's objects")
    }

    async fn load(&self, folder: &str) -> Result<()> {
        let file = Path::new(folder).join(FILE);
        let json = tokio::fs::read(&file).await.or_err(ErrorType::FileReadError, "list of the cache's objects")?;
        let saved: Vec<Saved> = serde_json::from_slice(&json).map_err(|error| {
            Error::explain(
                ErrorType::FileReadError,
                format!("{}: {error}; remove the file to start empty", file.display()),
            )
        })?;
        let without_room = self.restore(saved.into_iter().map(|saved| (saved.entry, saved.size)));
        if !without_room.is_empty() {
            log::warn!("{} stored objects do not fit the cache", without_room.len());
        }
        Ok(())
    }
}
