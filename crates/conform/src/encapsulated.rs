//! Frames with IP in all kinds of encapsulations, and damaged frames, to test code that finds headers.

use forebay_core::Rng;
use forebay_core::encapsulation::MOST;
use forebay_targets::headers::HEAD_BYTES;
use rand::RngExt;

/// A frame, and its properties, known from its construction.
#[derive(Debug, Clone)]
pub struct Encapsulated {
    /// The names of its layers, the outermost first.
    pub name: String,
    /// The frame's bytes; the destination is that of [`Frames`](crate::Frames).
    pub bytes: Vec<u8>,
    /// The number of encapsulations before the innermost payload.
    pub encapsulations: usize,
    /// The byte with DSCP and ECN, 0 without IP; `None` for a damaged frame, for which it is unknown.
    pub traffic_class: Option<u8>,
    /// The end of the IP header, without options and extensions; 0 without IP, and for damaged frames.
    pub header_end: usize,
}

impl Encapsulated {
    /// Whether the IP header is within the part that every target reads.
    #[must_use]
    pub fn is_in_reach(&self) -> bool {
        self.encapsulations <= MOST && self.header_end <= HEAD_BYTES
    }
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const LABELS: u16 = 0x8847;
const LABELS_OF_GROUPS: u16 = 0x8848;

/// An encapsulation, or two that only occur together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Tag(u16),
    /// An MPLS label above IP.
    Label(u16),
    /// A label above a pseudowire, with a control word or without.
    Pseudowire(bool),
    /// PPPoE, with or without the bytes of HDLC, and with a protocol of one byte where it can be.
    Session {
        hdlc: bool,
        short: bool,
    },
    Snap,
    /// LLC without SNAP.
    LogicalLink,
    /// With or without the channel's identifier.
    Secured(bool),
}

const LAYERS: [Layer; 16] = [
    Layer::Tag(0x8100),
    Layer::Tag(0x88a8),
    Layer::Tag(0x9100),
    Layer::Tag(0x9200),
    Layer::Label(LABELS),
    Layer::Label(LABELS_OF_GROUPS),
    Layer::Pseudowire(false),
    Layer::Pseudowire(true),
    Layer::Session { hdlc: false, short: false },
    Layer::Session { hdlc: false, short: true },
    Layer::Session { hdlc: true, short: false },
    Layer::Session { hdlc: true, short: true },
    Layer::Snap,
    Layer::LogicalLink,
    Layer::Secured(false),
    Layer::Secured(true),
];

/// The innermost payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Innermost {
    /// IPv4 with the length of the header in words, a fragment's offset, and a protocol.
    Ipv4(u8, u16, u8),
    /// With a protocol.
    Ipv6(u8),
    /// Of this `EtherType`.
    Other(u16),
}

const INNERMOST: [Innermost; 12] = [
    Innermost::Ipv4(5, 0, 17),
    Innermost::Ipv4(5, 0, 6),
    Innermost::Ipv4(5, 0, 1),
    Innermost::Ipv4(7, 0, 17),
    Innermost::Ipv4(15, 0, 6),
    Innermost::Ipv4(5, 3, 17),
    Innermost::Ipv6(17),
    Innermost::Ipv6(6),
    // Options for each hop, which are not followed.
    Innermost::Ipv6(0),
    Innermost::Ipv6(59),
    // ARP, and a type for experiments.
    Innermost::Other(0x0806),
    Innermost::Other(0x88b5),
];

/// Lengths of IEEE 802.3, which no reader compares with the frame's.
const LENGTHS: [u16; 14] = [0, 3, 46, 1_023, 1_024, 1_279, 1_280, 1_407, 1_408, 1_471, 1_472, 1_495, 1_499, 1_500];

/// The bytes after an `EtherType`.
struct Made {
    kind: u16,
    bytes: Vec<u8>,
    encapsulations: usize,
    /// The number of bytes before the innermost payload.
    between: usize,
}

impl Made {
    fn wrap(self, kind: u16, front: &[u8], encapsulations: usize) -> Self {
        Self {
            kind,
            between: self.between + front.len(),
            bytes: [front, &self.bytes].concat(),
            encapsulations: self.encapsulations + encapsulations,
        }
    }

