//! Numbers as hardware: a netlist of operations on whole numbers. Each operation knows the bounds of its result, and so
//! how many bits it needs.
//!
//! Nothing is rounded, clamped or lost here: if the language rounds, there is an operation that rounds. Constants are
//! folded, and equal expressions are computed once.

use std::collections::HashMap;

/// A node of a netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(pub(super) usize);

/// The operation of a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A signal, named as in SystemVerilog.
    Input {
        text: String,
        signed: bool,
    },
    /// A known number.
    Const(i128),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    Min(Id, Id),
    Max(Id, Id),
    /// The product with a power of two.
    Up(Id, u32),
    /// The quotient by a power of two, rounded down.
    Down(Id, u32),
    /// The quotient and the remainder of non-negative numbers; the divisor is at least 1.
    Quotient(Id, Id),
    Rest(Id, Id),
    /// 1 if the first is less than the second, otherwise 0.
    Less(Id, Id),
    Equal(Id, Id),
    Not(Id),
    And(Id, Id),
    Or(Id, Id),
    /// The same number with tighter bounds, which are known otherwise.
    Within(Id, i128, i128),
    /// The second operand if the first is 1, otherwise the third.
    Choose(Id, Id, Id),
}

impl Op {
    /// Returns the operands.
    pub(super) fn operands(&self) -> Vec<Id> {
        match *self {
            Self::Input { .. } | Self::Const(_) => Vec::new(),
            Self::Up(one, _) | Self::Down(one, _) | Self::Not(one) | Self::Within(one, ..) => vec![one],
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Min(a, b) | Self::Max(a, b) => vec![a, b],
            Self::Quotient(a, b) | Self::Rest(a, b) | Self::Less(a, b) | Self::Equal(a, b) => vec![a, b],
            Self::And(a, b) | Self::Or(a, b) => vec![a, b],
            Self::Choose(a, b, c) => vec![a, b, c],
        }
    }

    /// Whether the result is a truth value.
    pub(super) fn is_truth(&self) -> bool {
        matches!(self, Self::Less(..) | Self::Equal(..) | Self::Not(_) | Self::And(..) | Self::Or(..))
    }

    /// Returns the result for these operands.
    fn result(&self, of: &[i128]) -> Option<i128> {
        let truth = |holds: bool| Some(i128::from(holds));
        match (self, of) {
            (Self::Const(value), []) => Some(*value),
            (Self::Add(..), [a, b]) => a.checked_add(*b),
            (Self::Sub(..), [a, b]) => a.checked_sub(*b),
            (Self::Mul(..), [a, b]) => a.checked_mul(*b),
            (Self::Min(..), [a, b]) => Some(*a.min(b)),
            (Self::Max(..), [a, b]) => Some(*a.max(b)),
            (Self::Up(_, by), [a]) => a.checked_mul(1_i128.checked_shl(*by).filter(|factor| *factor > 0)?),
            (Self::Down(_, by), [a]) => Some(a >> by.min(&127)),
            (Self::Quotient(..), [a, b]) => a.checked_div(*b),
            (Self::Rest(..), [a, b]) => a.checked_rem(*b),
            (Self::Less(..), [a, b]) => truth(a < b),
            (Self::Equal(..), [a, b]) => truth(a == b),
            (Self::Within(..), [a]) => Some(*a),
            (Self::Not(_), [a]) => truth(*a == 0),
            (Self::And(..), [a, b]) => truth(*a != 0 && *b != 0),
            (Self::Or(..), [a, b]) => truth(*a != 0 || *b != 0),
            (Self::Choose(..), [a, b, c]) => Some(if *a != 0 { *b } else { *c }),
            _ => None,
        }
    }
}

/// The numbers between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: i128,
    pub(super) greatest: i128,
}

impl Range {
    pub(super) fn new(least: i128, greatest: i128) -> Self {
        Self { least, greatest }
    }

