//! IP is found behind the same encapsulations everywhere. The Rust reference, recordings, the C of kernel and DPDK, and programs
//! in P4 classify frames of all kinds alike, whole and damaged.

use crate::headers::mapping;
use crate::headers_in_c::{Case, answers, answers_if, shown};
use crate::program::can_compile;
use forebay_conform::p4model::{FrameOutcome, Switch};
use forebay_conform::{Encapsulated, encapsulated};
use forebay_core::encapsulation::{MOST, Network, Start, network};
use forebay_core::registry::find;
use forebay_core::{Marks, Packet, Seed};
use forebay_targets::headers::{HEAD_BYTES, Mapping, Metadata, write_marks};
use forebay_targets::{TARGETS, TargetOptions};
use forebay_traces::IpHeader;
use forebay_traces::pcap_reader::read_pcap;

/// The class, and what ECN says.
type Class = (u8, bool, bool);

fn class(packet: &Packet) -> Class {
    (packet.class.0, packet.marks.ecn_capable(), packet.marks.congested())
}

pub(crate) fn frames() -> Vec<Encapsulated> {
    encapsulated(Seed(1).stream("encapsulations"))
}

fn seen(frame: &Encapsulated) -> Packet {
    Mapping::default().packet(&frame.bytes, Metadata::default())
}

#[test]
fn the_reference_sees_what_was_put_into_the_frames() {
    let frames = frames();
    let (mut found, mut beyond) = (0, 0);
    for frame in &frames {
        let Some(traffic_class) = frame.traffic_class else { continue };
        let expected = if frame.is_in_reach() { traffic_class } else { 0 };
        let packet = seen(frame);
        let ecn = expected & 3;
        assert_eq!(class(&packet), (expected >> 2, ecn != 0, ecn == 3), "{}: {:02x?}", frame.name, frame.bytes);
        let has_ip = frame.header_end > 0 && frame.is_in_reach();
        assert_eq!(packet.flow.0 != 0, has_ip, "{}", frame.name);
        found += usize::from(has_ip);
        beyond += usize::from(!frame.is_in_reach());
    }
    assert!(frames.len() > 10_000 && found > 3_000 && beyond > 300, "{}, {found}, {beyond}", frames.len());
}

/// Frames as a recording of Ethernet.
fn recorded(frames: &[Encapsulated]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 1] {
        file.extend(word.to_le_bytes());
    }
    for (time, frame) in (0_u32..).zip(frames) {
        let length = u32::try_from(frame.bytes.len()).unwrap();
        for word in [1 + time / 1_000_000, time % 1_000_000, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&frame.bytes);
    }
    file
}

#[test]
fn recordings_see_the_same_as_far_as_targets_look() {
    let frames = frames();
    let file = recorded(&frames);
    let recording = read_pcap(&file[..], None, IpHeader::Outer).unwrap();
    assert_eq!(recording.packets.len(), frames.len());
    let (mut alike, mut deeper) = (0, 0);
    for (frame, packet) in frames.iter().zip(&recording.packets) {
        let head = &frame.bytes[..frame.bytes.len().min(HEAD_BYTES)];
        let is_whole = |bytes: &[u8], most| match network(bytes, 0, Start::Ethernet, most) {
            Network::Ip(ip) => ip.traffic_class(bytes).is_some(),
            Network::Other(_) => false,
        };
        // Recordings look behind up to 64 encapsulations, in all bytes.
        if is_whole(&frame.bytes, 64) == is_whole(head, MOST) {
            assert_eq!(class(packet), class(&seen(frame)), "{}: {:02x?}", frame.name, frame.bytes);
            alike += 1;
        } else {
            assert_eq!(class(&seen(frame)), (0, false, false), "{}", frame.name);
            deeper += 1;
        }
        if let Some(traffic_class) = frame.traffic_class {
            assert_eq!(packet.class.0, traffic_class >> 2, "{}", frame.name);
        }
    }
    assert!(alike > 9_000 && deeper > 300, "{alike} {deeper}");
}

/// Fields of all layers, of which some end behind the head in front of which much stands.
const MAPPINGS: [&[&str]; 3] = [
    &["class=dscp", "flow=flow-hash", "queue=pcp", "rank=udp[0:8]", "remaining=tcp[12:8]", "value=ip[12:4]"],
    &["class=ip6[6:1]", "rank=udp[30:8]", "remaining=tcp[38:8]", "value=ether[12:4]", "queue=ip[8:2]"],
    &["rank=udp[119:8]", "remaining=tcp[60:8]", "processing=ip6[20:8]", "slack=ip[19:8]"],
];

