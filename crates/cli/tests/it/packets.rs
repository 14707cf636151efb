//! Recordings made by hand, byte by byte, as other programs write them.

use etherparse::{IpDscp, Ipv4Header, Ipv6Header, PacketBuilder, VlanId};

/// An Ethernet frame with IPv4 and UDP.
pub(crate) fn ipv4(dscp: u8, port: u16) -> Vec<u8> {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [4; 6]).ip(ipv4_header(dscp)).udp(port, 80).write(&mut frame, &[0; 100]).unwrap();
    frame
}

/// The same in a VLAN.
pub(crate) fn vlan(dscp: u8, port: u16) -> Vec<u8> {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [4; 6])
        .single_vlan(VlanId::try_new(7).unwrap())
        .ip(ipv4_header(dscp))
        .udp(port, 80)
        .write(&mut frame, &[0; 100])
        .unwrap();
    frame
}

/// The same in two VLANs (802.1ad).
pub(crate) fn double_vlan(dscp: u8, port: u16) -> Vec<u8> {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [4; 6])
        .double_vlan(VlanId::try_new(7).unwrap(), VlanId::try_new(8).unwrap())
        .ip(ipv4_header(dscp))
        .udp(port, 80)
        .write(&mut frame, &[0; 100])
        .unwrap();
    frame
}

/// An Ethernet frame with IPv6 and TCP.
pub(crate) fn ipv6(dscp: u8, port: u16) -> Vec<u8> {
    let mut frame = Vec::new();
    let mut header = Ipv6Header { hop_limit: 9, source: [1; 16], destination: [2; 16], ..Ipv6Header::default() };
    header.traffic_class = dscp << 2;
    PacketBuilder::ethernet2([2; 6], [4; 6])
        .ip(etherparse::IpHeaders::Ipv6(header, etherparse::Ipv6Extensions::default()))
        .tcp(port, 80, 1, 1_000)
        .write(&mut frame, &[0; 100])
        .unwrap();
    frame
}

/// An ARP request: no IP at all.
pub(crate) fn arp() -> Vec<u8> {
    [&[0xff; 6][..], &[2; 6], &[0x08, 0x06], &[0, 1, 8, 0, 6, 4, 0, 1], &[0; 20]].concat()
}

fn ipv4_header(dscp: u8) -> etherparse::IpHeaders {
    let mut header = Ipv4Header::new(0, 9, etherparse::ip_number::UDP, [10, 0, 0, 1], [10, 0, 0, 2]).unwrap();
    header.dscp = IpDscp::try_new(dscp).unwrap();
    etherparse::IpHeaders::Ipv4(header, etherparse::Ipv4Extensions::default())
}

/// A classic pcap with microseconds: frames one microsecond apart, cut to `snap`.
pub(crate) fn pcap(frames: &[Vec<u8>], snap: usize) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4, 4 << 16 | 2, 0, 0, u32::try_from(snap).unwrap(), 1] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    for (us, frame) in (5_u32..).zip(frames) {
        let captured = &frame[..snap.min(frame.len())];
        for word in [1_700_000_000, us, u32::try_from(captured.len()).unwrap(), u32::try_from(frame.len()).unwrap()] {
            file.extend_from_slice(&word.to_le_bytes());
        }
        file.extend_from_slice(captured);
    }
    file
}

/// A pcapng in big-endian order with nanosecond times: frames 1000 ns apart.
pub(crate) fn pcapng(frames: &[Vec<u8>]) -> Vec<u8> {
    fn block(kind: u32, body: &[u8]) -> Vec<u8> {
        let padded = body.len().next_multiple_of(4);
        let length = u32::try_from(padded + 12).unwrap().to_be_bytes();
        [&kind.to_be_bytes()[..], &length, body, &vec![0; padded - body.len()], &length].concat()
    }
    let section = [&0x1a2b_3c4d_u32.to_be_bytes()[..], &[0, 1, 0, 0], &[0xff; 8]].concat();
    // Link type Ethernet, no snap length, option 9 (if_tsresol): 10^-9 s.
    let interface = [&[0, 1, 0, 0, 0, 0, 0, 0][..], &[0, 9, 0, 1, 9, 0, 0, 0], &[0, 0, 0, 0]].concat();
    let mut file = [block(0x0a0d_0d0a, &section), block(1, &interface)].concat();
    for (index, frame) in (0_u64..).zip(frames) {
        let ns = 1_700_000_000_000_000_000 + 1_000 * index;
        let length = u32::try_from(frame.len()).unwrap().to_be_bytes();
        let time = ns.to_be_bytes();
        file.extend(block(6, &[&[0; 4][..], &time, &length, &length, frame].concat()));
    }
    file
}
