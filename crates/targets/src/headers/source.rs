//! The source of a field: `dscp`, `mark>>16`, `udp[8:4]`, `inner.dscp`, `7`.

use super::frame::{Frame, Metadata};
use forebay_core::IpHeader;
use std::fmt;
use std::str::FromStr;

/// The header from which offsets are counted, as in tcpdump's filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The frame.
    Ether,
    /// The header of IPv4.
    Ip,
    /// The header of IPv6.
    Ip6,
    /// The header of TCP.
    Tcp,
    /// The header of UDP.
    Udp,
}

impl Layer {
    const NAMES: [(&'static str, Self); 5] =
        [("ether", Self::Ether), ("ip", Self::Ip), ("ip6", Self::Ip6), ("tcp", Self::Tcp), ("udp", Self::Udp)];
}

/// A number of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A number that is the same for all packets.
    Number(u64),
    /// The differentiated services code point of IP, 0 to 63.
    Dscp,
    /// The priority of the VLAN tag directly after the addresses, 0 to 7.
    Pcp,
    /// The kernel's priority of the packet (`SO_PRIORITY`).
    Priority,
    /// The kernel's mark of the packet (`SO_MARK`).
    Mark,
    /// The flow's number, computed from protocol, addresses and ports.
    FlowHash,
    /// The number, from 0, of the port to which forwarding sends the frame.
    Egress,
    /// Bytes of a header or of the bytes after it, the most significant first; 0 if they are missing.
    Bytes {
        /// The header from which the offset is counted.
        layer: Layer,
        /// The first byte.
        offset: u8,
        /// The number of bytes: 1, 2, 4 or 8.
        width: u8,
    },
}

impl Part {
    /// Whether the part can also be read from a header inside a tunnel.
    #[must_use]
    pub const fn can_be_inner(self) -> bool {
        match self {
            Self::Dscp | Self::FlowHash => true,
            Self::Bytes { layer, .. } => !matches!(layer, Layer::Ether),
            Self::Number(_) | Self::Pcp | Self::Priority | Self::Mark | Self::Egress => false,
        }
    }
}

/// A part of a packet, shifted to the right and masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The part.
    pub part: Part,
    /// The IP header of a packet in tunnels that is read, with its payload.
    pub header: IpHeader,
    /// The number of lowest bits that are shifted out, 0 to 63.
    pub shift: u8,
    /// The mask of the remaining bits.
    pub mask: u64,
}

/// The prefixes of parts of headers inside of tunnels.
const INSIDE: [(&str, IpHeader); 2] = [("second.", IpHeader::Second), ("inner.", IpHeader::Inner)];

impl Source {
    const PARTS: [(&'static str, Part); 6] = [
        ("dscp", Part::Dscp),
        ("pcp", Part::Pcp),
        ("priority", Part::Priority),
        ("mark", Part::Mark),
        ("flow-hash", Part::FlowHash),
        ("egress", Part::Egress),
    ];

    /// Returns the part unshifted and unmasked.
    #[must_use]
    pub const fn of(part: Part) -> Self {
        Self { part, header: IpHeader::Outer, shift: 0, mask: u64::MAX }
    }

    /// Returns the source's number in a packet. `frame` must have the headers that this source reads.
    #[must_use]
    pub fn read(&self, frame: &Frame<'_>, metadata: Metadata) -> u64 {
        let number = match self.part {
            Part::Number(number) => number,
            Part::Dscp => u64::from(frame.traffic_class() >> 2),
            Part::Pcp => u64::from(frame.tag() >> 13),
            Part::Priority => metadata.priority.into(),
            Part::Mark => metadata.mark.into(),
            Part::FlowHash => frame.flow().into(),
            Part::Egress => metadata.egress.into(),
            Part::Bytes { layer, offset, width } => {
                let begin = match layer {
                    Layer::Ether => Some(0),
                    Layer::Ip => frame.ipv4,
                    Layer::Ip6 => frame.ipv6,
                    Layer::Tcp => frame.tcp,
                    Layer::Udp => frame.udp,
                };
                begin.map_or(0, |at| frame.number(at + usize::from(offset), width.into()))
            }
        };
        number >> self.shift & self.mask
    }
}

/// The error for a text that is no [`Source`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a source of a field; use dscp, pcp, priority, mark, flow-hash, egress, a number, or bytes such as \
     udp[8:4] (also \
     ether, ip, ip6, tcp; 1, 2, 4 or 8 of them, from byte 0 to 119), with >>BITS and &MASK behind it if needed; `inner.` before dscp, \
     flow-hash, ip, ip6, tcp or udp reads the innermost headers of tunnels, `second.` those in the outermost tunnel"
)]
pub struct WrongSource(pub String);

impl FromStr for Source {
    type Err = WrongSource;

    fn from_str(text: &str) -> Result<Self, WrongSource> {
        parse(text).ok_or_else(|| WrongSource(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Source> {
    let (rest, mask) = match text.split_once('&') {
        Some((rest, mask)) => (rest, number(mask)?),
        None => (text, u64::MAX),
    };
    let (rest, shift) = match rest.split_once(">>") {
        Some((rest, shift)) => (rest, shift.trim().parse().ok().filter(|shift| *shift < 64)?),
        None => (rest, 0),
    };
    let rest = rest.trim();
    let inside = INSIDE.iter().find_map(|(before, header)| Some((rest.strip_prefix(before)?, *header)));
    let (text, header) = inside.unwrap_or((rest, IpHeader::Outer));
    let part = part(text).filter(|part| header == IpHeader::Outer || part.can_be_inner())?;
    Some(Source { part, header, shift, mask })
}

fn part(text: &str) -> Option<Part> {
    if let Some((_, part)) = Source::PARTS.iter().find(|(name, _)| *name == text) {
        return Some(*part);
    }
    let Some((name, range)) = text.split_once('[') else { return number(text).map(Part::Number) };
    let (_, layer) = Layer::NAMES.iter().find(|(known, _)| *known == name.trim())?;
    let (offset, width) = range.strip_suffix(']')?.split_once(':')?;
    let offset = offset.trim().parse().ok().filter(|offset| *offset < 120)?;
    let width = width.trim().parse().ok().filter(|width| [1, 2, 4, 8].contains(width))?;
    Some(Part::Bytes { layer: *layer, offset, width })
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((before, _)) = INSIDE.iter().find(|(_, header)| *header == self.header) {
            f.write_str(before)?;
        }
        match self.part {
            Part::Number(number) => write!(f, "{number}")?,
            Part::Bytes { layer, offset, width } => {
                let name = Layer::NAMES.iter().find(|(_, known)| *known == layer).map_or("", |(name, _)| name);
                write!(f, "{name}[{offset}:{width}]")?;
            }
            part => f.write_str(Self::PARTS.iter().find(|(_, known)| *known == part).map_or("", |(name, _)| name))?,
        }
        if self.shift != 0 {
            write!(f, ">>{}", self.shift)?;
        }
        if self.mask != u64::MAX {
            write!(f, "&{:#x}", self.mask)?;
        }
        Ok(())
    }
}
