//! Values enter a shard.

use super::{BoxedPolicy, Shard, Tag};
use crate::flight::Asked;
use crate::removed::{Garbage, Removal};
use crate::rules::Loaded;
use crate::slots::Times;
use crate::stored::Stored;
use forebay_cache::{Access, CachePolicy as _, Entry, Fetched, Future, Slot};

impl<K, V, E> Shard<K, V, E>
where
    K: Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    /// Ends a fetch that brought a value, after these requests. If the key is cached, the value takes the place of the
    /// older one.
    pub(crate) fn admit_fetched(
        &mut self,
        tag: &Tag,
        key: K,
        new: Loaded<V>,
        asked: Asked,
        garbage: &mut Garbage<K, V>,
    ) {
        let latency = self.now.saturating_sub(tag.began).max(1);
        self.latencies.measured(tag.hash, latency);
        let slots = self.cache.table();
        let same = slots.get(tag.hash, &key).map(|(slot, _)| slot).filter(|&slot| slots.weight(slot) == new.weight);
        match same {
            Some(slot) => self.renew(slot, key, new, garbage),
            None => self.admit(tag.hash, key, new, latency, asked, garbage),
        }
    }

    /// Ends a fetch that brought nothing for the cache, after these requests.
    pub(crate) fn give_up(&mut self, tag: &Tag, asked: Asked) {
        let latency = self.latencies.of(tag.hash);
        self.cache.give_up(&fetched(self.now, tag.hash, 1, latency, asked));
    }

    /// A fetch failed. If its key is cached all the same, the next fetch begins when the failure is forgotten.
    pub(crate) fn put_off<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        let slots = self.cache.table();
        if let Some((slot, _)) = slots.get(hash, key) {
            slots.refresh_from(slot, self.now.saturating_add(self.error_time));
        }
    }

    /// Inserts a value that no request asked for.
    pub(crate) fn admit_inserted(&mut self, hash: u64, key: K, new: Loaded<V>, garbage: &mut Garbage<K, V>) {
        // The insertion counts as a request, so that the policy knows the object.
        self.tell(hash, new.weight);
        let latency = self.latencies.of(hash);
        self.admit(hash, key, new, latency, Asked { requests: 1, last: self.now }, garbage);
    }

    /// The times of a value that is new now.
    fn times(&self, time_to_live: u64) -> Times {
        let after = |time: u64| self.now.saturating_add(time);
        // Multiplied as a float, the time of a value that lives for ever stays for ever.
        let refresh = if time_to_live == u64::MAX { u64::MAX } else { share_of(time_to_live, self.refresh_share) };
        Times { expires: after(time_to_live), refresh: after(refresh), idle: after(self.time_to_idle) }
    }

    /// The entry at a slot gets a newer value of the same weight.
    fn renew(&mut self, slot: Slot, key: K, new: Loaded<V>, garbage: &mut Garbage<K, V>) {
        let times = self.times(new.time_to_live);
        let slots = self.cache.table_mut();
        slots.set_times(slot, times);
        if let Some(stored) = slots.at_mut(slot) {
            let value = std::mem::replace(&mut stored.value, new.value);
            garbage.push((Stored { hash: stored.hash, key, value }, Some(Removal::Replaced)));
            self.counted.replacements += 1;
        }
    }

    fn admit(&mut self, hash: u64, key: K, new: Loaded<V>, latency: u64, asked: Asked, garbage: &mut Garbage<K, V>) {
        // The cached entry is older, or belongs to another key with the same hash. One of the two must be removed.
        self.replace(hash, garbage);
        let times = self.times(new.time_to_live);
        let Self { cache, counted, announced, now, .. } = self;
        announced.pass(*now);
        let new_entry = fetched(*now, hash, new.weight, latency, asked);
        let evicted = |_: Slot, _: &Entry, stored: Stored<K, V>| {
            counted.evictions += 1;
            garbage.push((stored, Some(Removal::Evicted)));
        };
        let item = Stored::new(hash, key, new.value);
        let entered = match announced.len() {
            0 => cache.admit_item(&new_entry, item, evicted),
            _ => cache.admit_item_knowing(&new_entry, item, |hash| announced.when(hash), evicted),
        };
        match entered {
            Ok(slot) => cache.table_mut().set_times(slot, times),
            Err((_, item)) => {
                counted.refused += 1;
                garbage.push((item, None));
            }
        }
    }

    /// Changes the capacity. Entries leave if the others do not fit.
    pub(crate) fn set_capacity<X>(
        &mut self,
        capacity: u64,
        make: impl FnOnce() -> Result<BoxedPolicy, X>,
        garbage: &mut Garbage<K, V>,
    ) -> Result<(), X> {
        let Self { cache, counted, now, .. } = self;
        cache.set_capacity(capacity, *now, make, |_, _, stored| {
            counted.evictions += 1;
            garbage.push((stored, Some(Removal::Evicted)));
        })
    }

    /// The entries in the order in which the policy would evict them, without those that are over: their times, recorded
    /// hits and measured latencies.
    pub(crate) fn saved(&self, now: u64) -> impl Iterator<Item = (&Stored<K, V>, Times, u8, u64)> {
        let now = self.now.max(now);
        let slots = self.cache.table();
        let there = self.cache.order().into_iter().filter(move |&slot| !slots.is_over(slot, now));
        there.filter_map(move |slot| {
            let stored = slots.at(slot)?;
            let latency = self.latencies.known(stored.hash.get()).unwrap_or(0);
            Some((stored, slots.times(slot), self.cache.policy().recorded_hits(slot), latency))
        })
    }

    /// An entry enters from a snapshot, with its recorded hits and its measured latency. Its times are from now on.
    /// Returns whether it entered.
    pub(crate) fn restore(
        &mut self,
        hash: u64,
        key: K,
        new: Loaded<V>,
        saved: &Saved,
        garbage: &mut Garbage<K, V>,
    ) -> bool {
        if saved.latency > 0 {
            self.latencies.measured(hash, saved.latency);
        }
        let weight = new.weight;
        self.admit_inserted(hash, key, new, garbage);
        let Some(slot) = self.cache.find(hash) else { return false };
        let after = |left: u64| self.now.saturating_add(left);
        let times = Times { expires: after(saved.expires), refresh: after(saved.refresh), idle: after(saved.idle) };
        self.cache.table_mut().set_times(slot, times);
        for _ in 0..saved.hits {
            let access =
                Access { time: self.now, key: hash, size: weight, latency: saved.latency, future: Future::NONE };
            self.cache.request_at(slot, &access);
        }
        true
    }
}

/// What a snapshot says of an entry beside its key and value; times in nanoseconds that are left, `u64::MAX` for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) expires: u64,
    pub(crate) refresh: u64,
    pub(crate) idle: u64,
    pub(crate) hits: u8,
    /// 0 if it is not known.
    pub(crate) latency: u64,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn share_of(time: u64, share: f64) -> u64 {
    if share >= 1.0 { time } else { (time as f64 * share) as u64 }
}

fn fetched(time: u64, key: u64, size: u64, latency: u64, asked: Asked) -> Fetched {
    Fetched { time, key, size, latency, last: asked.last, waiting: asked.requests, future: Future::NONE }
}
