//! The TCP connections of a recording: both directions joined, with the bytes, starts and round-trip times that the recording shows.
//!
//! Bytes are counted by sequence numbers, so retransmissions count once, and bytes that the recording missed count as well. The
//! round-trip time of a handshake is the time from the SYN over the SYN-ACK to the first acknowledgement, wherever on the path the
//! recording was made (`tcp.analysis.initial_rtt` of Wireshark). Memory grows with the connections, not with the packets.

mod connection;
mod one_direction;

use crate::directions::{Directions, Way};
use crate::error::TraceError;
use crate::filter::Filter;
use crate::frame::{FlowKey, IpHeader, TcpFrame, TcpHeader};
use crate::recording::{CutOff, Recording};
use crate::unpack::Content;
use connection::Tracked;
use foldhash::fast::RandomState;
use forebay_core::{Duration, Time};
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;

/// Connections of a recording at most.
const MOST_CONNECTIONS: usize = 5_000_000;
/// Number of UDP among the protocols of IP.
const UDP: u8 = 17;

/// The TCP connections of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connections {
    /// The connections in order of their first packets.
    pub connections: Vec<Connection>,
    /// Packets that are not used.
    pub others: OtherPackets,
    /// Warnings, e.g. that the recording was cut off.
    pub warnings: Vec<String>,
}

/// Packets that belong to no connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OtherPackets {
    /// The number of packets of UDP.
    pub udp: u64,
    /// The number of packets of other protocols of IP.
    pub other_ip: u64,
    /// The number of packets without IP.
    pub no_ip: u64,
    /// The number of fragments of IP packets with TCP in them.
    pub fragments: u64,
    /// The number of TCP headers that were damaged or not captured.
    pub damaged: u64,
}

/// A TCP connection. Index 0 is the direction of its SYN, or of its first packet if no SYN was recorded; index 1 is the other direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The sender in each direction.
    pub ends: [SocketAddr; 2],
    /// The time of the connection's first packet; the first packet of the recording is at time zero.
    pub start: Time,
    /// The data of each direction.
    pub directions: [Carried; 2],
    /// Time from the SYN to the acknowledgement of the SYN-ACK.
    pub handshake: Option<Duration>,
    /// Whether the connection's SYN was recorded.
    pub has_beginning: bool,
    /// Whether a FIN or RST was recorded.
    pub has_end: bool,
}

/// The data of one direction of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried {
    /// The number of packets, including those without data.
    pub packets: u64,
    /// The bytes of data, by sequence numbers.
    pub bytes: u64,
    /// The transfers, which pauses separate.
    pub transfers: Vec<Transfer>,
    /// The least time from new data at the recording point to its acknowledgement there: the share of the round trip between this point and
    /// the receiver.
    pub to_receiver: Option<Duration>,
    /// Whether this is the link's direction with more packets; [`None`] if the directions of the link cannot be told apart.
    pub is_main: Option<bool>,
}

/// Data without a long pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// The time at which the transfer's first byte passed the recording point.
    pub start: Time,
    /// The number of bytes.
    pub bytes: u64,
    /// The differentiated services code point of the transfer's first packet.
    pub dscp: u8,
}

impl Connection {
    /// Returns the round-trip time: that of the handshake, or else the sum of the parts on both sides of the recording point.
    #[must_use]
    pub fn round_trip(&self) -> Option<Duration> {
        let [there, back] = &self.directions;
        self.handshake.or_else(|| Some(there.to_receiver? + back.to_receiver?))
    }
}

/// Reads the connections of a pcap or pcapng, packed or not, or of its packets that match a filter, by this IP header. New data after a
/// pause of at least `pause` begins a new transfer.
///
/// # Errors If the input is no such recording, or has no TCP packet that can be used; the message says what it has instead.
pub fn read_connections(
    content: Content<'_>,
    filter: Option<Filter>,
    header: IpHeader,
    pause: Duration,
) -> Result<Connections, TraceError> {
    let mut recording = Recording::of_content(content)?.filtered(filter).with_header(header);
    let mut reader = Reader { pause_ns: i128::from(pause.as_ps() / 1_000), ..Reader::default() };
    while let Some((ns, frame, way)) = recording.next_packet(|packet| (packet.ns, packet.tcp(), Way::of(&packet))) {
        reader.packets += 1;
        reader.start_ns = Some(reader.start_ns.map_or(ns, |start| start.min(ns)));
        reader.take(ns, frame, way)?;
    }
    if reader.packets == 0 {
        return Err(recording.nothing_to_use());
    }
    let mut warnings = Vec::new();
    if let Some(CutOff { why, .. }) = recording.cut_off() {
        warnings.push(format!("{why}; the {} packets before that are used", reader.packets));
    }
    warnings.extend(recording.account().warnings());
    reader.finish(warnings)
}

