//! Reads the attacker from `[attack]`.

use super::application::{Application, OwnAttack};
use super::scenario::{Attacker, Limits, Sends};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::{positive, quantity};
use forebay_core::{Duration, Packet, Seed};
use forebay_sim::attack::{Job, Strategy, Timing};

const DEFAULT_MIN_BYTES: u64 = 64;
const MAX_KINDS: usize = 100;

/// Reads `[attack]` except for its rate; `application` makes the jobs of innocent packets, if they are not drawn.
pub(super) fn read(node: &Node, application: Option<&Application>, seed: Seed) -> Result<Attacker> {
    let table = node.table("[attack]")?;
    // The caller reads it.
    table.get("rate");
    let min_bytes = match table.get("min_packet") {
        Some(node) => node.integer("min_packet", 1, Packet::MAX_BYTES.into())?,
        None => DEFAULT_MIN_BYTES,
    };
    let min_bytes = u32::try_from(min_bytes).expect("read as at most what a packet can have");
    let strategy = table.get("strategy");
    let own = strategy.map_or(Ok(None), |node| own_attack(node, application, seed))?;
    let searched = Limits { min_bytes, max_work: max_work(&table, application, own.as_ref())? };
    let sends = match (own, strategy) {
        (Some(own), _) => Sends::Inputs(own),
        (None, None) => Sends::Optimal,
        (None, Some(Node { value: Value::Text(text), .. })) if text == "optimal" => Sends::Optimal,
        (None, Some(node)) => Sends::Given(strategies(node, searched)?),
    };
    let timing = match table.get("on_off") {
        Some(node) if matches!(sends, Sends::Inputs(_)) => {
            return Err(
                node.error("`on_off` is for attacks with jobs of their own; attacks on an application are sent evenly")
            );
        }
        node => node.map_or(Ok(Timing::Steady), on_off)?,
    };
    table.finish()?;
    let limits = match &sends {
        Sends::Inputs(own) => Limits { min_bytes: own.min_bytes(), max_work: own.max_work() },
        Sends::Optimal | Sends::Given(_) => searched,
    };
    Ok(Attacker { limits, searched, sends, timing })
}

/// `"application"`, or a table with that name; `None`: another strategy.
fn own_attack(node: &Node, application: Option<&Application>, seed: Seed) -> Result<Option<OwnAttack>> {
    let whole = match &node.value {
        Value::Text(text) if text == "application" => node.with_parameters("strategy")?,
        Value::Table(fields) => {
            let name = fields.iter().find(|(key, _)| key == "name").map(|(_, name)| &name.value);
            match name {
                Some(Value::Text(text)) if text == "application" => node.clone(),
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    let application = application.ok_or_else(|| {
        node.error(
            "this strategy needs an application to attack; add for example application = \"tcp-reassembly\" to \
             [innocent]",
        )
    })?;
    OwnAttack::read(&whole, application, seed).map(Some)
}

/// The largest job: as the scenario says, or that of the application.
fn max_work(table: &Table<'_>, application: Option<&Application>, own: Option<&OwnAttack>) -> Result<Duration> {
    let most = application.and_then(Application::max_work);
    let Some(node) = table.get("max_job") else {
        return match most.or(own.map(OwnAttack::max_work)) {
            Some(most) => Ok(most),
            None => table.require("max_job", "max_job = \"10 us\"").and_then(|node| positive(node, "max_job")),
        };
    };
    match (positive(node, "max_job")?, most) {
        (work, Some(most)) if work > most => {
            Err(node.error(format!("`max_job` is more than the largest job of the application, which is {most}")))
        }
        (work, _) => Ok(work),
    }
}

/// Kinds of packets that are sent together.
fn strategies(node: &Node, limits: Limits) -> Result<Vec<Strategy>> {
    match &node.value {
        Value::Array(items) if (1..=MAX_KINDS).contains(&items.len()) => {
            items.iter().map(|item| strategy(item, limits)).collect()
        }
        Value::Array(_) => Err(node.error(format!("`strategy` must have 1 to {MAX_KINDS} kinds of packets"))),
        _ => Err(node.error(
            "`strategy` must be \"optimal\", \"application\", or a list of kinds of packets like [{ size_bytes = 64, job = \
             \"10 us\" }]",
        )),
    }
}

fn strategy(node: &Node, limits: Limits) -> Result<Strategy> {
    let Limits { min_bytes, max_work } = limits;
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
    let size_bytes = u32::try_from(size_bytes).expect("read as at most what a packet can have");
    let flows = u32::try_from(flows).expect("read as at most 2^20");
    Ok(Strategy { job: Job { size_bytes, work, estimate }, flows, share })
}

fn on_off(node: &Node) -> Result<Timing> {
    let table = node.table("`on_off`")?;
    let period = positive(table.require("period", "period = \"1 ms\"")?, "period")?;
    let duty = table.require("duty", "duty = 0.1")?.number("duty", 0.0, 1.0)?;
    table.finish()?;
    Ok(Timing::OnOff { period, duty })
}
