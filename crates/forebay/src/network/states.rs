//! States in nodes: `[[state]]`.

use super::seer_plan::SeerPlan;
use super::state_key;
use super::state_policy::StatePolicy;
use super::state_store::StorePlan;
use super::topology::Topology;
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use crate::scenario::label;
use forebay_cache::{StateCache, StateCacheSpec};
use forebay_core::Seed;
use forebay_core::registry::suggest;
use forebay_sim::net::{AskedOf, Graph, NodeId, Waits};

/// Entries of all caches of a scenario at most: each takes some 100 bytes.
const MOST_ENTRIES: u64 = 50_000_000;
/// Above this, a message does not list all names.
const MAX_NAMES_LISTED: usize = 16;
const DEFAULT_WAYS: u64 = 8;
/// The name of all states together in results.
pub(super) const ALL: &str = "all";

/// States of one kind, and the caches that hold them.
#[derive(Debug, Clone)]
pub(super) struct StatePlan {
    pub(super) name: String,
    /// The switches and hosts that have such a cache.
    pub(super) nodes: Vec<NodeId>,
    pub(super) asked: AskedOf,
    pub(super) capacity: Capacity,
    /// The entries of a set; [`None`] if each cache is one set.
    pub(super) ways: Option<u64>,
    pub(super) policy: StatePolicy,
    /// The notification of the cache about packets, if the policy uses notifications.
    pub(super) seer: SeerPlan,
    /// The place of this field in the scenario.
    pub(super) seer_place: Option<Node>,
    pub(super) store: StorePlan,
    pub(super) waits: Waits,
    pub(super) waiting_packets: Option<u32>,
    /// Whether the state of a packet that waits behind another one is fetched in the meantime.
    pub(super) lookahead: bool,
    /// Whether Belady's algorithm replays the accesses.
    pub(super) optimum: bool,
}

/// The capacity of a cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Capacity {
    Entries(u64),
    /// A share of the states that pass its node.
    OfNode(f64),
    /// A share of all states of the run.
    OfNetwork(f64),
    /// A share of the most states of its node that are alive at once.
    OfAlive(f64),
}

