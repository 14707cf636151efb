//! Completes frames as they would be on a wire: this module does the work that interfaces leave to others.
//!
//! A virtual interface hands over frames that no card has finished: TCP segments of 64 KB, missing checksums, VLAN tags
//! beside the bytes. A policy judges packets, so [`finish`] turns such a frame into the frames that a card would have
//! sent.

mod checksum;
mod layers;
mod segment;

pub use checksum::guess;
pub(crate) use layers::has_tag;

/// The work that an interface has left undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offload {
    /// A checksum that is missing.
    pub checksum: Option<Missing>,
    /// How to cut the frame, if it combines several: each part but the last has `bytes` bytes of payload.
    pub segment: Option<Segment>,
    /// A VLAN tag that is not among the bytes.
    pub tag: Option<Tag>,
}

/// A checksum to be completed. Its field contains the sum of the words outside of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// The first byte that the checksum covers; it covers all bytes up to the end of the frame.
    pub start: usize,
    /// The offset of the field from `start`.
    pub offset: usize,
}

/// How a large frame is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// The protocol of the parts.
    pub protocol: Protocol,
    /// The bytes of payload in each part.
    pub bytes: usize,
}

/// A protocol whose packets can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// A TCP segment.
    Tcp,
    /// Several UDP datagrams that share one header.
    Udp,
}

/// A VLAN tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag {
    /// The tag's type, such as 0x8100.
    pub kind: u16,
    /// The priority, the drop eligibility and the number of the VLAN.
    pub control: u16,
}

/// The length of the shortest frame: two addresses and a type.
const SHORTEST: usize = 14;

/// A frame is truncated, or does not match its offload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the frame is cut off, or does not match the interface's description of it")]
pub struct Malformed;

/// Makes the frames of the wire from an interface's bytes, and hands each to `frame`. `room` is the buffer for these frames.
///
/// # Errors
/// If the frames cannot be made. Then none was handed over.
pub fn finish(
    bytes: &[u8],
    offload: Offload,
    room: &mut Vec<u8>,
    frame: &mut dyn FnMut(&[u8]),
) -> Result<(), Malformed> {
    if bytes.len() < SHORTEST {
        return Err(Malformed);
    }
    let mut tagged = |made: &mut Vec<u8>| {
        if let Some(Tag { kind, control }) = offload.tag {
            let [a, b] = kind.to_be_bytes();
            let [c, d] = control.to_be_bytes();
            made.splice(12..12, [a, b, c, d]);
        }
        frame(made);
    };
    match (offload.segment, offload.checksum) {
        (Some(segment), Some(missing)) => segment::cut(bytes, segment, missing, room, &mut tagged),
        (Some(_), None) => Err(Malformed),
        (None, missing) => {
            if missing.is_none() && offload.tag.is_none() {
                frame(bytes);
                return Ok(());
            }
            room.clear();
            room.extend_from_slice(bytes);
            if let Some(missing) = missing {
                checksum::complete(room, missing)?;
            }
            tagged(room);
            Ok(())
        }
    }
}
