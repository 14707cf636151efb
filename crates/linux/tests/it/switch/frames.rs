//! Frames that an interface left unfinished become what a card would have sent, as another library reads it.

use etherparse::{PacketBuilder, SlicedPacket, TransportSlice};
use forebay_core::Seed;
use forebay_linux::switch::frame::{Malformed, Missing, Offload, Protocol, Segment, Tag, finish, guess};
use rand::RngExt;

fn finished(bytes: &[u8], offload: Offload) -> Result<Vec<Vec<u8>>, Malformed> {
    let mut made = Vec::new();
    finish(bytes, offload, &mut Vec::new(), &mut |frame| made.push(frame.to_vec()))?;
    Ok(made)
}

/// TCP or UDP over IPv4 or IPv6 with so much payload, and where its transport header begins.
fn frame(is_ipv4: bool, is_tcp: bool, payload: usize) -> (Vec<u8>, usize) {
    let payload: Vec<u8> = (0..=250).cycle().take(payload).collect();
    let ether = PacketBuilder::ethernet2([2; 6], [4; 6]);
    let ip = if is_ipv4 { ether.ipv4([10, 1, 2, 3], [10, 4, 5, 6], 64) } else { ether.ipv6([3; 16], [5; 16], 64) };
    let mut bytes = Vec::new();
    if is_tcp {
        let tcp = ip.tcp(1_000, 2_000, u32::MAX - 700, 4_096).ack(7).psh().fin().cwr();
        tcp.options_raw(&[1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2]).unwrap().write(&mut bytes, &payload).unwrap();
    } else {
        ip.udp(1_000, 2_000).write(&mut bytes, &payload).unwrap();
    }
    (bytes, 14 + if is_ipv4 { 20 } else { 40 })
}

/// Makes the checksum what the kernel leaves for a card: the sum of the pseudo-header.
fn unfinish(bytes: &mut [u8], start: usize, is_tcp: bool) -> Missing {
    let offset = if is_tcp { 16 } else { 6 };
    let addresses = if start == 34 { 26..34 } else { 22..54 };
    let mut pseudo = bytes[addresses].to_vec();
    pseudo.extend(u32::try_from(bytes.len() - start).unwrap().to_be_bytes());
    pseudo.extend([0, if is_tcp { 6 } else { 17 }]);
    let sum = pseudo.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1])).sum::<u32>();
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = u16::try_from((sum & 0xffff) + (sum >> 16)).unwrap();
    bytes[start + offset..start + offset + 2].copy_from_slice(&sum.to_be_bytes());
    Missing { start, offset }
}

/// The payload of a frame whose checksums are right, with TCP's sequence number and flags.
fn read(bytes: &[u8]) -> (Vec<u8>, u32, [bool; 3]) {
    let packet = SlicedPacket::from_ethernet(bytes).unwrap();
    let (source, destination, is_ipv4) = match packet.net.as_ref().unwrap() {
        etherparse::NetSlice::Ipv4(ip) => {
            let header = ip.header().to_header();
            assert_eq!(header.header_checksum, header.calc_header_checksum());
            (header.source.to_vec(), header.destination.to_vec(), true)
        }
        etherparse::NetSlice::Ipv6(ip) => (ip.header().source().to_vec(), ip.header().destination().to_vec(), false),
        _ => panic!("no IP"),
    };
    let v4 = |address: &[u8]| <[u8; 4]>::try_from(address).unwrap();
    let v6 = |address: &[u8]| <[u8; 16]>::try_from(address).unwrap();
    match packet.transport.unwrap() {
        TransportSlice::Tcp(tcp) => {
            let header = tcp.to_header();
            let expected = if is_ipv4 {
                header.calc_checksum_ipv4_raw(v4(&source), v4(&destination), tcp.payload()).unwrap()
            } else {
                header.calc_checksum_ipv6_raw(v6(&source), v6(&destination), tcp.payload()).unwrap()
            };
            // 0 is written as 0xffff, which says the same, as the kernel does it.
            assert_eq!(header.checksum, if expected == 0 { u16::MAX } else { expected });
            (tcp.payload().to_vec(), header.sequence_number, [header.fin, header.psh, header.cwr])
        }
        TransportSlice::Udp(udp) => {
            let header = udp.to_header();
            let expected = if is_ipv4 {
                header.calc_checksum_ipv4_raw(v4(&source), v4(&destination), udp.payload()).unwrap()
            } else {
                header.calc_checksum_ipv6_raw(v6(&source), v6(&destination), udp.payload()).unwrap()
            };
            assert_eq!((header.checksum, usize::from(header.length)), (expected, 8 + udp.payload().len()));
            (udp.payload().to_vec(), 0, [false; 3])
        }
        _ => panic!("no TCP or UDP"),
    }
}

