//! A shard behind its lock.

use crate::noted::Noted;
use crate::shard::Shard;
use crate::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, read, write};
use forebay_clock::Clock;
use std::borrow::Borrow;

/// A shard. Hits share its lock; everything else takes it alone.
pub(crate) struct Part<K, V, E>
where
    K: Send + Sync,
    V: Send + Sync,
    E: Send + Sync,
{
    shard: RwLock<Shard<K, V, E>>,
    noted: Noted,
}

impl<K, V, E> Part<K, V, E>
where
    K: Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) fn new(shard: Shard<K, V, E>) -> Self {
        Self { shard: RwLock::new(shard), noted: Noted::new() }
    }

    /// The shard for changes at the time `now`. It knows of all hits before.
    pub(crate) fn write(&self, now: u64) -> RwLockWriteGuard<'_, Shard<K, V, E>> {
        let mut shard = write(&self.shard);
        self.noted.take(&mut shard, now);
        shard.advance(now);
        shard
    }

    /// The shard for changes at the last time that it knows.
    pub(crate) fn write_now(&self) -> RwLockWriteGuard<'_, Shard<K, V, E>> {
        self.write(0)
    }

    /// The shard to look at. It does not know of the latest hits.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Shard<K, V, E>> {
        read(&self.shard)
    }

    /// A lookup that changes nothing but the policy's knowledge of a hit. [`None`] also if the lookup needs the lock for
    /// writing: then [`Shard::hit`] knows.
    pub(crate) fn glance<Q: Eq + ?Sized>(&self, hash: u64, key: &Q, clock: &dyn Clock) -> Option<V>
    where
        K: Borrow<Q>,
        V: Clone,
    {
        let shard = self.read();
        let (slot, value) = shard.glance(hash, key, clock)?;
        self.noted.count();
        let is_full = !shard.mark(slot) && self.noted.push(slot);
        drop(shard);
        if is_full {
            drop(self.write(clock.nanoseconds()));
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Loaded, Rules};
    use forebay_cache::{Choice, Shape};
    use forebay_clock::ManualClock;
    use forebay_core::Seed;
    use std::sync::Arc;

    const KEY: u32 = 7;
    const HASH: u64 = 70;

    fn part(policy: &str) -> Part<u32, u32, ()> {
        let shape = Shape { capacity: 2, entries: 2, seed: Seed(1) };
        let policy = policy.parse::<Choice>().unwrap().shared_policy(&shape).unwrap();
        let time_to_idle = u64::MAX;
        let rules = Rules {
            weigher: None,
            time_to_live: None,
            time_to_idle,
            fetch_limit: None,
            error_time: 0,
            on_removal: None,
        };
        let part = Part::new(Shard::new(&shape, policy, &rules));
        let new = Loaded { value: Arc::new(1), weight: 1, time_to_live: u64::MAX };
        part.write(0).admit_inserted(HASH, &Arc::new(KEY), &new, &mut Vec::new());
        part
    }

    /// Two threads hit an entry while a third one takes the lock for writing, in every order.
    #[test]
    fn hits_side_by_side_are_counted_and_the_policy_hears_of_them() {
        for policy in ["lru", "sieve", "lru-mad(counters=cached)"] {
            loom::model(move || {
                let part = Arc::new(part(policy));
                let hit = || {
                    let part = Arc::clone(&part);
                    loom::thread::spawn(move || part.glance(HASH, &KEY, &ManualClock::default()))
                };
                let threads = [hit(), hit()];
                let earlier = part.write(5).counted.hits;
                assert!(earlier <= 2);
                for thread in threads {
                    assert_eq!(thread.join().unwrap(), Some(1));
                }
                let shard = part.write(9);
                assert_eq!((shard.counted.hits, shard.len()), (2, 1));
            });
        }
    }

    /// Nobody knows the times of hits between two changes.
    #[test]
    fn what_fills_the_notes_is_taken_at_once() {
        loom::model(|| {
            let part = part("lru");
            let clock = ManualClock::default();
            for _ in 0..10 {
                assert_eq!(part.glance(HASH, &KEY, &clock), Some(1));
            }
            assert_eq!(part.read().counted.hits, 8, "twice four were taken");
            assert_eq!(part.write(1).counted.hits, 10);
        });
    }
}
