//! A kinetic tournament: which of many lines is the greatest now.

use crate::access::Slot;
use crate::structures::Line;

/// The greatest of the lines of some places, while time moves on (Basch, Guibas and
/// Hershberger, "Data structures for mobile data", SODA 1997).
///
/// A complete binary tree of winners. Each match has a *certificate*: the tick until
/// which its winner cannot change; a node knows the least of its subtree, so moving on
/// visits only what may have changed. Giving and taking lines costs O(log n), moving on
/// a polylogarithm in the mean. What wins is to the last bit what a look at all values
/// in 64-bit floating point would find. 36 bytes for each place.
#[derive(Debug, Clone, Default)]
pub struct Kinetic {
    /// Per place; of one that has no line, the line is not looked at.
    lines: Vec<(Line, u64)>,
    /// Node 1 is the root, the children of node i are 2i and 2i + 1. The second half are
    /// the places.
    nodes: Vec<Node>,
    now: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// The first tick at which a winner of this subtree may change.
    until: u64,
    winner: u32,
}

const NONE: u32 = u32::MAX;
const EMPTY: Node = Node { until: u64::MAX, winner: NONE };

impl Kinetic {
    /// No lines, with room for so many before it grows.
    #[must_use]
    pub fn new(places: usize) -> Self {
        let size = places.next_power_of_two().max(2);
        Self { lines: vec![(Line::constant(0.0), 0); size], nodes: vec![EMPTY; 2 * size], now: 0 }
    }

    /// Gives a place a line, in place of the one it had.
    #[inline]
    pub fn set(&mut self, slot: Slot, line: Line, stamp: u64) {
        if slot as usize >= self.lines.len() {
            self.grow(slot as usize + 1);
        }
        self.lines[slot as usize] = (line, stamp);
        self.change(slot, slot);
    }

    /// Takes away the line of a place, if it has one.
    #[inline]
    pub fn remove(&mut self, slot: Slot) {
        if (slot as usize) < self.lines.len() {
            self.change(slot, NONE);
        }
    }

    /// The place whose line is greatest at `now`; of equal ones that with the least
    /// stamp. Time does not go back: if `now` is before that of an earlier question, the
    /// answer is that of then.
    #[inline]
    pub fn greatest(&mut self, now: u64) -> Option<Slot> {
        self.now = self.now.max(now);
        if self.nodes[1].until <= self.now {
            self.advance(1);
        }
        Some(self.nodes[1].winner).filter(|&winner| winner != NONE)
    }

    /// The value of a place's line at a time.
    #[must_use]
    pub fn value(&self, slot: Slot, now: u64) -> f64 {
        self.lines[slot as usize].0.at(now as f64)
    }

    /// Plays the matches above a place again, until nothing changes.
    #[inline]
    fn change(&mut self, slot: Slot, winner: u32) {
        let mut node = self.lines.len() + slot as usize;
        self.nodes[node].winner = winner;
        while node > 1 {
            node /= 2;
            let before = self.nodes[node];
            let after = self.played(node);
            self.nodes[node] = after;
            // What changed has lost here, and had lost before.
            if before == after && after.winner != slot {
                break;
            }
        }
    }

    fn advance(&mut self, node: usize) {
        for child in [2 * node, 2 * node + 1] {
            if self.nodes[child].until <= self.now {
                self.advance(child);
            }
        }
        self.nodes[node] = self.played(node);
    }

    /// The match at a node.
    #[inline]
    fn played(&self, node: usize) -> Node {
        let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
        let until = left.until.min(right.until);
        if left.winner == NONE || right.winner == NONE {
            // NONE is the greatest number.
            return Node { until, winner: left.winner.min(right.winner) };
        }
        let now = self.now as f64;
        let (a, b) = (self.lines[left.winner as usize], self.lines[right.winner as usize]);
        let values = (a.0.at(now), b.0.at(now));
        let left_wins = values.0 > values.1 || (values.0 == values.1 && a.1 <= b.1);
        let (winner, slope, other, ahead, behind) = if left_wins {
            (left.winner, a.0.slope, b.0.slope, values.0, values.1)
        } else {
            (right.winner, b.0.slope, a.0.slope, values.1, values.0)
        };
        if other <= slope {
            return Node { until, winner };
        }
        let change = self.now.saturating_add(overtaken(ahead, ahead - behind, other - slope, slope));
        Node { until: until.min(change), winner }
    }

    fn grow(&mut self, places: usize) {
        let old = self.lines.len();
        let live: Vec<bool> = (0..old).map(|slot| self.nodes[old + slot].winner != NONE).collect();
        let size = places.next_power_of_two();
        self.lines.resize(size, (Line::constant(0.0), 0));
        self.nodes.clear();
        self.nodes.resize(2 * size, EMPTY);
        for (slot, _) in live.iter().enumerate().filter(|(_, live)| **live) {
            self.nodes[size + slot].winner = u32::try_from(slot).unwrap_or(NONE);
        }
        for node in (1..size).rev() {
            self.nodes[node] = self.played(node);
        }
    }
}

/// In how many ticks, 1 or more, a line that is `gap` behind the winner's value `ahead`
/// and gains `gain` per tick may seem to catch up. `slope` is that of the winner.
///
/// Values are off by half a unit in the last place, now and then: so lines may seem equal
/// a little earlier than they are, and the match is looked at that much earlier.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn overtaken(ahead: f64, gap: f64, gain: f64, slope: f64) -> u64 {
    const OFF: f64 = 8.0 * f64::EPSILON;
    let ticks = (gap * (1.0 - OFF) - ahead.abs() * OFF) / (gain * (1.0 + OFF) + slope.abs() * OFF);
    (ticks as u64).max(1)
}
