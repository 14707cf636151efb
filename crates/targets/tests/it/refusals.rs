//! What cannot be expressed is refused, with the construct and the reason.

use crate::build::*;
use forebay_core::registry::find;
use forebay_targets::headers::Mapping;
use forebay_targets::{Options, TARGETS};

#[test]
fn more_packets_than_slots_are_refused() {
    let target = find("target", TARGETS, "c").unwrap();
    let said = |size, options: &Options| {
        let mut two = one_port(vec![queue("small", packets(10)), queue("large", size)]);
        two.buffers.clear();
        let refusals: Vec<String> = target.check(&two, options).iter().map(ToString::to_string).collect();
        assert_eq!(target.emit(&two, options).is_ok(), refusals.is_empty());
        refusals
    };
    let options = Options { most_slots: 1_000, ..Options::default() };
    assert_eq!(said(packets(989), &options), Vec::<String>::new());
    let help = "make it smaller or allow more slots (--slots), or, where sizes are in bytes, say that packets are larger \
                (--smallest-packet)";
    let expected = format!("the policy: has room for 1001 packets, more than 1000 slots; {help}");
    assert_eq!(said(packets(990), &options), [expected]);
    let expected = format!("queue large: has room for 1562 packets, more than 1000 slots; {help}");
    assert_eq!(said(bytes(100_000), &options), [expected]);
    assert_eq!(said(bytes(100_000), &Options { smallest_packet: 128, ..options }), Vec::<String>::new());
}

#[test]
fn a_field_from_a_forwarding_table_is_refused_where_there_is_none() {
    let mut options = Options::default();
    let (field, source) = Mapping::read_setting("queue=egress").unwrap();
    options.mapping.set(field, source);
    let policy = one_port(vec![queue("a", packets(2)), queue("b", packets(2))]);
    for (name, expected) in [
        ("c", None),
        ("bpf", Some("packet.queue: it comes from `egress`, and a device is one port; give it another source")),
        (
            "dpdk",
            Some("packet.queue: it comes from `egress`, and no table forwards here: ports are neighbours in twos"),
        ),
        ("p4", Some("`egress` is what the switch's own tables decide")),
    ] {
        let target = find("target", TARGETS, name).unwrap();
        let refusals: Vec<String> = target.check(&policy, &options).iter().map(ToString::to_string).collect();
        let is_there = |part| refusals.iter().any(|refusal| refusal.contains(part));
        assert!(expected.map_or(refusals.is_empty(), is_there), "{name}: {refusals:?}");
        assert_eq!(target.emit(&policy, &options).is_ok(), refusals.is_empty(), "{name}");
    }
}
