//! The storage of bodies and headers, in memory or in files. It keeps whole answers; the manager bounds it.

mod body;
mod disk;
mod files;
mod write;

pub(crate) use disk::Kept;

use crate::Manager;
use crate::failure::StartError;
use async_trait::async_trait;
use body::{Body, Hit};
use disk::Disk;
use forebay_core::convert;
use pingora_cache::eviction::{CacheEntryId, CacheEntryKey, EvictionManager};
use pingora_cache::key::CacheHashKey;
use pingora_cache::storage::{HitHandler, MissHandler, PurgeOutcome, PurgeTarget, PurgeType};
use pingora_cache::trace::SpanHandle;
use pingora_cache::{CacheKey, CacheMeta, Storage};
use pingora_core::Result;
use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use write::Write;

/// The bytes that an entry takes beside its body and headers, as the manager counts them: keys, places in tables.
const OVERHEAD: u64 = 512;

/// The room that is reserved at first for a body of unknown length.
const UNKNOWN: u64 = 1 << 16;

/// The number of parts, each with its own lock.
const PARTS: usize = 64;

/// Stores answers in memory, or in the files of a folder.
pub struct Store {
    parts: Vec<Mutex<HashMap<u128, Arc<Stored>>>>,
    disk: Option<Disk>,
    next: AtomicU64,
    /// The bytes that are reserved for answers on their way.
    reserved: AtomicU64,
    most_reserved: u64,
    largest: u64,
}

/// A stored answer.
struct Stored {
    entry: CacheEntryKey,
    /// The metadata of Pingora, and the header, both as Pingora writes them.
    meta: (Vec<u8>, Vec<u8>),
    body: Body,
}

impl Stored {
    fn id(&self) -> Option<CacheEntryId> {
        self.entry.entry_id()
    }

    fn size(&self) -> u64 {
        size(&self.meta, self.body.len())
    }
}

fn size(meta: &(Vec<u8>, Vec<u8>), body: u64) -> u64 {
    body + (meta.0.len() + meta.1.len()) as u64 + OVERHEAD
}

/// Room for an answer on its way. It is free again when this is dropped.
pub(crate) struct Reservation {
    store: &'static Store,
    bytes: u64,
}

