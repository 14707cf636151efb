//! What an offline policy makes of the accesses of a run.

use super::outcome::StateAccess;
use forebay_cache::future::futures;
use forebay_cache::{Choice, ChoiceError, StateCache, StateCacheSpec, StateCounts};
use forebay_core::{ParamError, Request};
use std::ops::Range;

/// What Belady's algorithm counts in `counted` when it plays all accesses up to the end of that, in a cache like this one and
/// at the times when they were.
///
/// No policy that fetches on demand has fewer misses where each fetch ends before the next access. Where fetches take longer,
/// what is under way takes no room in a cache, and Belady's algorithm, which does not count on that, is only a good
/// policy with perfect knowledge. Takes 40 bytes for each access while it works.
///
/// # Errors
/// If entries and ways do not fit together.
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
