//! A policy that cannot be expressed is rejected, with the construct and the reason.

use crate::build::*;
use forebay_core::registry::find;
use forebay_lang::ir::{Arith, Comparator, Num, PacketField, PacketRef, Read, Relation};
use forebay_targets::headers::Mapping;
use forebay_targets::{TARGETS, TargetOptions};

#[test]
fn more_packets_than_slots_are_refused() {
    let target = find("target", TARGETS, "c").unwrap();
    let said = |size, options: &TargetOptions| {
        let mut two = one_port(vec![queue("small", packets(10)), queue("large", size)]);
        two.buffers.clear();
        let refusals: Vec<String> = target.check(&two, options).iter().map(ToString::to_string).collect();
        assert_eq!(target.emit(&two, options).is_ok(), refusals.is_empty());
        refusals
    };
    let options = TargetOptions { most_slots: 1_000, ..TargetOptions::default() };
    assert_eq!(said(packets(989), &options), Vec::<String>::new());
    let help = "make it smaller, allow more slots (--slots), or, if sizes are in bytes, raise --smallest-packet";
    let expected = format!("the policy: has room for 1001 packets, more than 1000 slots; {help}");
    assert_eq!(said(packets(990), &options), [expected]);
    let expected = format!("queue large: has room for 1562 packets, more than 1000 slots; {help}");
    assert_eq!(said(bytes(100_000), &options), [expected]);
    assert_eq!(said(bytes(100_000), &TargetOptions { smallest_packet: 128, ..options }), Vec::<String>::new());
}

#[test]
fn packets_are_in_a_heap_only_by_what_is_proved_to_be_an_order() {
    let greatest = |first, second| compare(Relation::Greater, arith(Arith::Max, first, second), second_value());
    let (first, second) = (field_of(PacketRef::First), field_of(PacketRef::Second));
    let mut policy = one_port(vec![queue("q", packets(2))]);
    policy.queues[0].processing =
        Comparator { name: "byValue".to_owned(), before: greatest(first, second), keys: None };
    for name in ["c", "bpf", "dpdk"] {
        let target = find("target", TARGETS, name).unwrap();
        let refusals: Vec<String> =
            target.check(&policy, &TargetOptions::default()).iter().map(ToString::to_string).collect();
        assert!(
            refusals.iter().any(|said| said.starts_with("order byValue of queue q: packets are kept in a heap")),
            "{refusals:?}"
        );
        assert!(target.emit(&policy, &TargetOptions::default()).is_err(), "{name}");
    }
}

fn field_of(packet: PacketRef) -> Num {
    Num::Read(Read::Packet(packet, PacketField::Value))
}

fn second_value() -> Num {
    field_of(PacketRef::Second)
}

#[test]
fn a_field_from_inside_a_tunnel_is_refused_but_by_the_switch() {
    for source in ["inner.dscp>>3", "second.dscp>>3"] {
        let setting = Mapping::read_setting(&format!("queue={source}")).unwrap();
        let options = TargetOptions { mapping: Mapping::default().with(&[setting]), ..TargetOptions::default() };
        let policy = one_port(vec![queue("a", packets(2)), queue("b", packets(2))]);
        let in_c = format!(
            "packet.queue: it comes from `{source}`, inside a tunnel, and programs in C see the outer headers only; \
             use an outer header, or run `forebay switch`"
        );
        let in_p4 = format!(
            "`{source}` is inside a tunnel, and the switch program does not parse so far; use an outer header, or run \
             `forebay switch`"
        );
        for (name, expected) in [("c", &in_c), ("bpf", &in_c), ("dpdk", &in_c), ("p4", &in_p4)] {
            let target = find("target", TARGETS, name).unwrap();
            let refusals: Vec<String> = target.check(&policy, &options).iter().map(ToString::to_string).collect();
            assert!(refusals.iter().any(|refusal| refusal.contains(expected)), "{name}: {refusals:?}");
            assert!(target.emit(&policy, &options).is_err(), "{name}");
        }
    }
}

#[test]
fn a_field_from_a_forwarding_table_is_refused_where_there_is_none() {
    let mut options = TargetOptions::default();
    let (field, source) = Mapping::read_setting("queue=egress").unwrap();
    options.mapping.set(field, source);
    let policy = one_port(vec![queue("a", packets(2)), queue("b", packets(2))]);
    for (name, expected) in [
        ("c", None),
        ("bpf", Some("packet.queue: it comes from `egress`, and a device is a single port; give it another source")),
        (
            "dpdk",
            Some(
                "packet.queue: it comes from `egress`, and this program has no forwarding table: it forwards between \
                  pairs of ports",
            ),
        ),
        ("p4", Some("the switch's own tables decide `egress`")),
    ] {
        let target = find("target", TARGETS, name).unwrap();
        let refusals: Vec<String> = target.check(&policy, &options).iter().map(ToString::to_string).collect();
        let is_there = |part| refusals.iter().any(|refusal| refusal.contains(part));
        assert!(expected.map_or(refusals.is_empty(), is_there), "{name}: {refusals:?}");
        assert_eq!(target.emit(&policy, &options).is_ok(), refusals.is_empty(), "{name}");
    }
}

#[test]
fn a_choice_of_versions_is_refused() {
    let mut policy = one_port(vec![queue("q", packets(2))]);
    policy.policy_id = Some(Num::Read(Read::Packet(PacketRef::This, PacketField::Class)));
    for target in TARGETS {
        let refusals: Vec<String> =
            target.check(&policy, &TargetOptions::default()).iter().map(ToString::to_string).collect();
        let expected = "policyId: chooses among several versions of the policy";
        assert!(refusals.iter().any(|said| said.starts_with(expected)), "{}: {refusals:?}", target.about().name);
        assert!(target.emit(&policy, &TargetOptions::default()).is_err());
    }
}
