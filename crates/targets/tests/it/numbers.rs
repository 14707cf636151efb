//! Operations on numbers give the same in C, with random and extreme operands and constants.

use crate::build::*;
use crate::program::can_compile;
use crate::same::same;
use crate::traffic::Operation;
use forebay_core::{Duration, Packet, QueueId, Rng, Seed, Time};
use forebay_engine::Reference;
use forebay_lang::Ratio;
use forebay_lang::ir::{Arith, Num, PacketField, QueueField, QueueRef, Relation, State};
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
    let numerator = match rng.random_range(0..6) {
        0 => most,
        1 => 1,
        2 => rng.random_range(0..=20),
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
    let policy = one_port(queues);
    let mut operations = Vec::new();
    for id in 0..24_000 {
        let now = Time::from_ns(id);
        let packet = Packet {
            id,
            arrival: now,
            queue: QueueId(rng.random_range(0..EXPRESSIONS)),
            rank: any_size(&mut rng) >> rng.random_range(0..20),
            remaining_bytes: any_size(&mut rng),
            value: u32::try_from(any_size(&mut rng) >> 32).unwrap(),
            size_bytes: 100,
            processing: Duration::ZERO,
            ..Packet::default()
        };
        operations.push(Operation::Enqueue(now, packet));
        if id % 40 == 39 {
            operations.push(Operation::State);
        }
    }
    same(Reference::new, &policy, &operations, "numbers");
}
