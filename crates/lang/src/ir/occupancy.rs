//! Bounds the contents of a queue or buffer under its congestion condition (`docs/openqueue-semantics.md`, 6.9).

use super::cases::sized;
use super::interval::interval_where;
use super::region::{Region, regions};
use super::{Action, BufferField, BufferRef, Case, Condition, Num, QueueField, QueueRef, Read};
use crate::number::Fixed;
use forebay_core::BufferSize;

/// More than any occupancy.
const MOST: u64 = i64::MAX as u64;

/// Returns the greatest occupancy of a queue or buffer after an arrival was judged, in the unit of `size`; at most `size`.
///
/// `condition` is the one of the queue or buffer, and refers to it as `This`. The bound is safe: if a case depends on more than the
/// occupancy, both outcomes are considered. Packets that a change of policy has left there are not counted (8.3).
#[must_use]
pub fn holds_at_most(condition: &Condition, size: BufferSize) -> u64 {
    let cases: Vec<Effect> = condition.cases.iter().map(|case| Effect::of(case, size)).collect();
    match size {
        BufferSize::Packets(size) => {
            // Occupancies grow by one, so that the first from which one is dropped is never passed.
            let first =
                segments(&cases, size).into_iter().find(|segment| segment.1 >= 1 && dropped(&cases, *segment, true));
            first.map_or(size, |(least, _)| least.max(1) - 1).min(size)
        }
        BufferSize::Bytes(size) => {
            let segments = segments(&cases, size);
            let kept = segments.iter().filter(|segment| !dropped(&cases, **segment, false));
            let left = (0..cases.len()).flat_map(|case| left(&cases, case, &segments));
            let fits = |(least, greatest): (u64, u64)| (least <= size).then_some(greatest.min(size));
            kept.copied().chain(left).filter_map(fits).max().unwrap_or(0)
        }
    }
}

/// A range of occupancies for all of which the same cases hold.
type Segment = (u64, u64);

/// Returns all occupancies as segments, in ascending order.
fn segments(cases: &[Effect], size: u64) -> Vec<Segment> {
    let ends = cases.iter().flat_map(|case| case.ranges.iter().map(|range| (range.least, range.greatest)));
    let mut starts: Vec<u64> = ends.flat_map(|(least, greatest)| [least, greatest.saturating_add(1)]).collect();
    starts.extend([0, size.saturating_add(1)]);
    starts.retain(|start| *start < MOST);
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).map(|next| next - 1).chain([MOST]);
    starts.iter().copied().zip(ends).collect()
}

/// Whether an arrival has a victim at these occupancies, whatever else holds.
///
/// `by_one` says whether a case that drops a single packet counts.
fn dropped(cases: &[Effect], segment: Segment, by_one: bool) -> bool {
    for case in cases {
        let counts = case.drops && (case.lifted || by_one);
        if counts && case.must(segment) {
            return true;
        }
        if !counts && case.may(segment) {
            return false;
        }
    }
    false
}

/// Returns the occupancies that a case that drops can leave: those where it does not hold, if it repeats, whatever other cases do then.
///
/// The bytes of an arrival can raise the occupancy to any higher one, and those of a victim can lower it again.
fn left(cases: &[Effect], case: usize, segments: &[Segment]) -> Vec<Segment> {
    let effect = &cases[case];
    let acts = |segment: &&Segment| effect.may(**segment) && !cases[..case].iter().any(|case| case.must(**segment));
    let Some((_, top)) = segments.iter().rev().find(acts).filter(|_| effect.may_drop) else { return Vec::new() };
    let until = effect.drops && effect.lifted;
    let below = segments.iter().filter(|segment| segment.0 < *top && !(until && effect.must(**segment)));
    below.map(|(least, greatest)| (*least, *greatest.min(&(top - 1)))).collect()
}

/// The effect of a case, by occupancy.
struct Effect {
    ranges: Vec<Range>,
    /// Whether the case may drop.
    may_drop: bool,
    /// Whether the case surely drops.
    drops: bool,
    /// Whether the case keeps dropping until it does not hold.
    lifted: bool,
}

/// The occupancies at which a case can hold.
struct Range {
    least: u64,
    greatest: u64,
    /// Whether the case holds there whatever else holds.
    surely: bool,
}

impl Effect {
    fn of(case: &Case, size: BufferSize) -> Self {
        let known = sized(size);
        let sure = |action: &Action| match action {
            Action::Drop(probability) => interval_where(probability, &known).least >= Fixed::whole(1),
            _ => false,
        };
        let ranges = match regions(&case.when, &known) {
            None => vec![Range { least: 0, greatest: MOST, surely: false }],
            Some(regions) => regions.iter().map(Range::of).collect(),
        };
        let may_drop = case.actions.iter().any(|action| matches!(action, Action::Drop(_)));
        Self { ranges, may_drop, drops: case.actions.iter().any(sure), lifted: case.can_be_lifted() }
    }

    fn may(&self, (least, _): Segment) -> bool {
        self.ranges.iter().any(|range| range.least <= least && least <= range.greatest)
    }

    fn must(&self, (least, _): Segment) -> bool {
        self.ranges.iter().any(|range| range.surely && range.least <= least && least <= range.greatest)
    }
}

impl Range {
    fn of(region: &Region) -> Self {
        let own = |number: &Num| {
            let queue = Read::Queue(QueueRef::This, QueueField::CurrSize);
            let buffer = Read::Buffer(BufferRef::This, BufferField::CurrSize);
            *number == Num::Read(queue) || *number == Num::Read(buffer)
        };
        let mut all = Self { least: 0, greatest: MOST, surely: true };
        for (sum, range) in &region.ranges {
            if own(&sum.number()) {
                let whole = |end: i128| u64::try_from(end).unwrap_or(MOST);
                all.least = whole(range.least.to_integer());
                if range.greatest != sum.all.greatest {
                    all.greatest = whole(range.greatest.to_integer());
                }
            } else {
                all.surely = false;
            }
        }
        all
    }
}
