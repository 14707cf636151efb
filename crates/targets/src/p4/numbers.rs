//! A policy's numbers and conditions as [steps](super::steps).
//!
//! A number of a packet is stored as its distance from the least value that it can have. This distance has no sign, and is as
//! wide as it must be. All numbers are whole, and none reaches 2^47, where the language clamps numbers. An expression that
//! might reach it is rejected, and so is one that would be rounded. The time of arrival has no end, so a sum with it wraps.

use super::known_values::{Known, NotKnown};
use super::steps::{Input, Operand, Steps, Test};
use crate::headers::{Field, Mapping, Part};
use forebay_core::Packet;
use forebay_lang::Ratio;
use forebay_lang::ir::{Arith, Cond, Num, PacketField, PacketRef, Read, Relation};

/// The number at which the language clamps numbers.
const CUT: i128 = 1 << 47;

/// A number: the sum of `least` and an operand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) above: Operand,
    pub(super) least: i128,
    pub(super) most: i128,
    /// How often the number contains the time of arrival. If it does, the operand wraps, and the range is that of the rest.
    pub(super) time: i128,
}

impl Number {
    /// Returns the bits of the operand.
    pub(super) fn bits(&self) -> u32 {
        i128::BITS - (self.most - self.least).leading_zeros()
    }

    /// Whether the number grows or decreases without end.
    pub(super) fn wraps(&self) -> bool {
        self.time != 0
    }

    fn constant(value: i128) -> Self {
        Self { above: Operand::Constant(0), least: value, most: value, time: 0 }
    }
}

/// Computes numbers of packets.
pub(super) struct Numbers<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) policy_id: u32,
    pub(super) steps: Steps,
}

