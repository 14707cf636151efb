//! The event queue of large simulations: thousands of events wait, most of them for about the same time.
//!
//! The order is the same as in [`EventQueue`]: by time, then by order of scheduling. Events of the near future wait in a wheel of slots,
//! each in the list of its slot. Such a wheel is a timing wheel (Varghese and Lauck, SOSP'87), or one year of a calendar queue (Brown, CACM
//! 1988). When the wheel has turned to a slot, its few events are sorted. Bitmaps skip slots without events. Events that are further away
//! than one turn wait in a heap.

use crate::event::EventQueue;
use forebay_core::{Duration, Time};

/// The pending events.
#[derive(Debug, Clone)]
pub struct EventWheel<E> {
    /// Events of the present slot, or of the past; the next one is the last. Of equal times, the one scheduled first is
    /// last.
    present: Vec<Event<E>>,
    /// The number of that slot since time zero.
    position: u64,
    /// A slot lasts 2^this picoseconds.
    slot_bits: u32,
    /// For each slot of the next turn, the event that was scheduled last.
    heads: Vec<u32>,
    /// The slots that have events.
    occupied: Bitmap,
    /// Events in the wheel; a slot is a list of them.
    waiting: Vec<Waiting<E>>,
    /// Places in `waiting` that are free, as a list.
    free: u32,
    /// Events after this turn.
    far: EventQueue<E>,
    /// The slot of the wheel at which the first far events are within a turn.
    far_due: u64,
    len: usize,
}

#[derive(Debug, Clone, Copy)]
struct Event<E> {
    time: Time,
    event: E,
}

#[derive(Debug, Clone, Copy)]
struct Waiting<E> {
    event: Event<E>,
    next: u32,
}

const SLOTS: usize = 4_096;
/// The length of a turn in slots.
const TURN: u64 = SLOTS as u64;
/// The end of a list.
const NONE: u32 = u32::MAX;

impl<E: Copy> EventWheel<E> {
    /// Creates an empty wheel. A turn of the wheel lasts at least `horizon`, which should be longer than most events wait. The horizon
    /// affects only the speed.
    #[must_use]
    pub fn new(horizon: Duration) -> Self {
        let slot = horizon.as_ps().div_ceil(TURN).max(1).next_power_of_two();
        Self {
            present: Vec::new(),
            position: 0,
            slot_bits: slot.ilog2(),
            heads: vec![NONE; SLOTS],
            occupied: Bitmap::default(),
            waiting: Vec::new(),
            free: NONE,
            far: EventQueue::with_capacity(0),
            far_due: u64::MAX,
            len: 0,
        }
    }

    /// Schedules `event` at `time`.
    #[inline]
    pub fn schedule(&mut self, time: Time, event: E) {
        self.len += 1;
        let slot = self.slot_of(time);
        if slot <= self.position {
            let at = self.present.iter().rposition(|other| other.time > time).map_or(0, |later| later + 1);
            self.present.insert(at, Event { time, event });
        } else if slot - self.position < TURN {
            self.put(slot, Event { time, event });
        } else {
            self.far.schedule(time, event);
            self.far_due = self.far_due.min(slot - TURN + 1);
        }
    }

