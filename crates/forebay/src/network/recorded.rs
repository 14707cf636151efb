//! A network made from a recording: the TCP flows of one direction of a link, with the round-trip times that the recording shows, and
//! a bottleneck of another rate.
//!
//! Every pair of addresses has a sender of its own, so that every pair has its own round-trip time; each receiver represents one address.
//! If there are many pairs, those with about the same round-trip time share a sender (`recorded_graph.rs`).

use super::recorded_graph::{self, Hosts, Pair};
use crate::document::{Node, Table};
use crate::error::Result;
use crate::scenario::{Files, filter, ip_header, positive, quantity, trace_error};
use forebay_core::registry::suggest;
use forebay_core::{Duration, Rate, Time};
use forebay_sim::net::{FlowSpec, Graph, HostId};
use forebay_traces::connections::{Carried, Connection, Connections, OtherPackets};
use forebay_traces::{Content, IpHeader, read_connections};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// Data after a pause of this length is another transfer, where nothing is said.
const PAUSE: Duration = Duration::from_ms(500);
const SECOND: Duration = Duration::from_ms(1_000);

/// The flows of a recording, in its network.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    /// The flows in order of their starts.
    pub(super) flows: Vec<RecordedFlow>,
    /// The round-trip time of each pair of addresses, in order.
    round_trips: Vec<Duration>,
    /// Warnings for readers of results.
    pub(super) warnings: Vec<String>,
}

impl Recorded {
    /// Returns the time in which all flows start, even if each starts later by `jitter`, in whole seconds.
    pub(super) fn duration(&self) -> Duration {
        let last = self.flows.last().map_or(0, |flow| flow.spec.start.as_ps() / SECOND.as_ps());
        Duration::from_ps(last.saturating_add(2).saturating_mul(SECOND.as_ps()))
    }

    /// Returns the flows that are sent again.
    pub(super) fn summary(&self) -> RecordedFlows {
        let median = self.round_trips[self.round_trips.len() / 2];
        let [first, .., last] = self.round_trips[..] else {
            return RecordedFlows { flows: self.flows.clone(), round_trips: [median; 3], pairs: 1 };
        };
        let pairs = self.round_trips.len();
        RecordedFlows { flows: self.flows.clone(), round_trips: [first, median, last], pairs }
    }

    /// Returns the differentiated services code points of the flows, in order.
    pub(super) fn dscps(&self) -> Vec<u8> {
        dscps(&self.flows)
    }
}

/// A flow of a recording.
#[derive(Debug, Clone)]
pub struct RecordedFlow {
    /// The flow as it is sent, in workload 0.
    pub spec: FlowSpec,
    /// The addresses of the flow's sender and receiver.
    pub ends: [IpAddr; 2],
    /// The differentiated services code point of the flow's first packet.
    pub dscp: u8,
}

/// The flows of a recording that a scenario sends again.
#[derive(Debug, Clone)]
pub struct RecordedFlows {
    /// The flows in order of their starts.
    pub flows: Vec<RecordedFlow>,
    /// The least, median and greatest round-trip time of pairs of addresses.
    pub round_trips: [Duration; 3],
    /// The number of pairs of addresses.
    pub pairs: usize,
}

impl RecordedFlows {
    /// Returns the differentiated services code points of the flows, in order.
    pub fn dscps(&self) -> Vec<u8> {
        dscps(&self.flows)
    }
}

/// Returns the code points of flows, in order.
pub(crate) fn dscps(flows: &[RecordedFlow]) -> Vec<u8> {
    let all: BTreeSet<u8> = flows.iter().map(|flow| flow.dscp).collect();
    all.into_iter().collect()
}

/// A transfer through the bottleneck.
struct Flow {
    pair: Pair,
    /// The time of its first data at the recording point.
    start: Time,
    bytes: u64,
    dscp: u8,
}

