//! The limits of the lowest latency: for `forebay bound`, and next to the policies of `forebay cache --bound`.

use crate::error::{UserError, WrongValue};
use crate::requests::RequestTrace;
use forebay_cache::Latency;
use forebay_cache::belatedly::{BoundError, BoundOptions, Bounds, Problem, Progress, bound};
use forebay_cache::latency::Latencies;
use forebay_core::{Request, Seed};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::Path;

/// The proven limits of the lowest total latency.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// The number of requests in the trace.
    pub requests: u64,
    /// The lower bound in ticks: no schedule has a lower total latency.
    pub lower: u64,
    /// The upper bound in ticks: the total latency of a simulated schedule.
    pub upper: u64,
    /// (upper - lower) / upper.
    pub gap: f64,
    /// The lower bound per request, in ticks.
    pub lower_mean_latency: f64,
    /// The upper bound per request, in ticks.
    pub upper_mean_latency: f64,
    /// The number of hits under the schedule.
    pub hits: u64,
    /// The number of requests that wait for the rest of a fetch.
    pub delayed_hits: u64,
    /// The number of requests that begin a fetch.
    pub misses: u64,
    /// The number of steps of the search.
    pub iterations: u32,
}

/// A lower bound: no cache has a lower latency on the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LowerBound(pub(crate) Limits);

/// The best schedule that the search has found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BestSchedule(pub(crate) Limits);

/// A policy's latency, and the limits on the same requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BesideBound {
    /// The policy's mean latency; [`None`] if it has none.
    pub(crate) mean_latency: Option<f64>,
    /// The limits; [`None`] if there was no search.
    pub(crate) limits: Option<Limits>,
}

impl Limits {
    /// Returns the amount by which a mean latency is above the lower bound, as a share of the bound; `None` if the bound is 0.
    pub fn above_lower(&self, mean: f64) -> Option<f64> {
        above(mean, self.lower_mean_latency)
    }

    /// Returns the least and the greatest amount by which a mean latency can be above the optimum, as shares of the optimum.
    pub fn above_optimum(&self, mean: f64) -> Option<(f64, f64)> {
        Some((above(mean, self.upper_mean_latency)?.max(0.0), above(mean, self.lower_mean_latency)?))
    }
}

fn above(mean: f64, reference: f64) -> Option<f64> {
    (reference > 0.0).then(|| mean / reference - 1.0)
}

impl From<Bounds> for Limits {
    fn from(found: Bounds) -> Self {
        let mean = |total: u64| total as f64 / found.requests.max(1) as f64;
        Self {
            requests: found.requests as u64,
            lower: found.lower,
            upper: found.upper,
            gap: found.gap(),
            lower_mean_latency: mean(found.lower),
            upper_mean_latency: mean(found.upper),
            hits: found.outcome.hits,
            delayed_hits: found.outcome.delayed_hits,
            misses: found.outcome.misses,
            iterations: found.iterations,
        }
    }
}

/// The conditions under which a search ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// The gap at which the search ends, as a share.
    pub(super) gap: f64,
    /// The number of steps after which the search ends.
    pub(super) iterations: u32,
}

impl Effort {
    /// Returns the effort that needs about `seconds` seconds of CPU time for a trace of `requests` requests. The number of steps is decided
    /// before the search and not by a clock, so that the result does not depend on the machine.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(super) fn within(seconds: f64, requests: usize) -> Self {
        let steps = seconds * REQUESTS_PER_SECOND / requests.max(1) as f64;
        Self { gap: ENOUGH, iterations: (steps as u32).clamp(FEWEST_STEPS, MOST_STEPS) }
    }
}

/// The number of requests that a core processes in a second, over all steps and the work around them; measured on a server of 2020.
const REQUESTS_PER_SECOND: f64 = 2e7;
/// With fewer steps, the bounds are useless.
const FEWEST_STEPS: u32 = 40;
/// More do little.
const MOST_STEPS: u32 = 600;
/// A gap that no decision depends on.
const ENOUGH: f64 = 0.001;

/// The work of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    /// The conditions under which it ends.
    pub(super) effort: Effort,
    /// The number of threads that share a long trace.
    pub(super) threads: usize,
    /// Whether it keeps what proves the lower bound.
    pub(super) proves: bool,
}

/// Writes a certificate of the lower bound. Returns false if the search was stopped before it found anything.
pub(super) fn write_certificate(
    path: &Path,
    requests: &[Request],
    (capacity, sized): (u64, bool),
    latencies: &Latencies,
    found: &Bounds,
) -> Result<bool, UserError> {
    let Some(proof) = &found.proof else { return Ok(false) };
    let failed = |error: std::io::Error| UserError::io(path, "written", &error);
    let file = BufWriter::new(File::create(path).map_err(failed)?);
    let sizes = if sized { "bytes" } else { "unit" };
    let latency_of = |request: &Request| latencies.expected(request.key, request.size);
    proof.write(file, requests, (capacity, sizes), latency_of, found.lower).map_err(failed)?;
    Ok(true)
}

/// Searches for the bounds. `goes_on` is called with the progress at every step.
pub(super) fn bounds(
    requests: &[Request],
    capacity: u64,
    latencies: &Latencies,
    Work { effort, threads, proves }: Work,
    mut goes_on: impl FnMut(&Progress) -> bool,
) -> Result<Bounds, BoundError> {
    let options =
        BoundOptions { iterations: effort.iterations, gap: effort.gap, threads, proves, ..BoundOptions::default() };
    let watch = |now: &Progress| {
        if goes_on(now) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    bound(requests, capacity, |request| latencies.expected(request.key, request.size), &options, watch)
}

/// Describes the progress of a search for people.
pub(super) fn progress_text(now: &Progress) -> String {
    if now.upper == u64::MAX && now.windows > 0 {
        return format!("window {} of {}", (now.window + 1).min(now.windows), now.windows);
    }
    if now.upper == u64::MAX {
        return "preparing".to_owned();
    }
    format!("lower {:.6e}, upper {:.6e}, gap {:.3} %", now.lower, now.upper as f64, now.gap() * 100.0)
}

/// Returns the latency of each object's fetches, which a bound needs beforehand.
pub(super) fn known(latency: &Latency, seed: Seed) -> Result<Latencies, WrongValue> {
    if !matches!(latency, Latency::Constant(_) | Latency::Origins(_) | Latency::PerObject(..)) {
        return Err("a bound needs fixed latencies; write one latency, or origins(...)".into());
    }
    latency.prepare(seed).map_err(|error| error.to_string().into())
}

/// Rejects a trace that has no bounds, before the search starts.
pub(super) fn check(
    trace: &RequestTrace,
    requests: &[Request],
    latencies: &Latencies,
    goes_on: &dyn Fn() -> bool,
) -> Result<(), UserError> {
    let goes_on = || if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    Problem::check(requests, |request| latencies.expected(request.key, request.size), goes_on)
        .map_err(|error| UserError::at(trace.place(), error.to_string()))
}
