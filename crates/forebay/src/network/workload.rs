//! The flows of a network: `[[workload]]`.

use super::carried_ranks::CarriedRanks;
use super::lateness::LatenessPlan;
use super::registry_part::Part;
use super::topology::Topology;
use super::transport_plan::TransportPlan;
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use crate::scenario::{Files, label, positive, quantity, trace_error};
use forebay_core::registry::suggest;
use forebay_core::{ClassId, Duration, Seed, Time};
use forebay_sim::net::FlowSpec;
use forebay_sim::net::workload::pattern::{PATTERNS, Pattern, PatternEntry};
use forebay_sim::net::workload::size::{FlowSizes, SIZES, SizeEntry};
use forebay_sim::net::workload::{Hosts, Replay, SizeTable, read_cdf, read_flows};
use std::io::Read as _;
use std::sync::Arc;

/// Flows say in 16 bits which workload they are of.
const MAX_WORKLOADS: usize = 1 << u16::BITS;

/// A checked workload, from which every run draws its own flows.
#[derive(Debug, Clone)]
pub(super) struct WorkloadPlan {
    pub(super) name: String,
    pub(super) class: ClassId,
    pub(super) ranks: Option<CarriedRanks>,
    /// The permitted lateness of the workload's packets.
    pub(super) lateness: Option<LatenessPlan>,
    /// The workload's own transport, which replaces that of the policy.
    pub(super) transport: Option<TransportPlan>,
    pub(super) flows: Flows,
    /// The number of flows in the workload's file that are left out, since they start after the scenario's `duration`.
    pub(super) late: u64,
    /// The limit of the random time by which each flow of the file starts later, drawn again in each repetition.
    pub(super) jitter: Duration,
    /// The code point of the flows of a recording to which the workload is restricted.
    pub(super) dscp: Option<u8>,
}

/// The source of flows.
#[derive(Debug, Clone)]
pub(super) enum Flows {
    Drawn(Box<Drawn>),
    /// The flows of a file that start in time.
    Replayed(Arc<Replay>),
}

/// Flows that are drawn.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub(super) sizes: Part<SizeEntry>,
    /// The contents of the file of sizes.
    pub(super) table: Option<SizeTable>,
    pub(super) pattern: Part<PatternEntry>,
    pub(super) is_poisson: bool,
    pub(super) rate: FlowRate,
    pub(super) start: Time,
    pub(super) duration: Option<Duration>,
    pub(super) most_flows: Option<u64>,
}

/// The arrival rate of flows.
#[derive(Debug, Clone)]
pub(super) enum FlowRate {
    FlowsPerSecond(f64),
    Every(Duration),
    /// A share of the senders' links, with headers, and where it stands.
    Load(f64, Node),
}

impl WorkloadPlan {
    /// Reads all workloads; `duration` is the scenario's time within which flows start.
    pub(super) fn read_all(
        list: &Node,
        topology: &Topology,
        duration: Option<Duration>,
        files: &dyn Files,
    ) -> Result<Vec<Self>> {
        let Value::Array(items) = &list.value else {
            return Err(list.error("workloads are a list: write [[workload]] with two brackets"));
        };
        if items.len() > MAX_WORKLOADS {
            return Err(list.error(format!("a network has at most {MAX_WORKLOADS} workloads, not {}", items.len())));
        }
        let mut workloads = Vec::<Self>::new();
        for (number, node) in (0..=u16::MAX).zip(items) {
            let workload = Self::read(node, number, topology, duration, files)?;
            if workloads.iter().any(|earlier| earlier.name == workload.name) {
                let message = format!("there are two workloads called `{}`; give one a `name`", workload.name);
                return Err(node.error(message));
            }
            workloads.push(workload);
        }
        if workloads.is_empty() {
            return Err(list.error("there are no workloads; add [[workload]] with sizes = \"web-search\", load = 0.6"));
        }
        Ok(workloads)
    }

