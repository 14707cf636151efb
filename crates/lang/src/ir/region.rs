//! Finds where a condition holds: unions of boxes, each a range for some numbers.
//!
//! A comparison becomes a range of one sum of properties (`q.currSize - b.currSize` at most 0). Dependences between sums are unknown. So a
//! box that seems to have points can be empty, but a box that seems empty never has points.

use super::comparator_sides::sorted;
use super::interval::{Interval, decided, interval_where};
use super::linear::Linear;
use super::{Arith, Cond, Num, Read, Relation};
use crate::number::{Fixed, Ratio};

/// The most boxes of a condition: more than people write.
const MOST_BOXES: usize = 64;

/// The known bounds of a property.
pub(super) type Knowledge<'a> = &'a dyn Fn(Read) -> Option<Interval>;

/// All numbers from one bound to the other; both are multiples of the step of their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: Ratio,
    pub(super) greatest: Ratio,
}

impl Range {
    pub(super) fn is_empty(self) -> bool {
        self.least > self.greatest
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), greatest: self.greatest.min(other.greatest) }
    }

    pub(super) fn contains(self, other: Self) -> bool {
        self.with(other) == other
    }
}

/// A sum of properties.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sum {
    /// Whole factors without a common divisor, each with its number; the first factor is above 0.
    terms: Vec<(i128, Num)>,
    /// All possible values of the sum.
    pub(super) all: Range,
    /// The sum is a multiple of this step.
    pub(super) step: Ratio,
}

impl Sum {
    /// Returns the sum as an expression, for people.
    pub(super) fn number(&self) -> Num {
        let product = |factor: i128, value: &Num| match factor {
            1 => value.clone(),
            _ => Num::Arith(Arith::Mul, Box::new(Num::Const(Ratio::from_integer(factor))), Box::new(value.clone())),
        };
        let sum = self.terms.iter().fold(None, |sum: Option<Num>, (factor, value)| {
            let Some(sum) = sum else { return Some(product(*factor, value)) };
            let arith = if *factor < 0 { Arith::Sub } else { Arith::Add };
            Some(Num::Arith(arith, Box::new(sum), Box::new(product(factor.abs(), value))))
        });
        sum.unwrap_or(Num::Const(Ratio::ZERO))
    }
}

/// A range for each of some sums; other sums can be anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Region {
    pub(super) ranges: Vec<(Sum, Range)>,
}

impl Region {
    /// Returns the possible values of a sum in the region.
    pub(super) fn range(&self, sum: &Sum) -> Range {
        self.ranges.iter().find(|(known, _)| known.terms == sum.terms).map_or(sum.all, |(_, range)| *range)
    }

    /// Returns the region with a narrower range for one sum; `None` if it is empty.
    pub(super) fn narrowed(&self, sum: &Sum, range: Range) -> Option<Self> {
        let mut narrowed = self.clone();
        match narrowed.ranges.iter_mut().find(|(known, _)| known.terms == sum.terms) {
            Some((_, known)) => *known = range,
            None => narrowed.ranges.push((sum.clone(), range)),
        }
        (!range.is_empty()).then_some(narrowed)
    }

    /// Returns the intersection of both regions; `None` if it is empty.
    pub(super) fn with(&self, other: &Self) -> Option<Self> {
        other
            .ranges
            .iter()
            .try_fold(self.clone(), |both, (sum, range)| both.narrowed(sum, both.range(sum).with(*range)))
    }
}

/// Returns the regions where a condition holds; `None` if there are too many.
pub(super) fn regions(cond: &Cond, known: Knowledge<'_>) -> Option<Vec<Region>> {
    where_it_is(cond, true, known)
}

