//! Products of a number of each object in a comparator: `p1.value * p2.size > p2.value * p1.size`.
//!
//! Such a product can be far beyond 2^47. A clamped product would tie with lesser ones, and the comparator would be no order. So
//! these products are compared exactly (`docs/openqueue-semantics.md`, 4.6).

use super::comparator_sides::{Side, Sides, sides};
use super::{Arith, Cond, Num};
use crate::number::{Fixed, Ratio};

/// Returns the comparator with its products compared exactly.
#[must_use]
pub fn exact_products(before: Cond) -> Cond {
    let both = |left: Cond, right: Cond| (Box::new(exact_products(left)), Box::new(exact_products(right)));
    match before {
        Cond::Compare(relation, left, right) => match (product(&left), product(&right)) {
            (Some(left), Some(right)) => Cond::CompareProducts(relation, Box::new([left, right])),
            _ => Cond::Compare(relation, left, right),
        },
        Cond::Not(operand) => Cond::Not(Box::new(exact_products(*operand))),
        Cond::And(left, right) => {
            let (left, right) = both(*left, *right);
            Cond::And(left, right)
        }
        Cond::Or(left, right) => {
            let (left, right) = both(*left, *right);
            Cond::Or(left, right)
        }
        Cond::Const(_) | Cond::CompareProducts(..) => before,
    }
}

/// Splits a product into the factor of the first object and that of the second. Constants belong to the first.
fn product(number: &Num) -> Option<[Num; 2]> {
    let mut factors = Vec::new();
    collect(number, &mut factors);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for factor in factors {
        match sides(factor) {
            Sides::One(Side::First) => first.push(factor),
            Sides::One(Side::Second) => second.push(factor),
            Sides::None => first.insert(0, factor),
            Sides::Both | Sides::Other => return None,
        }
    }
    let has_first = first.iter().any(|factor| sides(factor) != Sides::None);
    Some([joined(&first).filter(|_| has_first)?, joined(&second)?])
}

fn collect<'a>(number: &'a Num, factors: &mut Vec<&'a Num>) {
    match number {
        Num::Arith(Arith::Mul, left, right) => {
            collect(left, factors);
            collect(right, factors);
        }
        _ => factors.push(number),
    }
}

fn joined(factors: &[&Num]) -> Option<Num> {
    let product = |product: Num, factor: &&Num| Num::Arith(Arith::Mul, Box::new(product), Box::new((*factor).clone()));
    let (first, rest) = factors.split_first()?;
    Some(rest.iter().fold((*first).clone(), product))
}

/// Returns the product of two numbers at run time, in units of 1/2^32: at most 126 bits and a sign.
pub(super) fn exact(factors: [Ratio; 2]) -> i128 {
    let [first, second] = factors.map(|factor| i128::from(Fixed::floor(factor).0));
    first * second
}