    fn read(
        node: &Node,
        number: u16,
        topology: &Topology,
        duration: Option<Duration>,
        files: &dyn Files,
    ) -> Result<Self> {
        let table = node.table("[[workload]]")?;
        let name = table.get("name").map(label).transpose()?;
        let dscp = table.get("dscp").map(|node| dscp(node, &table, topology)).transpose()?;
        let usual_class = dscp.map_or(0, u64::from);
        let class = table.get("class").map_or(Ok(usual_class), |node| node.integer("class", 0, 255))?;
        let ranks = CarriedRanks::read(&table, files)?;
        let lateness = LatenessPlan::read(&table)?;
        let transport = table.get("transport").map(|node| TransportPlan::read(node, files)).transpose()?;
        let mut late = 0;
        let (default_name, flows) = match table.get("replay") {
            Some(file) => {
                let replayed;
                (replayed, late) = replay(file, &table, (number, dscp), topology, duration, files)?;
                ("replay", Flows::Replayed(Arc::new(replayed)))
            }
            None => {
                if let Some(unit) = table.get("start_unit") {
                    return Err(unit.error("`start_unit` needs `replay`; add `replay`, or leave `start_unit` out"));
                }
                let drawn = Drawn::read(&table, topology, duration, files)?;
                let by_pattern = matches!(drawn.sizes.name(), "fixed" | "endless" | "cdf");
                let name = if by_pattern { drawn.pattern.name() } else { drawn.sizes.name() };
                (name, Flows::Drawn(Box::new(drawn)))
            }
        };
        let jitter = table.get("jitter").map_or(Ok(Duration::ZERO), |node| jitter(node, &flows))?;
        table.finish()?;
        let name = name.unwrap_or_else(|| default_name.to_owned());
        let class = ClassId(u8::try_from(class).expect("a class is read with at most 8 bits"));
        Ok(Self { name, class, ranks, lateness, transport, flows, late, jitter, dscp })
    }

    /// Returns whether some of the workload's flows never end.
    pub(super) fn is_endless(&self) -> bool {
        match &self.flows {
            Flows::Drawn(drawn) => drawn.sizes.name() == "endless",
            Flows::Replayed(replay) => replay.flows().iter().any(|flow| flow.bytes == FlowSpec::ENDLESS),
        }
    }

    /// Returns whether the workload ends by itself.
    pub(super) fn is_bounded(&self) -> bool {
        match &self.flows {
            Flows::Drawn(drawn) => drawn.duration.is_some() || drawn.most_flows.is_some(),
            Flows::Replayed(_) => true,
        }
    }
}

fn jitter(node: &Node, flows: &Flows) -> Result<Duration> {
    match flows {
        Flows::Replayed(_) => quantity(node, "jitter", Duration::parse),
        Flows::Drawn(_) => Err(node.error("`jitter` needs `replay`: without it, start times are random anyway")),
    }
}

/// The code point of the flows of a recording that are sent.
fn dscp(node: &Node, table: &Table<'_>, topology: &Topology) -> Result<u8> {
    let dscp = node.integer("dscp", 0, 63)?;
    let replayed = table.get("replay").map(|node| node.text("replay")).transpose()?;
    let Some(recorded) = topology.recorded.as_ref().filter(|_| replayed == Some(topology.name.as_str())) else {
        return Err(node.error("`dscp` needs a `replay` of the recording that the topology is made from"));
    };
    let all = recorded.dscps();
    match all.iter().find(|known| u64::from(**known) == dscp) {
        Some(known) => Ok(*known),
        None => {
            let all: Vec<String> = all.iter().map(u8::to_string).collect();
            Err(node.error(format!("no flow of the recording has DSCP {dscp}; there are {}", all.join(", "))))
        }
    }
}

/// The unit of starts in a file that leaves it open.
fn start_unit(node: &Node) -> Result<Duration> {
    match node.text("start_unit")? {
        "ps" => Ok(Duration::from_ps(1)),
        "ns" => Ok(Duration::from_ns(1)),
        "us" => Ok(Duration::from_us(1)),
        other => Err(node.error(format!("`start_unit` is \"ps\", \"ns\" or \"us\", not `{other}`"))),
    }
}

/// The flows of a file that start in time, and how many do not.
fn replay(
    node: &Node,
    table: &Table<'_>,
    (number, dscp): (u16, Option<u8>),
    topology: &Topology,
    duration: Option<Duration>,
    files: &dyn Files,
) -> Result<(Replay, u64)> {
    for key in ["sizes", "pattern", "arrivals", "load", "flows_per_second", "every", "start", "duration", "flows"] {
        if let Some(other) = table.get(key) {
            return Err(
                other.error(format!("`{key}` cannot stand beside `replay`: the file says which flows start when"))
            );
        }
    }
    let text = node.text("replay")?;
    let (file, replay) = match &topology.recorded {
        Some(recorded) if text == topology.name => {
            let flows = recorded.flows.iter().filter(|flow| dscp.is_none_or(|dscp| flow.dscp == dscp));
            let flows = flows.map(|flow| FlowSpec { workload: number, ..flow.spec });
            (text.to_owned(), Replay::new(flows.collect()))
        }
        _ => {
            let (file, input) = files.open(text).map_err(|error| node.error(error.to_string()))?;
            let start_unit = table.get("start_unit").map(start_unit).transpose()?;
            let replay =
                read_flows(input, &topology.hosts, number, start_unit).map_err(|error| trace_error(&file, error))?;
            (file, replay)
        }
    };
    let end = duration.map_or(Time::MAX, |duration| Time::ZERO + duration);
    let flows: Vec<FlowSpec> = replay.flows().iter().copied().filter(|flow| flow.start < end).collect();
    if flows.is_empty() {
        return Err(node.error(format!("no flow of {file} starts within the `duration` of [network]")));
    }
    let late = (replay.flows().len() - flows.len()) as u64;
    Ok((Replay::new(flows).warned(replay.warning()), late))
}

