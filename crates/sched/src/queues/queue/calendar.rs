//! Calendar queue: FIFO queues for days of ranks, whose priorities rotate.
//!
//! Each queue holds `rank_width` consecutive ranks, a day. The present day is served until its queue is empty. Then the next day becomes
//! the present day, and the free queue represents a new day after the last. Source: programmable calendar queues (Sharma et al., NSDI'20).
//! With rounds as ranks it is the rotating strict-priority scheduler of AFQ (NSDI'18, section 3.2), for which there is the rank function
//! `afq`.
//!
//! A packet whose rank is before the present day enters the present queue. A packet whose rank is beyond the last day is dropped, or enters
//! the last queue with `beyond = "last"`. Both are counted. Left open by the papers and chosen here:
//!
//! - The calendar turns when a packet is dequeued, not when a queue runs empty. So the present day is always the day of the packet that was
//!   dequeued last, as the rank function sees it. Packets of that day may still enter its queue.
//! - If the calendar is empty and the rank of an arriving packet lies outside its days, the day of that rank becomes the present day. So
//!   ranks may start anywhere, and an empty calendar drops no packet as too far ahead.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::out_of_window::{Beyond, Outside};
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamSpec, convert};

/// The registry's entry for [`Calendar`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "calendar",
        title: "FIFO queues, each for a day of ranks, with rotating priorities; for ranks that rise for ever",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues whose priorities can be changed; runs on programmable switches",
        cost: "O(1) per push, O(queues) per pop; one slot per packet",
        source: "Sharma et al.: Programmable calendar queues, NSDI'20; Approximating fair queueing, NSDI'18, section 3.2",
        params: &[
            Shape::QUEUES,
            Shape::QUEUE_PACKETS,
            ParamSpec {
                name: "rank_width",
                kind: ParamKind::Integer { min: 1, max: 1 << 62, default: Some(1) },
                meaning: "ranks in a day; queues x rank_width is how far ahead of the present day a rank may be",
            },
            Beyond::param("what to do with a rank beyond the last day: drop, or last (put it into the last queue)"),
        ],
    },
    build: |size, params| {
        let beyond = Beyond::of(params);
        let shape = Shape::from_params(size.packets, params)?;
        let rank_width = params.integer("rank_width").unwrap_or(1);
        Ok(BuiltQueue::SingleEnded(Box::new(Calendar::with_shape(shape, rank_width, beyond))))
    },
};

/// FIFO queues with rotating priorities.
#[derive(Debug)]
pub struct Calendar<T> {
    /// The queues; day `d` is in queue `d mod queues`.
    queues: StrictPriority<T>,
    /// The number of ranks in a day.
    rank_width: u64,
    beyond: Beyond,
    /// The day that is served now: its ranks divided by `rank_width`.
    present: u64,
    outside: Outside,
}

impl<T> Calendar<T> {
    /// Creates `queues` empty queues of `queue_capacity` items for days of `rank_width` ranks. The present day is the day of rank 0.
    ///
    /// # Panics
    /// If there are no queues or a day has no ranks.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize, rank_width: u64, beyond: Beyond) -> Self {
        Self::with_shape(Shape { queues, queue_capacity }, rank_width, beyond)
    }

    fn with_shape(shape: Shape, rank_width: u64, beyond: Beyond) -> Self {
        assert!(rank_width > 0, "a day has ranks");
        Self { queues: StrictPriority::new(shape), rank_width, beyond, present: 0, outside: Outside::default() }
    }

    /// The number of the present day; the day of rank 0 has number 0.
    #[must_use]
    pub fn present_day(&self) -> u64 {
        self.present
    }

    /// Returns the queue of the day that is `ahead` days after the present day.
    fn queue_of(&self, ahead: usize) -> usize {
        let queues = self.queues.queues();
        // The remainder is below the number of queues.
        let present = usize::try_from(self.present % queues as u64).unwrap_or(0);
        (present + ahead) % queues
    }

    /// Returns the number of days from the present day to the day of the first packet.
    fn days_to_first(&self) -> Option<usize> {
        (0..self.queues.queues()).find(|&ahead| self.queues.peek_at(self.queue_of(ahead)).is_some())
    }
}

