//! A comparator as a truth function of facts about its two objects.
//!
//! There are two kinds of facts. One compares a number of the first object with the same number of the second.
//! The other says which of the two objects pass a test, such as `p.class >= 40`.

use super::comparator_sides::{Side, Sides, of_this, sides, sorted, stripped};
use super::interval::{Interval, decided, interval, interval_where, runs};
use super::separated_sums::separated;
use super::{Arith, Cond, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation};
use crate::number::{Fixed, Ratio};
use std::cmp::Ordering;

/// A truth function of the outcomes of facts.
pub(super) enum Formula {
    Const(bool),
    /// Whether the outcome of a fact is in a set: bit `i` represents outcome `i`.
    Fact(usize, u8),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Returns the truth value for these outcomes, one for each fact.
    pub(super) fn holds(&self, outcomes: &[u8]) -> bool {
        match self {
            Self::Const(value) => *value,
            Self::Fact(fact, set) => set >> outcomes[*fact] & 1 == 1,
            Self::Not(operand) => !operand.holds(outcomes),
            Self::And(left, right) => left.holds(outcomes) && right.holds(outcomes),
            Self::Or(left, right) => left.holds(outcomes) || right.holds(outcomes),
        }
    }
}

/// A number that is read of each of the two objects.
pub(super) struct Fact {
    /// The number in the spelling that was found first.
    value: Num,
    /// The canonical spelling, equal for two spellings of one number.
    normal: Num,
    /// The denominator of a ratio, which is positive.
    over: Option<Num>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// How the two numbers compare.
    Comparison,
    /// Which of the two objects pass a test.
    Test,
}

impl Fact {
    /// Returns the possible results of comparing the first object's number with the second's.
    pub(super) fn outcomes(&self) -> &'static [Ordering] {
        match self.kind {
            Kind::Comparison => &[Ordering::Less, Ordering::Equal, Ordering::Greater],
            // Neither passes, the first, the second, both.
            Kind::Test => &[Ordering::Equal, Ordering::Greater, Ordering::Less, Ordering::Equal],
        }
    }

    /// Returns the number of either object; [`None`] for a ratio, which has no exact number. The number of a test is above 0 if the object
    /// passes, otherwise 0.
    pub(super) fn value(&self) -> Option<&Num> {
        self.over.is_none().then_some(&self.value)
    }
}

/// The facts of a comparator.
#[derive(Default)]
pub(super) struct Facts {
    all: Vec<Fact>,
}

impl Facts {
    /// Splits a comparator into facts. `None` if it has a comparison that is no [`Fact`].
    pub(super) fn of(before: &Cond) -> Option<(Formula, Vec<Fact>)> {
        let mut facts = Self::default();
        let formula = facts.formula(before)?;
        Some((formula, facts.all))
    }

    fn formula(&mut self, cond: &Cond) -> Option<Formula> {
        Some(match cond {
            Cond::Const(value) => Formula::Const(*value),
            Cond::Compare(relation, left, right) => self.compare(*relation, left, right)?,
            Cond::CompareProducts(relation, products) => self.ratios(*relation, products)?,
            Cond::Not(operand) => Formula::Not(Box::new(self.formula(operand)?)),
            Cond::And(left, right) => Formula::And(Box::new(self.formula(left)?), Box::new(self.formula(right)?)),
            Cond::Or(left, right) => Formula::Or(Box::new(self.formula(left)?), Box::new(self.formula(right)?)),
        })
    }

    fn compare(&mut self, relation: Relation, left: &Num, right: &Num) -> Option<Formula> {
        if let Some(always) = decided(relation, left, right, &|_| None) {
            return Some(Formula::Const(always));
        }
        // A difference may be cut, but its sign is right.
        match (left, right) {
            (Num::Arith(Arith::Sub, one, other), right) if *right == zero() && runs(one) && runs(other) => {
                return self.compare(relation, one, other);
            }
            (left, Num::Arith(Arith::Sub, one, other)) if *left == zero() && runs(one) && runs(other) => {
                return self.compare(relation, other, one);
            }
            _ => {}
        }
        match (sides(left), sides(right)) {
            (Sides::One(first), Sides::One(second)) if first != second => {
                let value = of_this(left);
                if sorted(&value) == sorted(&of_this(right)) {
                    return Some(self.comparison(relation, &value, first == Side::Second));
                }
            }
            (Sides::One(side), Sides::None) => return self.test(side, relation, left, right),
            (Sides::None, Sides::One(side)) => return self.test(side, exchanged(relation), right, left),
            (Sides::One(side), Sides::One(_)) => {
                let difference = arith(Arith::Sub, left.clone(), right.clone());
                let signed = runs(left) && runs(right);
                return if signed { self.test(side, relation, &difference, &zero()) } else { None };
            }
            _ => {}
        }
        Some(self.comparison(relation, &separated(left, right)?, false))
    }

