//! The table `[network]`: topology, times and reports.

use super::recorded::Recorded;
use super::run_result::Completion;
use super::topology::Topology;
use super::{limits, links};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::{positive, quantity};
use forebay_core::units::parse_bytes;
use forebay_core::{Duration, Time};
use forebay_sim::net::{Graph, Pace, Sampling, SharedBuffer};
use std::sync::Arc;

/// Limits of size classes where nothing is said.
const DEFAULT_SIZE_CLASSES: [u64; 2] = [100_000, 1_000_000];
/// The maximum number of limits of size classes.
const MAX_SIZE_CLASSES: usize = 16;

/// The settings of `[network]`.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) topology: Arc<Topology>,
    /// The time within which flows start.
    pub(super) duration: Option<Duration>,
    pub(super) counted_from: Time,
    /// The end of the counted window; [`Time::MAX`] without a duration.
    pub(super) counted_until: Time,
    /// The latest end of the run, if it is given.
    pub(super) until: Option<Time>,
    pub(super) completion: Completion,
    pub(super) size_classes: Vec<u64>,
    pub(super) shared_buffer: Option<SharedBuffer>,
    pub(super) reroute_after: Duration,
    pub(super) pace: Pace,
    pub(super) sampling: Option<Sampling>,
    /// The links at whose tail inversions are counted.
    pub(super) inversions: Vec<usize>,
}

impl Settings {
    pub(super) fn read(node: &Node, topology_of: impl Fn(&Node) -> Result<Arc<Topology>>) -> Result<Self> {
        let table = node.table("[network]")?;
        let example = "topology = { name = \"star\", hosts = 8 }";
        let topology = topology_of(table.require("topology", example)?)?;
        let length =
            |key, what| table.get(key).map_or(Ok(Duration::ZERO), |node| quantity(node, what, Duration::parse));
        let (warmup, cooldown) = (length("warmup", "warmup")?, length("cooldown", "cooldown")?);
        let of_recording = topology.recorded.as_ref().map(Recorded::duration);
        let duration = table.get("duration").map(|node| positive(node, "duration")).transpose()?.or(of_recording);
        let at = table.get("cooldown").or_else(|| table.get("warmup")).unwrap_or(node);
        let counted_until = match duration {
            Some(duration) if warmup.as_ps().saturating_add(cooldown.as_ps()) >= duration.as_ps() => {
                return Err(at.error(format!(
                    "`warmup` and `cooldown` take all of the `duration` of {duration}; make them shorter"
                )));
            }
            Some(duration) => Time::ZERO + (duration - cooldown),
            None if cooldown > Duration::ZERO => {
                return Err(at.error("`cooldown` is the end of `duration`; add for example `duration = \"1 s\"`"));
            }
            None => Time::MAX,
        };
        let until_node = table.get("until");
        let until = until_node.map(|node| positive(node, "until").map(|until| Time::ZERO + until)).transpose()?;
        if let (Some(node), Some(until)) = (until_node, until)
            && until <= Time::ZERO + warmup
        {
            return Err(node.error("`until` ends the run before the `warmup` is over; set `until` later"));
        }
        let settings = Self {
            duration,
            counted_from: Time::ZERO + warmup,
            counted_until: until.map_or(counted_until, |until| until.min(counted_until)),
            until,
            completion: table.get("completion").map_or(Ok(Completion::Received), completion)?,
            size_classes: table.get("size_classes").map_or(Ok(DEFAULT_SIZE_CLASSES.to_vec()), size_classes)?,
            shared_buffer: table.get("shared_buffer").map(shared_buffer).transpose()?,
            reroute_after: length("reroute_after", "reroute_after")?,
            pace: table.get("pace").map_or(Ok(Pace::Own), pace)?,
            inversions: table.get("inversions").map_or(Ok(Vec::new()), |node| inversions(node, &topology.graph))?,
            sampling: table.get("series").map(|node| sampling(node, &topology.graph)).transpose()?,
            topology,
        };
        if let (Some(node), Some(sampling)) = (table.get("series"), &settings.sampling) {
            let series = sampling.links.len() + 2 * sampling.flows.len();
            limits::check_series(node, sampling.every, series, settings.length())?;
        }
        table.finish()?;
        Ok(settings)
    }

    /// Returns the time in which flows start, or the length of the run, if the scenario states it.
    pub(super) fn length(&self) -> Option<Time> {
        self.until.or_else(|| self.duration.map(|duration| Time::ZERO + duration))
    }
}

