//! Expressions compiled for one place in a policy: names become indices, known values are folded, and numbers are machine integers.

use super::arith::{apply, apply_exact, scale};
use super::names::Names;
use super::source::Source;
use super::value::ordinal_of_units;
use forebay_lang::ir::{Arith, Cond, Num, Relation};
use forebay_lang::{Fixed, Ratio};

/// Returns the values that expressions read.
pub(super) trait Reader {
    /// Returns a value as a number.
    fn read(&self, source: Source) -> i64;

    /// Returns a value as an integer in the same order. It is [`value::ordinal`](super::value::ordinal) for properties of packets, the
    /// count of an occupancy, or the units of a number, counted from the least number.
    fn ordinal(&self, source: Source) -> u64 {
        ordinal_of_units(self.read(source))
    }
}

/// A number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Const(Ratio),
    Read(Source),
    Neg(Box<Expr>),
    /// Both operands are numbers at run time.
    Op(Arith, Box<(Expr, Expr)>),
    /// The right operand is a known number at run time.
    OpConst(Arith, Box<Expr>, i64),
    /// A product with a constant that is no number at run time.
    Scale(Box<Expr>, Ratio),
    /// An operand is a constant that is no number at run time.
    Exact(Arith, Box<(Expr, Expr)>),
}

/// Returns a constant as a number at run time, if it is one.
fn runs(constant: Ratio) -> Option<i64> {
    let fixed = Fixed::floor(constant);
    (fixed.exact() == constant).then_some(fixed.0)
}

impl Expr {
    pub(super) fn compile(number: &Num, names: &Names) -> Self {
        match number {
            Num::Const(constant) => Self::Const(*constant),
            Num::Read(read) => match names.resolve(*read) {
                Ok(source) => Self::Read(source),
                Err(known) => Self::Const(known.exact()),
            },
            Num::Neg(operand) => match Self::compile(operand, names) {
                Self::Const(constant) => Self::Const(Fixed::floor(-constant).exact()),
                other => Self::Neg(Box::new(other)),
            },
            Num::Arith(arith, left, right) => {
                Self::operation(*arith, Self::compile(left, names), Self::compile(right, names))
            }
        }
    }

    fn operation(arith: Arith, left: Self, right: Self) -> Self {
        let number = |operand: &Self| match operand {
            Self::Const(constant) => runs(*constant),
            _ => None,
        };
        match (left, right) {
            (Self::Const(left), Self::Const(right)) => Self::Const(Fixed(apply_exact(arith, left, right)).exact()),
            (left, Self::Const(right)) if runs(right).is_some() => {
                Self::OpConst(arith, Box::new(left), runs(right).unwrap_or_default())
            }
            (left, Self::Const(right)) if arith == Arith::Mul => Self::Scale(Box::new(left), right),
            (Self::Const(left), right) if arith == Arith::Mul && runs(left).is_none() => {
                Self::Scale(Box::new(right), left)
            }
            (left, right) if number(&left).is_none() && matches!(left, Self::Const(_)) => {
                Self::Exact(arith, Box::new((left, right)))
            }
            (left, right) if matches!(right, Self::Const(_)) => Self::Exact(arith, Box::new((left, right))),
            (left, right) => Self::Op(arith, Box::new((left, right))),
        }
    }

    /// Returns the value; a constant is rounded down.
    pub(super) fn value(&self, reader: &impl Reader) -> i64 {
        match self {
            Self::Const(constant) => Fixed::floor(*constant).0,
            Self::Read(source) => reader.read(*source),
            Self::Neg(operand) => operand.value(reader).saturating_neg(),
            Self::Op(arith, both) => apply(*arith, both.0.value(reader), both.1.value(reader)),
            Self::OpConst(arith, left, right) => apply(*arith, left.value(reader), *right),
            Self::Scale(operand, by) => {
                let operand = operand.value(reader);
                scale(operand, *by).unwrap_or_else(|| apply_exact(Arith::Mul, Fixed(operand).exact(), *by))
            }
            Self::Exact(arith, both) => apply_exact(*arith, both.0.exact(reader), both.1.exact(reader)),
        }
    }

