//! The public interface of the cache.

use crate::blocking::block_on;
use crate::builder::Builder;
use crate::entry::Entry;
use crate::error::{BoxError, FetchError};
use crate::hash::KeyedHash;
use crate::inner::{Begin, Inner};
use crate::metrics::Metrics;
use crate::request::{ByRef, Owned, RequestKey};
use crate::shard::Purpose;
use std::borrow::Borrow;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A cache that fetches the values that it does not have; `docs/loading-cache.md` has the rules.
///
/// A clone is cheap and shares the cache. `E` is the error of fetches, and `S` hashes the keys.
pub struct LoadingCache<K, V, E = BoxError, S = KeyedHash>
where
    K: Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) inner: Arc<Inner<K, V, E, S>>,
}

/// The future that a spawner gets. It keeps a fetch going until its end.
pub type Keeper = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<K, V, E> LoadingCache<K, V, E>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    /// Begins to describe a cache with this capacity in entries, or in weight if it gets a weigher.
    pub fn builder(capacity: u64) -> Builder<K, V, E> {
        Builder::new(capacity)
    }
}

impl<K, V, E, S> LoadingCache<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// The value of a key: the cached one, or that of the fetch in flight, or that of
    /// `fetch`, which is called and polled only if it is needed.
    ///
    /// The waiters poll the fetch. If this future is dropped, the other waiters for the key go on with the fetch. If
    /// there are none, the fetch is dropped.
    ///
    /// # Errors
    /// The error of the fetch. All waiters get it, and it is not cached.
    pub async fn get_or_fetch<F, Fut>(&self, key: K, fetch: F) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        self.load(Owned(key), fetch, None::<fn(Keeper)>).await
    }

    /// As [`get_or_fetch`](Self::get_or_fetch) for a borrowed key, such as a `&str` for keys of type `String`. The key is
    /// cloned only if the fetch begins.
    ///
    /// # Errors
    /// The error of the fetch. All waiters get it, and it is not cached.
    pub async fn get_or_fetch_by_ref<Q, F, Fut>(&self, key: &Q, fetch: F) -> Result<V, FetchError<E>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        self.load(ByRef(key), fetch, None::<fn(Keeper)>).await
    }

    /// Like [`get_or_fetch`](Self::get_or_fetch), but the fetch goes on when all its waiters are dropped. If this call
    /// begins the fetch, `spawn` gets a future that keeps it going.
    ///
    /// # Errors
    /// The error of the fetch. All waiters get it, and it is not cached.
    pub async fn get_or_fetch_detached<F, Fut>(
        &self,
        key: K,
        fetch: F,
        spawn: impl FnOnce(Keeper) + Send,
    ) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        self.load(Owned(key), fetch, Some(spawn)).await
    }

    async fn load<R, F, Fut>(
        &self,
        key: R,
        fetch: F,
        spawn: Option<impl FnOnce(Keeper) + Send>,
    ) -> Result<V, FetchError<E>>
    where
        R: RequestKey<K>,
        K: Borrow<R::Key>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        let hash = self.inner.hash(key.borrowed());
        match self.inner.glance(hash, key.borrowed(), Purpose::Load) {
            Some(value) => Ok(value),
            None => self.ask(hash, key, fetch, spawn).await,
        }
    }

    /// A request for a key that needs the shard's lock for itself alone.
    async fn ask<R, F, Fut>(
        &self,
        hash: u64,
        key: R,
        fetch: F,
        mut spawn: Option<impl FnOnce(Keeper) + Send>,
    ) -> Result<V, FetchError<E>>
    where
        R: RequestKey<K>,
        K: Borrow<R::Key>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        let since = self.inner.clock.nanoseconds();
        let mut call = Some((key, fetch));
        loop {
            let mut wait = match self.inner.begin(hash, &mut call, since, spawn.is_some())? {
                Begin::Hit(value) => return Ok(value),
                Begin::Wait(wait) => wait,
            };
            if let Some(spawn) = spawn.take_if(|_| wait.began) {
                let flight = &wait.waiter.flight;
                let keeper = self.inner.waiter(flight, flight.keep());
                spawn(Box::pin(async move {
                    keeper.await;
                }));
                if let Some(kept) = wait.kept.take() {
                    return Ok(kept.value);
                }
            }
            match wait.waiter.await {
                Some(Ok(loaded)) => return Ok(V::clone(&loaded.value)),
                Some(Err(error)) => {
                    let kept = wait.kept.and_then(|kept| self.inner.fall_back(hash, kept));
                    return kept.ok_or(error);
                }
                None => {}
            }
        }
    }

    /// The value of a key, if it is cached.
    #[must_use]
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = self.inner.hash(key);
        match self.inner.glance(hash, key, Purpose::Get) {
            Some(value) => Some(value),
            None => self.inner.get(hash, key),
        }
    }

    /// The entry of a key, for operations that depend on its present value.
    pub fn entry(&self, key: K) -> Entry<'_, K, V, E, S> {
        Entry { cache: self, key }
    }

    /// Caches a value. A fetch of the key in flight then changes nothing in the cache.
    pub fn insert(&self, key: K, value: V) {
        self.inner.insert(key, value);
    }

    /// Removes a key from the cache. Returns whether it was cached.
    ///
    /// A call of [`get_or_fetch`](Self::get_or_fetch) that begins after this gets a value whose fetch began after this.
    /// If a fetch is in flight, the call waits for its end and then fetches anew, so there are never two fetches of a
    /// key at a time.
    pub fn invalidate<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.inner.remove(key, |_| true, |_| ()).is_some()
    }

    /// As [`invalidate`](Self::invalidate), and returns the value if it was cached.
    pub fn remove<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.inner.remove(key, |_| true, V::clone)
    }

    /// Removes a key if `condition` holds for its value, and returns the value. If it does not hold, nothing changes, and a
    /// fetch in flight stays valid. `condition` runs with a shard locked, so it must not call the cache. A key that is not
    /// cached is invalidated as by [`invalidate`](Self::invalidate).
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    ///
    /// let cache = LoadingCache::<u32, &str>::builder(100).build()?;
    /// cache.insert(1, "new");
    /// assert_eq!(cache.remove_if(&1, |value| *value == "the one I saw"), None);
    /// assert_eq!(cache.remove_if(&1, |value| *value == "new"), Some("new"));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    pub fn remove_if<Q: Hash + Eq + ?Sized>(&self, key: &Q, condition: impl FnOnce(&V) -> bool) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.inner.remove(key, condition, V::clone)
    }

    /// As [`get_or_fetch`](Self::get_or_fetch) for threads: `load` runs on this thread if the key is neither cached nor being
    /// fetched; otherwise the thread sleeps until the fetch ends. Other threads and tasks that ask for the key meanwhile
    /// wait for the same fetch.
    ///
    /// An asynchronous task must not call this, since it blocks its thread.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    ///
    /// let cache = LoadingCache::<u32, String, std::io::Error>::builder(100).build()?;
    /// let file = || std::fs::read_to_string("/proc/version");
    /// let first = cache.get_or_load(1, file)?;
    /// assert_eq!(cache.get(&1), Some(first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of `load`. All waiters get it, and it is not cached.
    pub fn get_or_load<F>(&self, key: K, load: F) -> Result<V, FetchError<E>>
    where
        F: FnOnce() -> Result<V, E> + Send + 'static,
    {
        self.load_here(Owned(key), load)
    }

    /// As [`get_or_load`](Self::get_or_load) for a borrowed key, which is cloned only if `load` runs.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    ///
    /// let cache = LoadingCache::<String, usize, String>::builder(100).build()?;
    /// assert_eq!(cache.get_or_load_by_ref("/etc", || Ok(4)).ok(), Some(4));
    /// assert_eq!(cache.get_or_load_by_ref("/etc", || Err("not asked".into())).ok(), Some(4));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// The error of `load`. All waiters get it, and it is not cached.
    pub fn get_or_load_by_ref<Q, F>(&self, key: &Q, load: F) -> Result<V, FetchError<E>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
        F: FnOnce() -> Result<V, E> + Send + 'static,
    {
        self.load_here(ByRef(key), load)
    }

    fn load_here<R, F>(&self, key: R, load: F) -> Result<V, FetchError<E>>
    where
        R: RequestKey<K>,
        K: Borrow<R::Key>,
        F: FnOnce() -> Result<V, E> + Send + 'static,
    {
        let hash = self.inner.hash(key.borrowed());
        if let Some(value) = self.inner.glance(hash, key.borrowed(), Purpose::Load) {
            return Ok(value);
        }
        block_on(self.ask(hash, key, move || std::future::ready(load()), None::<fn(Keeper)>))
    }

    /// The value of a key, if it is cached. Neither the policy nor the counters hear of it, and it does not keep the entry
    /// from being idle.
    #[must_use]
    pub fn peek<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.inner.peek(key)
    }

    /// Aborts the fetch of a key. Each waiter gets [`FetchError::Aborted`], and the next request begins a new
    /// fetch. Returns whether a fetch was in flight. A cached value stays.
    ///
    /// The fetch is dropped before this returns, unless another thread polls the fetch at this moment; then it
    /// is dropped when that poll returns, and its outcome is ignored.
    ///
    /// ```
    /// use forebay_loading::{FetchError, LoadingCache};
    /// use std::task::{Context, Poll, Waker};
    ///
    /// let cache = LoadingCache::<u32, u32, String>::builder(100).build()?;
    /// let mut call = Box::pin(cache.get_or_fetch(1, std::future::pending));
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert!(call.as_mut().poll(&mut cx).is_pending());
    /// assert!(cache.abort(&1));
    /// assert!(matches!(call.as_mut().poll(&mut cx), Poll::Ready(Err(FetchError::Aborted))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn abort<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.inner.abort(key)
    }

    /// Announces that a key will be requested this long from now. An announced entry is not evicted while there is an
    /// entry that is not announced. If all are announced, the entry with the latest time is evicted. A value that is
    /// announced for a later time, or not at all, is then not cached, and `metrics().refused` counts it.
    ///
    /// An announcement ends with the first request from its time on. If no request arrives, it holds for as long again
    /// and is then forgotten. A second announcement of a key replaces the first. Nothing is fetched: to have the value
    /// in time, call [`get_or_fetch_detached`](Self::get_or_fetch_detached) or [`insert`](Self::insert); a request
    /// before the announced time does not end the announcement. Returns false, and keeps nothing, if the key's shard
    /// has two announcements for each entry that it expects.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    /// use std::time::Duration;
    ///
    /// let cache = LoadingCache::<u32, &str>::builder(1).policy("lru").build()?;
    /// cache.insert(1, "of a job that is scheduled");
    /// assert!(cache.announce(&1, Duration::from_secs(60)));
    /// cache.insert(2, "of any other");
    /// assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (true, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn announce<Q: Hash + Eq + ?Sized>(&self, key: &Q, within: Duration) -> bool
    where
        K: Borrow<Q>,
    {
        self.inner.announce(key, within)
    }

    /// Withdraws the announcement of a key. Returns whether there was one.
    pub fn take_back<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.inner.take_back(key)
    }

    /// The number of entries, including expired ones that no lookup has removed.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.inner.sum(|shard| shard.len() as u64)
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of the weights of all entries.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.inner.sum(crate::shard::Shard::weight)
    }

    /// The counters, all at one moment: this locks every shard.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.inner.metrics()
    }
}

impl<K, V, E, S> Clone for LoadingCache<K, V, E, S>
where
    K: Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<K, V, E, S> fmt::Debug for LoadingCache<K, V, E, S>
where
    K: Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadingCache").field("shards", &self.inner.shards.len()).finish_non_exhaustive()
    }
}
