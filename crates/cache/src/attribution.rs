//! Who waits: the latency of each object, and what another policy changes.

use crate::model::{Observer, RequestOutcome};
use forebay_core::{Burstiness, Request};
use rustc_hash::FxHashMap;

/// Adds up the latency of every object. Memory O(objects).
#[derive(Debug, Clone, Default)]
pub struct PerObject {
    objects: FxHashMap<u64, Object>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Object {
    latency: u64,
    requests: Burstiness,
}

impl Observer for PerObject {
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        let object = self.objects.entry(request.key).or_default();
        object.latency = object.latency.saturating_add(outcome.latency());
        object.requests.event(request.time);
    }
}

/// What one object gains or loses when another policy is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Which object.
    pub key: u64,
    /// How often it was requested.
    pub requests: u64,
    /// How bursty its requests are ([`Burstiness::score`]).
    pub burstiness: Option<f64>,
    /// The sum of its latencies before, in ticks.
    pub before: u64,
    /// And after.
    pub after: u64,
}

impl Change {
    /// By how much its latency falls, in ticks; below 0 if it rises.
    #[must_use]
    pub fn gain(&self) -> i128 {
        i128::from(self.before) - i128::from(self.after)
    }
}

/// What one object waited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectLatency {
    /// Which object.
    pub key: u64,
    /// How often it was requested.
    pub requests: u64,
    /// How bursty its requests are ([`Burstiness::score`]).
    pub burstiness: Option<f64>,
    /// The sum of its latencies, in ticks.
    pub latency: u64,
}

/// What changes for each object if `after` is taken instead, which saw the same requests: greatest gain first, equal ones by key.
#[must_use]
pub fn changes(before: &[ObjectLatency], after: &[ObjectLatency]) -> Vec<Change> {
    let after: FxHashMap<u64, u64> = after.iter().map(|object| (object.key, object.latency)).collect();
    let change = |object: &ObjectLatency| Change {
        key: object.key,
        requests: object.requests,
        burstiness: object.burstiness,
        before: object.latency,
        after: after.get(&object.key).copied().unwrap_or(0),
    };
    let mut changes: Vec<_> = before.iter().map(change).collect();
    changes.sort_unstable_by_key(|change| (-change.gain(), change.key));
    changes
}

impl PerObject {
    /// What each object waited, by key.
    #[must_use]
    pub fn latencies(&self) -> Vec<ObjectLatency> {
        let latency = |(&key, object): (&u64, &Object)| ObjectLatency {
            key,
            requests: object.requests.events(),
            burstiness: object.requests.score(),
            latency: object.latency,
        };
        let mut objects: Vec<_> = self.objects.iter().map(latency).collect();
        objects.sort_unstable_by_key(|object| object.key);
        objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_come_first_and_losses_last() {
        let watch = |latencies: [(u64, u64); 4]| {
            let mut objects = PerObject::default();
            for (time, (key, latency)) in (0..).zip(latencies) {
                objects.outcome(&Request { time, key, size: 1 }, RequestOutcome::Miss(latency));
            }
            objects
        };
        let before = watch([(1, 5), (2, 7), (1, 5), (3, 1)]);
        let after = watch([(1, 9), (2, 0), (1, 9), (3, 1)]);
        let changes = changes(&before.latencies(), &after.latencies());
        let changes: Vec<_> = changes.iter().map(|change| (change.key, change.gain())).collect();
        assert_eq!(changes, [(2, 7), (3, 0), (1, -8)]);
    }
}
