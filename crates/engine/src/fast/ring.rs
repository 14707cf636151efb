//! A ring of packets: first in, first out.

use super::slab::Stored;

/// A queue in an array whose length is a power of two, so that a place is found with a mask.
#[derive(Debug)]
pub(super) struct Ring {
    slots: Vec<Stored>,
    /// The place of the front, before it is masked.
    head: usize,
    len: usize,
}

impl Ring {
    /// Room for so many packets at first.
    pub(super) fn with_capacity(packets: usize) -> Self {
        Self { slots: vec![Stored::default(); packets.max(1).next_power_of_two()], head: 0, len: 0 }
    }

    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        self.head.wrapping_add(position) & (self.slots.len() - 1)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len == self.slots.len()
    }

    /// Appends a packet; the ring must not be full.
    #[inline(always)]
    pub(super) fn push(&mut self, stored: Stored) {
        debug_assert!(!self.is_full(), "there must be room");
        let place = self.place(self.len);
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = stored;
            self.len += 1;
        }
    }

    /// Makes room for twice as many.
    #[cold]
    pub(super) fn grow(&mut self) {
        let middle = self.place(0);
        self.slots.rotate_left(middle);
        self.head = 0;
        self.slots.resize(2 * self.slots.len(), Stored::default());
    }

    /// The front of a ring that is not empty.
    #[inline(always)]
    pub(super) fn front(&self) -> &Stored {
        &self.slots[self.place(0)]
    }

    #[inline(always)]
    pub(super) fn front_mut(&mut self) -> &mut Stored {
        let place = self.place(0);
        &mut self.slots[place]
    }

    /// Drops the front of a ring that is not empty.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.head = self.head.wrapping_add(1);
        self.len -= 1;
    }

    /// Takes the last packet.
    pub(super) fn pop_back(&mut self) -> Option<Stored> {
        self.len = self.len.checked_sub(1)?;
        self.slots.get(self.place(self.len)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::VecDeque;

    #[test]
    fn a_ring_equals_the_one_of_the_library() {
        let mut rng = Seed(4).stream("ring");
        let (mut ring, mut other) = (Ring::with_capacity(1), VecDeque::new());
        for number in 0..20_000 {
            match rng.random_range(0..5) {
                0..3 => {
                    if ring.is_full() {
                        ring.grow();
                    }
                    ring.push(Stored { number, ..Stored::default() });
                    other.push_back(number);
                }
                3 => assert_eq!(ring.pop_back().map(|stored| stored.number), other.pop_back()),
                _ => {
                    for _ in 0..rng.random_range(0..4) {
                        if let Some(number) = other.pop_front() {
                            assert_eq!(ring.front().number, number);
                            ring.advance();
                        }
                    }
                }
            }
            assert_eq!(ring.is_empty(), other.is_empty());
        }
    }
}
