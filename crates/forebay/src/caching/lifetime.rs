//! `ttl`: the time for which an object may be used after its fetch has ended.

use super::latency::amount;
use super::scenario_values;
use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use forebay_cache::Lifetime;
use forebay_core::Clock;

/// The word for the lifetimes that the trace states.
const OF_TRACE: &str = "trace";
/// Requests that are read at a time.
const CHUNK: usize = 1 << 16;

/// Reads `ttl`: slots, a time, or `"trace"`. Returns a note about lifetimes of a trace.
pub(super) fn read(node: &Node, clock: Clock, trace: &RequestTrace) -> Result<(Lifetime, Option<String>)> {
    if matches!(&node.value, Value::Text(text) if text == OF_TRACE) {
        trace.refuse_pipe("`ttl = \"trace\"`")?;
        let (lifetime, said) = of_trace(trace).map_err(|error| node.error(error.to_string()))?;
        return Ok((lifetime, Some(format!("{}: {said}", trace.place()))));
    }
    let ticks = ticks(node, "ttl", clock)?;
    if ticks == 0 {
        return Err(node.error("`ttl` must be above 0; leave it out if objects never expire"));
    }
    Ok((Lifetime::Constant(ticks), None))
}

/// Reads a number of slots or a time of at most 11.6 days, in ticks of the trace; 0 is allowed.
pub(super) fn ticks(node: &Node, field: &'static str, clock: Clock) -> Result<u64> {
    let ticks = amount(&scenario_values::amount(node, field)?).and_then(|amount| amount.ticks(clock));
    ticks.map_err(|error| node.error(format!("`{field}`: {error}")))
}

/// Returns the lifetimes that lines of the trace state. The whole trace is read once more.
fn of_trace(trace: &RequestTrace) -> Result<(Lifetime, String)> {
    let wrong = |what: &str| UserError::at(trace.place(), format!("`ttl = \"trace\"` needs {what}"));
    let mut reader = trace.open()?;
    let what = "a trace whose lines have the lifetime of objects, like twitter-csv; otherwise write a time, like ttl = \"3600 s\"";
    reader.lifetimes().ok_or_else(|| wrong(what))?.begin();
    let mut chunk = Vec::new();
    while reader.fill(&mut chunk, CHUNK).map_err(|error| trace.error(error))? {
        chunk.clear();
    }
    let stated = reader.lifetimes().ok_or_else(|| wrong(what))?;
    let each: Vec<(u64, u64)> = stated.objects().collect();
    if each.is_empty() {
        return Err(wrong("a line with a lifetime, and this trace has none"));
    }
    let said = format!(
        "the trace has a lifetime for {} objects, and other objects never expire; {} lines have another lifetime than an earlier line, and \
         the last one counts",
        each.len(),
        stated.changes()
    );
    Ok((Lifetime::PerObject(each.into_iter().collect()), said))
}
