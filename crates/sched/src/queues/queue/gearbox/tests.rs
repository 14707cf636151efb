//! Tests of Gearbox: a comparison with a map of blocks, the bound on its order, and corner cases.

use super::*;
use crate::queues::queue::calendar::Calendar;
use forebay_core::Seed;
use rand::RngExt;
use std::collections::BTreeMap;

/// The backlog of one FIFO queue: rank, item, and whether the bound applies to the item.
type Waiting = Vec<(u64, u32, bool)>;

/// A map from levels and blocks to their backlogs, and a clock that goes from day to day.
struct Plain {
    blocks: BTreeMap<(u32, u64), Waiting>,
    /// For each level, its block with the present day: the number of its packets at its start, and the number of these that have left.
    begun: Vec<(u64, u64)>,
    present: u64,
    levels: u32,
    queues: u64,
    queue_capacity: usize,
    rank_width: u64,
    beyond: Beyond,
    before: u64,
    too_far: u64,
}

impl Plain {
    fn block(&self, level: u32, day: u64) -> (u32, u64) {
        (level, day / self.queues.pow(level))
    }

    /// The last block of the top level.
    fn last(&self) -> u64 {
        self.block(self.levels - 1, self.present).1 + self.queues - 1
    }

    fn push(&mut self, rank: u64, item: u32) -> bool {
        let day = rank / self.rank_width;
        let top = self.levels - 1;
        if self.blocks.is_empty() && (day < self.present || self.block(top, day).1 > self.last()) {
            self.present = day;
        }
        let (is_before, is_too_far) = (day < self.present, self.block(top, day).1 > self.last());
        if is_too_far && self.beyond == Beyond::Drop {
            self.too_far += 1;
            return false;
        }
        let is_near = |level: &u32| self.block(*level, day).1 < self.block(*level, self.present).1 + self.queues;
        let place = if is_before {
            (0, self.present)
        } else if is_too_far {
            (top, self.last())
        } else {
            self.block((0..self.levels).find(is_near).unwrap(), day)
        };
        let waiting = self.blocks.entry(place).or_default();
        if waiting.len() == self.queue_capacity {
            return false;
        }
        waiting.push((rank, item, !is_before && !is_too_far));
        self.before += u64::from(is_before);
        self.too_far += u64::from(is_too_far);
        true
    }

    fn pop(&mut self) -> Option<(u64, u32)> {
        if self.blocks.is_empty() {
            return None;
        }
        loop {
            for level in 0..self.levels {
                let place = self.block(level, self.present);
                let days = self.queues.pow(level);
                let (all, left) = self.begun[level as usize];
                let is_due = level == 0 || left < all * (self.present % days + 1) / days;
                if is_due && self.blocks.contains_key(&place) {
                    return Some(self.take(place));
                }
            }
            self.present += 1;
            for level in 0..self.levels {
                if self.present.is_multiple_of(self.queues.pow(level)) {
                    let waiting = self.blocks.get(&self.block(level, self.present));
                    self.begun[level as usize] = (waiting.map_or(0, |waiting| waiting.len() as u64), 0);
                }
            }
        }
    }

    /// Takes the first of a block, and checks the bound against all that wait.
    fn take(&mut self, place: (u32, u64)) -> (u64, u32) {
        self.begun[place.0 as usize].1 += 1;
        let waiting = self.blocks.get_mut(&place).unwrap();
        let (rank, item, is_bounded) = waiting.remove(0);
        if waiting.is_empty() {
            self.blocks.remove(&place);
        }
        for (&(level, block), waiting) in &self.blocks {
            assert!(block >= self.block(level, self.present).1, "no block is passed over");
            let bound = self.rank_width * self.queues.pow(level.max(place.0));
            for &(other, _, other_is_bounded) in waiting.iter().filter(|(other, ..)| *other < rank) {
                assert!(!is_bounded || !other_is_bounded || rank - other < bound, "{rank} before {other}");
            }
        }
        (rank, item)
    }
}

