//! The description of a cache.

use crate::cache::LoadingCache;
use crate::error::BuildError;
use crate::hash::KeyedHash;
use crate::inner::Inner;
use crate::limit::Limit;
use crate::part::Part;
use crate::plan::Plan;
use crate::removed::Removal;
use crate::rules::Rules;
use crate::shard::Shard;
use forebay_cache::{Choice, ChoiceError, bounded};
use forebay_clock::{Clock, MonotonicClock, nanoseconds};
use forebay_core::Seed;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;
use std::time::Duration;

/// The policy if none is chosen.
const DEFAULT_POLICY: &str = "lru-mad(sample=64)";

/// Default number of shards, and the least number of entries that each then gets.
const DEFAULT_SHARDS: u64 = 8;
const ENTRIES_PER_SHARD: u64 = 256;
/// Number of the heaviest values for which a shard of a weighed cache has room by default.
const HEAVIEST_PER_SHARD: u64 = 8;

/// Maximum number of entries for which a shard makes room at the start by default. The second number is for entries
/// with weights, since the capacity then does not determine their number.
const MOST_EXPECTED: u64 = 1 << 16;
const MOST_EXPECTED_WEIGHED: u64 = 1 << 10;

/// A description of a cache, from which it is built.
#[must_use = "a cache comes of it when `build` is called"]
pub struct Builder<K, V, E> {
    capacity: u64,
    shards: Option<usize>,
    heaviest: Option<u64>,
    expected_entries: Option<u64>,
    policy: String,
    rules: Rules<K, V>,
    refresh_after: Option<f64>,
    clock: Option<Box<dyn Clock>>,
    seed: Option<u64>,
    cache: std::marker::PhantomData<fn() -> E>,
}

