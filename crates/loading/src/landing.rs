//! The end of a fetch, and what the cache makes of its outcome.

use crate::error::FetchError;
use crate::flight::{Ended, Flight, Host};
use crate::inner::Inner;
use crate::quiet::quietly;
use crate::removed::Removed;
use crate::rules::Loaded;
use crate::shard::{FetchOutcome, Loading};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

impl<K, V, E, S> Host<Loading<K, V, E>> for Arc<Inner<K, V, E, S>>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    fn landed(
        &self,
        flight: &Flight<Loading<K, V, E>>,
        outcome: FetchOutcome<V, E>,
    ) -> Option<Ended<Loading<K, V, E>>> {
        let now = self.clock.nanoseconds();
        let tag = flight.tag();
        // The waiters get one value, and the cache another. If a clone panics, nothing is cached.
        let mut own = None;
        if let Ok(new) = &outcome {
            let Loaded { weight, time_to_live, .. } = *new;
            quietly(|| own = Some(Loaded { value: V::clone(&new.value), weight, time_to_live }));
        }
        let mut removed = Removed::new(&self.rules);
        let ended;
        let _failure;
        let landed;
        let mut key;
        let mut shard = self.part(tag.hash).write(now);
        landed = shard.touch_down(flight);
        // The fetch was dropped, so nobody else has the key.
        key = landed.and_then(|landed| Arc::into_inner(landed.key));
        ended = flight.end(Some(outcome.clone()))?;
        shard.counted.delayed_hits -= ended.asking_again;
        shard.record(&ended.roles);
        match &outcome {
            Ok(_) if !ended.stale => {
                let load = shard.now().saturating_sub(tag.began);
                shard.counted.loads.record(load);
                match (key.take(), own.take()) {
                    (Some(key), Some(new)) => shard.admit_fetched(tag, key, new, ended.asked, &mut removed.entries),
                    _ => {
                        shard.counted.refused += 1;
                        shard.give_up(tag, ended.asked);
                    }
                }
            }
            Ok(_) => {
                shard.counted.outdated += 1;
                shard.give_up(tag, ended.asked);
            }
            Err(error) => {
                shard.counted.fetch_errors += 1;
                match error {
                    FetchError::Panicked(_) => shard.counted.panics += 1,
                    FetchError::TimedOut => shard.counted.timed_out += 1,
                    FetchError::Aborted => shard.counted.aborted += 1,
                    FetchError::Failed(_) | FetchError::Cycle => {}
                }
                if !ended.stale && !matches!(error, FetchError::Aborted | FetchError::Cycle) {
                    if let Some(key) = &key {
                        shard.put_off(tag.hash, key);
                    }
                    if let Some(key) = key.take_if(|_| self.rules.error_time > 0) {
                        let now = shard.now();
                        _failure = shard.failures.remember(tag.hash, key, error, now);
                    }
                }
                shard.give_up(tag, ended.asked);
            }
        }
        drop(shard);
        Some(ended)
    }

    fn cancelled(&self, flight: &Flight<Loading<K, V, E>>) -> Option<Ended<Loading<K, V, E>>> {
        let ended;
        let _landed;
        let mut shard = self.part(flight.tag().hash).write_now();
        _landed = shard.touch_down(flight);
        ended = flight.end(None)?;
        shard.counted.cancelled += 1;
        shard.give_up(flight.tag(), ended.asked);
        drop(shard);
        Some(ended)
    }
}
