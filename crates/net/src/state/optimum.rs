//! The fewest fetches that accesses need.

use super::node::StateAccess;
use forebay_cache::future::futures;
use forebay_cache::{Choice, Latency, Model, Setup, StateCacheSpec};
use forebay_core::{ParamError, Request};
use std::ops::Range;

/// How many of the accesses in `counted` need a fetch, with the fewest fetches of all: Belady's algorithm in the classical
/// model, with these sets, plays all accesses up to the end of `counted`.
///
/// No policy that fetches on demand needs fewer where a fetch ends before the next access. Where fetches take longer, what is
/// under way takes no room in a cache, and a policy can have fewer than this. Takes 40 bytes for each access while it works.
///
/// # Errors
/// If entries and ways do not fit together.
pub fn fewest_fetches(
    accesses: &[StateAccess],
    counted: Range<usize>,
    cache: &StateCacheSpec,
) -> Result<u64, ParamError> {
    let belady: Choice = "belady".parse().map_err(|message: String| ParamError::of("policy", message))?;
    let setup = Setup {
        model: Model::Classical,
        capacity: cache.entries,
        entries: usize::try_from(cache.entries).unwrap_or(usize::MAX),
        ways: cache.ways,
        latency: Latency::Constant(1),
        warmup: counted.start as u64,
        seed: cache.seed,
        observer: None,
    };
    let mut simulation = belady.simulation(setup)?;
    // The order is all that matters; each has a tick of its own.
    let requests: Vec<Request> =
        (0..).zip(accesses).map(|(time, access)| Request { time, key: access.key, size: 1 }).collect();
    let futures = futures(&requests, |_| 1);
    simulation.feed(&requests[..counted.end], &futures[..counted.end]);
    Ok(simulation.counts().misses)
}
