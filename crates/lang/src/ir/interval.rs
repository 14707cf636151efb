//! The bounds of a number, from the ranges of properties.
//!
//! This costs one pass over the expression. The bounds are safe, not always tight: two reads of one property count as independent.

use super::{Arith, BufferField, NextField, Num, PacketField, PortField, QueueField, Read, Relation};
use crate::number::{Fixed, Ratio};
use forebay_core::Packet;
use std::cmp::Ordering;

/// The numbers from `least` to `greatest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound. A constant that is no [`Fixed`] is rounded down here and up in `greatest`, and clamped to the range.
    pub least: Fixed,
    /// The upper bound.
    pub greatest: Fixed,
    /// Whether all numbers are whole.
    pub whole: bool,
}

impl Interval {
    /// All numbers.
    pub const ALL: Self = Self { least: Fixed(i64::MIN), greatest: Fixed(i64::MAX), whole: false };

    /// Returns the whole numbers from 0 to `greatest`.
    ///
    /// If `greatest` is clamped at the end of the range, that end is not whole.
    #[must_use]
    pub fn up_to(greatest: u64) -> Self {
        let whole = greatest < 1 << (63 - Fixed::FRACTION_BITS);
        Self { least: Fixed(0), greatest: Fixed::whole(greatest), whole }
    }

    /// Returns all values that a property can have in any policy.
    ///
    /// An occupancy is whole, and less than 2^46: more bytes than any memory has.
    #[must_use]
    pub fn of_read(read: Read) -> Self {
        const OCCUPANCY: u64 = (1 << 46) - 1;
        let not_negative = Self::up_to(u64::MAX);
        match read {
            Read::Packet(_, field) => match field {
                PacketField::PolicyId | PacketField::Value | PacketField::Flow => Self::up_to(u32::MAX.into()),
                PacketField::Queue => Self::up_to(u16::MAX.into()),
                PacketField::Class => Self::up_to(u8::MAX.into()),
                PacketField::Marked | PacketField::Notified => Self::up_to(1),
                PacketField::Size => Self::up_to(Packet::MAX_BYTES.into()),
                PacketField::Processing | PacketField::Slack | PacketField::Arrival => not_negative,
                PacketField::Remaining | PacketField::Rank => not_negative,
            },
            Read::Queue(_, QueueField::CurrSize)
            | Read::Next(_, NextField::CurrSize)
            | Read::Buffer(_, BufferField::CurrSize) => Self::up_to(OCCUPANCY),
            Read::Queue(_, QueueField::Size | QueueField::CurrProcessing)
            | Read::Next(_, NextField::Size)
            | Read::Buffer(_, BufferField::Size) => not_negative,
            Read::Port(_, PortField::Rate) | Read::Now => not_negative,
            Read::Queue(_, QueueField::AdmState | QueueField::SchedState)
            | Read::Next(_, NextField::AdmState | NextField::SchedState)
            | Read::Port(_, PortField::SchedState)
            | Read::Buffer(_, BufferField::AdmState)
            | Read::Parameter(_) => Self::ALL,
        }
    }

    /// Returns the only number of the interval, if there is only one.
    #[must_use]
    pub fn only(self) -> Option<Fixed> {
        (self.least == self.greatest).then_some(self.least)
    }
}

/// Returns the interval of a number; see [`Interval::of_read`].
#[must_use]
pub fn interval(number: &Num) -> Interval {
    interval_where(number, &|_| None)
}

/// Returns the interval of a number, where `known` bounds some properties, such as the size of a queue.
#[must_use]
pub fn interval_where(number: &Num, known: &dyn Fn(Read) -> Option<Interval>) -> Interval {
    Bounds::of(number, known).outside()
}

/// Whether the last operation of `number` is exact: neither rounded nor clamped.
///
/// Holds for sums whose operands are multiples of 1/65,536, and for products with a whole number.
pub(super) fn is_exact(number: &Num, known: &dyn Fn(Read) -> Option<Interval>) -> bool {
    let (arith, left, right) = match number {
        Num::Const(_) | Num::Read(_) => return true,
        Num::Neg(operand) => (Arith::Sub, &Num::Const(Ratio::ZERO), &**operand),
        Num::Arith(arith, left, right) => (*arith, &**left, &**right),
    };
    let [low, high] = [left, right].map(|operand| Bounds::of(operand, known));
    let kept = match arith {
        Arith::Add | Arith::Sub | Arith::Min | Arith::Max => runs(left) && runs(right),
        Arith::Mul => (low.whole && runs(right)) || (runs(left) && high.whole),
        Arith::Div | Arith::Mod => false,
    };
    let (least, greatest) = low.exact(arith, high);
    kept && least >= Fixed(i64::MIN).exact() && greatest <= Fixed(i64::MAX).exact()
}

/// Whether the number is always a multiple of 1/65,536.
pub(super) fn runs(number: &Num) -> bool {
    !matches!(number, Num::Const(constant) if Fixed::UNITS % constant.denom() != 0)
}

