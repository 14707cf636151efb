//! Prefetching: fetches that begin before a request asks (thesis 2.8 names it as further work).
//!
//! A [`Prefetcher`] chooses the objects to fetch; the model with delayed hits fetches those that are neither in the
//! cache nor in flight. Such a fetch takes its latency and its channel of the store as any other, and its object enters
//! as any other does. A request that finds it in flight is a delayed hit.

use crate::latency::Latencies;
use forebay_core::{About, Named, ParamError, Params, Request, Seed};
use std::sync::Arc;

/// Chooses objects that are fetched before they are requested.
pub trait Prefetcher: Send {
    /// A request, after its outcome. Adds the objects to fetch now to `wanted`, the most urgent first.
    fn request(&mut self, request: &Request, wanted: &mut Vec<u64>);

    /// The first tick at which it wants to fetch without a request, if there is one. It is not before the time of the
    /// last request.
    fn due(&self) -> Option<u64> {
        None
    }

    /// Called at the tick that [`due`](Self::due) returned; `due` returns another one afterwards.
    fn wake(&mut self, wanted: &mut Vec<u64>) {
        let _ = wanted;
    }

    /// Whether it knows future requests, so that it chooses victims ([`next`](Self::next)).
    fn knows(&self) -> bool {
        false
    }

    /// The tick at which an object is requested next, as far as that is known at `now`.
    fn next(&self, key: u64, now: u64) -> Option<u64> {
        let _ = (key, now);
        None
    }
}

/// One prefetcher in the registry.
pub struct PrefetchEntry {
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// How a person writes it, with the parameters that have no default.
    pub example: &'static str,
    /// Whether all requests must be known when it is made.
    pub offline: bool,
    /// How it is made.
    pub(crate) make: fn(&Params, &Known<'_>) -> Made,
}

/// A prefetcher, or the error in its parameters.
pub(crate) type Made = Result<Box<dyn Prefetcher>, ParamError>;

/// The facts that a prefetcher may use when it is made.
pub(crate) struct Known<'a> {
    /// All requests that are played, for one that knows the future; none for others.
    pub(crate) requests: &'a Arc<[Request]>,
    /// How long fetches are expected to take.
    pub(crate) latencies: &'a Latencies,
    /// The root of its random numbers.
    pub(crate) seed: Seed,
}

impl Named for PrefetchEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
