//! The store behind a cache of states, and the time of a fetch: `latency`, `parallel` and `store` of `[[state]]`.

use super::states::wrong_name;
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::fields::LATENCY_DISTRIBUTIONS;
use crate::scenario::positive;
use forebay_cache::latency::LONGEST;
use forebay_cache::{BackingStore, Latency};
use forebay_core::registry::suggest;
use forebay_core::{ClassId, Duration, Seed};
use forebay_sim::net::{Graph, HostId, NodeId, RemoteStore, Routes};

/// Fetches that a store may serve at a time, where it does not serve all.
const MOST_PARALLEL: u64 = 1_000_000;
/// The default latency of a fetch, as that of a switch's memory.
const DEFAULT_LATENCY: Duration = Duration::from_ns(100);
const DEFAULT_REQUEST: u32 = 64;
const DEFAULT_ANSWER: u32 = 128;
/// Greater than most round trips in the networks that are simulated.
const DEFAULT_RETRY: Duration = Duration::from_us(1_000);

/// A store of states.
#[derive(Debug, Clone)]
pub(super) struct StorePlan {
    /// The actual or expected latency of a fetch at the store.
    pub(super) latency: Duration,
    /// The distribution of latencies, if each fetch draws its own.
    pub(super) drawn: Option<Latency>,
    pub(super) parallel: Option<u32>,
    /// The way over the network, if fetches travel.
    pub(super) remote: Option<RemotePlan>,
}

/// A store in a host.
#[derive(Debug, Clone)]
pub(super) struct RemotePlan {
    host: HostId,
    node: NodeId,
    request_bytes: u32,
    answer_bytes: u32,
    pub(super) class: ClassId,
    retry: Duration,
}

impl StorePlan {
    /// Reads the store of caches at these nodes.
    pub(super) fn read(table: &Table<'_>, graph: &Graph, at: &[NodeId]) -> Result<Self> {
        let (latency, drawn) = table.get("latency").map_or(Ok((DEFAULT_LATENCY, None)), latency)?;
        let parallel = table.get("parallel").map(|node| small(node, "parallel", MOST_PARALLEL)).transpose()?;
        let remote = table.get("store").map(|node| RemotePlan::read(node, graph, at)).transpose()?;
        Ok(Self { latency, drawn, parallel, remote })
    }

    /// Returns the store itself; `given` is the latency of all fetches if a policy states it, and `seed` is the store's own.
    pub(super) fn service(&self, given: Option<Duration>, seed: Seed) -> BackingStore {
        let drawn = self.drawn.as_ref().filter(|_| given.is_none());
        match drawn.map(|drawn| drawn.prepare(seed).expect("checked as it was read")) {
            Some(latencies) => BackingStore::drawing(latencies, self.parallel),
            None => BackingStore::new(given.unwrap_or(self.latency).as_ps(), self.parallel),
        }
    }

    /// Returns whether the end times of fetches are unknown when they begin, or their latencies differ.
    pub(super) fn varies(&self) -> bool {
        self.drawn.is_some() || self.remote.is_some()
    }
}

impl RemotePlan {
    fn read(node: &Node, graph: &Graph, at: &[NodeId]) -> Result<Self> {
        let table = node.table("`store`")?;
        let place = table.require("at", "at = \"h0\"")?;
        let name = place.text("at")?;
        let hosts = || (0..).zip(graph.hosts()).map(|(number, node)| (HostId(number), *node));
        let is_it = |node: NodeId| graph.nodes()[node.index()].name == name;
        let Some((host, node)) = hosts().find(|(_, node)| is_it(*node)) else {
            if graph.nodes().iter().any(|node| node.name == name) {
                return Err(place.error(format!("`{name}` is a switch; write the name of a host")));
            }
            let names = hosts().map(|(_, node)| graph.nodes()[node.index()].name.as_str());
            return Err(wrong_name(place, "host", name, names));
        };
        if at.contains(&node) {
            return Err(place.error(format!(
                "`{name}` has such a cache itself; take another host for the store, or leave `store` out for a local one"
            )));
        }
        let bytes = |name, default| table.get(name).map_or(Ok(default), |node| small(node, name, 65_535));
        let class = table.get("class").map_or(Ok(0), |node| node.integer("class", 0, 255))?;
        let plan = Self {
            host,
            node,
            request_bytes: bytes("request_bytes", DEFAULT_REQUEST)?,
            answer_bytes: bytes("answer_bytes", DEFAULT_ANSWER)?,
            class: ClassId(u8::try_from(class).unwrap_or(u8::MAX)),
            retry: table.get("retry").map_or(Ok(DEFAULT_RETRY), |node| positive(node, "retry"))?,
        };
        table.finish()?;
        Ok(plan)
    }

    /// Returns the size of the largest packet in bytes.
    pub(super) fn largest_packet(&self) -> u32 {
        self.request_bytes.max(self.answer_bytes)
    }

    /// Returns the store as a cache reaches it.
    pub(super) fn store(&self, number: usize, service: BackingStore) -> RemoteStore {
        let Self { host, request_bytes, answer_bytes, class, retry, .. } = *self;
        RemoteStore { host, number, service, request_bytes, answer_bytes, class, retry }
    }

    /// Returns the time that a request from `node` and its answer travel on empty links, along a shortest route.
    pub(super) fn travel(&self, graph: &Graph, routes: &Routes, node: NodeId) -> Duration {
        let (mut at, mut time) = (node, Duration::ZERO);
        while at != self.node {
            let Some(link) = routes.next_link(at, self.host, || 0) else { break };
            for (link, bytes) in [(link, self.request_bytes), (Graph::reverse(link), self.answer_bytes)] {
                let link = &graph.links()[link];
                time = time + link.rate.transmission_time(bytes) + link.propagation;
            }
            at = graph.links()[link].to;
        }
        time
    }
}

/// From 1 on.
fn small(node: &Node, name: &str, max: u64) -> Result<u32> {
    node.integer(name, 1, max).map(|number| u32::try_from(number).expect("the greatest that is asked for has 32 bits"))
}

/// A time, or a table that says from which distribution each is drawn; with what is expected.
fn latency(node: &Node) -> Result<(Duration, Option<Latency>)> {
    if !matches!(node.value, Value::Table(_)) {
        return Ok((positive(node, "latency")?, None));
    }
    let table = node.table("`latency`")?;
    let kind = table.require("distribution", "distribution = \"exponential\"")?;
    let time = |name| {
        let node = table.require(name, &format!("{name} = \"1 us\""))?;
        let time = positive(node, name)?.as_ps();
        if time > LONGEST {
            let most = Duration::from_ps(LONGEST);
            return Err(node.error(format!("`{name}` must be at most {most}")));
        }
        Ok(time)
    };
    let latency = match kind.text("distribution")? {
        "exponential" => Latency::Exponential(time("mean")? as f64),
        "lognormal" => {
            let sigma = table.require("sigma", "sigma = 0.5")?.number_from("sigma", 0.0, 100.0)?;
            Latency::LogNormal(time("mean")? as f64, sigma)
        }
        "uniform" => Latency::Uniform(time("min")?, time("max")?),
        other => {
            let known = suggest(other, LATENCY_DISTRIBUTIONS);
            return Err(kind.error(format!("unknown `distribution` \"{other}\"{known}")));
        }
    };
    table.finish()?;
    let prepared = latency.prepare(Seed(0)).map_err(|error| node.error(error.to_string()))?;
    Ok((Duration::from_ps(prepared.expected(0, 1)), Some(latency)))
}
