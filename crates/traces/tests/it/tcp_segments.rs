//! TCP segments of recordings that the tests write byte by byte.

use forebay_traces::{Content, TcpFlags, TcpTrace, TraceError, read_tcp_segments};
use std::io::Cursor;

const ETHERNET: u32 = 1;
const RAW_IP: u32 = 101;

/// A pcap of microsecond, captured bytes and length on the wire.
fn pcap(link: u32, packets: &[(u32, Vec<u8>, usize)]) -> Vec<u8> {
    let mut file = Vec::new();
    for field in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, link] {
        file.extend(field.to_le_bytes());
    }
    for (us, frame, length) in packets {
        for field in [1_700_000_000, *us, u32::try_from(frame.len()).unwrap(), u32::try_from(*length).unwrap()] {
            file.extend(field.to_le_bytes());
        }
        file.extend(frame);
    }
    file
}

/// A TCP header of 24 bytes, 4 of them options.
fn tcp(port: u16, sequence: u32, flags: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(port.to_be_bytes());
    bytes.extend(80_u16.to_be_bytes());
    bytes.extend(sequence.to_be_bytes());
    bytes.extend([0, 0, 0, 0, 6 << 4, flags, 1, 0, 0, 0, 0, 0, 2, 4, 5, 180]);
    bytes
}

