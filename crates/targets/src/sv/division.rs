//! Divisions and remainders as a [netlist](super::net), rounded down and clamped as in the language.

use super::net::{Id, Op, Range, TooWide};
use super::numbers::{FRACTION, Numbers, Value};
use forebay_lang::{Fixed, Ratio};

impl Numbers<'_> {
    /// A number by a positive constant, rounded down.
    pub(super) fn floor_by(&mut self, id: Id, by: i128) -> Result<Id, TooWide> {
        if by.count_ones() == 1 {
            return self.net.add(Op::Down(id, by.trailing_zeros()));
        }
        // What is negative is moved up by a multiple of the divisor.
        let moved = (-self.net.range(id).least.min(0)).checked_add(by - 1).ok_or(TooWide)? / by;
        let (offset, back) = (self.net.number(moved.checked_mul(by).ok_or(TooWide)?), self.net.number(moved));
        let above = self.net.add(Op::Add(id, offset))?;
        let quotient = match self.by_reciprocal(above, by) {
            Ok(quotient) => quotient,
            Err(TooWide) => {
                let by = self.net.number(by);
                self.net.add(Op::Quotient(above, by))?
            }
        };
        self.net.add(Op::Sub(quotient, back))
    }

    /// A number that is not negative by a constant, as a product (Granlund, Montgomery, 1994).
    ///
    /// With m = ceil(2^s / by) and 2^s above `by` times the number, the product's error is less than 1 / by.
    fn by_reciprocal(&mut self, id: Id, by: i128) -> Result<Id, TooWide> {
        let shift = self.net.range(id).bits() - 1 + Range::new(0, by).bits() - 1;
        let two = 1_i128.checked_shl(shift).filter(|two| *two > 0).ok_or(TooWide)?;
        let factor = self.net.number((two - 1) / by + 1);
        let product = self.net.add(Op::Mul(id, factor))?;
        self.net.add(Op::Down(product, shift))
    }

    fn size(&mut self, id: Id) -> Result<Id, TooWide> {
        let zero = self.net.number(0);
        let minus = self.net.add(Op::Sub(zero, id))?;
        self.net.add(Op::Max(id, minus))
    }

    fn is_negative(&mut self, id: Id) -> Result<Id, TooWide> {
        let zero = self.net.number(0);
        self.net.add(Op::Less(id, zero))
    }

    fn differ(&mut self, one: Id, other: Id) -> Result<Id, TooWide> {
        let same = self.net.add(Op::Equal(one, other))?;
        self.net.add(Op::Not(same))
    }

    /// A dividend (times `by`) and a divisor, so that their quotient is in units of 1/65,536.
    fn fraction(&mut self, left: Value, right: Value) -> Result<(Id, Id), TooWide> {
        let Value::Node { id: divisor, whole } = right else { return Err(TooWide) };
        let up = if whole { FRACTION } else { 2 * FRACTION };
        Ok(match left {
            Value::Known(constant) => {
                let numerator = constant.numer().checked_mul(1 << up).ok_or(TooWide)?;
                let by = self.net.number(*constant.denom());
                (self.net.number(numerator), self.net.add(Op::Mul(divisor, by))?)
            }
            Value::Node { id, whole: of_left } => {
                let up = up - if of_left { 0 } else { FRACTION };
                (self.net.add(Op::Up(id, up))?, divisor)
            }
        })
    }

    /// `left / right`; by 0 it is 0.
    pub(super) fn divided(&mut self, left: Value, right: Value) -> Result<Value, TooWide> {
        let (dividend, divisor) = self.fraction(left, right)?;
        let (quotient, rest) = self.sizes_divided(dividend, divisor)?;
        let zero = self.net.number(0);
        let negative = [self.is_negative(dividend)?, self.is_negative(divisor)?];
        let differ = self.differ(negative[0], negative[1])?;
        // Rounded down: away from 0 if it is negative and something is left.
        let some = self.net.add(Op::Less(zero, rest))?;
        let minus = self.net.add(Op::Sub(zero, quotient))?;
        let below = self.net.add(Op::Sub(minus, some))?;
        let signed = self.net.add(Op::Choose(differ, below, quotient))?;
        let by_nothing = self.net.add(Op::Equal(divisor, zero))?;
        let id = self.net.add(Op::Choose(by_nothing, zero, signed))?;
        self.cut(id, false)
    }

    /// Quotient and rest of the sizes of two numbers; of a divisor 0 those of 1.
    fn sizes_divided(&mut self, dividend: Id, divisor: Id) -> Result<(Id, Id), TooWide> {
        let one = self.net.number(1);
        let (dividend, divisor) = (self.size(dividend)?, self.size(divisor)?);
        let divisor = self.net.add(Op::Max(divisor, one))?;
        Ok((self.net.add(Op::Quotient(dividend, divisor))?, self.net.add(Op::Rest(dividend, divisor))?))
    }

    /// `mod(left, right)`, which has the sign of `right`; by 0 it is 0.
    pub(super) fn remainder(&mut self, left: Value, right: Value) -> Result<Value, TooWide> {
        // Of a constant that is no multiple of a unit, both are taken so many times.
        let (left, right, whole, by) = match left {
            Value::Known(constant) if Fixed::UNITS % constant.denom() != 0 => {
                let by = *constant.denom();
                let numerator = constant.numer().checked_mul(Fixed::UNITS).ok_or(TooWide)?;
                let (right, factor) = (self.units(right)?, self.net.number(by));
                (self.net.number(numerator), self.net.add(Op::Mul(right, factor))?, false, by)
            }
            left => {
                let whole = self.whole(left).is_some() && self.whole(right).is_some();
                let (left, right) = self.alike(left, right)?;
                (left, right, whole, 1)
            }
        };
        let (_, rest) = self.sizes_divided(left, right)?;
        let zero = self.net.number(0);
        let negative = [self.is_negative(left)?, self.is_negative(right)?];
        let size = self.size(right)?;
        let differ = self.differ(negative[0], negative[1])?;
        let some = self.net.add(Op::Less(zero, rest))?;
        let turned = self.net.add(Op::And(differ, some))?;
        let other = self.net.add(Op::Sub(size, rest))?;
        let rest = self.net.add(Op::Choose(turned, other, rest))?;
        let minus = self.net.add(Op::Sub(zero, rest))?;
        let signed = self.net.add(Op::Choose(negative[1], minus, rest))?;
        let by_nothing = self.net.add(Op::Equal(right, zero))?;
        let id = self.net.add(Op::Choose(by_nothing, zero, signed))?;
        let id = self.floor_by(id, by)?;
        self.cut(id, whole)
    }

    /// `mod(number, constant)`: what is left of it without the multiples below.
    pub(super) fn modulo(&mut self, id: Id, whole: bool, constant: Ratio) -> Result<Value, TooWide> {
        if constant == Ratio::ZERO {
            return Ok(Value::Known(Ratio::ZERO));
        }
        let (whole_result, by) = (whole && constant.is_integer(), *constant.denom());
        let up = if whole && !whole_result { FRACTION } else { 0 };
        let id = self.net.add(Op::Up(id, up))?;
        let factor = self.net.number(by);
        let times = self.net.add(Op::Mul(id, factor))?;
        let unit = if whole_result { 1 } else { Fixed::UNITS };
        let modulus = constant.numer().checked_mul(unit).ok_or(TooWide)?;
        // `times / modulus` rounded down, also of a negative modulus.
        let sign = self.net.number(modulus.signum());
        let upright = self.net.add(Op::Mul(times, sign))?;
        let quotient = self.floor_by(upright, modulus.abs())?;
        let modulus = self.net.number(modulus);
        let multiple = self.net.add(Op::Mul(quotient, modulus))?;
        let rest = self.net.add(Op::Sub(times, multiple))?;
        let rest = self.within(rest, self.net.range(times), modulus)?;
        let id = self.floor_by(rest, by)?;
        self.cut(id, whole_result)
    }

    /// A rest, of which it is known that it lies between 0 and the modulus.
    fn within(&mut self, rest: Id, of: Range, modulus: Id) -> Result<Id, TooWide> {
        let most = self.net.range(modulus).least;
        let ends = if most > 0 { Range::new(0, most - 1) } else { Range::new(most + 1, 0) };
        let ends = if of.least >= 0 && most > 0 { Range::new(0, ends.greatest.min(of.greatest)) } else { ends };
        self.net.add(Op::Within(rest, ends.least, ends.greatest))
    }
}
