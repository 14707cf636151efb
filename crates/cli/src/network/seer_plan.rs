//! How caches are told what comes, and what they make of it: `seer = { ... }`.

use super::states::{is_meant, wrong_name};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::quantity;
use forebay_cache::StateCacheSpec;
use forebay_core::{Duration, Rate, Time};
use forebay_net::{Change, Graph, NodeId};
use forebay_seer::{Admit, AfterFailure, AnnouncerSpec, Idle, Pace, SeerSpec, ToX};

/// Notifications, or packets that are expected, at a port at most.
const MOST_FPMS: u64 = 1_000_000;
/// How late a packet may be where links lose some, unless the scenario says it: on links without failures none is late.
const PATIENCE: Duration = Duration::from_us(10);

/// What a scenario says about it, or the defaults: those of the paper's simulations where it has any.
#[derive(Debug, Clone)]
pub(super) struct SeerPlan {
    announcer: AnnouncerSpec,
    /// Nodes that tell; [`None`]: all.
    from: Option<Vec<NodeId>>,
    list: usize,
    pace: Pace,
    after_failure: AfterFailure,
    to_x: ToX,
    admit: Admit,
    horizon: Option<Duration>,
    /// [`None`]: as failures require.
    patience: Option<Option<Duration>>,
}

impl Default for SeerPlan {
    fn default() -> Self {
        Self {
            announcer: AnnouncerSpec::default(),
            from: None,
            list: SeerSpec::LIST_CAPACITY,
            pace: Pace::Cycle(Duration::from_ns(1)),
            after_failure: AfterFailure::Block,
            to_x: ToX::AtOnce,
            admit: Admit::Belady,
            horizon: None,
            patience: None,
        }
    }
}

impl SeerPlan {
    pub(super) fn read(node: &Node, graph: &Graph) -> Result<Self> {
        let table = node.table("`seer`")?;
        let default = Self::default();
        let plan = Self {
            announcer: announcer(&table)?,
            from: table.get("from").map(|node| tellers(node, graph)).transpose()?,
            list: count(&table, "list", 1, default.list)?,
            pace: pace(&table)?,
            after_failure: word(
                &table,
                "after_failure",
                &[("block", AfterFailure::Block), ("next", AfterFailure::Next), ("stop", AfterFailure::Stop)],
            )?,
            to_x: word(&table, "to_x", &[("at-once", ToX::AtOnce), ("next-iteration", ToX::NextIteration)])?,
            admit: word(&table, "admit", &[("belady", Admit::Belady), ("always", Admit::Always)])?,
            horizon: table.get("horizon").map_or(Ok(None), |node| time_or_none(node, "horizon"))?,
            patience: table.get("patience").map(|node| time_or_none(node, "patience")).transpose()?,
        };
        table.finish()?;
        Ok(plan)
    }

    /// Whether this node tells its neighbours.
    pub(super) fn tells(&self, node: NodeId) -> bool {
        self.from.as_ref().is_none_or(|from| from.contains(&node))
    }

    /// How a port tells that has so many queues.
    pub(super) fn announcer(&self, rate: Rate, queues: usize) -> AnnouncerSpec {
        AnnouncerSpec { rate, classes: queues, ..self.announcer }
    }

    /// A cache that is told through ports of these rates.
    pub(super) fn cache(&self, cache: StateCacheSpec, rates: Vec<Rate>, changes: &[(Time, Change)]) -> SeerSpec {
        let loses = |change: &Change| match change {
            Change::Down(_) => true,
            Change::Loss(_, probability) => *probability > 0.0,
            Change::Up(_) | Change::Rate(..) => false,
        };
        let is_lossy = changes.iter().any(|(_, change)| loses(change));
        SeerSpec {
            list_capacity: self.list,
            after_failure: self.after_failure,
            to_x: self.to_x,
            admit: self.admit,
            horizon: self.horizon,
            patience: self.patience.unwrap_or_else(|| is_lossy.then_some(PATIENCE)),
            ..SeerSpec::of(cache, rates, self.pace)
        }
    }
}

