//! The operations on all entries of a cache.

use crate::cache::LoadingCache;
use crate::error::{BoxError, BuildError, RestoreError};
use std::hash::{BuildHasher, Hash};
use std::time::Duration;

impl<K, V, E, S> LoadingCache<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// Removes the entries for which `keep` returns false, and returns their number. `keep` runs with a shard locked, so it
    /// must not call the cache. Values of fetches in flight are not cached: `keep` might not have kept them.
    pub fn retain(&self, keep: impl FnMut(&K, &V) -> bool) -> u64 {
        self.inner.retain(keep)
    }

    /// All entries that are not expired, in no order that means anything. The iterator copies one shard
    /// after the other, each at one moment. As [`peek`](Self::peek), this changes nothing.
    pub fn iter(&self) -> impl Iterator<Item = (K, V)> + '_
    where
        K: Clone,
    {
        (0..).map_while(|shard| self.inner.entries_of(shard)).flatten()
    }

    /// Removes all keys from the cache, shard by shard.
    pub fn invalidate_all(&self) {
        self.inner.invalidate_all();
    }

    /// Changes the capacity. If it is smaller, entries leave as the policy chooses. The number of shards stays as it is.
    /// FIFO, LRU, CLOCK, SIEVE, S3-FIFO and their MAD and TinyLFU forms keep what they know. Another policy begins anew with
    /// the entries that stay.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    ///
    /// let cache = LoadingCache::<u32, u32>::builder(100).policy("lru").shards(1).build()?;
    /// (0..100).for_each(|key| cache.insert(key, key));
    /// cache.set_capacity(10)?;
    /// assert_eq!((cache.len(), cache.get(&89), cache.get(&90)), (10, None, Some(90)));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::build`](crate::Builder::build). Then the capacity is as it was.
    pub fn set_capacity(&self, capacity: u64) -> Result<(), BuildError> {
        self.inner.set_capacity(capacity)
    }

    /// The entries as bytes, for [`restore`](Self::restore): keys, values, times, recorded hits, measured latencies, and the
    /// order in which the policy would evict them. `encode` appends a key and its value to the bytes, in a format of your
    /// own, for example by serde. It runs with a shard locked, so it must not call the cache. An entry above 4 GiB is left
    /// out. The source of this method describes the format.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    /// use std::time::Duration;
    ///
    /// let cache = LoadingCache::<u32, String>::builder(100).build()?;
    /// cache.insert(1, "one".to_owned());
    /// let bytes = cache.snapshot(|key, value, out| {
    ///     out.extend(key.to_le_bytes());
    ///     out.extend(value.as_bytes());
    /// });
    ///
    /// let other = LoadingCache::<u32, String>::builder(100).build()?;
    /// let restored = other.restore(&bytes, Duration::ZERO, |entry| {
    ///     let (key, value) = entry.split_first_chunk().ok_or("no key")?;
    ///     Ok((u32::from_le_bytes(*key), String::from_utf8(value.to_vec())?))
    /// })?;
    /// assert_eq!((restored, other.get(&1).as_deref()), (1, Some("one")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self, encode: impl FnMut(&K, &V, &mut Vec<u8>)) -> Vec<u8> {
        self.inner.snapshot(encode)
    }

    /// Inserts the entries of a snapshot that was taken this long ago, and returns their number. Entries whose time is over
    /// are left out, and so are keys that are cached or in flight, since these are newer. The cache may have another
    /// capacity, another number of shards and another policy.
    ///
    /// With one shard, the same policy and the same capacity, FIFO, LRU and CLOCK evict in the same order as before. SIEVE
    /// keeps its order from the hand on, and the hand is then at the back. S3-FIFO keeps the order and the hits, but
    /// assigns the queues anew and forgets its ghosts. MAD forms keep the measured latencies and forget the counted delays.
    /// All other policies get the entries in no particular order.
    ///
    /// # Errors
    /// If the bytes are damaged or no snapshot, or `decode` fails. Then nothing is inserted.
    pub fn restore(
        &self,
        bytes: &[u8],
        age: Duration,
        decode: impl FnMut(&[u8]) -> Result<(K, V), BoxError>,
    ) -> Result<u64, RestoreError> {
        self.inner.restore(bytes, age, decode)
    }

    /// Removes expired entries and returns their number. Without this call, an expired entry is removed by a lookup, or
    /// when its room is needed. Walks through all entries.
    pub fn purge_expired(&self) -> u64 {
        self.inner.purge_expired()
    }
}
