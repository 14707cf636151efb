//! `latency = "measured"`: fetches have the latencies that the trace has measured.

use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use forebay_cache::Latency;
use forebay_cache::latency::LONGEST;
use forebay_core::Clock;

/// Requests that are read at a time.
const CHUNK: usize = 1 << 16;

/// Returns for each object the mean of its measured fetches, and for objects without any the mean of all. Also returns a note about them.
///
/// # Errors
/// If the trace has no such latencies.
pub(super) fn latency(trace: &RequestTrace) -> Result<(Latency, String)> {
    let wrong = |what: &str| UserError::at(trace.place(), format!("`latency = \"measured\"` needs {what}"));
    let mut reader = trace.open()?;
    if reader.facts().clock == Clock::Slots {
        return Err(wrong("a trace with times; this one has slots"));
    }
    let what = "a trace with the latencies of its fetches: a log of a server, msr, vscsi of version 2 or wikipedia-cdn; in text, \
                JSON lines, Parquet or Arrow, name its column with latency=COLUMN in the format";
    reader.measured().ok_or_else(|| wrong(what))?.begin();
    let mut chunk = Vec::new();
    while reader.fill(&mut chunk, CHUNK).map_err(|error| trace.error(error))? {
        chunk.clear();
    }
    let measured = reader.measured().ok_or_else(|| wrong(what))?;
    if measured.fetches() == 0 {
        return Err(wrong("a measured fetch; no line of this trace has one"));
    }
    let each: Vec<(u64, u64)> = measured.objects().map(|(key, mean)| (key, mean.min(LONGEST))).collect();
    let mean = measured.mean();
    let said = format!(
        "fetches take the measured time of the trace: {} fetches of {} objects; other objects take the mean of all, {:.3} ms; {} requests \
         have no measured fetch",
        measured.fetches(),
        each.len(),
        mean as f64 / 1e6,
        measured.without()
    );
    Ok((Latency::PerObject(each.into_iter().collect(), mean.min(LONGEST)), said))
}
