//! Link types of recordings (tcpdump.org/linktypes): the start of the network layer, and the length of a packet on the wire.

use super::direction::Direction;
use forebay_core::encapsulation::{self, Network, Start};

/// The maximum number of encapsulations that are skipped; no valid frame has as many.
const MOST: usize = 64;

/// The first header of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    Ethernet,
    /// An IPv4 or IPv6 header at once.
    RawIp,
    /// "cooked" captures of Linux, version 1: a header of 16 bytes in place of that of the link.
    LinuxSll,
    /// Version 2: of 20 bytes.
    LinuxSll2,
    /// BSD loopback: 4 bytes of address family.
    Null,
    /// PPP, with or without the address and control fields of HDLC.
    Ppp,
    /// PPP with a byte before it that tells the direction.
    PppWithDirection,
    /// A PPPoE session, without the Ethernet header.
    PppOverEthernet,
    /// Cisco HDLC: 2 bytes, then the EtherType.
    CiscoHdlc,
    /// IEEE 802.11.
    Wireless,
    /// IEEE 802.11 behind a header of the receiver, radiotap.
    Radiotap,
    /// A header of macOS that says which link type follows.
    Pktap,
}

/// An Ethernet header, which "cooked" captures lack.
const ETHERNET_BYTES: u32 = 14;

/// Every link type that is read, with its number in files and its name.
const KNOWN: [(i32, Link, &str); 19] = [
    (0, Link::Null, "BSD loopback"),
    (1, Link::Ethernet, "Ethernet"),
    (9, Link::Ppp, "PPP"),
    (12, Link::RawIp, "raw IP"),
    (14, Link::RawIp, "raw IP"),
    (50, Link::Ppp, "PPP in HDLC framing"),
    (51, Link::PppOverEthernet, "PPPoE"),
    (101, Link::RawIp, "raw IP"),
    (104, Link::CiscoHdlc, "Cisco HDLC"),
    (105, Link::Wireless, "802.11"),
    (108, Link::Null, "OpenBSD loopback"),
    (113, Link::LinuxSll, "Linux cooked v1"),
    (127, Link::Radiotap, "802.11 with radiotap"),
    (149, Link::Pktap, "PKTAP of an older macOS"),
    (204, Link::PppWithDirection, "PPP with direction"),
    (228, Link::RawIp, "raw IPv4"),
    (229, Link::RawIp, "raw IPv6"),
    (258, Link::Pktap, "PKTAP"),
    (276, Link::LinuxSll2, "Linux cooked v2"),
];

/// Names of others that people record, for messages.
const UNREAD: [(i32, &str); 24] = [
    (3, "AX.25"),
    (6, "token ring"),
    (7, "ARCNET"),
    (8, "SLIP"),
    (10, "FDDI"),
    (119, "802.11 with Prism header"),
    (147, "USER0"),
    (163, "802.11 with AVS header"),
    (187, "Bluetooth HCI H4"),
    (189, "Linux USB"),
    (192, "PPI"),
    (195, "802.15.4"),
    (201, "Bluetooth HCI H4 with direction"),
    (220, "Linux USB with padding"),
    (227, "SocketCAN"),
    (230, "802.15.4 without FCS"),
    (239, "NFLOG"),
    (247, "InfiniBand"),
    (249, "USBPcap"),
    (251, "Bluetooth LE"),
    (252, "Wireshark upper PDU"),
    (253, "Netlink"),
    (266, "USB of macOS"),
    (272, "nRF Sniffer"),
];

impl Link {
    /// Returns the link type by its number in the file.
    pub(crate) fn from_number(number: i32) -> Option<Self> {
        KNOWN.iter().find(|(known, ..)| *known == number).map(|(_, link, _)| *link)
    }