/// Reads the graph of `topology = { recording = "capture.pcap", rate = "20 Mbps" }`, and the flows in it.
pub(super) fn read(node: &Node, table: &Table<'_>, files: &dyn Files) -> Result<(Graph, Recorded)> {
    let name = table.require("recording", "recording = \"capture.pcap\"")?;
    let rate = quantity(table.require("rate", "rate = \"20 Mbps\"")?, "rate", Rate::parse)?;
    let access_rate = match table.get("access_rate") {
        Some(node) => quantity(node, "access_rate", Rate::parse)?,
        None => {
            Rate::from_bits_per_second(rate.bits_per_second().saturating_mul(10).max(1_000_000_000)).unwrap_or(rate)
        }
    };
    let filter = table.get("filter").map(filter).transpose()?;
    let header = table.get("ip_header").map_or(Ok(IpHeader::Outer), ip_header)?;
    let wants_main = table.get("direction").map_or(Ok(true), wants_main)?;
    let pause = table.get("pause").map_or(Ok(PAUSE), |node| positive(node, "pause"))?;
    let given = table.get("round_trip").map(|node| positive(node, "round_trip")).transpose()?;
    table.finish()?;
    let (file, input) = files.open(name.text("recording")?).map_err(|error| name.error(error.to_string()))?;
    let content = Content::unpack(input).map_err(|error| trace_error(&file, error))?;
    let seen = read_connections(content, filter, header, pause).map_err(|error| trace_error(&file, error))?;
    let mut warnings = seen.warnings.clone();
    let flows = flows(&seen, wants_main, &mut warnings);
    if flows.is_empty() {
        let advice = "choose the other with `direction`, or other packets with `filter`";
        return Err(name.error(format!("{file} has no TCP connection with data in this direction; {advice}")));
    }
    warnings.extend(left_out(&seen));
    let known = round_trips(&seen.connections);
    let usual = match (given, median(known.values().copied())) {
        (Some(own), _) | (None, Some(own)) => own,
        (None, None) => {
            let advice = "add `round_trip = \"40 ms\"` to the topology";
            return Err(node.error(format!("{file} shows no round-trip time: no handshake, and no data with its acknowledgement in both directions; {advice}")));
        }
    };
    let of_pair = |(from, to): Pair| known.get(&(from.min(to), from.max(to))).copied();
    let unknown = flows.iter().filter(|flow| of_pair(flow.pair).is_none()).count();
    if unknown > 0 {
        let from = if given.is_some() { "as `round_trip` says" } else { "the median of the others" };
        let all = flows.len();
        warnings.push(format!(
            "{unknown} of {all} flows are between addresses without a known round-trip time: {usual} is taken, {from}"
        ));
    }
    let mut pairs: BTreeMap<Pair, Duration> = BTreeMap::new();
    for flow in &flows {
        pairs.entry(flow.pair).or_insert_with(|| of_pair(flow.pair).unwrap_or(usual));
    }
    let Hosts { graph, of_pairs: hosts, warning } = recorded_graph::graph(&pairs, rate, access_rate);
    warnings.extend(warning);
    let specs = flows.iter().map(|flow| {
        let (src, dst) = hosts[&flow.pair];
        // The handshake of a simulated flow takes a round trip before the first data.
        let round_trip = of_pair(flow.pair).unwrap_or(usual);
        (i128::from(flow.start.as_ps()) - i128::from(round_trip.as_ps()), src, dst, flow)
    });
    let mut specs: Vec<_> = specs.collect();
    specs.sort_by_key(|(start, ..)| *start);
    let first = specs.first().map_or(0, |(start, ..)| *start);
    let spec = |(start, src, dst, flow): (i128, HostId, HostId, &Flow)| {
        let start = Time::from_ps(u64::try_from(start - first).unwrap_or(u64::MAX));
        let spec = FlowSpec { start, src, dst, bytes: flow.bytes, workload: 0 };
        RecordedFlow { spec, ends: [flow.pair.0, flow.pair.1], dscp: flow.dscp }
    };
    let mut round_trips: Vec<Duration> = pairs.into_values().collect();
    round_trips.sort_unstable();
    Ok((graph, Recorded { flows: specs.into_iter().map(spec).collect(), round_trips, warnings }))
}