/// The fields that say how ports tell.
fn announcer(table: &Table<'_>) -> Result<AnnouncerSpec> {
    let default = AnnouncerSpec::default();
    let control_bytes = table.get("control_bytes").map(|node| node.integer("control_bytes", 1, 65_535)).transpose()?;
    Ok(AnnouncerSpec {
        threshold: table.get("threshold").map_or(Ok(default.threshold), threshold)?,
        interval: table
            .get("interval")
            .map_or(Ok(default.interval), |node| quantity(node, "interval", Duration::parse))?,
        per_gap: count(table, "per_gap", 0, default.per_gap)?,
        per_control: count(table, "per_control", 1, default.per_control)?,
        control_bytes: control_bytes.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(default.control_bytes),
        queue_capacity: count(table, "queue", 1, default.queue_capacity)?,
        idle: word(table, "idle", &[("before", Idle::Before), ("after", Idle::After)])?,
        ..default
    })
}

fn threshold(node: &Node) -> Result<Option<usize>> {
    match &node.value {
        Value::Text(text) if text == "never" => Ok(None),
        Value::Text(_) => Err(node.error(
            "`threshold` is how many notifications may wait before a control packet is sent, for example 8, or \"never\"",
        )),
        _ => node.integer("threshold", 0, MOST_FPMS).map(|number| usize::try_from(number).ok()),
    }
}

fn count(table: &Table<'_>, key: &'static str, least: u64, default: usize) -> Result<usize> {
    let Some(node) = table.get(key) else { return Ok(default) };
    node.integer(key, least, MOST_FPMS).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// One of several words; the first where there is none.
fn word<T: Copy>(table: &Table<'_>, key: &'static str, all: &[(&str, T)]) -> Result<T> {
    let Some(node) = table.get(key) else { return Ok(all[0].1) };
    let given = node.text(key)?;
    let found = all.iter().find(|(word, _)| *word == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<String> = all.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        node.error(format!("`{key}` must be {}, not \"{given}\"", words.join(" or ")))
    })
}

fn time_or_none(node: &Node, key: &str) -> Result<Option<Duration>> {
    match &node.value {
        Value::Text(text) if text == "none" => Ok(None),
        _ => quantity(node, key, Duration::parse).map(Some),
    }
}

/// How fast the manager is.
fn pace(table: &Table<'_>) -> Result<Pace> {
    match (table.get("clock"), table.get("iteration")) {
        (Some(_), Some(node)) => Err(node.error("`iteration` does not go with `clock`, which says how long one takes")),
        (Some(node), None) => Ok(Pace::Cycle(cycle(node)?)),
        (None, Some(node)) => Ok(Pace::Iteration(quantity(node, "iteration", Duration::parse)?)),
        (None, None) => Ok(SeerPlan::default().pace),
    }
}

/// How long a cycle of a clock is.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 10^12")]
fn cycle(node: &Node) -> Result<Duration> {
    const PS_PER_SECOND: f64 = 1e12;
    let units = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("Hz", 1.0)];
    let number = |text: &str| {
        let (number, unit) = units.iter().find_map(|(name, unit)| Some((text.trim().strip_suffix(name)?, unit)))?;
        Some(number.trim().parse::<f64>().ok()? * unit)
    };
    let hertz = match &node.value {
        Value::Text(text) => number(text).filter(|hertz| (1.0..=PS_PER_SECOND).contains(hertz)),
        _ => None,
    };
    let hertz = hertz.ok_or_else(|| {
        node.error(format!(
            "`clock` is that of the manager, from 1 Hz to 1000 GHz, for example \"1 GHz\", not {}",
            node.shown()
        ))
    })?;
    Ok(Duration::from_ps((PS_PER_SECOND / hertz).round() as u64))
}

/// The nodes that words name, hosts and switches, in which `*` stands for any letters.
fn tellers(node: &Node, graph: &Graph) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    for word in node.text("from")?.split_whitespace() {
        let before = found.len();
        let named = (0..).zip(graph.nodes()).filter(|(_, spec)| is_meant(word, &spec.name));
        found.extend(named.map(|(number, _)| NodeId(number)));
        if found.len() == before {
            return Err(wrong_name(node, "node", word, graph.nodes().iter().map(|spec| spec.name.as_str())));
        }
    }
    if found.is_empty() {
        return Err(node.error("`from` names nobody; write for example from = \"spine* h*\", or leave it out for all"));
    }
    Ok(found)
}