impl<K, V, E> Builder<K, V, E>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            shards: None,
            heaviest: None,
            expected_entries: None,
            policy: DEFAULT_POLICY.to_owned(),
            rules: Rules::none(),
            refresh_after: None,
            clock: None,
            seed: None,
            cache: std::marker::PhantomData,
        }
    }

    /// Sets the number of parts of the cache, each with a lock and an equal share of the capacity. A value heavier than
    /// the share is not kept.
    ///
    /// Default: 8, or fewer so that each has 256 entries at least. With a [`weigher`](Self::weigher) the default
    /// is 1, so that each value that fits the cache is kept; [`heaviest`](Self::heaviest) allows more.
    pub fn shards(mut self, shards: usize) -> Self {
        self.shards = Some(shards);
        self
    }

    /// Sets the policy that chooses victims, as on forebay's command line, for example `arc` or `lru-mad(sample=16)`. A
    /// MAD form has `counters=ghost` and `latency=corrected` by default: its memory is bounded, and it learns how long
    /// fetches take. Default: `lru-mad(sample=64)`,
    /// which weighs 64 entries drawn at random.
    pub fn policy(mut self, policy: impl Into<String>) -> Self {
        self.policy = policy.into();
        self
    }

    /// Sets the weight of an entry. The capacity is then the maximum sum of weights. A weight of 0 counts as 1. Called
    /// once for each value, with no lock held.
    pub fn weigher(mut self, weigher: impl Fn(&K, &V) -> u64 + Send + Sync + 'static) -> Self {
        self.rules.weigher = Some(Box::new(weigher));
        self
    }

    /// Sets the heaviest weight that a value will have. With it a weighed cache gets up to 8 shards by default, each
    /// with room for 8 such values at least, and `build` rejects shards too small for one. A heavier value may not be
    /// kept; `metrics().refused` counts those.
    pub fn heaviest(mut self, weight: u64) -> Self {
        self.heaviest = Some(weight.max(1));
        self
    }

    /// Sets the approximate number of entries, which weights leave open. Each shard makes room for its share at the
    /// start, and remembers as many evicted objects. Default: the capacity, but at most 65,536 per shard, or 1,024 if
    /// there is a weigher.
    pub fn expected_entries(mut self, entries: u64) -> Self {
        self.expected_entries = Some(entries);
        self
    }

    /// Sets how long a value is valid after it was fetched or inserted.
    pub fn time_to_live(self, time: Duration) -> Self {
        self.time_to_live_by(move |_, _| time)
    }

    /// Sets the time to live of each value by itself. Called once for each value, with no lock held.
    pub fn time_to_live_by(mut self, time: impl Fn(&K, &V) -> Duration + Send + Sync + 'static) -> Self {
        self.rules.time_to_live = Some(Box::new(time));
        self
    }

    /// Refreshes values ahead. After this share of its time to live (above 0, below 1), a value is still served. The next
    /// request that could fetch then begins a fetch of a newer one. Meanwhile other requests get the older value. The
    /// request that begins the fetch waits for it. With [`get_or_fetch_detached`](crate::LoadingCache::get_or_fetch_detached)
    /// it gets the older value at once, and the spawner runs the fetch. If the fetch fails, the older value stays and is the
    /// answer, and the next request tries again, after the time of [`error_time_to_live`](Self::error_time_to_live) if it
    /// is set. [`get`](crate::LoadingCache::get) never fetches. Needs a time to live.
    ///
    /// ```
    /// use forebay_loading::{LoadingCache, ManualClock};
    /// use std::time::Duration;
    ///
    /// let clock = ManualClock::default();
    /// let cache = LoadingCache::<u32, &str, String>::builder(100)
    ///     .time_to_live(Duration::from_secs(60))
    ///     .refresh_after(0.8)
    ///     .clock(clock.clone())
    ///     .build()?;
    /// cache.insert(1, "old");
    /// clock.advance(Duration::from_secs(50));
    /// assert_eq!(cache.get_or_load(1, || Err("no answer".into())).ok(), Some("old"));
    /// assert_eq!(cache.get_or_load(1, || Ok("new")).ok(), Some("new"));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    pub fn refresh_after(mut self, share: f64) -> Self {
        self.refresh_after = Some(share);
        self
    }

    /// Serves values for this time after their time to live while they are fetched anew (stale while revalidating, RFC
    /// 5861). The first request after the time to live begins the fetch, as with
    /// [`refresh_after`](Self::refresh_after); the others get the older value. If the fetch fails, the older value is the
    /// answer until this time is over. [`get`](crate::LoadingCache::get) does not return such values. Needs a time to live.
    pub fn serve_stale(mut self, time: Duration) -> Self {
        self.rules.stale_time = nanoseconds(time);
        self
    }

    /// Sets how long a value is valid after it was fetched, inserted or hit.
    pub fn time_to_idle(mut self, time: Duration) -> Self {
        self.rules.time_to_idle = nanoseconds(time);
        self
    }

    /// Ends a fetch with [`FetchError::TimedOut`](crate::FetchError::TimedOut) after this time. The next request begins
    /// a new fetch. `sleep` makes a future that ends after a time, such as `tokio::time::sleep`, so the cache needs no
    /// runtime. The time begins at the first poll of the fetch. Default: no limit.
    ///
    /// ```
    /// use forebay_loading::{FetchError, LoadingCache};
    /// use std::time::Duration;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// let cache = LoadingCache::<u32, u32, String>::builder(100)
    ///     .fetch_time_limit(Duration::from_millis(5), tokio::time::sleep)
    ///     .build()?;
    /// let answer = cache.get_or_fetch(1, std::future::pending).await;
    /// assert!(matches!(answer, Err(FetchError::TimedOut)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fetch_time_limit<S>(mut self, time: Duration, sleep: impl Fn(Duration) -> S + Send + Sync + 'static) -> Self
    where
        S: Future<Output = ()> + Send + 'static,
    {
        self.rules.fetch_limit = Some(Limit::new(time, sleep));
        self
    }

    /// Remembers for this time that a fetch failed, panicked or reached its time limit. A request for the key then gets the
    /// same error at once, so that an origin in trouble is not asked again and again. `metrics().remembered_errors` counts
    /// these requests. An insertion or invalidation of the key ends it. A shard remembers the latest errors only, at most
    /// about one for each eight entries that it expects. Default: no error is remembered.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    /// use std::time::Duration;
    ///
    /// let cache = LoadingCache::<u32, u32, String>::builder(100).error_time_to_live(Duration::from_secs(1)).build()?;
    /// assert!(cache.get_or_load(1, || Err("no answer".into())).is_err());
    /// assert!(cache.get_or_load(1, || Ok(2)).is_err());
    /// assert!(!cache.invalidate(&1));
    /// assert_eq!(cache.get_or_load(1, || Ok(2)).ok(), Some(2));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    pub fn error_time_to_live(mut self, time: Duration) -> Self {
        self.rules.error_time = nanoseconds(time);
        self
    }

    /// Sets a function that hears of each entry that leaves the cache, and why. It runs with no lock held, after the operation
    /// that removed the entry, on the thread of that operation. If it panics, the cache goes on.
    ///
    /// ```
    /// use forebay_loading::{LoadingCache, Removal};
    /// use std::sync::mpsc;
    ///
    /// let (send, left) = mpsc::channel();
    /// let cache = LoadingCache::<u32, &str>::builder(1)
    ///     .on_removal(move |&key, &value, removal| drop(send.send((key, value, removal))))
    ///     .build()?;
    /// cache.insert(1, "one");
    /// cache.insert(2, "two");
    /// assert_eq!(left.try_recv(), Ok((1, "one", Removal::Evicted)));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    pub fn on_removal(mut self, listener: impl Fn(&K, &V, Removal) + Send + Sync + 'static) -> Self {
        self.rules.on_removal = Some(Box::new(listener));
        self
    }

    /// Sets the clock. Default: the system's monotonic clock.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Box::new(clock));
        self
    }

    /// Sets the seed of the policy's random numbers and of the hash of keys. Without it, every cache has a different
    /// hash, so that nobody can choose keys that collide.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The least share of the capacity that a shard has by default.
    fn weight_per_shard(&self) -> u64 {
        match (&self.rules.weigher, self.heaviest) {
            (None, _) => ENTRIES_PER_SHARD,
            (Some(_), Some(heaviest)) => heaviest.saturating_mul(HEAVIEST_PER_SHARD),
            (Some(_), None) => self.capacity.max(1),
        }
    }

    /// The share of its time to live after which a value is fetched anew.
    fn refresh_share(&self) -> Result<f64, BuildError> {
        let has_time = self.rules.has_times_to_live();
        if self.rules.stale_time > 0 && !has_time {
            return Err(BuildError("`serve_stale` needs a time to live; set `time_to_live`".to_owned()));
        }
        match self.refresh_after {
            None => Ok(1.0),
            Some(_) if !has_time => {
                Err(BuildError("`refresh_after` needs a time to live; set `time_to_live`".to_owned()))
            }
            Some(share) if share > 0.0 && share < 1.0 => Ok(share),
            Some(share) => {
                Err(BuildError(format!("`refresh_after({share})` is no share of a time; take one above 0 and below 1")))
            }
        }
    }

    /// Builds the cache.
    ///
    /// # Errors
    /// If a shard would hold nothing, or if the policy is unknown, has a parameter that it
    /// does not take, or needs to know the future.
    pub fn build(self) -> Result<LoadingCache<K, V, E>, BuildError> {
        let seed = self.root();
        self.seeded(seed, KeyedHash::new(seed))
    }

    /// Builds the cache with a hash of keys of your own. A faster one than the default is worth its price where nobody can
    /// choose keys that collide.
    ///
    /// ```
    /// use forebay_loading::LoadingCache;
    /// use std::hash::RandomState;
    ///
    /// let cache = LoadingCache::<u32, u32>::builder(100).build_with_hasher(RandomState::new())?;
    /// cache.insert(1, 2);
    /// assert_eq!(cache.get(&1), Some(2));
    /// # Ok::<(), forebay_loading::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_with_hasher<S>(self, hasher: S) -> Result<LoadingCache<K, V, E, S>, BuildError>
    where
        S: BuildHasher + Send + Sync + 'static,
    {
        let seed = self.root();
        self.seeded(seed, hasher)
    }

    fn root(&self) -> Seed {
        Seed(self.seed.unwrap_or_else(|| RandomState::new().hash_one(0)))
    }

    fn seeded<S>(mut self, seed: Seed, hasher: S) -> Result<LoadingCache<K, V, E, S>, BuildError> {
        let choice: Choice = bounded(&self.policy)
            .and_then(|policy| policy.parse().map_err(|error: ChoiceError| error.to_string()))
            .map_err(BuildError)?;
        if choice.offline() {
            return Err(BuildError(format!("`{choice}` needs to know the future; choose a policy that does not")));
        }
        self.rules.refresh_share = self.refresh_share()?;
        let shards = match self.shards {
            Some(shards) => shards as u64,
            None => (self.capacity / self.weight_per_shard()).clamp(1, DEFAULT_SHARDS),
        };
        let most_expected = if self.rules.weigher.is_some() { MOST_EXPECTED_WEIGHED } else { MOST_EXPECTED };
        let expected = self.expected_entries;
        let plan = Plan { choice, shards, heaviest: self.heaviest, expected, most_expected, seed };
        plan.check(self.capacity)?;
        let shard = |index: u64| {
            let shape = plan.shape(self.capacity, index);
            Ok(Part::new(Shard::new(&shape, plan.policy(&shape)?, &self.rules)))
        };
        let inner = Inner {
            shards: (0..shards).map(shard).collect::<Result<_, _>>()?,
            rules: Arc::new(self.rules),
            plan,
            clock: self.clock.unwrap_or_else(|| Box::new(MonotonicClock::start())),
            hasher,
        };
        Ok(LoadingCache { inner: Arc::new(inner) })
    }
}
