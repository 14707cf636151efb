//! Reads the class, the marks and the flow of a packet from the bytes of a frame.
//!
//! Frames may be cut short by the snap length. The captured part is used; an unreadable frame still counts as a packet of class 0.

use super::link::Link;
use etherparse::{LaxNetSlice, LaxSlicedPacket};
use forebay_core::encapsulation::{self, Network};
use forebay_core::{IpHeader, Marks, tunnel};
use std::net::IpAddr;

/// The key that the packets of one flow share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FlowKey {
    /// An IP 5-tuple; ports are 0 where the protocol has none or the packet is a
    /// fragment.
    Ip { source: IpAddr, destination: IpAddr, protocol: u8, ports: (u16, u16) },
    /// Anything else, by its EtherType.
    Other(u16),
}

/// The contents of a packet's IP header.
pub(crate) struct Ip<'a> {
    /// Differentiated services code point.
    pub(crate) dscp: u8,
    /// Explicit congestion notification.
    pub(crate) marks: Marks,
    /// The packet's flow; `FlowKey::Ip`.
    pub(crate) key: FlowKey,
    /// The number of the payload's protocol.
    pub(crate) protocol: u8,
    /// Whether the payload is only a fragment of the original packet.
    pub(crate) fragmented: bool,
    /// The captured part of the payload.
    pub(crate) payload: &'a [u8],
    /// The bytes of payload on the wire; `None` if the header leaves its length 0, as network cards that segment frames do.
    pub(crate) payload_bytes: Option<usize>,
}

/// Reads an IP header of a frame. The marks are read from the outer header, in which switches set them.
fn ip(header: IpHeader, frame: &[u8], outer: encapsulation::Ip) -> Option<Ip<'_>> {
    let found = tunnel::find(frame, outer, header);
    let (_, marks) = class(outer.traffic_class(frame)?);
    let (dscp, _) = class(found.traffic_class(frame)?);
    let sliced = LaxSlicedPacket::from_ip(&frame[found.at..]).ok()?;
    let (source, destination, payload, header_bytes, length) = match sliced.net? {
        LaxNetSlice::Ipv4(ip) => {
            let header = ip.header();
            let header_bytes =
                header.slice().len() + ip.extensions().auth.as_ref().map_or(0, |auth| auth.slice().len());
            let (source, destination) = (header.source_addr().into(), header.destination_addr().into());
            (source, destination, ip.payload().clone(), header_bytes, header.total_len())
        }
        LaxNetSlice::Ipv6(ip) => {
            let header = ip.header();
            let (source, destination) = (header.source_addr().into(), header.destination_addr().into());
            let extension_bytes = ip.extensions().slice().len();
            (source, destination, ip.payload().clone(), extension_bytes, header.payload_length())
        }
        LaxNetSlice::Arp(_) => return None,
    };
    let protocol = payload.ip_number.0;
    let has_ports = matches!(protocol, 6 | 17 | 33 | 132 | 136) && !payload.fragmented;
    let ports = match payload.payload {
        [a, b, c, d, ..] if has_ports => (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])),
        _ => (0, 0),
    };
    Some(Ip {
        dscp,
        marks,
        key: FlowKey::Ip { source, destination, protocol, ports },
        protocol,
        fragmented: payload.fragmented,
        payload: payload.payload,
        payload_bytes: (length > 0).then(|| usize::from(length).saturating_sub(header_bytes)),
    })
}

/// Returns the IP header of a frame, if it has one.
pub(crate) fn ip_header(link: Link, header: IpHeader, frame: &[u8]) -> Option<Ip<'_>> {
    match link.network(frame) {
        Network::Ip(outer) => ip(header, frame, outer),
        Network::Other(_) => None,
    }
}

/// Returns the DSCP of a traffic class, and the marks of its ECN field (RFC 3168, section 5).
fn class(traffic_class: u8) -> (u8, Marks) {
    let mut marks = Marks::default();
    let ecn = traffic_class & 3;
    if ecn != 0 {
        marks.set_ecn_capable();
    }
    if ecn == 3 {
        marks.set_congested();
    }
    (traffic_class >> 2, marks)
}

/// The class, the marks and the flow in the headers of a frame.
pub(crate) struct Headers {
    /// Differentiated services code point.
    pub(crate) dscp: u8,
    /// Explicit congestion notification.
    pub(crate) marks: Marks,
    /// The packet's flow.
    pub(crate) key: FlowKey,
}

/// Reads the headers of a frame. Without an IP header, the packet has class 0 and no marks. `Other` is also the key of an IP header whose
/// options are cut off.
pub(crate) fn classify(link: Link, header: IpHeader, frame: &[u8]) -> Headers {
    match link.network(frame) {
        Network::Ip(found) => match ip(header, frame, found) {
            Some(ip) => Headers { dscp: ip.dscp, marks: ip.marks, key: ip.key },
            None => {
                let (dscp, marks) = found.traffic_class(frame).map(class).unwrap_or_default();
                Headers { dscp, marks, key: FlowKey::Other(0) }
            }
        },
        Network::Other(ether_type) => Headers { dscp: 0, marks: Marks::default(), key: FlowKey::Other(ether_type) },
    }
}
