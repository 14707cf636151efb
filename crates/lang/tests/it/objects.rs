//! Random objects and expressions, and a way to write expressions down, for the tests of the IR.

use forebay_lang::Fixed;
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Arith, BufferField, BufferRef, Cond, Interval, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation,
};
use rand::RngExt as _;

pub(crate) use forebay_core::{Rng, Seed};

/// What a random object has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Draw {
    /// One of a few small numbers.
    Small,
    /// A number near the ends of what it can be.
    Ends,
    /// Anything.
    Any,
}

/// The value of a property.
pub(crate) fn value_of(read: Read, draw: Draw, rng: &mut Rng) -> Fixed {
    let all = Interval::of_read(read);
    let unit = if all.whole { 65_536 } else { 1 };
    let units = match draw {
        Draw::Small if all.whole || rng.random_range(0..4) > 0 => rng.random_range(0..4) * 65_536,
        Draw::Small => rng.random_range(0..4),
        Draw::Ends if rng.random_range(0..2) == 0 => all.least.0 + rng.random_range(0..3) * unit,
        Draw::Ends => all.greatest.0 - rng.random_range(0..3) * unit,
        Draw::Any => rng.random_range(all.least.0 / unit..=all.greatest.0 / unit) * unit,
    };
    Fixed(units.clamp(all.least.0, all.greatest.0))
}

/// Values of properties, drawn when they are read first.
pub(crate) struct World {
    draw: Draw,
    known: Vec<(Read, Fixed)>,
}

impl World {
    pub(crate) fn new(draw: Draw) -> Self {
        Self { draw, known: Vec::new() }
    }

    pub(crate) fn read(&mut self, read: Read, rng: &mut Rng) -> Fixed {
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == read) {
            return *value;
        }
        let value = value_of(read, self.draw, rng);
        self.known.push((read, value));
        value
    }
}

/// The same number of another object, from that of `This`.
pub(crate) fn of(number: &Num, packet: PacketRef, queue: QueueRef) -> Num {
    match number {
        Num::Const(_) => number.clone(),
        Num::Read(Read::Packet(PacketRef::This, field)) => Num::Read(Read::Packet(packet, *field)),
        Num::Read(Read::Packet(PacketRef::Head(_), field)) => Num::Read(Read::Packet(PacketRef::Head(queue), *field)),
        Num::Read(Read::Queue(_, field)) => Num::Read(Read::Queue(queue, *field)),
        Num::Read(_) => number.clone(),
        Num::Neg(operand) => Num::Neg(Box::new(of(operand, packet, queue))),
        Num::Arith(arith, left, right) => {
            Num::Arith(*arith, Box::new(of(left, packet, queue)), Box::new(of(right, packet, queue)))
        }
    }
}

pub(crate) fn first(number: &Num) -> Num {
    of(number, PacketRef::First, QueueRef::First)
}

pub(crate) fn second(number: &Num) -> Num {
    of(number, PacketRef::Second, QueueRef::Second)
}

pub(crate) fn number(numerator: i128, denominator: i128) -> Num {
    Num::Const(Ratio::new(numerator, denominator))
}

pub(crate) fn whole(number: i128) -> Num {
    Num::Const(Ratio::from_integer(number))
}

pub(crate) fn field(packet: PacketRef, field: PacketField) -> Num {
    Num::Read(Read::Packet(packet, field))
}

pub(crate) fn arith(arith: Arith, left: Num, right: Num) -> Num {
    Num::Arith(arith, Box::new(left), Box::new(right))
}

pub(crate) fn compare(left: Num, relation: Relation, right: Num) -> Cond {
    Cond::Compare(relation, left, right)
}

pub(crate) fn and(left: Cond, right: Cond) -> Cond {
    Cond::And(Box::new(left), Box::new(right))
}

pub(crate) fn or(left: Cond, right: Cond) -> Cond {
    Cond::Or(Box::new(left), Box::new(right))
}

pub(crate) fn not(operand: Cond) -> Cond {
    Cond::Not(Box::new(operand))
}

pub(crate) fn pick<T: Clone>(all: &[T], rng: &mut Rng) -> T {
    all[rng.random_range(0..all.len())].clone()
}

/// A constant such as policies have, or at times one that is hard on the rules of rounding.
pub(crate) fn random_constant(rng: &mut Rng) -> Num {
    match rng.random_range(0..8) {
        0 => number(rng.random_range(-9..10), rng.random_range(1..8)),
        1 => number(rng.random_range(-5..6), 1_000_000),
        2 => number(1 << 47, 1),
        3 => number((1 << 31) + rng.random_range(-2..3), 1),
        _ => whole(rng.random_range(-3..4)),
    }
}

/// A number from `reads`, of at most so many levels.
pub(crate) fn random_number(reads: &[Read], levels: u32, rng: &mut Rng) -> Num {
    match rng.random_range(0..if levels == 0 { 4 } else { 10 }) {
        0 => random_constant(rng),
        1..4 => Num::Read(pick(reads, rng)),
        4 => Num::Neg(Box::new(random_number(reads, levels - 1, rng))),
        _ => {
            let left = random_number(reads, levels - 1, rng);
            arith(pick(Arith::ALL, rng), left, random_number(reads, levels - 1, rng))
        }
    }
}

/// A truth value from `reads`, of at most so many levels.
pub(crate) fn random_cond(reads: &[Read], levels: u32, rng: &mut Rng) -> Cond {
    match rng.random_range(0..if levels == 0 { 5 } else { 12 }) {
        0 if rng.random_range(0..4) == 0 => Cond::Const(rng.random_range(0..2) == 0),
        0..5 => {
            let left = random_number(reads, 1, rng);
            compare(left, pick(Relation::ALL, rng), random_number(reads, 1, rng))
        }
        5 => not(random_cond(reads, levels - 1, rng)),
        6..9 => and(random_cond(reads, levels - 1, rng), random_cond(reads, levels - 1, rng)),
        _ => or(random_cond(reads, levels - 1, rng), random_cond(reads, levels - 1, rng)),
    }
}

/// Everything that a comparator of queues or a condition might read of an object.
pub(crate) fn reads_of(packet: PacketRef, queue: QueueRef) -> Vec<Read> {
    let fields = PacketField::ALL.iter().map(|field| Read::Packet(packet, *field));
    fields.chain(QueueField::ALL.iter().map(|field| Read::Queue(queue, *field))).collect()
}

/// The occupancy of the buffer.
pub(crate) const BUFFERED: Read = Read::Buffer(BufferRef::This, BufferField::CurrSize);
