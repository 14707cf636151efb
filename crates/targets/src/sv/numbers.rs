//! A policy's numbers and conditions as a [netlist](super::net), bit by bit as `docs/openqueue-semantics.md`, section 3, has
//! them: every operation exact, then rounded down to 1/65,536 and cut.
//!
//! A number that is always whole is kept in units of 1, any other in units of 1/65,536.

use super::net::{Id, Net, Op, Range, TooWide};
use forebay_lang::ir::{Arith, Cond, Interval, Num, Read, Relation};
use forebay_lang::{Fixed, Ratio};

/// The number of bits after the binary point.
pub(super) const FRACTION: u32 = Fixed::FRACTION_BITS;

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// A known, exact number.
    Known(Ratio),
    /// A node, in units of 1 if it is whole, otherwise of 1/65,536.
    Node { id: Id, whole: bool },
}

/// Why a number cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The number needs too many bits.
    TooWide(String),
    /// The number reads a value that is unknown here, for this reason.
    Unread(Read, &'static str),
}

/// The values that an expression reads.
pub(super) trait Scope {
    /// Returns the number, or why hardware does not have it here.
    fn read(&self, read: Read, net: &mut Net) -> Result<Value, &'static str>;
}

/// Adds a signal with these bounds, in units of 1 if all numbers are whole.
pub(super) fn signal(net: &mut Net, text: &str, signed: bool, of: Interval) -> Value {
    let down = if of.whole { FRACTION } else { 0 };
    let range = Range::new((of.least.0 >> down).into(), (of.greatest.0 >> down).into());
    Value::Node { id: net.input(text, signed, range), whole: of.whole }
}

/// Returns the bounds of a number.
pub(super) fn interval(net: &Net, value: Value) -> Interval {
    match value {
        Value::Known(constant) => {
            let fixed = Fixed::floor(constant);
            Interval { least: fixed, greatest: fixed, whole: fixed.exact().is_integer() }
        }
        Value::Node { id, whole } => {
            let (range, up) = (net.range(id), if whole { FRACTION } else { 0 });
            let end = |end: i128| Fixed::saturating(end << up);
            Interval { least: end(range.least), greatest: end(range.greatest), whole }
        }
    }
}

/// Builds numbers.
pub(super) struct Numbers<'a> {
    pub(super) net: &'a mut Net,
    pub(super) scope: &'a dyn Scope,
}