#[test]
fn it_does_what_a_map_of_blocks_does_and_keeps_its_bound() {
    let mut rng = Seed(1).stream("gearbox");
    let mut inversions = 0;
    for case in 0..60_u64 {
        let (levels, queues) = (rng.random_range(1..4), rng.random_range(2..6));
        let (queue_capacity, rank_width) = (rng.random_range(1..12), rng.random_range(1..9));
        let beyond = [Beyond::Drop, Beyond::Last][(case % 2) as usize];
        let mut gearbox = Gearbox::new(levels, queues, queue_capacity, rank_width, beyond);
        let mut plain = Plain {
            blocks: BTreeMap::new(),
            begun: vec![(0, 0); levels],
            present: 0,
            levels: u32::try_from(levels).unwrap(),
            queues: queues as u64,
            queue_capacity,
            rank_width,
            beyond,
            before: 0,
            too_far: 0,
        };
        let reach = rank_width * plain.queues.pow(plain.levels);
        for item in 0..2_000 {
            if rng.random_bool(0.52) {
                // From a day before the present one to a few beyond the last, near ranks as often as far ones.
                let from = (plain.present * rank_width).saturating_sub(rank_width);
                let span = rng.random_range(1..=reach + 4 * rank_width);
                let mut rank = from + rng.random_range(0..span);
                if rng.random_bool(0.01) {
                    rank = rng.random_range(0..20 * reach);
                }
                assert_eq!(gearbox.push(rank, item).is_ok(), plain.push(rank, item), "case {case}, item {item}");
            } else {
                let lowest = plain.blocks.values().flatten().map(|(rank, ..)| *rank).min();
                let expected = plain.pop();
                inversions += u64::from(expected.map(|(rank, _)| rank) > lowest);
                assert_eq!(gearbox.peek_min().map(|(rank, &item)| (rank, item)), expected, "case {case}");
                assert_eq!(gearbox.pop_min(), expected, "case {case}, item {item}");
            }
            assert_eq!(gearbox.present_day(), plain.present, "case {case}, item {item}");
        }
        assert!(plain.before > 0 && plain.too_far > 0 && plain.present > 10, "case {case} visits all corners");
        let counted = gearbox.counters().iter().map(|counter| counter.value).collect::<Vec<_>>();
        assert_eq!(counted, [plain.before, plain.too_far], "case {case}");
    }
    assert!(inversions > 1_000, "the order is not exact: {inversions}");
}

#[test]
fn one_level_is_a_calendar() {
    let mut rng = Seed(2).stream("gearbox");
    for beyond in [Beyond::Drop, Beyond::Last] {
        let mut gearbox = Gearbox::new(1, 7, 5, 10, beyond);
        let mut calendar = Calendar::new(7, 5, 10, beyond);
        for item in 0..10_000 {
            if rng.random_bool(0.55) {
                let rank = (calendar.present_day() * 10).saturating_sub(20) + rng.random_range(0..110);
                assert_eq!(gearbox.push(rank, item), calendar.push(rank, item), "item {item}");
            } else {
                assert_eq!(gearbox.pop_min(), calendar.pop_min(), "item {item}");
            }
        }
        assert_eq!(gearbox.counters(), calendar.counters());
    }
}

#[test]
fn a_block_is_served_evenly_over_its_days() {
    // Days 0 to 3 are in level 0, days 4 to 15 in three blocks of level 1.
    let mut gearbox = Gearbox::new(2, 4, 100, 1, Beyond::Drop);
    for rank in [0, 7, 6, 5, 4, 7, 6, 5, 4, 8] {
        gearbox.push(rank, ()).unwrap();
    }
    assert!(gearbox.push(16, ()).is_err(), "two levels of four queues reach day 15");
    assert_eq!([gearbox.pop_min(), gearbox.pop_min()], [Some((0, ())), Some((7, ()))]);
    assert_eq!(gearbox.present_day(), 4, "the block begins");
    for rank in [5, 4] {
        gearbox.push(rank, ()).unwrap();
    }
    let rest: Vec<u64> = std::iter::from_fn(|| gearbox.pop_min()).map(|(rank, ())| rank).collect();
    assert_eq!(rest, [4, 6, 5, 5, 4, 7, 6, 5, 4, 8], "each day first its own packets, then two of the block");
    assert_eq!(gearbox.present_day(), 11, "one packet is due at the end of its block");
}

#[test]
fn the_greatest_rank_of_all_works() {
    let mut gearbox = Gearbox::new(3, 10, 10, 1, Beyond::Last);
    for rank in [u64::MAX - 500, u64::MAX, u64::MAX - 1, 0] {
        gearbox.push(rank, ()).unwrap();
    }
    let order: Vec<u64> = std::iter::from_fn(|| gearbox.pop_min()).map(|(rank, ())| rank).collect();
    assert_eq!(order, [u64::MAX - 500, 0, u64::MAX, u64::MAX - 1]);
}
