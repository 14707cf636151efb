//! The bounds of a number, from the ranges of properties.
//!
//! Costs one pass over the expression. The bounds are safe, not always tight: two reads of one
//! property count as two.

use super::{Arith, BufferField, NextField, Num, PacketField, PortField, QueueField, Read, Relation};
use crate::number::{Fixed, Ratio};
use forebay_core::Packet;
use std::cmp::Ordering;

/// The numbers from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// No number is less. A constant that is no [`Fixed`] is rounded to both sides, and cut to the range.
    pub least: Fixed,
    /// No number is greater.
    pub greatest: Fixed,
    /// Whether all are whole.
    pub whole: bool,
}

impl Interval {
    /// All numbers.
    pub const ALL: Self = Self { least: Fixed(i64::MIN), greatest: Fixed(i64::MAX), whole: false };

    /// The whole numbers from 0 to `greatest`.
    ///
    /// The cut at the end of the range is at a number that is not whole.
    #[must_use]
    pub fn up_to(greatest: u64) -> Self {
        let whole = greatest < 1 << (63 - Fixed::FRACTION_BITS);
        Self { least: Fixed(0), greatest: Fixed::whole(greatest), whole }
    }

    /// All that a property can be, whatever the policy.
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

    /// The only number in it, if there is no other.
    #[must_use]
    pub fn only(self) -> Option<Fixed> {
        (self.least == self.greatest).then_some(self.least)
    }
}

/// The interval of a number; see [`Interval::of_read`].
#[must_use]
pub fn interval(number: &Num) -> Interval {
    interval_where(number, &|_| None)
}

/// The interval of a number if more is known about some properties, such as the size of a queue.
#[must_use]
pub fn interval_where(number: &Num, known: &dyn Fn(Read) -> Option<Interval>) -> Interval {
    Bounds::of(number, known).outside()
}

/// Whether the last operation of `number` is exact: nothing is rounded or cut.
///
/// Sums whose operands are multiples of 1/65,536, and products with a whole number.
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

/// Whether it is always a multiple of 1/65,536.
pub(super) fn runs(number: &Num) -> bool {
    !matches!(number, Num::Const(constant) if Fixed::UNITS % constant.denom() != 0)
}

/// Whether a relation holds, if what the operands can be says so.
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

    /// Products of larger numerators might not fit.
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

    /// What the result can be before it is rounded and cut.
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

    /// `mod(a, b)` has the sign of `b`, is less than it in size, and is `a` if that is so of `a`.
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
