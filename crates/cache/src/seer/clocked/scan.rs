//! Algorithm 2, way by way: the state that is evicted for a new one.

use super::tags::Line;
use forebay_core::Time;

/// The result of a look at the ways of a set.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    free: Option<usize>,
    /// Ways of B: what no expected packet wants.
    unknown: Vec<usize>,
    /// Of A, the state that is wanted last: when, which and where.
    last: Option<(Time, u64, usize)>,
    /// The content of the ways.
    ids: Vec<Option<u64>>,
}

/// Where a new state goes, and the state that is evicted for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) way: usize,
    pub(super) evicted: Option<u64>,
}

impl Scan {
    /// The next way holds `line`, whose state is wanted at `wanted`. A state in flight does not leave.
    pub(super) fn look(&mut self, line: Option<Line>, wanted: impl FnOnce(u64) -> Option<Time>) {
        let way = self.ids.len();
        self.ids.push(line.map(|line| line.id));
        match line {
            None => self.free = self.free.or(Some(way)),
            Some(Line { id, here: true, .. }) => match wanted(id) {
                None => self.unknown.push(way),
                Some(time) => self.last = self.last.max(Some((time, id, way))),
            },
            Some(_) => {}
        }
    }

    /// The room for a state that is wanted at `wanted`; `choose` is the heuristic, for ways of B.
    pub(super) fn room(&self, wanted: Option<Time>, choose: impl FnOnce(&[usize]) -> Option<usize>) -> Option<Room> {
        if let Some(way) = self.free {
            return Some(Room { way, evicted: None });
        }
        let way = if self.unknown.is_empty() {
            let (last, _, way) = self.last?;
            (wanted? < last).then_some(way)
        } else {
            choose(&self.unknown)
        }?;
        Some(Room { way, evicted: self.ids[way] })
    }
}
