//! The IP header inside a tunnel: behind VXLAN, Geneve, GRE (NVGRE too), GTP-U, and IP in IP.
//!
//! Recordings and the switch find inner headers with this code. The switch also splits the large frames of tunnels with
//! it.

use crate::IpHeader;
use crate::encapsulation::{self, Ip, Network, Start, Version};

/// The maximum number of nested tunnels that are opened. Deeper tunnels count as payload.
pub const MOST: usize = 8;
/// The maximum number of extension headers of IPv6 or GTP-U that are followed.
const MOST_EXTENSIONS: usize = 8;

const IPV4_IN_IP: u8 = 4;
const UDP: u8 = 17;
const IPV6_IN_IP: u8 = 41;
const GRE: u8 = 47;

const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION: u8 = 60;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
/// The `EtherType` of Ethernet in GRE or Geneve.
const ETHERNET: u16 = 0x6558;
/// The least `EtherType`. Smaller numbers are lengths.
const LEAST_TYPE: u16 = 0x0600;

/// The payload of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    /// The offset at which the payload begins.
    pub at: usize,
    /// The kind of the payload's first header.
    pub start: Start,
}

/// Returns the wanted IP header. Returns `outer` if its packet has no tunnel, or if the header inside the tunnel is damaged or incomplete.
/// `bytes` is the whole frame.
#[must_use]
pub fn find(bytes: &[u8], outer: Ip, wanted: IpHeader) -> Ip {
    let (mut bytes, mut found) = (bytes, outer);
    let most = match wanted {
        IpHeader::Outer => 0,
        IpHeader::Second => 1,
        IpHeader::Inner => MOST,
    };
    for _ in 0..most {
        let Some((packet, inner)) = inside(bytes, found) else { break };
        (bytes, found) = (packet, inner);
    }
    found
}

/// Returns the IP header one tunnel further in, and the bytes up to the end of the packet that carries it.
fn inside(bytes: &[u8], outer: Ip) -> Option<(&[u8], Ip)> {
    let (protocol, at, bytes) = carried(bytes, outer)?;
    let (payload, bytes) = match protocol {
        IPV4_IN_IP => (Payload { at, start: Start::Behind(IPV4) }, bytes),
        IPV6_IN_IP => (Payload { at, start: Start::Behind(IPV6) }, bytes),
        GRE => (gre(bytes, at)?, bytes),
        UDP => (udp(bytes, at)?, up_to(bytes, at, word(bytes, at + 4)?, 8)?),
        _ => return None,
    };
    let Network::Ip(inner) = encapsulation::network(bytes, payload.at, payload.start, encapsulation::MOST) else {
        return None;
    };
    is_whole(bytes, inner).then_some((bytes, Ip { is_sealed: outer.is_sealed || inner.is_sealed, ..inner }))
}

/// Returns whether a header is complete, with the options of IPv4.
fn is_whole(bytes: &[u8], ip: Ip) -> bool {
    let options = match ip.version {
        Version::V4 => bytes.get(ip.at).map_or(0, |first| usize::from(first & 0x0f) * 4),
        Version::V6 => 40,
    };
    ip.traffic_class(bytes).is_some() && ip.at + options <= bytes.len()
}

/// Returns the payload of an IP packet: its protocol, its offset, and the bytes up to the end of the packet. Returns `None` for a damaged
/// packet, and for a fragment other than the first, which has no headers.
fn carried(bytes: &[u8], ip: Ip) -> Option<(u8, usize, &[u8])> {
    if !is_whole(bytes, ip) {
        return None;
    }
    let at = ip.at;
    match ip.version {
        Version::V4 => {
            let header = usize::from(*bytes.get(at)? & 0x0f) * 4;
            let is_first = word(bytes, at + 6)? & 0x1fff == 0;
            let packet = up_to(bytes, at, word(bytes, at + 2)?, header)?;
            is_first.then_some(())?;
            behind_extensions(packet, *bytes.get(at + 9)?, at + header, &[AUTHENTICATION])
        }
        Version::V6 => {
            let packet = up_to(bytes, at + 40, word(bytes, at + 4)?, 0)?;
            let followed = [HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION];
            behind_extensions(packet, *bytes.get(at + 6)?, at + 40, &followed)
        }
    }
}

/// Returns the bytes up to the end that a header states: `length` bytes after `at`. A network card that segments frames leaves the length
/// 0.
fn up_to(bytes: &[u8], at: usize, length: u16, least: usize) -> Option<&[u8]> {
    match usize::from(length) {
        0 => Some(bytes),
        length if length < least => None,
        length => Some(&bytes[..bytes.len().min(at + length)]),
    }
}