/// An IPv4 packet with this much data behind the TCP header.
fn ipv4(tcp: &[u8], data: u16, fragment: u16) -> Vec<u8> {
    let length = 20 + u16::try_from(tcp.len()).unwrap() + data;
    let mut bytes = vec![0x45, 0];
    bytes.extend(length.to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(fragment.to_be_bytes());
    bytes.extend([64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    bytes.extend(tcp);
    bytes.extend(vec![7; usize::from(data)]);
    bytes
}

/// An IPv6 packet with a hop-by-hop header of 8 bytes.
fn ipv6(tcp: &[u8], data: u16) -> Vec<u8> {
    let length = 8 + u16::try_from(tcp.len()).unwrap() + data;
    let mut bytes = vec![0x60, 0, 0, 0];
    bytes.extend(length.to_be_bytes());
    bytes.extend([0, 64]);
    bytes.extend([1; 32]);
    bytes.extend([6, 0, 1, 4, 0, 0, 0, 0]);
    bytes.extend(tcp);
    bytes.extend(vec![7; usize::from(data)]);
    bytes
}

fn ethernet(ip: &[u8]) -> Vec<u8> {
    let mut frame = vec![2; 12];
    frame.extend([8, 0]);
    frame.extend(ip);
    // Short frames are padded, which is no data.
    frame.resize(frame.len().max(60), 0);
    frame
}

/// A frame of `tcpdump -i any` on a card that segments: IP leaves its length open.
#[test]
fn segments_of_cooked_recordings_have_the_data_that_ip_leaves_open() {
    const LINUX_COOKED: u32 = 113;
    let mut ip = ipv4(&tcp(1, 7, 0), 100, 0);
    ip[2..4].fill(0);
    let frame = [&[0, 0, 0, 1, 0, 6][..], &[2; 8], &[8, 0], &ip].concat();
    let trace = read(pcap(LINUX_COOKED, &[whole(0, frame)])).unwrap();
    assert_eq!((trace.segments[0].payload_bytes, trace.segments[0].size_bytes), (100, 14 + 20 + 24 + 100));
}

fn whole(us: u32, frame: Vec<u8>) -> (u32, Vec<u8>, usize) {
    let length = frame.len();
    (us, frame, length)
}

fn read(file: Vec<u8>) -> Result<TcpTrace, TraceError> {
    read_tcp_segments(Content::unpack(Cursor::new(file))?)
}

#[track_caller]
fn refused(file: Vec<u8>) -> String {
    read(file).unwrap_err().to_string()
}

#[test]
fn segments_have_their_sequence_numbers_data_and_flags() {
    let udp = {
        let mut packet = ipv4(&tcp(1, 0, 0), 0, 0);
        packet[9] = 17;
        packet
    };
    let packets = [
        whole(10, ethernet(&udp)),
        whole(15, ethernet(&ipv4(&tcp(1, u32::MAX, 2), 0, 0))),
        whole(20, ethernet(&ipv4(&tcp(1, 0, 0), 1, 0))),
        whole(30, ethernet(&ipv4(&tcp(2, 77, 1), 1_000, 0))),
        // Earlier than the one before, and cut behind the flags.
        (25, ethernet(&ipv4(&tcp(1, 1, 4), 500, 0))[..48].to_vec(), 558),
        whole(31, ethernet(&ipv4(&tcp(1, 2, 0), 8, 0x2000))),
    ];
    let trace = read(pcap(ETHERNET, &packets)).unwrap();
    let seen: Vec<_> = trace
        .segments
        .iter()
        .map(|one| (one.arrival.as_ps() / 1_000_000, one.flow.0, one.sequence, one.payload_bytes, one.size_bytes))
        .collect();
    assert_eq!(seen, [(5, 0, u32::MAX, 0, 60), (10, 0, 0, 1, 60), (15, 0, 1, 500, 558), (20, 1, 77, 1_000, 1_058)]);
    let none = TcpFlags::default();
    let flags = [TcpFlags { syn: true, ..none }, none, TcpFlags { rst: true, ..none }, TcpFlags { fin: true, ..none }];
    assert_eq!(trace.segments.iter().map(|one| one.flags).collect::<Vec<_>>(), flags);
    assert_eq!(trace.other_packets, 1);
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
}

#[test]
fn headers_before_the_data_do_not_count_as_data() {
    let mut unset = ipv4(&tcp(1, 5, 0), 300, 0);
    unset[2..4].fill(0);
    let packets = [whole(0, ipv6(&tcp(1, 9, 0), 40)), whole(1, unset)];
    let trace = read(pcap(RAW_IP, &packets)).unwrap();
    let seen: Vec<_> = trace.segments.iter().map(|one| (one.sequence, one.payload_bytes)).collect();
    assert_eq!(seen, [(9, 40), (5, 300)], "the second one does not say how long it is");
    assert_eq!(trace.warnings, [""; 0]);
}

#[test]
fn what_cannot_be_read_is_named_by_its_number() {
    let good = || whole(0, ethernet(&ipv4(&tcp(1, 0, 0), 10, 0)));
    let cut = (1, ethernet(&ipv4(&tcp(1, 0, 0), 10, 0))[..40].to_vec(), 68);
    let message = refused(pcap(ETHERNET, &[good(), cut]));
    assert!(message.starts_with("packet 2: its TCP header was not captured, only 40 of 68 bytes"), "{message}");

    for offset in [4, 15] {
        let mut header = tcp(1, 0, 0);
        header[12] = offset << 4;
        let message = refused(pcap(ETHERNET, &[good(), good(), whole(1, ethernet(&ipv4(&header, 10, 0)))]));
        let claimed = format!("packet 3: its TCP header claims {} bytes of 34", offset * 4);
        assert!(message.starts_with(&claimed), "{message}");
    }
}

#[test]
fn recordings_without_tcp_are_refused_and_cut_ones_used() {
    assert!(refused(b"arrival_ps,size_bytes\n0,64\n".to_vec()).contains("pcap"));
    assert!(refused(pcap(ETHERNET, &[])).contains("no TCP segment"));
    let mut file = pcap(ETHERNET, &[whole(0, ethernet(&ipv4(&tcp(1, 0, 0), 10, 0)))]);
    let whole_file = read(file.clone()).unwrap();
    file.extend([0; 7]);
    let cut = read(file).unwrap();
    assert_eq!(cut.segments, whole_file.segments);
    assert!(cut.warnings[0].contains("the 1 packets before that"), "{:?}", cut.warnings);
}
