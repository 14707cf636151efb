//! Cases of a condition that never act, or that overlap with an earlier one (section III-C).
//!
//! Only proved facts are reported: a case that never holds, and a case that never acts, since earlier cases always hold first.
//! "It is best if the conditions are mutually exclusive" (III-C), but a threshold below a higher one, as in RED (III-D), is how
//! cases are meant to be used. So an overlap is reported only if both cases are about the same numbers, and for one of these
//! numbers each case has a part that the other has not.

use super::region::{Knowledge, Range, Region, Sum, regions};
use super::{BufferField, BufferRef, Condition, Interval, Num, QueueField, QueueRef, Read};
use crate::number::Ratio;
use forebay_core::BufferSize;

/// The most boxes that are examined for one case.
const MOST_STEPS: usize = 2_000;

/// A finding on a case of a condition; cases are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// The case never holds.
    Never {
        /// The case.
        case: usize,
    },
    /// The case never acts: whenever it holds, an earlier one does.
    Hidden {
        /// The case.
        case: usize,
        /// The earlier case that alone hides it, or several that hide it together.
        by: Vec<usize>,
    },
    /// Two cases can hold at once, but neither implies the other; then the earlier one acts.
    Overlap {
        /// The case.
        case: usize,
        /// The earlier case.
        earlier: usize,
        /// The number whose ranges in the two cases overlap in part.
        number: Num,
        /// The least number for which both can hold.
        least: Ratio,
        /// The greatest number for which both can hold.
        greatest: Ratio,
    },
}

/// Returns the findings on the cases of a condition, by case.
///
/// `known` bounds properties more tightly than their types do, such as by sizes (see [`sized`]).
#[must_use]
pub fn findings(condition: &Condition, known: &dyn Fn(Read) -> Option<Interval>) -> Vec<Finding> {
    let mut found = Vec::new();
    // Where earlier cases hold; empty for those of which that is not known.
    let mut earlier: Vec<Vec<Region>> = Vec::new();
    for (case, when) in condition.cases.iter().map(|case| &case.when).enumerate() {
        let here = regions(when, known as Knowledge<'_>);
        match &here {
            Some(here) if here.is_empty() => found.push(Finding::Never { case }),
            Some(here) => match hidden(here, &earlier) {
                Some(by) => found.push(Finding::Hidden { case, by }),
                None => found.extend((0..case).filter_map(|other| overlap(case, here, other, &earlier[other]))),
            },
            None => {}
        }
        earlier.push(here.unwrap_or_default());
    }
    found
}

/// Returns the bounds from the size of the queue or buffer that a condition belongs to, for [`findings`].
pub fn sized(size: BufferSize) -> impl Fn(Read) -> Option<Interval> {
    let (BufferSize::Packets(size) | BufferSize::Bytes(size)) = size;
    move |read| match read {
        Read::Queue(QueueRef::This, QueueField::Size) | Read::Buffer(BufferRef::This, BufferField::Size) => {
            let all = Interval::up_to(size);
            Some(Interval { least: all.greatest, ..all })
        }
        _ => None,
    }
}

/// Returns the earlier cases that together cover a case.
fn hidden(here: &[Region], earlier: &[Vec<Region>]) -> Option<Vec<usize>> {
    let covered = |cases: &[usize]| {
        let cover: Vec<&Region> = cases.iter().flat_map(|case| &earlier[*case]).collect();
        let mut steps = MOST_STEPS;
        here.iter().all(|region| is_covered(region, &cover, &mut steps))
    };
    if let Some(one) = (0..earlier.len()).find(|case| covered(&[*case])) {
        return Some(vec![one]);
    }
    let mut all: Vec<usize> = (0..earlier.len()).collect();
    if !covered(&all) {
        return None;
    }
    // Leave out those without which the others do.
    for case in 0..earlier.len() {
        let others: Vec<usize> = all.iter().copied().filter(|other| *other != case).collect();
        if covered(&others) {
            all = others;
        }
    }
    Some(all)
}

/// Whether others cover all of a region; `false` also if the check takes too long.
fn is_covered(region: &Region, cover: &[&Region], steps: &mut usize) -> bool {
    let Some((first, rest)) = cover.split_first() else { return false };
    *steps = steps.saturating_sub(1);
    if *steps == 0 {
        return false;
    }
    if region.with(first).is_none() {
        return is_covered(region, rest, steps);
    }
    // What is left on both sides of each range of the first must be in the rest.
    let mut inside = region.clone();
    for (sum, range) in &first.ranges {
        let now = inside.range(sum);
        let sides = [
            Range { greatest: now.greatest.min(range.least - sum.step), ..now },
            Range { least: now.least.max(range.greatest + sum.step), ..now },
        ];
        for side in sides {
            if inside.narrowed(sum, side).is_some_and(|side| !is_covered(&side, rest, steps)) {
                return false;
            }
        }
        match inside.narrowed(sum, now.with(*range)) {
            Some(narrowed) => inside = narrowed,
            None => return true,
        }
    }
    true
}

/// Returns an overlap that may be a mistake.
fn overlap(case: usize, here: &[Region], earlier: usize, there: &[Region]) -> Option<Finding> {
    let ([here], [there]) = (here, there) else { return None };
    let same = here.ranges.len() == there.ranges.len();
    let both = here.with(there).filter(|both| same && both.ranges.len() == here.ranges.len())?;
    let partly = |(sum, _): &&(Sum, Range)| {
        let (one, other) = (here.range(sum), there.range(sum));
        !one.contains(other) && !other.contains(one)
    };
    let (sum, range) = both.ranges.iter().find(partly)?;
    Some(Finding::Overlap { case, earlier, number: sum.number(), least: range.least, greatest: range.greatest })
}