/// Returns the offset after the extension headers, of which those in `followed` are skipped.
fn behind_extensions<'a>(
    bytes: &'a [u8],
    mut protocol: u8,
    mut at: usize,
    followed: &[u8],
) -> Option<(u8, usize, &'a [u8])> {
    for _ in 0..MOST_EXTENSIONS {
        if !followed.contains(&protocol) {
            return Some((protocol, at, bytes));
        }
        let length = usize::from(*bytes.get(at + 1)?);
        let header = match protocol {
            FRAGMENT if word(bytes, at + 2)? & 0xfff8 != 0 => return None,
            FRAGMENT => 8,
            AUTHENTICATION => (length + 2) * 4,
            _ => (length + 1) * 8,
        };
        (protocol, at) = (*bytes.get(at)?, at + header);
    }
    None
}

/// Returns the payload of a GRE header at `at`, with or without checksum, key and sequence number (RFC 2784 and 2890). NVGRE (RFC 7637) is
/// Ethernet in GRE with a key. Returns `None` if the header has a source route or the version of PPTP.
#[must_use]
pub fn gre(bytes: &[u8], at: usize) -> Option<Payload> {
    const HAS_ROUTE: u8 = 0x40;
    const HAS_OTHERS: u8 = 0xb0;
    let (flags, version) = (*bytes.get(at)?, *bytes.get(at + 1)? & 7);
    if flags & HAS_ROUTE != 0 || version != 0 {
        return None;
    }
    let fields = (flags & HAS_OTHERS).count_ones() as usize;
    announced(word(bytes, at + 2)?, at + 4 + 4 * fields)
}

/// Returns the payload of the UDP header at `at`, if its destination port belongs to a tunnel protocol.
#[must_use]
pub fn udp(bytes: &[u8], at: usize) -> Option<Payload> {
    match word(bytes, at + 2)? {
        // The second is the port that Linux had first.
        4789 | 8472 => vxlan(bytes, at + 8),
        6081 => geneve(bytes, at + 8),
        2152 => gtp(bytes, at + 8),
        _ => None,
    }
}

/// Returns the payload of a VXLAN header (RFC 7348) at `at`, if it has a network identifier.
#[must_use]
pub fn vxlan(bytes: &[u8], at: usize) -> Option<Payload> {
    const HAS_IDENTIFIER: u8 = 0x08;
    let flags = *bytes.get(at)?;
    (flags & HAS_IDENTIFIER != 0).then_some(Payload { at: at + 8, start: Start::Ethernet })
}

/// Returns the payload of a Geneve header (RFC 8926) at `at`, after its options.
#[must_use]
pub fn geneve(bytes: &[u8], at: usize) -> Option<Payload> {
    let first = *bytes.get(at)?;
    let options = usize::from(first & 0x3f) * 4;
    (first >> 6 == 0).then_some(())?;
    announced(word(bytes, at + 2)?, at + 8 + options)
}

/// Returns the payload of a GTP-U header (3GPP TS 29.281) at `at`, after its extension headers, if it carries a packet.
#[must_use]
pub fn gtp(bytes: &[u8], at: usize) -> Option<Payload> {
    /// Version 1 of GTP, which is not GTP'.
    const VERSION: u8 = 0x30;
    const CARRIES_PACKET: u8 = 255;
    const HAS_EXTENSIONS: u8 = 0x04;
    const HAS_ANY: u8 = 0x07;
    let (flags, kind) = (*bytes.get(at)?, *bytes.get(at + 1)?);
    if flags & 0xf0 != VERSION || kind != CARRIES_PACKET {
        return None;
    }
    let mut begin = at + 8;
    if flags & HAS_ANY != 0 {
        begin += 4;
    }
    if flags & HAS_EXTENSIONS != 0 {
        let mut left = MOST_EXTENSIONS;
        // The last byte of each extension header gives the type of the next one.
        while *bytes.get(begin - 1)? != 0 {
            let words = usize::from(*bytes.get(begin)?);
            if words == 0 || left == 0 {
                return None;
            }
            left -= 1;
            begin += words * 4;
        }
    }
    Some(Payload { at: begin, start: Start::Ip })
}