impl StatePlan {
    /// Reads all tables.
    pub(super) fn read_all(list: Option<&Node>, topology: &Topology) -> Result<Vec<Self>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let Value::Array(items) = &list.value else {
            return Err(list.error("states are a list: write [[state]] with two brackets"));
        };
        let mut plans = Vec::<Self>::new();
        for node in items {
            let plan = Self::read(node, &topology.graph, &plans)?;
            if plans.iter().any(|earlier| earlier.name == plan.name) {
                let message = format!("there are two [[state]] called `{}`; give one a `name`", plan.name);
                return Err(node.error(message));
            }
            plans.push(plan);
        }
        Ok(plans)
    }

    fn read(node: &Node, graph: &Graph, earlier: &[Self]) -> Result<Self> {
        let table = node.table("[[state]]")?;
        let at = table.require("at", "at = \"leaf*\"")?;
        let nodes = places(at, graph)?;
        let key = state_key::read(&table)?;
        let name = match table.get("name") {
            None => format!("{} at {}", key.name(), at.text("at")?),
            Some(node) => match label(node)? {
                name if name == ALL => {
                    return Err(node.error("`all` is the name of all of them together; use another name"));
                }
                name => name,
            },
        };
        let ways = table.get("ways");
        let capacity_node = table.require("capacity", "capacity = \"20 %\"` or `capacity = 1024")?;
        let capacity = capacity(capacity_node, table.get("of"))?;
        let sets = ways.map_or(Ok(Some(DEFAULT_WAYS)), self::ways)?;
        if let Capacity::Entries(entries) = capacity {
            let all = entries.saturating_mul(nodes.len() as u64);
            if all > MOST_ENTRIES {
                return Err(capacity_node.error(format!(
                    "{} caches of {entries} entries have {all} entries; the most is {MOST_ENTRIES}",
                    nodes.len()
                )));
            }
            if let Some(sets) = sets.filter(|ways| *ways > entries) {
                return Err(ways.unwrap_or(capacity_node).error(format!(
                    "a set of {sets} ways does not fit into {entries} entries; take `ways = {entries}`, or \"full\" for one set"
                )));
            }
        }
        let policy_node = table.require("policy", "policy = \"lru\"")?;
        let boolean = |name, default| table.get(name).map_or(Ok(default), |node: &Node| node.boolean(name));
        let integer = |name, min, max| {
            let number = table.get(name).map(|node: &Node| node.integer(name, min, max)).transpose();
            number.map(|number| {
                number.map(|number| u32::try_from(number).expect("the greatest that is asked for has 32 bits"))
            })
        };
        let seer = table.get("seer");
        let seer_plan = seer.map_or_else(|| Ok(SeerPlan::default()), |node| SeerPlan::read(node, graph, &nodes))?;
        let store = StorePlan::read(&table, graph, &nodes)?;
        let plan = Self {
            name,
            nodes,
            asked: AskedOf { key, acknowledgements: boolean("acknowledgements", true)? },
            capacity,
            ways: sets,
            policy: StatePolicy::read(policy_node)?,
            seer: seer_plan,
            seer_place: seer.cloned(),
            store,
            waits: table.get("waits").map_or(Ok(Waits::default()), waits)?,
            waiting_packets: integer("waiting_packets", 0, u64::from(u32::MAX))?,
            lookahead: boolean("lookahead", false)?,
            optimum: boolean("optimum", false)?,
        };
        if let Some(node) = table.get("lookahead").filter(|_| plan.lookahead && plan.waits != Waits::Link) {
            return Err(node.error(format!(
                "with `waits = \"packet\"` no packet of `{}` waits behind another one; write waits = \"link\"",
                plan.name
            )));
        }
        if let Some(node) = table.get("optimum").filter(|_| plan.optimum && plan.store.varies()) {
            return Err(node.error(
                "the optimum needs fetches that all take the same time; leave the optimum out, or use one `latency` and no `store`",
            ));
        }
        table.finish()?;
        plan.check(&plan.policy, policy_node)?;
        plan.check_beside(earlier, &table, graph)?;
        Ok(plan)
    }

    /// Rejects states of a node that disagree on how its packets wait.
    fn check_beside(&self, earlier: &[Self], table: &Table<'_>, graph: &Graph) -> Result<()> {
        for other in earlier {
            let Some(both) = self.shared_node(other) else { continue };
            let differs = [
                ("waits", self.waits != other.waits),
                ("waiting_packets", self.waiting_packets != other.waiting_packets),
            ];
            if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
                let place = table.get(field).or(table.get("at"));
                let message = format!(
                    "`{}` and `{}` are both at `{}`, where a packet waits for all of its states together; give both the same `{field}`",
                    other.name,
                    self.name,
                    graph.nodes()[both.index()].name
                );
                return Err(place.map_or_else(|| UserError::new(&message), |node| node.error(&message)));
            }
        }
        Ok(())
    }

    /// Returns a node that has the states of both plans.
    pub(super) fn shared_node(&self, other: &Self) -> Option<NodeId> {
        self.nodes.iter().find(|node| other.is_at(**node)).copied()
    }

    /// Returns whether the size of the caches depends on the end times of flows.
    pub(super) fn is_of_alive(&self) -> bool {
        matches!(self.capacity, Capacity::OfAlive(_))
    }

    /// Returns whether a node has these states.
    pub(super) fn is_at(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Rejects a policy that cannot be used for these caches.
    pub(super) fn check(&self, policy: &StatePolicy, place: &Node) -> Result<()> {
        if policy.choice.offline() && self.store.varies() {
            return Err(place.error(format!(
                "`{policy}` must know when fetches end, but those of `{}` take different times; use another policy, or one `latency` and \
                 no `store`",
                self.name
            )));
        }
        // Its sets are as large as those of the run.
        let entries = match (self.ways, self.capacity) {
            (Some(ways), _) => ways,
            (None, Capacity::Entries(entries)) => entries,
            (None, _) => DEFAULT_WAYS,
        };
        let built = StateCache::new(&StateCacheSpec { entries, ..self.cache(0, Seed(0)) }, &policy.choice);
        built.map(|_| ()).map_err(|error| place.error(error.to_string()))
    }

    /// Returns a cache for `entries` entries, rounded to a whole number of sets, and at least one.
    pub(super) fn cache(&self, entries: u64, seed: Seed) -> StateCacheSpec {
        let entries = match self.ways {
            Some(ways) => (entries / ways).max(1) * ways,
            None => entries.max(1),
        };
        StateCacheSpec {
            entries,
            ways: self.ways,
            latency: self.store.latency.as_ps(),
            parallel: self.store.parallel,
            seed,
        }
    }
}

fn waits(node: &Node) -> Result<Waits> {
    match node.text("waits")? {
        "packet" => Ok(Waits::Packet),
        "link" => Ok(Waits::Link),
        other => Err(node.error(format!(
            "`waits` must be \"packet\" (others overtake it) or \"link\" (all packets behind it on its link wait, too), not \"{other}\""
        ))),
    }
}

fn ways(node: &Node) -> Result<Option<u64>> {
    match &node.value {
        Value::Text(text) if text == "full" => Ok(None),
        Value::Text(_) => {
            Err(node.error("`ways` is how many entries a set has, for example 8, or \"full\" for one set"))
        }
        _ => node.integer("ways", 1, MOST_ENTRIES).map(Some),
    }
}