#[test]
fn missing_checksums_are_completed_and_recognised() {
    for (is_ipv4, is_tcp) in [(true, true), (true, false), (false, true), (false, false)] {
        for payload in [1, 2, 999, 1_400] {
            let (whole, start) = frame(is_ipv4, is_tcp, payload);
            let mut bytes = whole.clone();
            let missing = unfinish(&mut bytes, start, is_tcp);
            assert_eq!(guess(&bytes), Some(missing));
            assert_eq!(guess(&whole), None, "one that is right is left alone");
            let made = finished(&bytes, Offload { checksum: Some(missing), ..Offload::default() }).unwrap();
            assert_eq!(made, [whole]);
        }
    }
    assert_eq!(guess(&[0; 60]), None);
}

#[test]
fn large_frames_are_cut_as_a_card_cuts_them() {
    for (is_ipv4, is_tcp) in [(true, true), (true, false), (false, true), (false, false)] {
        let (mut bytes, start) = frame(is_ipv4, is_tcp, 10_000);
        let missing = unfinish(&mut bytes, start, is_tcp);
        let protocol = if is_tcp { Protocol::Tcp } else { Protocol::Udp };
        let segment = Some(Segment { protocol, bytes: 1_448 });
        let made = finished(&bytes, Offload { checksum: Some(missing), segment, tag: None }).unwrap();
        assert_eq!(made.len(), 7);
        let mut payload = Vec::new();
        for (number, frame) in made.iter().enumerate() {
            let (part, sequence, [fin, psh, cwr]) = read(frame);
            if is_tcp {
                let expected = (u32::MAX - 700).wrapping_add(u32::try_from(payload.len()).unwrap());
                assert_eq!(sequence, expected, "it wraps");
                assert_eq!([fin, psh, cwr], [number == 6, number == 6, number == 0]);
            }
            payload.extend(part);
        }
        assert_eq!(payload, (0..=250).cycle().take(10_000).collect::<Vec<u8>>());
        if is_ipv4 {
            let ids: Vec<u16> = made.iter().map(|frame| u16::from_be_bytes([frame[18], frame[19]])).collect();
            assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1), "{ids:?}");
        }
    }
}

/// A frame in a tunnel: the headers of the tunnel in front of it, all made by hand except IP and UDP.
struct Tunnel {
    name: &'static str,
    is_ipv4: bool,
    /// Of UDP; 0: the tunnel is GRE.
    port: u16,
    /// What stands between UDP or IP and the frame.
    header: Vec<u8>,
    /// Whether the inner packet begins with Ethernet, or with IP.
    has_ethernet: bool,
}

fn tunnels() -> Vec<Tunnel> {
    let vxlan = || vec![8, 0, 0, 0, 0, 0, 5, 0];
    let tunnel = |name, is_ipv4, port, header, has_ethernet| Tunnel { name, is_ipv4, port, header, has_ethernet };
    vec![
        tunnel("VXLAN", true, 4_789, vxlan(), true),
        tunnel("VXLAN over IPv6", false, 4_789, vxlan(), true),
        tunnel("VXLAN at another port", true, 7_777, vxlan(), true),
        tunnel("Geneve with options", true, 6_081, vec![2, 0, 0x65, 0x58, 0, 0, 7, 0, 1, 2, 3, 1, 9, 9, 9, 9], true),
        tunnel("GTP-U", true, 2_152, vec![0x30, 255, 0, 0, 0, 0, 0, 1], false),
        tunnel(
            "GTP-U with an extension",
            true,
            2_152,
            vec![0x34, 255, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x85, 1, 0x10, 9, 0],
            false,
        ),
        tunnel("GRE with Ethernet", true, 0, vec![0, 0, 0x65, 0x58], true),
        tunnel("GRE with key and checksum", true, 0, vec![0xa0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 9], false),
    ]
}

impl Tunnel {
    /// The frame in the tunnel, and where its Ethernet or IP header begins.
    fn around(&self, inner: &[u8]) -> (Vec<u8>, usize) {
        let inner = if self.has_ethernet { inner } else { &inner[14..] };
        let payload = [&self.header[..], inner].concat();
        let ether = PacketBuilder::ethernet2([6; 6], [8; 6]);
        let ip =
            if self.is_ipv4 { ether.ipv4([192, 0, 2, 1], [192, 0, 2, 2], 9) } else { ether.ipv6([7; 16], [9; 16], 9) };
        let mut bytes = Vec::new();
        match self.port {
            0 => ip.write(&mut bytes, etherparse::IpNumber::GRE, &payload).unwrap(),
            port => ip.udp(40_000, port).write(&mut bytes, &payload).unwrap(),
        }
        let at = bytes.len() - inner.len();
        (bytes, at)
    }