impl Drawn {
    fn read(table: &Table<'_>, topology: &Topology, duration: Option<Duration>, files: &dyn Files) -> Result<Self> {
        let sizes_node = table.require("sizes", "sizes = \"web-search\"` or `replay = \"flows.csv\"")?;
        let sizes = Part::read(sizes_node, "sizes", "flow size", SIZES)?;
        let size_table = sizes.entry.needs_file.then(|| size_table(&sizes, files)).transpose()?;
        sizes.entry.build(&sizes.params, size_table.clone()).map_err(|error| sizes.error(&error))?;
        let all_to_all = Node {
            value: Value::Text("all-to-all".to_owned()),
            place: sizes_node.place.clone(),
            field: sizes_node.field.clone(),
        };
        let pattern = Part::read(table.get("pattern").unwrap_or(&all_to_all), "pattern", "pattern", PATTERNS)?;
        let built = (pattern.entry.build)(&pattern.params, &topology.hosts, Seed(0));
        built.map_err(|error| pattern.error(&error))?;
        let own = table.get("duration").map(|node| positive(node, "duration")).transpose()?;
        let start = table.get("start").map_or(Ok(Duration::ZERO), |node| quantity(node, "start", Duration::parse))?;
        let left = duration.map(|duration| Duration::from_ps(duration.as_ps().saturating_sub(start.as_ps())));
        if let (Some(Duration::ZERO), Some(node)) = (left, table.get("start")) {
            return Err(node.error("this workload starts when the `duration` of [network] is over"));
        }
        let rate = flow_rate(table)?;
        if let FlowRate::Load(_, node) = &rate
            && sizes.name() == "endless"
        {
            let advice = "give `flows = 4` and `every = \"1 ms\"`, or `flows_per_second`";
            return Err(node.error(format!("flows that never end have no load; {advice}")));
        }
        Ok(Self {
            sizes,
            table: size_table,
            pattern,
            is_poisson: is_poisson(table)?,
            rate,
            start: Time::ZERO + start,
            duration: [own, left].into_iter().flatten().min(),
            most_flows: table.get("flows").map(|node| node.integer("flows", 1, i64::MAX as u64)).transpose()?,
        })
    }

    fn built_sizes(&self) -> Result<Box<dyn FlowSizes>> {
        self.sizes.entry.build(&self.sizes.params, self.table.clone()).map_err(|error| self.sizes.error(&error))
    }

    /// Builds the pattern to read its properties; its draws are made in runs.
    fn built_pattern(&self, hosts: &Hosts) -> Result<Box<dyn Pattern>> {
        (self.pattern.entry.build)(&self.pattern.params, hosts, Seed(0)).map_err(|error| self.pattern.error(&error))
    }

    /// Returns the approximate number of flows that start in this time. With regular starts, one flow starts at its beginning.
    pub(super) fn flows_in(&self, hosts: &Hosts, seconds: f64) -> Result<f64> {
        let seconds = self.duration.map_or(seconds, |duration| duration.as_secs_f64().min(seconds));
        let flows = match self.rate {
            FlowRate::Every(gap) => {
                let arrivals = (seconds / gap.as_secs_f64()).ceil().max(1.0);
                arrivals * self.built_pattern(hosts)?.flows_per_arrival() as f64
            }
            FlowRate::FlowsPerSecond(_) | FlowRate::Load(..) => self.flows_per_second(hosts)? * seconds,
        };
        Ok(self.most_flows.map_or(flows, |most| flows.min(most as f64)))
    }