/// Returns the kind of header that an `EtherType` in the header of a tunnel announces.
fn announced(kind: u16, at: usize) -> Option<Payload> {
    match kind {
        ETHERNET => Some(Payload { at, start: Start::Ethernet }),
        LEAST_TYPE.. => Some(Payload { at, start: Start::Behind(kind) }),
        _ => None,
    }
}

/// Returns two bytes in network byte order.
fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An IPv4 packet.
    fn ipv4(protocol: u8, carried: &[u8]) -> Vec<u8> {
        let [high, low] = u16::try_from(20 + carried.len()).unwrap().to_be_bytes();
        let header = [0x45, 0, high, low, 0, 1, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        [&header, carried].concat()
    }

    /// An IPv6 packet.
    fn ipv6(protocol: u8, carried: &[u8]) -> Vec<u8> {
        let length = u8::try_from(carried.len()).unwrap();
        [&[0x60, 0, 0, 0, 0, length, protocol, 64][..], &[1; 32], carried].concat()
    }

    fn datagram(port: u16, carried: &[u8]) -> Vec<u8> {
        let length = u16::try_from(8 + carried.len()).unwrap().to_be_bytes();
        [&[0xc0, 1][..], &port.to_be_bytes(), &length, &[0, 0], carried].concat()
    }

    /// Returns a packet with a DSCP by which the tests recognise it.
    fn wanted() -> Vec<u8> {
        let mut packet = ipv4(6, &[7; 20]);
        packet[1] = 0xb8;
        packet
    }

    fn ethernet(kind: u16, carried: &[u8]) -> Vec<u8> {
        [&[2; 12][..], &kind.to_be_bytes(), carried].concat()
    }

    /// Returns the offset of a packet's innermost header from its outermost one.
    fn place(packet: &[u8]) -> usize {
        let Network::Ip(outer) = encapsulation::network(packet, 0, Start::Ip, 0) else { panic!("no IP") };
        find(packet, outer, IpHeader::Inner).at
    }

    fn is_found(packet: &[u8]) -> bool {
        place(packet) == packet.len() - wanted().len()
    }

    #[test]
    fn ip_is_found_in_each_kind_of_tunnel() {
        let frame = ethernet(IPV4, &wanted());
        let tagged = ethernet(0x8100, &[&[0, 5, 8, 0][..], &wanted()].concat());
        let behind = |front: &[u8], payload: &[u8]| [front, payload].concat();
        for (name, packet) in [
            ("IP in IP", ipv4(4, &wanted())),
            ("IP in IPv6", ipv6(4, &wanted())),
            ("IPv6 in IP, in which is IP", ipv4(41, &ipv6(4, &wanted()))),
            ("IPv6 in IPv6, with options", ipv6(0, &behind(&[41, 0, 1, 4, 0, 0, 0, 0], &ipv6(4, &wanted())))),
            ("with authentication", ipv4(51, &behind(&[4, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1], &wanted()))),
            ("the first fragment", ipv6(44, &behind(&[4, 0, 0, 1, 0, 0, 0, 9], &wanted()))),
            ("GRE", ipv4(47, &behind(&[0, 0, 8, 0], &wanted()))),
            ("GRE with all fields", ipv4(47, &behind(&[0xb0, 0, 8, 0, 1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 0, 9], &wanted()))),
            ("labels in GRE", ipv4(47, &behind(&[0, 0, 0x88, 0x47, 0, 1, 1, 64], &wanted()))),
            ("NVGRE", ipv4(47, &behind(&[0x20, 0, 0x65, 0x58, 0, 0, 7, 0], &frame))),
            ("VXLAN", ipv4(17, &datagram(4789, &behind(&[8, 0, 0, 0, 0, 0, 7, 0], &frame)))),
            ("VXLAN at Linux' port", ipv6(17, &datagram(8472, &behind(&[8, 0, 0, 0, 0, 0, 7, 0], &tagged)))),
            ("Geneve", ipv4(17, &datagram(6081, &behind(&[0, 0, 0x65, 0x58, 0, 0, 7, 0], &frame)))),
            (
                "Geneve with an option",
                ipv4(17, &datagram(6081, &behind(&[2, 0, 8, 0, 0, 0, 7, 0, 1, 2, 3, 1, 9, 9, 9, 9], &wanted()))),
            ),
            ("GTP-U", ipv4(17, &datagram(2152, &behind(&[0x30, 255, 0, 40, 0, 0, 0, 7], &wanted())))),
            (
                "GTP-U with a sequence number",
                ipv4(17, &datagram(2152, &behind(&[0x32, 255, 0, 44, 0, 0, 0, 7, 0, 1, 0, 0], &wanted()))),
            ),
            (
                "GTP-U with two extensions",
                ipv4(
                    17,
                    &datagram(
                        2152,
                        &behind(
                            &[0x34, 255, 0, 52, 0, 0, 0, 7, 0, 0, 0, 0x85, 1, 16, 0, 0x40, 1, 8, 104, 0],
                            &wanted(),
                        ),
                    ),
                ),
            ),
        ] {
            assert!(is_found(&packet), "{name}");
        }
    }

    #[test]
    fn of_two_tunnels_each_level_can_be_chosen() {
        let (inside, vxlan) = (ipv6(47, &[&[0, 0, 8, 0], &wanted()[..]].concat()), [8, 0, 0, 0, 0, 0, 7, 0]);
        let packet = ipv4(17, &datagram(4789, &[&vxlan[..], &ethernet(0x86dd, &inside)].concat()));
        let Network::Ip(outer) = encapsulation::network(&packet, 0, Start::Ip, 0) else { panic!("no IP") };
        let from_end = |bytes: &[u8]| packet.len() - bytes.len();
        let places = IpHeader::ALL.map(|header| find(&packet, outer, header).at);
        assert_eq!(places, [0, from_end(&inside), from_end(&wanted())]);
        // Without a tunnel all are the same, and of one tunnel two are.
        let Network::Ip(outer) = encapsulation::network(&inside, 0, Start::Ip, 0) else { panic!("no IP") };
        assert_eq!(IpHeader::ALL.map(|header| find(&inside, outer, header).at), [0, 44, 44]);
        let Network::Ip(outer) = encapsulation::network(&wanted(), 0, Start::Ip, 0) else { panic!("no IP") };
        assert_eq!(IpHeader::ALL.map(|header| find(&wanted(), outer, header).at), [0; 3]);
    }

    #[test]
    fn damaged_tunnels_leave_the_outer_header() {
        let frame = ethernet(IPV4, &wanted());
        let behind = |front: &[u8], payload: &[u8]| [front, payload].concat();
        let mut later = ipv4(4, &wanted());
        later[7] = 1;
        let mut short = ipv4(4, &wanted());
        short[3] = 39;
        for (name, packet) in [
            ("a later fragment", later),
            ("a packet that ends in the header inside", short),
            ("another version than announced", ipv4(41, &wanted())),
            ("PPTP", ipv4(47, &behind(&[0x20, 1, 8, 0, 0, 0, 0, 0], &wanted()))),
            ("a source route", ipv4(47, &behind(&[0x40, 0, 8, 0, 0, 0, 0, 0], &wanted()))),
            ("a GRE keepalive", ipv4(47, &behind(&[0, 0, 0, 0], &wanted()))),
            ("VXLAN without an identifier", ipv4(17, &datagram(4789, &behind(&[0; 8], &frame)))),
            (
                "VXLAN with ARP",
                ipv4(17, &datagram(4789, &behind(&[8, 0, 0, 0, 0, 0, 7, 0], &ethernet(0x0806, &wanted())))),
            ),
            ("Geneve of a later version", ipv4(17, &datagram(6081, &behind(&[0x40, 0, 8, 0, 0, 0, 7, 0], &wanted())))),
            ("an echo of GTP-U", ipv4(17, &datagram(2152, &behind(&[0x30, 1, 0, 40, 0, 0, 0, 7], &wanted())))),
            ("another port", ipv4(17, &datagram(4788, &behind(&[8, 0, 0, 0, 0, 0, 7, 0], &frame)))),
            ("TCP", ipv4(6, &wanted())),
        ] {
            assert_eq!(place(&packet), 0, "{name}");
        }
    }

    #[test]
    fn a_bounded_number_of_tunnels_is_looked_into() {
        let nested = |tunnels: usize| (0..tunnels).fold(wanted(), |packet, _| ipv4(4, &packet));
        assert_eq!(place(&nested(MOST)), MOST * 20);
        assert_eq!(place(&nested(MOST + 3)), MOST * 20);
    }

    #[test]
    fn packets_that_are_cut_anywhere_do_no_harm() {
        let packet = ipv4(17, &datagram(4789, &[&[8, 0, 0, 0, 0, 0, 7, 0][..], &ethernet(IPV4, &wanted())].concat()));
        let inner = packet.len() - wanted().len();
        for length in 1..packet.len() {
            assert_eq!(place(&packet[..length]), if length < inner + 20 { 0 } else { inner }, "{length} bytes");
        }
    }
}
