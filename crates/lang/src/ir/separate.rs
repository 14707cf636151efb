//! Sums that mix both objects of a comparator, such as `p1.arrival - p2.arrival < p2.slack - p1.slack`.
//!
//! Where nothing is rounded or cut, what belongs to the first object can be brought to one side, and what belongs
//! to the second to the other. If both are the same expression, it is a key.

use super::interval::{interval, is_exact};
use super::mirror::{Side, Sides, of_this, sides, sorted};
use super::{Arith, Num};
use crate::number::{Fixed, Ratio};

/// A number of one object that compares as `left` does with `right`, if the object is the first on its left side.
///
/// `None` if there is none, or an operation might not be exact (`docs/openqueue-semantics.md`, section 3).
pub(super) fn separated(left: &Num, right: &Num) -> Option<Num> {
    let mut sum = Sum { terms: Vec::new(), constant: Ratio::ZERO };
    sum.add(left, Ratio::ONE)?;
    sum.add(right, -Ratio::ONE)?;
    if sum.constant != Ratio::ZERO || sum.terms.iter().any(|term| term.factors[0] != -term.factors[1]) {
        return None;
    }
    let mut terms: Vec<(Ratio, Num)> = sum.terms.into_iter().map(|term| (term.factors[0], term.value)).collect();
    terms.retain(|(factor, _)| *factor != Ratio::ZERO);
    // Whole factors without a common divisor.
    let scale = terms.iter().fold(Ratio::ONE, |scale, (factor, _)| scale * *(factor * scale).denom());
    let divisor = terms.iter().fold(0, |divisor, (factor, _)| gcd(divisor, (factor * scale).to_integer()));
    let mut terms: Vec<(i128, Num)> =
        terms.into_iter().map(|(factor, value)| ((factor * scale).to_integer() / divisor, value)).collect();
    // Subtractions last.
    terms.sort_by_key(|(factor, _)| *factor < 0);
    key(&terms)
}

/// The sum of terms with whole factors, if it can be had without being rounded or cut.
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
            let exact = is_exact(&sum) && is_exact(product);
            if place == 0 && *offset != Ratio::ZERO {
                sum = Num::Arith(Arith::Sub, Box::new(sum), Box::new(Num::Const(*offset)));
            }
            if !exact || !is_exact(&sum) {
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

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one.abs().max(1) } else { gcd(other, one % other) }
}

/// A sum of numbers of the two objects.
struct Sum {
    terms: Vec<Term>,
    constant: Ratio,
}

struct Term {
    value: Num,
    normal: Num,
    /// Of the first object, and of the second.
    factors: [Ratio; 2],
}

impl Sum {
    /// Larger factors are not worth it: their products might not fit.
    const LARGEST_FACTOR: u128 = 1 << 20;

    fn add(&mut self, number: &Num, factor: Ratio) -> Option<()> {
        if factor.numer().unsigned_abs().max(factor.denom().unsigned_abs()) > Self::LARGEST_FACTOR {
            return None;
        }
        match number {
            Num::Const(constant) if Fixed::floor(*constant).exact() == *constant => self.constant += factor * constant,
            Num::Neg(operand) if is_exact(number) => self.add(operand, -factor)?,
            Num::Arith(Arith::Add, left, right) if is_exact(number) => {
                self.add(left, factor)?;
                self.add(right, factor)?;
            }
            Num::Arith(Arith::Sub, left, right) if is_exact(number) => {
                self.add(left, factor)?;
                self.add(right, -factor)?;
            }
            Num::Arith(Arith::Mul, left, right) if is_exact(number) => match (&**left, &**right) {
                (Num::Const(constant), other) | (other, Num::Const(constant))
                    if constant.numer().unsigned_abs() <= Self::LARGEST_FACTOR =>
                {
                    self.add(other, factor * constant)?;
                }
                _ => self.term(number, factor)?,
            },
            _ => self.term(number, factor)?,
        }
        Some(())
    }

    /// A term that is not taken apart: it must be of one object.
    fn term(&mut self, number: &Num, factor: Ratio) -> Option<()> {
        let Sides::One(side) = sides(number) else { return None };
        let value = of_this(number);
        let normal = sorted(&value);
        let place = self.terms.iter().position(|term| term.normal == normal).unwrap_or_else(|| {
            self.terms.push(Term { value, normal, factors: [Ratio::ZERO; 2] });
            self.terms.len() - 1
        });
        self.terms[place].factors[usize::from(side == Side::Second)] += factor;
        Some(())
    }
}
