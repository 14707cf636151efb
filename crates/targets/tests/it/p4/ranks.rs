//! What ranks have to be is what the policies' comparators say, of the same packets as the engine sees them.

use super::ORDERS;
use super::choices::{arrivals, packet};
use super::frames::SPREADS;
use forebay_core::{Packet, Seed};
use forebay_engine::fields::field;
use forebay_lang::ir::{PacketRef, Read};
use forebay_targets::Ranks;

#[test]
fn ranks_are_in_the_order_of_the_comparators() {
    for order in ORDERS.iter().filter(|order| order.text.contains("procPrio")) {
        let (policy, mapping) = (order.policy(), order.options(8, false).mapping);
        let ranks = Ranks::new(&policy, &order.options(8, false)).unwrap();
        let comparator = &policy.queues[0].processing.before;
        let before = |one: &Packet, other: &Packet| {
            comparator.holds(&mut |read| match read {
                Read::Packet(PacketRef::First, of) => field(one, 1, of),
                Read::Packet(_, of) => field(other, 1, of),
                _ => panic!("{read}"),
            })
        };
        // 48 bits of rank in 32.
        let is_exact = !order.fields.contains(&"rank=udp[8:8]");
        let mut rng = Seed(8).stream("ranks");
        let mut different = 0;
        for spread in SPREADS {
            let packets: Vec<Packet> =
                arrivals(400, spread, true, &mut rng).iter().map(|arrival| packet(&mapping, arrival)).collect();
            for (one, other) in packets.iter().zip(&packets[1..]).chain(packets.iter().zip(&packets[50..])) {
                let (first, second) = ((order.rank)(one), (order.rank)(other));
                assert_eq!(ranks.of(one), first, "{}: {one:?}", order.text);
                assert!(first >= second || before(one, other), "{}: {first}, {second}", order.text);
                assert!(second >= first || before(other, one), "{}: {first}, {second}", order.text);
                if is_exact && first == second {
                    assert!(!before(one, other) && !before(other, one), "{}: {one:?} {other:?}", order.text);
                }
                different += u32::from(first != second);
            }
        }
        assert!(different > 1_000, "{}: ranks differ {different} times", order.text);
    }
}
