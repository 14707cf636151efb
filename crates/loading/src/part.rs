//! A shard behind its lock.

use crate::noted::Noted;
use crate::shard::{Purpose, Shard};
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
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) fn new(shard: Shard<K, V, E>) -> Self {
        let noted = Noted::new(!shard.marks());
        Self { shard: RwLock::new(shard), noted }
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

    /// A lookup by the thread with this number that changes nothing but the policy's knowledge of a hit. [`None`] also if
    /// the lookup needs the lock for writing.
    #[inline]
    pub(crate) fn glance<Q: Eq + ?Sized>(
        &self,
        thread: usize,
        hash: u64,
        key: &Q,
        purpose: Purpose,
        clock: &dyn Clock,
    ) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let shard = self.read();
        let (slot, value) = shard.glance(hash, key, purpose, clock)?;
        self.noted.hit(thread, slot);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Loaded, Rules};
    use crate::thread_number::SHARED;
    use forebay_cache::{Choice, Shape};
    use forebay_clock::ManualClock;
    use forebay_core::Seed;
    use std::sync::Arc;

    const KEY: u32 = 7;
    const HASH: u64 = 70;

    fn part(policy: &str) -> Part<u32, u32, ()> {
        let shape = Shape { capacity: 2, entries: 2, seed: Seed(1) };
        let policy = policy.parse::<Choice>().unwrap().shared_policy(&shape).unwrap();
        let part = Part::new(Shard::new(&shape, policy, &Rules::none()));
        let new = Loaded { value: 1, weight: 1, time_to_live: u64::MAX };
        part.write(0).admit_inserted(HASH, KEY, new, &mut Vec::new());
        part
    }

    /// Two threads hit an entry while a third one takes the lock for writing, in every order. The threads have stripes of
    /// their own, or share one.
    #[test]
    fn hits_side_by_side_are_counted_and_the_policy_hears_of_them() {
        for policy in ["lru", "sieve", "lru-mad(counters=cached)"] {
            for numbers in [[0, 1], [2, 3], [1, SHARED]] {
                loom::model(move || {
                    let part = Arc::new(part(policy));
                    let hit = |number: usize| {
                        let part = Arc::clone(&part);
                        let hit = move || part.glance(number, HASH, &KEY, Purpose::Get, &ManualClock::default());
                        loom::thread::spawn(hit)
                    };
                    let threads = numbers.map(hit);
                    let earlier = part.write(5).counted.hits;
                    assert!(earlier <= 2);
                    for thread in threads {
                        assert_eq!(thread.join().unwrap(), Some(1));
                    }
                    let shard = part.write(9);
                    assert_eq!((shard.counted.hits, shard.counted.unnoted, shard.len()), (2, 0, 1));
                });
            }
        }
    }

    /// All hits are counted, and the policy hears of the latest.
    #[test]
    fn a_full_stripe_keeps_the_latest_hits() {
        loom::model(|| {
            let part = part("lru");
            let clock = ManualClock::default();
            for (number, key) in [(0, KEY), (0, KEY), (0, KEY), (0, KEY), (0, KEY), (0, KEY)] {
                assert_eq!(part.glance(number, HASH, &key, Purpose::Get, &clock), Some(1));
            }
            assert_eq!(part.read().counted.hits, 0, "none is taken by a reader");
            let shard = part.write(1);
            assert_eq!((shard.counted.hits, shard.counted.unnoted), (6, 2));
        });
    }
}