/// The frames, into which both marks are to be written.
fn cases() -> Vec<Case> {
    let mut marks = Marks::default();
    marks.set_congested();
    marks.set_eligible_to_drop();
    frames().into_iter().map(|frame| Case { bytes: frame.bytes, metadata: Metadata::default(), marks }).collect()
}

/// What the reference says of a frame, as the host in C writes it.
fn expected(mapping: &Mapping, case: &Case) -> String {
    let mut bytes = case.bytes.clone();
    let packet = mapping.packet(&bytes, case.metadata);
    write_marks(&mut bytes, case.marks);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    shown(&packet) + &hex
}

#[test]
fn c_sees_the_same_and_writes_marks_to_the_same_places() {
    if !can_compile() {
        return;
    }
    let (frames, cases) = (frames(), cases());
    for settings in MAPPINGS {
        let mapping = mapping(settings);
        let found = answers(mapping, &cases);
        assert_eq!(found.len(), frames.len());
        for ((frame, case), found) in frames.iter().zip(&cases).zip(&found) {
            assert_eq!(*found, expected(&mapping, case), "{}: {:02x?}", frame.name, frame.bytes);
        }
    }
}

/// Changes of the C, each of which some frame must show.
const MUTANTS_OF_C: [(&str, &str); 22] = [
    ("i, OQ_MOST_ENCAPSULATIONS", "i, OQ_MOST_ENCAPSULATIONS - 1"),
    ("i, OQ_MOST_ENCAPSULATIONS", "i, OQ_MOST_ENCAPSULATIONS + 1"),
    ("|| kind == 0x9200", ""),
    ("|| kind == 0x8848", ""),
    ("oq_frame.length >= 18", "oq_frame.length >= 16"),
    ("oq_frame_byte(oq_frame.at + 2) & 1", "1"),
    ("version == 6 ? OQ_IPV6", "version == 6 ? OQ_IPV4"),
    ("if (!(oq_frame_byte(oq_frame.at) >> 4))", "if (0)"),
    ("kind == 0x8864", "kind == 0x8863"),
    ("oq_frame_word(at) == 0xff03", "0"),
    ("if (!(protocol & 1))", "if (1)"),
    ("protocol == 0x0021", "protocol == 0x2100"),
    ("protocol == 0x0057", "protocol == 0x5700"),
    ("|| protocol == 0x0283", ""),
    ("kind <= 1500", "kind < 1500"),
    ("kind <= 1500", "kind <= 1501"),
    ("addresses == 0x0606 && control == 3", "0"),
    ("addresses == 0xaaaa && control == 3", "addresses == 0xaaaa"),
    ("flags & 0x20 ? 14 : 6", "6"),
    ("flags & 0x0c", "flags & 0x08"),
    ("flags & 0x0c", "flags & 0x04"),
    ("oq_frame.sealed = 1;", ""),
];

#[test]
fn each_change_of_the_c_is_seen() {
    if !can_compile() {
        return;
    }
    let (cases, mapping) = (cases(), Mapping::default());
    let expected: Vec<String> = cases.iter().map(|case| expected(&mapping, case)).collect();
    for mutant in MUTANTS_OF_C {
        assert_ne!(answers_if(mapping, &cases, mutant), expected, "`{}` for `{}` is not seen", mutant.1, mutant.0);
    }
}

#[test]
fn marks_are_read_where_they_were_written_and_macsec_stays_as_it_is() {
    let mut marks = Marks::default();
    marks.set_congested();
    marks.set_eligible_to_drop();
    let (mut written, mut sealed) = (0, 0);
    for frame in frames() {
        let Some(traffic_class) = frame.traffic_class.filter(|_| frame.is_in_reach()) else { continue };
        let mut bytes = frame.bytes.clone();
        write_marks(&mut bytes, marks);
        let after = Mapping::default().packet(&bytes, Metadata::default());
        let is_capable = traffic_class & 3 != 0;
        if frame.name.contains("Secured") {
            assert_eq!(bytes[18..], frame.bytes[18..], "{}", frame.name);
            sealed += usize::from(is_capable);
        } else {
            assert_eq!(after.marks.congested(), is_capable, "{}", frame.name);
            written += usize::from(is_capable);
        }
        assert_eq!(after.marks.eligible_to_drop(), frame.name.starts_with("[Tag"), "{}", frame.name);
        assert_eq!(after.class.0, traffic_class >> 2);
    }
    assert!(written > 900 && sealed > 300, "{written} {sealed}");
}

/// A policy whose queues are told apart by the field `queue`.
pub(crate) const DIRECTED: &str = "q[1..32] = Queue(9 pkts); out = Port(100, q[1..32]);
    out.schedPrio(q1, q2) = (q1.size < q2.size);";

