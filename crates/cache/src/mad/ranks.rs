//! How the least rank is found where estimates are lines: the greatest 1 / rank, or the greatest -rank.

use super::options::Looked;
use crate::access::Slot;
use crate::policy::Shape;
use crate::structures::{Kinetic, Line, Lines};
use forebay_core::Rng;

/// 1 / rank of the objects of one group: estimated time to the next access / aggregate
/// delay. Or -rank: -rate x aggregate delay.
#[derive(Debug, Clone)]
pub(super) enum Ranks {
    All(Kinetic),
    Drawn { lines: Lines, draws: u64, rng: Rng },
}

impl Ranks {
    pub(super) fn new(looked: Looked, shape: &Shape) -> Self {
        match looked {
            Looked::Drawn(draws) => {
                Self::Drawn { lines: Lines::default(), draws, rng: shape.seed.stream("cache/mad/sample") }
            }
            Looked::All | Looked::First(_) => Self::All(Kinetic::new(shape.entries)),
        }
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, line: Line, stamp: u64) {
        match self {
            Self::All(lines) => lines.set(slot, line, stamp),
            Self::Drawn { lines, .. } => lines.set(slot, line),
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, slot: Slot) {
        match self {
            Self::All(lines) => lines.remove(slot),
            Self::Drawn { lines, .. } => lines.remove(slot),
        }
    }

    #[inline]
    pub(super) fn greatest(&mut self, now: f64) -> Option<Slot> {
        match self {
            Self::All(lines) => lines.greatest(now),
            Self::Drawn { lines, draws, rng } => lines.greatest_drawn(now, *draws, rng).map(|(slot, _)| slot),
        }
    }
}
