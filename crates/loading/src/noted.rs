//! Hits that threads note side by side, for a policy that must hear of them in order.

use crate::shard::Shard;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::thread_number::thread_number;
use forebay_cache::Slot;

/// Number of hits that a stripe notes before somebody must take the lock for writing. Few in loom's tests, which try every
/// order.
const ROOM: usize = if cfg!(test) { 4 } else { 64 };
/// Number of stripes: of so many threads, each has one for itself.
const STRIPES: usize = if cfg!(test) { 2 } else { 4 };

/// Hits of a shard that its policy has not heard of yet.
///
/// They are written by threads that hold the shard's lock for reading, and taken by a thread that holds it for writing. So
/// nobody writes while they are taken, and the lock makes what was written visible: relaxed operations are enough.
///
/// Threads write to different stripes, so that they do not take lines of the processor's cache from each other. The order of
/// hits of different threads between two changes of the shard is lost.
pub(crate) struct Noted {
    stripes: [Stripe; STRIPES],
}

/// In a line of the processor's cache of its own.
#[repr(align(128))]
struct Stripe {
    /// All hits, also those that the policy need not hear of.
    hits: AtomicU64,
    next: AtomicUsize,
    slots: [AtomicU32; ROOM],
}

impl Noted {
    pub(crate) fn new() -> Self {
        let stripe = |_| Stripe {
            hits: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            slots: std::array::from_fn(|_| AtomicU32::new(0)),
        };
        Self { stripes: std::array::from_fn(stripe) }
    }

    fn stripe(&self) -> &Stripe {
        &self.stripes[thread_number() % STRIPES]
    }

    /// Counts a hit.
    pub(crate) fn count(&self) {
        self.stripe().hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a hit of the entry at a slot. Returns true if there is room for no other one; notes are lost until they are
    /// taken.
    pub(crate) fn push(&self, slot: Slot) -> bool {
        let stripe = self.stripe();
        let at = stripe.next.fetch_add(1, Ordering::Relaxed);
        if let Some(place) = stripe.slots.get(at) {
            place.store(slot, Ordering::Relaxed);
        }
        at + 1 == ROOM
    }

    /// Takes all notes to the shard, whose lock for writing the caller holds. Their times are not known. They are taken to
    /// be evenly spread from the last time that the shard knows until `now`.
    pub(crate) fn take<K, V, E>(&self, shard: &mut Shard<K, V, E>, now: u64)
    where
        K: Eq + Send + Sync + 'static,
        V: Send + Sync + 'static,
        E: Send + Sync + 'static,
    {
        let mut noted = [0; STRIPES];
        for (stripe, noted) in self.stripes.iter().zip(&mut noted) {
            // Most stripes are empty, and a look costs less than an exchange.
            if stripe.hits.load(Ordering::Relaxed) > 0 {
                shard.counted.hits += stripe.hits.swap(0, Ordering::Relaxed);
                *noted = stripe.next.swap(0, Ordering::Relaxed).min(ROOM);
            }
        }
        let since = shard.now();
        let part = now.saturating_sub(since) / (noted.iter().sum::<usize>() as u64 + 1);
        let mut time = since;
        for (stripe, noted) in self.stripes.iter().zip(noted) {
            for slot in &stripe.slots[..noted] {
                time = time.saturating_add(part);
                shard.was_hit(slot.load(Ordering::Relaxed), time);
            }
        }
    }
}
