//! A schedule: at which requests an object stays in the cache, and its simulation.
//!
//! The simulator knows nothing of visits, checkpoints and aggregate delays. It plays the
//! trace step by step from the requests themselves, with the semantics of the delayed-hit
//! model, so that it checks everything that upper bounds rest on.

use crate::model::RequestOutcome as Became;
use forebay_core::{Request, convert};
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// Of each request of the trace: whether the object stays until its next request, from the commit on if the request
/// misses, from the request on if it hits. The value for a delayed hit has no meaning: its miss decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// In order of the trace.
    pub stays: Vec<bool>,
}

/// A schedule needs more room than there is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at the end of step {time} the schedule keeps {occupied} in a cache of {capacity}")]
pub struct Overfull {
    /// The step.
    pub time: u64,
    /// The occupancy of the cache at its end; `u64::MAX` if it is more.
    pub occupied: u64,
    /// What fits.
    pub capacity: u64,
}

/// What became of the requests of a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScheduleOutcome {
    /// Requests that found their object.
    pub hits: u64,
    /// Requests that waited for a fetch already in flight.
    pub delayed_hits: u64,
    /// Requests that started a fetch.
    pub misses: u64,
    /// What all requests waited, in steps.
    pub latency: u64,
}

/// Plays a schedule. Requests that the schedule does not reach keep nothing. Times,
/// latencies and their sums must be such that a [`Problem`](crate::belatedly::Problem) takes them.
///
/// # Errors
/// [`Overfull`] at the first step at whose end the objects that stay do not fit.
pub fn simulate(
    requests: &[Request],
    capacity: u64,
    latency_of: impl Fn(&Request) -> u64,
    schedule: &Schedule,
) -> Result<ScheduleOutcome, Overfull> {
    simulate_each(requests, capacity, latency_of, schedule, |_, _| {})
}

/// The same; `watch` hears what became of each request, in the order of the trace.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_each(
    requests: &[Request],
    capacity: u64,
    latency_of: impl Fn(&Request) -> u64,
    schedule: &Schedule,
    mut watch: impl FnMut(&Request, Became),
) -> Result<ScheduleOutcome, Overfull> {
    let mut cached: HashMap<u64, u64> = HashMap::new();
    // Fetches in flight: when they complete, and whether the object is kept then.
    let mut under_way: HashMap<u64, (u64, bool)> = HashMap::new();
    let mut commits: BTreeMap<u64, Vec<Request>> = BTreeMap::new();
    // Sizes that do not fit may add up to more than a `u64` holds.
    let mut occupied = 0u128;
    let mut outcome = ScheduleOutcome::default();
    let mut position = 0;
    while position < requests.len() {
        let request_time = requests[position].time;
        let time = commits.first_key_value().map_or(request_time, |(&commit, _)| commit.min(request_time));
        while let Some(request) = requests.get(position).filter(|request| request.time == time) {
            let stays = schedule.stays.get(position).copied().unwrap_or(false);
            position += 1;
            let became = if let Some(&size) = cached.get(&request.key) {
                outcome.hits += 1;
                if !stays {
                    cached.remove(&request.key);
                    occupied -= u128::from(size);
                }
                Became::Hit(0)
            } else if let Some((completes, _)) = under_way.get(&request.key) {
                outcome.delayed_hits += 1;
                Became::DelayedHit(completes + 1 - time)
            } else {
                let waits = latency_of(request);
                outcome.misses += 1;
                under_way.insert(request.key, (time + waits - 1, stays));
                commits.entry(time + waits - 1).or_default().push(*request);
                Became::Miss(waits)
            };
            outcome.latency += became.latency();
            watch(request, became);
        }
        for request in commits.remove(&time).unwrap_or_default() {
            if let Some((_, true)) = under_way.remove(&request.key) {
                cached.insert(request.key, request.size);
                occupied += u128::from(request.size);
            }
        }
        if occupied > u128::from(capacity) {
            return Err(Overfull { time, occupied: convert::saturate(occupied), capacity });
        }
    }
    Ok(outcome)
}
