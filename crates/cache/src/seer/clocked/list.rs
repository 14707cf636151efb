//! The list of a port: one operation at a time, each of which takes some cycles.

use crate::seer::arrivals::{Arrivals, Expected, Pushed};
use crate::seer::fpm::Fpm;
use forebay_core::{Duration, Rate, Time};

/// Its port among the [`Arrivals`], which have but this one.
const PORT: usize = 0;

/// Inputs of a list besides packets that arrive.
#[derive(Debug, Clone, Copy)]
pub(super) enum Told {
    /// A notification, and when its carrier had arrived.
    Fpm(Time, Fpm),
    /// A control packet took the link for so long.
    Control(Duration),
}

/// What an operation changes, in the cycle in which it is seen.
#[derive(Debug, Clone, Copy)]
enum Change {
    Leave(u64),
    Enter(Time, Fpm),
    Push(Pushed),
    PushAll(Duration),
}

/// How many cycles behind that in which an operation begins its changes are seen, and the next may begin.
const MOVED: u64 = 2;
const RAISED: u64 = 3;

#[derive(Debug, Clone)]
pub(super) struct List {
    arrivals: Arrivals,
    change: Option<(u64, Change)>,
    free: u64,
    /// Who was the first whose state is yet to be fetched when last asked, if it is still there.
    asked: Option<u32>,
}

impl List {
    pub(super) fn new(rate: Rate, capacity: usize) -> Self {
        Self { arrivals: Arrivals::new(&[rate], capacity), change: None, free: 0, asked: None }
    }

    /// Makes what is seen from this cycle on.
    pub(super) fn settle(&mut self, cycle: u64) {
        while let Some((_, change)) = self.change.take_if(|(at, _)| *at <= cycle) {
            match change {
                Change::Leave(id) => self.remove(id),
                Change::Push(pushed) => self.arrivals.push(pushed),
                Change::PushAll(by) => _ = self.arrivals.push_back(PORT, by),
                Change::Enter(at, fpm) => {
                    let pushed = self.arrivals.enter_only(at, PORT, &fpm);
                    self.change = Some((self.free, Change::Push(pushed)));
                }
            }
        }
    }

    pub(super) fn is_free(&self, cycle: u64) -> bool {
        self.free <= cycle
    }

    /// A packet has arrived: it will no longer be expected.
    pub(super) fn come(&mut self, cycle: u64, id: u64) {
        self.free = cycle + MOVED;
        self.change = Some((self.free, Change::Leave(id)));
    }

    /// Takes a notification or a control packet.
    pub(super) fn told(&mut self, cycle: u64, told: Told) {
        self.free = cycle + RAISED;
        self.change = Some(match told {
            Told::Fpm(at, fpm) => (cycle + MOVED, Change::Enter(at, fpm)),
            Told::Control(by) => (self.free, Change::PushAll(by)),
        });
    }

    /// The first packet whose state is yet to be fetched.
    pub(super) fn ask(&mut self) -> Option<Expected> {
        let head = self.arrivals.head(PORT);
        self.asked = head.map(|head| head.place);
        head
    }

    /// The packet of the lookup joins X, if it is still there.
    pub(super) fn mark(&mut self) {
        if let Some(place) = self.asked {
            self.arrivals.fetched(place);
        }
    }

    /// When the state of an id is wanted, if that is known.
    pub(super) fn wanted(&self, id: u64) -> Option<Time> {
        self.arrivals.next(id)
    }

    /// The same at once: a packet has arrived.
    pub(super) fn remove(&mut self, id: u64) {
        if let Some((expected, _)) = self.arrivals.take(PORT, id)
            && self.asked == Some(expected.place)
        {
            self.asked = None;
        }
    }

    /// The same at once.
    pub(super) fn take_in(&mut self, told: Told) {
        match told {
            Told::Fpm(at, fpm) => {
                let pushed = self.arrivals.enter_only(at, PORT, &fpm);
                self.arrivals.push(pushed);
            }
            Told::Control(by) => _ = self.arrivals.push_back(PORT, by),
        }
    }
}
