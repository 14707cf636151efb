//! Topologies in htsim's format for fat trees. First come the numbers of hosts, of tiers, and of hosts in a pod. Then, for each tier from
//! the switches of racks (0) up, come its ports, the rate and delay of the links below it, and its own delay.
//!
//! ```text
//! Nodes 32
//! Tiers 2
//! Podsize 32
//! Tier 0
//! Downlink_speed_Gbps 100
//! Radix_Down 8
//! Radix_Up 2
//! Downlink_Latency_ns 1000
//! Oversubscribed 4
//! Tier 1
//! Downlink_speed_Gbps 100
//! Radix_Down 4
//! Downlink_Latency_ns 1000
//! ```
//!
//! Every switch of a tier is connected with every one of the next in its pod; the core switches of three tiers, with one switch of each
//! pod. `Bundle` links of a tier lead to the same switch below. `Oversubscribed` has no effect of its own, and must fit the ports and
//! rates. The delay of a switch is added to the links that lead to it. Hosts are called `h0`, `h1` and so on.

use super::topology_parts::TopologyFileError;
use crate::net::graph::{Graph, NodeId};
use forebay_core::{Duration, Rate};
use std::collections::BTreeMap;

/// The fields of a tier, in lower case, and their spelling.
const FIELDS: [(&str, &str); 7] = [
    ("downlink_speed_gbps", "Downlink_speed_Gbps"),
    ("downlink_latency_ns", "Downlink_Latency_ns"),
    ("radix_down", "Radix_Down"),
    ("radix_up", "Radix_Up"),
    ("switch_latency_ns", "Switch_Latency_ns"),
    ("oversubscribed", "Oversubscribed"),
    ("bundle", "Bundle"),
];
const HEAD: [&str; 3] = ["nodes", "tiers", "podsize"];
/// More are a mistake, for which no memory is taken.
const MOST_LINKS: u64 = 10_000_000;

/// Whether this is the first line with content of such a file.
pub(super) fn is_htsim(first: &str) -> bool {
    first.split_whitespace().next().is_some_and(|word| HEAD.contains(&word.to_lowercase().as_str()))
}

/// The numbers that have been read, with their lines.
#[derive(Default)]
pub(super) struct Htsim {
    head: BTreeMap<String, (u64, u64)>,
    tiers: BTreeMap<u64, Tier>,
    current: Option<u64>,
}

/// A tier: its line and its fields.
#[derive(Default)]
struct Tier {
    line: u64,
    fields: BTreeMap<&'static str, (u64, u64)>,
}

impl Tier {
    fn get(&self, field: &'static str) -> Option<u64> {
        self.fields.get(field).map(|&(value, _)| value)
    }

    /// A number above 0 that must be there.
    fn need(&self, number: u64, field: &'static str) -> Result<u64, TopologyFileError> {
        match self.fields.get(field) {
            Some(&(0, line)) => Err(TopologyFileError::at(line, format!("`{}` must be 1 or more", written(field)))),
            Some(&(value, _)) => Ok(value),
            None => Err(TopologyFileError::at(
                self.line,
                format!("tier {number} has no `{}`; write it below", written(field)),
            )),
        }
    }
}

fn written(field: &str) -> &'static str {
    FIELDS.iter().find(|(small, _)| *small == field).map_or("", |(_, written)| written)
}

impl Htsim {
    /// Takes a line with content.
    pub(super) fn line(&mut self, line: u64, text: &str) -> Result<(), TopologyFileError> {
        let [name, value] = text.split_whitespace().collect::<Vec<_>>()[..] else {
            let why = format!(
                "a line of a topology of htsim has a name and a number, such as `Radix_Up 8`, and not `{text}`"
            );
            return Err(TopologyFileError::at(line, why));
        };
        let value: u64 = value
            .parse()
            .map_err(|_| TopologyFileError::at(line, format!("`{name}` takes a whole number, and not `{value}`")))?;
        let small = name.to_lowercase();
        if small == "tier" {
            self.current = Some(value);
            let tier = Tier { line, fields: BTreeMap::new() };
            let before = self.tiers.insert(value, tier);
            return before.map_or(Ok(()), |_| {
                Err(TopologyFileError::at(line, format!("tier {value} is already defined above")))
            });
        }
        let twice = |first: u64| Err(TopologyFileError::at(line, format!("`{name}` is already on line {first}")));
        if let Some(tier) = self.current.and_then(|number| self.tiers.get_mut(&number)) {
            let Some(&(field, _)) = FIELDS.iter().find(|(known, _)| *known == small) else {
                let known = FIELDS.map(|(_, written)| written).join(", ");
                let why = format!(
                    "`{name}` is not supported; a tier has {known}; buffers and queues are those of the policy in the \
                     scenario, so remove this line"
                );
                return Err(TopologyFileError::at(line, why));
            };
            return tier.fields.insert(field, (value, line)).map_or(Ok(()), |(_, first)| twice(first));
        }
        if !HEAD.contains(&small.as_str()) {
            let why = format!("`{name}` cannot stand before the first `Tier`; write Nodes, Tiers and Podsize there");
            return Err(TopologyFileError::at(line, why));
        }
        self.head.insert(small, (value, line)).map_or(Ok(()), |(_, first)| twice(first))
    }