    fn is_labelled(&self) -> bool {
        [LABELS, LABELS_OF_GROUPS].contains(&self.kind)
    }

    /// Whether a layer can carry the present bytes.
    fn fits(&self, layer: Layer) -> bool {
        let is_ip = [IPV4, IPV6].contains(&self.kind);
        match layer {
            Layer::Tag(_) | Layer::Pseudowire(_) | Layer::Secured(_) | Layer::Snap => true,
            Layer::Label(_) => is_ip || self.is_labelled(),
            Layer::Session { short, .. } => is_ip || self.is_labelled() && !short,
            Layer::LogicalLink => self.kind == IPV4,
        }
    }

    /// Adds a layer that fits before the present bytes.
    fn behind(self, layer: Layer, rng: &mut Rng) -> Self {
        let kind = self.kind.to_be_bytes();
        let length = LENGTHS[rng.random_range(0..LENGTHS.len())];
        match layer {
            Layer::Tag(tag) => self.wrap(tag, &[rng.random(), rng.random(), kind[0], kind[1]], 1),
            Layer::Label(of) => {
                // The last one says so; others are above those that are there.
                let last = u8::from(!self.is_labelled());
                self.wrap(of, &[rng.random(), rng.random(), rng.random::<u8>() & 0xfe | last, 64], 1)
            }
            Layer::Pseudowire(with_word) => {
                let mut front = vec![rng.random(), rng.random(), rng.random::<u8>() | 1, 64];
                if with_word {
                    front.extend([0, 0, rng.random(), rng.random()]);
                }
                // Without a control word, the address must not look like one, or like IP.
                front.extend([0x12, 0, 0, 0, 0, rng.random(), 0x22, 0, 0, 0, 0, rng.random(), kind[0], kind[1]]);
                self.wrap(LABELS, &front, 2)
            }
            Layer::Session { hdlc, short } => {
                let protocol: u16 = match self.kind {
                    IPV4 => 0x0021,
                    IPV6 => 0x0057,
                    LABELS => 0x0281,
                    _ => 0x0283,
                };
                let mut front = vec![0x11, 0, 0, rng.random(), 0, 100];
                front.extend(if hdlc { &[0xff, 3][..] } else { &[] });
                front.extend(&protocol.to_be_bytes()[usize::from(short)..]);
                self.wrap(0x8864, &front, 1)
            }
            Layer::Snap => self.wrap(length, &[0xaa, 0xaa, 3, 0, 0, 0, kind[0], kind[1]], 1),
            Layer::LogicalLink => self.wrap(length, &[6, 6, 3], 1),
            Layer::Secured(with_channel) => {
                let channel = if with_channel { 0x20 } else { 0 };
                let mut front = vec![channel | rng.random_range(0..4_u8), 0, 0, 0, 0, 1];
                front.extend(if with_channel { &[2, 0, 0, 0, 0, 1, 0, 1][..] } else { &[] });
                front.extend(kind);
                self.wrap(0x88e5, &front, 1)
            }
        }
    }
}

fn innermost(what: Innermost, traffic_class: u8, rng: &mut Rng) -> Made {
    let mut bytes = Vec::new();
    let kind = match what {
        Innermost::Ipv4(words, fragment, protocol) => {
            bytes.extend([0x40 | words, traffic_class, 0, 100, 0, 1]);
            bytes.extend(fragment.to_be_bytes());
            bytes.extend([64, protocol, 0, 0, 10, 0, 0, rng.random_range(1..9), 10, 0, 0, 9]);
            bytes.extend(vec![1; usize::from(words - 5) * 4]);
            IPV4
        }
        Innermost::Ipv6(protocol) => {
            bytes.extend([0x60 | traffic_class >> 4, traffic_class << 4, 0, 0, 0, 60, protocol, 64]);
            bytes.extend((0..32).map(|_| rng.random_range(0..3_u8)));
            IPV6
        }
        Innermost::Other(kind) => kind,
    };
    bytes.extend((0..rng.random_range(30..70)).map(|_| rng.random::<u8>()));
    Made { kind, bytes, encapsulations: 0, between: 0 }
}