fn capacity(node: &Node, of: Option<&Node>) -> Result<Capacity> {
    const ADVICE: &str = "a number of entries, such as 1024, or a share of the states, such as \"20 %\"";
    let of_share: fn(f64) -> Capacity = match of.map(|of| of.text("of")).transpose()? {
        None | Some("node") => Capacity::OfNode,
        Some("network") => Capacity::OfNetwork,
        Some("alive") => Capacity::OfAlive,
        Some(other) => {
            let message = format!(
                "`of` must be \"node\" (the states that pass the switch), \"alive\" (the most of these that are alive at once) or \
                 \"network\" (all of the run), not \"{other}\""
            );
            return Err(of.unwrap_or(node).error(message));
        }
    };
    match (&node.value, of) {
        (Value::Integer(_), Some(of)) => Err(of.error("`of` needs a share, such as capacity = \"20 %\"")),
        (Value::Integer(_), None) => Ok(Capacity::Entries(node.integer("capacity", 1, MOST_ENTRIES)?)),
        (Value::Text(text), _) => {
            let share = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
            let share = share.ok_or_else(|| node.error(format!("`capacity` is {ADVICE}, not \"{text}\"")))?;
            if !(share > 0.0 && share <= 100.0) {
                return Err(node.error(format!("`capacity` is a share above 0 % and up to 100 %, not {share} %")));
            }
            Ok(of_share(share / 100.0))
        }
        _ => Err(node.error(format!("`capacity` is {ADVICE}"))),
    }
}

/// Returns the nodes that words name; `*` matches any letters. A word that names switches names no hosts.
fn places(node: &Node, graph: &Graph) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    for word in node.text("at")?.split_whitespace() {
        let (mut hosts, before) = (Vec::new(), found.len());
        for (number, _) in (0..).zip(graph.nodes()).filter(|(_, spec)| is_meant(word, &spec.name)) {
            let id = NodeId(number);
            if graph.is_host(id) {
                hosts.push(id);
            } else {
                found.push(id);
            }
        }
        if found.len() == before {
            found.extend(hosts);
        }
        if found.len() == before {
            return Err(wrong_name(node, "node", word, graph.nodes().iter().map(|spec| spec.name.as_str())));
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return Err(node.error("`at` names no node; write for example at = \"leaf*\", or \"leaf0 h1\""));
    }
    Ok(found)
}

/// Returns the error that nothing of a kind has this name.
pub(super) fn wrong_name<'a>(node: &Node, kind: &str, word: &str, names: impl Iterator<Item = &'a str>) -> UserError {
    let names: Vec<&str> = names.collect();
    let hint = match names.first() {
        Some(example) if names.len() > MAX_NAMES_LISTED => format!("; there are names like `{example}`"),
        _ => suggest(word, names.iter().copied()),
    };
    node.error(format!("there is no {kind} `{word}`{hint}"))
}

/// Returns whether a name matches a word in which `*` matches any letters, or none.
pub(super) fn is_meant(word: &str, name: &str) -> bool {
    let Some((first, rest)) = word.split_once('*') else { return word == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (word, name, expected) in [
            ("leaf0", "leaf0", true),
            ("leaf", "leaf0", false),
            ("leaf*", "leaf0", true),
            ("*", "x", true),
            ("*0", "leaf10", true),
            ("l*f*", "leaf1", true),
            ("l*a*1", "leaf1", true),
            ("l*z*1", "leaf1", false),
            ("leaf1*1", "leaf1", false),
        ] {
            assert_eq!(is_meant(word, name), expected, "{word} {name}");
        }
    }

    #[test]
    fn capacities_are_whole_sets() {
        let topology = Topology::read(
            &Node::parse("s", "name = \"star\"\nhosts = 3").unwrap(),
            &crate::scenario::Beside(std::path::Path::new("s")),
        )
        .unwrap();
        let read = |fields: &str| {
            let text = format!("[[state]]\nat = \"switch\"\nkey = \"flow\"\npolicy = \"lru\"\n{fields}");
            let document = Node::parse("s", &text).unwrap();
            let plans = StatePlan::read_all(document.table("s").unwrap().get("state"), &topology).unwrap();
            move |entries| plans[0].cache(entries, Seed(0)).entries
        };
        let eight = read("capacity = 20");
        assert_eq!([0, 7, 20, 24].map(eight), [8, 8, 16, 24]);
        let full = read("capacity = \"20 %\"\nways = \"full\"");
        assert_eq!([0, 7].map(full), [1, 7]);
    }
}