fn wants_main(node: &Node) -> Result<bool> {
    match node.text("direction")? {
        "main" => Ok(true),
        "other" => Ok(false),
        other => {
            let known = suggest(other, ["main", "other"]);
            Err(node.error(format!("unknown direction `{other}`{known}; \"main\" is the direction with more bytes")))
        }
    }
}

/// The transfers that go one way over the link.
fn flows(seen: &Connections, wants_main: bool, warnings: &mut Vec<String>) -> Vec<Flow> {
    let of = |way: Option<bool>| {
        let carried = seen.connections.iter().flat_map(|own| &own.directions).filter(move |own| own.is_main == way);
        carried.map(|own| own.bytes).sum::<u64>()
    };
    let (more_packets, fewer_packets) = (of(Some(true)), of(Some(false)));
    let chosen = (more_packets >= fewer_packets) == wants_main;
    if of(None) > 0 {
        let what = "in the direction of most of its bytes";
        let what = if wants_main { what } else { "against the direction of most of its bytes" };
        warnings.push(format!(
            "the directions of some packets cannot be told apart: of their connections, data counts if it travels {what}"
        ));
    } else if more_packets > 0 && fewer_packets > 0 {
        let (chosen, other) = if chosen { (more_packets, fewer_packets) } else { (fewer_packets, more_packets) };
        warnings.push(format!(
            "both directions of a link carry data: the one with {chosen} bytes goes through the bottleneck, that with {other} bytes is left out"
        ));
    }
    let goes = |carried: &Carried, other: &Carried| match carried.is_main {
        Some(is_main) => is_main == chosen,
        None => (carried.bytes >= other.bytes) == wants_main,
    };
    let mut flows = Vec::new();
    for Connection { ends, directions: [there, back], .. } in &seen.connections {
        let [a, b] = ends.map(|end| end.ip());
        for (carried, pair) in [(there, (a, b), back), (back, (b, a), there)]
            .into_iter()
            .filter(|(own, (from, to), other)| goes(own, other) && from != to)
            .map(|(own, pair, _)| (own, pair))
        {
            let transfers = carried.transfers.iter().filter(|transfer| transfer.bytes > 0);
            flows.extend(transfers.map(|transfer| Flow {
                pair,
                start: transfer.start,
                bytes: transfer.bytes,
                dscp: transfer.dscp,
            }));
        }
    }
    flows
}

/// Says what is not replayed, or not whole.
fn left_out(seen: &Connections) -> Vec<String> {
    let all = seen.connections.len();
    let count = |what: &dyn Fn(&Connection) -> bool| seen.connections.iter().filter(|own| what(own)).count();
    let mut warnings = Vec::new();
    let mut say = |count: usize, what: &str| {
        if count > 0 {
            warnings.push(format!("{count} of {all} TCP connections {what}"));
        }
    };
    say(count(&|own| !own.has_beginning), "began before the recording, so only the rest of their bytes is known");
    say(count(&|own| !own.has_end), "had not ended when the recording ended, so only their bytes up to then count");
    say(count(&|own| own.directions.iter().any(|way| way.packets == 0)), "are recorded in one direction only");
    let OtherPackets { udp, other_ip, no_ip, fragments, damaged } = seen.others;
    let others = [
        (udp, "of UDP, whose senders do not react to drops"),
        (other_ip, "of other protocols of IP"),
        (no_ip, "without IP"),
        (fragments, "that are fragments of TCP"),
        (damaged, "whose TCP header is damaged or was not captured"),
    ];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    warnings.extend(others.map(|(count, what)| format!("packets {what} are left out: {count}")));
    warnings
}

