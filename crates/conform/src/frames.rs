//! Frames that contain all fields of a packet, for datapaths that see frames.
//!
//! Ethernet with one VLAN tag, IPv4, UDP; the fields are in the first bytes of UDP's payload. Drop eligibility is the tag's
//! bit for it, a congestion notification is ECN's "congestion experienced".

use crate::operation::bits;
use forebay_core::{Packet, convert};
use forebay_targets::headers::{Field, Layer, Mapping, Metadata, Part, Source};

/// The format of these frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frames;

/// The positions of fields: offsets in the payload of UDP begin with 8. The packet's number follows the fields.
///
/// Fields that a program in P4 can read are before byte 46, where such programs stop.
const FIELDS: [(Field, u8, u8); 8] = [
    (Field::Remaining, 8, 8),
    (Field::Rank, 16, 8),
    (Field::Slack, 24, 8),
    (Field::Value, 32, 4),
    (Field::Flow, 36, 4),
    (Field::Queue, 40, 2),
    (Field::Class, 42, 1),
    (Field::Processing, 43, 8),
];

const ETHERNET: usize = 14;
const TAG: usize = 4;
const IPV4: usize = 20;
const ID: usize = 51;

/// The length of all headers and fields.
const HEAD: usize = ETHERNET + TAG + IPV4 + ID + 8;

impl Frames {
    /// The size of the smallest frame in bytes.
    pub const SMALLEST: usize = HEAD;
    /// The size of the largest frame in bytes, as devices take it.
    pub const LARGEST: usize = ETHERNET + TAG + 1_500;

    /// Returns the sources of fields.
    #[must_use]
    pub fn mapping() -> Mapping {
        let mut mapping = Mapping::default();
        for (field, offset, width) in FIELDS {
            mapping.set(field, Source::of(Part::Bytes { layer: Layer::Udp, offset, width }));
        }
        mapping
    }

    /// Returns the sources as values of `--field`.
    #[must_use]
    pub fn settings() -> Vec<String> {
        FIELDS.map(|(field, offset, width)| format!("{}=udp[{offset}:{width}]", field.name())).to_vec()
    }

    /// Whether a frame can represent the packet: all that [`mapping`](Self::mapping) reads of the frame is the packet's.
    #[must_use]
    pub fn hold(packet: &Packet) -> bool {
        let read = Self::mapping().packet(&Self::of(packet), Metadata::default());
        let alike = Packet { id: packet.id, arrival: packet.arrival, marks: packet.marks, ..read };
        packet.size_bytes as usize <= Self::LARGEST && alike == *packet && bits(read.marks) == bits(packet.marks)
    }

    /// Returns the frame of a packet; no shorter than [`SMALLEST`](Self::SMALLEST).
    #[must_use]
    pub fn of(packet: &Packet) -> Vec<u8> {
        let length = (packet.size_bytes as usize).max(HEAD);
        let mut frame = Vec::with_capacity(length);
        frame.extend([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x81, 0]);
        let marks = bits(packet.marks);
        frame.extend([(marks & 1) << 4, 1, 0x08, 0]);
        // A larger packet has no frame, and the one that is made here does not [`hold`](Self::hold) it.
        let whole: u16 = convert::saturate(length - ETHERNET - TAG);
        let mut ip = [0x45, 1 | marks & 2, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        ip[2..4].copy_from_slice(&whole.to_be_bytes());
        let sum = checksum(&ip);
        ip[10..12].copy_from_slice(&sum.to_be_bytes());
        frame.extend(ip);
        frame.extend([0x10, 0, 0x20, 0]);
        frame.extend(whole.saturating_sub(20).to_be_bytes());
        frame.extend([0, 0]);
        frame.extend(packet.remaining_bytes.to_be_bytes());
        frame.extend(packet.rank.to_be_bytes());
        frame.extend((packet.slack.as_ps() / 1_000).to_be_bytes());
        frame.extend(packet.value.to_be_bytes());
        frame.extend(packet.flow.0.to_be_bytes());
        frame.extend(packet.queue.0.to_be_bytes());
        frame.push(packet.class.0);
        frame.extend((packet.processing.as_ps() / 1_000).to_be_bytes());
        frame.extend(packet.id.to_be_bytes());
        frame.resize(length, 0);
        frame
    }

    /// Returns the number of a frame's packet, whether or not the frame has its tag; `None` for other frames.
    #[must_use]
    pub fn id(frame: &[u8]) -> Option<u64> {
        let tag = if frame.get(12..14)? == [0x81, 0] { TAG } else { 0 };
        if frame.get(12 + tag..ETHERNET + tag)? != [0x08, 0] {
            return None;
        }
        let at = ETHERNET + tag + IPV4;
        if frame.get(at..at + 4)? != [0x10, 0, 0x20, 0] {
            return None;
        }
        Some(u64::from_be_bytes(frame.get(at + ID..at + ID + 8)?.try_into().ok()?))
    }
}

/// Returns the checksum of a header whose checksum field is 0 (RFC 1071).
fn checksum(header: &[u8]) -> u16 {
    let words = header.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1]));
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !u16::try_from(sum).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn a_frame_has_all_fields_of_its_packet() {
        let policy = forebay_lang::analyse("q[1..3] = Queue(9 pkts);\nout = Port(100);\n", &Vec::new()).policy.unwrap();
        let recipe = crate::Recipe { packets: 500, cycles: false, numbers: crate::Numbers::Mixed };
        for operation in crate::operations(&policy, Seed(1).stream("test"), recipe) {
            let crate::Operation::Enqueue(_, packet) = operation else { continue };
            let frame = Frames::of(&packet);
            assert!(Frames::hold(&packet), "{packet:?}");
            assert_eq!(Frames::id(&frame), Some(packet.id));
            let untagged = [&frame[..12], &frame[16..]].concat();
            assert_eq!(Frames::id(&untagged), Some(packet.id));
        }
    }

    #[test]
    fn what_no_frame_has_room_for_is_found() {
        let fits = Packet { size_bytes: 97, ..Packet::default() };
        assert_eq!(Frames::SMALLEST, 97);
        for (size_bytes, fits_in) in [(96, false), (97, true), (1_518, true), (1_519, false), (9_000, false)] {
            assert_eq!(Frames::hold(&Packet { size_bytes, ..fits }), fits_in, "{size_bytes}");
        }
        assert!(!Frames::hold(&Packet { slack: forebay_core::Duration::from_ps(1), ..fits }), "not whole nanoseconds");
    }
}
