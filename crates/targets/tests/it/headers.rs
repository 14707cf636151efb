//! Fields of real frames, which another library has made, and marks that it reads.

use etherparse::{IpNumber, PacketBuilder, SlicedPacket, VlanId};
use forebay_core::Marks;
use forebay_targets::headers::{Field, HEAD_BYTES, Mapping, Metadata, write_marks};

/// The mapping that `--field` gives.
pub(crate) fn mapping(settings: &[&str]) -> Mapping {
    let mut mapping = Mapping::default();
    for setting in settings {
        let (field, source) = Mapping::read_setting(setting).unwrap();
        mapping.set(field, source);
    }
    mapping
}

/// IPv4 and UDP with a payload, from one of two senders, with the byte that has DSCP and ECN.
fn udp(tagged: bool, sender: u8, traffic_class: u8, payload: &[u8]) -> Vec<u8> {
    let mut header = etherparse::Ipv4Header::new(0, 64, IpNumber::UDP, [10, 0, 0, sender], [10, 0, 0, 9]).unwrap();
    header.dscp = (traffic_class >> 2).try_into().unwrap();
    header.ecn = (traffic_class & 3).try_into().unwrap();
    let ether = PacketBuilder::ethernet2([1; 6], [2; 6]);
    let ip = etherparse::IpHeaders::Ipv4(header, etherparse::Ipv4Extensions::default());
    let mut frame = Vec::new();
    if tagged {
        let tag = VlanId::try_new(0x123).unwrap();
        ether.single_vlan(tag).ip(ip).udp(1_000, 2_000).write(&mut frame, payload).unwrap();
    } else {
        ether.ip(ip).udp(1_000, 2_000).write(&mut frame, payload).unwrap();
    }
    frame
}

#[test]
fn fields_are_read_where_they_are_said_to_be() {
    let mapping =
        mapping(&["value=udp[8:4]", "rank = udp[12:8] >> 8 & 0xffff", "queue=priority", "slack=7", "class=dscp>>3"]);
    let payload = [0, 0, 1, 2, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88];
    let packet =
        mapping.packet(&udp(false, 1, 46 << 2 | 1, &payload), Metadata { priority: 70_000, ..Metadata::default() });
    assert_eq!(packet.value, 0x0102);
    assert_eq!(packet.rank, 0x6677);
    assert_eq!(packet.queue.0, u16::MAX, "cut to the greatest");
    assert_eq!(packet.slack.as_ns(), 7);
    assert_eq!(packet.class.0, 5);
    assert_eq!(packet.size_bytes, 54);
    assert!(packet.marks.ecn_capable() && !packet.marks.congested());
}

#[test]
fn a_flow_has_one_number_with_and_without_a_tag_and_another_one_has_another() {
    let flow = |tagged, sender| Mapping::default().packet(&udp(tagged, sender, 0, b"x"), Metadata::default()).flow;
    assert_eq!(flow(false, 1), flow(true, 1));
    assert_ne!(flow(false, 1), flow(false, 2));
}

#[test]
fn marks_are_written_where_others_read_them_and_the_checksum_stays_right() {
    let mut marks = Marks::default();
    marks.set_congested();
    marks.set_eligible_to_drop();
    for tagged in [false, true] {
        for ecn in 0..4 {
            let mut frame = udp(tagged, 1, 10 << 2 | ecn, b"payload");
            write_marks(&mut frame, marks);
            let read = SlicedPacket::from_ethernet(&frame).unwrap();
            let Some(etherparse::NetSlice::Ipv4(ip)) = read.net else { panic!("no IPv4") };
            let header = ip.header().to_header();
            assert_eq!(header.ecn.value(), if ecn == 0 { 0 } else { 3 }, "ECN {ecn}");
            assert_eq!(header.dscp.value(), 10);
            assert_eq!(header.header_checksum, header.calc_header_checksum());
            let seen = Mapping::default().packet(&frame, Metadata::default()).marks;
            assert_eq!(seen.eligible_to_drop(), tagged);
            assert_eq!(seen.congested(), ecn != 0);
        }
    }
}

#[test]
fn no_frame_breaks_it() {
    let mapping = mapping(&["value=tcp[119:8]", "rank=ip6[0:8]", "remaining=ether[100:4]"]);
    let whole = udp(true, 1, 3, &[0xff; 200]);
    let mut seed = 1_u32;
    for cut in 0..whole.len() {
        for _ in 0..20 {
            let mut frame = whole[..cut].to_vec();
            for _ in 0..3 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (seed >> 8) as usize % (cut + 1).min(HEAD_BYTES);
                frame.get_mut(at).into_iter().for_each(|byte| *byte = seed.to_be_bytes()[0]);
            }
            let mut marks = Marks::default();
            marks.set_congested();
            let _ = mapping.packet(&frame, Metadata::default());
            write_marks(&mut frame, marks);
        }
    }
}

#[test]
fn settings_are_written_as_they_are_read_and_others_are_refused() {
    for text in [
        "dscp",
        "egress",
        "mark>>16&0xff",
        "udp[8:4]",
        "flow-hash",
        "ip6[4:2]&0xfff",
        "inner.dscp>>3",
        "inner.tcp[2:2]",
        "second.ip6[4:4]&0xfff",
        "17",
    ] {
        let (field, source) = Mapping::read_setting(&format!("value={text}")).unwrap();
        assert_eq!((field, source.to_string().as_str()), (Field::Value, text));
    }
    for (text, part) in [
        ("value", "NAME=SOURCE"),
        ("worth=dscp", "`worth` is not a field"),
        ("size=17", "`size` is not a field"),
        ("value=dcsp", "`dcsp` is not a source"),
        ("value=udp[8:3]", "1, 2, 4 or 8"),
        ("value=udp[200:4]", "`udp[200:4]` is not a source"),
        ("value=mark>>64", "`mark>>64` is not a source"),
        ("value=", "`` is not a source"),
        ("value=inner.pcp", "`inner.` before dscp, flow-hash, ip, ip6, tcp or udp"),
        ("value=inner.ether[12:2]", "`inner.ether[12:2]` is not a source"),
        ("value=inner.7", "`inner.7` is not a source"),
    ] {
        let message = Mapping::read_setting(text).unwrap_err().to_string();
        assert!(message.contains(part) && !message.contains('\n'), "{text}: {message}");
    }
}

#[test]
fn what_a_policy_reads_must_be_said() {
    let unsaid = |text: &str| -> Vec<String> {
        let policy = forebay_lang::analyse(text, &Vec::new()).policy.unwrap();
        Mapping::default().unsaid(&policy).iter().map(ToString::to_string).collect()
    };
    let queues = "q[1..2] = Queue(10 pkts);\nout = Port(100);\n";
    assert_eq!(unsaid("q = Queue(10 pkts);\nout = Port(100);\n"), Vec::<String>::new());
    assert_eq!(unsaid(&format!("{queues}classify(p) = enter(q[mod(p.flow, 2) + 1]);\n")), Vec::<String>::new());
    let queue = unsaid(queues);
    assert_eq!(queue.len(), 1);
    assert!(queue[0].contains("several queues") && queue[0].contains("--field queue=dscp>>3"), "{queue:?}");
    let value =
        unsaid("dear(p1, p2) = (p1.value > p2.value);\nq = Queue(10 pkts);\nq.procPrio = dear();\nout = Port(100);\n");
    assert!(value.len() == 1 && value[0].contains("--field value=mark"), "{value:?}");
}