    /// Returns the load that is asked for, in bits per second of all senders, if the rate is a load.
    pub(super) fn asked_bps(&self, hosts: &Hosts) -> Result<Option<f64>> {
        let FlowRate::Load(load, _) = &self.rate else { return Ok(None) };
        Ok(Some(load * hosts.capacity_bps(self.built_pattern(hosts)?.senders())))
    }

    /// Returns the mean size of a flow.
    pub(super) fn mean_bytes(&self) -> Result<f64> {
        Ok(self.built_sizes()?.mean_bytes())
    }

    /// Returns the approximate number of flows that start in a second, without headers in a load.
    pub(super) fn flows_per_second(&self, hosts: &Hosts) -> Result<f64> {
        let pattern = self.built_pattern(hosts)?;
        match self.rate {
            FlowRate::FlowsPerSecond(rate) => Ok(rate),
            FlowRate::Every(gap) => Ok(pattern.flows_per_arrival() as f64 / gap.as_secs_f64()),
            FlowRate::Load(load, _) => {
                let sizes = self.built_sizes()?;
                let parts = if pattern.shares_size() { pattern.flows_per_arrival() } else { 1 };
                Ok(load * hosts.capacity_bps(pattern.senders()) / 8.0 / sizes.mean_bytes() * parts as f64)
            }
        }
    }

    /// Returns the bytes on the wire over the bytes of flows; a segment of `full` bytes has `header` bytes of headers.
    ///
    /// A flow of `b` bytes has `b / payload` headers, rounded up. The mean effect of the rounding is computed from quantiles of the sizes.
    pub(super) fn wire_overhead(&self, hosts: &Hosts, (full, header): (u32, u32)) -> Result<f64> {
        const QUANTILES: u32 = 4_096;
        let sizes = self.built_sizes()?;
        let pattern = self.built_pattern(hosts)?;
        if sizes.mean_bytes().is_infinite() {
            return Ok(1.0);
        }
        let parts = if pattern.shares_size() { pattern.flows_per_arrival() } else { 1 };
        let payload = u64::from(full - header).max(1);
        let rounding: f64 = (0..QUANTILES)
            .map(|number| {
                let bytes = sizes.quantile((f64::from(number) + 0.5) / f64::from(QUANTILES)).div_ceil(parts);
                (bytes.div_ceil(payload) * payload - bytes) as f64 / payload as f64
            })
            .sum();
        let mean = sizes.mean_bytes() / parts as f64;
        let headers = mean / payload as f64 + rounding / f64::from(QUANTILES);
        Ok(1.0 + headers * f64::from(header) / mean)
    }
}

/// Reads the contents of the file of sizes.
fn size_table(sizes: &Part<SizeEntry>, files: &dyn Files) -> Result<SizeTable> {
    let Some(node) = sizes.field("file") else {
        return Err(sizes.node().error("`cdf` has no `file`; add for example `file = \"sizes.cdf\"`"));
    };
    let (file, mut input) = files.open(node.text("file")?).map_err(|error| node.error(error.to_string()))?;
    let mut text = String::new();
    input
        .read_to_string(&mut text)
        .map_err(|_| UserError::at(&file, "this is not text; is this a file of a distribution?"))?;
    read_cdf(&text).map_err(|error| trace_error(&file, error))
}

fn is_poisson(table: &Table<'_>) -> Result<bool> {
    let Some(node) = table.get("arrivals") else { return Ok(true) };
    match node.text("arrivals")? {
        "poisson" => Ok(true),
        "constant" => Ok(false),
        other => {
            let known = suggest(other, ["poisson", "constant"]);
            Err(node.error(format!("unknown arrivals `{other}`{known}")))
        }
    }
}

fn flow_rate(table: &Table<'_>) -> Result<FlowRate> {
    const RATES: &str = "`load = 0.6`, `flows_per_second = 1000` or `every = \"1 ms\"`";
    let given = ["load", "flows_per_second", "every"].map(|key| table.get(key).map(|node| (key, node)));
    let mut given = given.into_iter().flatten();
    let Some((key, node)) = given.next() else {
        return Err(table.error(format!("[[workload]] has no rate of flows; add {RATES}")));
    };
    if let Some((second, node)) = given.next() {
        return Err(node.error(format!("give only one of {RATES}; `{key}` and `{second}` are both there")));
    }
    Ok(match key {
        "load" => FlowRate::Load(node.number("load", 0.0, 1.0)?, node.clone()),
        "flows_per_second" => FlowRate::FlowsPerSecond(node.number("flows_per_second", 0.0, 1e12)?),
        _ => FlowRate::Every(positive(node, "every")?),
    })
}
