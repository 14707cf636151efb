//! Hits that threads note side by side, for a policy that must hear of them in order.

use crate::shard::Shard;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use forebay_cache::Slot;

/// Number of hits that a stripe remembers; a power of two. Few in loom's tests, which try every order.
const ROOM: usize = if cfg!(test) { 4 } else { 256 };
/// Number of stripes that a thread has for itself. All further threads, and a thread that ends, share one more.
const OWN: usize = if cfg!(test) { 2 } else { 4 };
const STRIPES: usize = OWN + 1;

/// Hits of a shard that its policy has not heard of yet.
///
/// They are written by threads that hold the shard's lock for reading, and taken by a thread that holds it for writing. So
/// nobody writes while they are taken, and the lock makes what was written visible: relaxed operations are enough.
///
/// A thread whose number is below [`OWN`] has a stripe for itself. It adds to it by a load and a store, which cost less
/// than one atomic addition. A stripe keeps the latest hits: when it is full, the next hit takes the place of the oldest.
/// The order of hits of different threads between two changes of the shard is lost. All hits are counted.
pub(crate) struct Noted {
    /// Whether the policy must hear of single hits.
    keeps: bool,
    stripes: [Stripe; STRIPES],
}

/// In a line of the processor's cache of its own.
#[repr(align(128))]
struct Stripe {
    /// All hits, also those that the policy need not hear of.
    hits: AtomicU64,
    /// All noted hits.
    next: AtomicUsize,
    slots: Box<[AtomicU32]>,
}

impl Noted {
    /// No hits. If `keeps` is false, hits are only counted.
    pub(crate) fn new(keeps: bool) -> Self {
        let stripe = |_| Stripe {
            hits: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            slots: (0..if keeps { ROOM } else { 0 }).map(|_| AtomicU32::new(0)).collect(),
        };
        Self { keeps, stripes: std::array::from_fn(stripe) }
    }

    /// Counts a hit of the entry at a slot by the thread with this number, and notes it if the policy must hear of it.
    #[inline]
    pub(crate) fn hit(&self, thread: usize, slot: Slot) {
        let stripe = &self.stripes[thread.min(OWN)];
        if thread < OWN {
            stripe.hits.store(stripe.hits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        } else {
            stripe.hits.fetch_add(1, Ordering::Relaxed);
        }
        if !self.keeps {
            return;
        }
        let at = if thread < OWN {
            let at = stripe.next.load(Ordering::Relaxed);
            stripe.next.store(at + 1, Ordering::Relaxed);
            at
        } else {
            stripe.next.fetch_add(1, Ordering::Relaxed)
        };
        if let Some(place) = stripe.slots.get(at % ROOM) {
            place.store(slot, Ordering::Relaxed);
        }
    }

    /// Takes all notes to the shard, whose lock for writing the caller holds. Their times are not known. They are taken to
    /// be evenly spread from the last time that the shard knows until `now`.
    pub(crate) fn take<K, V, E>(&self, shard: &mut Shard<K, V, E>, now: u64)
    where
        K: Eq + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
        E: Send + Sync + 'static,
    {
        let mut noted = [0; STRIPES];
        for (stripe, noted) in self.stripes.iter().zip(&mut noted) {
            // Most stripes are empty, and a look costs less than a change.
            let hits = stripe.hits.load(Ordering::Relaxed);
            if hits > 0 {
                shard.counted.hits += hits;
                stripe.hits.store(0, Ordering::Relaxed);
                *noted = stripe.next.load(Ordering::Relaxed);
                stripe.next.store(0, Ordering::Relaxed);
            }
        }
        let kept: usize = noted.iter().map(|&noted| noted.min(ROOM)).sum();
        if kept == 0 {
            return;
        }
        shard.counted.unnoted += (noted.iter().sum::<usize>() - kept) as u64;
        let since = shard.now();
        let part = now.saturating_sub(since) / (kept as u64 + 1);
        let mut time = since;
        for (stripe, noted) in self.stripes.iter().zip(noted) {
            // The oldest first.
            for at in noted.saturating_sub(ROOM)..noted {
                time = time.saturating_add(part);
                shard.was_hit(stripe.slots[at % ROOM].load(Ordering::Relaxed), time);
            }
        }
    }
}
