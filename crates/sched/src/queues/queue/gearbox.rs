//! Gearbox: levels of FIFO queues, each level coarser than the one below, for ranks that rise for ever.
//!
//! A calendar with days of one length needs many FIFO queues for distant ranks, or long days. Gearbox (Gao et al., NSDI'22) has `levels` of
//! `queues` FIFO queues. A queue of level 0 holds `rank_width` ranks, a day. A queue of level l holds `queues`^l days, a block. A packet
//! enters the lowest level whose range includes its rank. So 24 queues cover as many ranks as a calendar with 512 days, and the next ranks
//! are in short days.
//!
//! Days pass as in a calendar. The block of a level that contains the present day is served beside level 0, evenly over its days. The share
//! of its `n` packets that have left is at most the share of its days that have begun, rounded down. By the end of its last day, all its
//! packets have left. So no packet moves between queues, and an operation reads only the heads of the queues.
//!
//! The order differs little from that of a PIFO. A packet of level a leaves before a packet of level b with a lower rank only if the ranks
//! differ by less than `rank_width` x `queues`^max(a, b). Both packets then lie in the present block of the higher level. A packet whose
//! rank is before the present day joins that day. A packet whose rank is beyond the last block is dropped or joins the last block (`beyond
//! = "last"`). Both kinds of packets are counted, and the bound does not apply to them.
//!
//! The text of the paper is not among the sources of this repository. Chosen here: that a block is served evenly, that lower levels go
//! first within a day, and the present day of an empty queue, which is chosen as in [`Calendar`].
//!
//! [`Calendar`]: crate::queues::queue::calendar::Calendar

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::out_of_window::{Beyond, Outside};
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamSpec, convert};

/// The registry's entry for [`Gearbox`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "gearbox",
        title: "Levels of FIFO queues, each coarser than the one below; for ranks that rise for ever",
        exactness: Exactness::Approximate,
        hardware: "FIFO queues whose priorities can be changed, and a count of packets for each level",
        cost: "O(1) per push, O(levels x queues) per pop; one slot per packet",
        source: "Gao et al.: Gearbox: a hierarchical packet scheduler for approximate weighted fair queuing, NSDI'22",
        params: &[
            ParamSpec {
                name: "levels",
                kind: ParamKind::Integer { min: 1, max: MAX_LEVELS as u64, default: Some(3) },
                meaning: "levels of FIFO queues",
            },
            ParamSpec {
                name: "queues",
                kind: ParamKind::Integer { min: 2, max: 1024, default: Some(8) },
                meaning: "FIFO queues of each level; a queue takes this many times the ranks of one in the level below",
            },
            ParamSpec {
                name: "queue_packets",
                kind: ParamKind::Integer { min: 1, max: 1 << 24, default: None },
                meaning: "packets that each queue holds (default: the buffer divided by all queues, rounded up)",
            },
            ParamSpec {
                name: "rank_width",
                kind: ParamKind::Integer { min: 1, max: 1 << 62, default: Some(1) },
                meaning: "ranks in a queue of the lowest level",
            },
            Beyond::param("what to do with a rank that no level reaches: drop, or last (put it into the last queue)"),
        ],
    },
    build: |size, params| {
        let beyond = Beyond::of(params);
        let number = |name| params.integer(name).map_or(1, convert::index);
        let (levels, queues) = (number("levels"), number("queues"));
        let shape = Shape::of_queues(levels * queues, size.packets, params)?;
        let rank_width = params.integer("rank_width").unwrap_or(1);
        Ok(BuiltQueue::SingleEnded(Box::new(Gearbox::with_shape(levels, shape, rank_width, beyond))))
    },
};

/// The most levels: with 1,024 queues in each level, they have fewer than 2^64 days.
const MAX_LEVELS: usize = 6;

/// Levels of FIFO queues.
#[derive(Debug)]
pub struct Gearbox<T> {
    /// The queues; block `b` of level `l` is in queue `l * per_level + b mod per_level`.
    queues: StrictPriority<T>,
    per_level: u64,
    levels: Vec<Level>,
    /// The number of ranks in a day.
    rank_width: u64,
    beyond: Beyond,
    /// The day that is served now: its ranks divided by `rank_width`.
    present: u64,
    outside: Outside,
}

#[derive(Debug)]
struct Level {
    /// The number of days in a block.
    days: u64,
    /// The block that was served last, and the number of its packets that have left.
    block: u64,
    served: u64,
}

