//! Writes packets as a pcap recording that other tools can open.
//!
//! Packets get made-up Ethernet, IPv4 and UDP headers: the DSCP is the class, the ECN field has the marks, and the addresses and ports
//! identify the flow. Only headers are written (snap length 42); the length on the wire is kept. Times are rounded down to nanoseconds, and
//! fields that a packet header does not have (rank, value, ...) are lost.

use crate::error::TraceError;
use crate::frame_writer::{write_file_header, write_packet_header};
use etherparse::{IpDscp, IpEcn, Ipv4Header, PacketBuilder};
use forebay_core::Packet;
use std::io::Write;

/// Ethernet, IPv4 and UDP headers.
const HEADER_BYTES: u32 = 14 + 20 + 8;

/// Writes `packets` in their order.
///
/// # Errors
/// If writing fails, or a class is no DSCP (above 63).
pub fn write_pcap(packets: impl Iterator<Item = Packet>, out: &mut impl Write) -> Result<u64, TraceError> {
    write_file_header(out, HEADER_BYTES)?;
    let mut count = 0;
    for packet in packets {
        let header = header(&packet)?;
        let captured = HEADER_BYTES.min(packet.size_bytes);
        write_packet_header(out, packet.arrival.as_ps() / 1_000, captured, packet.size_bytes)?;
        out.write_all(&header[..captured as usize])?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

fn header(packet: &Packet) -> Result<Vec<u8>, TraceError> {
    let dscp = IpDscp::try_new(packet.class.0).map_err(|_| {
        TraceError::File(format!("class {} is not a DSCP (0 to 63), so it cannot be written to a pcap", packet.class.0))
    })?;
    let [a, b, c, d] = packet.flow.0.to_be_bytes();
    let udp_payload = packet.size_bytes.saturating_sub(HEADER_BYTES).min(u32::from(u16::MAX) - 28);
    let mut ip = Ipv4Header::new(8, 64, etherparse::ip_number::UDP, [10, b, c, d], [10, 255, 0, 1])
        .map_err(|error| TraceError::File(error.to_string()))?;
    ip.dscp = dscp;
    ip.ecn = match (packet.marks.ecn_capable(), packet.marks.congested()) {
        (false, _) => IpEcn::NotEct,
        (true, false) => IpEcn::Ect0,
        (true, true) => IpEcn::CongestionExperienced,
    };
    let builder = PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
        .ip(etherparse::IpHeaders::Ipv4(ip, etherparse::Ipv4Extensions::default()))
        .udp(1024 + u16::from(a), 9);
    let payload = vec![0; udp_payload as usize];
    let mut bytes = Vec::with_capacity(builder.size(payload.len()));
    builder.write(&mut bytes, &payload).map_err(|error| TraceError::File(error.to_string()))?;
    bytes.truncate(HEADER_BYTES as usize);
    Ok(bytes)
}
