//! A ring of packets: first in, first out.

use forebay_core::Packet;

/// A packet and its number in the order of arrival.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbered {
    pub(super) packet: Packet,
    pub(super) number: u64,
}

/// The capacity after the first packet; it doubles whenever the ring is full.
const AT_FIRST: usize = 32;

/// A queue in an array whose length is a power of two, so that an index is computed with a mask.
///
/// Positions count all packets that were ever appended, so a packet keeps its position when others depart.
#[derive(Debug)]
pub(super) struct Ring {
    slots: Vec<Numbered>,
    /// The position of the front.
    head: usize,
    len: usize,
}

impl Ring {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), head: 0, len: 0 }
    }

    /// Returns the index of a position, if there is capacity at all.
    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        position & self.slots.len().wrapping_sub(1)
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len >= self.slots.len()
    }

    /// Returns the position of the front.
    #[inline(always)]
    pub(super) fn head(&self) -> usize {
        self.head
    }

    /// Returns the position of the next packet that is appended.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.head.wrapping_add(self.len)
    }

    /// Counts positions from 0 again; the ring must be empty.
    pub(super) fn restart(&mut self) {
        debug_assert_eq!(self.len, 0, "positions of packets do not change");
        self.head = 0;
    }

    /// Appends a packet; the ring must not be full.
    #[inline(always)]
    pub(super) fn push(&mut self, numbered: Numbered) {
        debug_assert!(!self.is_full(), "there must be room");
        let place = self.place(self.end());
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = numbered;
            self.len += 1;
        }
    }

    /// Doubles the capacity, or allocates the first.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self) {
        let mut more = vec![Numbered::default(); (2 * self.slots.len()).max(AT_FIRST)];
        let mask = more.len() - 1;
        for position in (0..self.len).map(|behind| self.head.wrapping_add(behind)) {
            more[position & mask] = self.slots[self.place(position)];
        }
        self.slots = more;
    }

    /// Returns the front of a ring that is not empty.
    #[inline(always)]
    pub(super) fn front(&self) -> &Numbered {
        &self.slots[self.place(self.head)]
    }

    #[inline(always)]
    pub(super) fn front_mut(&mut self) -> &mut Numbered {
        let place = self.place(self.head);
        &mut self.slots[place]
    }

    /// Removes and returns the front of a ring that is not empty.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> &Numbered {
        let place = self.place(self.head);
        self.head = self.head.wrapping_add(1);
        self.len -= 1;
        &self.slots[place]
    }

    /// Removes and returns the last packet, with its position.
    #[inline(always)]
    pub(super) fn pop_back(&mut self) -> Option<(usize, &Numbered)> {
        self.len = self.len.checked_sub(1)?;
        let position = self.end();
        Some((position, self.slots.get(self.place(position))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::VecDeque;

    /// Plays `length` operations, which are the digits of `operations` in base 3: push, remove the front, remove the last. Positions begin
    /// at `begin`.
    fn play(begin: usize, mut operations: u32, length: u32) {
        let (mut ring, mut other) = (Ring::new(), VecDeque::new());
        ring.head = begin;
        // Of two slots all places are used at once.
        ring.slots = vec![Numbered::default(); 2];
        for number in 0..length.into() {
            match operations % 3 {
                0 => {
                    if ring.is_full() {
                        ring.grow();
                    }
                    ring.push(Numbered { number, ..Numbered::default() });
                    other.push_back(number);
                }
                1 => {
                    if let Some(front) = other.pop_front() {
                        assert_eq!(ring.front().number, front);
                        assert_eq!(ring.advance().number, front);
                    }
                }
                _ => assert_eq!(ring.pop_back().map(|(_, last)| last.number), other.pop_back()),
            }
            assert_eq!((ring.len(), ring.end()), (other.len(), ring.head().wrapping_add(other.len())));
            operations /= 3;
        }
        for number in other {
            assert_eq!(ring.advance().number, number, "from {begin}");
        }
    }

    #[test]
    fn every_order_of_nine_operations_is_that_of_a_queue_where_positions_wrap() {
        for begin in [0, usize::MAX, usize::MAX - 1, usize::MAX - 3, u32::MAX as usize - 1, u32::MAX as usize] {
            (0..3_u32.pow(9)).for_each(|operations| play(begin, operations, 9));
        }
    }

    #[test]
    fn a_ring_equals_the_one_of_the_library() {
        let mut rng = Seed(4).stream("ring");
        let (mut ring, mut other) = (Ring::new(), VecDeque::new());
        for number in 0..20_000 {
            match rng.random_range(0..5) {
                0..3 => {
                    if ring.is_full() {
                        ring.grow();
                    }
                    ring.push(Numbered { number, ..Numbered::default() });
                    other.push_back(number);
                }
                3 => assert_eq!(ring.pop_back().map(|(_, last)| last.number), other.pop_back()),
                _ => {
                    for _ in 0..rng.random_range(0..4) {
                        if let Some(number) = other.pop_front() {
                            assert_eq!(ring.front().number, number);
                            ring.advance();
                        }
                    }
                }
            }
            assert_eq!(ring.len(), other.len());
        }
    }
}
