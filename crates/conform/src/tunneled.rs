//! Frames with IP inside tunnels, and damaged frames, to test readers of inner headers.

use forebay_core::Rng;
use forebay_core::tunnel::MOST;
use rand::RngExt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IP header, and the ports of its payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The byte with DSCP and ECN.
    pub traffic_class: u8,
    /// The sender's address.
    pub source: IpAddr,
    /// The receiver's address.
    pub destination: IpAddr,
    /// The ports of TCP or UDP, if the header is followed by theirs.
    pub ports: Option<(u16, u16)>,
}

/// A frame, and its properties, known from its construction.
#[derive(Debug, Clone)]
pub struct Tunneled {
    /// The names of its layers, the outermost first.
    pub name: String,
    /// The frame's bytes.
    pub bytes: Vec<u8>,
    /// The outermost and the innermost header, and the one in the outermost tunnel; `None` for a damaged frame, for which they are unknown.
    pub headers: Option<(Header, Header, Header)>,
}

/// A tunnel, which carries IP, or Ethernet with IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tunnel {
    Ip,
    /// At a port.
    Vxlan(u16),
    /// Geneve with Ethernet or without, and with this number of words of options.
    Geneve(bool, u8),
    /// With Ethernet or without, and with these flags: checksum, key, sequence number.
    Gre(bool, u8),
    /// GTP with these flags, and with this number of extension headers.
    Gtp(u8, u8),
}

const TUNNELS: [Tunnel; 18] = [
    Tunnel::Ip,
    Tunnel::Vxlan(4789),
    Tunnel::Vxlan(8472),
    Tunnel::Geneve(true, 0),
    Tunnel::Geneve(true, 3),
    Tunnel::Geneve(false, 0),
    Tunnel::Geneve(false, 5),
    Tunnel::Gre(false, 0),
    Tunnel::Gre(false, 0x80),
    Tunnel::Gre(false, 0x20),
    Tunnel::Gre(false, 0x10),
    Tunnel::Gre(false, 0xb0),
    Tunnel::Gre(true, 0),
    // NVGRE.
    Tunnel::Gre(true, 0x20),
    Tunnel::Gtp(0, 0),
    Tunnel::Gtp(0x02, 0),
    Tunnel::Gtp(0x04, 1),
    Tunnel::Gtp(0x06, 2),
];

/// The header of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V4,
    /// With options, too.
    V4Long,
    V6,
    /// With options for the destination, too.
    V6Long,
}

const VERSIONS: [Version; 4] = [Version::V4, Version::V4Long, Version::V6, Version::V6Long];

/// Which part of a packet it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fragment {
    Whole,
    First,
    Later,
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;

/// A packet, and its headers, the outermost first.
#[derive(Debug, Clone)]
struct Packet {
    kind: u16,
    bytes: Vec<u8>,
    headers: Vec<Header>,
}

fn random<const N: usize>(rng: &mut Rng) -> [u8; N] {
    std::array::from_fn(|_| rng.random())
}

