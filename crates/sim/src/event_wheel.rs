//! The event queue of large simulations: thousands of events wait, most for a few microseconds.
//!
//! The order is that of [`EventQueue`]: of time, and of scheduling among equals. Instead of a heap it has three wheels of
//! 4,096 slots (hierarchical timing wheels, Varghese and Lauck, SOSP'87). A slot of the first covers 8 ns, one of the
//! second a whole turn of the first, 34 us, one of the third 137 ms. An event waits in the first wheel that tells its
//! slot from the present one, and moves to a finer one when its slot comes; in the finest it is sorted among the few that
//! share it. Bitmaps skip slots without events.

use crate::event::EventQueue;
use forebay_core::Time;

/// Events that are still to come.
#[derive(Debug, Clone)]
pub struct EventWheel<E> {
    /// Events of the present slot of the first wheel, or of the past; the next one is the last.
    present: Vec<Event<E>>,
    /// The number of that slot since time zero.
    position: u64,
    wheels: [Wheel; WHEELS as usize],
    /// Events in the wheels; a slot is a list of them.
    waiting: Vec<Waiting<E>>,
    /// Places in `waiting` that are free, as a list.
    free: u32,
    /// Events after the present turn of the last wheel.
    far: EventQueue<(u64, E)>,
    scheduled: u64,
    len: usize,
}

#[derive(Debug, Clone, Copy)]
struct Event<E> {
    time: Time,
    order: u64,
    event: E,
}

#[derive(Debug, Clone, Copy)]
struct Waiting<E> {
    event: Event<E>,
    next: u32,
}

impl<E> Event<E> {
    fn key(&self) -> (Time, u64) {
        (self.time, self.order)
    }
}

/// A slot of the first wheel lasts 2^13 ps.
const SLOT_BITS: u32 = 13;
/// A wheel has 2^12 slots.
const WHEEL_BITS: u32 = 12;
const WHEELS: u32 = 3;
/// The end of a list.
const NONE: u32 = u32::MAX;

impl<E: Copy> EventWheel<E> {
    /// No events.
    #[must_use]
    pub fn new() -> Self {
        Self {
            present: Vec::new(),
            position: 0,
            wheels: std::array::from_fn(|_| Wheel::new()),
            waiting: Vec::new(),
            free: NONE,
            far: EventQueue::with_capacity(0),
            scheduled: 0,
            len: 0,
        }
    }

    /// Lets `event` happen at `time`.
    #[inline]
    pub fn schedule(&mut self, time: Time, event: E) {
        let event = Event { time, order: self.scheduled, event };
        self.scheduled += 1;
        self.len += 1;
        if slot_of(time) <= self.position {
            let key = event.key();
            let mut at = self.present.len();
            while at > 0 && self.present[at - 1].key() < key {
                at -= 1;
            }
            self.present.insert(at, event);
        } else {
            self.put(event);
        }
    }

    /// Takes the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        if self.present.is_empty() && !self.turn() {
            return None;
        }
        let next = self.present.pop()?;
        self.len -= 1;
        Some((next.time, next.event))
    }

    /// How many events are still to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is left to happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts an event of a later slot into its wheel, or with those of the present slot, unsorted.
    #[inline]
    fn put(&mut self, event: Event<E>) {
        let slot = slot_of(event.time);
        // The highest bit in which the slot differs from the present one says in which wheel.
        let level = match slot ^ self.position {
            0 => {
                self.present.push(event);
                return;
            }
            difference => difference.ilog2() / WHEEL_BITS,
        };
        let Some(wheel) = self.wheels.get_mut(level as usize) else {
            self.far.schedule(event.time, (event.order, event.event));
            return;
        };
        let head = wheel.head(slot >> (WHEEL_BITS * level));
        let waiting = Waiting { event, next: *head };
        if self.free == NONE {
            *head = u32::try_from(self.waiting.len()).expect("fewer than 2^32 events");
            self.waiting.push(waiting);
        } else {
            *head = self.free;
            let place = &mut self.waiting[self.free as usize];
            self.free = place.next;
            *place = waiting;
        }
    }

    /// Turns the wheels to the next slot with events; `false` if there is none.
    fn turn(&mut self) -> bool {
        while self.present.is_empty() {
            let next = (0..WHEELS).find_map(|level| {
                let shift = WHEEL_BITS * level;
                let slot = self.wheels[level as usize].next_after(self.position >> shift)?;
                Some((level, slot << shift))
            });
            match next {
                Some((level, position)) => {
                    self.position = position;
                    self.empty_slot(level);
                }
                None if self.far.is_empty() => return false,
                None => self.fetch_far(),
            }
        }
        if self.present.len() > 1 {
            self.present.sort_unstable_by_key(|event| std::cmp::Reverse(event.key()));
        }
        true
    }

    /// Moves the events of the present slot of a wheel to finer ones, or to the present.
    fn empty_slot(&mut self, level: u32) {
        let mut at = self.wheels[level as usize].take(self.position >> (WHEEL_BITS * level));
        while at != NONE {
            let Waiting { event, next } = self.waiting[at as usize];
            self.waiting[at as usize].next = self.free;
            self.free = at;
            at = next;
            self.put(event);
        }
    }

    /// Moves the next events beyond the last wheel into the wheels.
    fn fetch_far(&mut self) {
        let turn = |position: u64| position >> (WHEEL_BITS * WHEELS);
        let Some(first) = self.far.peek_time() else { return };
        self.position = slot_of(first);
        while self.far.peek_time().is_some_and(|time| turn(slot_of(time)) == turn(self.position)) {
            if let Some((time, (order, event))) = self.far.pop() {
                self.put(Event { time, order, event });
            }
        }
    }
}

