//! From the bytes of a frame to the class, the marks and the flow of a packet.
//!
//! Frames may be cut short by the snap length: what is there is used, and a frame
//! of which nothing can be read is a packet of class 0 all the same.

use super::between::Network;
use super::link::Link;
use etherparse::{IpEcn, LaxNetSlice, LaxSlicedPacket};
use forebay_core::Marks;
use std::net::IpAddr;

/// What the packets of one flow have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FlowKey {
    /// An IP 5-tuple; ports are 0 where the protocol has none or the packet is a
    /// fragment.
    Ip { source: IpAddr, destination: IpAddr, protocol: u8, ports: (u16, u16) },
    /// Anything else, by its EtherType.
    Other(u16),
}

/// What the IP header of a packet says.
pub(crate) struct Ip<'a> {
    /// Differentiated services code point.
    pub(crate) dscp: u8,
    /// Explicit congestion notification.
    pub(crate) marks: Marks,
    /// Its flow; `FlowKey::Ip`.
    pub(crate) key: FlowKey,
    /// Number of the protocol of the payload.
    pub(crate) protocol: u8,
    /// Whether the payload is only a part of what was sent.
    pub(crate) fragmented: bool,
    /// The payload as far as it was captured.
    pub(crate) payload: &'a [u8],
    /// Bytes of payload on the wire; `None` where the header leaves them open, as network cards do that segment.
    pub(crate) payload_bytes: Option<usize>,
}

fn ip<'a>(sliced: &LaxSlicedPacket<'a>) -> Option<Ip<'a>> {
    let (dscp, ecn, source, destination, payload, header_bytes, length) = match &sliced.net {
        Some(LaxNetSlice::Ipv4(ip)) => {
            let header = ip.header();
            let header_bytes =
                header.slice().len() + ip.extensions().auth.as_ref().map_or(0, |auth| auth.slice().len());
            let (source, destination) = (header.source_addr().into(), header.destination_addr().into());
            let (dscp, ecn) = (header.dcp().value(), header.ecn());
            (dscp, ecn, source, destination, ip.payload(), header_bytes, header.total_len())
        }
        Some(LaxNetSlice::Ipv6(ip)) => {
            let header = ip.header();
            let (source, destination) = (header.source_addr().into(), header.destination_addr().into());
            let extension_bytes = ip.extensions().slice().len();
            let (dscp, ecn) = (header.dscp().value(), header.ecn());
            (dscp, ecn, source, destination, ip.payload(), extension_bytes, header.payload_length())
        }
        _ => return None,
    };
    let protocol = payload.ip_number.0;
    let has_ports = matches!(protocol, 6 | 17 | 33 | 132 | 136) && !payload.fragmented;
    let ports = match payload.payload {
        [a, b, c, d, ..] if has_ports => (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])),
        _ => (0, 0),
    };
    Some(Ip {
        dscp,
        marks: marks(ecn),
        key: FlowKey::Ip { source, destination, protocol, ports },
        protocol,
        fragmented: payload.fragmented,
        payload: payload.payload,
        payload_bytes: (length > 0).then(|| usize::from(length).saturating_sub(header_bytes)),
    })
}

/// The IP header of a frame, if it has one.
pub(crate) fn ip_header(link: Link, frame: &[u8]) -> Option<Ip<'_>> {
    match link.network(frame) {
        Network::Ip(bytes) => ip(&LaxSlicedPacket::from_ip(bytes).ok()?),
        Network::Other(_) => None,
    }
}

/// What the ECN field of an IP header says (RFC 3168, section 5).
fn marks(ecn: IpEcn) -> Marks {
    let mut marks = Marks::default();
    if ecn != IpEcn::NotEct {
        marks.set_ecn_capable();
    }
    if ecn == IpEcn::CongestionExperienced {
        marks.set_congested();
    }
    marks
}

/// What the headers of a frame say of its packet.
pub(crate) struct Headers {
    /// Differentiated services code point.
    pub(crate) dscp: u8,
    /// Explicit congestion notification.
    pub(crate) marks: Marks,
    /// Its flow.
    pub(crate) key: FlowKey,
}

/// What the headers of a frame say; class 0, no marks and `Other` where it is not IP.
pub(crate) fn classify(link: Link, frame: &[u8]) -> Headers {
    let other = |ether_type| Headers { dscp: 0, marks: Marks::default(), key: FlowKey::Other(ether_type) };
    match link.network(frame) {
        Network::Ip(bytes) => match LaxSlicedPacket::from_ip(bytes).ok().as_ref().and_then(ip) {
            Some(ip) => Headers { dscp: ip.dscp, marks: ip.marks, key: ip.key },
            None => other(0),
        },
        Network::Other(ether_type) => other(ether_type),
    }
}
