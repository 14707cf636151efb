//! Reads a study and checks everything that can be checked before a packet moves.

use super::{Ranks, Study, optimal_bounds};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::{
    Files, Plan, Policy, PortNode, arrivals, check_periods, flow_count, label, name_and_seed, packet_bytes, pattern,
    quantity, refuse_inner_repetitions, repetitions,
};
use forebay_core::registry::suggest;
use forebay_core::{BufferSize, Rate};

const DEFAULT_RATE: &str = "10 Gbps";
const DEFAULT_REPETITIONS: u64 = 10;
const MAX_REPETITIONS: u64 = 10_000;
const DEFAULT_PACKETS: u64 = 1_000_000;
/// Most repetitions of all lines together: what each has measured, up to 16 KB, is kept
/// until the end.
const MAX_RUNS: u64 = 100_000;

/// Whether a document is a study, and not another scenario.
pub fn is_study(document: &Node) -> bool {
    matches!(&document.value, Value::Table(fields) if fields.iter().any(|(name, _)| name == "queue_study"))
}

impl Study {
    /// Checks a document. `seed` replaces the one in it.
    pub fn read(document: &Node, default_name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        let top = document.table("the scenario")?;
        for field in ["port", "traffic", "policy", "until"] {
            if let Some(node) = top.get(field) {
                return Err(node.error(format!(
                    "`{field}` does not go with [queue_study]: a scenario has [queue_study] and [[queue]], or [port], \
                     [traffic] and [[policy]]"
                )));
            }
        }
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let study = top.require("queue_study", "[queue_study] with buffer = \"80 packets\"")?;
        let queues = top.require("queue", "[[queue]] with queue = \"pifo\"")?;
        let repetitions = repetitions(&top, DEFAULT_REPETITIONS, MAX_REPETITIONS)?;
        top.finish()?;

        let table = study.table("[queue_study]")?;
        refuse_inner_repetitions(&table)?;
        let rate = match table.get("rate") {
            Some(node) => quantity(node, "rate", Rate::parse)?,
            None => Rate::parse(DEFAULT_RATE).map_err(|error| study.error(error.to_string()))?,
        };
        let buffer_node = table.require("buffer", "buffer = \"80 packets\"")?;
        let buffer = quantity(buffer_node, "buffer", BufferSize::parse)?;
        let (arrivals_name, arrivals) = arrivals(&table, rate)?;
        let flows = match (arrivals_name, table.get("flows")) {
            ("on-off", _) => flow_count(&table)?,
            (_, None) => 1,
            (_, Some(node)) => {
                return Err(node.error("in a study `flows` is for arrivals = \"on-off\"; others do not depend on it"));
            }
        };
        let ranks_node = table.require("ranks", "ranks = { distribution = \"uniform\", min = 0, max = 100 }")?;
        let mut ranks = ranks(ranks_node, files)?;
        for Ranks { pattern, queues: own, .. } in &mut ranks {
            *own = Policy::read_all(queues, ("queue", "queues"), "queue = \"pifo\"", |node| {
                Policy::read_queue(
                    node,
                    &PortNode {
                        rate,
                        buffer: Some((buffer, buffer_node)),
                        node: study,
                        what: "[queue_study]",
                        policy: "[[queue]]",
                    },
                    files,
                    |queue, discipline| optimal_bounds::resolve(queue, discipline, pattern),
                )
            })?;
        }
        let baseline = table.get("baseline").map_or(Ok(0), |node| baseline(node, &ranks[0].queues))?;
        let study = Self {
            name,
            seed,
            rate,
            buffer,
            arrivals,
            arrivals_name: arrivals_name.to_owned(),
            flows,
            size_bytes: packet_bytes(&table)?,
            ranks,
            loads: loads(&table)?,
            repetitions,
            packets: match table.get("packets") {
                Some(node) => node.integer("packets", 1, i64::MAX as u64)?,
                None => DEFAULT_PACKETS,
            },
            baseline,
        };
        table.finish()?;
        let least_load = study.loads.iter().copied().fold(f64::INFINITY, f64::min);
        check_periods(&table, &study.traffic(&study.ranks[0], least_load))?;
        let lines = study.ranks.len() * study.loads.len() * study.ranks[0].queues.len();
        if study.repetitions.saturating_mul(lines as u64) > MAX_RUNS {
            let node = top.get("repetitions").unwrap_or(ranks_node);
            return Err(node.error(format!(
                "{lines} lines of ranks, loads and queues with {} repetitions each are more than {MAX_RUNS} runs; use at most {} \
                 repetitions",
                study.repetitions,
                MAX_RUNS / lines as u64
            )));
        }
        Ok(study)
    }
}

/// One table of ranks, or a list of several, still without queues.
fn ranks(node: &Node, files: &dyn Files) -> Result<Vec<Ranks>> {
    let mut read = Vec::<Ranks>::new();
    for node in one_or_more(node, "ranks")? {
        let table = node.table("`ranks`")?;
        let given = table.get("name");
        let (kind, pattern) = pattern(node, &table, files)?;
        let name = given.map_or_else(|| Ok(kind.to_owned()), label)?;
        if read.iter().any(|earlier| earlier.name == name) {
            return Err(node.error(format!("there are two `ranks` called `{name}`; give one a `name`")));
        }
        read.push(Ranks { name, pattern, queues: Vec::new() });
    }
    Ok(read)
}

/// A load, or a list of loads.
fn loads(table: &Table<'_>) -> Result<Vec<f64>> {
    let node = table.require("load", "load = [0.8, 1.1]")?;
    let mut read = Vec::new();
    for node in one_or_more(node, "load")? {
        let load = node.number("load", 0.0, 1000.0)?;
        if read.contains(&load) {
            return Err(node.error(format!("`load` has {load} twice")));
        }
        read.push(load);
    }
    Ok(read)
}

/// The items of a list that is not empty, or the one value that stands for it.
fn one_or_more<'a>(node: &'a Node, what: &str) -> Result<&'a [Node]> {
    match &node.value {
        Value::Array(items) if items.is_empty() => Err(node.error(format!("`{what}` is an empty list"))),
        Value::Array(items) => Ok(items),
        _ => Ok(std::slice::from_ref(node)),
    }
}

/// The queue that the others are compared with.
fn baseline(node: &Node, queues: &[Policy<Plan>]) -> Result<usize> {
    let wanted = node.text("baseline")?;
    queues.iter().position(|queue| queue.name == wanted).ok_or_else(|| {
        let known = suggest(wanted, queues.iter().map(|queue| queue.name.as_str()));
        node.error(format!("`baseline` must be the name of a queue; there is no `{wanted}`{known}"))
    })
}
