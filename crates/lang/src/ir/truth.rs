//! Decides whether a condition holds for all numbers within known bounds.

use super::interval::decided;
use super::{Cond, Interval, Read};

/// Returns whether a condition holds, if the bounds of its numbers decide it.
pub(super) fn truth(cond: &Cond, known: &dyn Fn(Read) -> Option<Interval>) -> Option<bool> {
    match cond {
        Cond::Const(value) => Some(*value),
        Cond::Compare(relation, left, right) => decided(*relation, left, right, known),
        Cond::CompareProducts(..) => None,
        Cond::Not(operand) => truth(operand, known).map(|value| !value),
        Cond::And(left, right) => match (truth(left, known), truth(right, known)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Cond::Or(left, right) => match (truth(left, known), truth(right, known)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
    }
}