#[derive(Default)]
struct Reader {
    /// The latest connection of each pair of ends, by its first sender.
    latest: HashMap<[SocketAddr; 2], usize, RandomState>,
    connections: Vec<Tracked>,
    directions: Directions,
    others: OtherPackets,
    packets: u64,
    start_ns: Option<i128>,
    pause_ns: i128,
}

impl Reader {
    fn take(&mut self, ns: i128, frame: TcpFrame, way: Way) -> Result<(), TraceError> {
        let header = match frame {
            TcpFrame::Segment(header) => header,
            TcpFrame::Fragment => {
                self.others.fragments += 1;
                return Ok(());
            }
            TcpFrame::Damaged(_) => {
                self.others.damaged += 1;
                return Ok(());
            }
            TcpFrame::Other(FlowKey::Ip { protocol: UDP, .. }) => {
                self.others.udp += 1;
                return Ok(());
            }
            TcpFrame::Other(_) => {
                self.others.other_ip += 1;
                return Ok(());
            }
            TcpFrame::NoIp => {
                self.others.no_ip += 1;
                return Ok(());
            }
        };
        self.directions.note(way);
        self.segment(ns, &header, way)
    }

    fn segment(&mut self, ns: i128, header: &TcpHeader, way: Way) -> Result<(), TraceError> {
        let FlowKey::Ip { source, destination, ports, .. } = &header.key else { return Ok(()) };
        let ends = [SocketAddr::new(*source, ports.0), SocketAddr::new(*destination, ports.1)];
        let known = self.latest.get(&ends).map(|place| (*place, 0));
        // A host that sends to itself has one key for both directions.
        let known = known.or_else(|| self.latest.get(&[ends[1], ends[0]]).map(|place| (*place, 1)));
        let known = known.filter(|(place, from)| !self.connections[*place].is_reopened_by(*from, header));
        let (place, from) = match known {
            Some(known) => known,
            None => {
                if self.connections.len() >= MOST_CONNECTIONS {
                    let advice = "choose some of them with a filter";
                    return Err(TraceError::File(format!("more than {MOST_CONNECTIONS} TCP connections; {advice}")));
                }
                // A recording may begin with a SYN-ACK, whose receiver opened the connection.
                let from = usize::from(header.syn && header.acknowledgement.is_some());
                let ends = if from == 0 { ends } else { [ends[1], ends[0]] };
                self.latest.remove(&[ends[1], ends[0]]);
                self.latest.insert(ends, self.connections.len());
                self.connections.push(Tracked::new(ends, ns));
                (self.connections.len() - 1, from)
            }
        };
        self.connections[place].segment(ns, from, header, way, self.pause_ns);
        Ok(())
    }

    fn finish(self, warnings: Vec<String>) -> Result<Connections, TraceError> {
        let Self { connections, others, packets, start_ns, directions, .. } = self;
        if connections.is_empty() {
            let OtherPackets { udp, other_ip, no_ip, fragments, damaged } = others;
            return Err(TraceError::File(format!(
                "the recording has no TCP connection; its {packets} packets are: UDP {udp}, other IP {other_ip}, without IP {no_ip}, \
                 fragments of TCP {fragments}, TCP headers damaged or not captured {damaged}; to replay such packets as they are, write \
                 `traffic = {{ trace = \"FILE\" }}` in a scenario"
            )));
        }
        let mut of_pairs = BTreeMap::new();
        for (ends, packets) in connections.iter().flat_map(Tracked::packets) {
            *of_pairs.entry(ends).or_default() += packets;
        }
        let sides = directions.sides(&of_pairs);
        let start = start_ns.unwrap_or(0);
        let most_ns = i128::from(Time::MAX.as_ps() / 1_000);
        let finished = connections.into_iter().map(|own| own.finish(start, most_ns, sides));
        let mut connections = finished.collect::<Option<Vec<_>>>().ok_or_else(|| {
            TraceError::File(
                "a packet is more than 213 days after the earliest one; if its time stamp is damaged, remove the packet; otherwise split \
                 the recording"
                    .to_owned(),
            )
        })?;
        connections.sort_by_key(|connection| connection.start);
        Ok(Connections { connections, others, warnings })
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
