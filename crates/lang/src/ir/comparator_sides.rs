//! Finds which object of a comparator an expression reads, and when two expressions are the same.

use super::interval::is_exact;
use super::{Arith, Num, PacketRef, QueueRef, Read};

/// One of the two objects of a comparator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
}

/// The objects that an expression reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    None,
    One(Side),
    Both,
    /// Any other combination.
    Other,
}

/// Returns the objects that a number reads.
pub(super) fn sides(number: &Num) -> Sides {
    let (mut all, mut is_live) = (Sides::None, false);
    number.reads(&mut |read| {
        // A live parameter is the same for both objects.
        if matches!(read, Read::Parameter(_)) {
            is_live = true;
            return;
        }
        all = match (all, side(read)) {
            (Sides::Other, _) | (_, None) => Sides::Other,
            (Sides::None, Some(side)) => Sides::One(side),
            (Sides::One(known), Some(side)) if known == side => Sides::One(side),
            (Sides::One(_) | Sides::Both, Some(_)) => Sides::Both,
        };
    });
    if all == Sides::None && is_live { Sides::Other } else { all }
}

fn side(read: Read) -> Option<Side> {
    match read {
        Read::Packet(PacketRef::First | PacketRef::Head(QueueRef::First), _)
        | Read::Queue(QueueRef::First, _)
        | Read::Next(QueueRef::First, _) => Some(Side::First),
        Read::Packet(PacketRef::Second | PacketRef::Head(QueueRef::Second), _)
        | Read::Queue(QueueRef::Second, _)
        | Read::Next(QueueRef::Second, _) => Some(Side::Second),
        _ => None,
    }
}

/// Returns the number with `This` in place of either object.
pub(super) fn of_this(number: &Num) -> Num {
    let this = |queue: QueueRef| match queue {
        QueueRef::First | QueueRef::Second => QueueRef::This,
        other => other,
    };
    match number {
        Num::Read(Read::Packet(PacketRef::First | PacketRef::Second, field)) => {
            Num::Read(Read::Packet(PacketRef::This, *field))
        }
        Num::Read(Read::Packet(PacketRef::Head(queue), field)) => {
            Num::Read(Read::Packet(PacketRef::Head(this(*queue)), *field))
        }
        Num::Read(Read::Queue(queue, field)) => Num::Read(Read::Queue(this(*queue), *field)),
        Num::Read(Read::Next(queue, field)) => Num::Read(Read::Next(this(*queue), *field)),
        Num::Const(_) | Num::Read(_) => number.clone(),
        Num::Neg(operand) => Num::Neg(Box::new(of_this(operand))),
        Num::Arith(arith, left, right) => Num::Arith(*arith, Box::new(of_this(left)), Box::new(of_this(right))),
    }
}

/// Returns the number with commutative operands in a canonical order.
pub(super) fn sorted(number: &Num) -> Num {
    match number {
        Num::Const(_) | Num::Read(_) => number.clone(),
        Num::Neg(operand) => Num::Neg(Box::new(sorted(operand))),
        Num::Arith(arith, left, right) => {
            let (mut left, mut right) = (sorted(left), sorted(right));
            let any_order = matches!(arith, Arith::Add | Arith::Mul | Arith::Min | Arith::Max);
            if any_order && left.to_string() > right.to_string() {
                std::mem::swap(&mut left, &mut right);
            }
            Num::Arith(*arith, Box::new(left), Box::new(right))
        }
    }
}

/// Returns a simpler number that has the same order, or the reversed one (`true`).
///
/// Removes constants that are added, subtracted or multiplied, where that is exact.
pub(super) fn stripped(number: &Num) -> (Num, bool) {
    let reverse = |operand: &Num, reverse: bool| {
        let (simple, reversed) = stripped(operand);
        (simple, reversed != reverse)
    };
    let (arith, left, right) = match number {
        Num::Neg(operand) if is_exact(number, &|_| None) => return reverse(operand, true),
        Num::Arith(arith, left, right) if is_exact(number, &|_| None) => (*arith, &**left, &**right),
        _ => return (number.clone(), false),
    };
    match (arith, left, right) {
        (Arith::Add, Num::Const(_), other) | (Arith::Add | Arith::Sub, other, Num::Const(_)) => reverse(other, false),
        (Arith::Sub, Num::Const(_), other) => reverse(other, true),
        (Arith::Mul, Num::Const(factor), other) | (Arith::Mul, other, Num::Const(factor)) if *factor.numer() != 0 => {
            reverse(other, *factor.numer() < 0)
        }
        _ => (number.clone(), false),
    }
}