    /// The network.
    pub(super) fn finish(self) -> Result<Graph, TopologyFileError> {
        let head = |name: &str| match self.head.get(name) {
            Some(&(value, line)) if value > 0 => Ok((value, line)),
            Some(&(_, line)) => Err(TopologyFileError::at(line, format!("`{name}` must be 1 or more"))),
            None => Err(TopologyFileError::at(1, format!("there is no `{name}`; write it above the first `Tier`"))),
        };
        let ((hosts, hosts_line), (tiers, tiers_line), (pod, pod_line)) =
            (head("nodes")?, head("tiers")?, head("podsize")?);
        if !(2..=3).contains(&tiers) {
            return Err(TopologyFileError::at(tiers_line, format!("`Tiers` must be 2 or 3, not {tiers}")));
        }
        if let Some((number, tier)) = self.tiers.iter().find(|(number, _)| **number >= tiers) {
            return Err(TopologyFileError::at(
                tier.line,
                format!("there is no tier {number}, since line {tiers_line} has {tiers} tiers"),
            ));
        }
        if hosts > Graph::MAX_HOSTS as u64 {
            let why = format!("{hosts} hosts are more than the {} that a network may have", Graph::MAX_HOSTS);
            return Err(TopologyFileError::at(hosts_line, why));
        }
        // With two tiers all switches of racks are connected with all of the second, whatever the pods.
        let pod = if tiers == 2 { hosts } else { pod };
        if !hosts.is_multiple_of(pod) {
            return Err(TopologyFileError::at(
                pod_line,
                format!("{hosts} hosts make no whole number of pods with {pod} each"),
            ));
        }
        let tiers: Vec<Level> = (0..tiers)
            .map(|number| Level::new(number, number + 1 == tiers, self.tiers.get(&number), tiers_line))
            .collect::<Result<_, _>>()?;
        build(&Shape::new(hosts, pod, &tiers)?, &tiers)
    }
}

/// A tier, with the numbers that matter.
struct Level {
    line: u64,
    down: u64,
    up: u64,
    bundle: u64,
    /// The rate of the links below.
    rate: Rate,
    gbps: u64,
    oversubscribed: Option<(u64, u64)>,
    /// The delay of the links below.
    delay: Duration,
    own_delay: Duration,
}

impl Level {
    fn new(number: u64, is_last: bool, tier: Option<&Tier>, tiers_line: u64) -> Result<Self, TopologyFileError> {
        let Some(tier) = tier else {
            return Err(TopologyFileError::at(
                tiers_line,
                format!("there is no `Tier {number}`; write it below, with its ports and links"),
            ));
        };
        let time = |field: &'static str, ns: u64| {
            let line = tier.fields.get(field).map_or(tier.line, |&(_, line)| line);
            Duration::parse(&format!("{ns} ns")).map_err(|error| TopologyFileError::at(line, error.to_string()))
        };
        let gbps = tier.need(number, "downlink_speed_gbps")?;
        let rate = Rate::parse(&format!("{gbps} Gbps"))
            .map_err(|error| TopologyFileError::at(tier.line, error.to_string()))?;
        Ok(Self {
            line: tier.line,
            down: tier.need(number, "radix_down")?,
            up: if is_last { 0 } else { tier.need(number, "radix_up")? },
            bundle: if tier.get("bundle").is_some() { tier.need(number, "bundle")? } else { 1 },
            rate,
            gbps,
            oversubscribed: tier.fields.get("oversubscribed").copied(),
            delay: time("downlink_latency_ns", tier.need(number, "downlink_latency_ns")?)?,
            own_delay: time("switch_latency_ns", tier.get("switch_latency_ns").unwrap_or(0))?,
        })
    }
}

/// The numbers of switches.
struct Shape {
    hosts: u64,
    pods: u64,
    racks_per_pod: u64,
    aggs_per_pod: u64,
    cores: u64,
}