impl<T> RankQueue<T> for Calendar<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let day = rank / self.rank_width;
        let days = self.queues.queues();
        let is_outside = |present: u64| day < present || day - present >= days as u64;
        if self.queues.len() == 0 && is_outside(self.present) {
            self.present = day;
        }
        let is_beyond = day > self.present && is_outside(self.present);
        if is_beyond && self.beyond == Beyond::Drop {
            self.outside.beyond += 1;
            return Err(PushError::full(item));
        }
        let ahead = convert::saturate::<usize>(day.saturating_sub(self.present)).min(days - 1);
        self.queues.push(self.queue_of(ahead), rank, item)?;
        self.outside.before += u64::from(day < self.present);
        self.outside.beyond += u64::from(is_beyond);
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let ahead = self.days_to_first()?;
        self.present += ahead as u64;
        self.queues.pop_from(self.queue_of(0))
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.queues.peek_at(self.queue_of(self.days_to_first()?))
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
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::BTreeMap;

    /// A map from days to the packets that wait for them.
    struct Plain {
        days: BTreeMap<u64, Vec<(u64, u32)>>,
        present: u64,
        queues: u64,
        queue_capacity: usize,
        rank_width: u64,
        beyond: Beyond,
        before: u64,
        too_far: u64,
    }

    impl Plain {
        fn push(&mut self, rank: u64, item: u32) -> bool {
            let last = |present| present + self.queues - 1;
            let mut day = rank / self.rank_width;
            if self.days.is_empty() && !(self.present..=last(self.present)).contains(&day) {
                self.present = day;
            }
            let (is_before, is_too_far) = (day < self.present, day > last(self.present));
            if is_too_far && self.beyond == Beyond::Drop {
                self.too_far += 1;
                return false;
            }
            day = day.clamp(self.present, last(self.present));
            let waiting = self.days.entry(day).or_default();
            if waiting.len() == self.queue_capacity {
                return false;
            }
            waiting.push((rank, item));
            self.before += u64::from(is_before);
            self.too_far += u64::from(is_too_far);
            true
        }

        fn pop(&mut self) -> Option<(u64, u32)> {
            let mut first = self.days.first_entry()?;
            self.present = *first.key();
            let popped = first.get_mut().remove(0);
            if first.get().is_empty() {
                first.remove();
            }
            Some(popped)
        }
    }

    #[test]
    fn it_does_what_a_map_of_days_does() {
        let mut rng = Seed(1).stream("calendar");
        for case in 0..60_u64 {
            let (queues, queue_capacity) = (rng.random_range(1..12), rng.random_range(1..8));
            let (rank_width, beyond) = (rng.random_range(1..20), [Beyond::Drop, Beyond::Last][(case % 2) as usize]);
            let mut calendar = Calendar::new(queues, queue_capacity, rank_width, beyond);
            let mut plain = Plain {
                days: BTreeMap::new(),
                present: 0,
                queues: queues as u64,
                queue_capacity,
                rank_width,
                beyond,
                before: 0,
                too_far: 0,
            };
            let reach = rank_width * queues as u64;
            for item in 0..5_000 {
                if rng.random_bool(0.52) {
                    // From a day before the present one to a few beyond the last.
                    let from = (plain.present * rank_width).saturating_sub(rank_width);
                    let mut rank = from + rng.random_range(0..reach + 4 * rank_width);
                    if rng.random_bool(0.01) {
                        rank = rng.random_range(0..1_000 * reach);
                    }
                    assert_eq!(calendar.push(rank, item).is_ok(), plain.push(rank, item), "case {case}, item {item}");
                } else {
                    let expected = plain.pop();
                    assert_eq!(calendar.peek_min().map(|(rank, &item)| (rank, item)), expected, "case {case}");
                    assert_eq!(calendar.pop_min(), expected, "case {case}, item {item}");
                }
                assert_eq!(calendar.present_day(), plain.present, "case {case}, item {item}");
            }
            assert!(plain.before > 0 && plain.too_far > 0 && plain.present > 10, "case {case} visits all corners");
            let counted = calendar.counters().iter().map(|counter| counter.value).collect::<Vec<_>>();
            assert_eq!(counted, [plain.before, plain.too_far], "case {case}");
        }
    }

    #[test]
    fn priorities_rotate_and_the_queue_left_free_is_the_new_last_day() {
        let mut calendar = Calendar::new(3, 10, 10, Beyond::Drop);
        for rank in [25, 4, 19, 3] {
            calendar.push(rank, ()).unwrap();
        }
        assert!(calendar.push(30, ()).is_err(), "three days are 0 to 29");
        assert_eq!([calendar.pop_min(), calendar.pop_min()], [Some((4, ())), Some((3, ()))], "FIFO within a day");
        assert!(calendar.push(30, ()).is_err(), "the day of rank 3 is still the present one");
        assert_eq!(calendar.pop_min(), Some((19, ())));
        calendar.push(30, ()).unwrap();
        calendar.push(5, ()).unwrap();
        let rest: Vec<u64> = std::iter::from_fn(|| calendar.pop_min()).map(|(rank, ())| rank).collect();
        assert_eq!(rest, [5, 25, 30], "a late rank joins the present day");
    }

    #[test]
    fn the_greatest_rank_of_all_works() {
        let mut calendar = Calendar::new(4, 10, 1, Beyond::Last);
        for rank in [u64::MAX - 1, u64::MAX, 0] {
            calendar.push(rank, ()).unwrap();
        }
        let order: Vec<u64> = std::iter::from_fn(|| calendar.pop_min()).map(|(rank, ())| rank).collect();
        assert_eq!(order, [u64::MAX - 1, 0, u64::MAX]);
    }
}
