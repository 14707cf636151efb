//! The exact linear programme (thesis, section 2.4), if this program was built with it.

use crate::error::WrongValue;
use forebay_cache::latency::Latencies;
use forebay_core::Request;

/// Traces above this take HiGHS hours.
#[cfg(feature = "exact")]
const MOST_REQUESTS: usize = 50_000;

/// Returns the least total latency if objects could be cached in fractions, in ticks. It is below every schedule, and mostly equal to the
/// best.
#[cfg(feature = "exact")]
pub(super) fn programme(requests: &[Request], capacity: u64, latencies: &Latencies) -> Result<f64, WrongValue> {
    use forebay_cache::belatedly::{Problem, Schedules, exact};
    if requests.len() > MOST_REQUESTS {
        let message = "the linear programme is for traces of up to 50,000 requests; leave --exact out: the lower bound is within 0.1 % of \
                       its optimum";
        return Err(message.into());
    }
    let latency_of = |request: &Request| latencies.expected(request.key, request.size);
    let problem = Problem::with_latency_of(requests, capacity, latency_of).map_err(|error| error.to_string())?;
    let solved = exact(&problem, Schedules::Fractional).map_err(|error| error.to_string())?;
    Ok(solved.latency)
}

/// Returns an error that says how to get the linear programme.
#[cfg(not(feature = "exact"))]
pub(super) fn programme(_: &[Request], _: u64, _: &Latencies) -> Result<f64, WrongValue> {
    let message = "this forebay was built without HiGHS, which solves the programme; build it with cargo install --path \
                   crates/cli --features exact (needs cmake, a C++ compiler and libclang)";
    Err(message.into())
}