/// Returns the regions where a condition has the value `holds`.
fn where_it_is(cond: &Cond, holds: bool, known: Knowledge<'_>) -> Option<Vec<Region>> {
    match cond {
        Cond::Const(value) => Some(if *value == holds { vec![Region::default()] } else { Vec::new() }),
        Cond::Compare(relation, left, right) => {
            compare(if holds { *relation } else { negated(*relation) }, left, right, known)
        }
        // Only comparators have such products.
        Cond::CompareProducts(..) => None,
        Cond::Not(operand) => where_it_is(operand, !holds, known),
        Cond::And(left, right) | Cond::Or(left, right) => {
            let (left, right) = (where_it_is(left, holds, known)?, where_it_is(right, holds, known)?);
            let both = matches!(cond, Cond::And(..)) == holds;
            let all = if both {
                left.iter().flat_map(|left| right.iter().filter_map(|right| left.with(right))).collect()
            } else {
                [left, right].concat()
            };
            (all.len() <= MOST_BOXES).then_some(all)
        }
    }
}

fn compare(relation: Relation, left: &Num, right: &Num, known: Knowledge<'_>) -> Option<Vec<Region>> {
    let (left, right) = (folded(left, known), folded(right, known));
    if let Some(always) = decided(relation, &left, &right, known) {
        return Some(if always { vec![Region::default()] } else { Vec::new() });
    }
    let (mut terms, constant) = Linear::difference(&left, &right, known)?.scaled();
    for (_, value) in &mut terms {
        *value = sorted(value);
    }
    terms.sort_by_cached_key(|(_, value)| value.to_string());
    let (sign, relation) = match terms.first() {
        Some((factor, _)) if *factor < 0 => (-1, super::facts::exchanged(relation)),
        _ => (1, relation),
    };
    for (factor, _) in &mut terms {
        *factor *= sign;
    }
    let sum = sum_of(terms, known);
    let bound = -constant * sign;
    let below = (bound / sum.step).floor() * sum.step;
    let above = (bound / sum.step).ceil() * sum.step;
    let up = |least: Ratio| Range { least, ..sum.all };
    let down = |greatest: Ratio| Range { greatest, ..sum.all };
    let ranges = match relation {
        Relation::Less => vec![down(above - sum.step)],
        Relation::LessEqual => vec![down(below)],
        Relation::Greater => vec![up(below + sum.step)],
        Relation::GreaterEqual => vec![up(above)],
        Relation::Equal => vec![Range { least: above, greatest: below }],
        Relation::NotEqual => vec![down(above - sum.step), up(below + sum.step)],
    };
    Some(ranges.iter().filter_map(|range| Region::default().narrowed(&sum, range.with(sum.all))).collect())
}

fn sum_of(terms: Vec<(i128, Num)>, known: Knowledge<'_>) -> Sum {
    let mut all = Range { least: Ratio::ZERO, greatest: Ratio::ZERO };
    let mut whole = true;
    for (factor, value) in &terms {
        let interval = interval_where(value, known);
        let ends = [interval.least, interval.greatest].map(|end| end.exact() * factor);
        all.least += ends[0].min(ends[1]);
        all.greatest += ends[0].max(ends[1]);
        whole &= interval.whole;
    }
    Sum { terms, all, step: if whole { Ratio::ONE } else { Fixed(1).exact() } }
}

/// Replaces the parts of a number that are known exactly by constants.
fn folded(number: &Num, known: Knowledge<'_>) -> Num {
    let constant = |number: &Num| match number {
        Num::Const(value) => Some(*value),
        _ => None,
    };
    match number {
        Num::Const(_) => number.clone(),
        Num::Read(read) => match known(*read).and_then(Interval::only) {
            Some(value) => Num::Const(value.exact()),
            None => number.clone(),
        },
        Num::Neg(operand) => {
            let operand = folded(operand, known);
            match constant(&operand) {
                Some(value) => Num::Const(Fixed::floor(-value).exact()),
                None => Num::Neg(Box::new(operand)),
            }
        }
        Num::Arith(arith, left, right) => {
            let (left, right) = (folded(left, known), folded(right, known));
            match (constant(&left), constant(&right)) {
                (Some(left), Some(right)) => Num::Const(Fixed::floor(arith.exact(left, right)).exact()),
                _ => Num::Arith(*arith, Box::new(left), Box::new(right)),
            }
        }
    }
}

fn negated(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::GreaterEqual,
        Relation::LessEqual => Relation::Greater,
        Relation::Greater => Relation::LessEqual,
        Relation::GreaterEqual => Relation::Less,
        Relation::Equal => Relation::NotEqual,
        Relation::NotEqual => Relation::Equal,
    }
}