/// Adds an IP header before a payload.
fn packet(
    version: Version,
    fragment: Fragment,
    (protocol, payload): (u8, &[u8]),
    inside: Vec<Header>,
    rng: &mut Rng,
) -> Packet {
    let traffic_class: u8 = rng.random();
    let mut bytes = Vec::new();
    let (kind, source, destination): (u16, IpAddr, IpAddr) = match version {
        Version::V4 | Version::V4Long => {
            let options: &[u8] = if version == Version::V4Long { &[1, 1, 1, 1, 1, 1, 1, 0] } else { &[] };
            let length = u16::try_from(20 + options.len() + payload.len()).expect("a frame is small");
            let words = 5 + u8::try_from(options.len() / 4).expect("options are short");
            let place: u16 = match fragment {
                Fragment::Whole => 0x4000,
                Fragment::First => 0x2000,
                Fragment::Later => 0x2000 | 3,
            };
            let (source, destination) = ([10, 0, rng.random(), 1], [10, 1, rng.random(), 2]);
            bytes.extend([0x40 | words, traffic_class]);
            bytes.extend([length, 7, place].map(u16::to_be_bytes).concat());
            bytes.extend([64, protocol, 0, 0]);
            bytes.extend([source, destination].concat());
            bytes.extend(options);
            (IPV4, Ipv4Addr::from(source).into(), Ipv4Addr::from(destination).into())
        }
        Version::V6 | Version::V6Long => {
            let mut front = Vec::new();
            let mut next = protocol;
            if fragment != Fragment::Whole {
                front.extend([next, 0, 0, if fragment == Fragment::Later { 25 } else { 1 }, 0, 0, 0, 9]);
                next = 44;
            }
            if version == Version::V6Long {
                front = [&[next, 0, 1, 4, 0, 0, 0, 0], &front[..]].concat();
                next = 60;
            }
            let length = u16::try_from(front.len() + payload.len()).expect("a frame is small");
            let address = |rng: &mut Rng, end| {
                let [a, b] = random(rng);
                Ipv6Addr::from([0x2001, 0xdb8, u16::from(a), u16::from(b), 0, 0, 0, end])
            };
            let (source, destination) = (address(rng, 1), address(rng, 2));
            bytes.extend([0x60 | traffic_class >> 4, traffic_class << 4, 0, 0]);
            bytes.extend(length.to_be_bytes());
            bytes.extend([next, 64]);
            bytes.extend([source.octets(), destination.octets()].concat());
            bytes.extend(front);
            (IPV6, source.into(), destination.into())
        }
    };
    // Extension headers of IPv6 hide ports, and later fragments have none.
    let has_ports = matches!(protocol, 6 | 17) && fragment == Fragment::Whole && version != Version::V6Long;
    let port = |at: usize| u16::from_be_bytes([payload[at], payload[at + 1]]);
    let ports = has_ports.then(|| (port(0), port(2)));
    bytes.extend(payload);
    let mut headers = vec![Header { traffic_class, source, destination, ports }];
    if fragment != Fragment::Later {
        headers.extend(inside);
    }
    Packet { kind, bytes, headers }
}

/// Returns a UDP datagram to a port.
fn datagram(port: u16, payload: &[u8], rng: &mut Rng) -> Vec<u8> {
    let length = u16::try_from(8 + payload.len()).expect("a frame is small");
    // The sender's port is none of a tunnel's.
    let from = rng.random_range(50_000..60_000_u16);
    [&[from, port, length, 0].map(u16::to_be_bytes).concat(), payload].concat()
}

/// Returns an innermost packet, with TCP, UDP or another protocol.
fn innermost(rng: &mut Rng) -> Packet {
    let port = rng.random_range(1..1_000_u16);
    let payload: [u8; 12] = random(rng);
    let (protocol, carried) = match rng.random_range(0..4) {
        0 | 1 => (17, datagram(port, &payload, rng)),
        2 => {
            let mut segment = [port, 443, 0, 1, 0, 2, 0x5010, 1_000, 0, 0].map(u16::to_be_bytes).concat();
            segment.extend(payload);
            (6, segment)
        }
        _ => (1, [&[8, 0, 0, 0], &payload[..]].concat()),
    };
    let version = VERSIONS[rng.random_range(0..3)];
    let fragment = if rng.random_bool(0.1) { Fragment::Later } else { Fragment::Whole };
    packet(version, fragment, (protocol, &carried), Vec::new(), rng)
}

impl Tunnel {
    /// Adds the tunnel's headers before a packet.
    fn wrap(self, inside: Packet, version: Version, fragment: Fragment, rng: &mut Rng) -> Packet {
        let Packet { kind, bytes, headers } = inside;
        let framed = |rng: &mut Rng| {
            let mut frame = vec![2, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 3];
            if rng.random_bool(0.3) {
                frame.extend([0x81, 0, 0x20, rng.random()]);
            }
            frame.extend(kind.to_be_bytes());
            [frame, bytes.clone()].concat()
        };
        let with = |has_ethernet: bool, rng: &mut Rng| {
            if has_ethernet { (0x6558, framed(rng)) } else { (kind, bytes.clone()) }
        };
        let (protocol, carried) = match self {
            Self::Ip => (if kind == IPV4 { 4 } else { 41 }, bytes),
            Self::Vxlan(port) => {
                let identifier: [u8; 3] = random(rng);
                let header = [&[8, 0, 0, 0], &identifier[..], &[0]].concat();
                (17, datagram(port, &[header, framed(rng)].concat(), rng))
            }
            Self::Geneve(has_ethernet, words) => {
                let (kind, payload) = with(has_ethernet, rng);
                let mut header = [&[words, 0][..], &u16::to_be_bytes(kind), &[0, 0, 7, 0]].concat();
                if words > 0 {
                    header.extend([1, 2, 3, words - 1]);
                    header.extend((1..words).flat_map(|_| random::<4>(rng)));
                }
                (17, datagram(6081, &[header, payload].concat(), rng))
            }
            Self::Gre(has_ethernet, flags) => {
                let (kind, payload) = with(has_ethernet, rng);
                let mut header = [&[flags, 0][..], &u16::to_be_bytes(kind)].concat();
                header.extend((0..flags.count_ones()).flat_map(|_| random::<4>(rng)));
                (47, [header, payload].concat())
            }
            Self::Gtp(flags, extensions) => {
                let mut rest = Vec::new();
                if flags != 0 {
                    rest.extend([0, 1, 0, if extensions > 0 { 0x85 } else { 0 }]);
                }
                for number in 1..=extensions {
                    // A container of the session, of one word or of two.
                    rest.extend([number, 0, 5]);
                    rest.extend(vec![0; usize::from(number - 1) * 4]);
                    rest.push(if number == extensions { 0 } else { 0x85 });
                }
                rest.extend(bytes);
                let length = u16::try_from(rest.len()).expect("a frame is small").to_be_bytes();
                let header = [0x30 | flags, 255, length[0], length[1], 0, 0, 0, 9];
                (17, datagram(2152, &[&header, &rest[..]].concat(), rng))
            }
        };
        packet(version, fragment, (protocol, &carried), headers, rng)
    }
}

