//! Counts an offline policy on the accesses of a run.

use super::outcome::StateAccess;
use forebay_cache::future::futures;
use forebay_cache::{Choice, ChoiceError, StateCache, StateCacheSpec, StateCounts};
use forebay_core::{ParamError, Request};
use std::ops::Range;

/// Returns the counts of Belady's algorithm in `counted`. The algorithm handles all accesses up to the end of that range, at their times,
/// in a cache of the same shape.
///
/// No policy that fetches on demand has fewer misses if each fetch ends before the next access. If fetches take longer, states in flight
/// take no room in a cache. Belady's algorithm does not account for that, and is then only a good policy with perfect knowledge. Memory is
/// 40 bytes for each access while this function runs.
///
/// # Errors
/// If the numbers of entries and ways do not fit together.
pub fn belady_counts(
    accesses: &[StateAccess],
    counted: Range<usize>,
    cache: &StateCacheSpec,
) -> Result<StateCounts, ParamError> {
    let belady: Choice = "belady".parse().map_err(|wrong: ChoiceError| ParamError::of("policy", wrong))?;
    let requests: Vec<Request> =
        accesses.iter().map(|access| Request { time: access.time_ps, key: access.key, size: 1 }).collect();
    let futures = futures(&requests, |_| cache.latency);
    let mut cache = StateCache::new(cache, &belady)?;
    let mut before = StateCounts::default();
    for (number, (request, future)) in requests.iter().zip(&futures).enumerate().take(counted.end) {
        if number == counted.start {
            before = cache.counts();
        }
        cache.access(request.time, request.key, *future);
    }
    Ok(cache.counts().since(&before))
}