/// Builds a frame from those of the layers, the innermost first, that fit before the ones already added.
fn frame(layers: impl IntoIterator<Item = Layer>, what: Innermost, rng: &mut Rng) -> Encapsulated {
    let class = rng.random();
    let mut made = innermost(what, class, rng);
    let mut used = Vec::new();
    for layer in layers {
        if made.fits(layer) {
            made = made.behind(layer, rng);
            used.insert(0, layer);
        }
    }
    let mut bytes = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    bytes.extend(made.kind.to_be_bytes());
    let at = bytes.len() + made.between;
    bytes.extend(&made.bytes);
    let (header, traffic_class) = match what {
        Innermost::Ipv4(..) => (20, class),
        Innermost::Ipv6(_) => (40, class),
        Innermost::Other(_) => (0, 0),
    };
    Encapsulated {
        name: format!("{used:?} {what:?}"),
        bytes,
        encapsulations: made.encapsulations,
        traffic_class: Some(traffic_class),
        header_end: if header == 0 { 0 } else { at + header },
    }
}

/// Returns the frame truncated, with other bytes, or with another type or length in place of the first.
fn damaged(whole: &Encapsulated, rng: &mut Rng) -> Encapsulated {
    let mut bytes = whole.bytes.clone();
    let how = match rng.random_range(0..4) {
        0 => {
            bytes.truncate(rng.random_range(1..bytes.len()));
            "cut"
        }
        1 => {
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(12..bytes.len().min(90));
                bytes[at] = rng.random();
            }
            "with other bytes"
        }
        2 => {
            let at = rng.random_range(12..bytes.len().min(60));
            bytes[at] ^= 1 << rng.random_range(0..8);
            "with a bit turned over"
        }
        _ => {
            let kinds =
                [0, 46, 1_500, 1_501, 1_535, 1_536, 0x0800, 0x86dd, 0x8847, 0x8864, 0x8863, 0x88e5, 0x9100, 0xffff];
            let kind: u16 = kinds[rng.random_range(0..kinds.len())];
            bytes[12..14].copy_from_slice(&kind.to_be_bytes());
            "of another type"
        }
    };
    Encapsulated { name: format!("{} {how}", whole.name), bytes, traffic_class: None, header_end: 0, ..*whole }
}

/// Returns frames with each encapsulation and each pair of them, before IPv4, IPv6, TCP, UDP and other payloads. Then frames with up to
/// twelve random encapsulations, and as many damaged ones.
#[must_use]
pub fn encapsulated(mut rng: Rng) -> Vec<Encapsulated> {
    let mut sequences: Vec<Vec<Layer>> = vec![Vec::new()];
    sequences.extend(LAYERS.map(|layer| vec![layer]));
    sequences.extend(LAYERS.into_iter().flat_map(|inner| LAYERS.map(|outer| vec![inner, outer])));
    // As many as are looked behind, and one more; the longest ones also so that IP is at the end of the head.
    for layer in [Layer::Tag(0x8100), Layer::Label(LABELS), Layer::Snap, Layer::Secured(false), Layer::Secured(true)] {
        let least = if layer == Layer::Secured(true) { 5 } else { MOST };
        sequences.extend((least..=MOST + 1).map(|count| vec![layer; count]));
    }
    let mut frames: Vec<Encapsulated> = Vec::new();
    for layers in &sequences {
        frames.extend(INNERMOST.iter().map(|what| frame(layers.iter().copied(), *what, &mut rng)));
    }
    for _ in 0..2_000 {
        let count = rng.random_range(3..=12);
        let layers: Vec<Layer> = (0..count).map(|_| LAYERS[rng.random_range(0..LAYERS.len())]).collect();
        let what = INNERMOST[rng.random_range(0..INNERMOST.len())];
        frames.push(frame(layers, what, &mut rng));
    }
    let broken: Vec<Encapsulated> = frames.iter().map(|whole| damaged(whole, &mut rng)).collect();
    frames.extend(broken);
    frames
}