impl<E: Copy> Default for EventWheel<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// The slot of the first wheel, counted from time zero.
#[inline]
fn slot_of(time: Time) -> u64 {
    time.as_ps() >> SLOT_BITS
}

/// The slots of one wheel, of the present turn.
#[derive(Debug, Clone)]
struct Wheel {
    /// The first event in each slot.
    heads: Vec<u32>,
    /// Which slots have events: a bit for each, and a bit for each word of these.
    slots: [u64; 1 << (WHEEL_BITS - 6)],
    words: u64,
}

/// The bits that tell a slot from others of its wheel.
const SLOT_MASK: u64 = (1 << WHEEL_BITS) - 1;

impl Wheel {
    fn new() -> Self {
        Self { heads: vec![NONE; 1 << WHEEL_BITS], slots: [0; 1 << (WHEEL_BITS - 6)], words: 0 }
    }

    /// Where the list of a slot begins, which gets an event.
    #[inline]
    fn head(&mut self, slot: u64) -> &mut u32 {
        let slot = (slot & SLOT_MASK) as usize;
        self.slots[slot / 64] |= 1 << (slot % 64);
        self.words |= 1 << (slot / 64);
        &mut self.heads[slot]
    }

    /// Empties a slot; gives the first of its events.
    fn take(&mut self, slot: u64) -> u32 {
        let slot = (slot & SLOT_MASK) as usize;
        self.slots[slot / 64] &= !(1 << (slot % 64));
        if self.slots[slot / 64] == 0 {
            self.words &= !(1 << (slot / 64));
        }
        std::mem::replace(&mut self.heads[slot], NONE)
    }

    /// The next slot of this turn that has events, after the `present` one; slots are counted from time zero.
    #[inline]
    fn next_after(&self, present: u64) -> Option<u64> {
        let (turn, slot) = (present & !SLOT_MASK, (present & SLOT_MASK) as usize);
        let after = |bits: u64, bit: usize| bits & (u64::MAX << bit) & !(1 << bit);
        let here = after(self.slots[slot / 64], slot % 64);
        if here != 0 {
            return Some(turn | (slot & !63) as u64 | u64::from(here.trailing_zeros()));
        }
        let words = after(self.words, slot / 64);
        if words == 0 {
            return None;
        }
        let word = words.trailing_zeros();
        Some(turn | u64::from(word * 64 + self.slots[word as usize].trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn it_is_the_heap() {
        for seed in 0..40 {
            let mut rng = Seed(seed).stream("wheel");
            let mut wheel = EventWheel::new();
            let mut heap = EventQueue::with_capacity(0);
            let mut now = 0;
            // Gaps of all magnitudes, within a slot and beyond the last wheel.
            let magnitudes = rng.random_range(1..52);
            for event in 0..20_000 {
                if rng.random_range(0..5) < 3 {
                    let magnitude = rng.random_range(0..=magnitudes);
                    let gap = rng.random_range(0..=1 << magnitude);
                    let time = Time::from_ps(now + gap);
                    wheel.schedule(time, event);
                    heap.schedule(time, event);
                } else {
                    let next = wheel.pop();
                    assert_eq!(next, heap.pop());
                    now = next.map_or(now, |(time, _)| time.as_ps());
                }
                assert_eq!(wheel.len(), heap.len());
            }
            while let Some(next) = heap.pop() {
                assert_eq!(wheel.pop(), Some(next));
            }
            assert!(wheel.is_empty());
            assert_eq!(wheel.pop(), None);
        }
    }

    #[test]
    fn the_end_of_the_clock_has_its_place() {
        let mut wheel = EventWheel::new();
        wheel.schedule(Time::MAX, 'z');
        wheel.schedule(Time::ZERO, 'a');
        wheel.schedule(Time::MAX, 'y');
        let order: String = std::iter::from_fn(|| wheel.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, "azy");
    }
}
