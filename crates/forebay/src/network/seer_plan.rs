//! The notification of caches about packets, and the caches' use of notifications: `seer = { ... }`.

use super::seer_impairments::{impairments, share, taking_part};
use super::states::{is_meant, wrong_name};
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use crate::scenario::quantity;
use forebay_cache::StateCacheSpec;
use forebay_cache::seer::{
    Admit, AfterEviction, AfterFailure, AnnouncerSpec, Enters, FPM_BITS, Idle, Pace, SeerSpec, ToX, Unannounced,
};
use forebay_core::convert::index;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_sim::net::{Change, Graph, Impairments, LinkSpec, NodeId};
use std::collections::BTreeSet;

/// The bytes of a control packet without notifications: header and frame check sequence of Ethernet.
const CONTROL_OVERHEAD: u32 = 18;
/// Notifications, or packets that are expected, at a port at most.
const MOST_FPMS: u64 = 1_000_000;
/// The default limit of a packet's lateness if some expected packets never arrive. This happens if links lose packets, or if notifications
/// are about packets that have yet to reach a port.
const PATIENCE: Duration = Duration::from_us(10);
/// The default limit if notifications arrive late. Many arrive after their packets, which are then expected in vain again and again.
const PATIENCE_IF_LATE: Duration = Duration::from_us(1);

/// The fields for the notifications that ports send, and for their handling.
pub(super) const SENDING: &str = "`from`, `taking_part`, `relay`, `corrections`, `per_gap`, `threshold`, `interval`, `per_control`, \
                                  `control_bytes`, `queue`, `idle`, `loss`, `jitter` and `clock_` fields";

/// The settings of a scenario. Defaults are those of the paper's simulations, if it has any.
#[derive(Debug, Clone)]
pub(super) struct SeerPlan {
    announcer: AnnouncerSpec,
    /// Nodes that notify; [`None`]: all.
    from: Option<Vec<NodeId>>,
    /// The share of the links to a cache that notify.
    taking_part: f64,
    /// Whether neighbours relay the notifications that they receive.
    pub(super) relay: bool,
    /// Whether to notify from ports that have to correct their notifications.
    pub(super) corrections: bool,
    pub(super) impairments: Impairments,
    list: usize,
    pace: Pace,
    after_failure: AfterFailure,
    to_x: ToX,
    unannounced: Unannounced,
    admit: Admit,
    enters: Enters,
    after_eviction: AfterEviction,
    horizon: Option<Duration>,
    /// [`None`]: as failures and what is late require.
    patience: Option<Option<Duration>>,
}

impl Default for SeerPlan {
    fn default() -> Self {
        Self {
            announcer: AnnouncerSpec::default(),
            from: None,
            taking_part: 1.0,
            relay: false,
            corrections: false,
            impairments: Impairments::default(),
            list: SeerSpec::LIST_CAPACITY,
            pace: Pace::Cycle(Duration::from_ns(1)),
            after_failure: AfterFailure::Block,
            to_x: ToX::AtOnce,
            unannounced: Unannounced::Last,
            admit: Admit::Belady,
            enters: Enters::WhenBegun,
            after_eviction: AfterEviction::Keep,
            horizon: None,
            patience: None,
        }
    }
}

impl SeerPlan {
    /// Reads the plan of caches at these nodes.
    pub(super) fn read(node: &Node, graph: &Graph, at: &[NodeId]) -> Result<Self> {
        let table = node.table("`seer`")?;
        let default = Self::default();
        let relay = table.get("relay").map_or(Ok(default.relay), |node| node.boolean("relay"))?;
        let plan = Self {
            announcer: announcer(&table)?,
            from: table.get("from").map(|node| tellers(node, graph, at, relay)).transpose()?,
            taking_part: share(&table, "taking_part", default.taking_part)?,
            relay,
            corrections: table
                .get("corrections")
                .map_or(Ok(default.corrections), |node| node.boolean("corrections"))?,
            impairments: impairments(&table)?,
            list: count(&table, "list", 1, default.list)?,
            pace: pace(&table)?,
            after_failure: word(
                &table,
                "after_failure",
                &[("block", AfterFailure::Block), ("next", AfterFailure::Next), ("stop", AfterFailure::Stop)],
            )?,
            to_x: word(&table, "to_x", &[("at-once", ToX::AtOnce), ("next-iteration", ToX::NextIteration)])?,
            unannounced: word(
                &table,
                "unannounced",
                &[("last", Unannounced::Last), ("recency", Unannounced::ByRecency)],
            )?,
            admit: word(&table, "admit", &[("belady", Admit::Belady), ("always", Admit::Always)])?,
            enters: word(&table, "enters", &[("begin", Enters::WhenBegun), ("end", Enters::WhenEnded)])?,
            after_eviction: word(
                &table,
                "after_eviction",
                &[("keep", AfterEviction::Keep), ("refetch", AfterEviction::Refetch)],
            )?,
            horizon: table.get("horizon").map_or(Ok(None), |node| time_or_none(node, "horizon"))?,
            patience: table.get("patience").map(|node| time_or_none(node, "patience")).transpose()?,
        };
        table.finish()?;
        Ok(plan)
    }