    /// Removes and returns the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let next = match self.present.pop() {
            Some(next) => next,
            None => self.turn()?,
        };
        self.len -= 1;
        Some((next.time, next.event))
    }

    /// The number of pending events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no pending events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot of a time, counted from time zero.
    #[inline]
    fn slot_of(&self, time: Time) -> u64 {
        time.as_ps() >> self.slot_bits
    }

    /// Puts an event into the list of its slot, which is within a turn.
    #[inline]
    fn put(&mut self, slot: u64, event: Event<E>) {
        let slot = index(slot);
        self.occupied.set(slot);
        let head = &mut self.heads[slot];
        let waiting = Waiting { event, next: *head };
        if let Some(place) = self.waiting.get_mut(self.free as usize) {
            *head = self.free;
            self.free = place.next;
            *place = waiting;
        } else {
            *head = u32::try_from(self.waiting.len()).expect("fewer than 2^32 events");
            self.waiting.push(waiting);
        }
    }

    /// Turns the wheel to the next slot with events, and returns the first of them. The present slot must be empty.
    #[inline]
    fn turn(&mut self) -> Option<Event<E>> {
        let here = index(self.position);
        let Some(slot) = self.occupied.next_after(here) else { return self.leap() };
        self.position += (slot.wrapping_sub(here) % SLOTS) as u64;
        self.occupied.clear(slot);
        let head = std::mem::replace(&mut self.heads[slot], NONE);
        let place = &mut self.waiting[head as usize];
        let Waiting { event, next } = *place;
        place.next = self.free;
        self.free = head;
        if self.position >= self.far_due {
            self.fetch_far();
        }
        // Most slots have one event.
        if next == NONE { Some(event) } else { self.open(event, next) }
    }

    /// Moves the events of a slot, `first` and the list from `at` on, to the present, and returns the next.
    fn open(&mut self, first: Event<E>, mut at: u32) -> Option<Event<E>> {
        self.present.push(first);
        while let Some(place) = self.waiting.get_mut(at as usize) {
            let Waiting { event, next } = *place;
            place.next = self.free;
            self.free = at;
            at = next;
            self.present.push(event);
        }
        self.present.sort_by_key(|event| std::cmp::Reverse(event.time));
        self.present.pop()
    }

    /// Turns the empty wheel to the first of the far events, and returns that event.
    #[cold]
    fn leap(&mut self) -> Option<Event<E>> {
        self.position = self.slot_of(self.far.peek_time()?);
        self.fetch_far();
        // They came in order.
        self.present.reverse();
        self.present.pop()
    }

    /// Moves far events that are now within a turn into the wheel, in order. They were scheduled before all others of
    /// their slot, none of which is there yet.
    #[cold]
    fn fetch_far(&mut self) {
        while let Some(time) = self.far.peek_time() {
            let slot = self.slot_of(time);
            if slot - self.position >= TURN {
                self.far_due = slot - TURN + 1;
                return;
            }
            let Some((time, event)) = self.far.pop() else { return };
            if slot == self.position {
                self.present.push(Event { time, event });
            } else {
                self.put(slot, Event { time, event });
            }
        }
        self.far_due = u64::MAX;
    }
}

/// The place of a slot in the wheel.
#[inline]
fn index(slot: u64) -> usize {
    (slot % TURN) as usize
}

/// A bit for each slot, and a bit for each word of these.
#[derive(Debug, Clone)]
struct Bitmap {
    words: [u64; SLOTS / 64],
    summary: u64,
}

impl Default for Bitmap {
    fn default() -> Self {
        Self { words: [0; SLOTS / 64], summary: 0 }
    }
}

impl Bitmap {
    #[inline]
    fn set(&mut self, slot: usize) {
        self.words[slot / 64] |= 1 << (slot % 64);
        self.summary |= 1 << (slot / 64);
    }

    #[inline]
    fn clear(&mut self, slot: usize) {
        let word = &mut self.words[slot / 64];
        *word &= !(1 << (slot % 64));
        if *word == 0 {
            self.summary &= !(1 << (slot / 64));
        }
    }

    /// The next slot that is set after `slot`, round the wheel.
    #[inline]
    fn next_after(&self, slot: usize) -> Option<usize> {
        let after = |bits: u64, bit: usize| bits & (!1 << bit);
        let here = after(self.words[slot / 64], slot % 64);
        if here != 0 {
            return Some((slot & !63) + here.trailing_zeros() as usize);
        }
        let words = match after(self.summary, slot / 64) {
            0 => self.summary,
            words => words,
        };
        let word = words.trailing_zeros() as usize;
        // The summary is empty only if all words are.
        let bits = *self.words.get(word)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
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
            // Slots from a picosecond to 2^40, so that events are near and far.
            let mut wheel = EventWheel::new(Duration::from_ps(1 << (seed + 12)));
            let mut heap = EventQueue::with_capacity(0);
            let mut now = 0;
            // Gaps of all magnitudes, within a slot and beyond the wheel.
            let magnitudes = rng.random_range(1..54);
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
        let mut wheel = EventWheel::new(Duration::from_us(1));
        wheel.schedule(Time::MAX, 'z');
        wheel.schedule(Time::ZERO, 'a');
        wheel.schedule(Time::MAX, 'y');
        let order: String = std::iter::from_fn(|| wheel.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, "azy");
    }
}
