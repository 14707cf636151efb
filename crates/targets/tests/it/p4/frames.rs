//! Frames of all kinds, made by another library: tags, options, fragments, cut off, of unknown protocols.

use etherparse::{IpFragOffset, IpNumber, Ipv4Options, PacketBuilder, VlanId};
use forebay_core::Rng;
use rand::RngExt;

/// The destinations that are known; each has a port of its own.
pub(super) const DESTINATIONS: [[u8; 6]; 2] = [[2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2]];

/// How ranks are spread.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spread {
    Uniform,
    /// Small numbers most.
    Small,
    Few,
    /// Small and large ones most.
    Ends,
    /// They rise slowly.
    Rising,
}

pub(super) const SPREADS: [Spread; 5] = [Spread::Uniform, Spread::Small, Spread::Few, Spread::Ends, Spread::Rising];

impl Spread {
    /// A number below `limit`.
    fn draw(self, rng: &mut Rng, limit: u64, number: u64) -> u64 {
        let any = rng.random_range(0..limit);
        match self {
            Self::Uniform => any,
            Self::Small => any >> rng.random_range(0..limit.ilog2()),
            Self::Few => [0, limit / 7, limit / 3, limit - 1][rng.random_range(0..4_usize)],
            Self::Ends => {
                if rng.random_bool(0.5) {
                    any >> 5
                } else {
                    limit - 1 - (any >> 5)
                }
            }
            Self::Rising => (number * 37 + any % 1_000) % limit,
        }
    }
}

/// What a stream of frames is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) spread: Spread,
    /// The numbers that the payload carries are below this.
    pub(super) limit: u64,
    /// Frames can be of any kind, also without the headers that are asked for.
    pub(super) wild: bool,
}

/// A frame. Its payload begins with two numbers of eight bytes.
pub(super) fn frame(rng: &mut Rng, kind: Kind, number: u64) -> Vec<u8> {
    let mut payload = kind.spread.draw(rng, kind.limit, number).to_be_bytes().to_vec();
    payload.extend(kind.spread.draw(rng, kind.limit, number).to_be_bytes());
    payload.extend(std::iter::repeat_n(7, rng.random_range(0..200)));
    let wild = |rng: &mut Rng, chance: f64| kind.wild && rng.random_bool(chance);
    let destination = if wild(rng, 0.02) { [9; 6] } else { DESTINATIONS[rng.random_range(0..2_usize)] };
    let ether = PacketBuilder::ethernet2([4; 6], destination);
    let class = [0_u8, 8, 10, 24, 34, 40, 46, 63][rng.random_range(0..8_usize)];
    let ip = if rng.random_bool(0.3) {
        let mut header =
            etherparse::Ipv6Header { hop_limit: 9, source: [5; 16], destination: [6; 16], ..Default::default() };
        header.traffic_class = class << 2 | rng.random_range(0..4_u8);
        etherparse::IpHeaders::Ipv6(header, etherparse::Ipv6Extensions::default())
    } else {
        let mut header = etherparse::Ipv4Header::new(0, 64, IpNumber::UDP, [10, 0, 0, 1], [10, 0, 0, 9]).unwrap();
        header.dscp = class.try_into().unwrap();
        if wild(rng, 0.1) {
            header.options = Ipv4Options::try_from(&[1_u8; 40][..4 * rng.random_range(1..=10_usize)]).unwrap();
        }
        if wild(rng, 0.05) {
            header.fragment_offset = IpFragOffset::try_new(rng.random_range(1..9)).unwrap();
        }
        etherparse::IpHeaders::Ipv4(header, etherparse::Ipv4Extensions::default())
    };
    let tag = |rng: &mut Rng| VlanId::try_new(rng.random_range(0..4_096)).unwrap();
    let udp = !wild(rng, 0.2);
    let mut frame = Vec::new();
    macro_rules! finish {
        ($built:expr) => {{
            let built = $built.ip(ip);
            if udp {
                built.udp(1_000, 2_000).write(&mut frame, &payload).unwrap();
            } else {
                built.tcp(1_000, 2_000, 3, 4).write(&mut frame, &payload).unwrap();
            }
        }};
    }
    let tags = if kind.wild { rng.random_range(0..3) } else { 0 };
    match tags {
        0 => finish!(ether),
        1 => finish!(ether.single_vlan(tag(rng))),
        _ => finish!(ether.double_vlan(tag(rng), tag(rng))),
    }
    if wild(rng, 0.5) && tags > 0 {
        frame[14] |= rng.random_range(0..8_u8) << 5;
    }
    if wild(rng, 0.1) {
        frame.truncate(rng.random_range(22..frame.len().min(130)));
    }
    if wild(rng, 0.03) {
        // Another version of IP, or a length that is none.
        let at = (14 + 4 * tags).min(frame.len() - 1);
        frame[at] = rng.random();
    }
    if wild(rng, 0.03) {
        frame[12..14].copy_from_slice(&[0x08, 0x06]);
    }
    frame
}