    /// Converts `n(a) * d(b) < n(b) * d(a)` into a comparison of two ratios: that of two numbers of the first object with that of the
    /// second. One of the two numbers must be positive for all objects.
    fn ratios(&mut self, relation: Relation, [left, right]: &[[Num; 2]; 2]) -> Option<Formula> {
        let [[n, d], [other_d, other_n]] =
            [left, right].map(|product| product.each_ref().map(|factor| sorted(&of_this(factor))));
        if (&n, &d) != (&other_n, &other_d) {
            return None;
        }
        let (value, over, relation) = match (is_positive(&d), is_positive(&n)) {
            (true, _) => (n, d, relation),
            (false, true) => (d, n, exchanged(relation)),
            (false, false) => return None,
        };
        let fact = self.place(Fact { value: value.clone(), normal: value, over: Some(over), kind: Kind::Comparison });
        Some(Formula::Fact(fact, set(relation)))
    }

    /// Returns a comparison of the first object's number with the second's, or the reverse.
    fn comparison(&mut self, relation: Relation, value: &Num, exchange: bool) -> Formula {
        let (value, reversed) = stripped(value);
        let relation = if exchange == reversed { relation } else { exchanged(relation) };
        if interval(&value).only().is_some() {
            return Formula::Const(relation.holds(0, 0));
        }
        Formula::Fact(self.number_of(value, Kind::Comparison), set(relation))
    }

    /// Returns a test of one object: whether its number has a relation to a constant.
    fn test(&mut self, side: Side, relation: Relation, value: &Num, constant: &Num) -> Option<Formula> {
        let constant = constant.value(&mut |_| Fixed::default());
        let all = interval(value);
        // The numbers are multiples of this.
        let step = if all.whole { Ratio::ONE } else { Fixed(1).exact() };
        let below = (constant / step).floor() * step;
        let at_least = |bound: Ratio| {
            let above = arith(Arith::Sub, of_this(value), Num::Const(bound - step));
            arith(Arith::Min, arith(Arith::Max, above, zero()), Num::Const(step))
        };
        let (passes, test) = match relation {
            Relation::GreaterEqual | Relation::Less => {
                let bound = if below == constant { constant } else { below + step };
                (relation == Relation::GreaterEqual, at_least(bound))
            }
            Relation::Greater | Relation::LessEqual => (relation == Relation::Greater, at_least(below + step)),
            Relation::NotEqual | Relation::Equal if below != constant => {
                return Some(Formula::Const(relation == Relation::NotEqual));
            }
            Relation::NotEqual | Relation::Equal if constant == all.least.exact() => {
                (relation == Relation::NotEqual, at_least(constant + step))
            }
            Relation::NotEqual | Relation::Equal => {
                let above = arith(Arith::Sub, of_this(value), Num::Const(constant));
                let under = arith(Arith::Sub, Num::Const(constant), of_this(value));
                let apart = arith(Arith::Min, arith(Arith::Max, above, under), Num::Const(step));
                (relation == Relation::NotEqual, apart)
            }
        };
        // See the outcomes of a fact: the first passes in 1 and 3, the second in 2 and 3.
        let set = if side == Side::First { 0b1010 } else { 0b1100 };
        let fact = self.number_of(test, Kind::Test);
        Some(Formula::Fact(fact, if passes { set } else { !set & 0b1111 }))
    }

    /// Returns the index of a fact, which may be known already.
    fn number_of(&mut self, value: Num, kind: Kind) -> usize {
        let normal = sorted(&value);
        self.place(Fact { value, normal, over: None, kind })
    }

    fn place(&mut self, fact: Fact) -> usize {
        let is_same = |known: &Fact| (known.kind, &known.normal, &known.over) == (fact.kind, &fact.normal, &fact.over);
        self.all.iter().position(is_same).unwrap_or_else(|| {
            self.all.push(fact);
            self.all.len() - 1
        })
    }
}

/// Whether a number is above zero for all objects. Packets have at least a byte, queues have a positive size, and queues that are compared
/// have packets.
fn is_positive(number: &Num) -> bool {
    let is_size = |read| {
        matches!(
            read,
            Read::Packet(PacketRef::This, PacketField::Size)
                | Read::Queue(QueueRef::This, QueueField::Size | QueueField::CurrSize)
        )
    };
    interval_where(number, &|read| {
        is_size(read).then(|| Interval { least: Fixed::whole(1), ..Interval::of_read(read) })
    })
    .least
        > Fixed(0)
}

/// Returns the outcomes of a comparison for which a relation holds.
fn set(relation: Relation) -> u8 {
    let outcomes = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    let holds = (0..3).filter(|outcome| relation.holds(outcomes[*outcome], Ordering::Equal));
    holds.fold(0, |set, outcome| set | 1 << outcome)
}

fn zero() -> Num {
    Num::Const(Ratio::ZERO)
}

fn arith(arith: Arith, left: Num, right: Num) -> Num {
    Num::Arith(arith, Box::new(left), Box::new(right))
}

/// Returns the relation for exchanged operands.
pub(super) fn exchanged(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Equal | Relation::NotEqual => relation,
    }
}
