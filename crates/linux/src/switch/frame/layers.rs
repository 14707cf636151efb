//! The headers of a frame from Ethernet to TCP, UDP or SCTP, including those of tunnels between them.

use forebay_core::encapsulation::{self, Ip, Network, Start, Version};
use forebay_core::tunnel::{self, Payload};
use std::ops::Range;

pub(super) const TCP: u8 = 6;
pub(super) const UDP: u8 = 17;
pub(super) const SCTP: u8 = 132;
const GRE: u8 = 47;
const IPV4_IN_IP: u8 = 4;
const IPV6_IN_IP: u8 = 41;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
/// The most headers that are parsed: more than any network nests.
const MOST: usize = 24;

/// A header before the one that is searched for, whose fields depend on the bytes after it.
#[derive(Debug, Clone)]
pub(super) enum Layer {
    Ipv4 {
        at: usize,
    },
    Ipv6 {
        at: usize,
    },
    /// The UDP header of a tunnel.
    Udp {
        at: usize,
        /// The range of the addresses in its pseudo-header.
        addresses: Range<usize>,
    },
    /// A GRE header with a checksum.
    Gre {
        at: usize,
    },
}

/// A transport header, as described by the IP header before it. Its end may be beyond that of the frame.
#[derive(Debug, Clone)]
pub(super) struct Carried {
    pub(super) protocol: u8,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The range of the addresses in its pseudo-header.
    pub(super) addresses: Range<usize>,
}

/// The result of a search: the header, and those before it, the outermost first.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) layers: Vec<Layer>,
    pub(super) carried: Carried,
}

/// Whether a frame has a VLAN tag after its addresses.
pub(crate) fn has_tag(frame: &[u8]) -> bool {
    word(frame, 12).is_some_and(encapsulation::is_tag)
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

/// Returns the outermost transport header for which `is_it` holds, also inside tunnels. A fragment has none. VXLAN and Geneve may use any
/// port, so both are tried after each UDP header whose port belongs to no other tunnel.
pub(super) fn find(frame: &[u8], is_it: &dyn Fn(&Carried) -> bool) -> Option<Found> {
    let mut search = Search { frame, is_it, layers: Vec::new() };
    let carried = search.payload(Payload { at: 0, start: Start::Ethernet })?;
    Some(Found { layers: search.layers, carried })
}

struct Search<'a> {
    frame: &'a [u8],
    is_it: &'a dyn Fn(&Carried) -> bool,
    layers: Vec<Layer>,
}

impl Search<'_> {
    /// Finds the transport header in the payload of an IP packet, after extension headers.
    fn payload(&mut self, Payload { at, start }: Payload) -> Option<Carried> {
        match encapsulation::network(self.frame, at, start, MOST) {
            Network::Ip(Ip { at, version: Version::V4, .. }) => self.ip(IPV4, at),
            Network::Ip(Ip { at, version: Version::V6, .. }) => self.ip(IPV6, at),
            Network::Other(_) => None,
        }
    }

    /// Runs `look` on the bytes after a header. If that finds a header, `layer` is recorded before it.
    fn behind(&mut self, layer: Layer, look: impl FnOnce(&mut Self) -> Option<Carried>) -> Option<Carried> {
        if self.layers.len() == MOST {
            return None;
        }
        let before = self.layers.len();
        self.layers.push(layer);
        let found = look(self);
        if found.is_none() {
            self.layers.truncate(before);
        }
        found
    }

    fn ip(&mut self, kind: u16, at: usize) -> Option<Carried> {
        let byte = |at: usize| self.frame.get(at).copied();
        match kind {
            IPV4 if byte(at)? >> 4 == 4 => {
                let header = usize::from(byte(at)? & 0x0f) * 4;
                let is_fragment = word(self.frame, at + 6)? & 0x3fff != 0;
                if header < 20 || is_fragment {
                    return None;
                }
                let protocol = byte(at + 9)?;
                let end = at + usize::from(word(self.frame, at + 2)?);
                let carried = Carried { protocol, start: at + header, end, addresses: at + 12..at + 20 };
                self.behind(Layer::Ipv4 { at }, |search| search.carried(carried))
            }
            IPV6 if byte(at)? >> 4 == 6 => {
                let end = at + 40 + usize::from(word(self.frame, at + 4)?);
                let (mut protocol, mut start) = (byte(at + 6)?, at + 40);
                // Hop-by-hop and destination options, and routing; where that is to be, the addresses of the checksum are those of
                // the last segment, which a card does not look for, either.
                for _ in 0..MOST {
                    if ![0, 43, 60].contains(&protocol) {
                        break;
                    }
                    (protocol, start) = (byte(start)?, start + 8 + usize::from(byte(start + 1)?) * 8);
                }
                let carried = Carried { protocol, start, end, addresses: at + 8..at + 40 };
                self.behind(Layer::Ipv6 { at }, |search| search.carried(carried))
            }
            _ => None,
        }
    }

    /// Parses the payload of an IP packet.
    fn carried(&mut self, carried: Carried) -> Option<Carried> {
        let at = carried.start;
        if at > self.frame.len() || at > carried.end {
            return None;
        }
        match carried.protocol {
            IPV4_IN_IP => self.ip(IPV4, at),
            IPV6_IN_IP => self.ip(IPV6, at),
            GRE => self.gre(at),
            _ if (self.is_it)(&carried) => Some(carried),
            UDP => self.behind(Layer::Udp { at, addresses: carried.addresses }, |search| search.tunnel(at)),
            _ => None,
        }
    }

    fn gre(&mut self, at: usize) -> Option<Carried> {
        const HAS_CHECKSUM: u8 = 0x80;
        let payload = tunnel::gre(self.frame, at)?;
        let look = |search: &mut Self| search.payload(payload);
        if self.frame.get(at)? & HAS_CHECKSUM == 0 { look(self) } else { self.behind(Layer::Gre { at }, look) }
    }

    /// Parses the payload of a UDP header if that belongs to a tunnel.
    fn tunnel(&mut self, at: usize) -> Option<Carried> {
        if let Some(payload) = tunnel::udp(self.frame, at) {
            return self.payload(payload);
        }
        let tried = [tunnel::vxlan(self.frame, at + 8), tunnel::geneve(self.frame, at + 8)];
        tried.into_iter().flatten().find_map(|payload| self.payload(payload))
    }
}
