//! The headers that a program parses, and the positions of a field's bytes in them.
//!
//! The payload after the header of TCP or UDP is parsed in pieces that end where a field ends. So a field is 0 if its last byte is missing,
//! as in [`Frame`](crate::headers::Frame).

use super::known_values::{Known, NotKnown};
use crate::headers::{Field, HEAD_BYTES, Layer, Mapping, Part, Source};
use forebay_core::{IpHeader, convert};

/// A header, with its fields and their bits.
pub(super) struct Header {
    pub(super) name: &'static str,
    pub(super) fields: &'static [(&'static str, u16)],
}

impl Header {
    /// Returns the header's size in bytes.
    pub(super) fn bytes(&self) -> u16 {
        self.fields.iter().map(|(_, bits)| bits).sum::<u16>() / 8
    }
}

pub(super) const ETHERNET: Header =
    Header { name: "ethernet", fields: &[("destination", 48), ("source", 48), ("kind", 16)] };
pub(super) const TAG: Header =
    Header { name: "tag", fields: &[("priority", 3), ("drop_eligible", 1), ("vlan", 12), ("kind", 16)] };
pub(super) const IPV4: Header = Header {
    name: "ipv4",
    fields: &[
        ("version", 4),
        ("words", 4),
        ("traffic_class", 8),
        ("total_length", 16),
        ("identification", 16),
        ("flags", 3),
        ("fragment", 13),
        ("time_to_live", 8),
        ("protocol", 8),
        ("checksum", 16),
        ("source", 32),
        ("destination", 32),
    ],
};
pub(super) const IPV6: Header = Header {
    name: "ipv6",
    fields: &[
        ("version", 4),
        ("traffic_class", 8),
        ("flow_label", 20),
        ("payload_length", 16),
        ("protocol", 8),
        ("hop_limit", 8),
        ("source", 128),
        ("destination", 128),
    ],
};
pub(super) const TCP: Header = Header {
    name: "tcp",
    fields: &[
        ("source", 16),
        ("destination", 16),
        ("sequence", 32),
        ("acknowledgement", 32),
        ("offset_and_flags", 16),
        ("window", 16),
        ("checksum", 16),
        ("urgent", 16),
    ],
};
pub(super) const UDP: Header =
    Header { name: "udp", fields: &[("source", 16), ("destination", 16), ("length", 16), ("checksum", 16)] };

/// Bytes of TCP or UDP up to here are in the head of any frame with up to two VLAN tags. Programs parse no further; of a frame in which
/// more stands before IP, they take what is in the head.
const MOST_TRANSPORT: u16 = 46;

/// Returns the header of a layer.
pub(super) fn header(layer: Layer) -> &'static Header {
    match layer {
        Layer::Ether => &ETHERNET,
        Layer::Ip => &IPV4,
        Layer::Ip6 => &IPV6,
        Layer::Tcp => &TCP,
        Layer::Udp => &UDP,
    }
}

/// Returns the greatest number of a source, or why a switch cannot read it.
pub(super) fn most(source: Source) -> Known<u64> {
    if source.header != IpHeader::Outer {
        return Err(NotKnown::Inner(source));
    }
    let bits = match source.part {
        Part::Number(number) => return Ok(number >> source.shift & source.mask),
        Part::Dscp => 6,
        Part::Pcp => 3,
        Part::Priority | Part::Mark => {
            return Err(NotKnown::OfHosts(source));
        }
        Part::FlowHash => {
            return Err(NotKnown::FlowHash);
        }
        Part::Egress => {
            return Err(NotKnown::Egress);
        }
        Part::Bytes { layer, offset, width } => {
            let end = u16::from(offset) + u16::from(width);
            let most = if matches!(layer, Layer::Tcp | Layer::Udp) { MOST_TRANSPORT } else { header(layer).bytes() };
            if end > most {
                return Err(NotKnown::TooFar { source_of: source, most });
            }
            u32::from(width) * 8
        }
    };
    Ok((u64::MAX >> (64 - bits) >> source.shift).min(source.mask))
}

/// Returns the last position at which a header may begin, and the name of the number that holds its position. All bytes of the header up to
/// `end` are then in the head of the frame. `None` if they always are.
pub(super) fn latest(layer: Layer, end: u16) -> Option<(&'static str, u16)> {
    let most: u16 = convert::saturate(HEAD_BYTES);
    let end = end.max(header(layer).bytes());
    match layer {
        Layer::Ether => None,
        Layer::Ip | Layer::Ip6 => Some(("at", most - end)),
        Layer::Tcp | Layer::Udp => Some(("transport", most - end)),
    }
}

/// The size of a header in a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// A fixed number of bytes.
    Bytes(u16),
    /// A variable size, with the most bits.
    AtMost(u16),
}

/// The headers and pieces that a program parses.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Needs {
    /// VLAN tags, and what follows Ethernet.
    pub(super) tags: bool,
    pub(super) ip: bool,
    /// TCP, with the ends of the pieces after its start, in bytes.
    pub(super) tcp: Option<Vec<u16>>,
    pub(super) udp: Option<Vec<u16>>,
}

impl Needs {
    /// Returns the headers and pieces that these fields need.
    pub(super) fn of(mapping: &Mapping, fields: impl Iterator<Item = Field>) -> Self {
        let mut needs = Self::default();
        for source in fields.filter_map(|field| mapping.source(field)) {
            match source.part {
                Part::Pcp => needs.tags = true,
                Part::Dscp | Part::Bytes { layer: Layer::Ip | Layer::Ip6, .. } => needs.ip = true,
                Part::Bytes { layer, offset, width } => {
                    let pieces = match layer {
                        Layer::Tcp => &mut needs.tcp,
                        Layer::Udp => &mut needs.udp,
                        Layer::Ether | Layer::Ip | Layer::Ip6 => continue,
                    };
                    let ends = pieces.get_or_insert_default();
                    ends.push(u16::from(offset) + u16::from(width));
                    ends.retain(|end| *end > header(layer).bytes());
                    ends.sort_unstable();
                    ends.dedup();
                }
                Part::Number(_) | Part::Priority | Part::Mark | Part::FlowHash | Part::Egress => {}
            }
        }
        needs.ip |= needs.tcp.is_some() || needs.udp.is_some();
        needs.tags |= needs.ip;
        needs
    }

    /// Returns the ends of the pieces after a header.
    pub(super) fn ends(&self, layer: Layer) -> &[u16] {
        match layer {
            Layer::Tcp => self.tcp.as_deref().unwrap_or_default(),
            Layer::Udp => self.udp.as_deref().unwrap_or_default(),
            Layer::Ether | Layer::Ip | Layer::Ip6 => &[],
        }
    }

    /// Returns the header or the piece that contains a byte, and where it begins.
    pub(super) fn place(&self, layer: Layer, byte: u16) -> (String, u16) {
        let header = header(layer);
        let mut begin = header.bytes();
        if byte < begin {
            return (header.name.to_owned(), 0);
        }
        for (number, end) in self.ends(layer).iter().enumerate() {
            if byte < *end {
                return (piece(layer, number), begin);
            }
            begin = *end;
        }
        (header.name.to_owned(), 0)
    }
}

/// Returns the name of a piece after a header.
pub(super) fn piece(layer: Layer, number: usize) -> String {
    format!("{}_data_{number}", header(layer).name)
}
