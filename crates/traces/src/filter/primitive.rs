//! One condition of a filter.

use super::packet_view::Seen;
use crate::frame::{Direction, FlowKey};
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// The end of a packet to which a condition applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Source,
    Destination,
    Either,
    Both,
}

impl End {
    fn fits<T>(self, (source, destination): (T, T), is_it: impl Fn(T) -> bool) -> bool {
        match self {
            Self::Source => is_it(source),
            Self::Destination => is_it(destination),
            Self::Either => is_it(source) || is_it(destination),
            Self::Both => is_it(source) && is_it(destination),
        }
    }
}

/// The version of IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V4,
    V6,
}

/// One part of a filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Primitive {
    Ip(Version),
    Protocol(u8),
    EtherType(u16),
    /// An address or a network: the bits that count, and how many these are.
    Net(End, IpAddr, u32),
    /// Ports of this protocol; without one, of any protocol that has ports.
    Port(End, RangeInclusive<u16>, Option<u8>),
    Ethernet(End, [u8; 6]),
    /// `None`: any.
    Vlan(Option<u16>),
    Size(RangeInclusive<u32>),
    Direction(Direction),
    Interface(String),
    Dscp(u8),
    /// Nanoseconds since the first packet: from the first on, before the second.
    Time(i128, i128),
    /// Both of these.
    Both(Box<Primitive>, Box<Primitive>),
}

impl Primitive {
    pub(super) fn fits(&self, packet: &Seen<'_>) -> bool {
        match self {
            Self::Both(a, b) => a.fits(packet) && b.fits(packet),
            Self::Ethernet(end, wanted) => packet
                .ethernet()
                .is_some_and(|(destination, source)| end.fits((source, destination), |own| own == *wanted)),
            Self::Vlan(wanted) => packet.vlans().any(|own| wanted.is_none_or(|wanted| wanted == own)),
            Self::Size(range) => range.contains(&packet.wire_bytes),
            Self::Direction(wanted) => packet.direction == Some(*wanted),
            Self::Interface(wanted) => packet.interface_name == Some(wanted) || wanted.parse() == Ok(packet.interface),
            Self::Dscp(wanted) => matches!(packet.flow(), FlowKey::Ip { .. }) && packet.headers().dscp == *wanted,
            Self::Time(from, to) => (*from..*to).contains(&packet.since_first_ns),
            Self::EtherType(wanted) => match packet.flow() {
                FlowKey::Other(kind) => kind == wanted,
                FlowKey::Ip { .. } => false,
            },
            Self::Ip(_) | Self::Protocol(_) | Self::Net(..) | Self::Port(..) => self.fits_ip(packet),
        }
    }

    fn fits_ip(&self, packet: &Seen<'_>) -> bool {
        let FlowKey::Ip { source, destination, protocol, ports } = packet.flow() else { return false };
        match self {
            Self::Ip(Version::V4) => source.is_ipv4(),
            Self::Ip(Version::V6) => source.is_ipv6(),
            Self::Protocol(wanted) => protocol == wanted,
            Self::Net(end, net, length) => end.fits((*source, *destination), |own| is_within(own, *net, *length)),
            Self::Port(end, range, of) => {
                // What is a fragment, or of another protocol, has no ports.
                *ports != (0, 0)
                    && of.is_none_or(|wanted| wanted == *protocol)
                    && end.fits(*ports, |own| range.contains(&own))
            }
            _ => false,
        }
    }
}

/// Returns whether the first `length` bits of `own` and `net` are equal.
pub(crate) fn is_within(own: IpAddr, net: IpAddr, length: u32) -> bool {
    match (own, net) {
        (IpAddr::V4(own), IpAddr::V4(net)) => length == 0 || (own.to_bits() ^ net.to_bits()) >> (32 - length) == 0,
        (IpAddr::V6(own), IpAddr::V6(net)) => length == 0 || (own.to_bits() ^ net.to_bits()) >> (128 - length) == 0,
        _ => false,
    }
}
