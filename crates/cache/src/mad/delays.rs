//! The estimate of an object's aggregate delay from its past (thesis, algorithm 1).

use crate::access::Access;
use rustc_hash::FxHashMap;

/// Counters of every object that was ever requested.
#[derive(Debug, Clone, Default)]
pub(super) struct Delays {
    objects: FxHashMap<u64, Counters>,
}

/// As if every window had been a miss.
#[derive(Debug, Clone, Copy)]
struct Counters {
    windows: u64,
    cumulative: u64,
    start: u64,
}

impl Delays {
    /// A request: it opens a window of one latency, or waits for the rest of the open one.
    pub(super) fn request(&mut self, access: &Access) {
        let Access { time, key, latency, .. } = *access;
        let fresh = Counters { windows: 0, cumulative: 0, start: 0 };
        let counters = self.objects.entry(key).or_insert(fresh);
        let since = time - counters.start;
        if counters.windows == 0 || since >= latency {
            counters.windows += 1;
            counters.cumulative += latency;
            counters.start = time;
        } else {
            counters.cumulative += latency - since;
        }
    }

    /// The mean aggregate delay per window, in ticks.
    pub(super) fn of(&self, key: u64) -> f64 {
        self.objects.get(&key).map_or(1.0, |counters| counters.cumulative as f64 / counters.windows as f64)
    }
}
