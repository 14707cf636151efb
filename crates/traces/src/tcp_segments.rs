//! The TCP segments of a recording, with the fields that a reassembler needs.
//!
//! This is a pass of its own over a pcap or pcapng. A [`Packet`](forebay_core::Packet) has no sequence number, and
//! schedulers need none.

use crate::error::TraceError;
use crate::flow_table::FlowTable;
use crate::frame::{TcpFrame, TcpHeader};
use crate::recording::{CutOff, Recording, is_pcap};
use crate::unpack::Content;
use forebay_core::{FlowId, Time};

/// A TCP segment on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TcpSegment {
    /// The time at which the segment arrives.
    pub arrival: Time,
    /// The segment's 5-tuple, counted from 0; the two directions of a connection are two flows.
    pub flow: FlowId,
    /// The sequence number of the segment's first byte, or of its SYN.
    pub sequence: u32,
    /// Bytes of data, without headers.
    pub payload_bytes: u32,
    /// Length on the wire in bytes.
    pub size_bytes: u32,
    /// The segment's flags.
    pub flags: TcpFlags,
}

/// The flags that open and close a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TcpFlags {
    /// Opens the flow; uses one sequence number.
    pub syn: bool,
    /// Ends the flow; uses one sequence number.
    pub fin: bool,
    /// Ends the flow immediately.
    pub rst: bool,
}

/// All TCP segments of a recording, in order of time, the first packet of the recording at time zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TcpTrace {
    /// The segments.
    pub segments: Vec<TcpSegment>,
    /// The number of packets that are not TCP.
    pub other_packets: u64,
    /// Warnings, e.g. that the recording was cut off.
    pub warnings: Vec<String>,
}

/// Reads the TCP segments of a pcap or pcapng, packed or not. Fragments of IP packets are left out, with a warning.
///
/// # Errors
/// If it is not such a recording, has no TCP segment, or a packet's TCP header is damaged or was not captured. The message has the number
/// of the packet, from 1.
pub fn read_tcp_segments(content: Content<'_>) -> Result<TcpTrace, TraceError> {
    if !is_pcap(&content.start) {
        return Err(TraceError::File("TCP segments are read from pcap and pcapng only; this is neither".to_owned()));
    }
    let mut recording = Recording::new(content.input)?;
    let mut flows = FlowTable::default();
    let mut trace = TcpTrace::default();
    // Nanoseconds since 1970, the packet's number, and the segment.
    let mut segments = Vec::new();
    let (mut packets, mut fragments, mut start) = (0_u64, 0_u64, i128::MAX);
    while let Some((ns, size_bytes, seen)) =
        recording.next_packet(|packet| (packet.ns, packet.wire_bytes, packet.tcp()))
    {
        packets += 1;
        start = start.min(ns);
        match seen {
            TcpFrame::Segment(TcpHeader { key, sequence, payload_bytes, syn, fin, rst, .. }) => {
                let (arrival, flow, flags) = (Time::ZERO, flows.id_of(key), TcpFlags { syn, fin, rst });
                segments.push((ns, packets, TcpSegment { arrival, flow, sequence, payload_bytes, size_bytes, flags }));
            }
            TcpFrame::Fragment => fragments += 1,
            TcpFrame::Other(_) | TcpFrame::NoIp => trace.other_packets += 1,
            TcpFrame::Damaged(why) => return Err(TraceError::File(format!("packet {packets}: {why}"))),
        }
    }
    if let Some(CutOff { why, .. }) = recording.cut_off() {
        trace.warnings.push(format!("{why}; the {packets} packets before that are used"));
    }
    trace.warnings.extend(recording.account().warnings());
    if packets == 0 && recording.account().records > 0 {
        return Err(recording.nothing_to_use());
    }
    if fragments > 0 {
        trace.warnings.push(format!("{fragments} fragments of IP packets were left out"));
    }
    if segments.is_empty() {
        return Err(TraceError::File(format!("the recording has no TCP segment among its {packets} packets")));
    }
    let backwards = segments.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
    if backwards > 0 {
        trace.warnings.push(format!("{backwards} segments were earlier than the segment before them; sorted by time"));
        segments.sort_by_key(|&(ns, ..)| ns);
    }
    let most_ns = i128::from(Time::MAX.as_ps() / 1_000);
    if let Some((_, packet, _)) = segments.iter().find(|(ns, ..)| ns - start >= most_ns) {
        return Err(TraceError::File(format!(
            "packet {packet} is more than 213 days after the earliest one; if its time stamp is damaged, remove the packet with `editcap`; \
             otherwise split the recording"
        )));
    }
    let at = |ns: i128| Time::from_ns(u64::try_from(ns - start).expect("the span of the recording was checked"));
    trace.segments = segments.into_iter().map(|(ns, _, segment)| TcpSegment { arrival: at(ns), ..segment }).collect();
    Ok(trace)
}
