//! The traffic of a scenario: a trace, or a recipe.

use super::arrivals::{arrivals, check_periods};
use super::distribution::distribution;
use super::own::OwnSource;
use super::ranks::named_rank;
use super::{Files, Offered, positive, quantity};
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use forebay_core::units::parse_bytes;
use forebay_core::{ClassId, Field, Fields, Packet, Rate, Seed, Source, Time};
use forebay_traces::generate::{Arrivals, Generator, TrafficSpec};
use forebay_traces::{
    Distribution, DrawnFields, Filter, IpHeader, RankPattern, ReadOptions, Trace, TraceError, TraceSource,
    WithDrawnFields, read,
};
use std::collections::BTreeSet;
use std::str::FromStr as _;
use std::sync::Arc;

/// Checked traffic, from which every policy gets the same packets.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// The source of packets.
    pub kind: TrafficKind,
    /// Fields that are drawn for packets that do not have them.
    pub drawn: DrawnFields,
    /// Whether the senders of all packets understand marks; otherwise, a recording says which senders do.
    pub ecn: bool,
    /// The optional fields of the packets.
    pub fields: Fields,
}

/// The source of packets.
#[derive(Debug, Clone)]
pub enum TrafficKind {
    /// A recording.
    Trace {
        /// The file of the trace.
        file: String,
        /// The packets of the trace.
        trace: Arc<Trace>,
        /// The factor by which it is played faster than recorded.
        speed: f64,
    },
    /// A recipe.
    Generated(Box<TrafficSpec>),
    /// The program that asks.
    Own(OwnSource),
}

impl TrafficKind {
    /// The optional fields of its packets.
    fn fields(&self) -> Fields {
        match self {
            Self::Trace { trace, .. } => trace.fields,
            Self::Generated(spec) => spec.fields(),
            Self::Own(source) => source.fields,
        }
    }
}

/// The fields of a scenario that say how a field of packets is drawn.
const DRAWN: [(&str, Field); 5] = [
    ("rank", Field::Rank),
    ("value", Field::Value),
    ("processing_ns", Field::Processing),
    ("slack_ns", Field::Slack),
    ("queue", Field::Queue),
];

/// The warning about results of recorded packets.
const OPEN_LOOP: &str = "the packets of a recording arrive at their recorded times under every policy: their senders do not react to \
                         drops, marks and delays";
/// The default limit of packets of an endless recipe, so that a run ends.
const DEFAULT_PACKETS: u64 = 1_000_000;
/// Flows that send at the same time, where nothing is given.
const DEFAULT_FLOWS: u64 = 100;
const MAX_PACKET_BYTES: u64 = Packet::MAX_BYTES as u64;

/// Returns the advice for getting packets with `field`.
pub(super) fn how_to_get(field: Field) -> &'static str {
    match field {
        Field::Rank => {
            "add `rank = { distribution = \"uniform\", min = 0, max = 100 }` to [traffic], or use a packet CSV"
        }
        Field::RemainingBytes => {
            "with arrivals = \"poisson\" or \"on-off\" add `flow_bytes = { distribution = \"exponential\", min = 1000, max = \
             1000000 }`"
        }
        Field::Processing => {
            "add `processing_ns = { distribution = \"uniform\", min = 1, max = 1000 }` to [traffic], or use a packet CSV"
        }
        Field::Slack => {
            "add `slack_ns = { distribution = \"uniform\", min = 0, max = 1000 }` to [traffic], or use a packet CSV"
        }
        Field::Value => {
            "add `value = { distribution = \"uniform\", min = 1, max = 10 }` to [traffic], or use a packet CSV"
        }
        Field::Queue => {
            "add `queue = { distribution = \"uniform\", min = 0, max = 3 }` to [traffic], or use a packet CSV"
        }
    }
}