    /// Returns the link type's name.
    pub(crate) fn name_of(number: i32) -> &'static str {
        let known = KNOWN.iter().map(|(known, _, name)| (*known, *name)).chain(UNREAD);
        known.into_iter().find(|(known, _)| *known == number).map_or("no name is known", |(_, name)| name)
    }

    /// Returns the names of all supported link types, for messages.
    pub(crate) fn all_names() -> String {
        let mut names: Vec<&str> = Vec::new();
        for (_, _, name) in KNOWN {
            if !names.iter().any(|known| name.starts_with(known)) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// Returns the bytes of the packet on the wire. Headers that only the file has are not counted: those of loopback, PKTAP and radiotap.
    /// In place of a "cooked" header, the 14 bytes of Ethernet are counted, if that was the link.
    pub(crate) fn wire_bytes(self, frame: &[u8], original: u32) -> u32 {
        let without = |bytes: u32| original.saturating_sub(bytes);
        match self {
            Self::Null => without(4),
            Self::LinuxSll => without(16) + link_header_of(number_at(frame, 2)),
            Self::LinuxSll2 => without(20) + link_header_of(number_at(frame, 8)),
            Self::PppWithDirection => without(1),
            Self::Radiotap => without(little_endian_at(frame, 2).map_or(0, u32::from)),
            Self::Pktap => match pktap(frame) {
                Some((link, rest, header)) => link.wire_bytes(rest, without(header)),
                None => original,
            },
            _ => original,
        }
    }

    /// Returns the direction of the packet, if the link type has it: "cooked" captures, PPP with direction, PKTAP.
    pub(crate) fn direction(self, frame: &[u8]) -> Option<Direction> {
        /// The Linux packet type of packets that this host sent; 0 to 3 are received packets.
        const OUTGOING: u16 = 4;
        let of = |is_out: bool| Some(if is_out { Direction::Out } else { Direction::In });
        match self {
            Self::LinuxSll => of(number_at(frame, 0)? == OUTGOING),
            Self::LinuxSll2 => of(u16::from(*frame.get(10)?) == OUTGOING),
            Self::PppWithDirection => of(*frame.first()? != 0),
            Self::Pktap => match frame.get(36)? & 3 {
                1 => of(false),
                2 => of(true),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the network layer, behind the link layer and any encapsulations between the two.
    pub(super) fn network(self, frame: &[u8]) -> Network {
        let find = |at, start| encapsulation::network(frame, at, start, MOST);
        let behind = |at: usize, kind: usize| find(at, Start::Behind(number_at(frame, kind).unwrap_or(0)));
        match self {
            Self::Ethernet => find(0, Start::Ethernet),
            Self::RawIp => find(0, Start::Ip),
            Self::Null => find(4, Start::Ip),
            Self::LinuxSll => behind(16, 14),
            Self::LinuxSll2 => behind(20, 0),
            Self::Ppp => find(0, Start::Ppp),
            Self::PppWithDirection => find(1, Start::Ppp),
            Self::PppOverEthernet => find(6, Start::Ppp),
            Self::CiscoHdlc => behind(4, 2),
            Self::Wireless => wireless(frame, 0, false),
            Self::Radiotap => {
                wireless(frame, little_endian_at(frame, 2).map_or(frame.len(), usize::from), is_padded(frame))
            }
            Self::Pktap => pktap(frame).map_or(Network::Other(0), |(link, rest, _)| {
                let header = frame.len() - rest.len();
                match link.network(rest) {
                    Network::Ip(ip) => Network::Ip(encapsulation::Ip { at: header + ip.at, ..ip }),
                    other @ Network::Other(_) => other,
                }
            }),
        }
    }
}

/// The bytes that the link of a "cooked" packet had before IP, by its ARP hardware type: of Ethernet and of Linux' loopback, which is
/// one, 14. Of others it is not known.
fn link_header_of(hardware: Option<u16>) -> u32 {
    match hardware {
        Some(1 | 772) => ETHERNET_BYTES,
        _ => 0,
    }
}

/// A number in the byte order of networks.
fn number_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
}

fn little_endian_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

/// The packet behind a PKTAP header: its link type, its bytes, and how long the header is.
fn pktap(frame: &[u8]) -> Option<(Link, &[u8], u32)> {
    let word =
        |at: usize| frame.get(at..at + 4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let (length, kind) = (word(0)?, word(8)?);
    let link = Link::from_number(i32::try_from(kind).ok()?).filter(|link| *link != Link::Pktap)?;
    let rest = frame.get(usize::try_from(length).ok()?..)?;
    Some((link, rest, length))
}

/// Returns whether a radiotap header says that the 802.11 header is padded with zeros to a multiple of four bytes, as some receivers do.
fn is_padded(frame: &[u8]) -> bool {
    const HAS_TIME: u32 = 1;
    const HAS_FLAGS: u32 = 2;
    const HAS_ANOTHER_WORD: u32 = 1 << 31;
    const PADDED: u8 = 0x20;
    let word = |at: usize| frame.get(at..at + 4)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
    let Some(present) = word(4) else { return false };
    let mut at = 8;
    let mut last = present;
    while last & HAS_ANOTHER_WORD != 0 {
        let Some(next) = word(at) else { return false };
        (last, at) = (next, at + 4);
    }
    if present & HAS_TIME != 0 {
        at = at.next_multiple_of(8) + 8;
    }
    let header = little_endian_at(frame, 2).map_or(0, usize::from);
    present & HAS_FLAGS != 0 && at < header && frame.get(at).is_some_and(|flags| flags & PADDED != 0)
}

/// The network layer of an 802.11 data frame that begins at `at`. Encrypted frames and frames without data are not IP.
fn wireless(frame: &[u8], at: usize, is_padded: bool) -> Network {
    const DATA: u8 = 2;
    let (Some(&first), Some(&flags)) = (frame.get(at), frame.get(at + 1)) else { return Network::Other(0) };
    let (kind, subtype) = ((first >> 2) & 3, first >> 4);
    let (to_system, from_system, is_encrypted, has_order) =
        (flags & 1 != 0, flags & 2 != 0, flags & 0x40 != 0, flags & 0x80 != 0);
    if kind != DATA || subtype & 4 != 0 || is_encrypted {
        return Network::Other(0);
    }
    let has_quality = subtype & 8 != 0;
    let addresses = if to_system && from_system { 30 } else { 24 };
    let mut header = addresses;
    header += if has_quality { 2 } else { 0 };
    header += if has_quality && has_order { 4 } else { 0 };
    // An aggregate has several frames (A-MSDU); the first stands behind its addresses and its length.
    let is_aggregate = has_quality && frame.get(at + addresses).is_some_and(|quality| quality & 0x80 != 0);
    header = if is_padded { header.next_multiple_of(4) } else { header };
    header += if is_aggregate { 14 } else { 0 };
    encapsulation::network(frame, at + header, Start::LogicalLink, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of 802.11 with DSCP 46 behind a radiotap header with these words, fields and padding.
    fn frame(present: &[u32], fields: &[u8], padding: usize) -> Vec<u8> {
        let length = u8::try_from(4 + present.len() * 4 + fields.len()).unwrap();
        let words: Vec<u8> = present.iter().flat_map(|word| word.to_le_bytes()).collect();
        let data = [&[0x88, 1][..], &[0; 24]].concat();
        let snap = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0];
        let ip = [&[0x45, 46 << 2, 0, 28][..], &[0; 24]].concat();
        [&[0, 0, length, 0][..], &words, fields, &data, &vec![0; padding], &snap, &ip].concat()
    }

    #[test]
    fn an_aggregate_of_wireless_frames_is_read_by_its_first() {
        let mut whole = frame(&[2], &[0], 0);
        let quality = 9 + 24;
        whole[quality] = 0x80;
        whole.splice(quality + 2..quality + 2, [&[7; 12][..], &[0, 36]].concat());
        let Network::Ip(ip) = Link::Radiotap.network(&whole) else { panic!("there is IP") };
        assert_eq!(whole[ip.at + 1] >> 2, 46);
    }

    #[test]
    fn padding_behind_a_wireless_header_is_skipped_where_radiotap_says_so() {
        const TIME: u32 = 1;
        const FLAGS: u32 = 2;
        const RATE: u32 = 4;
        const MORE: u32 = 1 << 31;
        let time = [9; 8];
        let cases = [
            (frame(&[FLAGS], &[0x20], 2), true),
            (frame(&[FLAGS | RATE], &[0x30, 4], 2), true),
            (frame(&[TIME | FLAGS], &[&time[..], &[0x20]].concat(), 2), true),
            // The time stands at a multiple of 8 bytes from the start.
            (frame(&[TIME | FLAGS | MORE, 0], &[&[0; 4][..], &time, &[0x20]].concat(), 2), true),
            (frame(&[TIME | FLAGS | MORE, MORE, 0], &[&time[..], &[0x20]].concat(), 2), true),
            (frame(&[FLAGS], &[0x10], 0), false),
            (frame(&[RATE], &[0x20], 0), false),
            (frame(&[FLAGS], &[], 0), false),
            (frame(&[FLAGS | MORE], &[], 0), false),
        ];
        for (number, (frame, expected)) in cases.into_iter().enumerate() {
            assert_eq!(is_padded(&frame), expected, "case {number}");
            let Network::Ip(ip) = Link::Radiotap.network(&frame) else { panic!("case {number} has no IP") };
            assert_eq!(frame[ip.at + 1] >> 2, 46, "case {number}");
        }
    }
}