fn completion(node: &Node) -> Result<Completion> {
    match node.text("completion")? {
        "received" => Ok(Completion::Received),
        "acknowledged" => Ok(Completion::Acknowledged),
        other => Err(node.error(format!(
            "`completion` must be \"received\" (the receiver has every byte) or \"acknowledged\" (the sender knows it), not \
             \"{other}\""
        ))),
    }
}

fn pace(node: &Node) -> Result<Pace> {
    match node.text("pace")? {
        "own" => Ok(Pace::Own),
        "predecessor" => Ok(Pace::Predecessor),
        other => Err(node.error(format!(
            "`pace` must be \"own\" (the time of a packet's own bytes) or \"predecessor\" (after a wait, the time of the packet before it, \
             as in a published simulator), not \"{other}\""
        ))),
    }
}

fn size_classes(node: &Node) -> Result<Vec<u64>> {
    let Value::Array(items) = &node.value else {
        return Err(node.error("`size_classes` must be a list of limits: size_classes = [\"100 KB\", \"1 MB\"]"));
    };
    if items.len() > MAX_SIZE_CLASSES {
        return Err(node.error(format!("`size_classes` has at most {MAX_SIZE_CLASSES} limits, not {}", items.len())));
    }
    let mut limits = Vec::new();
    for item in items {
        let limit = quantity(item, "size_classes", parse_bytes)?;
        if limit <= limits.last().copied().unwrap_or(0) {
            return Err(item.error("the limits in `size_classes` must increase, and the first must be above 0"));
        }
        limits.push(limit);
    }
    Ok(limits)
}

fn shared_buffer(node: &Node) -> Result<SharedBuffer> {
    if !matches!(node.value, Value::Table(_)) {
        let message = "`shared_buffer` needs its size, and the multiple of its free memory that a port may hold";
        return Err(node.error(format!("{message}: shared_buffer = {{ size = \"1 MB\", alpha = 1 }}")));
    }
    let table = node.table("`shared_buffer`")?;
    let bytes = table.require("size", "size = \"1 MB\"")?;
    let bytes = match quantity(bytes, "size", parse_bytes)? {
        0 => return Err(bytes.error("`size` must be above 0, for example \"1 MB\"")),
        size => size,
    };
    let alpha = table.get("alpha").map_or(Ok(1.0), |node| node.number("alpha", 0.0, 1e6))?;
    table.finish()?;
    Ok(SharedBuffer { bytes, alpha })
}

fn inversions(node: &Node, graph: &Graph) -> Result<Vec<usize>> {
    let Value::Array(items) = &node.value else {
        return Err(
            node.error(format!("`inversions` is a list of links: inversions = [\"{}\"]", links::example(graph)))
        );
    };
    if items.is_empty() {
        let advice = format!("name some, for example inversions = [\"{}\"], or leave it out", links::example(graph));
        return Err(node.error(format!("`inversions` has no links; {advice}")));
    }
    let mut links = Vec::new();
    for item in items {
        links.extend(links::directed(item, "inversions", graph)?);
    }
    links.sort_unstable();
    links.dedup();
    Ok(links)
}

fn sampling(node: &Node, graph: &Graph) -> Result<Sampling> {
    let table: Table<'_> = node.table("`series`")?;
    let every = positive(table.require("every", "every = \"100 us\"")?, "every")?;
    let link = format!("links = [\"{}\"]", links::example(graph));
    let items = |key, example: &str| match table.get(key).map(|node| (&node.value, node)) {
        None => Ok(&[][..]),
        Some((Value::Array(items), _)) => Ok(items.as_slice()),
        Some((_, node)) => Err(node.error(format!("`{key}` is a list, for example {example}"))),
    };
    let mut links = Vec::new();
    for item in items("links", &link)? {
        let named = links::directed(item, "links", graph)?;
        let new: Vec<usize> = named.into_iter().filter(|link| !links.contains(link)).collect();
        links.extend(new);
    }
    let flows = items("flows", "flows = [0]")?.iter().map(|item| item.integer("flows", 0, u64::from(u32::MAX)));
    let mut flows =
        flows.map(|flow| Ok(u32::try_from(flow?).expect("read with at most 32 bits"))).collect::<Result<Vec<_>>>()?;
    flows.sort_unstable();
    flows.dedup();
    table.finish()?;
    if links.is_empty() && flows.is_empty() {
        return Err(
            node.error(format!("`series` names no link and no flow; give for example `{link}` or `flows = [0]`"))
        );
    }
    Ok(Sampling { every, links, flows })
}
