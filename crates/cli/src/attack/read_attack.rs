//! The attacker, as an attack study says it.

use super::Attacker;
use super::rates::rates;
use crate::document::{Node, Value};
use crate::error::Result;
use crate::scenario::{positive, quantity};
use forebay_attack::{Job, Strategy, Timing};
use forebay_core::{Duration, Packet};

const DEFAULT_MIN_BYTES: u64 = 64;
const MAX_KINDS: usize = 100;

/// Reads `[attack_study.attack]`.
pub(super) fn read(node: &Node) -> Result<Attacker> {
    let table = node.table("[attack_study.attack]")?;
    let rates_bps = rates(&table, "[attack_study.attack]")?;
    let min_bytes = match table.get("min_packet") {
        Some(node) => node.integer("min_packet", 1, Packet::MAX_BYTES.into())?,
        None => DEFAULT_MIN_BYTES,
    };
    let min_bytes = u32::try_from(min_bytes).unwrap_or(Packet::MAX_BYTES);
    let max_work = positive(table.require("max_job", "max_job = \"10 us\"")?, "max_job")?;
    let given = match table.get("strategy") {
        None => None,
        Some(Node { value: Value::Text(text), .. }) if text == "optimal" => None,
        Some(node) => Some(strategies(node, min_bytes, max_work)?),
    };
    let timing = table.get("on_off").map_or(Ok(Timing::Steady), on_off)?;
    table.finish()?;
    Ok(Attacker { rates_bps, min_bytes, max_work, given, timing })
}

/// Kinds of packets that are sent together.
fn strategies(node: &Node, min_bytes: u32, max_work: Duration) -> Result<Vec<Strategy>> {
    match &node.value {
        Value::Array(items) if (1..=MAX_KINDS).contains(&items.len()) => {
            items.iter().map(|item| strategy(item, min_bytes, max_work)).collect()
        }
        Value::Array(_) => Err(node.error(format!("`strategy` must have 1 to {MAX_KINDS} kinds of packets"))),
        _ => Err(node.error(
            "`strategy` must be \"optimal\", or a list of kinds of packets like [{ size_bytes = 64, job = \"10 us\" }]",
        )),
    }
}

fn strategy(node: &Node, min_bytes: u32, max_work: Duration) -> Result<Strategy> {
    let table = node.table("a kind of `strategy`")?;
    let size_bytes = match table.get("size_bytes") {
        Some(node) => node.integer("size_bytes", min_bytes.into(), Packet::MAX_BYTES.into())?,
        None => min_bytes.into(),
    };
    let work = match table.get("job") {
        None => max_work,
        Some(node) => match quantity(node, "job", Duration::parse)? {
            work if work <= max_work => work,
            _ => return Err(node.error(format!("`job` is more than `max_job`, which is {max_work}"))),
        },
    };
    let estimate = table.get("estimate").map_or(Ok(work), |node| quantity(node, "estimate", Duration::parse))?;
    let flows = table.get("flows").map_or(Ok(0), |node| node.integer("flows", 0, 1 << 20))?;
    let share = table.get("share").map_or(Ok(1.0), |node| node.number("share", 0.0, 1e9))?;
    table.finish()?;
    let size_bytes = u32::try_from(size_bytes).unwrap_or(Packet::MAX_BYTES);
    let flows = u32::try_from(flows).unwrap_or(u32::MAX);
    Ok(Strategy { job: Job { size_bytes, work, estimate }, flows, share })
}

fn on_off(node: &Node) -> Result<Timing> {
    let table = node.table("`on_off`")?;
    let period = positive(table.require("period", "period = \"1 ms\"")?, "period")?;
    let duty = table.require("duty", "duty = 0.1")?.number("duty", 0.0, 1.0)?;
    table.finish()?;
    Ok(Timing::OnOff { period, duty })
}