/// Returns whether a relation holds, if the intervals of its operands decide it.
pub(super) fn decided(
    relation: Relation,
    left: &Num,
    right: &Num,
    known: &dyn Fn(Read) -> Option<Interval>,
) -> Option<bool> {
    let (low, high) = (Bounds::of(left, known), Bounds::of(right, known));
    let possible = [
        (Ordering::Less, low.least < high.greatest),
        (Ordering::Greater, low.greatest > high.least),
        (Ordering::Equal, low.least <= high.greatest && low.greatest >= high.least),
    ];
    let possible = possible.into_iter().filter(|(_, possible)| *possible);
    let mut truths = possible.map(|(order, _)| relation.holds(order, Ordering::Equal));
    let first = truths.next()?;
    truths.all(|truth| truth == first).then_some(first)
}

/// An interval of exact numbers.
#[derive(Clone, Copy)]
struct Bounds {
    least: Ratio,
    greatest: Ratio,
    whole: bool,
}

impl Bounds {
    const ZERO: Self = Self { least: Ratio::ZERO, greatest: Ratio::ZERO, whole: true };

    /// The largest numerator of a factor: products of larger ones might not fit.
    const LARGEST_NUMERATOR: u128 = 1 << 62;

    fn of(number: &Num, known: &dyn Fn(Read) -> Option<Interval>) -> Self {
        match number {
            Num::Const(constant) if constant.numer().unsigned_abs() <= Self::LARGEST_NUMERATOR => {
                Self { least: *constant, greatest: *constant, whole: constant.is_integer() }
            }
            Num::Const(constant) => {
                Self { least: constant.floor(), greatest: constant.ceil(), whole: constant.is_integer() }
            }
            Num::Read(read) => {
                let all = known(*read).unwrap_or_else(|| Interval::of_read(*read));
                Self::new(all.least, all.greatest, all.whole)
            }
            Num::Neg(operand) => Self::ZERO.then(Arith::Sub, Self::of(operand, known)),
            Num::Arith(arith, left, right) => Self::of(left, known).then(*arith, Self::of(right, known)),
        }
    }

    fn new(least: Fixed, greatest: Fixed, whole: bool) -> Self {
        Self { least: least.exact(), greatest: greatest.exact(), whole }
    }

    /// Returns the bounds of the result before it is rounded and clamped.
    fn exact(self, arith: Arith, right: Self) -> (Ratio, Ratio) {
        let zero = Ratio::from_integer(0);
        let corners = |low: Ratio, high: Ratio| {
            [(self.least, low), (self.least, high), (self.greatest, low), (self.greatest, high)]
                .map(|(left, right)| arith.exact(left, right))
        };
        let all: Vec<Ratio> = match arith {
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Min | Arith::Max => {
                corners(right.least, right.greatest).into()
            }
            Arith::Mod => self.remainders(right).into(),
            Arith::Div => {
                // The divisor next to 0 is one step from it; a constant is its own bound.
                let unit = if right.whole { Ratio::ONE } else { Fixed(1).exact() };
                let mut all = Vec::new();
                if right.least <= zero && right.greatest >= zero {
                    all.push(zero);
                }
                if right.greatest > zero {
                    all.extend(corners(if right.least > zero { right.least } else { unit }, right.greatest));
                }
                if right.least < zero {
                    all.extend(corners(right.least, if right.greatest < zero { right.greatest } else { -unit }));
                }
                all
            }
        };
        let first = all.first().copied().unwrap_or(zero);
        all.iter().fold((first, first), |(least, greatest), number| (least.min(*number), greatest.max(*number)))
    }

    /// Returns the bounds of `mod(a, b)`: it has the sign of `b`, is smaller than `b` in absolute value, and is `a` if `a` already
    /// satisfies both.
    fn remainders(self, right: Self) -> [Ratio; 2] {
        let zero = Ratio::from_integer(0);
        if self.least >= zero && self.greatest < right.least {
            return [self.least, self.greatest];
        }
        let step = Ratio::from_integer(i128::from(self.whole && right.whole));
        let most = if right.greatest > zero { right.greatest - step } else { zero };
        let least = if right.least < zero { right.least + step } else { zero };
        if self.least >= zero { [least, most.min(self.greatest)] } else { [least, most] }
    }

    fn then(self, arith: Arith, right: Self) -> Self {
        let (least, greatest) = self.exact(arith, right);
        let whole = self.whole && right.whole && arith != Arith::Div;
        let cut = greatest > Fixed(i64::MAX).exact();
        Self::new(Fixed::floor(least), Fixed::floor(greatest), whole && !cut)
    }

    fn outside(self) -> Interval {
        let above = Fixed::floor(self.greatest);
        let greatest = if above.exact() < self.greatest { Fixed(above.0.saturating_add(1)) } else { above };
        Interval { least: Fixed::floor(self.least), greatest, whole: self.whole }
    }
}
