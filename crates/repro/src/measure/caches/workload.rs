//! The beginning of a request trace in memory, for measures that play no scenario.

use super::Experiment;
use forebay::Observer;
use forebay::caching::Reading;
use forebay::error::Result;
use forebay::requests::RequestTrace;
use forebay_core::{Request, Seed};
use forebay_traces::requests::{Collector, Statistics};

/// Requests, each object one entry.
pub(crate) struct Workload {
    pub(crate) requests: Vec<Request>,
    pub(crate) statistics: Statistics,
}

/// The first requests of a trace that an experiment may name: a file, or a recipe of the folder above.
///
/// # Errors
/// If there is no such trace, or it cannot be read.
pub(crate) fn load(
    experiment: &Experiment,
    trace: &str,
    requests: u64,
    seed: Seed,
    observer: &dyn Observer,
) -> Result<Workload> {
    let trace = RequestTrace::beside(trace, None, experiment)?.with_seed(seed.0).first(requests);
    let mut reading = Reading::open(&trace, false)?;
    let requests = reading.rest(&|| observer.goes_on())?;
    let mut collector = Collector::default();
    collector.add(&requests);
    Ok(Workload { statistics: collector.finish(reading.facts()), requests })
}
