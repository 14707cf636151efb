//! Algorithms 1 and 2, cycle by cycle: what an iteration looks at when.

use super::scan::{Room, Scan};
use crate::seer::arrivals::Expected;
use forebay_core::Time;

/// The cycles of an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The head of the list is looked up, and the result of the iteration before takes effect.
    Ask,
    /// Whether this way has the state of the head.
    Look(usize),
    /// When the state that needs a slot is wanted.
    Wanted,
    /// The content of this way, in the set of the entrant.
    Scan(usize),
}

/// The position of an iteration, and its results so far.
#[derive(Debug, Clone)]
pub(super) struct Manager {
    pub(super) phase: Phase,
    /// Whether there was an iteration before.
    pub(super) ran: bool,
    /// A state that a packet had to fetch and that needs a slot, instead of an iteration.
    pub(super) placing: Option<u64>,
    pub(super) head: Option<Expected>,
    /// The state of the head is cached or in flight.
    pub(super) cached: bool,
    /// When the state that needs a slot is wanted.
    pub(super) wanted: Option<Time>,
    pub(super) scan: Scan,
}

impl Manager {
    pub(super) fn new() -> Self {
        let scan = Scan::default();
        Self { phase: Phase::Ask, ran: false, placing: None, head: None, cached: false, wanted: None, scan }
    }

    /// Who is to enter, and when it is wanted.
    pub(super) fn entrant(&self) -> Option<(u64, Option<Time>)> {
        match (self.placing, self.head) {
            (Some(id), _) => Some((id, self.wanted)),
            (None, Some(head)) if !self.cached => Some((head.key, Some(head.arrival))),
            (None, _) => None,
        }
    }

    /// Where it enters, if it does.
    pub(super) fn room(&self, choose: impl FnOnce(&[usize]) -> Option<usize>) -> Option<Room> {
        self.scan.room(self.entrant()?.1, choose)
    }

    /// The cycle is over.
    pub(super) fn step(&mut self, ways: usize) {
        self.ran = matches!(self.phase, Phase::Scan(_)) || (self.ran && self.phase != Phase::Ask);
        self.phase = match self.phase {
            Phase::Ask if self.placing.is_some() => Phase::Wanted,
            Phase::Ask => Phase::Look(0),
            Phase::Look(way) if way + 1 < ways => Phase::Look(way + 1),
            Phase::Look(_) | Phase::Wanted => Phase::Scan(0),
            Phase::Scan(way) if way + 1 < ways => Phase::Scan(way + 1),
            Phase::Scan(_) => Phase::Ask,
        };
    }
}
