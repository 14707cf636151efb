//! Operations on numbers give the same in C, with random and extreme operands and constants.

use crate::build::*;
use crate::program::can_compile;
use crate::same::same;
use crate::traffic::Operation;
use forebay_core::{Packet, QueueId, Rng, Seed};
use forebay_engine::Reference;
use forebay_lang::Ratio;
use forebay_lang::ir::{Arith, Num, PacketField, Queue, QueueField, QueueRef, Relation, State};
use rand::RngExt;

/// Expressions in one policy: one for each queue.
const EXPRESSIONS: u16 = 120;

/// A number of any size, each about as likely.
fn any_size(rng: &mut Rng) -> u64 {
    match rng.random_range(0..12) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << rng.random_range(0..64),
        3 => (1 << rng.random_range(0..64)) - 1,
        _ => rng.random_range(0..=u64::MAX) >> rng.random_range(0..64),
    }
}

/// A constant: below 2^47 in size, with a denominator of at most 1,000,000.
fn constant(rng: &mut Rng) -> Num {
    let denominator = match rng.random_range(0..4) {
        0 => 1,
        1 => 1 << rng.random_range(0..20),
        2 => 1_000_000,
        _ => rng.random_range(1..=1_000_000),
    };
    let most = (1_i128 << 47) * denominator - 1;
    let numerator = match rng.random_range(0..8) {
        0 => most,
        1 => 1,
        2 => rng.random_range(0..=20),
        3 | 4 => rng.random_range(0..8 * denominator),
        _ => most >> rng.random_range(0..67),
    };
    fraction(if rng.random_bool(0.4) { -numerator } else { numerator }, denominator)
}

fn operand(rng: &mut Rng, depth: u32) -> Num {
    match rng.random_range(0..8) {
        0 | 1 => constant(rng),
        2 | 3 if depth > 0 => expression(rng, depth - 1),
        4 => Num::Neg(Box::new(operand(rng, depth))),
        5 => this_queue(QueueField::AdmState),
        6 => this_queue(QueueField::SchedState),
        _ => arriving([PacketField::Rank, PacketField::Remaining, PacketField::Value][rng.random_range(0..3_usize)]),
    }
}

fn expression(rng: &mut Rng, depth: u32) -> Num {
    let operation = Arith::ALL[rng.random_range(0..Arith::ALL.len())];
    arith(operation, operand(rng, depth), operand(rng, depth))
}

#[test]
fn numbers_are_the_same_as_c() {
    if !can_compile() {
        return;
    }
    let mut rng = Seed(1).stream("numbers");
    let (adm, sched) = (State::QueueAdm(QueueRef::This), State::QueueSched(QueueRef::This));
    let queues: Vec<_> = (0..EXPRESSIONS)
        .map(|id| {
            let mut made = queue(&format!("q{id}"), packets(2));
            made.adm_state = Ratio::new(rng.random_range(-9..9), 7);
            let set = modify(adm, expression(&mut rng, 1));
            let relation = Relation::ALL[rng.random_range(0..Relation::ALL.len())];
            let when = compare(relation, operand(&mut rng, 1), operand(&mut rng, 1));
            let other = modify(sched, expression(&mut rng, 1));
            made.congestion = condition(&[case(when, &[set.clone(), other]), case(always(), &[set])]);
            made
        })
        .collect();
    let packet = |rng: &mut Rng, id| Packet {
        queue: QueueId(rng.random_range(0..EXPRESSIONS)),
        rank: any_size(rng) >> rng.random_range(0..20),
        remaining_bytes: any_size(rng),
        value: u32::try_from(any_size(rng) >> 32).unwrap(),
        ..arrives(id)
    };
    compare_all(queues, (0..24_000).map(|id| packet(&mut rng, id)).collect(), 40);
}

/// Offers the packets, and looks at the states after every so many.
fn compare_all(queues: Vec<Queue>, packets: Vec<Packet>, every: usize) {
    let mut operations = Vec::new();
    for (place, packet) in packets.into_iter().enumerate() {
        operations.push(Operation::Enqueue(packet.arrival, packet));
        if place % every == every - 1 {
            operations.push(Operation::State);
        }
    }
    same(Reference::new, &one_port(queues), &operations, "numbers");
}

/// Every operation with constants and numbers at the ends of what is exact, rounded and cut.
#[test]
fn constants_at_their_limits_are_the_same_as_c() {
    if !can_compile() {
        return;
    }
    let greatest = fraction((1 << 47) * 1_000_000 - 1, 1_000_000);
    let mut constants = vec![greatest, fraction((1 << 47) * 3 - 1, 3), number((1 << 47) - 1)];
    constants.extend(
        [(7, 3), (1, 3), (2, 3), (1, 1_000_000), (999_999, 1_000_000), (5, 2), (1 << 40, 7)]
            .map(|(numerator, denominator)| fraction(numerator, denominator)),
    );
    let constants: Vec<Num> =
        constants.into_iter().flat_map(|constant| [constant.clone(), negative(constant)]).collect();
    // Whole numbers and units.
    let units = arith(Arith::Div, arriving(PacketField::Remaining), number(65_536));
    let value = arith(Arith::Add, arriving(PacketField::Rank), units);
    let mut queues = Vec::new();
    for constant in &constants {
        for operation in Arith::ALL {
            for swapped in [false, true] {
                let result = |value: Num| {
                    let (left, right) = if swapped { (constant.clone(), value) } else { (value, constant.clone()) };
                    arith(*operation, left, right)
                };
                let mut made = queue(&format!("q{}", queues.len()), packets(1));
                let adm = modify(State::QueueAdm(QueueRef::This), result(value.clone()));
                let minus = Num::Neg(Box::new(value.clone()));
                let sched = modify(State::QueueSched(QueueRef::This), result(minus));
                made.congestion = condition(&[case(always(), &[adm, sched])]);
                queues.push(made);
            }
        }
    }
    let wholes = [0, 1, 2, 3, 1_000, (1 << 31) + 1, 1 << 40, (1 << 46) + 12_345, (1 << 47) - 1, u64::MAX];
    let values = wholes.into_iter().flat_map(|whole| [0, 1, 21_845, 65_535].map(|units| (whole, units)));
    let packets: Vec<Packet> = values
        .flat_map(|(rank, remaining_bytes)| {
            let to = |queue| Packet { queue: QueueId(queue), rank, remaining_bytes, ..arrives(0) };
            (0..).take(queues.len()).map(to).collect::<Vec<_>>()
        })
        .collect();
    let every = queues.len();
    compare_all(queues, packets, every);
}

fn negative(constant: Num) -> Num {
    match constant {
        Num::Const(constant) => Num::Const(-constant),
        other => other,
    }
}
