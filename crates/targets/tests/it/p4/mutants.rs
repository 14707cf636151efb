//! The tests see what a changed program does: each of these changes is found.

use super::choices::{arrivals, differs};
use super::frames::Spread;
use super::{ORDERS, made};
use forebay_core::Seed;

/// A text of the program, and what is there instead.
const INLINE: [(&str, &str); 17] = [
    ("if (bound <= rank)", "if (bound < rank)"),
    ("bound_3.write(port, rank);", ""),
    ("bound_1.write(port, rank);", ""),
    ("bound_0.write(port, rank);\n                    bound_1.read", "bound_1.read"),
    ("bound_2.write(port, bound - cost);", ""),
    ("bound_3.write(port, bound - cost);", "bound_3.write(port, bound);"),
    ("bit<32> cost = bound - rank;", "bit<32> cost = rank - bound;"),
    ("bit<32> cost = bound - rank;", "bit<32> cost = 1;"),
    ("meta.queue = 2;", "meta.queue = 1;"),
    ("(3 - meta.queue)", "(meta.queue)"),
    ("(bit<32>)standard_metadata.egress_spec", "3"),
    ("hdr.udp_data_0.bits[31:0]", "hdr.udp_data_0.bits[32:1]"),
    ("(bit<64>)hdr.ipv4.traffic_class[7:2]", "(bit<64>)hdr.ipv4.traffic_class[6:1]"),
    ("64w63 - n0", "64w63 + n0"),
    ("0x88a8: tag_0;", ""),
    ("(0, 17): parse_udp;", "(1, 17): parse_udp;"),
    ("if (!found) {\n                    bound_2.read", "if (found) {\n                    bound_2.read"),
];

/// The same for the program with a second pass.
const RESUBMITTED: [(&str, &str); 6] = [
    ("meta.cost = bound - rank;", "meta.cost = rank - bound;"),
    ("bound = bound - meta.cost;", "bound = meta.cost;"),
    ("if (bound < meta.cost)", "if (bound > meta.cost)"),
    ("resubmit_preserving_field_list(1);", ""),
    ("bound_0.write(port, rank);", ""),
    ("instance_type == 6", "instance_type == 5"),
];

#[test]
fn each_change_of_the_program_is_seen() {
    let order = &ORDERS[2];
    let mut rng = Seed(1).stream("mutants");
    let mut stream = arrivals(6_000, Spread::Few, true, &mut rng);
    stream.extend(arrivals(3_000, Spread::Small, true, &mut rng));
    for arrival in &mut stream {
        // Service providers' tags have a number of their own.
        if arrival.bytes[12..14] == [0x81, 0] && arrival.now % 2 == 0 {
            arrival.bytes[12..14].copy_from_slice(&[0x88, 0xa8]);
        }
    }
    for (resubmit, mutants) in [(false, &INLINE[..]), (true, &RESUBMITTED)] {
        let text = made(&order.policy(), &order.options(4, resubmit), "policy.p4");
        assert_eq!(differs(&text, order, 4, &stream, &mut rng.clone()), None);
        for (from, to) in mutants {
            assert!(text.contains(from), "the program has no `{from}`");
            let mutant = text.replacen(from, to, 1);
            assert!(differs(&mutant, order, 4, &stream, &mut rng.clone()).is_some(), "`{to}` for `{from}` is not seen");
        }
    }
}