    /// Returns whether ports notify in the same way under both plans.
    pub(super) fn tells_as(&self, other: &Self) -> bool {
        let shared = |plan: &Self| (plan.announcer, plan.taking_part, plan.relay, plan.corrections, plan.impairments);
        shared(self) == shared(other) && self.from == other.from
    }

    /// Returns whether this node notifies its neighbours.
    pub(super) fn tells(&self, node: NodeId) -> bool {
        self.from.as_ref().is_none_or(|from| from.contains(&node))
    }

    /// Returns the links that notify a cache; `seed` is the seed of its node.
    pub(super) fn telling(&self, graph: &Graph, cache: NodeId, seed: Seed) -> Vec<usize> {
        let links = graph.links().iter().enumerate().filter(|(_, link)| link.to == cache && self.tells(link.from));
        taking_part(self.taking_part, links.map(|(number, _)| number).collect(), seed)
    }

    /// Returns the links that notify neighbours, which relay the notifications, if these neighbours notify a cache over links of `telling`.
    pub(super) fn telling_neighbours(&self, graph: &Graph, telling: &[usize]) -> Vec<usize> {
        let from = |link: &usize| graph.links()[*link].from;
        let neighbours: BTreeSet<NodeId> = telling.iter().map(from).filter(|node| !graph.is_host(*node)).collect();
        let leads = |link: &LinkSpec| self.relay && neighbours.contains(&link.to) && self.tells(link.from);
        (0..).zip(graph.links()).filter(|(_, link)| leads(link)).map(|(number, _)| number).collect()
    }

    /// Returns the settings of notifications of a port with `queues` queues.
    pub(super) fn announcer(&self, rate: Rate, queues: usize) -> AnnouncerSpec {
        AnnouncerSpec { rate, classes: queues, ..self.announcer }
    }

    /// Returns a cache that ports of these rates notify.
    pub(super) fn cache(&self, cache: StateCacheSpec, rates: Vec<Rate>, changes: &[(Time, Change)]) -> SeerSpec {
        let loses = |change: &Change| match change {
            Change::Down(_) => true,
            Change::Loss(_, probability) => *probability > 0.0,
            Change::Up(_) | Change::Rate(..) => false,
        };
        let patience = if self.impairments.jitter > Duration::ZERO {
            Some(PATIENCE_IF_LATE)
        } else if self.relay || changes.iter().any(|(_, change)| loses(change)) {
            Some(PATIENCE)
        } else {
            None
        };
        SeerSpec {
            list_capacity: self.list,
            after_failure: self.after_failure,
            to_x: self.to_x,
            unannounced: self.unannounced,
            admit: self.admit,
            enters: self.enters,
            after_eviction: self.after_eviction,
            horizon: self.horizon,
            patience: self.patience.unwrap_or(patience),
            ..SeerSpec::of(cache, rates, self.pace)
        }
    }
}