    /// Returns the bits of a signed number that holds all of them.
    pub(super) fn bits(self) -> u32 {
        let of = |value: i128| 129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() };
        of(self.least).max(of(self.greatest))
    }

    fn only(self) -> Option<i128> {
        (self.least == self.greatest).then_some(self.least)
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

/// A number needs more than 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooWide;

/// A netlist.
#[derive(Debug, Default)]
pub(super) struct Net {
    nodes: Vec<(Op, Range)>,
    known: HashMap<Op, Id>,
}

impl Net {
    pub(super) fn op(&self, id: Id) -> &Op {
        &self.nodes[id.0].0
    }

    pub(super) fn range(&self, id: Id) -> Range {
        self.nodes[id.0].1
    }

    /// Returns all nodes, each after its operands.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len()).map(Id)
    }

    /// Returns the value of a constant node.
    pub(super) fn constant(&self, id: Id) -> Option<i128> {
        self.range(id).only()
    }

    pub(super) fn number(&mut self, value: i128) -> Id {
        self.put(Op::Const(value), Range::new(value, value))
    }

    /// Adds a signal with known bounds.
    pub(super) fn input(&mut self, text: &str, signed: bool, range: Range) -> Id {
        match range.only() {
            Some(value) => self.number(value),
            None => self.put(Op::Input { text: text.to_owned(), signed }, range),
        }
    }

    /// Adds an operation.
    pub(super) fn add(&mut self, op: Op) -> Result<Id, TooWide> {
        let ranges: Vec<Range> = op.operands().into_iter().map(|id| self.range(id)).collect();
        let range = bounds(&op, &ranges).ok_or(TooWide)?;
        if let Some(value) = range.only() {
            return Ok(self.number(value));
        }
        Ok(match op {
            Op::Choose(which, first, second) => match self.constant(which) {
                Some(0) => second,
                Some(_) => first,
                None => self.put(op, range),
            },
            Op::And(a, b) if self.constant(a) == Some(1) => b,
            Op::And(a, b) if self.constant(b) == Some(1) => a,
            Op::Or(a, b) if self.constant(a) == Some(0) => b,
            Op::Or(a, b) if self.constant(b) == Some(0) => a,
            Op::Add(a, b) if self.constant(a) == Some(0) => b,
            Op::Add(a, b) | Op::Sub(a, b) if self.constant(b) == Some(0) => a,
            Op::Mul(a, b) if self.constant(a) == Some(1) => b,
            Op::Mul(a, b) | Op::Quotient(a, b) if self.constant(b) == Some(1) => a,
            Op::Up(a, 0) | Op::Down(a, 0) => a,
            Op::Mul(a, b) if let Some(by) = self.power(b) => self.put(Op::Up(a, by), range),
            Op::Mul(a, b) if let Some(by) = self.power(a) => self.put(Op::Up(b, by), range),
            Op::Min(a, _) if ranges[0].greatest <= ranges[1].least => a,
            Op::Min(_, b) if ranges[1].greatest <= ranges[0].least => b,
            Op::Max(a, _) if ranges[0].least >= ranges[1].greatest => a,
            Op::Max(_, b) if ranges[1].least >= ranges[0].greatest => b,
            op => self.put(op, range),
        })
    }

    /// Returns the exponent of a constant that is a power of two.
    fn power(&self, id: Id) -> Option<u32> {
        self.constant(id).filter(|value| value.count_ones() == 1 && *value > 0).map(i128::trailing_zeros)
    }

    fn put(&mut self, op: Op, range: Range) -> Id {
        if let Some(id) = self.known.get(&op) {
            return *id;
        }
        let id = Id(self.nodes.len());
        self.nodes.push((op.clone(), range));
        self.known.insert(op, id);
        id
    }

    /// Returns these nodes and all nodes that they depend on, each after its operands.
    pub(super) fn needed(&self, for_these: &[Id]) -> Vec<Id> {
        let mut wanted = vec![false; self.nodes.len()];
        for_these.iter().for_each(|id| wanted[id.0] = true);
        for place in (0..self.nodes.len()).rev() {
            if wanted[place] {
                self.nodes[place].0.operands().iter().for_each(|id| wanted[id.0] = true);
            }
        }
        self.ids().filter(|id| wanted[id.0]).collect()
    }
}

