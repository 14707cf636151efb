//! Cases that never act, and cases that overlap.

use crate::objects::*;
use forebay_core::BufferSize;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    Arith, Case, Cond, Condition, Finding, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation, findings,
    sized,
};
use rand::RngExt as _;

const OCCUPANCY: Read = Read::Queue(QueueRef::This, QueueField::CurrSize);
const SIZE: Read = Read::Queue(QueueRef::This, QueueField::Size);

fn condition(cases: &[Cond]) -> Condition {
    let cases = cases.iter().map(|when| Case { when: when.clone(), actions: Vec::new() }).collect();
    Condition { name: "test".into(), cases }
}

fn held(relation: Relation, than: Num) -> Cond {
    compare(Num::Read(OCCUPANCY), relation, than)
}

fn of_size(numerator: i128, denominator: i128) -> Num {
    arith(Arith::Mul, number(numerator, denominator), Num::Read(SIZE))
}

fn shown(cases: &[Cond]) -> String {
    let known = sized(BufferSize::Packets(100));
    let texts = findings(&condition(cases), &known).into_iter().map(|finding| match finding {
        Finding::Never { case } => format!("{case} never"),
        Finding::Hidden { case, by } => format!("{case} hidden by {by:?}"),
        Finding::Overlap { case, earlier, number, least, greatest } => {
            format!("{case} overlaps {earlier} for {number} from {least} to {greatest}")
        }
    });
    texts.collect::<Vec<_>>().join("; ")
}

#[test]
fn cases_that_never_act_are_found_and_others_are_not() {
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let value = field(PacketRef::Arriving, PacketField::Value);
    let class = field(PacketRef::Arriving, PacketField::Class);
    let buffered = Num::Read(BUFFERED);
    let anything = Cond::Const(true);
    for (cases, expected) in [
        (vec![Cond::Const(false)], "0 never"),
        (vec![and(held(Greater, Num::Read(SIZE)), held(Less, whole(3)))], "0 never"),
        (vec![and(held(Greater, whole(3)), held(Less, whole(4)))], "0 never"),
        (vec![held(Less, whole(0))], "0 never"),
        (vec![held(Equal, number(1, 2))], "0 never"),
        (vec![compare(class.clone(), Greater, whole(255))], "0 never"),
        (vec![not(or(held(LessEqual, whole(3)), held(Greater, whole(3))))], "0 never"),
        (
            vec![and(
                compare(Num::Read(OCCUPANCY), Greater, buffered.clone()),
                compare(buffered.clone(), Greater, Num::Read(OCCUPANCY)),
            )],
            "0 never",
        ),
        (vec![anything.clone(), held(Greater, whole(3))], "1 hidden by [0]"),
        (vec![held(GreaterEqual, of_size(3, 4)), held(GreaterEqual, of_size(9, 10))], "1 hidden by [0]"),
        (vec![held(GreaterEqual, of_size(9, 10)), held(GreaterEqual, of_size(3, 4))], ""),
        (vec![held(Greater, whole(3)), held(LessEqual, whole(3)), anything.clone()], "2 hidden by [0, 1]"),
        (
            vec![held(Greater, whole(3)), held(Less, whole(9)), anything.clone()],
            "1 overlaps 0 for q.currSize from 4 to 8; 2 hidden by [0, 1]",
        ),
        (vec![held(NotEqual, whole(5)), held(Equal, whole(5)), anything.clone()], "2 hidden by [0, 1]"),
        (
            vec![
                and(held(GreaterEqual, whole(10)), held(LessEqual, whole(20))),
                and(held(GreaterEqual, whole(20)), held(LessEqual, whole(30))),
            ],
            "1 overlaps 0 for q.currSize from 20 to 20",
        ),
        // Stairs: less is dropped of what is worth more.
        (
            vec![
                and(held(Greater, whole(50)), compare(value.clone(), Less, whole(3))),
                and(held(Greater, whole(80)), compare(value.clone(), Less, whole(9))),
            ],
            "",
        ),
        (vec![held(Greater, whole(50)), compare(value, Less, whole(3))], ""),
        (
            vec![
                held(Greater, of_size(1, 2)),
                compare(Num::Read(OCCUPANCY), Greater, arith(Arith::Mul, whole(2), buffered)),
            ],
            "",
        ),
        (
            vec![
                compare(arith(Arith::Sub, Num::Read(SIZE), Num::Read(OCCUPANCY)), Less, whole(10)),
                held(Greater, whole(90)),
            ],
            "1 hidden by [0]",
        ),
        (
            vec![
                compare(
                    arith(Arith::Add, Num::Read(OCCUPANCY), field(PacketRef::Arriving, PacketField::Size)),
                    Greater,
                    whole(5),
                ),
                compare(
                    arith(Arith::Mul, whole(2), field(PacketRef::Arriving, PacketField::Size)),
                    Greater,
                    arith(Arith::Sub, whole(20), arith(Arith::Mul, Num::Read(OCCUPANCY), whole(2))),
                ),
            ],
            "1 hidden by [0]",
        ),
    ] {
        let text: Vec<String> = cases.iter().map(Cond::to_string).collect();
        assert_eq!(shown(&cases), expected, "{text:?}");
    }
}

