//! Cuts a frame that stands for several, as a card does it: TCP segments, or UDP datagrams behind one header.
//!
//! Each part gets the headers with its own length, number (IPv4), sequence number (TCP) and checksums. Of TCP's flags, FIN and
//! PSH are the last part's and CWR the first one's.

use super::checksum::{Carried, TCP, UDP, carried, internet, inverted, transport};
use super::{Malformed, Missing, Protocol, Segment, network_layer};

const FIN_AND_PSH: u8 = 0x09;
const CWR: u8 = 0x80;

/// The most bytes that the length of an IP packet can say.
const MOST_BYTES: usize = 0xffff;

/// Cuts a frame; the transport header begins where the missing checksum does.
pub(super) fn cut(
    bytes: &[u8],
    segment: Segment,
    missing: Missing,
    room: &mut Vec<u8>,
    frame: &mut dyn FnMut(&mut Vec<u8>),
) -> Result<(), Malformed> {
    let start = missing.start;
    let (kind, ip, _) = network_layer(bytes).ok_or(Malformed)?;
    let is_ipv4 = kind == 0x0800;
    let protocol = if segment.protocol == Protocol::Tcp { TCP } else { UDP };
    // What is said of the frame has to fit its headers, whose lengths are looked at here and nowhere below.
    let found = carried(bytes).filter(|found| (found.start, found.protocol) == (start, protocol));
    let Carried { counted_from, .. } = found.ok_or(Malformed)?;
    let (headers, least) = match segment.protocol {
        Protocol::Tcp => (start + usize::from(*bytes.get(start + 12).ok_or(Malformed)? >> 4) * 4, start + 20),
        Protocol::Udp => (start + 8, start + 8),
    };
    if segment.bytes == 0 || headers < least || headers >= bytes.len() {
        return Err(Malformed);
    }
    if headers - counted_from + segment.bytes.min(bytes.len() - headers) > MOST_BYTES {
        return Err(Malformed);
    }
    let payload = &bytes[headers..];
    let parts = payload.len().div_ceil(segment.bytes);
    for (number, part) in payload.chunks(segment.bytes).enumerate() {
        room.clear();
        room.extend_from_slice(&bytes[..headers]);
        room.extend_from_slice(part);
        set_lengths(room, ip, is_ipv4, number);
        match segment.protocol {
            Protocol::Tcp => set_tcp(room, start, number * segment.bytes, number == 0, number + 1 == parts),
            Protocol::Udp => {
                let length = room.len() - start;
                set_word(room, start + 4, length);
            }
        }
        // What is wrong with one is wrong with the first.
        set_checksum(room, start)?;
        frame(room);
    }
    Ok(())
}

/// The lower 16 bits of a number, the most significant byte first.
fn set_word(bytes: &mut [u8], at: usize, number: usize) {
    let all = number.to_be_bytes();
    bytes[at..at + 2].copy_from_slice(&all[all.len() - 2..]);
}

fn set_lengths(part: &mut [u8], ip: usize, is_ipv4: bool, number: usize) {
    let length = part.len() - ip;
    if is_ipv4 {
        set_word(part, ip + 2, length);
        let first = usize::from(u16::from_be_bytes([part[ip + 4], part[ip + 5]]));
        set_word(part, ip + 4, first + number);
        part[ip + 10..ip + 12].fill(0);
        let header = usize::from(part[ip] & 0x0f) * 4;
        let sum = !internet(&part[ip..ip + header], 0);
        part[ip + 10..ip + 12].copy_from_slice(&sum.to_be_bytes());
    } else {
        set_word(part, ip + 4, length - 40);
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

/// The checksum of TCP or UDP, from nothing.
fn set_checksum(part: &mut [u8], start: usize) -> Result<(), Malformed> {
    let found = transport(part).filter(|found| found.start == start).ok_or(Malformed)?;
    let field = start + found.offset;
    part[field..field + 2].fill(0);
    let sum = internet(&part[start..found.end], found.pseudo);
    part[field..field + 2].copy_from_slice(&inverted(sum));
    Ok(())
}