impl<T> Gearbox<T> {
    /// Creates `levels` levels of `queues` empty queues, which hold `queue_capacity` items each, for days of `rank_width` ranks. The
    /// present day is the day of rank 0.
    ///
    /// # Panics
    /// If there are no levels or more than six, fewer than 2 or more than 1,024 queues in a level, or a day has no ranks.
    #[must_use]
    pub fn new(levels: usize, queues: usize, queue_capacity: usize, rank_width: u64, beyond: Beyond) -> Self {
        Self::with_shape(levels, Shape { queues: levels * queues, queue_capacity }, rank_width, beyond)
    }

    fn with_shape(levels: usize, shape: Shape, rank_width: u64, beyond: Beyond) -> Self {
        assert!((1..=MAX_LEVELS).contains(&levels), "there are one to six levels");
        let per_level = (shape.queues / levels) as u64;
        assert!((2..=1024).contains(&per_level), "a level has 2 to 1,024 queues");
        assert!(rank_width > 0, "a day has ranks");
        let levels = std::iter::successors(Some(1_u64), |days| Some(days * per_level))
            .take(levels)
            .map(|days| Level { days, block: 0, served: 0 })
            .collect();
        let queues = StrictPriority::new(shape);
        Self { queues, per_level, levels, rank_width, beyond, present: 0, outside: Outside::default() }
    }

    /// The number of the present day; the day of rank 0 has number 0.
    #[must_use]
    pub fn present_day(&self) -> u64 {
        self.present
    }

    /// The queue of a block of a level.
    fn queue_of(&self, level: usize, block: u64) -> usize {
        convert::index(level as u64 * self.per_level + block % self.per_level)
    }

    /// Returns the queue of a level whose block contains `day`.
    fn queue_at(&self, level: usize, day: u64) -> usize {
        self.queue_of(level, day / self.levels[level].days)
    }

    /// Returns the lowest level whose range includes `day`.
    fn level_of(&self, day: u64) -> Option<usize> {
        let reaches = |level: &Level| day / level.days - self.present / level.days < self.per_level;
        (day >= self.present).then(|| self.levels.iter().position(reaches)).flatten()
    }

    /// Returns the day and the block of a level's next departure.
    fn next_of(&self, number: usize) -> Option<(u64, u64)> {
        let level = &self.levels[number];
        let present = self.present / level.days;
        let mut blocks = (0..self.per_level).map_while(|ahead| present.checked_add(ahead));
        let block = blocks.find(|block| !self.queues.is_empty(self.queue_of(number, *block)))?;
        let served = if block == level.block { level.served } else { 0 };
        let all = served + self.queues.len_of(self.queue_of(number, block)) as u64;
        // Of a block with n packets, packet k of 1 to n is due when k / n of its days have begun.
        let begun = (u128::from(served + 1) * u128::from(level.days)).div_ceil(u128::from(all));
        let day = convert::saturate::<u64>(u128::from(block) * u128::from(level.days) + begun - 1);
        Some((day.max(self.present), block))
    }

    /// Returns the level that is served next, with the day and the block: the lowest level among those whose packet is due first.
    fn next(&self) -> Option<(usize, u64, u64)> {
        let due = |level| self.next_of(level).map(|(day, block)| (level, day, block));
        (0..self.levels.len()).filter_map(due).min_by_key(|&(level, day, _)| (day, level))
    }
}

impl<T> RankQueue<T> for Gearbox<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let day = rank / self.rank_width;
        if self.queues.len() == 0 && self.level_of(day).is_none() {
            self.present = day;
            // Blocks may come again that have been served.
            self.levels.iter_mut().for_each(|level| level.served = 0);
        }
        let is_before = day < self.present;
        let level = self.level_of(day);
        let is_beyond = !is_before && level.is_none();
        if is_beyond && self.beyond == Beyond::Drop {
            self.outside.beyond += 1;
            return Err(PushError::full(item));
        }
        let last = self.levels.len() - 1;
        let queue = match level {
            Some(level) => self.queue_at(level, day),
            None if is_before => self.queue_at(0, self.present),
            None => self.queue_of(last, self.present / self.levels[last].days + self.per_level - 1),
        };
        self.queues.push(queue, rank, item)?;
        self.outside.before += u64::from(is_before);
        self.outside.beyond += u64::from(is_beyond);
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let (number, day, block) = self.next()?;
        self.present = day;
        let level = &mut self.levels[number];
        if level.block != block {
            (level.block, level.served) = (block, 0);
        }
        level.served += 1;
        self.queues.pop_from(self.queue_of(number, block))
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        let (level, _, block) = self.next()?;
        self.queues.peek_at(self.queue_of(level, block))
    }

    fn len(&self) -> usize {
        self.queues.len()
    }

    fn capacity(&self) -> usize {
        self.queues.capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.beyond.sure_capacity(&self.queues)
    }

    fn counters(&self) -> Vec<Counter> {
        self.outside.counters()
    }
}

#[cfg(test)]
mod tests;
