//! The population to which shares of a trace refer: a pass over the trace before it is played.

use super::reading::Reading;
use crate::error::Result;
use crate::requests::RequestTrace;
use forebay_core::Request;
use forebay_traces::requests::Collector;

/// The totals to which shares of a trace refer, in entries or bytes.
#[derive(Debug, Clone, Copy)]
pub struct Population {
    /// The total of all objects.
    pub objects: u64,
    /// The greatest total of objects that were active at one time; `None` if it was not counted, because it is not needed or sizes count.
    pub active: Option<u64>,
}

/// The findings of a pass over the trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub objects: u64,
    pub population: Population,
}

/// Makes a pass over the trace; `also` sees every request.
pub(super) fn seen(
    trace: &RequestTrace,
    sized: bool,
    goes_on: &dyn Fn() -> bool,
    mut also: impl FnMut(&Request),
) -> Result<Seen> {
    let mut reading = Reading::open(trace, sized)?;
    let mut collector = Collector::default();
    let mut chunk = Vec::new();
    let mut more = true;
    while more && goes_on() {
        chunk.clear();
        more = reading.fill(&mut chunk)?;
        collector.add(&chunk);
        chunk.iter().for_each(&mut also);
    }
    let statistics = collector.finish(reading.facts());
    let bytes = statistics.size_bytes.filter(|_| sized).map(|sizes| sizes.all_objects);
    let active = (!sized).then_some(statistics.most_active_objects);
    let population = Population { objects: bytes.unwrap_or(statistics.objects), active };
    Ok(Seen { objects: statistics.objects, population })
}
