//! The estimates of aggregate delays by themselves, to compare them with the true ones (thesis 2.5.2).

use super::MadDefaults;
use super::delays::{Counting, Delays};
use super::options::{Counters, Drawable, MadOptions, WindowLatency};
use crate::access::{Access, Future};
use forebay_core::{ParamError, Params, Request};
use rustc_hash::FxHashMap;

/// The estimates that a MAD form with these parameters makes of the aggregate delay of each object right after each
/// request for it, in ticks (thesis, algorithm 1). Fetches take `latency_of` ticks. No cache plays a part.
///
/// # Errors
/// If the parameters do not fit together, or the estimates depend on the content or fetches of a cache (`counters`,
/// `latency`).
pub(crate) fn delay_estimates(
    requests: &[Request],
    latency_of: impl Fn(&Request) -> u64,
    params: &Params,
    defaults: MadDefaults,
    drawable: Drawable,
) -> Result<Vec<f64>, ParamError> {
    let options = MadOptions::of(params, defaults, drawable)?;
    if options.counting.counters != Counters::Forever {
        let message = "estimates by themselves know no cache; leave `counters` out, or give counters=forever";
        return Err(ParamError::of("counters", message));
    }
    if options.latency != WindowLatency::Given {
        let message = "estimates by themselves measure no fetches; leave `latency` out, or give latency=given";
        return Err(ParamError::of("latency", message));
    }
    let counting = Counting::new(&options);
    let mut objects: FxHashMap<u64, Delays> = FxHashMap::default();
    let estimate = |request: &Request| {
        let Request { time, key, size } = *request;
        let delays = objects.entry(key).or_insert(Delays::NONE);
        counting.request(delays, &Access { time, key, size, latency: latency_of(request), future: Future::NONE });
        counting.aggregate_delay(delays)
    };
    Ok(requests.iter().map(estimate).collect())
}
