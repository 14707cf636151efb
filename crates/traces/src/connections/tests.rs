//! Tests of connections that are generated, and of real recordings, whose streams tshark counts.

use super::*;
use crate::frame_writer::FrameWriter;
use forebay_core::Seed;
use rand::RngExt as _;
use std::net::{IpAddr, Ipv4Addr};

const PAUSE: Duration = Duration::from_ms(500);
const SYN: u8 = 2;
const ACK: u8 = 16;
const FIN: u8 = 1;

/// A TCP segment over IPv4 and Ethernet.
fn frame(from: SocketAddr, to: SocketAddr, dscp: u8, sequence: u32, ack: Option<u32>, flags: u8, data: u32) -> Vec<u8> {
    let octets = |end: SocketAddr| match end.ip() {
        IpAddr::V4(address) => address.octets(),
        IpAddr::V6(_) => unreachable!("the test writes IPv4"),
    };
    let mut frame = vec![2, 0, 0, 0, 0, octets(to)[0], 2, 0, 0, 0, 0, octets(from)[0], 8, 0, 0x45, dscp << 2];
    frame.extend(u16::try_from(40 + data).unwrap().to_be_bytes());
    frame.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
    frame.extend(octets(from));
    frame.extend(octets(to));
    frame.extend(from.port().to_be_bytes());
    frame.extend(to.port().to_be_bytes());
    frame.extend(sequence.to_be_bytes());
    frame.extend(ack.unwrap_or(0).to_be_bytes());
    frame.extend([0x50, flags | if ack.is_some() { ACK } else { 0 }, 255, 255, 0, 0, 0, 0]);
    frame.resize(frame.len() + data as usize, 0x55);
    frame
}

fn read(mut frames: Vec<(u64, Vec<u8>)>, filter: Option<&str>) -> Result<Connections, TraceError> {
    frames.sort_by_key(|(ns, _)| *ns);
    let mut bytes = Vec::new();
    let mut writer = FrameWriter::new(&mut bytes).unwrap();
    frames.iter().for_each(|(ns, frame)| writer.write(*ns, frame).unwrap());
    writer.flush().unwrap();
    let filter = filter.map(|text| Filter::parse(text).unwrap());
    read_connections(Content::unpack(&bytes[..]).unwrap(), filter, IpHeader::Outer, PAUSE)
}

/// Connections whose sizes, starts and round trips are known, as a recording point on the path sees them.
#[test]
fn what_was_generated_is_found() {
    let mut rng = Seed(35).stream("connections");
    for _ in 0..60 {
        let mut frames = vec![(0, frame(end(1, 1), end(9, 9), 0, 0, None, 4, 0))];
        let mut expected = Vec::new();
        for number in 0..rng.random_range(1..12_u16) {
            let ends = [end(10, 1_000 + number), end(20, 80)];
            // From the recording point to the sender of the other direction and back.
            let sides: [u64; 2] = std::array::from_fn(|_| rng.random_range(1_000..80_000_000));
            let mut next: [u32; 2] =
                std::array::from_fn(|_| rng.random::<u32>() | (0xffff_0000 * rng.random_range(0..2)));
            let start = rng.random_range(1_000..2_000_000_000_u64);
            let lost_syn = rng.random_bool(0.2);
            if lost_syn {
                frames.push((start - 900, frame(ends[0], ends[1], 0, next[0], None, SYN, 0)));
            }
            let first_ns = if lost_syn { start - 900 } else { start };
            frames.push((start, frame(ends[0], ends[1], 0, next[0], None, SYN, 0)));
            next[0] = next[0].wrapping_add(1);
            let answered = start + sides[1];
            frames.push((answered, frame(ends[1], ends[0], 0, next[1], Some(next[0]), SYN, 0)));
            next[1] = next[1].wrapping_add(1);
            let mut now = answered + sides[0];
            frames.push((now, frame(ends[0], ends[1], 0, next[0], Some(next[1]), 0, 0)));
            let mut transfers: [Vec<(u64, u64, u8)>; 2] = Default::default();
            for _ in 0..rng.random_range(1..4) {
                for from in 0..2 {
                    let dscp = rng.random_range(0..64_u8);
                    let mut again = Vec::new();
                    let mut total = 0;
                    now += 1_000;
                    transfers[from].push((now, 0, dscp));
                    let segments = rng.random_range(1..20);
                    for place in 0..segments {
                        let data = rng.random_range(1..1_448_u32);
                        let own = frame(ends[from], ends[1 - from], dscp, next[from], Some(next[1 - from]), 0, data);
                        // The recording may miss a segment between the first and the last.
                        let is_missed = place > 0 && place + 1 < segments && rng.random_bool(0.1);
                        if !is_missed {
                            frames.push((now, own.clone()));
                        }
                        if rng.random_bool(0.2) {
                            again.push(own);
                        }
                        next[from] = next[from].wrapping_add(data);
                        total += u64::from(data);
                        let acknowledged = now + sides[1 - from];
                        frames.push((
                            acknowledged,
                            frame(ends[1 - from], ends[from], 0, next[1 - from], Some(next[from]), 0, 0),
                        ));
                        now += 1_000;
                    }
                    transfers[from].last_mut().unwrap().1 = total;
                    now += sides[0] + sides[1];
                    again.into_iter().for_each(|own| frames.push((now, own)));
                }
                now += PAUSE.as_ps() / 1_000;
            }
            frames.push((now, frame(ends[0], ends[1], 0, next[0], Some(next[1]), FIN, 0)));
            expected.push((first_ns, ends, sides, transfers));
        }
        expected.sort_by_key(|(start, ..)| *start);
        let found = read(frames, Some("not host 1.0.0.1")).unwrap();
        assert_eq!(found.connections.len(), expected.len());
        let zero = expected[0].0;
        for (connection, (start, ends, sides, transfers)) in found.connections.iter().zip(&expected) {
            assert_eq!((connection.ends, connection.start), (*ends, Time::from_ns(start - zero)));
            assert_eq!(connection.handshake, Some(Duration::from_ns(sides[0] + sides[1])));
            assert_eq!(connection.round_trip(), connection.handshake);
            assert!(connection.has_beginning && connection.has_end);
            for (from, carried) in connection.directions.iter().enumerate() {
                let wanted = transfers[from].iter().map(|(start, bytes, dscp)| Transfer {
                    start: Time::from_ns(start - zero),
                    bytes: *bytes,
                    dscp: *dscp,
                });
                assert_eq!(carried.transfers, wanted.collect::<Vec<_>>());
                assert_eq!(carried.bytes, transfers[from].iter().map(|(_, bytes, _)| bytes).sum::<u64>());
                assert_eq!(carried.to_receiver, Some(Duration::from_ns(sides[1 - from])));
                assert!(carried.is_main.is_some(), "two stations tell the directions apart");
            }
            assert_ne!(connection.directions[0].is_main, connection.directions[1].is_main);
        }
    }
}

