//! Tests of filters on packets made by hand.

use super::*;
use crate::frame::{Direction, IpHeader, Link};

/// TCP from 10.1.2.3 port 1000 to 192.0.2.9 port 443 with EF, behind two VLAN tags.
fn frame() -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 3, 0x88, 0xa8, 0, 7, 0x81, 0, 0, 5, 8, 0];
    frame.extend([0x45, 46 << 2, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 1, 2, 3, 192, 0, 2, 9]);
    frame.extend([3, 232, 1, 187, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0, 0, 0, 0, 0, 0, 0]);
    frame
}

fn fits(filter: &str) -> bool {
    let frame = frame();
    let packet = Seen {
        since_first_ns: 1_500_000_000,
        wire_bytes: 62,
        interface: 1,
        interface_name: Some("eth0"),
        direction: Some(Direction::Out),
        ..Seen::new(Link::Ethernet, IpHeader::Outer, &frame)
    };
    Filter::parse(filter).unwrap_or_else(|error| panic!("{error}")).fits(&packet)
}

#[test]
fn packets_fit_what_is_true_of_them() {
    for filter in [
        "tcp",
        "udp||tcp",
        "ip&&(tcp||udp)&&!arp",
        "ip",
        "ip proto 6",
        "ip proto tcp",
        "host 10.1.2.3",
        "10.1.2.3",
        "src 10.1.2.3",
        "dst host 192.0.2.9",
        "src net 10.0.0.0/8",
        "src net 10.1",
        "net 10.1.0.0 mask 255.255.0.0",
        "src or dst net 192.0.2.0/24",
        "port 443",
        "tcp dst port 443",
        "tcp src portrange 999-1001",
        "src and dst net 0.0.0.0/0",
        "vlan",
        "vlan 7",
        "vlan 5",
        "ether src 02:00:00:00:00:03",
        "ether host 2:0:0:0:0:9",
        "ether proto 0x0800",
        "less 62",
        "greater 62",
        "outbound",
        "ifname eth0",
        "interface 1",
        "dscp ef",
        "dscp 46",
        "time 1s..2s",
        "time 1500ms..",
        "time ..1501ms",
        "not udp",
        "! arp && tcp",
        "udp or tcp",
        "port 80 or 443",
        "host 10.1.2.4 or 10.1.2.3",
        "(udp or tcp) and (port 443)",
        // From left to right: (udp and port 1) or tcp.
        "udp and port 1 or tcp",
        "tcp or udp and tcp",
        "src port 1000 and dst port 443",
    ] {
        assert!(fits(filter), "{filter}");
    }
    for filter in [
        "udp",
        "ip6",
        "arp",
        "host 10.1.2.4",
        "dst 10.1.2.3",
        "src net 11.0.0.0/8",
        "src and dst net 10.0.0.0/8",
        "port 80",
        "udp port 443",
        "tcp src port 443",
        "portrange 444-999",
        "vlan 6",
        "ether src 02:00:00:00:00:09",
        "ether proto 0x86dd",
        "less 61",
        "greater 63",
        "inbound",
        "ifname eth1",
        "dscp be",
        "time 0s..1500ms",
        "time 2s..",
        "not tcp",
        "tcp or udp and port 80",
        "host ::1",
        "net fe80::/10",
        "ip6 host 10.1.2.3",
    ] {
        assert!(!fits(filter), "{filter}");
    }
}

#[test]
fn mistakes_say_what_is_wrong() {
    for (filter, message) in [
        ("", "is empty"),
        ("tcp prot 443", "expected `and` or `or`, found `prot`"),
        ("poort 443", "does not know `poort`; did you mean `port`?"),
        ("host example.org", "`example.org` is not an address; names are not looked up"),
        ("host 10.0.0.0/8", "write `net 10.0.0.0/8`"),
        ("net 10.0.0.0/33", "is not a network"),
        ("net 10.0.0.0 mask 255.0.255.0", "has holes"),
        ("port http", "`http` is not a port"),
        ("port 70000", "`70000` is not a port"),
        ("portrange 9-3", "is not a range of ports"),
        ("tcp and", "an expression is missing at its end"),
        ("(tcp", "has a `(` without a `)`"),
        ("tcp)", "has a `)` without a `(`"),
        ("icmp port 3", "`icmp` has no ports"),
        ("ether port 3", "`ether` has no ports"),
        ("ether src 1:2:3", "is not an Ethernet address"),
        ("dscp e", "`e` is not a DSCP; write 0 to 63"),
        ("time 3", "is not a span of time"),
        ("time 3s..2s", "is empty"),
        ("tcp[13] & 2 != 0", "does not know `tcp[13]`"),
    ] {
        let error = Filter::parse(filter).unwrap_err().to_string();
        assert!(error.contains(message), "{filter}: {error}");
    }
    let deep = "not ".repeat(1_000) + "tcp";
    assert!(Filter::parse(&deep).unwrap_err().to_string().contains("nested more than"));
    assert!(Filter::parse(&"(".repeat(100_000)).is_err());
}

/// Whatever the words and whatever the bytes: an answer or an error.
#[test]
fn no_words_and_no_frame_do_harm() {
    use forebay_core::Seed;
    use rand::RngExt as _;
    let words = [
        "src",
        "dst",
        "or",
        "and",
        "not",
        "(",
        ")",
        "host",
        "net",
        "port",
        "portrange",
        "proto",
        "ether",
        "ip",
        "ip6",
        "tcp",
        "vlan",
        "less",
        "10.1.2.3",
        "10.1",
        "::1",
        "443",
        "1-2",
        "time",
        "1s..2s",
        "dscp",
        "ef",
        "mask",
        "255.0.0.0",
        "inbound",
        "0x0800",
        "2:0:0:0:0:9",
        "ü",
        "!",
    ];
    let mut rng = Seed(5).stream("filters");
    let mut read = 0;
    for _ in 0..50_000 {
        let count = rng.random_range(1..7);
        let text: Vec<&str> = (0..count).map(|_| words[rng.random_range(0..words.len())]).collect();
        let Ok(filter) = Filter::parse(&text.join(" ")) else { continue };
        read += 1;
        let mut frame = frame();
        frame.truncate(rng.random_range(0..=frame.len()));
        filter.fits(&Seen::new(Link::Ethernet, IpHeader::Outer, &frame));
    }
    assert!(read > 1_000, "{read}");
}
