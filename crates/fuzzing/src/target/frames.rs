//! Frames: the readers of IP in recordings, in the targets and in P4 see the same in any bytes. In frames that were made for the test, they
//! see what was put into them. Recordings and targets also see the same innermost header of tunnels.

use super::FuzzTarget;
use crate::bytes::Bytes;
use forebay_conform::p4model::{FrameOutcome, Switch};
use forebay_conform::{encapsulated, tunneled};
use forebay_core::encapsulation::{MOST, Network, Start, network};
use forebay_core::registry::find;
use forebay_core::{Packet, Seed};
use forebay_targets::headers::{HEAD_BYTES, Mapping, Metadata};
use forebay_targets::{TARGETS, TargetOptions};
use forebay_traces::IpHeader;
use forebay_traces::pcap_reader::read_pcap;
use std::cell::RefCell;
use std::sync::LazyLock;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "frames",
    title: "Recordings, targets and P4 find the same IP header in any frame",
    seeds: || {
        let frames = KNOWN.iter().step_by(97).map(|frame| frame.bytes.clone());
        frames.map(|frame| [&[0, 0][..], &frame].concat()).collect()
    },
    run,
    quick: 50_000,
};

/// A frame, and the byte with DSCP and ECN of its outer and its innermost IP header, as far as it is known.
struct Known {
    name: String,
    bytes: Vec<u8>,
    outer: Option<u8>,
    inner: Option<u8>,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let encapsulated = encapsulated(Seed(1).stream("encapsulations")).into_iter().map(|frame| Known {
        name: frame.name,
        bytes: frame.bytes,
        outer: frame.traffic_class,
        inner: None,
    });
    let tunneled = tunneled(Seed(1).stream("tunnels")).into_iter().map(|frame| {
        let headers = frame.headers.map(|(outer, inner, _)| (outer.traffic_class, inner.traffic_class));
        let (outer, inner) = headers.unzip();
        Known { name: frame.name, bytes: frame.bytes, outer, inner }
    });
    encapsulated.chain(tunneled).collect()
});

/// The class of the header in the outermost tunnel, and of the innermost one.
static INSIDE: LazyLock<[Mapping; 2]> = LazyLock::new(|| {
    ["class=second.dscp", "class=inner.dscp"]
        .map(|text| Mapping::default().with(&[Mapping::read_setting(text).expect("a setting")]))
});

/// The destination of frames, which the table of the P4 switch has.
const DESTINATION: [u8; 6] = [2, 0, 0, 0, 0, 2];

/// The policy of which P4 gets a program: the queue is a part of the class.
const DIRECTED: &str = "q[0..31] = Queue(4 pkts);
out = Port(100, q[0..31]);
first(a, b) = a.schedState < b.schedState;
out.schedPrio = first;
q[0..31].schedState = 1;
classify(p) = (true, enter(q[p.queue]));";

thread_local! {
    static P4: RefCell<(Switch, Mapping)> = RefCell::new(p4());
}

fn p4() -> (Switch, Mapping) {
    let mut mapping = Mapping::default();
    let (field, source) = Mapping::read_setting("queue=dscp>>1").expect("a setting");
    mapping.set(field, source);
    let analysis = forebay_lang::analyse(DIRECTED, &forebay_lang::Overrides::new());
    let policy = analysis.policy.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics));
    let options = TargetOptions { mapping, ..TargetOptions::default() };
    let files = find("target", TARGETS, "p4").expect("a target").emit(&policy, &options).expect("a program");
    let text = &files.iter().find(|file| file.name == "policy.p4").expect("the program").text;
    let mut switch = Switch::new(text);
    switch.forward.insert(0x0200_0000_0002, Some(1));
    (switch, mapping)
}

/// The class, and what ECN says.
fn class(packet: &Packet) -> (u8, bool, bool) {
    (packet.class.0, packet.marks.ecn_capable(), packet.marks.congested())
}

/// A frame as a recording of Ethernet.
fn recorded(frame: &[u8]) -> Vec<u8> {
    let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
    let words = [0xa1b2_c3d4, 4 << 16 | 2, 0, 0, 65_535, 1, 1, 0, length, length];
    let mut file: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    file.extend(frame);
    file
}

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let number = bytes.below(KNOWN.len() + 1);
    if let Some(known) = number.checked_sub(1).and_then(|number| KNOWN.get(number)) {
        let (packet, inner) = compare(&known.bytes);
        for (packet, expected) in [(packet, known.outer), (inner, known.inner)] {
            if let Some(traffic_class) = expected {
                assert_eq!(packet.class.0, traffic_class >> 2, "{}: {:02x?}", known.name, known.bytes);
            }
        }
        let mut changed = known.bytes.clone();
        while !bytes.is_empty() {
            let (place, value) = (bytes.below(changed.len().max(1)), bytes.byte());
            if let Some(byte) = changed.get_mut(place) {
                *byte = value;
            }
        }
        compare(&changed);
    } else {
        compare(bytes.rest());
    }
}

/// The packet that a recording of a frame has, by its outer and by its innermost IP header. The one in the outermost tunnel is compared, too.
fn compare(frame: &[u8]) -> (Packet, Packet) {
    let frame = &frame[..frame.len().min(65_535)];
    let mapped = Mapping::default().packet(frame, Metadata::default());
    let [packet, second, inner] = IpHeader::ALL.map(|header| match read_pcap(&recorded(frame)[..], None, header) {
        Ok(recording) => recording.packets[0],
        Err(error) => panic!("{error}"),
    });
    let is_whole = |bytes: &[u8], most| match network(bytes, 0, Start::Ethernet, most) {
        Network::Ip(ip) => ip.traffic_class(bytes).is_some(),
        Network::Other(_) => false,
    };
    // Recordings look behind up to 64 encapsulations, in all bytes.
    let is_in_reach = is_whole(frame, 64) == is_whole(&frame[..frame.len().min(HEAD_BYTES)], MOST);
    let inside = |number: usize| INSIDE[number].packet(frame, Metadata::default());
    for (mapped, packet) in [(mapped, packet), (inside(0), second), (inside(1), inner)] {
        let expected = if is_in_reach { class(&packet) } else { (0, false, false) };
        assert_eq!(class(&mapped), expected, "{frame:02x?}");
    }
    if frame.len() >= 14 {
        let mut directed = frame.to_vec();
        directed[..6].copy_from_slice(&DESTINATION);
        P4.with_borrow_mut(|(switch, mapping)| {
            let queue = mapping.packet(&directed, Metadata::default()).queue.0;
            match switch.pass(&directed, 0, None) {
                FrameOutcome::Queued(found, _) => assert_eq!(found, queue.into(), "P4: {directed:02x?}"),
                other => panic!("P4 does not queue {directed:02x?}: {other:?}"),
            }
        });
    }
    (packet, inner)
}