    /// Where IP begins within a frame whose inner packet begins at `at`, as a frame.
    fn within(&self, frame: &[u8], at: usize) -> Vec<u8> {
        if self.has_ethernet {
            return frame[at..].to_vec();
        }
        let kind = if frame[at] >> 4 == 4 { [8, 0] } else { [0x86, 0xdd] };
        [&[2; 6][..], &[4; 6], &kind, &frame[at..]].concat()
    }
}

#[test]
fn frames_in_tunnels_are_cut_with_both_headers_right() {
    for tunnel in tunnels() {
        let name = tunnel.name;
        for is_tcp in [true, false] {
            let (mut inner, start) = frame(true, is_tcp, 5_000);
            unfinish(&mut inner, start, is_tcp);
            let (bytes, at) = tunnel.around(&inner);
            let offset = if is_tcp { 16 } else { 6 };
            let start = at + start - if tunnel.has_ethernet { 0 } else { 14 };
            let protocol = if is_tcp { Protocol::Tcp } else { Protocol::Udp };
            let offload = Offload {
                checksum: Some(Missing { start, offset }),
                segment: Some(Segment { protocol, bytes: 1_400 }),
                tag: None,
            };
            let made = finished(&bytes, offload).unwrap_or_else(|_| panic!("{name} is malformed"));
            assert_eq!(made.len(), 4, "{name}");
            let mut payload = Vec::new();
            for frame in &made {
                if tunnel.port > 0 {
                    read(frame);
                } else {
                    let packet = SlicedPacket::from_ethernet(frame).unwrap();
                    let etherparse::NetSlice::Ipv4(ip) = packet.net.as_ref().unwrap() else { panic!("no IPv4") };
                    assert_eq!(ip.header().header_checksum(), ip.header().to_header().calc_header_checksum());
                    if frame[34] & 0x80 != 0 {
                        let words = frame[34..]
                            .chunks(2)
                            .map(|word| u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0)));
                        let sum: u32 = words.sum();
                        assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff, "{name}: GRE's checksum");
                    }
                }
                payload.extend(read(&tunnel.within(frame, at)).0);
            }
            assert_eq!(payload, (0..=250).cycle().take(5_000).collect::<Vec<u8>>(), "{name}");
        }
    }
}

#[test]
fn a_checksum_that_is_missing_in_a_tunnel_is_recognised() {
    for tunnel in tunnels() {
        for is_tcp in [true, false] {
            let (whole, start) = frame(true, is_tcp, 300);
            let mut inner = whole.clone();
            unfinish(&mut inner, start, is_tcp);
            let (mut bytes, at) = tunnel.around(&inner);
            let (right, _) = tunnel.around(&whole);
            // The kernel leaves the outer checksum as it will be when the inner one is complete.
            bytes[..at].copy_from_slice(&right[..at]);
            let missing = guess(&bytes).unwrap_or_else(|| panic!("{}: not recognised", tunnel.name));
            let made = finished(&bytes, Offload { checksum: Some(missing), ..Offload::default() }).unwrap();
            assert_eq!(made, std::slice::from_ref(&right), "{}", tunnel.name);
            assert_eq!(guess(&right), None, "{}", tunnel.name);
        }
    }
}

/// Whatever the bytes of a tunnel are: no panic, and what comes out has lengths that are true.
#[test]
fn damaged_tunnels_do_no_harm() {
    let mut rng = Seed(11).stream("tunnels");
    let all = tunnels();
    let mut cut = 0;
    for number in 0..40_000_usize {
        let tunnel = &all[number % all.len()];
        let is_tcp = rng.random::<bool>();
        let (mut inner, start) = frame(rng.random(), is_tcp, rng.random_range(0..300));
        unfinish(&mut inner, start, is_tcp);
        let (mut bytes, at) = tunnel.around(&inner);
        for _ in 0..rng.random_range(0..4) {
            let place = rng.random_range(12..bytes.len().min(at + start + 20));
            bytes[place] = [0, 0x0f, 0x45, 0xff, rng.random()][rng.random_range(0..5_usize)];
        }
        if number % 8 == 0 {
            bytes.truncate(rng.random_range(14..=bytes.len()));
        }
        let _ = guess(&bytes);
        let start = (at + start).saturating_sub(if tunnel.has_ethernet { 0 } else { 14 });
        let protocol = if is_tcp { Protocol::Tcp } else { Protocol::Udp };
        let segment = Some(Segment { protocol, bytes: rng.random_range(1..200) });
        let checksum = Some(Missing { start, offset: if is_tcp { 16 } else { 6 } });
        let mut made = 0;
        if finish(&bytes, Offload { checksum, segment, tag: None }, &mut Vec::new(), &mut |frame| made += frame.len())
            .is_ok()
        {
            assert!(made >= bytes.len());
            cut += 1;
        }
    }
    assert!(cut > 4_000, "{cut}");
}

