//! Reads pcap and pcapng recordings.
//!
//! The class of a packet is its DSCP, its marks are its ECN field, and its flow is the 5-tuple. Its size is the length on the wire (not the
//! captured length). Class and flow can be those of the innermost header of a tunnel. For a recording that is cut off in the middle, the
//! reader returns the packets before the cut, and a warning.

use crate::directions::{Directions, Way};
use crate::error::TraceError;
use crate::filter::Filter;
use crate::flow_table::FlowTable;
use crate::frame::{FlowKey, Headers, IpHeader};
use crate::recording::{CutOff, Recording};
use crate::trace::Trace;
use crate::unpack::Content;
use forebay_core::{ClassId, FlowId, Packet, Time};
use std::io::Read;

/// Reads a recording, or its packets that match a filter. `header` selects the IP header that gives class and flow, and to which the filter
/// applies.
///
/// # Errors If it is not a pcap or pcapng file, or has no usable packet.
pub fn read_pcap(input: impl Read + Send, filter: Option<Filter>, header: IpHeader) -> Result<Trace, TraceError> {
    let mut recording = Recording::new(input)?.filtered(filter).with_header(header);
    let mut collector = Collector::default();
    let mut directions = Directions::default();
    while let Some((ns, size_bytes, Headers { dscp, marks, key }, way)) =
        recording.next_packet(|packet| (packet.ns, packet.wire_bytes, packet.headers(), Way::of(&packet)))
    {
        let flow = collector.flows.id_of(key);
        directions.note(way);
        collector.packets.push((ns, Packet { size_bytes, class: ClassId(dscp), flow, marks, ..Packet::default() }));
    }
    if collector.packets.is_empty() {
        return Err(recording.nothing_to_use());
    }
    if let Some(CutOff { why, .. }) = recording.cut_off() {
        collector.warnings.push(format!("{why}; the {} packets before that are used", collector.packets.len()));
    }
    let account = recording.account();
    collector.warnings.extend(account.warnings());
    let account = account.clone();
    let packets: Vec<FlowId> = collector.packets.iter().map(|(_, packet)| packet.flow).collect();
    collector.warnings.extend(directions.warning(&collector.flows, &packets));
    Ok(Trace { account: Some(account), ..collector.into_trace()? })
}

/// Returns a filter for each of the two directions of a link, if a recording holds both. The first filter selects the direction with more
/// packets.
///
/// # Errors
/// If it is not a pcap or pcapng file, or its directions cannot be told apart.
pub fn filters_of_directions(content: Content<'_>) -> Result<[Filter; 2], TraceError> {
    let mut recording = Recording::of_content(content)?;
    let (mut flows, mut packets, mut directions) = (FlowTable::default(), Vec::new(), Directions::default());
    while let Some((Headers { key, .. }, way)) = recording.next_packet(|packet| (packet.headers(), Way::of(&packet))) {
        packets.push(flows.id_of(key));
        directions.note(way);
    }
    if packets.is_empty() {
        return Err(recording.nothing_to_use());
    }
    let filters = directions.filters(&flows, &packets).ok_or_else(|| {
        let what = "the two directions cannot be told apart: the recording holds no direction of packets, Ethernet does not have two \
                    senders, and no network is at one end of all packets";
        TraceError::File(format!("{what}; cut each out with a filter of your own: forebay trace cut IN OUT --filter \"src net NET\""))
    })?;
    let filter = |text: String| Filter::parse(&text).map_err(|error| TraceError::File(error.to_string()));
    let [first, second] = filters;
    Ok([filter(first)?, filter(second)?])
}

#[derive(Default)]
struct Collector {
    flows: FlowTable<FlowKey>,
    /// Nanoseconds since 1970, and the packet.
    packets: Vec<(i128, Packet)>,
    warnings: Vec<String>,
}

impl Collector {
    fn into_trace(self) -> Result<Trace, TraceError> {
        let start = self.packets.iter().map(|&(ns, _)| ns).min().unwrap_or(0);
        let most_ns = i128::from(Time::MAX.as_ps() / 1_000);
        if let Some(place) = self.packets.iter().position(|&(ns, _)| ns - start >= most_ns) {
            return Err(TraceError::File(format!(
                "packet {} is more than 213 days after the earliest one; if its time stamp is damaged, remove the packet; otherwise split \
                 the recording",
                place + 1
            )));
        }
        let at = |ns: i128| Time::from_ns(u64::try_from(ns - start).expect("the span of the recording was checked"));
        let packets = self.packets.into_iter().map(|(ns, packet)| Packet { arrival: at(ns), ..packet }).collect();
        let trace = Trace { packets, warnings: self.warnings, ..Trace::default() };
        Ok(trace.finish().with_remaining_bytes())
    }
}
