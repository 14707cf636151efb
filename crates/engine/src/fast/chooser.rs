//! Chooses the first of several queues: the next to be served at a port, or to lose a packet of a buffer.
//!
//! The key of a queue is cached and recomputed only when a value that it reads may have changed.

use super::expr::{Reader, Test};
use super::order::{Order, Word};

/// With up to this many queues, every key is compared; with more, a tournament is maintained. Measured for the queue with the oldest
/// packet: 1069 instructions for each packet against 1091 with 64 queues, 1361 against 1137 with 128.
pub(super) const MOST_SCANNED: usize = 64;

/// With up to this many queues, a constant order is stored as the bits of one word.
pub(super) const MOST_IN_WORD: usize = 64;

/// Chooses among members, which are numbered from 0 in order of declaration.
#[derive(Debug)]
pub(super) enum Chooser {
    /// There is only one queue.
    Only,
    /// The queue that the arriving packet entered.
    Arriving,
    /// The order never changes, unless a state is set from outside; its bits are in [`PortCell`](super::world::PortCell).
    Constant(Order),
    /// By a key of 64 bits.
    Keys(Keys<u64>),
    /// By a key of 128 bits.
    WideKeys(Keys<u128>),
    /// The longest first, for queues measured in packets; they are in [`BufferCell`](super::world::BufferCell).
    Longest,
    /// By a comparator without keys.
    Scan(Test),
}

impl Chooser {
    /// Whether the chooser needs a call for each change of its members.
    pub(super) fn is_told(&self) -> bool {
        matches!(self, Self::Keys(_) | Self::WideKeys(_))
    }

    /// Updates the key of a member, which now has `count` packets.
    pub(super) fn update(&mut self, member: usize, count: u64, reader: &impl Reader) {
        match self {
            Self::Keys(keys) => keys.update(member, count, reader),
            Self::WideKeys(keys) => keys.update(member, count, reader),
            Self::Only | Self::Arriving | Self::Constant(_) | Self::Longest | Self::Scan(_) => {}
        }
    }
}

/// A key for each member; the keys of empty members are the last in the order.
#[derive(Debug)]
pub(super) struct Keys<K> {
    order: Order,
    keys: Box<[K]>,
    /// The winner of each match: the root is at 1, the children of `n` are at `2n` and `2n + 1`. Empty if all are scanned.
    winners: Box<[u16]>,
}

impl<K: Word> Keys<K> {
    /// Creates the keys of members without packets.
    pub(super) fn new(order: Order, members: usize) -> Self {
        let leaves = members.next_power_of_two();
        let winners = if members <= MOST_SCANNED { Vec::new() } else { vec![0; leaves] };
        let mut new = Self { order, keys: vec![K::LAST; members].into(), winners: winners.into() };
        if !new.winners.is_empty() {
            // Also the matches of places without a member, which those then lose.
            (0..leaves).step_by(2).for_each(|member| new.play(member));
        }
        new
    }

    #[inline]
    fn update(&mut self, member: usize, count: u64, reader: &impl Reader) {
        self.keys[member] = if count > 0 { self.order.pack(reader) } else { K::LAST };
        if !self.winners.is_empty() {
            self.play(member);
        }
    }

    /// Replays the matches of a member.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "queues are numbered with 16 bits")]
    fn play(&mut self, member: usize) {
        let leaves = self.winners.len();
        let mut node = (leaves + member) / 2;
        let key_of = |keys: &[K], member: usize| keys.get(member).copied().unwrap_or(K::LAST);
        let pair = member & !1;
        let mut winner = if key_of(&self.keys, pair + 1) < key_of(&self.keys, pair) { pair + 1 } else { pair };
        self.winners[node] = winner as u16;
        while node > 1 {
            let other = usize::from(self.winners[node ^ 1]);
            let (left, right) = if node.is_multiple_of(2) { (winner, other) } else { (other, winner) };
            winner = if key_of(&self.keys, right) < key_of(&self.keys, left) { right } else { left };
            node /= 2;
            self.winners[node] = winner as u16;
        }
    }

    /// Returns the first member that has packets.
    #[inline(always)]
    pub(super) fn first(&self, waits: impl Fn(usize) -> bool) -> Option<usize> {
        let (first, key) = match self.winners.get(1) {
            Some(&winner) => {
                let winner = usize::from(winner);
                (winner, self.keys.get(winner).copied().unwrap_or(K::LAST))
            }
            None => self.keys.iter().copied().enumerate().fold(
                (0, K::LAST),
                |best, next| {
                    if next.1 < best.1 { next } else { best }
                },
            ),
        };
        if key < K::LAST {
            return Some(first);
        }
        // Nothing waits, or only members whose key is the last there can be.
        (0..self.keys.len()).find(|&member| waits(member))
    }
}