#[test]
fn tags_are_put_back() {
    let (whole, start) = frame(true, true, 3_000);
    let mut bytes = whole;
    let missing = unfinish(&mut bytes, start, true);
    let segment = Some(Segment { protocol: Protocol::Tcp, bytes: 1_000 });
    let tag = Some(Tag { kind: 0x88a8, control: 0x6007 });
    let made = finished(&bytes, Offload { checksum: Some(missing), segment, tag }).unwrap();
    assert_eq!(made.len(), 3);
    for frame in &made {
        assert_eq!(frame[12..18], [0x88, 0xa8, 0x60, 0x07, 0x08, 0x00]);
        read(frame);
    }
    let short = finished(&[7; 60], Offload { tag, ..Offload::default() }).unwrap();
    assert_eq!((short[0].len(), &short[0][12..16]), (64, &[0x88, 0xa8, 0x60, 0x07][..]));
}

#[test]
fn what_does_not_fit_is_malformed() {
    let (bytes, start) = frame(true, true, 3_000);
    let missing = |start, offset| Some(Missing { start, offset });
    let tcp = |bytes| Some(Segment { protocol: Protocol::Tcp, bytes });
    for (what, offload) in [
        ("behind its end", Offload { checksum: missing(4_000, 16), ..Offload::default() }),
        ("a field behind its end", Offload { checksum: missing(start, 5_000), ..Offload::default() }),
        ("cut into nothing", Offload { checksum: missing(start, 16), segment: tcp(0), tag: None }),
        ("cut into thousands", Offload { checksum: missing(start, 16), segment: tcp(1), tag: None }),
        ("cut a byte below the least", Offload { checksum: missing(start, 16), segment: tcp(47), tag: None }),
        ("cut without a transport header", Offload { checksum: None, segment: tcp(1_000), tag: None }),
        ("transport before the network", Offload { checksum: missing(2, 16), segment: tcp(1_000), tag: None }),
    ] {
        assert_eq!(finished(&bytes, offload), Err(Malformed), "{what}");
    }
    let least = finished(&bytes, Offload { checksum: missing(start, 16), segment: tcp(48), tag: None }).unwrap();
    assert_eq!(least.len(), 3_000_usize.div_ceil(48));
    let (datagrams, at) = frame(true, false, 1_290);
    let udp = |start, bytes| Offload {
        checksum: missing(start, 6),
        segment: Some(Segment { protocol: Protocol::Udp, bytes }),
        tag: None,
    };
    assert_eq!(finished(&datagrams, udp(at, 10)), Err(Malformed), "129 datagrams");
    assert_eq!(finished(&datagrams, udp(at, 11)).unwrap().len(), 118);
    let (mut options, _) = frame(true, false, 3_000);
    options[14] = 0x4f;
    assert_eq!(finished(&options, udp(34, 30)), Err(Malformed), "IPv4's header is longer than what stands before UDP");
    assert_eq!(finished(&options[..48], udp(34, 30)), Err(Malformed), "and longer than the frame");
    let (mut none, _) = frame(true, false, 3_000);
    none[14] = 0x44;
    assert_eq!(finished(&none, udp(34, 30)), Err(Malformed), "IPv4's header is too short");
    assert_eq!(finished(&bytes, udp(start, 30)), Err(Malformed), "TCP cut as UDP");
    let (endless, start) = frame(false, true, 60_000);
    let endless = [endless, vec![0; 8_000]].concat();
    let offload = Offload { checksum: missing(start, 16), segment: tcp(65_535), tag: None };
    assert_eq!(finished(&endless, offload), Err(Malformed), "no length can say so much");
    let (mut behind_extension, start) = frame(false, true, 3_000);
    behind_extension[20] = 60;
    let offload = Offload { checksum: missing(start, 16), segment: tcp(1_000), tag: None };
    assert_eq!(finished(&behind_extension, offload), Err(Malformed), "no checksum is known for it");
    assert_eq!(finished(&[0; 13], Offload::default()), Err(Malformed));
}

