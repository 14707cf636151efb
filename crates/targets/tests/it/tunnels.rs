//! The switch and recordings see the same header inside tunnels: on frames with each kind of tunnel, nested ones, fragments, and damaged
//! ones.

use crate::headers::mapping;
use forebay_conform::{Header, Tunneled, tunneled};
use forebay_core::encapsulation::{MOST, Network, Start, network};
use forebay_core::{Packet, Seed};
use forebay_targets::headers::{HEAD_BYTES, Mapping, Metadata, write_marks};
use forebay_traces::pcap_reader::read_pcap;
use forebay_traces::{Filter, IpHeader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn frames() -> Vec<Tunneled> {
    tunneled(Seed(1).stream("tunnels"))
}

/// Class and flow, the ports, and the addresses of IPv4 or the first of IPv6.
fn inner() -> Mapping {
    mapping(&[
        "class=inner.dscp",
        "flow=inner.flow-hash",
        "value=inner.udp[0:4]",
        "rank=inner.ip[12:8]",
        "remaining=inner.ip6[8:8]",
        "processing=inner.tcp[0:4]",
        "queue=dscp",
    ])
}

fn packet(mapping: &Mapping, frame: &Tunneled) -> Packet {
    mapping.packet(&frame.bytes, Metadata::default())
}

/// The addresses that the switch reads.
fn addresses(frame: &Tunneled) -> Option<(IpAddr, IpAddr)> {
    let mut addresses: Vec<IpAddr> = Vec::new();
    let v4 = packet(&mapping(&["rank=inner.ip[12:8]"]), frame).rank.to_be_bytes();
    if v4 != [0; 8] {
        addresses.extend(v4.chunks(4).map(|four| IpAddr::from(Ipv4Addr::new(four[0], four[1], four[2], four[3]))));
    } else {
        for (first, second) in
            [("rank=inner.ip6[8:8]", "rank=inner.ip6[16:8]"), ("rank=inner.ip6[24:8]", "rank=inner.ip6[32:8]")]
        {
            let halves = [first, second].map(|half| u128::from(packet(&mapping(&[half]), frame).rank));
            addresses.push(Ipv6Addr::from(halves[0] << 64 | halves[1]).into());
        }
    }
    let addresses: [IpAddr; 2] = addresses.try_into().ok()?;
    (addresses != [Ipv6Addr::UNSPECIFIED; 2]).then_some(addresses.into())
}

/// Frames as a recording of Ethernet.
fn recording<'a>(frames: impl IntoIterator<Item = &'a Tunneled>) -> Vec<u8> {
    let mut file: Vec<u8> =
        [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    for frame in frames {
        let length = u32::try_from(frame.bytes.len()).unwrap();
        file.extend([1, 0, length, length].into_iter().flat_map(u32::to_le_bytes));
        file.extend(&frame.bytes);
    }
    file
}

/// The packet that a recording of a frame has, if it fits a filter.
fn recorded(frame: &Tunneled, header: IpHeader, filter: Option<&str>) -> Option<Packet> {
    let file = recording([frame]);
    let filter = filter.map(|text| Filter::parse(text).unwrap());
    Some(read_pcap(&file[..], filter, header).ok()?.packets[0])
}

/// Whether the switch finds the outer header, too: behind no more than it looks behind.
fn is_in_reach(frame: &Tunneled) -> bool {
    let is_whole = |bytes: &[u8], most| match network(bytes, 0, Start::Ethernet, most) {
        Network::Ip(ip) => ip.traffic_class(bytes).is_some(),
        Network::Other(_) => false,
    };
    is_whole(&frame.bytes, 64) == is_whole(&frame.bytes[..frame.bytes.len().min(HEAD_BYTES)], MOST)
}

#[test]
fn the_switch_reads_what_was_put_into_packets_in_tunnels() {
    let of_second = mapping(&["class=second.dscp", "queue=inner.dscp"]);
    let (frames, mapping) = (frames(), inner());
    let (mut tunnels, mut nested, mut with_ports) = (0, 0, 0);
    for frame in &frames {
        let Some((outer, inner, second)) = &frame.headers else { continue };
        let (seen, name) = (packet(&mapping, frame), &frame.name);
        assert_eq!(seen.class.0, inner.traffic_class >> 2, "{name}: {:02x?}", frame.bytes);
        assert_eq!(addresses(frame), Some((inner.source, inner.destination)), "{name}");
        let (udp, tcp) = (u64::from(seen.value), seen.processing.as_ns());
        let ports = inner.ports.map_or(0, |(from, to)| u64::from(from) << 16 | u64::from(to));
        assert_eq!(udp | tcp, ports, "{name}");
        // Without `inner.` a field is of the outer header, and so are the marks.
        assert_eq!(seen.queue.0, u16::from(outer.traffic_class >> 2), "{name}");
        let ecn = outer.traffic_class & 3;
        assert_eq!((seen.marks.ecn_capable(), seen.marks.congested()), (ecn != 0, ecn == 3), "{name}");
        // The header in the outermost tunnel, of a field beside those of the innermost.
        let seen = packet(&of_second, frame);
        assert_eq!(seen.class.0, second.traffic_class >> 2, "{name}: {:02x?}", frame.bytes);
        assert_eq!(seen.queue.0, u16::from(inner.traffic_class >> 2), "{name}");
        let recording = recorded(frame, IpHeader::Second, None).unwrap();
        assert_eq!(recording.class, seen.class, "{name}");
        let filter = format!("src host {} and dst host {}", second.source, second.destination);
        assert!(recorded(frame, IpHeader::Second, Some(&filter)).is_some(), "{filter}: {name}");
        nested += usize::from(second != inner);
        tunnels += usize::from(inner != outer);
        with_ports += usize::from(ports != 0);
    }
    assert!(frames.len() > 4_000 && with_ports > 700, "{} {with_ports}", frames.len());
    assert!(tunnels > 1_100 && nested > 700, "{tunnels} {nested}");
}

#[test]
fn recordings_read_the_same_of_whole_and_of_damaged_frames() {
    let (mapping, of_second) = (inner(), mapping(&["class=second.dscp"]));
    let (mut alike, mut cut, mut without_ip) = (0, 0, 0);
    for frame in frames().iter().filter(|frame| is_in_reach(frame)) {
        let (name, seen) = (&frame.name, packet(&mapping, frame));
        for (header, mapping) in [(IpHeader::Second, &of_second), (IpHeader::Inner, &mapping)] {
            let (recording, seen) = (recorded(frame, header, None).unwrap(), packet(mapping, frame));
            assert_eq!(recording.class, seen.class, "{header}: {name}: {:02x?}", frame.bytes);
        }
        let recording = recorded(frame, IpHeader::Inner, None).unwrap();
        assert_eq!(recording.marks.congested(), seen.marks.congested(), "{name}");
        // Recordings know no addresses of an outer header whose options are cut off.
        if frame.bytes[12..14] == [8, 0] && frame.bytes.len() < 14 + usize::from(frame.bytes[14] & 0x0f) * 4 {
            cut += 1;
            continue;
        }
        let Some((source, destination)) = addresses(frame) else {
            without_ip += 1;
            continue;
        };
        let mut filter = format!("src host {source} and dst host {destination}");
        if let Some((_, Header { ports: Some((from, to)), .. }, _)) = &frame.headers {
            filter += &format!(" and src port {from} and dst port {to}");
        }
        assert!(recorded(frame, IpHeader::Inner, Some(&filter)).is_some(), "{filter}: {name}: {:02x?}", frame.bytes);
        alike += 1;
    }
    assert!(alike > 3_800 && cut < 200 && without_ip > 20, "{alike} {cut} {without_ip}");
}

#[test]
fn flows_are_those_inside_and_outer_fields_stay() {
    let outer = mapping(&["class=dscp"]);
    for frame in frames() {
        let Some((own, inner, _)) = &frame.headers else { continue };
        let (outside, inside) = (packet(&outer, &frame), packet(&self::inner(), &frame));
        assert_eq!(outside.flow == inside.flow, own == inner, "{}", frame.name);
        assert_eq!(outside.class.0, own.traffic_class >> 2, "{}", frame.name);
        let recording = recorded(&frame, IpHeader::Outer, None).unwrap();
        assert_eq!(recording.class, outside.class, "{}", frame.name);
    }
}

#[test]
fn marks_are_written_into_the_outer_header() {
    let mut marks = forebay_core::Marks::default();
    marks.set_congested();
    let mut written = 0;
    for mut frame in frames() {
        let Some((outer, inner, _)) = frame.headers.clone() else { continue };
        write_marks(&mut frame.bytes, marks);
        let ecn = recorded(&frame, IpHeader::Inner, None).unwrap().marks;
        assert_eq!(ecn.congested(), outer.traffic_class & 3 != 0, "{}", frame.name);
        assert_eq!(packet(&self::inner(), &frame).class.0, inner.traffic_class >> 2, "{}", frame.name);
        written += usize::from(ecn.congested());
    }
    assert!(written > 900, "{written}");
}

/// The whole frames that tshark has read, too.
fn read_by_tshark(frames: &[Tunneled]) -> Vec<&Tunneled> {
    frames.iter().filter(|frame| frame.headers.is_some()).step_by(7).collect()
}

fn testdata(name: &str) -> String {
    format!("{}/../../testdata/tunnels/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The innermost addresses and ports in a line of tshark's fields (testdata/tunnels/README.md).
fn innermost_of_tshark(line: &str) -> (IpAddr, IpAddr, Option<(u16, u16)>) {
    let columns: Vec<&str> = line.split('\t').collect();
    let protocols: Vec<&str> = columns[0].split(':').collect();
    let ip = protocols.iter().rposition(|name| ["ip", "ipv6"].contains(name)).unwrap();
    let first = if protocols[ip] == "ip" { 1 } else { 3 };
    let pair = |at: usize| (columns[at].parse().unwrap(), columns[at + 1].parse().unwrap());
    let carried = protocols[ip..].iter().find(|name| ["udp", "tcp"].contains(name));
    let ports = carried.map(|name| pair(if *name == "udp" { 5 } else { 7 }));
    (columns[first].parse().unwrap(), columns[first + 1].parse().unwrap(), ports)
}

#[test]
fn tshark_names_the_same_addresses_and_ports() {
    let frames = frames();
    let chosen = read_by_tshark(&frames);
    let file = recording(chosen.iter().copied());
    if std::env::var_os("UPDATE_TUNNELS").is_some() {
        std::fs::write(testdata("tunnels.pcap"), &file).unwrap();
        return;
    }
    assert!(std::fs::read(testdata("tunnels.pcap")).unwrap() == file, "other frames: see testdata/tunnels/README.md");
    let fields = std::fs::read_to_string(testdata("tunnels.tshark.tsv")).unwrap();
    assert_eq!(fields.lines().count(), chosen.len());
    for (line, frame) in fields.lines().zip(chosen) {
        let (_, inner, _) = frame.headers.as_ref().unwrap();
        let (source, destination, ports) = innermost_of_tshark(line);
        assert_eq!((source, destination), (inner.source, inner.destination), "{}: {line}", frame.name);
        assert_eq!(Some((source, destination)), addresses(frame), "{}: {line}", frame.name);
        if inner.ports.is_some() {
            assert_eq!(ports, inner.ports, "{}: {line}", frame.name);
        }
    }
}

#[test]
fn the_vxlan_of_linux_has_the_flows_inside() {
    let file = std::fs::read(testdata("vxlan.pcap")).unwrap();
    let count = |header, filter: Option<&str>| {
        let filter = filter.map(|text| Filter::parse(text).unwrap());
        read_pcap(&file[..], filter, header).map_or(0, |trace| trace.packets.len())
    };
    // As tshark counts them, of the last IP header in each packet.
    for (filter, packets) in [
        ("tcp port 8080 and host 192.168.7.1", 8),
        ("dscp 34 and tcp", 5),
        ("dscp 46 and udp dst port 9001", 3),
        ("dscp 18 and src host fd07::1 and udp dst port 9002", 3),
        ("host 10.9.0.1", 2),
    ] {
        assert_eq!(count(IpHeader::Inner, Some(filter)), packets, "{filter}");
    }
    assert_eq!(count(IpHeader::Outer, Some("udp dst port 4789 and net 10.9.0.0/24")), 26);
}