impl Reservation {
    /// Makes room for a body that turns out to be this long. Returns whether there is any.
    pub(crate) fn cover(&mut self, length: u64) -> bool {
        if length <= self.bytes {
            return true;
        }
        if length > self.store.largest {
            return false;
        }
        // Twice as much as is needed now, so that this is seldom done.
        let more = (2 * length).min(self.store.largest) - self.bytes;
        self.bytes += more;
        self.store.reserved.fetch_add(more, Ordering::Relaxed).saturating_add(more) <= self.store.most_reserved
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.store.reserved.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Store {
    /// A store in memory, for answers of at most `largest` bytes. Answers on their way take at most `most_reserved`
    /// bytes more.
    #[must_use]
    pub fn in_memory(largest: u64, most_reserved: u64) -> Self {
        Self::with(None, 0, largest, most_reserved)
    }

    /// A store in the files of a folder, and the answers that an earlier run has left there.
    ///
    /// # Errors
    /// If the folder cannot be made or read, or another process uses it.
    pub(crate) fn in_folder(folder: &Path, largest: u64, most_reserved: u64) -> Result<(Self, Vec<Kept>), StartError> {
        let (disk, kept) = Disk::open(folder)?;
        let next =
            kept.iter().filter_map(|kept| kept.entry.entry_id()).map(CacheEntryId::get).max().map_or(0, |id| id + 1);
        Ok((Self::with(Some(disk), next, largest, most_reserved), kept))
    }

    fn with(disk: Option<Disk>, next: u64, largest: u64, most_reserved: u64) -> Self {
        let parts = (0..PARTS).map(|_| Mutex::new(HashMap::new())).collect();
        Self { parts, disk, next: AtomicU64::new(next), reserved: AtomicU64::new(0), most_reserved, largest }
    }

    /// Puts an answer back that an earlier run has left.
    pub(crate) fn put_back(&self, kept: Kept) {
        let key = u128::from_be_bytes(kept.entry.key().combined_bin());
        let stored = Stored { entry: kept.entry, meta: kept.meta, body: kept.body };
        self.part(key).insert(key, Arc::new(stored));
    }

    /// Removes the files of an answer for which there is no room.
    pub(crate) fn discard(&self, kept: &Kept) {
        if let Some(disk) = &self.disk {
            disk.remove_now(&kept.entry);
        }
    }

    /// Notes that the run ends in order, so that the next one may trust all files.
    pub(crate) fn close(&self) {
        if let Some(disk) = &self.disk {
            disk.close();
        }
    }

    /// Reserves room for an answer on its way whose body has this length. If the length is unknown, it begins with
    /// [`UNKNOWN`] and may [grow](Reservation::cover). [`None`] if there is no room.
    pub(crate) fn reserve(&'static self, length: Option<u64>) -> Option<Reservation> {
        let bytes = length.unwrap_or(UNKNOWN).min(self.largest);
        let before = self.reserved.fetch_add(bytes, Ordering::Relaxed);
        let reservation = Reservation { store: self, bytes };
        (before.saturating_add(bytes) <= self.most_reserved).then_some(reservation)
    }

    /// Removes everything. Returns how many answers there were.
    pub(crate) async fn clear(&self, manager: &Manager) -> usize {
        let mut gone = 0;
        for part in &self.parts {
            let all = std::mem::take(&mut *part.lock().unwrap_or_else(PoisonError::into_inner));
            gone += all.len();
            for stored in all.into_values() {
                manager.remove((&stored.entry).into());
                if let Some(disk) = &self.disk {
                    disk.remove(&stored.entry).await;
                }
            }
        }
        gone
    }

    /// The longest body that it keeps.
    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    fn part(&self, key: u128) -> MutexGuard<'_, HashMap<u128, Arc<Stored>>> {
        // The key is a hash: each of its bytes will do.
        let [byte, ..] = key.to_be_bytes();
        self.parts[usize::from(byte) % PARTS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: u128) -> Option<Arc<Stored>> {
        self.part(key).get(&key).cloned()
    }

    /// Removes an answer, if it is still this generation of it.
    fn take(&self, target: PurgeTarget<'_>) -> Option<Arc<Stored>> {
        let key = u128::from_be_bytes(target.key().combined_bin());
        let mut part = self.part(key);
        let stored = part.get(&key)?;
        let is_meant = match target {
            PurgeTarget::Active(_) => true,
            PurgeTarget::Exact(entry) => stored.entry == *entry,
        };
        is_meant.then(|| part.remove(&key)).flatten()
    }

    /// Gives an answer other metadata. Returns whether it is there.
    async fn change(&self, key: u128, meta: (Vec<u8>, Vec<u8>)) -> Result<bool> {
        let Some(before) = self.get(key) else { return Ok(false) };
        let changed = Arc::new(Stored { entry: before.entry.clone(), meta, body: before.body.clone() });
        if let Some(disk) = &self.disk {
            disk.write_meta(&changed.entry, &changed.meta, changed.body.len()).await?;
        }
        let mut part = self.part(key);
        let is_same = part.get(&key).is_some_and(|now| now.id() == changed.id());
        if is_same {
            part.insert(key, changed);
        }
        Ok(is_same)
    }
}

#[async_trait]
impl Storage for Store {
    async fn lookup(&'static self, key: &CacheKey, _: &SpanHandle) -> Result<Option<(CacheMeta, HitHandler)>> {
        let key = u128::from_be_bytes(key.combined_bin());
        let Some(stored) = self.get(key) else { return Ok(None) };
        let Some(body) = stored.body.open().await else {
            // Somebody removed the file.
            self.take(PurgeTarget::Exact(&stored.entry));
            return Ok(None);
        };
        let meta = CacheMeta::deserialize(&stored.meta.0, &stored.meta.1)?;
        let hit: HitHandler = Box::new(Hit::new(body, stored.body.len(), convert::index(stored.size()), stored.id()));
        Ok(Some((meta, hit)))
    }

    async fn get_miss_handler(&'static self, key: &CacheKey, meta: &CacheMeta, _: &SpanHandle) -> Result<MissHandler> {
        let id = CacheEntryId::new(self.next.fetch_add(1, Ordering::Relaxed));
        let entry = CacheEntryKey::identified(key.to_compact(), id);
        let write = Write::begin(self, entry, meta.serialize()?).await?;
        Ok(Box::new(write))
    }

    async fn purge(&'static self, target: PurgeTarget<'_>, _: PurgeType, _: &SpanHandle) -> Result<PurgeOutcome> {
        let Some(stored) = self.take(target) else { return Ok(PurgeOutcome::NotFound) };
        if let Some(disk) = &self.disk {
            disk.remove(&stored.entry).await;
        }
        Ok(PurgeOutcome::Purged(stored.id()))
    }

    async fn expire(&'static self, target: PurgeTarget<'_>, _: &SpanHandle) -> Result<PurgeOutcome> {
        let key = u128::from_be_bytes(target.key().combined_bin());
        let Some(stored) = self.get(key) else { return Ok(PurgeOutcome::NotFound) };
        let mut meta = CacheMeta::deserialize(&stored.meta.0, &stored.meta.1)?;
        meta.expire_at(SystemTime::now());
        let is_there = self.change(key, meta.serialize()?).await?;
        Ok(if is_there { PurgeOutcome::Expired } else { PurgeOutcome::NotFound })
    }

    async fn update_meta(&'static self, key: &CacheKey, meta: &CacheMeta, _: &SpanHandle) -> Result<bool> {
        self.change(u128::from_be_bytes(key.combined_bin()), meta.serialize()?).await
    }

    fn as_any(&self) -> &(dyn Any + Send + Sync + 'static) {
        self
    }
}