/// Returns the bounds of a result.
fn bounds(op: &Op, of: &[Range]) -> Option<Range> {
    let ends = |range: &Range| [range.least, range.greatest];
    let corners = || -> Option<Range> {
        let values: Option<Vec<i128>> = match of {
            [a] => ends(a).iter().map(|a| op.result(&[*a])).collect(),
            [a, b] => ends(a).iter().flat_map(|a| ends(b).map(|b| op.result(&[*a, b]))).collect(),
            _ => None,
        };
        let values = values?;
        Some(Range::new(*values.iter().min()?, *values.iter().max()?))
    };
    let truth = |always: bool, never: bool| Some(Range::new(always.into(), (!never).into()));
    match (op, of) {
        (Op::Rest(..), [a, b]) => {
            let most = a.greatest.min(b.greatest - 1);
            Some(if a.greatest < b.least { *a } else { Range::new(0, most.max(0)) })
        }
        (Op::Within(_, least, greatest), [a]) => Some(Range::new(a.least.max(*least), a.greatest.min(*greatest))),
        (Op::Less(..), [a, b]) => truth(a.greatest < b.least, a.least >= b.greatest),
        (Op::Equal(..), [a, b]) => {
            let both = a.only().is_some() && a.only() == b.only();
            truth(both, a.greatest < b.least || a.least > b.greatest)
        }
        (Op::Choose(..), [which, b, c]) => Some(match which.only() {
            Some(0) => *c,
            Some(_) => *b,
            None => b.with(*c),
        }),
        _ => corners(),
    }
}

#[cfg(test)]
impl Net {
    /// Returns the values of all nodes for these inputs.
    pub(super) fn values(&self, input: &dyn Fn(&str) -> i128) -> Vec<i128> {
        let mut values: Vec<i128> = Vec::new();
        for (op, range) in &self.nodes {
            let of: Vec<i128> = op.operands().iter().map(|id| values[id.0]).collect();
            let value = match op {
                Op::Input { text, .. } => input(text),
                op => op.result(&of).unwrap(),
            };
            assert!(range.least <= value && value <= range.greatest, "{op:?} of {of:?} is {value}, not in {range:?}");
            values.push(value);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_bits_that_they_need() {
        for (least, greatest, bits) in [(0, 0, 1), (0, 1, 2), (-1, 0, 1), (-2, 1, 2), (0, 127, 8), (-129, 127, 9)] {
            assert_eq!(Range::new(least, greatest).bits(), bits, "{least} to {greatest}");
        }
    }

    #[test]
    fn what_is_known_is_folded() {
        let mut net = Net::default();
        let count = net.input("count", false, Range::new(0, 9));
        let nine = net.number(9);
        let above = net.add(Op::Less(nine, count)).unwrap();
        assert_eq!(net.constant(above), Some(0));
        let full = net.add(Op::Equal(nine, count)).unwrap();
        assert_eq!(net.constant(full), None);
        assert_eq!(net.add(Op::And(full, above)).unwrap(), above);
        assert_eq!(net.add(Op::Equal(nine, count)).unwrap(), full);
        assert_eq!(net.add(Op::Min(count, nine)).unwrap(), count);
        assert_eq!(net.add(Op::Max(count, nine)).unwrap(), nine);
    }

    #[test]
    fn what_is_too_wide_is_said() {
        let mut net = Net::default();
        let wide = net.input("wide", true, Range::new(-(1 << 63), (1 << 63) - 1));
        let product = net.add(Op::Mul(wide, wide)).unwrap_or(wide);
        assert_eq!(net.add(Op::Mul(product, wide)), Err(TooWide));
    }
}