    /// Returns the value; a constant is exact.
    pub(super) fn exact(&self, reader: &impl Reader) -> Ratio {
        match self {
            Self::Const(constant) => *constant,
            other => Fixed(other.value(reader)).exact(),
        }
    }
}

/// A truth value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Const(bool),
    Compare(Relation, Expr, Expr),
    /// A comparison of products that are neither rounded nor clamped.
    CompareProducts(Relation, Box<[[Expr; 2]; 2]>),
    /// A comparison with a constant, which is rounded so that the relation of whole units holds exactly if that of numbers does.
    CompareConst(Relation, Expr, i128),
    Not(Box<Test>),
    And(Box<(Test, Test)>),
    Or(Box<(Test, Test)>),
}

impl Test {
    pub(super) fn compile(condition: &Cond, names: &Names) -> Self {
        match condition {
            Cond::Const(value) => Self::Const(*value),
            Cond::Compare(relation, left, right) => {
                Self::compare(*relation, Expr::compile(left, names), Expr::compile(right, names))
            }
            Cond::CompareProducts(relation, products) => {
                let product = |product: &[Num; 2]| product.each_ref().map(|factor| Expr::compile(factor, names));
                Self::CompareProducts(*relation, Box::new(products.each_ref().map(product)))
            }
            Cond::Not(operand) => match Self::compile(operand, names) {
                Self::Const(value) => Self::Const(!value),
                other => Self::Not(Box::new(other)),
            },
            Cond::And(left, right) => match (Self::compile(left, names), Self::compile(right, names)) {
                (Self::Const(false), _) | (_, Self::Const(false)) => Self::Const(false),
                (Self::Const(true), other) | (other, Self::Const(true)) => other,
                both => Self::And(Box::new(both)),
            },
            Cond::Or(left, right) => match (Self::compile(left, names), Self::compile(right, names)) {
                (Self::Const(true), _) | (_, Self::Const(true)) => Self::Const(true),
                (Self::Const(false), other) | (other, Self::Const(false)) => other,
                both => Self::Or(Box::new(both)),
            },
        }
    }

    fn compare(relation: Relation, left: Expr, right: Expr) -> Self {
        match (left, right) {
            (Expr::Const(left), Expr::Const(right)) => Self::Const(relation.holds(left, right)),
            (left, Expr::Const(right)) => Self::with_constant(relation, left, right),
            (Expr::Const(left), right) => Self::with_constant(mirrored(relation), right, left),
            (left, right) => Self::Compare(relation, left, right),
        }
    }

    fn with_constant(relation: Relation, number: Expr, constant: Ratio) -> Self {
        // Beyond the range of numbers every constant is alike.
        let range = Ratio::from_integer(1 << 48);
        let units = constant.clamp(-range, range) * Fixed::UNITS;
        let floor = units.floor().to_integer();
        match relation {
            _ if units.is_integer() => Self::CompareConst(relation, number, floor),
            Relation::Less | Relation::LessEqual => Self::CompareConst(Relation::LessEqual, number, floor),
            Relation::Greater | Relation::GreaterEqual => Self::CompareConst(Relation::Greater, number, floor),
            Relation::Equal => Self::Const(false),
            Relation::NotEqual => Self::Const(true),
        }
    }

    /// Whether the condition holds.
    pub(super) fn holds(&self, reader: &impl Reader) -> bool {
        match self {
            Self::Const(value) => *value,
            Self::Compare(relation, left, right) => relation.holds(left.value(reader), right.value(reader)),
            Self::CompareProducts(relation, products) => {
                let exact = |[one, other]: &[Expr; 2]| i128::from(one.value(reader)) * i128::from(other.value(reader));
                let [left, right] = &**products;
                relation.holds(exact(left), exact(right))
            }
            Self::CompareConst(relation, number, constant) => {
                relation.holds(i128::from(number.value(reader)), *constant)
            }
            Self::Not(operand) => !operand.holds(reader),
            Self::And(both) => both.0.holds(reader) && both.1.holds(reader),
            Self::Or(both) => both.0.holds(reader) || both.1.holds(reader),
        }
    }
}

/// Returns the relation with its sides exchanged.
fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        same @ (Relation::Equal | Relation::NotEqual) => same,
    }
}
