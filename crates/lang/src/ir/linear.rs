//! Sums of terms with constant factors, where no step rounds or clamps.

use super::comparator_sides::sorted;
use super::interval::{Interval, is_exact};
use super::{Arith, Num, Read};
use crate::number::{Fixed, Ratio};

/// An exact sum.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// The sum's terms, each once.
    pub(super) terms: Vec<Term>,
    /// The constant term.
    pub(super) constant: Ratio,
}

/// A number at run time, times a constant.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// The number in the spelling that was found first.
    pub(super) value: Num,
    /// The canonical spelling, equal for two spellings of one number.
    pub(super) normal: Num,
    pub(super) factor: Ratio,
}

impl Linear {
    /// The largest factor that is split off: products of larger ones might not fit.
    const LARGEST_FACTOR: u128 = 1 << 20;

    /// Returns `left` minus `right`.
    ///
    /// Operations that might round or clamp (`docs/openqueue-semantics.md`, section 3) are kept within a term. `None` if there are too many
    /// constants, or if they are too large.
    pub(super) fn difference(left: &Num, right: &Num, known: &dyn Fn(Read) -> Option<Interval>) -> Option<Self> {
        let mut sum = Self { terms: Vec::new(), constant: Ratio::ZERO };
        sum.add(left, Ratio::ONE, known)?;
        sum.add(right, -Ratio::ONE, known)?;
        sum.terms.retain(|term| term.factor != Ratio::ZERO);
        Some(sum)
    }

    /// Multiplies the sum by a positive number, so that its factors are whole and have no common divisor.
    ///
    /// Returns the terms and the constant.
    pub(super) fn scaled(self) -> (Vec<(i128, Num)>, Ratio) {
        let scale = self.terms.iter().fold(Ratio::ONE, |scale, term| scale * *(term.factor * scale).denom());
        let whole = |factor: Ratio| (factor * scale).to_integer();
        let divisor = self.terms.iter().fold(0, |divisor, term| gcd(divisor, whole(term.factor))).max(1);
        let terms = self.terms.into_iter().map(|term| (whole(term.factor) / divisor, term.value)).collect();
        (terms, self.constant * scale / divisor)
    }

    fn add(&mut self, number: &Num, factor: Ratio, known: &dyn Fn(Read) -> Option<Interval>) -> Option<()> {
        let large =
            |ratio: &Ratio| ratio.numer().unsigned_abs().max(ratio.denom().unsigned_abs()) > Self::LARGEST_FACTOR;
        if large(&factor) {
            return None;
        }
        match number {
            Num::Const(constant) if Fixed::floor(*constant).exact() == *constant => self.constant += factor * constant,
            Num::Const(constant) if !large(constant) => self.constant += factor * constant,
            Num::Const(_) => return None,
            Num::Neg(operand) if is_exact(number, known) => self.add(operand, -factor, known)?,
            Num::Arith(Arith::Add, left, right) if is_exact(number, known) => {
                self.add(left, factor, known)?;
                self.add(right, factor, known)?;
            }
            Num::Arith(Arith::Sub, left, right) if is_exact(number, known) => {
                self.add(left, factor, known)?;
                self.add(right, -factor, known)?;
            }
            Num::Arith(Arith::Mul, left, right) if is_exact(number, known) => match (&**left, &**right) {
                (Num::Const(constant), other) | (other, Num::Const(constant)) if !large(constant) => {
                    self.add(other, factor * constant, known)?;
                }
                _ => self.term(number, factor),
            },
            _ => self.term(number, factor),
        }
        Some(())
    }

    fn term(&mut self, number: &Num, factor: Ratio) {
        let normal = sorted(number);
        match self.terms.iter_mut().find(|term| term.normal == normal) {
            Some(term) => term.factor += factor,
            None => self.terms.push(Term { value: number.clone(), normal, factor }),
        }
    }
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one.abs() } else { gcd(other, one % other) }
}