/// A bound such as people write.
fn bound(rng: &mut Rng) -> Cond {
    let relation = pick(Relation::ALL, rng);
    let read = pick(
        &[
            OCCUPANCY,
            OCCUPANCY,
            BUFFERED,
            Read::Packet(PacketRef::Arriving, PacketField::Class),
            Read::Queue(QueueRef::This, QueueField::AdmState),
        ],
        rng,
    );
    let limit = match rng.random_range(0..6) {
        0 => of_size(rng.random_range(0..5), 4),
        1 => number(rng.random_range(-1..9), 3),
        2 => Num::Read(BUFFERED),
        _ => whole(rng.random_range(-1..4)),
    };
    let read = match rng.random_range(0..5) {
        0 => arith(pick(&[Arith::Sub, Arith::Add], rng), Num::Read(read), Num::Read(OCCUPANCY)),
        1 => arith(Arith::Mul, whole(rng.random_range(-2..3)), Num::Read(read)),
        _ => Num::Read(read),
    };
    if rng.random_range(0..2) == 0 { compare(read, relation, limit) } else { compare(limit, relation, read) }
}

fn bounds(levels: u32, rng: &mut Rng) -> Cond {
    match rng.random_range(0..if levels == 0 { 1 } else { 4 }) {
        0 => bound(rng),
        1 => not(bounds(levels - 1, rng)),
        2 => and(bounds(levels - 1, rng), bounds(levels - 1, rng)),
        _ => or(bounds(levels - 1, rng), bounds(levels - 1, rng)),
    }
}

#[test]
fn a_case_that_is_said_to_be_idle_never_acts() {
    let mut rng = Seed(1).stream("cases");
    let (mut never, mut hidden, mut overlapping) = (0, 0, 0);
    let mut reads = reads_of(PacketRef::Arriving, QueueRef::This);
    reads.push(BUFFERED);
    for round in 0..4_000 {
        let size = rng.random_range(0..4);
        let known = sized(BufferSize::Bytes(size));
        let one = |rng: &mut Rng| if round % 4 == 0 { random_cond(&reads, 2, rng) } else { bounds(2, rng) };
        let cases: Vec<Cond> = (0..rng.random_range(1..5)).map(|_| one(&mut rng)).collect();
        let found = findings(&condition(&cases), &known);
        for _ in 0..if found.is_empty() { 0 } else { 60 } {
            let mut world = World::new(pick(&[Draw::Small, Draw::Small, Draw::Ends, Draw::Any], &mut rng));
            let mut read = |read| if read == SIZE { Fixed::whole(size) } else { world.read(read, &mut rng) };
            for finding in &found {
                match finding {
                    Finding::Never { case } => assert!(!cases[*case].holds(&mut read), "{}", cases[*case]),
                    Finding::Hidden { case, by } => {
                        let earlier = by.iter().any(|other| cases[*other].holds(&mut read));
                        assert!(earlier || !cases[*case].holds(&mut read), "{} by {by:?} in {cases:?}", cases[*case]);
                    }
                    Finding::Overlap { case, earlier, .. } => assert!(earlier < case),
                }
            }
        }
        for finding in found {
            match finding {
                Finding::Never { .. } => never += 1,
                Finding::Hidden { .. } => hidden += 1,
                Finding::Overlap { .. } => overlapping += 1,
            }
        }
    }
    assert!(never > 300 && hidden > 300 && overlapping > 0, "{never} {hidden} {overlapping}");
}