impl Traffic {
    pub(crate) fn read(node: &Node, port_rate: Rate, until: Time, files: &dyn Files) -> Result<Self> {
        let table = node.table("[traffic]")?;
        if let (Some(_), Some(arrivals)) = (table.get("trace"), table.get("arrivals")) {
            return Err(arrivals.error("give either a `trace` or `arrivals`, not both"));
        }
        let ecn = table.get("ecn").map_or(Ok(false), |node| node.boolean("ecn"))?;
        let mut drawn = DrawnFields::default();
        let kind = match table.get("trace") {
            Some(name) => {
                let kind = read_trace(&table, name, port_rate, files)?;
                drawn = drawn_fields(&table, files)?;
                refuse_twice(&table, &kind, &drawn)?;
                kind
            }
            None if table.get("arrivals").is_some() => {
                TrafficKind::Generated(Box::new(recipe(&table, port_rate, until, files)?))
            }
            None => {
                return Err(table.error("[traffic] needs a `trace = \"FILE\"`, or `arrivals = \"poisson\"` or another"));
            }
        };
        table.finish()?;
        let fields = DRAWN.iter().filter(|(_, field)| drawn.fields().contains(*field));
        let fields = fields.fold(kind.fields(), |fields, (_, field)| fields.with(*field));
        Ok(Self { kind, drawn, ecn, fields })
    }

    /// Returns the packets, from the first.
    pub fn open(&self, seed: Seed) -> Box<dyn Source + Send> {
        let source: Box<dyn Source + Send> = match &self.kind {
            TrafficKind::Trace { trace, speed, .. } => Box::new(TraceSource::new(Arc::clone(trace), *speed)),
            TrafficKind::Generated(spec) => Box::new(Generator::new((**spec).clone(), seed)),
            TrafficKind::Own(source) => (source.open)(seed),
        };
        let source = match self.drawn.fields() {
            Fields::NONE => source,
            _ => Box::new(WithDrawnFields::new(source, self.drawn.clone(), seed)),
        };
        if self.ecn { Box::new(EcnCapable(source)) } else { source }
    }

    /// Returns the properties of packets that a policy can rely on.
    pub(crate) fn offered(&self) -> Offered {
        Offered { classes: self.classes(), ranks: self.ranks().cloned(), ..Offered::with(self.fields) }
    }

    /// The classes of its packets, from the lowest.
    fn classes(&self) -> BTreeSet<u8> {
        match &self.kind {
            TrafficKind::Trace { trace, .. } => trace.packets.iter().map(|packet| packet.class.0).collect(),
            TrafficKind::Generated(spec) => spec.classes.iter().map(|(class, _)| class.0).collect(),
            TrafficKind::Own(_) => BTreeSet::new(),
        }
    }

    /// Returns the pattern of the ranks that all packets carry, if the scenario has one.
    pub fn ranks(&self) -> Option<&RankPattern> {
        match &self.kind {
            TrafficKind::Trace { .. } | TrafficKind::Own(_) => self.drawn.rank.as_ref(),
            TrafficKind::Generated(spec) => spec.rank.as_ref(),
        }
    }

    /// Returns whether the traffic uses random numbers.
    pub fn is_drawn(&self) -> bool {
        !matches!(self.kind, TrafficKind::Trace { .. }) || self.drawn.fields() != Fields::NONE
    }

    /// Returns the mean rate that the recipe asks for, in bits per second.
    pub(crate) fn asked_bps(&self) -> Option<f64> {
        match &self.kind {
            TrafficKind::Trace { .. } | TrafficKind::Own(_) => None,
            TrafficKind::Generated(spec) => Some(spec.mean_rate_bps),
        }
    }

    /// Returns the maximum number of packets.
    pub fn max_packets(&self) -> u64 {
        match &self.kind {
            TrafficKind::Trace { trace, .. } => trace.packets.len() as u64,
            TrafficKind::Generated(spec) => spec.max_packets,
            TrafficKind::Own(source) => source.packets.unwrap_or(u64::MAX),
        }
    }

    /// Returns warnings about the trace, with its file. For a recording, also that its senders do not react.
    pub fn warnings(&self) -> Vec<String> {
        match &self.kind {
            TrafficKind::Trace { file, trace, .. } => {
                let is_recording = trace.account.is_some();
                let of_file = trace.warnings.iter().map(|warning| format!("{file}: {warning}"));
                of_file.chain(is_recording.then(|| OPEN_LOOP.to_owned())).collect()
            }
            TrafficKind::Generated(_) | TrafficKind::Own(_) => Vec::new(),
        }
    }
}

/// A source of packets whose senders understand marks.
struct EcnCapable(Box<dyn Source + Send>);