/// RFC 9260 has no vector of a packet; those of CRC32c are in RFC 3720, B.4: of 32 zeros it is 8a9136aa.
#[test]
fn the_checksum_of_sctp_is_a_crc() {
    for is_ipv4 in [true, false] {
        // Ports, tag and the field are zeros, and so is what is behind.
        let (mut bytes, start) = frame(is_ipv4, false, 24);
        bytes[if is_ipv4 { 23 } else { 20 }] = 132;
        bytes[start..].fill(0);
        bytes[start + 8..start + 12].copy_from_slice(&[1, 2, 3, 4]);
        // Padding of a short frame is no part of it.
        let padded = [&bytes[..], &[0; 3]].concat();
        let offload = Offload { checksum: Some(Missing { start, offset: 8 }), ..Offload::default() };
        let mut expected = padded.clone();
        expected[start + 8..start + 12].copy_from_slice(&[0xaa, 0x36, 0x91, 0x8a]);
        assert_eq!(finished(&padded, offload).unwrap(), [expected]);
        assert_eq!(finished(&bytes[..start + 20], offload), Err(Malformed), "cut off");
        assert_eq!(finished(&bytes[..start], offload), Err(Malformed));
    }
}

/// Any bytes with any metadata become frames whose headers are consistent, or are malformed.
#[test]
fn any_frame_with_any_offload_is_finished_or_malformed() {
    let mut rng = Seed(7).stream("frames");
    let (mut cut, mut completed, mut malformed) = (0, 0, 0);
    for number in 0..20_000_u32 {
        let is_tcp = rng.random::<bool>();
        let (mut bytes, start) = frame(rng.random(), is_tcp, rng.random_range(0..200));
        for _ in 0..rng.random_range(0..4) {
            // Most often in the headers, and often what makes a length great or nothing.
            let end = if rng.random() { bytes.len() } else { start + 20 };
            let at = rng.random_range(0..end.min(bytes.len()));
            bytes[at] = [0, 0x0f, 0x45, 0xff, rng.random()][rng.random_range(0..5_usize)];
        }
        // Bits that mean nothing, and that the library that reads frames here leaves out of checksums.
        bytes[20] &= 0x7f;
        bytes[start + if is_tcp { 12 } else { 0 }] &= 0xf1;
        if number % 8 == 0 {
            bytes.truncate(rng.random_range(0..=bytes.len()));
        }
        let (start, offset) = if rng.random() {
            (start, [6, 8, 16][rng.random_range(0..3_usize)])
        } else {
            (rng.random_range(0..300), rng.random_range(0..300))
        };
        let protocol = if rng.random_range(0..8) > 0 { is_tcp } else { !is_tcp };
        let protocol = if protocol { Protocol::Tcp } else { Protocol::Udp };
        let mut size = || [0, 1, 4, 100, 65_535][rng.random_range(0..5_usize)];
        let segment = (number % 2 == 0).then(|| Segment { protocol, bytes: size() });
        let tag = (number % 5 == 0).then_some(Tag { kind: 0x8100, control: 7 });
        let offload = Offload { checksum: (number % 3 > 0).then_some(Missing { start, offset }), segment, tag };
        let mut made = Vec::new();
        let done = finish(&bytes, offload, &mut Vec::new(), &mut |frame| made.push(frame.to_vec()));
        let tag = if tag.is_some() { 4 } else { 0 };
        match (done, segment) {
            (Err(Malformed), _) => {
                assert!(made.is_empty(), "none is made of what is malformed");
                malformed += 1;
            }
            (Ok(()), None) => {
                assert_eq!((made.len(), made[0].len()), (1, bytes.len() + tag));
                completed += 1;
            }
            (Ok(()), Some(segment)) => {
                let whole: Vec<(Vec<u8>, u32, [bool; 3])> = made.iter().map(|frame| read(frame)).collect();
                let payload: Vec<u8> = whole.iter().flat_map(|(part, ..)| part.clone()).collect();
                assert!(bytes.ends_with(&payload) && whole.iter().all(|(part, ..)| part.len() <= segment.bytes));
                assert!(!payload.is_empty());
                cut += 1;
            }
        }
    }
    assert!(cut > 500 && completed > 3_000 && malformed > 3_000, "{cut} cut, {completed}, {malformed}");
}
