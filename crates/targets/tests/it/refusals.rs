//! What cannot be expressed is refused, with the construct and the reason.

use crate::build::*;
use forebay_core::registry::find;
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
    let help = "make it smaller or allow more slots, or, where sizes are in bytes, say that packets are larger";
    let expected = format!("the policy: has room for 1001 packets, more than 1000 slots; {help}");
    assert_eq!(said(packets(990), &options), [expected]);
    let expected = format!("queue large: has room for 1562 packets, more than 1000 slots; {help}");
    assert_eq!(said(bytes(100_000), &options), [expected]);
    assert_eq!(said(bytes(100_000), &Options { smallest_packet: 128, ..options }), Vec::<String>::new());
}