impl Numbers<'_> {
    /// Returns the number by which a packet is ordered, which may also be a field of more than 47 bits.
    pub(super) fn key(&mut self, number: &Num) -> Known<Number> {
        if let Num::Read(Read::Packet(_, field)) = number
            && let Some(field) = Field::of(*field)
        {
            let whole = self.field(field)?;
            let above =
                if whole.most > CUT { self.steps.least(whole.above, Operand::Constant(1 << 47)) } else { whole.above };
            return Ok(Number { above, most: whole.most.min(CUT), ..whole });
        }
        self.number(number)
    }

    /// Returns the number.
    pub(super) fn number(&mut self, number: &Num) -> Known<Number> {
        let known = match number {
            Num::Const(constant) => Number::constant(whole(*constant)?),
            Num::Read(Read::Packet(PacketRef::This, field)) => self.read(*field)?,
            Num::Read(Read::Parameter(_)) => return Err(NotKnown::Live),
            Num::Read(read) => return Err(NotKnown::NotOwn(read.to_string())),
            Num::Neg(operand) => {
                let operand = self.number(operand)?;
                self.negative(operand)
            }
            Num::Arith(arith, left, right) => self.arith(*arith, left, right)?,
        };
        if known.least <= -CUT || known.most >= CUT {
            return Err(NotKnown::MayBeCut(number.to_string()));
        }
        Ok(known)
    }

    fn read(&mut self, field: PacketField) -> Known<Number> {
        match field {
            PacketField::PolicyId => Ok(Number::constant(self.policy_id.into())),
            PacketField::Marked | PacketField::Notified => Err(NotKnown::IsMark(field)),
            PacketField::Arrival => {
                let above = self.steps.input(Input::Arrival);
                Ok(Number { above, least: 0, most: 0, time: 1 })
            }
            PacketField::Size => {
                let above = self.steps.input(Input::Size);
                Ok(Number { above, least: 0, most: Packet::MAX_BYTES.into(), time: 0 })
            }
            _ => Field::of(field).ok_or(NotKnown::NotHere(field)).and_then(|field| self.field(field)),
        }
    }

    fn field(&mut self, field: Field) -> Known<Number> {
        if field == Field::Processing {
            return Err(NotKnown::Falls);
        }
        let Some(source) = self.mapping.source(field) else {
            return Err(NotKnown::NoHeader(field.name()));
        };
        if let Part::Number(number) = source.part {
            return Ok(Number::constant((number >> source.shift & source.mask).min(field.most()).into()));
        }
        let most = super::headers::most(source)?.min(field.most());
        Ok(Number { above: self.steps.input(Input::Field(field)), least: 0, most: most.into(), time: 0 })
    }

    /// Returns the number with the opposite sign.
    pub(super) fn negative(&mut self, of: Number) -> Number {
        let above = self.steps.sub(Operand::Constant(size(of.most - of.least)), of.above);
        Number { above, least: -of.most, most: -of.least, time: -of.time }
    }

    fn arith(&mut self, arith: Arith, left: &Num, right: &Num) -> Known<Number> {
        if let (Arith::Mul, Num::Const(factor), of) | (Arith::Mul, of, Num::Const(factor)) = (arith, left, right) {
            return self.times(of, whole(*factor)?);
        }
        let (one, other) = (self.number(left)?, self.number(right)?);
        match arith {
            Arith::Add => Ok(self.sum(one, other)),
            Arith::Sub => {
                let other = self.negative(other);
                Ok(self.sum(one, other))
            }
            Arith::Mul => self.product(one, other),
            Arith::Div => Err(NotKnown::Division),
            Arith::Mod => self.remainder(one, other),
            Arith::Min | Arith::Max if one.wraps() || other.wraps() => Err(NotKnown::Wraps("be cut")),
            Arith::Min => {
                let (one, other) = self.alike(one, other);
                let above = self.steps.least(one.above, other.above);
                Ok(Number { above, most: one.most.min(other.most), ..one })
            }
            Arith::Max => {
                let (one, other) = self.alike(one, other);
                let above = self.steps.greatest(one.above, other.above);
                Ok(Number { above, most: one.most.max(other.most), ..one })
            }
        }
    }

    fn sum(&mut self, one: Number, other: Number) -> Number {
        let above = self.steps.add(one.above, other.above);
        let (least, most) = (one.least + other.least, one.most + other.most);
        Number { above, least, most, time: one.time + other.time }
    }

    fn times(&mut self, of: &Num, factor: i128) -> Known<Number> {
        let of = self.number(of)?;
        let of = if factor < 0 { self.negative(of) } else { of };
        let factor = size(factor.abs());
        let above = self.steps.times(of.above, factor);
        let factor = i128::from(factor);
        Ok(Number { above, least: of.least * factor, most: of.most * factor, time: of.time * factor })
    }

    /// Returns the product with a number that is 0 or 1.
    fn product(&mut self, one: Number, other: Number) -> Known<Number> {
        let is_test = |number: &Number| !number.wraps() && number.least == 0 && number.most <= 1;
        let (test, of) = if is_test(&one) { (one, other) } else { (other, one) };
        if !is_test(&test) {
            return Err(NotKnown::Product);
        }
        if of.wraps() {
            return Err(NotKnown::Wraps("count for some packets only"));
        }
        // How far it lies above what is 0 or less.
        let (of, _) = self.alike(of, Number::constant(0));
        let lifted = self.steps.sub(of.above, Operand::Constant(size(-of.least)));
        let chosen = self.steps.when(test.above, lifted);
        let above = self.steps.add(chosen, Operand::Constant(size(-of.least)));
        Ok(Number { above, least: of.least, most: of.most.max(0), time: 0 })
    }

    fn remainder(&mut self, of: Number, by: Number) -> Known<Number> {
        let power = (by.least == by.most && by.least > 0 && by.least.count_ones() == 1).then(|| size(by.least));
        match power {
            Some(power) if of.least == 0 && !of.wraps() => {
                let above = self.steps.and(of.above, power - 1);
                Ok(Number { above, least: 0, most: of.most.min(i128::from(power - 1)), time: 0 })
            }
            _ => Err(NotKnown::Remainder),
        }
    }

    /// Converts two numbers to the same `least`.
    fn alike(&mut self, one: Number, other: Number) -> (Number, Number) {
        let least = one.least.min(other.least);
        let mut lift = |number: Number| {
            let above = self.steps.add(number.above, Operand::Constant(size(number.least - least)));
            Number { above, least, ..number }
        };
        (lift(one), lift(other))
    }

    /// Returns the condition.
    pub(super) fn test(&mut self, condition: &Cond) -> Known<Test> {
        Ok(match condition {
            Cond::Const(known) => Test::Known(*known),
            Cond::Compare(relation, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.compare(*relation, left, right)?
            }
            Cond::CompareProducts(..) => return Err(NotKnown::Product),
            Cond::Not(operand) => self.test(operand)?.not(),
            Cond::And(left, right) => self.test(left)?.and(self.test(right)?),
            Cond::Or(left, right) => self.test(left)?.or(self.test(right)?),
        })
    }

    fn compare(&mut self, relation: Relation, left: Number, right: Number) -> Known<Test> {
        if left.wraps() || right.wraps() {
            return Err(NotKnown::Wraps("be compared with a number"));
        }
        let (left, right) = self.alike(left, right);
        Ok(match (left.above, right.above) {
            (Operand::Constant(left), Operand::Constant(right)) => Test::Known(relation.holds(left, right)),
            (left, right) => Test::Compare(relation, left, right),
        })
    }

    /// Returns the test that a number has this value.
    pub(super) fn is(&mut self, number: Number, value: i128) -> Known<Test> {
        self.compare(Relation::Equal, number, Number::constant(value))
    }
}

/// Returns a constant that is whole and not too large.
fn whole(constant: Ratio) -> Known<i128> {
    let number = *constant.numer();
    if !constant.is_integer() {
        return Err(NotKnown::NotWhole(constant));
    }
    if number.abs() >= CUT { Err(NotKnown::TooLarge(constant)) } else { Ok(number) }
}

/// Converts a number that is known to be non-negative and not too large.
fn size(number: i128) -> u64 {
    u64::try_from(number).expect("ranges were checked, and are not below 0 here")
}