/// The fields that say how ports notify.
fn announcer(table: &Table<'_>) -> Result<AnnouncerSpec> {
    let default = AnnouncerSpec::default();
    let control_bytes = table.get("control_bytes").map(|node| node.integer("control_bytes", 1, 65_535)).transpose()?;
    let spec = AnnouncerSpec {
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
    };
    let room = u64::from(spec.control_bytes.saturating_sub(CONTROL_OVERHEAD) * 8 / FPM_BITS);
    if let Some(node) = table.get("control_bytes").or(table.get("per_control"))
        && spec.per_control as u64 > room
    {
        return Err(node.error(format!(
            "{} notifications of {FPM_BITS} bits do not fit into `control_bytes` = {}, of which {CONTROL_OVERHEAD} B are header and checksum; \
             there is room for {room}",
            spec.per_control, spec.control_bytes
        )));
    }
    Ok(spec)
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
    node.integer(key, least, MOST_FPMS).map(index)
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

/// Reads the speed of the manager.
fn pace(table: &Table<'_>) -> Result<Pace> {
    match (table.get("clock"), table.get("iteration")) {
        (Some(_), Some(node)) => {
            Err(node.error("`iteration` cannot stand beside `clock`, which already sets the time of an iteration"))
        }
        (Some(node), None) => Ok(Pace::Cycle(cycle(node)?)),
        (None, Some(node)) => Ok(Pace::Iteration(quantity(node, "iteration", Duration::parse)?)),
        (None, None) => Ok(SeerPlan::default().pace),
    }
}

/// Reads the length of a clock cycle.
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

/// Returns the nodes that words name, hosts and switches; `*` matches any letters. Each word names a neighbour of a cache, or of such a
/// neighbour, if these `relay`.
fn tellers(node: &Node, graph: &Graph, at: &[NodeId], relay: bool) -> Result<Vec<NodeId>> {
    let next_to = |is_there: &dyn Fn(&NodeId) -> bool| {
        let links = graph.links().iter().filter(|link| is_there(&link.to));
        links.map(|link| link.from).collect::<BTreeSet<NodeId>>()
    };
    let mut neighbours = next_to(&|node| at.contains(node));
    if relay {
        let switches: BTreeSet<NodeId> = neighbours.iter().copied().filter(|node| !graph.is_host(*node)).collect();
        neighbours.extend(next_to(&|node| switches.contains(node)));
    }
    let mut found = Vec::new();
    for word in node.text("from")?.split_whitespace() {
        let named = (0..).zip(graph.nodes()).filter(|(_, spec)| is_meant(word, &spec.name));
        let named: Vec<NodeId> = named.map(|(number, _)| NodeId(number)).collect();
        if named.is_empty() {
            return Err(wrong_name(node, "node", word, graph.nodes().iter().map(|spec| spec.name.as_str())));
        }
        let before = found.len();
        found.extend(named.iter().filter(|named| neighbours.contains(named)));
        if found.len() == before {
            return Err(no_neighbour(node, word, graph, &neighbours, relay));
        }
    }
    if found.is_empty() {
        return Err(node.error("`from` names no node; write for example from = \"spine* h*\", or leave it out for all"));
    }
    Ok(found)
}

/// That a node has no link to any cache.
fn no_neighbour(node: &Node, word: &str, graph: &Graph, neighbours: &BTreeSet<NodeId>, relay: bool) -> UserError {
    const MOST_SHOWN: usize = 8;
    let names: Vec<String> =
        neighbours.iter().take(MOST_SHOWN).map(|node| format!("`{}`", graph.nodes()[node.index()].name)).collect();
    let more = if neighbours.len() > MOST_SHOWN { ", ..." } else { "" };
    let to = if relay { ", nor to a neighbour of one" } else { "" };
    node.error(format!(
        "`{word}` has no link to a node with these states{to}, so it has nothing to notify; nodes with such a link are {}{more}",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn patience_is_as_long_as_what_may_be_expected_in_vain_requires() {
        let patience = |fields: &str, changes: &[(Time, Change)]| {
            let seer = Node::parse("s", fields).unwrap();
            let plan = SeerPlan::read(&seer, &Graph::default(), &[]).unwrap();
            let cache = StateCacheSpec { entries: 8, ways: None, latency: 1, parallel: None, seed: Seed(1) };
            plan.cache(cache, Vec::new(), changes).patience
        };
        let us = |us| Some(Duration::from_us(us));
        let down = [(Time::ZERO, Change::Down(0))];
        assert_eq!(patience("loss = 0.5\nclock_rate = 2", &[]), None);
        assert_eq!(
            [patience("", &down), patience("relay = true", &[]), patience("list = 9", &[])],
            [us(10), us(10), None]
        );
        assert_eq!([patience("jitter = \"1 ns\"", &[]), patience("jitter = \"1 ns\"", &down)], [us(1); 2]);
        assert_eq!(patience("jitter = \"1 ns\"\npatience = \"3 us\"", &[]), us(3));
        assert_eq!(patience("jitter = \"1 ns\"\npatience = \"none\"", &down), None);
    }
}
