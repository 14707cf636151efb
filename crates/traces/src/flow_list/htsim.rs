//! Connections in htsim's format: the numbers of nodes and connections, then a line for each connection.
//!
//! ```text
//! Nodes 4
//! Connections 2
//! 1->2 id 1 start 0 size 2000000
//! 3->0 id 2 start 5000000 size 2000000
//! ```
//!
//! The file does not state the unit of starts, and versions of htsim differ, so the caller has to state it. Identifiers are not kept.
//! Connections that another one triggers are rejected: forebay starts flows at times.

use super::FlowListEntry;
use super::lines::{check_count, for_each_line};
use crate::error::TraceError;
use crate::flow_records::FlowRecord;
use forebay_core::{Duration, Time};

/// The registry's entry.
pub const ENTRY: FlowListEntry = FlowListEntry {
    name: "htsim",
    title: "connections of htsim (`Nodes N`, `Connections N`, then lines `1->2 id 1 start 0 size 2000000`)",
    recognise: |first| first.split_whitespace().next() == Some("Nodes"),
    read: |content, start_unit, take| {
        let why = "this is a list of connections of htsim, and it does not say the unit of start times; add `start_unit = \"ps\"` (or \
                   \"ns\", \"us\") to the [[workload]], as the htsim that the file was made for does";
        let unit = start_unit.ok_or_else(|| TraceError::File(why.to_owned()))?;
        let (mut nodes, mut announced, mut found) = (None, None, 0);
        for_each_line(content, |line, text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["Nodes", count] => nodes = Some(number(line, "Nodes", count)?),
                ["Connections", count] => announced = Some((number(line, "Connections", count)?, line)),
                ["Triggers" | "Failures", "0"] => {}
                [what @ ("Triggers" | "Failures"), ..] => {
                    let why = format!("`{what}` are not supported; remove them and the connections that use them");
                    return Err(TraceError::at(line, why));
                }
                [ends, ref rest @ ..] => {
                    let flow = connection(line, ends, rest, unit, nodes.unwrap_or(0))?;
                    found += 1;
                    take(flow).map_err(|why| TraceError::at(line, why))?;
                }
                [] => {}
            }
            Ok(())
        })?;
        let (announced, line) = announced.ok_or_else(|| TraceError::at(2, "the line `Connections N` is missing"))?;
        check_count(announced, found, line)?;
        if found == 0 { Err(TraceError::at(line, "the file has no connections")) } else { Ok(()) }
    },
};

fn number(line: u64, what: &str, text: &str) -> Result<u64, TraceError> {
    text.parse().map_err(|_| TraceError::at(line, format!("`{what}` must be a whole number, not `{text}`")))
}

/// One connection, as `1->2 id 1 start 0 size 2000000`.
fn connection<'a>(
    line: u64,
    ends: &'a str,
    words: &[&str],
    unit: Duration,
    nodes: u64,
) -> Result<FlowRecord<'a>, TraceError> {
    let form = "write a connection like `1->2 id 1 start 0 size 2000000`";
    let (src, dst) = ends.split_once("->").ok_or_else(|| TraceError::at(line, format!("{form}, not `{ends}`")))?;
    for end in [src, dst] {
        if number(line, "a node", end)? >= nodes {
            return Err(TraceError::at(
                line,
                format!("`Nodes` declares {nodes} nodes, counted from 0, so there is no node `{end}`"),
            ));
        }
    }
    let (mut start, mut bytes) = (None, None);
    for pair in words.chunks(2) {
        match *pair {
            ["id", _] => {}
            ["start", text] => start = Some(number(line, "start", text)?),
            ["size", text] => bytes = Some(number(line, "size", text)?),
            [word, ..] => {
                let why = format!(
                    "`{word}` of a connection is not supported; {form}: a connection that a trigger starts has no start \
                                   time"
                );
                return Err(TraceError::at(line, why));
            }
            [] => {}
        }
    }
    let start = start.ok_or_else(|| TraceError::at(line, format!("`start` is missing; {form}")))?;
    let start = start.checked_mul(unit.as_ps()).map(Time::from_ps).filter(|start| *start < Time::MAX);
    let start = start.ok_or_else(|| TraceError::at(line, "`start` is more than 213 days; is `start_unit` right?"))?;
    let bytes = bytes.filter(|bytes| (1..u64::MAX).contains(bytes));
    let bytes = bytes
        .ok_or_else(|| TraceError::at(line, format!("`size` must be a whole number of bytes, at least 1; {form}")))?;
    Ok(FlowRecord { start, src, dst, bytes })
}
