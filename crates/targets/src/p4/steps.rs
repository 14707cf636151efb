//! The steps by which a program computes numbers of a packet: 64 bits without sign, which wrap.
//!
//! Both languages that are written here have these operations. Multiplications are sums of shifted numbers, since DPDK's
//! pipeline has none, nor has most hardware.

use crate::headers::Field;
use forebay_lang::ir::Relation;

/// An input of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// A field of the packet's headers, by the mapping.
    Field(Field),
    /// The packet's size in bytes.
    Size,
    /// The packet's arrival time in nanoseconds.
    Arrival,
}

/// A constant, or the result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Constant(u64),
    Step(usize),
}

/// A step; its number is its index in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Input(Input),
    Add(Operand, Operand),
    Sub(Operand, Operand),
    And(Operand, u64),
    Left(Operand, u8),
    Right(Operand, u8),
    Least(Operand, Operand),
    Greatest(Operand, Operand),
    /// The second operand if the first is not 0; otherwise 0.
    If(Operand, Operand),
}

/// A condition on the results of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    Known(bool),
    Compare(Relation, Operand, Operand),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Test {
    /// Returns the conjunction.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(true), test) | (test, Self::Known(true)) => test,
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (one, other) => Self::And(Box::new(one), Box::new(other)),
        }
    }

    /// Returns the disjunction.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), test) | (test, Self::Known(false)) => test,
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (one, other) => Self::Or(Box::new(one), Box::new(other)),
        }
    }

    /// Returns the negation.
    pub(super) fn not(self) -> Self {
        match self {
            Self::Known(known) => Self::Known(!known),
            test => Self::Not(Box::new(test)),
        }
    }
}

/// Steps, each once.
#[derive(Debug, Default)]
pub(super) struct Steps {
    all: Vec<Step>,
}

impl Steps {
    /// Returns all steps, each after its operands.
    pub(super) fn all(&self) -> &[Step] {
        &self.all
    }

    fn step(&mut self, step: Step) -> Operand {
        Operand::Step(self.all.iter().position(|known| *known == step).unwrap_or_else(|| {
            self.all.push(step);
            self.all.len() - 1
        }))
    }

    pub(super) fn input(&mut self, input: Input) -> Operand {
        self.step(Step::Input(input))
    }

    pub(super) fn add(&mut self, one: Operand, other: Operand) -> Operand {
        match (one, other) {
            (Operand::Constant(0), sum) | (sum, Operand::Constant(0)) => sum,
            (Operand::Constant(one), Operand::Constant(other)) => Operand::Constant(one.wrapping_add(other)),
            // A constant is second.
            (Operand::Constant(_), _) => self.step(Step::Add(other, one)),
            _ => self.step(Step::Add(one, other)),
        }
    }

    pub(super) fn sub(&mut self, one: Operand, other: Operand) -> Operand {
        match (one, other) {
            (_, Operand::Constant(0)) => one,
            (Operand::Constant(one), Operand::Constant(other)) => Operand::Constant(one.wrapping_sub(other)),
            _ => self.step(Step::Sub(one, other)),
        }
    }

    pub(super) fn and(&mut self, one: Operand, mask: u64) -> Operand {
        match one {
            Operand::Constant(one) => Operand::Constant(one & mask),
            Operand::Step(_) => self.step(Step::And(one, mask)),
        }
    }

    pub(super) fn left(&mut self, one: Operand, by: u8) -> Operand {
        match (one, by) {
            (_, 0) => one,
            (_, 64..) => Operand::Constant(0),
            (Operand::Constant(one), by) => Operand::Constant(one << by),
            _ => self.step(Step::Left(one, by)),
        }
    }

    pub(super) fn right(&mut self, one: Operand, by: u8) -> Operand {
        match (one, by) {
            (_, 0) => one,
            (_, 64..) => Operand::Constant(0),
            (Operand::Constant(one), by) => Operand::Constant(one >> by),
            _ => self.step(Step::Right(one, by)),
        }
    }

    /// Returns a product, as a sum of shifted numbers.
    pub(super) fn times(&mut self, one: Operand, factor: u64) -> Operand {
        let bits = (0..64).filter(|bit| factor >> bit & 1 == 1);
        bits.fold(Operand::Constant(0), |sum, bit| {
            let shifted = self.left(one, bit);
            self.add(sum, shifted)
        })
    }

    pub(super) fn least(&mut self, one: Operand, other: Operand) -> Operand {
        match (one, other) {
            (Operand::Constant(one), Operand::Constant(other)) => Operand::Constant(one.min(other)),
            (Operand::Constant(_), _) => self.step(Step::Least(other, one)),
            _ => self.step(Step::Least(one, other)),
        }
    }

    pub(super) fn greatest(&mut self, one: Operand, other: Operand) -> Operand {
        match (one, other) {
            (Operand::Constant(one), Operand::Constant(other)) => Operand::Constant(one.max(other)),
            (Operand::Constant(_), _) => self.step(Step::Greatest(other, one)),
            _ => self.step(Step::Greatest(one, other)),
        }
    }

    /// Returns `value` if `test` is not 0; otherwise 0.
    pub(super) fn when(&mut self, test: Operand, value: Operand) -> Operand {
        match test {
            Operand::Constant(0) => Operand::Constant(0),
            Operand::Constant(_) => value,
            Operand::Step(_) => self.step(Step::If(test, value)),
        }
    }
}
