//! Writes a policy's marks into a frame.

use super::frame::Frame;
use forebay_core::Marks;

/// Writes the marks that a policy has set. A congestion notification becomes ECN's "congestion experienced" (RFC 3168), if the sender
/// understands ECN. Drop eligibility becomes the DEI bit (IEEE 802.1Q) of the VLAN tag directly after the addresses, if there is one. An IP
/// header after a MACsec tag is not changed: its check value would be wrong.
pub fn write_marks(bytes: &mut [u8], marks: Marks) {
    let frame = Frame::new(bytes);
    let (vlan, ipv4, ipv6, is_sealed) = (frame.vlan, frame.ipv4, frame.ipv6, frame.is_sealed);
    let ecn = frame.traffic_class() & 3;
    if let Some(at) = vlan
        && marks.eligible_to_drop()
    {
        bytes[at] |= 0x10;
    }
    if !marks.congested() || is_sealed || ecn == 0 || ecn == 3 {
        return;
    }
    if let Some(at) = ipv4 {
        let before = u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let sum = u16::from_be_bytes([bytes[at + 10], bytes[at + 11]]);
        let sum = updated(sum, before, before | 3).to_be_bytes();
        bytes[at + 1] |= 3;
        bytes[at + 10..at + 12].copy_from_slice(&sum);
    } else if let Some(at) = ipv6 {
        bytes[at + 1] |= 0x30;
    }
}

/// Returns the checksum of a header after one word has changed (RFC 1624, equation 3).
fn updated(sum: u16, before: u16, after: u16) -> u16 {
    let mut total = u32::from(!sum) + u32::from(!before) + u32::from(after);
    total = (total & 0xffff) + (total >> 16);
    total = (total & 0xffff) + (total >> 16);
    !u16::try_from(total & 0xffff).unwrap_or(0)
}
