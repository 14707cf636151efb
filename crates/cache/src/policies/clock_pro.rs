//! CLOCK-Pro: LIRS with a clock, so that a hit sets one bit.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Isotonic, Lists, Numbers, PerSlot, age, share_up};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// The registry's entry for [`ClockPro`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "clock-pro",
        title: "CLOCK-Pro: LIRS with a clock of three hands; an object requested again in its test period becomes hot",
        exactness: Exactness::NotApplicable,
        hardware: "a ring of all entries and as many ghosts with three hands, and three bits for each",
        cost: "O(1) per step of a hand, one bit on a hit; six links per entry and per ghost",
        source: "Jiang, Chen and Zhang, CLOCK-Pro, USENIX ATC 2005, section 4",
        params: &[ParamSpec {
            name: "cold",
            kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.01 },
            meaning: "share of the capacity for cold objects in the beginning, 1 unit at least; it adapts from there",
        }],
    },
    also_known_as: &["clockpro"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<ClockPro>(),
};

/// A page of the clock: an object in the cache, or a ghost (the paper's non-resident cold page).
type Node = u32;

/// The paper's clock, with sizes instead of numbers of pages: with sizes of 1 it is the
/// paper's. All hands move from the back of a list to its front. The back of `clock` is
/// where HAND_hot points, and the front is the paper's list head, behind that hand.
///
/// - Resident cold pages are in `cold` as well, in the order of the clock, so that HAND_cold need not pass the others.
///   A resident page outside of `cold` is hot.
/// - Pages in their test period are in `tested`. A test period begins at the list head, and
///   HAND_hot ends those that it passes: so the oldest is where HAND_test points.
///
/// Where the paper leaves a choice: a hot page that turns cold has no test period. A page
/// whose test period a hand ends counts against cold pages only if it was not requested.
/// A page for which there can be no room among the hot ones stays cold, with a new test
/// period. Requests that waited for a fetch set the bit when the object enters.
#[derive(Debug, Clone)]
pub struct ClockPro {
    capacity: u64,
    /// How much is to be cold: the paper's `m_c`.
    cold_target: u64,
    hot_total: u64,
    ghost_total: u128,
    clock: Lists<1>,
    cold: Lists<1>,
    tested: Lists<1>,
    /// HAND_cold; none if nothing in the cache is cold.
    hand: Option<Node>,
    pages: PerSlot<Page>,
    numbers: Numbers,
    node_of: PerSlot<Node>,
    ghosts: FxHashMap<u64, Node>,
    fit: Isotonic,
}

#[derive(Debug, Clone, Copy, Default)]
struct Page {
    key: u64,
    size: u64,
    /// The tick of the last request.
    last: u64,
    slot: Slot,
    resident: bool,
    referenced: bool,
}

impl Build for ClockPro {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let places = shape.entries.saturating_mul(2);
        Ok(Self {
            capacity: shape.capacity,
            cold_target: share_up(shape.capacity, params.number("cold")).max(1),
            hot_total: 0,
            ghost_total: 0,
            clock: Lists::new(places),
            cold: Lists::new(places),
            tested: Lists::new(places),
            hand: None,
            pages: PerSlot::new(places),
            numbers: Numbers::default(),
            node_of: PerSlot::new(shape.entries),
            ghosts: FxHashMap::with_capacity_and_hasher(places, rustc_hash::FxBuildHasher),
            fit: Isotonic::default(),
        })
    }
}

impl ClockPro {
    fn in_test(&self, node: Node) -> bool {
        self.tested.list_of(node).is_some()
    }

    fn is_cold(&self, node: Node) -> bool {
        self.cold.list_of(node).is_some()
    }

    /// Room for hot objects: the paper's `m_h`.
    fn hot_room(&self) -> u64 {
        self.capacity - self.cold_target
    }

    /// Where HAND_cold goes from `node`.
    fn next_cold(&self, node: Node) -> Option<Node> {
        self.cold.towards_front(node).or_else(|| self.cold.back(0))
    }

    /// Puts a resident page among the cold ones at the list head.
    fn enter_cold(&mut self, node: Node) {
        self.cold.push_front(0, node, 1);
        self.hand.get_or_insert(node);
    }

    fn leave_cold(&mut self, node: Node) {
        if self.hand == Some(node) {
            self.hand = self.next_cold(node).filter(|&next| next != node);
        }
        self.cold.remove(node);
    }

    /// Begins a test period, at the list head.
    fn begin_test(&mut self, node: Node) {
        if self.in_test(node) {
            self.tested.remove(node);
        }
        self.tested.push_front(0, node, 1);
    }

    /// Ends a test period in which the page was not found requested. A ghost is forgotten.
    fn end_test(&mut self, node: Node) {
        self.tested.remove(node);
        let Page { size, resident, referenced, .. } = self.pages[node];
        if !referenced {
            self.cold_target = self.cold_target.saturating_sub(size).max(1);
        }
        if !resident {
            self.forget(node);
        }
    }

    /// Takes a ghost that is not in its test period any more out of the clock.
    fn forget(&mut self, node: Node) {
        let Page { key, size, .. } = self.pages[node];
        self.clock.remove(node);
        self.ghosts.remove(&key);
        self.ghost_total -= u128::from(size.max(1));
        self.numbers.give_back(node);
    }

