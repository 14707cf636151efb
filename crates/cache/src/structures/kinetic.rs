//! A kinetic tournament: which of many lines is the greatest now.

use crate::access::Slot;
use crate::structures::Line;

/// The greatest of the lines of some slots, while time moves on (Basch, Guibas and
/// Hershberger, "Data structures for mobile data", SODA 1997). Time is any number that never falls: that of a trace, or
/// the age of a cache.
///
/// A complete binary tree of winners. Each match has a *certificate*: the time until which its winner cannot change. A node
/// knows the least certificate of its subtree, so moving on visits only nodes that may have changed. Giving and taking
/// lines costs O(log n), moving on a polylogarithm in the mean. The winner is to the last bit the one that a look at all
/// values in 64-bit floating point would find. 56 bytes for each slot.
#[derive(Debug, Clone, Default)]
pub struct Kinetic {
    /// Per slot; of one that has no line, the line is not looked at.
    lines: Vec<(Line, u64)>,
    /// Node 1 is the root, the children of node i are 2i and 2i + 1. The second half are
    /// the slots.
    nodes: Vec<Node>,
    now: f64,
    /// A slot whose line was taken away, which the tree does not know yet: mostly it is
    /// given out again at once.
    vacant: Option<Slot>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// The first time at which a winner of this subtree may change.
    until: f64,
    winner: u32,
}

const NONE: u32 = u32::MAX;
const EMPTY: Node = Node { until: f64::INFINITY, winner: NONE };

impl Kinetic {
    /// No lines, with room for this many before it grows.
    #[must_use]
    pub fn new(places: usize) -> Self {
        let size = places.next_power_of_two().max(2);
        Self { lines: vec![(Line::constant(0.0), 0); size], nodes: vec![EMPTY; 2 * size], now: 0.0, vacant: None }
    }

    /// Gives a slot a line, in place of the one it had.
    #[inline]
    pub fn set(&mut self, slot: Slot, line: Line, stamp: u64) {
        if slot as usize >= self.lines.len() {
            self.grow(slot as usize + 1);
        }
        if let Some(vacant) = self.vacant.take_if(|vacant| *vacant != slot) {
            self.change(vacant, NONE);
        }
        self.vacant = None;
        self.lines[slot as usize] = (line, stamp);
        self.change(slot, slot);
    }

    /// Takes away the line of a slot, if it has one.
    #[inline]
    pub fn remove(&mut self, slot: Slot) {
        if self.nodes.get(self.lines.len() + slot as usize).is_none_or(|leaf| leaf.winner == NONE) {
            return;
        }
        if let Some(vacant) = self.vacant.replace(slot)
            && vacant != slot
        {
            self.change(vacant, NONE);
        }
    }

    /// The slot whose line is greatest at `now`; of equal ones that with the least
    /// stamp. Time does not go back: if `now` is before that of an earlier question, the
    /// answer is that of then.
    #[inline]
    pub fn greatest(&mut self, now: f64) -> Option<Slot> {
        if let Some(vacant) = self.vacant.take() {
            self.change(vacant, NONE);
        }
        self.now = self.now.max(now);
        if self.nodes[1].until <= self.now {
            self.advance(1);
        }
        Some(self.nodes[1].winner).filter(|&winner| winner != NONE)
    }

    /// The value of a slot's line at a time.
    #[must_use]
    pub fn value(&self, slot: Slot, now: f64) -> f64 {
        self.lines[slot as usize].0.at(now)
    }