impl Source for EcnCapable {
    fn next_packet(&mut self) -> Option<Packet> {
        let mut packet = self.0.next_packet()?;
        packet.marks.set_ecn_capable();
        Some(packet)
    }

    fn fields(&self) -> Fields {
        self.0.fields()
    }
}

/// Reads the distributions of the drawn fields of packets.
fn drawn_fields(table: &Table<'_>, files: &dyn Files) -> Result<DrawnFields> {
    Ok(DrawnFields {
        rank: table.get("rank").map(|node| named_rank(node, files)).transpose()?,
        value: optional_distribution(table, "value", 0, u32::MAX.into())?,
        processing_ns: optional_distribution(table, "processing_ns", 0, u64::MAX / 1_000)?,
        slack_ns: optional_distribution(table, "slack_ns", 0, u64::MAX / 1_000)?,
        queue: optional_distribution(table, "queue", 0, u16::MAX.into())?,
    })
}

/// Rejects a field that is drawn although the packets have it.
fn refuse_twice(table: &Table<'_>, kind: &TrafficKind, drawn: &DrawnFields) -> Result<()> {
    let twice = |(_, field): &&(&str, Field)| drawn.fields().contains(*field) && kind.fields().contains(*field);
    match DRAWN.iter().find(twice).and_then(|(name, _)| Some((name, table.get(name)?))) {
        Some((name, node)) => Err(node.error(format!("the packets of this trace already have `{name}`; leave it out"))),
        None => Ok(()),
    }
}

/// Reads the filter for packets of a recording.
pub(crate) fn filter(node: &Node) -> Result<Filter> {
    Filter::parse(node.text("filter")?).map_err(|error| node.error(error.to_string()))
}

/// Reads the choice of the IP header in packets of a recording.
pub(crate) fn ip_header(node: &Node) -> Result<IpHeader> {
    IpHeader::from_str(node.text("ip_header")?).map_err(|error| node.error(error.to_string()))
}

fn read_trace(table: &Table<'_>, name: &Node, port_rate: Rate, files: &dyn Files) -> Result<TrafficKind> {
    let speed = table.get("speed").map_or(Ok(1.0), |node| node.number("speed", 0.0, 1e9))?;
    let options = ReadOptions {
        filter: table.get("filter").map(filter).transpose()?,
        ip_header: table.get("ip_header").map_or(Ok(IpHeader::Outer), ip_header)?,
        packet_bytes: match table.get("packet_bytes") {
            Some(node) => bytes(node, "packet_bytes")?,
            None => 1500,
        },
        access_rate: match table.get("access_rate") {
            Some(node) => quantity(node, "access_rate", Rate::parse)?,
            None => port_rate,
        },
    };
    let text = name.text("trace")?;
    if let Some(source) = files.own().sources.get(text) {
        return Ok(TrafficKind::Own(source.clone()));
    }
    // Say where the name stands, then what is wrong with the file.
    let (file, input) = files.open(text).map_err(|error| name.error(error.to_string()))?;
    let trace = read_trace_file(&file, input, &options)?;
    Ok(TrafficKind::Trace { file, trace: Arc::new(trace), speed })
}

/// Reads a trace; errors name the file and the line.
fn read_trace_file(file: &str, input: impl std::io::Read + Send, options: &ReadOptions) -> Result<Trace> {
    read(input, options).map_err(|error| trace_error(file, error))
}

/// Returns the error of a file, with its name and the line. It is one line, whatever it quotes from the file.
pub fn trace_error(file: &str, error: TraceError) -> UserError {
    let in_one_line = |message: String| message.replace(char::is_control, "\u{fffd}");
    match error {
        TraceError::Line { line, message } => UserError::at_line(file, line, in_one_line(message)),
        TraceError::Io(error) => UserError::io(std::path::Path::new(file), "read", &error),
        TraceError::File(message) => UserError::at(file, in_one_line(message)),
    }
}