fn frame(tunnels: &[(Tunnel, Version, Fragment)], rng: &mut Rng) -> Tunneled {
    let innermost = innermost(rng);
    let made = tunnels
        .iter()
        .rev()
        .fold(innermost, |inside, (tunnel, version, fragment)| tunnel.wrap(inside, *version, *fragment, rng));
    let mut bytes = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    bytes.extend(made.kind.to_be_bytes());
    bytes.extend(&made.bytes);
    let second = made.headers[1.min(made.headers.len() - 1)].clone();
    let deepest = made.headers[MOST.min(made.headers.len() - 1)].clone();
    Tunneled { name: format!("{tunnels:?}"), bytes, headers: Some((made.headers[0].clone(), deepest, second)) }
}

/// Returns the frame truncated, or with other bytes.
fn damaged(whole: &Tunneled, rng: &mut Rng) -> Tunneled {
    let mut bytes = whole.bytes.clone();
    let how = match rng.random_range(0..3) {
        0 => {
            bytes.truncate(rng.random_range(15..bytes.len()));
            "cut"
        }
        1 => {
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(14..bytes.len());
                bytes[at] = rng.random();
            }
            "with other bytes"
        }
        _ => {
            let at = rng.random_range(14..bytes.len());
            bytes[at] ^= 1 << rng.random_range(0..8);
            "with a bit turned over"
        }
    };
    Tunneled { name: format!("{} {how}", whole.name), bytes, headers: None }
}

/// Returns frames without a tunnel, and with each kind of tunnel under each kind of header, whole and in fragments. Then frames with two to
/// four random tunnels, with more tunnels than are examined, and as many damaged frames.
#[must_use]
pub fn tunneled(mut rng: Rng) -> Vec<Tunneled> {
    let mut stacks = vec![Vec::new(); 10];
    for tunnel in TUNNELS {
        for version in VERSIONS {
            let fragments = [Fragment::Whole, Fragment::Whole, Fragment::Whole, Fragment::First, Fragment::Later];
            stacks.extend(fragments.map(|fragment| vec![(tunnel, version, fragment)]));
        }
    }
    for count in MOST - 1..=MOST + 2 {
        stacks.push(vec![(Tunnel::Ip, Version::V4, Fragment::Whole); count]);
    }
    for _ in 0..1_000 {
        let count = rng.random_range(2..=4);
        stacks.push(
            (0..count)
                .map(|_| {
                    let (tunnel, version) =
                        (TUNNELS[rng.random_range(0..TUNNELS.len())], VERSIONS[rng.random_range(0..4)]);
                    let fragment = if rng.random_bool(0.9) { Fragment::Whole } else { Fragment::Later };
                    (tunnel, version, fragment)
                })
                .collect(),
        );
    }
    let mut frames: Vec<Tunneled> = stacks.iter().map(|stack| frame(stack, &mut rng)).collect();
    let broken: Vec<Tunneled> =
        frames.iter().flat_map(|whole| [damaged(whole, &mut rng), damaged(whole, &mut rng)]).collect();
    frames.extend(broken);
    frames
}