/// What its field can be: of all layers, also where more than the head of a frame would be needed.
pub(crate) const QUEUES: [&str; 10] = [
    "queue=dscp&31",
    "queue=dscp>>1",
    "queue=pcp",
    "queue=ether[13:1]&31",
    "queue=ip[15:1]&31",
    "queue=ip6[39:1]&31",
    "queue=udp[7:1]&31",
    "queue=udp[38:8]&31",
    "queue=tcp[19:1]&31",
    "queue=tcp[42:4]&31",
];

#[test]
fn programs_in_p4_see_the_same() {
    let policy = forebay_lang::analyse(DIRECTED, &forebay_lang::Overrides::new()).policy.unwrap();
    let target = find("target", TARGETS, "p4").unwrap();
    for setting in QUEUES {
        let options = TargetOptions { mapping: mapping(&[setting]), ..TargetOptions::default() };
        let files = target.emit(&policy, &options).unwrap_or_else(|refusals| panic!("{refusals:?}"));
        let program = files.iter().find(|file| file.name == "policy.p4").unwrap();
        let mut switch = Switch::new(&program.text);
        switch.forward.insert(0x0200_0000_0002, Some(1));
        let mut others = 0;
        for frame in frames().iter().filter(|frame| frame.bytes.len() >= 14) {
            let packet = options.mapping.packet(&frame.bytes, Metadata::default());
            let FrameOutcome::Queued(queue, _) = switch.pass(&frame.bytes, 0, None) else { panic!("{}", frame.name) };
            assert_eq!(queue, packet.queue.0.into(), "{setting}: {}: {:02x?}", frame.name, frame.bytes);
            others += usize::from(queue != 0);
        }
        assert!(others > 100, "{setting}: {others}");
    }
}

/// Changes of a program, each of which some frame must show.
const MUTANTS: [(&str, &str); 25] = [
    ("0x9200: tag_0;", ""),
    ("0x88a8: tag_3;", ""),
    ("0x8848: label_0;", ""),
    ("0x8864: session_1;", ""),
    ("0x88e5: secured_0;", ""),
    ("0x0400 &&& 0xff00: link_0;", ""),
    ("0x05dc &&& 0xffff: link_0;", "0x05dc &&& 0xfffc: link_0;"),
    ("0xaaaa03: snap_0;", ""),
    ("0x060603: link_of_ip_0;", ""),
    ("0x00 &&& 0x2c: secured_short_0;", "0x00 &&& 0x20: secured_short_0;"),
    ("0x20 &&& 0x2c: secured_long_0;", ""),
    ("0xff03: framed_0;", ""),
    ("0x0100 &&& 0x0100: ppp_short_0;", ""),
    ("0x0100 &&& 0x0100: framed_short_0;", ""),
    ("0x0283: label_1;", ""),
    ("0: wire_with_word_1;", ""),
    ("default: wire_1;", "default: accept;"),
    ("transition label_3;", "transition payload_3;"),
    ("packet.extract(hdr.between_0, 32w128);", "packet.extract(hdr.between_0, 32w120);"),
    ("meta.at = meta.at + 16;", "meta.at = meta.at + 8;"),
    ("meta.at <= 108", "meta.at <= 128"),
    ("meta.at <= 88", "meta.at <= 108"),
    ("transition kind_8;", "transition accept;"),
    ("transition payload_8;", "transition accept;"),
    ("transition label_8;", "transition payload_8;"),
];

#[test]
fn each_change_of_a_program_in_p4_is_seen() {
    let policy = forebay_lang::analyse(DIRECTED, &forebay_lang::Overrides::new()).policy.unwrap();
    let options = TargetOptions { mapping: mapping(&["queue=dscp>>1"]), ..TargetOptions::default() };
    let files = find("target", TARGETS, "p4").unwrap().emit(&policy, &options).unwrap();
    let text = &files.iter().find(|file| file.name == "policy.p4").unwrap().text;
    let frames: Vec<Encapsulated> = frames().into_iter().filter(|frame| frame.bytes.len() >= 14).collect();
    for (from, to) in MUTANTS {
        assert!(text.contains(from), "the program has no `{from}`");
        let mut switch = Switch::new(&text.replace(from, to));
        switch.forward.insert(0x0200_0000_0002, Some(1));
        let is_seen = frames.iter().any(|frame| {
            let queue = options.mapping.packet(&frame.bytes, Metadata::default()).queue.0;
            let FrameOutcome::Queued(found, _) = switch.pass(&frame.bytes, 0, None) else { return true };
            found != queue.into()
        });
        assert!(is_seen, "`{to}` for `{from}` is not seen");
    }
}
