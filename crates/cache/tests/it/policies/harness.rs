//! Plays a policy beside a model that says what a hit, a victim and an insertion are: with
//! sizes, requests that wait, and invalidations. For papers that print one procedure for a
//! whole request, victim included, there is `beside`.

use forebay_cache::{Access, Admission, Cache, Choice, Fetched, Future, Shape};
use forebay_core::Seed;
use rand::RngExt as _;
use std::collections::BTreeMap;

/// A policy as its paper describes it, with vectors of keys.
pub(crate) trait Paper {
    /// Whether `new` may enter.
    fn admits(&self, new: &Fetched) -> bool {
        let _ = new;
        true
    }
    /// The object is requested and in the cache.
    fn hit(&mut self, key: u64, access: &Access);
    /// Takes out who leaves for `new`; the key of `new` if it does not enter.
    fn evict(&mut self, new: &Fetched) -> u64;
    /// `new` comes in.
    fn insert(&mut self, new: &Fetched);
    /// The object was removed without being evicted.
    fn forget(&mut self, key: u64);
}

/// Where `key` is in a list.
pub(crate) fn place<T>(list: &[T], key: impl Fn(&T) -> u64, wanted: u64) -> Option<usize> {
    list.iter().position(|item| key(item) == wanted)
}

/// A fetch that is complete at `time`.
fn fetched(access: &Access, time: u64, waiting: u64) -> Fetched {
    let Access { key, size, latency, future, .. } = *access;
    let last = if waiting > 1 { time - 1 } else { access.time };
    Fetched { time, key, size, latency, last, waiting, future }
}

/// Random requests, with and without sizes, requests that wait, and invalidations: the
/// policy and its paper evict the same objects and hold the same objects.
pub(crate) fn agree<P: Paper>(policy: &str, paper: impl Fn(&Shape) -> P) {
    let choice: Choice = policy.parse().unwrap();
    for seed in 0..60 {
        let mut rng = Seed(seed).stream("test/policies");
        let (sized, waits, invalidates) = (seed % 3 == 2, seed % 2 == 1, seed % 5 > 2);
        let capacity = [1, 2, 3, 5, 10, 20, 40][rng.random_range(0..7)];
        let objects = rng.random_range(capacity..4 * capacity + 3);
        let shape = Shape { capacity, entries: 4, seed: Seed(seed) };
        let mut cache = Cache::new(&shape, choice.policy(&shape).unwrap());
        let mut paper = paper(&shape);
        let mut held = BTreeMap::new();
        let mut time = 0;
        let mut scan = objects;
        for step in 0..1_000 {
            let popular = rng.random_range(0..objects).min(rng.random_range(0..objects));
            let key = if rng.random_range(0..10) == 0 {
                scan += 1;
                scan
            } else {
                popular
            };
            let size = if sized { key * 7 % 5 + 1 } else { 1 };
            let said = format!("{policy}: seed {seed}, step {step}, capacity {capacity}, object {key}");
            if invalidates && rng.random_range(0..8) == 0 {
                let was_there = held.remove(&key).is_some();
                assert_eq!(cache.invalidate(key).is_some(), was_there, "{said}");
                if was_there {
                    paper.forget(key);
                }
                continue;
            }
            let latency = if waits { 20 } else { 1 };
            let access = Access { time, key, size, latency, future: Future::NONE };
            let hit = cache.request(&access).is_some();
            assert_eq!(hit, held.contains_key(&key), "{said}");
            time += rng.random_range(1..4);
            if hit {
                paper.hit(key, &access);
                continue;
            }
            let waiting = if waits { rng.random_range(1..7) } else { 1 };
            let end = access.time + latency;
            time = time.max(end);
            let new = fetched(&access, end, waiting);
            let mut left = Vec::new();
            let admission = cache.admit(&new, |_, entry| left.push(entry.key));
            if size > capacity {
                assert_eq!((admission, left.len()), (Admission::TooLarge, 0), "{said}");
                continue;
            }
            if !paper.admits(&new) {
                assert_eq!((admission, left.len()), (Admission::Refused, 0), "{said}");
                continue;
            }
            let mut expected = Vec::new();
            let mut enters = true;
            while enters && held.values().sum::<u64>() + size > capacity {
                let victim = paper.evict(&new);
                if victim == key {
                    enters = false;
                    continue;
                }
                assert!(held.remove(&victim).is_some(), "{said}: the model evicts what is not there: {victim}");
                expected.push(victim);
            }
            assert_eq!(left, expected, "{said}");
            assert_eq!(matches!(admission, Admission::Entered(_)), enters, "{said}: {admission:?}");
            if enters {
                paper.insert(&new);
                held.insert(key, size);
            }
        }
    }
}

/// Requests one tick after the other; `None` for a hit, otherwise who left, if anybody.
pub(crate) fn victims(policy: &str, capacity: u64, keys: &str) -> Vec<Option<String>> {
    let shape = Shape { capacity, entries: 4, seed: Seed(0) };
    let policy = policy.parse::<Choice>().unwrap().policy(&shape).unwrap();
    let mut cache = Cache::new(&shape, policy);
    let request = |(time, key): (u64, char)| {
        let access = Access { time, key: u64::from(key), size: 1, latency: 1, future: Future::NONE };
        if cache.request(&access).is_some() {
            return None;
        }
        let mut left = String::new();
        let name = |key: u64| char::from_u32(u32::try_from(key).unwrap()).unwrap();
        cache.admit(&fetched(&access, time + 1, 1), |_, entry| left.push(name(entry.key)));
        Some(left)
    };
    (0..).zip(keys.chars()).map(request).collect()
}