impl Numbers<'_> {
    /// Returns a number.
    pub(super) fn number(&mut self, number: &Num) -> Result<Value, Wrong> {
        match number {
            Num::Const(constant) => Ok(Value::Known(*constant)),
            Num::Read(read) => self.read(*read),
            Num::Neg(operand) => match self.number(operand)? {
                Value::Known(constant) => Ok(known(&Num::Neg(Box::new(Num::Const(constant))))),
                operand => self.exact(Arith::Sub, Value::Known(Ratio::ZERO), operand).map_err(|_| too_wide(number)),
            },
            Num::Arith(arith, left, right) => match (self.number(left)?, self.number(right)?) {
                (Value::Known(left), Value::Known(right)) => {
                    Ok(known(&Num::Arith(*arith, Box::new(Num::Const(left)), Box::new(Num::Const(right)))))
                }
                (left, right) => self.exact(*arith, left, right).map_err(|_| too_wide(number)),
            },
        }
    }

    fn read(&mut self, read: Read) -> Result<Value, Wrong> {
        let value = self.scope.read(read, self.net).map_err(|why| Wrong::Unread(read, why))?;
        Ok(match value {
            Value::Node { id, whole } => match self.net.constant(id) {
                Some(only) if whole => Value::Known(Ratio::from_integer(only)),
                Some(only) => Value::Known(Ratio::new(only, Fixed::UNITS)),
                None => value,
            },
            Value::Known(_) => value,
        })
    }

    /// Returns a truth value: a node that is 0 or 1.
    pub(super) fn truth(&mut self, cond: &Cond) -> Result<Id, Wrong> {
        let wide = |_: TooWide| Wrong::TooWide(cond.to_string());
        Ok(match cond {
            Cond::Const(truth) => self.net.number((*truth).into()),
            Cond::Compare(relation, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.compare(*relation, left, right).map_err(wide)?
            }
            Cond::CompareProducts(relation, products) => {
                let [left, right] = &**products;
                let (left, right) = (self.product(left, cond)?, self.product(right, cond)?);
                let unit = left.1.max(right.1);
                let left = self.net.add(Op::Up(left.0, unit - left.1)).map_err(wide)?;
                let right = self.net.add(Op::Up(right.0, unit - right.1)).map_err(wide)?;
                self.relation(*relation, left, right).map_err(wide)?
            }
            Cond::Not(operand) => {
                let operand = self.truth(operand)?;
                self.net.add(Op::Not(operand)).map_err(wide)?
            }
            Cond::And(left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                self.net.add(Op::And(left, right)).map_err(wide)?
            }
            Cond::Or(left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                self.net.add(Op::Or(left, right)).map_err(wide)?
            }
        })
    }

    /// Returns the exact product of two numbers, and its number of bits after the binary point.
    fn product(&mut self, factors: &[Num; 2], of: &Cond) -> Result<(Id, u32), Wrong> {
        let wide = |_: TooWide| Wrong::TooWide(of.to_string());
        let [(one, point), (other, more)] = [self.factor(&factors[0], of)?, self.factor(&factors[1], of)?];
        Ok((self.net.add(Op::Mul(one, other)).map_err(wide)?, point + more))
    }

    /// Returns a number, and its number of bits after the binary point.
    fn factor(&mut self, number: &Num, of: &Cond) -> Result<(Id, u32), Wrong> {
        let value = self.number(number)?;
        match self.whole(value) {
            Some(id) => Ok((id, 0)),
            None => Ok((self.units(value).map_err(|_| Wrong::TooWide(of.to_string()))?, FRACTION)),
        }
    }

    fn compare(&mut self, relation: Relation, left: Value, right: Value) -> Result<Id, TooWide> {
        let (left, right) = match (left, right) {
            (Value::Known(left), Value::Known(right)) => {
                return Ok(self.net.number(relation.holds(left, right).into()));
            }
            (Value::Known(left), Value::Node { id, whole }) => {
                return self.with_constant(exchanged(relation), id, whole, left);
            }
            (Value::Node { id, whole }, Value::Known(right)) => return self.with_constant(relation, id, whole, right),
            (left, right) => self.alike(left, right)?,
        };
        self.relation(relation, left, right)
    }

    /// Compares exactly with a constant, by the unit next to it.
    fn with_constant(&mut self, relation: Relation, id: Id, whole: bool, constant: Ratio) -> Result<Id, TooWide> {
        let units = if whole { constant } else { constant * Ratio::from_integer(Fixed::UNITS) };
        let bound = match relation {
            Relation::Less | Relation::GreaterEqual => units.ceil(),
            Relation::LessEqual | Relation::Greater => units.floor(),
            Relation::Equal | Relation::NotEqual if units.is_integer() => units,
            Relation::Equal | Relation::NotEqual => {
                return Ok(self.net.number((relation == Relation::NotEqual).into()));
            }
        };
        let bound = self.net.number(bound.to_integer());
        self.relation(relation, id, bound)
    }

    fn relation(&mut self, relation: Relation, left: Id, right: Id) -> Result<Id, TooWide> {
        let (op, negated) = match relation {
            Relation::Less => (Op::Less(left, right), false),
            Relation::Greater => (Op::Less(right, left), false),
            Relation::GreaterEqual => (Op::Less(left, right), true),
            Relation::LessEqual => (Op::Less(right, left), true),
            Relation::Equal => (Op::Equal(left, right), false),
            Relation::NotEqual => (Op::Equal(left, right), true),
        };
        let plain = self.net.add(op)?;
        if negated { self.net.add(Op::Not(plain)) } else { Ok(plain) }
    }

    /// Returns the number rounded down, in units of 1/65,536.
    pub(super) fn units(&mut self, value: Value) -> Result<Id, TooWide> {
        match value {
            Value::Known(constant) => Ok(self.net.number(Fixed::floor(constant).0.into())),
            Value::Node { id, whole: false } => Ok(id),
            Value::Node { id, whole: true } => self.net.add(Op::Up(id, FRACTION)),
        }
    }

    /// Returns two numbers in the same units; a constant is rounded down.
    pub(super) fn alike(&mut self, left: Value, right: Value) -> Result<(Id, Id), TooWide> {
        match (self.whole(left), self.whole(right)) {
            (Some(left), Some(right)) => Ok((left, right)),
            _ => Ok((self.units(left)?, self.units(right)?)),
        }
    }

    /// Returns the number in units of 1, if it is whole.
    pub(super) fn whole(&mut self, value: Value) -> Option<Id> {
        match value {
            Value::Known(constant) if constant.is_integer() => Some(self.net.number(constant.to_integer())),
            Value::Node { id, whole: true } => Some(id),
            _ => None,
        }
    }

    /// Returns the exact result of an operation, rounded down and clamped.
    fn exact(&mut self, arith: Arith, left: Value, right: Value) -> Result<Value, TooWide> {
        match (arith, left, right) {
            // A sum is rounded as the constant is.
            (Arith::Sub, left @ Value::Node { .. }, Value::Known(constant)) => {
                self.exact(Arith::Add, left, Value::Known(-constant))
            }
            (Arith::Add | Arith::Sub | Arith::Min | Arith::Max, ..) => {
                let whole = self.whole(left).is_some() && self.whole(right).is_some();
                let (left, right) = self.alike(left, right)?;
                let id = self.net.add(match arith {
                    Arith::Add => Op::Add(left, right),
                    Arith::Sub => Op::Sub(left, right),
                    Arith::Min => Op::Min(left, right),
                    _ => Op::Max(left, right),
                })?;
                self.cut(id, whole)
            }
            (Arith::Mul, Value::Known(constant), Value::Node { id, whole })
            | (Arith::Mul, Value::Node { id, whole }, Value::Known(constant)) => self.scaled(id, whole, constant),
            (Arith::Mul, ..) => {
                let wholes = [left, right].map(|value| self.whole(value).is_some());
                let ids = [left, right].map(|value| match value {
                    Value::Node { id, .. } => id,
                    Value::Known(_) => unreachable!("a known number has its own case"),
                });
                let product = self.net.add(Op::Mul(ids[0], ids[1]))?;
                match wholes {
                    [true, true] => self.cut(product, true),
                    [false, false] => {
                        let id = self.net.add(Op::Down(product, FRACTION))?;
                        self.cut(id, false)
                    }
                    _ => self.cut(product, false),
                }
            }
            (Arith::Div, Value::Node { id, whole }, Value::Known(constant)) => {
                if constant == Ratio::ZERO {
                    return Ok(Value::Known(Ratio::ZERO));
                }
                self.scaled_to(id, whole, constant.recip(), false)
            }
            (Arith::Div, ..) => self.divided(left, right),
            (Arith::Mod, Value::Node { id, whole }, Value::Known(constant)) => self.modulo(id, whole, constant),
            (Arith::Mod, ..) => self.remainder(left, right),
        }
    }

    /// Clamps a number to the range of the language.
    pub(super) fn cut(&mut self, id: Id, whole: bool) -> Result<Value, TooWide> {
        let unit = if whole { FRACTION } else { 0 };
        let ends = Range::new(i128::from(i64::MIN) >> unit, i128::from(i64::MAX) >> unit);
        let range = self.net.range(id);
        if ends.least <= range.least && range.greatest <= ends.greatest {
            return Ok(Value::Node { id, whole });
        }
        // The greatest number is not whole.
        let id = if whole { self.net.add(Op::Up(id, FRACTION))? } else { id };
        let (least, greatest) = (self.net.number(i64::MIN.into()), self.net.number(i64::MAX.into()));
        let above = self.net.add(Op::Min(id, greatest))?;
        Ok(Value::Node { id: self.net.add(Op::Max(above, least))?, whole: false })
    }

    /// Multiplies a number by a constant.
    fn scaled(&mut self, id: Id, whole: bool, by: Ratio) -> Result<Value, TooWide> {
        self.scaled_to(id, whole, by, whole && by.is_integer())
    }

    /// Multiplies a number by a constant; the result is in units of 1 if `stays_whole`.
    fn scaled_to(&mut self, id: Id, whole: bool, by: Ratio, stays_whole: bool) -> Result<Value, TooWide> {
        let up = if whole && !stays_whole { Ratio::from_integer(Fixed::UNITS) } else { Ratio::ONE };
        let numerator = by.numer().checked_mul(*up.numer()).ok_or(TooWide)?;
        let factor = Ratio::new(numerator, *by.denom());
        let times = self.net.number(*factor.numer());
        let product = self.net.add(Op::Mul(id, times))?;
        let id = self.floor_by(product, *factor.denom())?;
        self.cut(id, stays_whole)
    }
}

fn known(number: &Num) -> Value {
    Value::Known(number.value(&mut |_| Fixed(0)))
}

fn too_wide(number: &Num) -> Wrong {
    Wrong::TooWide(number.to_string())
}

fn exchanged(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        other => other,
    }
}
