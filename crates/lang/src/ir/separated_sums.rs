//! Sums that mix both objects of a comparator, such as `p1.arrival - p2.arrival < p2.slack - p1.slack`.
//!
//! If no step rounds or clamps, the terms of the first object can be moved to one side, and the terms of the second to the other. If both
//! sides are the same expression, it is a key.

use super::comparator_sides::{Side, Sides, of_this, sides, sorted};
use super::interval::{interval, is_exact};
use super::linear::Linear;
use super::{Arith, Num};
use crate::number::{Fixed, Ratio};

/// Returns a number of one object that compares as `left` does with `right`, if the object is the first on its left side.
///
/// `None` if no such number exists, or an operation might not be exact (`docs/openqueue-semantics.md`, section 3).
pub(super) fn separated(left: &Num, right: &Num) -> Option<Num> {
    let (sum, constant) = Linear::difference(left, right, &|_| None)?.scaled();
    let mut terms: Vec<(i128, Num)> = Vec::new();
    let mut others: Vec<(i128, Num)> = Vec::new();
    for (factor, value) in sum {
        match sides(&value) {
            Sides::One(Side::First) => terms.push((factor, of_this(&value))),
            Sides::One(Side::Second) => others.push((-factor, sorted(&of_this(&value)))),
            _ => return None,
        }
    }
    let mirrored = |(factor, value): &(i128, Num)| others.contains(&(*factor, sorted(value)));
    if constant != Ratio::ZERO || terms.len() != others.len() || !terms.iter().all(mirrored) {
        return None;
    }
    // Subtractions last.
    terms.sort_by_key(|(factor, _)| *factor < 0);
    key(&terms)
}

/// Returns the sum of terms with whole factors, if no step rounds or clamps it.
fn key(terms: &[(i128, Num)]) -> Option<Num> {
    let products: Vec<(bool, Num)> =
        terms.iter().map(|(factor, value)| (*factor < 0, product(*factor, value))).collect();
    // The least sum: without a constant the sum could be cut, though the comparator was not.
    let least = products.iter().fold(Ratio::ZERO, |least, (negative, product)| {
        let all = interval(product);
        if *negative { least - all.greatest.exact() } else { least + all.least.exact() }
    });
    [Ratio::ZERO, least - Fixed(i64::MIN).exact()].iter().find_map(|offset| {
        let mut sum = Num::Const(Ratio::ZERO);
        for (place, (negative, product)) in products.iter().enumerate() {
            sum = match (place, *negative) {
                (0, false) => product.clone(),
                (0, true) => Num::Neg(Box::new(product.clone())),
                (_, false) => Num::Arith(Arith::Add, Box::new(sum), Box::new(product.clone())),
                (_, true) => Num::Arith(Arith::Sub, Box::new(sum), Box::new(product.clone())),
            };
            let exact = is_exact(&sum, &|_| None) && is_exact(product, &|_| None);
            if place == 0 && *offset != Ratio::ZERO {
                sum = Num::Arith(Arith::Sub, Box::new(sum), Box::new(Num::Const(*offset)));
            }
            if !exact || !is_exact(&sum, &|_| None) {
                return None;
            }
        }
        Some(sum)
    })
}

fn product(factor: i128, value: &Num) -> Num {
    match factor.abs() {
        1 => value.clone(),
        factor => Num::Arith(Arith::Mul, Box::new(Num::Const(Ratio::from_integer(factor))), Box::new(value.clone())),
    }
}