/// The least round-trip time of each pair of addresses, the lesser address first: that of a handshake, or else of data on both sides.
fn round_trips(connections: &[Connection]) -> BTreeMap<(IpAddr, IpAddr), Duration> {
    let mut known = BTreeMap::new();
    for connection in connections {
        let Some(round_trip) = connection.round_trip() else { continue };
        let [a, b] = connection.ends.map(|end| end.ip());
        let least = known.entry((a.min(b), a.max(b))).or_insert(round_trip);
        *least = round_trip.min(*least);
    }
    known
}

fn median(values: impl Iterator<Item = Duration>) -> Option<Duration> {
    let mut values: Vec<Duration> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::super::topology::Topology;
    use super::*;
    use crate::scenario::Beside;
    use std::path::Path;

    fn topology(text: &str) -> Result<Topology> {
        let document = Node::parse("s.toml", &format!("topology = {{ {text} }}\n")).unwrap();
        let node = document.table("the scenario")?.require("topology", "topology = \"star\"")?.clone();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/s.toml");
        Topology::read(&node, &Beside(&folder))
    }

    #[test]
    fn flows_of_a_recording_have_its_bytes_and_round_trips() {
        let read = topology("recording = \"recording/mixed.pcap\", rate = \"20 Mbps\", pause = \"3600 s\"").unwrap();
        let recorded = read.recorded.as_ref().unwrap();
        // As tshark counts them: bytes of 188 connections, those without data left out.
        assert_eq!(recorded.flows.iter().map(|flow| flow.spec.bytes).sum::<u64>(), 8_993_159);
        assert!(recorded.flows.len() <= 188 && recorded.flows[0].spec.start == Time::ZERO);
        assert!(recorded.flows.is_sorted_by_key(|flow| flow.spec.start));
        let has = |text: &str| recorded.warnings.iter().any(|warning| warning.contains(text));
        assert!(has("188 of 188 TCP connections are recorded in one direction only"), "{:?}", recorded.warnings);
        assert!(has("of UDP, whose senders do not react to drops"), "{:?}", recorded.warnings);
        let bottleneck = read.graph.links()[0];
        assert_eq!(bottleneck.rate.bits_per_second(), 20_000_000);
        assert!(read.graph.links().iter().skip(2).all(|link| link.rate.bits_per_second() == 1_000_000_000));
    }

    #[test]
    fn each_direction_of_a_link_can_be_chosen() {
        let recording = "recording = \"captures/directions/both.pcap\", rate = \"20 Mbps\"";
        let bytes = |more: &str| {
            let read = topology(&format!("{recording}{more}")).unwrap();
            read.recorded.map_or(0, |recorded| recorded.flows.iter().map(|flow| flow.spec.bytes).sum::<u64>())
        };
        let (main, other) = (bytes(""), bytes(", direction = \"other\""));
        assert!(main > other && main + other == 120_951, "{main} {other}");
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_place() {
        let error = |text: &str| topology(text).unwrap_err().to_string();
        let recording = "recording = \"recording/mixed.pcap\"";
        for (text, word) in [
            (recording.to_owned(), "`rate"),
            (format!("{recording}, rate = \"20 Mbps\", direction = \"mian\""), "did you mean `main`?"),
            (format!("{recording}, rate = \"20 Mbps\", filter = \"prot 5\""), "did you mean"),
            (format!("{recording}, rate = \"20 Mbps\", rat = 1"), "rat"),
            (format!("{recording}, rate = \"20 Mbps\", name = \"star\""), "not both"),
            (format!("{recording}, rate = \"20 Mbps\", filter = \"udp\""), "no TCP connection; its"),
            ("recording = \"none.pcap\", rate = \"20 Mbps\"".to_owned(), "none.pcap"),
            ("recording = \"s.toml\", rate = \"20 Mbps\"".to_owned(), "s.toml"),
        ] {
            assert!(error(&text).contains(word), "{text}: {}", error(&text));
        }
    }
}