fn end(host: u8, port: u16) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::new(host, 0, 0, 1).into(), port)
}

#[test]
fn a_connection_from_before_the_recording_has_no_beginning() {
    let (a, b) = (end(10, 1), end(20, 2));
    // The first packet was overtaken; the round trip is that of both sides.
    let frames = vec![
        (3_000, frame(a, b, 0, 1_100, Some(7), 0, 50)),
        (4_000, frame(a, b, 0, 1_000, Some(7), 0, 100)),
        (9_000, frame(b, a, 0, 7, Some(1_150), 0, 0)),
        (10_000, frame(b, a, 0, 7, Some(1_150), 0, 30)),
        (12_000, frame(a, b, 0, 1_150, Some(37), 0, 0)),
    ];
    let found = read(frames, None).unwrap();
    let [connection] = &found.connections[..] else { panic!("{found:?}") };
    assert_eq!([connection.directions[0].bytes, connection.directions[1].bytes], [150, 30]);
    assert!(!connection.has_beginning && !connection.has_end && connection.handshake.is_none());
    assert_eq!(connection.round_trip(), Some(Duration::from_ns(8_000)));
}

#[test]
fn the_same_ends_may_connect_twice() {
    let (a, b) = (end(10, 1), end(20, 2));
    let frames = vec![
        (1_000, frame(a, b, 0, 5, None, SYN, 0)),
        (2_000, frame(b, a, 0, 50, Some(6), SYN, 0)),
        (3_000, frame(a, b, 0, 6, Some(51), 0, 10)),
        (4_000, frame(a, b, 0, 16, Some(51), FIN, 0)),
        (9_000, frame(b, a, 0, 70, None, SYN, 0)),
        (9_500, frame(a, b, 0, 80, Some(71), SYN, 0)),
        (9_900, frame(b, a, 0, 71, Some(81), 0, 20)),
    ];
    let found = read(frames, None).unwrap();
    let seen: Vec<_> = found.connections.iter().map(|own| (own.ends, own.directions[0].bytes, own.handshake)).collect();
    let ns = |ns| Some(Duration::from_ns(ns));
    assert_eq!(seen, [([a, b], 10, ns(2_000)), ([b, a], 20, ns(900))]);
}

#[test]
fn without_tcp_it_says_what_there_is() {
    let mut udp = frame(end(10, 1), end(20, 2), 0, 0, None, 0, 10);
    udp[14 + 9] = 17;
    let error = read(vec![(1, udp), (2, vec![0; 60])], None).unwrap_err().to_string();
    assert!(error.contains("no TCP connection; its 2 packets are: UDP 1, other IP 0, without IP 1"), "{error}");
    assert!(read(Vec::new(), None).is_err());
}

#[test]
fn headers_that_were_not_captured_are_counted() {
    let whole = frame(end(10, 1), end(20, 2), 0, 0, None, SYN, 0);
    let mut damaged = whole.clone();
    damaged[14 + 20 + 12] = 0;
    let found = read(vec![(1, whole), (2, damaged)], None).unwrap();
    assert_eq!((found.connections.len(), found.others.damaged), (1, 1));
}

/// Figures of tshark 4 on recordings of real traffic: streams, bytes by `tcp.seq_raw` and `tcp.len`, and the sum of
/// `tcp.analysis.initial_rtt`. The first recording has one direction only.
#[test]
fn real_recordings_have_the_figures_of_tshark() {
    let of = |bytes: &[u8]| {
        let found = read_connections(Content::unpack(bytes).unwrap(), None, IpHeader::Outer, PAUSE).unwrap();
        let bytes: u64 = found.connections.iter().flat_map(|own| &own.directions).map(|way| way.bytes).sum();
        let handshakes: u64 =
            found.connections.iter().filter_map(|own| own.handshake).map(|own| own.as_ps() / 1_000).sum();
        (found.connections.len(), bytes, handshakes)
    };
    assert_eq!(of(include_bytes!("../../../../testdata/recording/mixed.pcap")), (188, 8_993_159, 8_387_484_000));
    assert_eq!(of(include_bytes!("../../../../testdata/captures/directions/both.pcap")), (3, 120_951, 122_000));
}
