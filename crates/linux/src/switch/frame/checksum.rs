//! The checksum of the Internet (RFC 1071) and that of SCTP, and how to complete a frame's checksum.

use super::layers::{Carried, Found, SCTP, TCP, UDP, find};
use super::{Malformed, Missing};

/// Returns the sum of words, folded into 16 bits but not inverted. An odd last byte is padded with 0.
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

/// Returns the header field for a sum: never 0, which means "no checksum" in UDP.
pub(super) fn inverted(sum: u16) -> [u8; 2] {
    match !sum {
        0 => u16::MAX,
        other => other,
    }
    .to_be_bytes()
}

/// Completes a checksum whose field contains the sum of the pseudo-header. For SCTP, which has another checksum, the field may contain any
/// value.
pub(super) fn complete(frame: &mut [u8], missing: Missing) -> Result<(), Malformed> {
    let is_sctp = |found: &Carried| (found.protocol, found.start, SCTP_FIELD) == (SCTP, missing.start, missing.offset);
    if missing.offset == SCTP_FIELD
        && let Some(Found { carried: Carried { start, end, .. }, .. }) = find(frame, &is_sctp)
    {
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

/// The offset of the checksum in an SCTP header.
const SCTP_FIELD: usize = 8;

/// Computes the checksum of an SCTP packet (RFC 9260, appendix A): CRC32c with zeros in the field, the least significant byte first.
fn sctp(packet: &mut [u8]) {
    static CRC32C: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    packet[SCTP_FIELD..SCTP_FIELD + 4].fill(0);
    let sum = CRC32C.checksum(packet);
    packet[SCTP_FIELD..SCTP_FIELD + 4].copy_from_slice(&sum.to_le_bytes());
}

/// Returns the sum of a pseudo-header.
pub(super) fn pseudo(addresses: &[u8], protocol: u8, length: usize) -> u16 {
    let length = u32::try_from(length).expect("a frame is below 4 GiB").to_be_bytes();
    internet(&length, internet(&[0, protocol], internet(addresses, 0)))
}

/// Returns the offset of the checksum in TCP or UDP headers.
pub(super) fn field(protocol: u8) -> Option<usize> {
    match protocol {
        TCP => Some(16),
        UDP => Some(6),
        _ => None,
    }
}

/// Guesses where a checksum is missing, for an interface that does not report it. The kernel leaves the sum of the pseudo-header in the
/// field of TCP or UDP, which is wrong as a checksum. One in 65,536 damaged packets looks like that. In a tunnel, the guess is about the
/// checksum of the inner packet.
#[must_use]
pub fn guess(frame: &[u8]) -> Option<Missing> {
    let missing = |carried: &Carried| {
        let &Carried { protocol, start, end, ref addresses } = carried;
        let offset = field(protocol)?;
        let shortest = if protocol == TCP { 20 } else { 8 };
        if end > frame.len() || start + shortest > end {
            return None;
        }
        let pseudo = pseudo(&frame[addresses.clone()], protocol, end - start);
        let found = u16::from_be_bytes([frame[start + offset], frame[start + offset + 1]]);
        if found != pseudo {
            return None;
        }
        let is_right = internet(&frame[start..end], pseudo) == 0xffff;
        // Padding of a short frame is zero, and adds nothing.
        (!is_right).then_some(Missing { start, offset })
    };
    let found = find(frame, &|carried| missing(carried).is_some())?;
    missing(&found.carried)
}