    /// Plays the matches above a slot again, until nothing changes.
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
        let now = self.now;
        let (a, b) = (self.lines[left.winner as usize], self.lines[right.winner as usize]);
        let values = (a.0.at(now), b.0.at(now));
        let left_wins = values.0 > values.1 || (values.0 == values.1 && a.1 <= b.1);
        let (winner, slope, other, ahead, behind) = if left_wins {
            (left.winner, a.0.slope, b.0.slope, values.0, values.1)
        } else {
            (right.winner, b.0.slope, a.0.slope, values.1, values.0)
        };
        let change = now + wins_for(ahead, ahead - behind, other - slope, slope);
        Node { until: until.min(change), winner }
    }

    fn grow(&mut self, places: usize) {
        if let Some(vacant) = self.vacant.take() {
            self.change(vacant, NONE);
        }
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

/// For how long a line surely wins that has the value `ahead`, is `gap` ahead, has this slope and loses `loss` in a unit of
/// time.
///
/// Values are off by half a unit in the last place, now and then. So near the time at which two lines meet, before and
/// after, they may seem equal or in the wrong order; there the match is looked at in every question.
#[inline]
fn wins_for(ahead: f64, gap: f64, loss: f64, slope: f64) -> f64 {
    const OFF: f64 = 8.0 * f64::EPSILON;
    let sure = gap * (1.0 - OFF) - ahead.abs() * OFF;
    match (sure > 0.0, loss > 0.0) {
        _ if loss == 0.0 => f64::INFINITY,
        (true, false) => f64::INFINITY,
        (true, true) => sure / (loss * (1.0 + OFF) + slope.abs() * OFF),
        (false, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Rng, Seed};
    use rand::RngExt as _;
    use std::cmp::Reverse;

    /// All lines, looked at one by one.
    fn naive(lines: &[Option<(Line, u64)>], now: u64) -> Option<Slot> {
        let value = |slot: usize| lines[slot].map_or(f64::NEG_INFINITY, |(line, _)| line.at(now as f64));
        let order = |a: &usize, b: &usize| {
            let stamp = |slot: usize| Reverse(lines[slot].map(|(_, stamp)| stamp));
            value(*a).total_cmp(&value(*b)).then(stamp(*a).cmp(&stamp(*b)))
        };
        let live = (0..lines.len()).filter(|&slot| lines[slot].is_some());
        live.max_by(order).and_then(|slot| Slot::try_from(slot).ok())
    }

    /// Few different numbers, so that lines meet at whole ticks, or nearly the same ones,
    /// so that rounding matters.
    fn line(rng: &mut Rng, now: u64, kind: u32) -> Line {
        let factor = match kind {
            0 => f64::from(rng.random_range(1..=4_u32)),
            1 => 1.0 / f64::from(rng.random_range(1..=50_u32)),
            2 => 1.0 + f64::from(rng.random_range(0..=8_u32)) * f64::EPSILON,
            _ => rng.random::<f64>() + 1e-9,
        };
        let line = match rng.random_range(0..5) {
            0 => Line::until(now + rng.random_range(0..100)),
            1 => Line::constant(f64::from(rng.random_range(0..30_u32))),
            _ => Line::since(now.saturating_sub(rng.random_range(0..100))),
        };
        line.times(factor)
    }

    #[test]
    fn finds_what_a_look_at_all_finds() {
        let mut changes = 0;
        for seed in 0..400 {
            let mut rng = Seed(seed).stream("test/kinetic");
            let places = rng.random_range(1..40);
            let kind = rng.random_range(0..4);
            let pace = [1, 3, 50, 1 << 40][rng.random_range(0..4)];
            let mut kinetic = Kinetic::new(rng.random_range(0..4));
            let mut lines = vec![None; places as usize];
            let (mut now, mut before) = (0, None);
            for stamp in 0..600 {
                let slot = rng.random_range(0..places);
                if rng.random_range(0..4) == 0 {
                    kinetic.remove(slot);
                    lines[slot as usize] = None;
                } else if rng.random() {
                    let line = line(&mut rng, now, kind);
                    kinetic.set(slot, line, stamp);
                    lines[slot as usize] = Some((line, stamp));
                }
                for _ in 0..rng.random_range(0..4) {
                    now += rng.random_range(0..=pace);
                    let found = kinetic.greatest(now as f64);
                    assert_eq!(found, naive(&lines, now), "seed {seed}, at {now}");
                    changes += u32::from(found != before);
                    before = found;
                }
            }
        }
        assert!(changes > 10_000, "{changes}");
    }

    /// Late in a long trace, near the tick at which two lines meet, their values are equal
    /// or in the wrong order for hundreds of ticks.
    #[test]
    fn finds_it_where_rounding_decides() {
        let mut rng = Seed(1).stream("test/kinetic");
        let mut first_wins = 0;
        for _ in 0..500 {
            let meet = (1_u64 << 50) + rng.random_range(0..1 << 49);
            let ratio = 1.0 + rng.random_range(0.001..0.01);
            let slope = rng.random::<f64>() + 0.5;
            let first = Line { slope, zero: 0.0 };
            let second = Line { slope: slope * ratio, zero: (meet as f64 * (1.0 - 1.0 / ratio)).round() };
            let lines = [Some((first, 0)), Some((second, 1))];
            let mut kinetic = Kinetic::new(2);
            kinetic.set(0, first, 0);
            kinetic.set(1, second, 1);
            kinetic.greatest(rng.random_range(0..meet / 2) as f64);
            for now in meet - 500..meet + 500 {
                let found = kinetic.greatest(now as f64);
                assert_eq!(found, naive(&lines, now), "at {now}, to meet at {meet}");
                first_wins += u32::from(found == Some(0));
            }
        }
        assert!((100_000..400_000).contains(&first_wins), "{first_wins}");
    }
}
