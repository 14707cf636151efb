//! Frames as they would be on a wire: this module does the work that interfaces leave to others.
//!
//! A virtual interface hands over frames that no card has finished: TCP segments of 64 KB, missing checksums, VLAN tags
//! beside the bytes. A policy judges packets, so [`finish`] turns such a frame into the frames that a card would have
//! sent.

mod checksum;
mod layers;
mod segment;

pub use checksum::guess;
pub(crate) use layers::has_tag;

/// What an interface has not done yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offload {
    /// A checksum that is missing.
    pub checksum: Option<Missing>,
    /// The frame stands for several: each has so many bytes of payload, but the last.
    pub segment: Option<Segment>,
    /// A VLAN tag that is not among the bytes.
    pub tag: Option<Tag>,
}

/// A checksum to be completed: its field has the sum of what is not in the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// The first byte that it covers; it goes to the end of the frame.
    pub start: usize,
    /// The field, counted from there.
    pub offset: usize,
}

/// How a large frame is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// What is cut.
    pub protocol: Protocol,
    /// Bytes of payload in each.
    pub bytes: usize,
}

/// What can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// A TCP segment.
    Tcp,
    /// Several UDP datagrams behind one header.
    Udp,
}

/// A VLAN tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag {
    /// Its type, such as 0x8100.
    pub kind: u16,
    /// Priority, drop eligibility and number of the VLAN.
    pub control: u16,
}

/// The shortest frame: two addresses and a type.
const SHORTEST: usize = 14;

/// A frame that is cut off, or does not fit what is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the frame is cut off, or does not match the interface's description of it")]
pub struct Malformed;

/// Makes the frames of the wire out of what an interface gave. Each is handed to `frame`; `room` is where they are made.
///
/// # Errors
/// If they cannot be made. Then none was.
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
