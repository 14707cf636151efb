//! `application = { name = "tcp-reassembly", ... }`: costs of the reassembler, and flows that are generated or recorded.

use super::{Innocents, Kind, cost};
use crate::document::{Node, Table};
use crate::error::Result;
use crate::scenario::{Files, quantity, trace_error};
use forebay_core::convert::index;
use forebay_core::registry::suggest;
use forebay_core::units::parse_bytes;
use forebay_sim::attack::applications::tcp::{
    AttackFlows, Costs, InnocentFlows, InnocentSegments, Reassembler, Reassembly, Structure, Victim, WINDOW_BYTES,
};
use forebay_traces::{Content, read_tcp_segments};

/// A window of which every second byte has arrived is a list of half a million nodes.
const MAX_WINDOW: u64 = 1 << 20;
/// Parameters of generated flows.
const OF_FLOWS: [&str; 5] = ["flows", "flow_bytes", "acknowledgements", "lost", "overtaken"];
/// Were nearly all segments late, a flow would have to be kept in memory as a whole.
const MOST_LATE: f64 = 0.4;

/// Reads the reassembler's parameters; the caller finishes the table.
pub(super) fn read(table: &Table<'_>, files: &dyn Files) -> Result<(Kind, Innocents)> {
    let costs = Costs {
        fixed: cost(table, "fixed", Costs::PIGASUS.fixed)?,
        traversal: cost(table, "traversal", Costs::PIGASUS.traversal)?,
    };
    let window_bytes = match table.get("window_bytes") {
        Some(node) => {
            u32::try_from(node.integer("window_bytes", 2, MAX_WINDOW)?).expect("the largest window has 32 bits")
        }
        None => WINDOW_BYTES,
    };
    let reassembler = patched(table, Reassembler::new(costs, window_bytes))?;
    let reassembly = |innocent| {
        let attack = AttackFlows::filling_up(&reassembler);
        Kind::Reassembly(Box::new(Reassembly { reassembler, innocent, attack }))
    };
    let Some(pcap) = table.get("pcap") else {
        let flows = generated(table)?;
        let kind = reassembly(InnocentSegments::Generated(flows));
        return Ok((kind, Innocents { flows: flows.concurrent, gaps: "back-to-back", warnings: Vec::new() }));
    };
    for field in OF_FLOWS {
        if let Some(node) = table.get(field) {
            return Err(node.error(format!(
                "`{field}` is for generated flows, but `pcap` has its own flows; leave `{field}` out"
            )));
        }
    }
    recorded(pcap, files, reassembly)
}

/// Reads the fields that replace the list, and the limits.
fn patched(table: &Table<'_>, reassembler: Reassembler) -> Result<Reassembler> {
    let structure = match table.get("structure") {
        None => Structure::List,
        Some(node) => named(node, "structure", Structure::ALL)?,
    };
    let mut reassembler = reassembler.with_structure(structure);
    if let Some(node) = table.get("max_nodes") {
        let nodes = node.integer("max_nodes", 1, MAX_WINDOW)?;
        if structure == Structure::Buffer {
            return Err(
                node.error("a buffer has no nodes; leave `max_nodes` out, or use structure = \"list\" or \"tree\"")
            );
        }
        reassembler = reassembler.with_max_nodes(index(nodes));
    }
    match (table.get("memory"), table.get("victim")) {
        (None, Some(victim)) => Err(victim.error(
            "`victim` chooses the flow that is reset when `memory` is full; add for example memory = \"64 MB\"",
        )),
        (None, None) => Ok(reassembler),
        (Some(memory), victim) => {
            let victim = victim.map_or(Ok(Victim::Oldest), |node| named(node, "victim", Victim::ALL))?;
            Ok(reassembler.with_memory(quantity(memory, "memory", parse_bytes)?, victim))
        }
    }
}

/// One of some words.
fn named<T: Copy, const N: usize>(node: &Node, what: &'static str, all: [(&'static str, T); N]) -> Result<T> {
    let name = node.text(what)?;
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let words = all.map(|(known, _)| format!("\"{known}\"")).join(" or ");
        node.error(format!("`{what}` must be {words}, not `{name}`{}", suggest(name, all.map(|(known, _)| known))))
    })
}

fn recorded(node: &Node, files: &dyn Files, kind: impl FnOnce(InnocentSegments) -> Kind) -> Result<(Kind, Innocents)> {
    let (file, input) = files.open(node.text("pcap")?).map_err(|error| node.error(error.to_string()))?;
    let wrong = |error| node.error(trace_error(&file, error).to_string());
    let content = Content::unpack(input).map_err(wrong)?;
    let trace = read_tcp_segments(content).map_err(wrong)?;
    let mut warnings: Vec<String> = trace.warnings.iter().map(|warning| format!("{file}: {warning}")).collect();
    if trace.other_packets > 0 {
        let all = trace.other_packets + trace.segments.len() as u64;
        warnings.push(format!("{file}: {} of {all} packets are not TCP and were left out", trace.other_packets));
    }
    let flows = trace.segments.iter().map(|segment| segment.flow.0).max().map_or(0, |last| last.saturating_add(1));
    let kind = kind(InnocentSegments::Recorded(trace.segments.into()));
    Ok((kind, Innocents { flows, gaps: "recorded", warnings }))
}

fn generated(table: &Table<'_>) -> Result<InnocentFlows> {
    let usual = InnocentFlows::default();
    let share = |key, usual, most| table.get(key).map_or(Ok(usual), |node| node.number_from(key, 0.0, most));
    let concurrent =
        table.get("flows").map_or(Ok(usual.concurrent.into()), |node| node.integer("flows", 1, 1 << 20))?;
    let (least_bytes, most_bytes, shape) = match table.get("flow_bytes") {
        Some(node) => flow_bytes(node)?,
        None => (usual.least_bytes, usual.most_bytes, usual.shape),
    };
    Ok(InnocentFlows {
        concurrent: u32::try_from(concurrent).expect("read as at most 2^20"),
        least_bytes,
        shape,
        most_bytes,
        acknowledgements: share("acknowledgements", usual.acknowledgements, 1.0)?,
        lost: share("lost", usual.lost, MOST_LATE)?,
        overtaken: share("overtaken", usual.overtaken, MOST_LATE)?,
    })
}

/// Least and greatest size of a flow, and the shape between them.
fn flow_bytes(node: &Node) -> Result<(u64, u64, f64)> {
    let table = node.table("`flow_bytes`")?;
    let least = table.require("min", "min = 5000")?.integer("min", 1, 1 << 40)?;
    let most = table.require("max", "max = 100_000_000")?.integer("max", least, 1 << 40)?;
    let shape = table.require("shape", "shape = 1.2")?.number("shape", 0.0, 100.0)?;
    table.finish()?;
    Ok((least, most, shape))
}