    /// Moves HAND_hot by one page.
    fn step_hot(&mut self, node: Node) {
        if self.in_test(node) {
            self.end_test(node);
        }
        if self.clock.list_of(node).is_none() {
            return;
        }
        self.clock.to_front(node);
        if self.is_cold(node) {
            return self.cold.to_front(node);
        }
        let page = &mut self.pages[node];
        if page.referenced {
            page.referenced = false;
        } else {
            self.hot_total -= page.size;
            self.enter_cold(node);
        }
    }

    /// HAND_hot: turns hot pages cold until there is room for the others, and stops at a hot page.
    fn turn_hot(&mut self) {
        if self.hot_total <= self.hot_room() {
            return;
        }
        while let Some(node) = self.clock.back(0) {
            let is_hot = self.pages[node].resident && !self.is_cold(node);
            // Of nothing that is hot, nothing is passed.
            if self.hot_total == 0 || is_hot && self.hot_total <= self.hot_room() {
                return;
            }
            self.step_hot(node);
        }
    }

    /// A page was requested in its test period, which is over: it becomes hot, at the list head.
    fn promote(&mut self, node: Node) {
        let size = self.pages[node].size;
        self.cold_target = self.cold_target.saturating_add(size).min(self.capacity);
        if size > self.hot_room() {
            self.enter_cold(node);
            self.begin_test(node);
        } else {
            self.hot_total += size;
        }
        self.turn_hot();
    }

    /// HAND_cold: moves to a page to replace.
    fn turn_cold(&mut self) -> Option<Node> {
        loop {
            let Some(node) = self.hand else {
                self.step_hot(self.clock.back(0)?);
                continue;
            };
            if !self.pages[node].referenced {
                return Some(node);
            }
            self.pages[node].referenced = false;
            self.leave_cold(node);
            self.clock.to_front(node);
            if self.in_test(node) {
                self.tested.remove(node);
                self.promote(node);
            } else {
                self.enter_cold(node);
                self.begin_test(node);
            }
        }
    }

    /// Takes an object out of the cache; its page stays in the clock, and in its test period.
    fn leave(&mut self, node: Node) {
        if self.is_cold(node) {
            self.leave_cold(node);
        } else {
            self.hot_total -= self.pages[node].size;
        }
    }
}

impl CachePolicy for ClockPro {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let page = &mut self.pages[self.node_of[slot]];
        page.last = access.time;
        page.referenced = true;
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        let node = self.node_of[slot];
        let before = std::mem::replace(&mut self.pages[node].size, size);
        if !self.is_cold(node) {
            self.hot_total = self.hot_total - before + size;
            self.turn_hot();
        }
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.turn_cold().map_or(Victim::New, |node| Victim::Slot(self.pages[node].slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let ghost = self.ghosts.get(&new.key).copied();
        if let Some(node) = ghost {
            self.tested.remove(node);
            self.forget(node);
        }
        let node = self.numbers.take();
        self.node_of.set(slot, node);
        let Fetched { key, size, last, .. } = *new;
        self.pages.set(node, Page { key, size, last, slot, resident: true, referenced: new.waiting > 1 });
        self.clock.push_front(0, node, 1);
        if ghost.is_some() {
            self.promote(node);
        } else {
            self.enter_cold(node);
            self.begin_test(node);
        }
    }

    fn evict(&mut self, slot: Slot, _: &Entry) {
        let node = self.node_of[slot];
        if !self.in_test(node) {
            return self.remove(slot);
        }
        self.leave(node);
        let page = &mut self.pages[node];
        (page.resident, page.referenced) = (false, false);
        self.ghosts.insert(page.key, node);
        self.ghost_total += u128::from(page.size.max(1));
        // HAND_test.
        while self.ghost_total > u128::from(self.capacity) {
            let Some(oldest) = self.tested.back(0) else { break };
            self.end_test(oldest);
        }
    }

    fn remove(&mut self, slot: Slot) {
        let node = self.node_of[slot];
        self.leave(node);
        if self.in_test(node) {
            self.tested.remove(node);
        }
        self.clock.remove(node);
        self.numbers.give_back(node);
    }
}

impl Estimate for ClockPro {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.pages[self.node_of[slot]].last))
    }

    /// The age of the last request, fitted to an order: first the cold pages from HAND_cold on, then the hot ones from
    /// HAND_hot on. Within each group, pages come first that were not requested since a hand passed.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Some(hand) = self.turn_cold() else { return };
        let Self { clock, cold, pages, fit, .. } = self;
        let (clock, cold, pages) = (&*clock, &*cold, &*pages);
        let with = |referenced: bool| {
            let ahead = std::iter::successors(Some(hand), |&node| cold.towards_front(node));
            let behind = cold.from_back(0).take_while(move |&node| node != hand);
            ahead.chain(behind).filter(move |&node| pages[node].referenced == referenced)
        };
        let hot = |referenced: bool| {
            let is_hot = move |node: Node| pages[node].resident && cold.list_of(node).is_none();
            clock.from_back(0).filter(move |&node| is_hot(node) && pages[node].referenced == referenced)
        };
        let in_order = with(false).chain(with(true)).chain(hot(false)).chain(hot(true));
        fit.show(in_order.map(|node| (pages[node].slot, age(new.time, pages[node].last))), see);
    }
}