fn recipe(table: &Table<'_>, port_rate: Rate, until: Time, files: &dyn Files) -> Result<TrafficSpec> {
    let (_, arrivals) = arrivals(table, port_rate)?;
    let mean_rate_bps = match (table.get("load"), table.get("rate")) {
        (Some(load), None) => load.number("load", 0.0, 1000.0)? * port_rate.bits_per_second() as f64,
        (None, Some(rate)) => quantity(rate, "rate", Rate::parse)?.bits_per_second() as f64,
        (Some(_), Some(rate)) => return Err(rate.error("give either `load` or `rate`, not both")),
        (None, None) => {
            return Err(table.error(
                "[traffic] needs a `load`, as a share of the port's rate, or a `rate`; for example `load = 0.9`",
            ));
        }
    };
    let duration = match table.get("duration") {
        Some(node) => Some(positive(node, "duration")?),
        None => None,
    };
    let packets = match table.get("packets") {
        Some(node) => Some(node.integer("packets", 1, i64::MAX as u64)?),
        None => None,
    };
    let endless = duration.is_none() && until == Time::MAX;
    let drawn = drawn_fields(table, files)?;
    let spec = TrafficSpec {
        arrivals,
        mean_rate_bps,
        max_packets: packets.unwrap_or(if endless { DEFAULT_PACKETS } else { u64::MAX }),
        until: duration.map_or(until, |duration| (Time::ZERO + duration).min(until)),
        flows: flow_count(table)?,
        size_bytes: packet_bytes(table)?,
        flow_bytes: optional_distribution(table, "flow_bytes", 1, u64::MAX)?,
        classes: match table.get("classes") {
            Some(node) => classes(node)?,
            None => vec![(ClassId(0), 1.0)],
        },
        queue: drawn.queue,
        rank: drawn.rank,
        value: drawn.value,
        processing_ns: drawn.processing_ns,
        slack_ns: drawn.slack_ns,
    };
    if !matches!(spec.arrivals, Arrivals::Flows { .. })
        && let Some(place) = spec.flows_by_class().iter().position(|&flows| flows == 0)
    {
        let (class, flows) = (spec.classes[place].0.0, spec.flows);
        return Err(table.error(format!("with flows = {flows}, class {class} gets no flow; set `flows` higher")));
    }
    check_periods(table, &spec)?;
    Ok(spec)
}

/// A packet's size: `1500` or `"1500 B"`.
fn bytes(node: &Node, what: &str) -> Result<u32> {
    let number = match &node.value {
        Value::Text(_) => quantity(node, what, parse_bytes)?,
        _ => node.integer(what, 1, MAX_PACKET_BYTES)?,
    };
    match u32::try_from(number) {
        Ok(bytes) if (1..=MAX_PACKET_BYTES).contains(&number) => Ok(bytes),
        _ => Err(node.error(format!("`{what}` must be from 1 to {MAX_PACKET_BYTES} bytes, not {number}"))),
    }
}

/// Reads the number of flows that send at the same time.
pub(super) fn flow_count(table: &Table<'_>) -> Result<u32> {
    let flows = table.get("flows").map_or(Ok(DEFAULT_FLOWS), |node| node.integer("flows", 1, 1 << 20))?;
    Ok(u32::try_from(flows).expect("read as at most 2^20"))
}

/// Reads the bytes of a packet, constant or drawn.
pub(super) fn packet_bytes(table: &Table<'_>) -> Result<Distribution> {
    match table.get("size_bytes") {
        Some(node) => distribution(node, "size_bytes", 1, MAX_PACKET_BYTES),
        None => Ok(Distribution::constant(1500)),
    }
}

fn optional_distribution(table: &Table<'_>, key: &'static str, min: u64, max: u64) -> Result<Option<Distribution>> {
    table.get(key).map(|node| distribution(node, key, min, max)).transpose()
}

/// `{ 46 = 0.1, 0 = 0.9 }`: DSCP and share of flows.
fn classes(node: &Node) -> Result<Vec<(ClassId, f64)>> {
    let table = node.table("classes")?;
    let mut classes = Vec::new();
    for (key, share) in table.rest() {
        let class = key.parse::<u8>().ok().filter(|class| class.to_string() == key).ok_or_else(|| {
            share.error(format!(
                "a class is a number from 0 to 255, not `{key}`, for example classes = {{ 46 = 0.1, 0 = 0.9 }}"
            ))
        })?;
        classes.push((ClassId(class), share.number(key, 0.0, 1e9)?));
    }
    if classes.is_empty() {
        return Err(node.error("there are no classes; write for example classes = { 46 = 0.1, 0 = 0.9 }"));
    }
    classes.sort_by_key(|&(class, _)| class);
    Ok(classes)
}
