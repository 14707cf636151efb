//! How much a queue holds.

use crate::objects::*;
use forebay_core::BufferSize;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    Action, Arith, Case, Cond, Condition, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation,
    holds_at_most,
};
use rand::RngExt as _;

const OCCUPANCY: Read = Read::Queue(QueueRef::This, QueueField::CurrSize);
const SIZE: Read = Read::Queue(QueueRef::This, QueueField::Size);
const VALUE: Read = Read::Packet(PacketRef::Arriving, PacketField::Value);

fn held(relation: Relation, percent: i128) -> Cond {
    compare(Num::Read(OCCUPANCY), relation, arith(Arith::Mul, number(percent, 100), Num::Read(SIZE)))
}

fn condition(cases: &[(Cond, Num)]) -> Condition {
    let cases = cases.iter().map(|(when, drop)| Case { when: when.clone(), actions: vec![Action::Drop(drop.clone())] });
    Condition { name: "test".into(), cases: cases.collect() }
}

#[test]
fn a_queue_holds_what_its_condition_leaves() {
    use Relation::{Greater, GreaterEqual};
    let sure = || whole(1);
    let worthless = || compare(Num::Read(VALUE), Relation::Less, whole(3));
    let (nine, nine_or_more, half) = (held(Greater, 90), held(GreaterEqual, 90), held(Greater, 50));
    for (cases, packets, bytes) in [
        (vec![], 1000, 1000),
        (vec![(held(Greater, 100), sure())], 1000, 1000),
        (vec![(held(GreaterEqual, 100), sure())], 999, 999),
        (vec![(held(GreaterEqual, 95), sure())], 949, 949),
        (vec![(nine_or_more.clone(), number(1, 2))], 1000, 1000),
        (vec![(nine_or_more.clone(), whole(2)), (half.clone(), number(1, 10))], 899, 899),
        // A large packet comes from below a half to above 90 %; what is dropped then may leave more than a half.
        (vec![(nine.clone(), sure()), (half.clone(), sure())], 500, 900),
        (vec![(worthless(), number(1, 2)), (half.clone(), sure())], 1000, 1000),
        (vec![(and(half.clone(), worthless()), sure())], 1000, 1000),
        (vec![(or(nine.clone(), and(half, worthless())), sure())], 900, 900),
        (vec![(Cond::Const(true), sure())], 0, 1000),
        (vec![(held(GreaterEqual, 0), sure())], 0, 0),
        // Above the size, one victim leaves; that can leave just the size.
        (vec![(held(Relation::Equal, 100), sure()), (Cond::Const(true), sure())], 0, 1000),
        (vec![(and(held(Greater, 90), held(Relation::LessEqual, 95)), sure())], 900, 1000),
    ] {
        let text: Vec<String> = cases.iter().map(|(when, drop)| format!("{when}, drop({drop})")).collect();
        let condition = condition(&cases);
        assert_eq!(holds_at_most(&condition, BufferSize::Packets(1000)), packets, "{text:?}");
        assert_eq!(holds_at_most(&condition, BufferSize::Bytes(1000)), bytes, "{text:?}");
    }
}

/// The occupancy after random arrivals that the condition judges (section 6).
fn most_held(condition: &Condition, size: BufferSize, rng: &mut Rng) -> u64 {
    let (BufferSize::Packets(limit) | BufferSize::Bytes(limit)) = size;
    let mut packets: Vec<u64> = Vec::new();
    let mut most = 0;
    for _ in 0..60 {
        let bytes = if matches!(size, BufferSize::Packets(_)) { 1 } else { rng.random_range(1..7) };
        packets.push(bytes);
        let value = Fixed::whole(rng.random_range(0..5));
        let reads = |read, packets: &[u64]| match read {
            OCCUPANCY => Fixed::whole(packets.iter().sum()),
            SIZE => Fixed::whole(limit),
            _ => value,
        };
        let case = condition.cases.iter().find(|case| case.when.holds(&mut |read| reads(read, &packets)));
        let probability = case.map(|case| match &case.actions[..] {
            [Action::Drop(probability)] => Fixed::floor(probability.value(&mut |read| reads(read, &packets))),
            _ => unreachable!(),
        });
        if let Some((case, probability)) = case.zip(probability)
            && (probability >= Fixed::whole(1) || probability > Fixed(0) && rng.random_range(0..2) == 0)
        {
            packets.swap_remove(rng.random_range(0..packets.len()));
            let lifted = probability >= Fixed::whole(1) && case.can_be_lifted();
            while lifted && !packets.is_empty() && case.when.holds(&mut |read| reads(read, &packets)) {
                packets.swap_remove(rng.random_range(0..packets.len()));
            }
        }
        while packets.iter().sum::<u64>() > limit {
            packets.pop();
        }
        most = most.max(packets.iter().sum());
        if rng.random_range(0..6) == 0 {
            packets.truncate(packets.len() / 2);
        }
    }
    most
}

#[test]
fn no_arrivals_lead_to_more() {
    let mut rng = Seed(1).stream("occupancy");
    let mut tight = 0;
    for round in 0..3_000 {
        let mut one = || {
            let relation = pick(Relation::ALL, &mut rng);
            let mut when = held(relation, rng.random_range(0..5) * 25);
            if rng.random_range(0..3) == 0 {
                let value = compare(Num::Read(VALUE), pick(Relation::ALL, &mut rng), whole(rng.random_range(0..4)));
                when = match rng.random_range(0..4) {
                    0 => and(when, value),
                    1 => or(value, when),
                    2 => value,
                    _ => Cond::Const(true),
                };
            }
            (when, pick(&[whole(1), whole(1), number(1, 2)], &mut rng))
        };
        let cases: Vec<(Cond, Num)> = (0..1 + round % 3).map(|_| one()).collect();
        let condition = condition(&cases);
        let limit = rng.random_range(1..12);
        for size in [BufferSize::Packets(limit), BufferSize::Bytes(limit)] {
            let bound = holds_at_most(&condition, size);
            let most = (0..4).map(|_| most_held(&condition, size, &mut rng)).max().unwrap();
            assert!(most <= bound && bound <= limit, "{most} > {bound}: {cases:?} {size:?}");
            tight += usize::from(most == bound);
        }
    }
    assert!(tight > 5_000, "{tight}");
}
