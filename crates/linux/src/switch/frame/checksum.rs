//! The checksum of the Internet (RFC 1071) and that of SCTP, and completing the one of a frame.

use super::{Malformed, Missing, network_layer};
use std::ops::Range;

/// The sum of words, folded into 16 bits but not inverted; an odd last byte counts as followed by 0.
pub(super) fn internet(bytes: &[u8], begin: u16) -> u16 {
    let mut words = bytes.chunks_exact(2);
    let mut sum: u64 = words.by_ref().map(|word| u64::from(u16::from_be_bytes([word[0], word[1]]))).sum();
    sum += words.remainder().first().map_or(0, |last| u64::from(*last) << 8);
    sum += u64::from(begin);
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    u16::try_from(sum).expect("the carries were added")
}

/// What stands in a header for a sum: never 0, which UDP takes for "none".
pub(super) fn inverted(sum: u16) -> [u8; 2] {
    match !sum {
        0 => u16::MAX,
        other => other,
    }
    .to_be_bytes()
}

/// Completes a checksum whose field has the sum of the pseudo-header; of SCTP, which has another one, whatever the field has.
pub(super) fn complete(frame: &mut [u8], missing: Missing) -> Result<(), Malformed> {
    let is_sctp = |found: &Carried| (found.protocol, found.start, SCTP_FIELD) == (SCTP, missing.start, missing.offset);
    if let Some(Carried { start, end, .. }) = carried(frame).filter(is_sctp) {
        let packet = frame.get_mut(start..end).filter(|packet| packet.len() >= SCTP_FIELD + 4);
        sctp(packet.ok_or(Malformed)?);
        return Ok(());
    }
    let covered = frame.get_mut(missing.start..).ok_or(Malformed)?;
    if missing.offset + 2 > covered.len() {
        return Err(Malformed);
    }
    let sum = internet(covered, 0);
    covered[missing.offset..missing.offset + 2].copy_from_slice(&inverted(sum));
    Ok(())
}

/// Where SCTP has its checksum.
const SCTP_FIELD: usize = 8;

/// The checksum of an SCTP packet (RFC 9260, appendix A): CRC32c with zeros in the field, the least significant byte first.
fn sctp(packet: &mut [u8]) {
    static CRC32C: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    packet[SCTP_FIELD..SCTP_FIELD + 4].fill(0);
    let sum = CRC32C.checksum(packet);
    packet[SCTP_FIELD..SCTP_FIELD + 4].copy_from_slice(&sum.to_le_bytes());
}

/// What IP carries, by what its header says; the end may be behind that of the frame.
pub(super) struct Carried {
    pub(super) protocol: u8,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the bytes begin that the header counts.
    pub(super) counted_from: usize,
    /// Where its addresses are.
    addresses: Range<usize>,
}

/// A TCP or UDP packet in IP: where it is in the frame, where its checksum is in it, and the sum of its pseudo-header.
pub(super) struct Transport {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) offset: usize,
    pub(super) pseudo: u16,
}

pub(super) const TCP: u8 = 6;
pub(super) const UDP: u8 = 17;
const SCTP: u8 = 132;

/// Finds it, if it is no fragment and begins within the frame; of IPv6, without extension headers.
pub(super) fn carried(frame: &[u8]) -> Option<Carried> {
    let (kind, ip, _) = network_layer(frame)?;
    let word = |at: usize| Some(usize::from(u16::from_be_bytes([*frame.get(at)?, *frame.get(at + 1)?])));
    let found = match kind {
        0x0800 => {
            let header = usize::from(*frame.get(ip)? & 0x0f) * 4;
            let is_fragment = word(ip + 6)? & 0x3fff != 0;
            if *frame.get(ip)? >> 4 != 4 || header < 20 || is_fragment {
                return None;
            }
            let (protocol, end) = (*frame.get(ip + 9)?, ip + word(ip + 2)?);
            Carried { protocol, start: ip + header, end, counted_from: ip, addresses: ip + 12..ip + 20 }
        }
        0x86dd if *frame.get(ip)? >> 4 == 6 => {
            let (protocol, start) = (*frame.get(ip + 6)?, ip + 40);
            Carried { protocol, start, end: start + word(ip + 4)?, counted_from: start, addresses: ip + 8..ip + 40 }
        }
        _ => return None,
    };
    (found.start <= frame.len()).then_some(found)
}

/// Finds TCP or UDP, if it is whole.
pub(super) fn transport(frame: &[u8]) -> Option<Transport> {
    let Carried { protocol, start, end, addresses, .. } = carried(frame)?;
    let (offset, shortest) = match protocol {
        TCP => (16, 20),
        UDP => (6, 8),
        _ => return None,
    };
    if end > frame.len() || start + shortest > end {
        return None;
    }
    Some(Transport { start, end, offset, pseudo: pseudo(&frame[addresses], protocol, end - start) })
}

/// The sum of a pseudo-header.
pub(super) fn pseudo(addresses: &[u8], protocol: u8, length: usize) -> u16 {
    let length = u32::try_from(length).expect("a frame is below 4 GiB").to_be_bytes();
    internet(&length, internet(&[0, protocol], internet(addresses, 0)))
}

/// Where a checksum is missing, for an interface that does not say so: the field of TCP or UDP has the sum of the pseudo-header,
/// as the kernel leaves it, and is not right as it is. Of damaged packets, one in 65,536 looks like that.
#[must_use]
pub fn guess(frame: &[u8]) -> Option<Missing> {
    let Transport { start, end, offset, pseudo } = transport(frame)?;
    let field = u16::from_be_bytes([frame[start + offset], frame[start + offset + 1]]);
    if field != pseudo {
        return None;
    }
    let is_right = internet(&frame[start..end], pseudo) == 0xffff;
    // Padding of a short frame is zero, and adds nothing.
    (!is_right).then_some(Missing { start, offset })
}
