//! One key of a cache, for operations that depend on its present value.

use crate::cache::{Keeper, LoadingCache};
use crate::error::FetchError;
use std::hash::{BuildHasher, Hash};

/// One key of a cache; [`LoadingCache::entry`] gives it. It holds no lock, so other threads may change the entry until a
/// method is called. Each method is one step that no other thread can come between.
#[must_use = "an entry does nothing until one of its methods is called"]
pub struct Entry<'a, K, V, E, S>
where
    K: Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) cache: &'a LoadingCache<K, V, E, S>,
    pub(crate) key: K,
}

/// A value that did not enter since the condition did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotInserted<V> {
    /// The value that did not enter.
    pub value: V,
    /// The cached value, if there is one.
    pub present: Option<V>,
}

impl<K, V, E, S> Entry<'_, K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The cached value, as [`LoadingCache::get`].
    #[must_use]
    pub fn get(&self) -> Option<V> {
        self.cache.get(&self.key)
    }

    /// The cached value; if there is none, inserts this one and returns it. A fetch in flight then changes nothing in the
    /// cache. A value that is heavier than a shard is returned and not cached.
    pub fn or_insert(self, value: V) -> V {
        if let Some(present) = self.cache.get(&self.key) {
            return present;
        }
        let new = value.clone();
        let (present, _) = self.cache.inner.insert_if(self.key, value, |present| present.is_none());
        present.unwrap_or(new)
    }

    /// As [`LoadingCache::get_or_load`].
    ///
    /// # Errors
    /// The error of `load`.
    pub fn or_load<F>(self, load: F) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Result<V, E> + Send + 'static,
    {
        self.cache.get_or_load(self.key, load)
    }

    /// As [`LoadingCache::get_or_fetch`].
    ///
    /// # Errors
    /// The error of the fetch.
    pub async fn or_fetch<F, Fut>(self, fetch: F) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        self.cache.get_or_fetch(self.key, fetch).await
    }

    /// As [`LoadingCache::get_or_fetch_detached`].
    ///
    /// # Errors
    /// The error of the fetch.
    pub async fn or_fetch_detached<F, Fut>(
        self,
        fetch: F,
        spawn: impl FnOnce(Keeper) + Send,
    ) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        self.cache.get_or_fetch_detached(self.key, fetch, spawn).await
    }

    /// Inserts a value and returns the one that was cached.
    pub fn replace(self, value: V) -> Option<V> {
        self.cache.inner.insert_if(self.key, value, |_| true).0
    }

    /// Inserts a value if `condition` holds for the cached one, and returns that. `condition` runs with a shard locked, so
    /// it must not call the cache.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    ///
    /// let cache = LoadingCache::<&str, u32>::builder(100).build()?;
    /// let seen = cache.entry("visits").or_insert(1);
    /// let is_still_there = |present: Option<&u32>| present == Some(&seen);
    /// assert_eq!(cache.entry("visits").replace_if(seen + 1, is_still_there), Ok(Some(1)));
    /// assert!(cache.entry("visits").replace_if(seen + 1, is_still_there).is_err());
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the condition does not hold: the new value, and the cached one.
    pub fn replace_if(self, value: V, condition: impl FnOnce(Option<&V>) -> bool) -> Result<Option<V>, NotInserted<V>> {
        match self.cache.inner.insert_if(self.key, value, condition) {
            (before, None) => Ok(before),
            (present, Some(value)) => Err(NotInserted { value, present }),
        }
    }

    /// As [`LoadingCache::remove`].
    #[must_use]
    pub fn remove(self) -> Option<V> {
        self.cache.remove(&self.key)
    }
}
