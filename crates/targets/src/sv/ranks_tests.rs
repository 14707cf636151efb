//! Ranks, also cut ones, are held equal to the orders of the policies that hardware really runs.

use super::net::Net;
use super::scope::member;
use super::shape::Shape;
use super::{Hardware, as_run};
use crate::TargetOptions;
use forebay_core::{Rng, Seed};
use forebay_lang::ir::{Cond, PacketField, PacketRef, Read};
use forebay_lang::{Fixed, Overrides, Policy, analyse};
use rand::RngExt;

const ORDERS: [&str; 6] = [
    "p1.rank < p2.rank",
    "p1.value > p2.value",
    "p1.processing / p1.size < p2.processing / p2.size",
    "p1.arrival + p1.slack < p2.arrival + p2.slack",
    "p1.class < p2.class || p1.class == p2.class && p1.rank > p2.rank",
    "p1.slack - 7 * p1.rank < p2.slack - 7 * p2.rank || \
     p1.slack - 7 * p1.rank == p2.slack - 7 * p2.rank && p1.size < p2.size",
];

fn policy(order: &str) -> Policy {
    let text = format!("q = Queue(99 pkts); out = Port(100); q.procPrio(p1, p2) = ({order});");
    analyse(&text, &Overrides::new()).policy.unwrap()
}

fn packet(rng: &mut Rng, options: &TargetOptions) -> Vec<(PacketField, Fixed)> {
    let field = |field: &PacketField| {
        let bits = options.hardware.bits.of(*field).unwrap_or(1);
        let most = (1_u64 << bits) - 1;
        let value = match rng.random_range(0..6) {
            0 => 0,
            1 => most,
            2 => rng.random_range(0..=most.min(9)),
            _ => rng.random_range(0..=most) >> rng.random_range(0..bits),
        };
        (*field, Fixed::whole(value))
    };
    PacketField::ALL.iter().map(field).collect()
}

fn is_before(before: &Cond, pair: [&[(PacketField, Fixed)]; 2]) -> bool {
    before.holds(&mut |read| {
        let Read::Packet(packet, field) = read else { return Fixed(0) };
        let of = if packet == PacketRef::First { pair[0] } else { pair[1] };
        of.iter().find(|(known, _)| *known == field).unwrap().1
    })
}

#[test]
fn ranks_order_packets_as_the_policy_that_is_run() {
    let mut cut = 0;
    for order in ORDERS {
        for rank_bits in [None, Some(1), Some(7), Some(12), Some(20), Some(40)] {
            let policy = policy(order);
            let options =
                TargetOptions { hardware: Hardware { rank_bits, ..Hardware::default() }, ..TargetOptions::default() };
            let shape = Shape::new(&policy, &options).unwrap_or_else(|refusals| panic!("{refusals:?}"));
            let run = as_run(&policy, &options).unwrap();
            assert_eq!(shape.rankings[0].is_exact(), run == policy);
            assert_eq!(shape.notes().iter().any(|note| note.construct == "queue q, procPrio"), run != policy);
            cut += u32::from(run != policy);
            let mut net = Net::default();
            let id = shape.rankings[0].node(&shape.model, &mut net).unwrap();
            let rng = &mut Seed(3).stream(order);
            for _ in 0..3_000 {
                let pair = [packet(rng, &options), packet(rng, &options)];
                let ranks = [0, 1].map(|place: usize| {
                    let input = |text: &str| {
                        let found = pair[place].iter().find(|(field, _)| {
                            text.ends_with(&format!(".{}", member(*field)))
                                || (text == "now_i" && *field == PacketField::Arrival)
                        });
                        i128::from(found.unwrap().1.0 >> 16)
                    };
                    net.values(&input)[id.0]
                });
                assert!(ranks[0] >= 0 && ranks[0] < 1 << shape.rank_bits, "{order}: {ranks:?}");
                let before = is_before(&run.queues[0].processing.before, [&pair[0], &pair[1]]);
                assert_eq!(ranks[0] < ranks[1], before, "{order}, {rank_bits:?} bits: {ranks:?} of {pair:?}");
            }
        }
    }
    assert!(cut > 15, "{cut} were cut");
}
