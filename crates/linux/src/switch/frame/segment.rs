//! Cuts a frame that combines several, as a card does: TCP segments, or UDP datagrams that share one header.
//!
//! Each part gets the headers with its own length, number (IPv4), sequence number (TCP) and checksums. Of TCP's flags, only the last part
//! has FIN and PSH, and only the first has CWR.

use super::checksum::{field, internet, inverted, pseudo};
use super::layers::{Carried, Found, Layer, TCP, UDP, find};
use super::{Malformed, Missing, Protocol, Segment};

const FIN_AND_PSH: u8 = 0x09;
const CWR: u8 = 0x80;

/// The most bytes that the length field of an IP packet can express.
const MOST_BYTES: usize = 0xffff;

/// The least payload of a TCP segment that a frame is cut into, as in Linux. A smaller one would make tens of thousands of frames of one.
const LEAST_TCP_BYTES: usize = 48;

/// The most datagrams that a frame is cut into, as in Linux.
const MOST_DATAGRAMS: usize = 128;

/// Cuts a frame. The transport header begins where the missing checksum's range begins.
pub(super) fn cut(
    bytes: &[u8],
    segment: Segment,
    missing: Missing,
    room: &mut Vec<u8>,
    frame: &mut dyn FnMut(&mut Vec<u8>),
) -> Result<(), Malformed> {
    let start = missing.start;
    let protocol = if segment.protocol == Protocol::Tcp { TCP } else { UDP };
    // What is said of the frame has to fit its headers, whose lengths are looked at here and nowhere below.
    let is_it = |carried: &Carried| (carried.start, carried.protocol) == (start, protocol);
    let Found { layers, carried } = find(bytes, &is_it).ok_or(Malformed)?;
    let (headers, least) = match segment.protocol {
        Protocol::Tcp => (start + usize::from(*bytes.get(start + 12).ok_or(Malformed)? >> 4) * 4, start + 20),
        Protocol::Udp => (start + 8, start + 8),
    };
    if segment.bytes == 0 || headers < least || headers >= bytes.len() {
        return Err(Malformed);
    }
    let parts = (bytes.len() - headers).div_ceil(segment.bytes);
    let are_too_many = match segment.protocol {
        Protocol::Tcp => parts > 1 && segment.bytes < LEAST_TCP_BYTES,
        Protocol::Udp => parts > MOST_DATAGRAMS,
    };
    if are_too_many {
        return Err(Malformed);
    }
    let counted_from = match layers.first() {
        Some(Layer::Ipv6 { at }) => at + 40,
        Some(Layer::Ipv4 { at }) => *at,
        _ => return Err(Malformed),
    };
    if headers - counted_from + segment.bytes.min(bytes.len() - headers) > MOST_BYTES {
        return Err(Malformed);
    }
    let payload = &bytes[headers..];
    for (number, part) in payload.chunks(segment.bytes).enumerate() {
        room.clear();
        room.extend_from_slice(&bytes[..headers]);
        room.extend_from_slice(part);
        for layer in &layers {
            set_lengths(room, layer, number);
        }
        match segment.protocol {
            Protocol::Tcp => set_tcp(room, start, number * segment.bytes, number == 0, number + 1 == parts),
            Protocol::Udp => {
                let length = room.len() - start;
                set_word(room, start + 4, length);
            }
        }
        set_checksum(room, &carried);
        // A tunnel's checksum is over what is within.
        for layer in layers.iter().rev() {
            set_checksum_of_tunnel(room, layer);
        }
        frame(room);
    }
    Ok(())
}

/// Writes the lower 16 bits of a number, the most significant byte first.
fn set_word(bytes: &mut [u8], at: usize, number: usize) {
    let all = number.to_be_bytes();
    bytes[at..at + 2].copy_from_slice(&all[all.len() - 2..]);
}

/// Sets the fields of an outer header that depend on the bytes after it. The IPv4 headers of a tunnel are numbered, too.
fn set_lengths(part: &mut [u8], layer: &Layer, number: usize) {
    match *layer {
        Layer::Ipv4 { at } => {
            let length = part.len() - at;
            set_word(part, at + 2, length);
            let first = usize::from(u16::from_be_bytes([part[at + 4], part[at + 5]]));
            set_word(part, at + 4, first + number);
            part[at + 10..at + 12].fill(0);
            let header = usize::from(part[at] & 0x0f) * 4;
            let sum = !internet(&part[at..at + header], 0);
            part[at + 10..at + 12].copy_from_slice(&sum.to_be_bytes());
        }
        Layer::Ipv6 { at } => {
            let length = part.len() - at - 40;
            set_word(part, at + 4, length);
        }
        Layer::Udp { at, .. } => {
            let length = part.len() - at;
            set_word(part, at + 4, length);
        }
        Layer::Gre { .. } => {}
    }
}

fn set_tcp(part: &mut [u8], tcp: usize, sent_before: usize, is_first: bool, is_last: bool) {
    let sequence = u32::from_be_bytes([part[tcp + 4], part[tcp + 5], part[tcp + 6], part[tcp + 7]]);
    let sequence = sequence.wrapping_add(u32::try_from(sent_before).unwrap_or(0));
    part[tcp + 4..tcp + 8].copy_from_slice(&sequence.to_be_bytes());
    if !is_last {
        part[tcp + 13] &= !FIN_AND_PSH;
    }
    if !is_first {
        part[tcp + 13] &= !CWR;
    }
}

/// Computes the whole checksum of TCP or UDP.
fn set_checksum(part: &mut [u8], carried: &Carried) {
    let Carried { protocol, start, ref addresses, .. } = *carried;
    let Some(offset) = field(protocol) else { return };
    part[start + offset..start + offset + 2].fill(0);
    let pseudo = pseudo(&part[addresses.clone()], protocol, part.len() - start);
    let sum = internet(&part[start..], pseudo);
    part[start + offset..start + offset + 2].copy_from_slice(&inverted(sum));
}

/// Computes the checksum of a tunnel's UDP or GRE header, if it has one.
fn set_checksum_of_tunnel(part: &mut [u8], layer: &Layer) {
    match *layer {
        Layer::Udp { at, ref addresses } if part[at + 6..at + 8] != [0, 0] => {
            let (start, end) = (at, part.len());
            set_checksum(part, &Carried { protocol: UDP, start, end, addresses: addresses.clone() });
        }
        Layer::Gre { at } => {
            part[at + 4..at + 6].fill(0);
            let sum = !internet(&part[at..], 0);
            part[at + 4..at + 6].copy_from_slice(&sum.to_be_bytes());
        }
        _ => {}
    }
}