impl Shape {
    fn new(hosts: u64, pod: u64, tiers: &[Level]) -> Result<Self, TopologyFileError> {
        let whole = |a: u64, b: u64, line: u64, why: String| {
            if a.is_multiple_of(b) { Ok(a / b) } else { Err(TopologyFileError::at(line, why)) }
        };
        let same = |found: u64, needed: u64, line: u64, why: String| {
            if found == needed { Ok(()) } else { Err(TopologyFileError::at(line, why)) }
        };
        let (rack, agg) = (&tiers[0], &tiers[1]);
        same(rack.bundle, 1, rack.line, "a host has one link; remove the `Bundle` from tier 0".to_owned())?;
        let pods = hosts / pod;
        let racks_per_pod = whole(
            pod,
            rack.down,
            rack.line,
            format!("{pod} hosts make no whole number of racks with {} each", rack.down),
        )?;
        let aggs_per_pod = whole(
            rack.up,
            agg.bundle,
            rack.line,
            format!("{} uplinks make no whole number of bundles with {} each", rack.up, agg.bundle),
        )?;
        let needed = racks_per_pod.saturating_mul(agg.bundle);
        let why = format!(
            "{racks_per_pod} switches of tier 0 need {needed} ports below each one of tier 1, and `Radix_Down` is {}",
            agg.down
        );
        same(agg.down, needed, agg.line, why)?;
        let mut cores = 0;
        if let Some(core) = tiers.get(2) {
            let bundles = format!("{} uplinks make no whole number of bundles with {} each", agg.up, core.bundle);
            cores = whole(agg.up, core.bundle, agg.line, bundles)?.saturating_mul(aggs_per_pod);
            let needed = pods.saturating_mul(core.bundle);
            let why =
                format!("{pods} pods need {needed} ports below each core switch, and `Radix_Down` is {}", core.down);
            same(core.down, needed, core.line, why)?;
        }
        for (below, above) in tiers.iter().zip(&tiers[1..]) {
            let (named, line) = below.oversubscribed.unwrap_or((1, below.line));
            let [down, up] = [(below.down, below.gbps), (below.up, above.gbps)]
                .map(|(ports, gbps)| u128::from(ports) * u128::from(gbps));
            if down != up * u128::from(named) {
                let why = format!(
                    "{down} Gbps go down from this switch and {up} up, which is not `Oversubscribed {named}`; change the one \
                     or the other"
                );
                return Err(TopologyFileError::at(line, why));
            }
        }
        let shape = Self { hosts, pods, racks_per_pod, aggs_per_pod, cores };
        let links = [
            hosts,
            pods.saturating_mul(racks_per_pod).saturating_mul(rack.up),
            pods.saturating_mul(aggs_per_pod).saturating_mul(agg.up),
        ];
        let switches = pods.saturating_mul(racks_per_pod.saturating_add(aggs_per_pod)).saturating_add(cores);
        if links.into_iter().fold(0, u64::saturating_add) > MOST_LINKS || switches > Graph::MAX_SWITCHES as u64 {
            let why = format!(
                "this needs {switches} switches, and a network has at most {} and {MOST_LINKS} links",
                Graph::MAX_SWITCHES
            );
            return Err(TopologyFileError::at(1, why));
        }
        Ok(shape)
    }
}

/// Numbers that [`Shape::new`] has bounded.
fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn build(shape: &Shape, tiers: &[Level]) -> Result<Graph, TopologyFileError> {
    let mut graph = Graph::default();
    let per_rack = count(tiers[0].down);
    let hosts: Vec<NodeId> = (0..count(shape.hosts))
        .map(|host| graph.add_host(format!("h{host}"), u32::try_from(host / per_rack).unwrap_or(u32::MAX)))
        .collect();
    let mut switches = |name: &str, number: u64| -> Vec<NodeId> {
        (0..number).map(|at| graph.add_switch(format!("{name}{at}"))).collect()
    };
    let racks = switches("rack", shape.pods * shape.racks_per_pod);
    let aggs = switches("agg", shape.pods * shape.aggs_per_pod);
    let cores = switches("core", shape.cores);
    let mut connect = |below: NodeId, above: NodeId, tier: usize| {
        // What a packet waits in a switch, it waits on the link that leads there.
        let down = tiers[tier].delay + tier.checked_sub(1).map_or(Duration::ZERO, |below| tiers[below].own_delay);
        let up = tiers[tier].delay + tiers[tier].own_delay;
        for _ in 0..tiers[tier].bundle {
            graph.connect_each_way(below, above, tiers[tier].rate, [up, down]);
        }
    };
    for (rack, hosts) in racks.iter().zip(hosts.chunks(per_rack)) {
        hosts.iter().for_each(|host| connect(*host, *rack, 0));
    }
    let aggs_per_pod = count(shape.aggs_per_pod);
    for (racks, aggs) in racks.chunks(count(shape.racks_per_pod)).zip(aggs.chunks(aggs_per_pod)) {
        for rack in racks {
            aggs.iter().for_each(|agg| connect(*rack, *agg, 1));
        }
        for (place, agg) in aggs.iter().enumerate() {
            cores.iter().skip(place).step_by(aggs_per_pod).for_each(|core| connect(*agg, *core, 2));
        }
    }
    graph.check().map_err(TopologyFileError::Graph)?;
    Ok(graph)
}
