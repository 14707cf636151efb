//! Mean bounds: strict-priority FIFO queues whose bounds follow the mean rank of the packets around them, with detours around queues that a
//! packet would put out of order.
//!
//! This is forebay's own design, for hardware like that of PACKS, but without a window. It has two ideas, both from the theory in
//! [`unpifoness`](crate::queues::unpifoness):
//!
//! - **Bounds.** The gradient algorithm of SP-PIFO's appendix A ends where each bound is the mean rank of the packets in the two queues
//!   that meet at it. So each packet moves the bound of its queue and the next higher bound a small part of the way towards its own rank
//!   (stochastic gradient descent). No bound can pass the packet's rank, so the bounds stay sorted, without windows, counters or
//!   push-downs. Only packets that find others in their queue move bounds, since only they can be in the wrong order. Queues of low
//!   priority are rarely empty, so they get narrower ranges than they would by the unpifoness of all packets.
//! - **Detours.** If the last packet of its queue has a higher rank, a packet tries the next queue of higher priority instead. It stops at
//!   a queue that is empty or ends with a rank that is not higher. The packet passes only packets of higher rank: it tries no queue beyond
//!   the first that holds another packet. It enters that queue only if it is in order there.
//!
//! Measured on one port with 8 queues of 10 packets, Poisson arrivals of 500,000
//! packets, ranks 0 to 100, seed 1; inversions and drops:
//!
//! | ranks, load | SP-PIFO | SP-PIFO, push-down one | PACKS | `detour = 0` | this |
//! | --- | --- | --- | --- | --- | --- |
//! | uniform, 0.8 | 27,896, 0.01 % | 46,328, 0.00 % | 32,095, 0.04 % | 31,359, 0.00 % | 11,490, 0.00 % |
//! | uniform, 1.1 | 138,006, 9.35 % | 140,427, 9.18 % | 96,960, 9.38 % | 89,860, 9.21 % | 66,509, 9.20 % |
//! | exponential, 0.8 | 25,183, 0.00 % | 56,484, 0.00 % | 30,767, 0.05 % | 30,290, 0.00 % | 11,693, 0.00 % |
//! | exponential, 1.1 | 125,305, 9.14 % | 172,705, 9.09 % | 92,410, 9.39 % | 94,995, 9.12 % | 75,162, 9.12 % |
//!
//! SP-PIFO's other push-downs are within 15 % of its first here. At moderate load the detours make the difference, at overload the bounds
//! have a larger part.
//!
//! Limits: a detour needs to know at ingress which queues are empty. A packet writes two neighbouring bounds. A pipeline with one register
//! access per packet must process the packet twice for that. Bounds rise from zero one queue after the other, so that 32 queues want a
//! smaller `shift`. Ranks that rise for ever, as deadlines and virtual times do, lead most packets to the last queue, as with SP-PIFO. With
//! on-off flows at loads 0.7, 0.9 and 1.1, mean bounds then dropped up to 0.8 percentage points more of all packets. Inversions were 17 to
//! 49 % fewer, except with EDF at load 0.7: 57 % more.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::serve_from::serve_from;
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamSpec};

/// The registry's entry for [`MeanBounds`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "mean-bounds",
        title: "Strict-priority FIFO queues whose bounds follow mean ranks, with detours",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues, whether each is empty at ingress, three registers per queue",
        cost: "O(queues) per push, O(queues) per pop; one slot per packet, a bound and two ranks per queue",
        source: "forebay; the bounds go where those of SP-PIFO, NSDI'20, appendix A go",
        params: &[
            Shape::QUEUES,
            Shape::QUEUE_PACKETS,
            ParamSpec {
                name: "shift",
                kind: ParamKind::Integer { min: 1, max: FRACTION_BITS as u64, default: Some(4) },
                meaning: "a packet moves the two bounds beside it 1 / 2^shift of the way to its rank",
            },
            ParamSpec {
                name: "detour",
                kind: ParamKind::Integer { min: 0, max: 1023, default: Some(1023) },
                meaning: "largest number of queues by which a packet may move up to keep its queue in order; 0: none",
            },
        ],
    },
    build: |size, params| {
        let shape = Shape::from_params(size.packets, params)?;
        let shift = params.integer("shift").and_then(|shift| u32::try_from(shift).ok()).unwrap_or(1);
        let detour = params.integer("detour").and_then(|detour| usize::try_from(detour).ok()).unwrap_or(0);
        Ok(BuiltQueue::SingleEnded(Box::new(MeanBounds::new(shape.queues, shape.queue_capacity, shift, detour))))
    },
};

/// Bits of a bound behind the point: as many as the largest shift, so that every
/// packet moves a bound that is a rank or more away.
const FRACTION_BITS: u32 = 20;

/// Strict-priority queues with bounds that follow mean ranks.
#[derive(Debug)]
pub struct MeanBounds<T> {
    queues: StrictPriority<T>,
    /// The lowest rank meant for each queue, highest priority first, in units of
    /// 2^-20. The first stays zero.
    bounds: Box<[u128]>,
    contents: Box<[Contents]>,
    shift: u32,
    detour: usize,
    detours: u64,
}

/// The state of a queue that is not empty.
#[derive(Debug, Clone, Copy, Default)]
struct Contents {
    /// The rank of the last packet.
    last: u64,
    /// The least rank that has entered since the queue was empty: no waiting rank is lower.
    least: u64,
}

impl<T> MeanBounds<T> {
    /// Creates `queues` empty queues of `queue_capacity` items each, with all bounds zero. A packet moves bounds by `1 / 2^shift` of their
    /// distance to its rank, and its detour passes at most `detour` queues.
    ///
    /// # Panics
    /// If there are no queues, or `shift` is not from 1 to 20.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize, shift: u32, detour: usize) -> Self {
        assert!((1..=FRACTION_BITS).contains(&shift), "a shift from 1 to {FRACTION_BITS}");
        Self {
            queues: StrictPriority::new(Shape { queues, queue_capacity }),
            bounds: vec![0; queues].into(),
            contents: vec![Contents::default(); queues].into(),
            shift,
            detour,
            detours: 0,
        }
    }

    /// The bounds, highest priority first, rounded down.
    pub fn bounds(&self) -> impl Iterator<Item = u64> {
        self.bounds.iter().map(|bound| u64::try_from(bound >> FRACTION_BITS).expect("a mean of ranks"))
    }

    /// Moves the bounds on both sides of `rank` towards it.
    fn learn(&mut self, home: usize, rank: u128) {
        if home > 0 {
            let bound = &mut self.bounds[home];
            *bound += (rank - *bound) >> self.shift;
        }
        if let Some(bound) = self.bounds.get_mut(home + 1) {
            *bound -= (*bound - rank) >> self.shift;
        }
    }

    /// Returns the queue for a packet whose rank is in the range of queue `home`.
    fn choose(&self, home: usize, rank: u64) -> usize {
        let mut reached = home;
        for queue in (home.saturating_sub(self.detour)..=home).rev() {
            let Contents { last, least } = self.contents[queue];
            if self.queues.is_empty(queue) || last <= rank {
                return queue;
            }
            if least <= rank {
                break;
            }
            reached = queue;
        }
        reached
    }

    fn note(&mut self, queue: usize, rank: u64) {
        let least = if self.queues.is_empty(queue) { rank } else { self.contents[queue].least.min(rank) };
        self.contents[queue] = Contents { last: rank, least };
    }
}

impl<T> RankQueue<T> for MeanBounds<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let fine_rank = u128::from(rank) << FRACTION_BITS;
        let home = self.bounds.partition_point(|&bound| bound <= fine_rank) - 1;
        if !self.queues.is_empty(home) {
            self.learn(home, fine_rank);
        }
        let queue = self.choose(home, rank);
        if self.queues.free(queue) > 0 {
            self.note(queue, rank);
            self.detours += u64::from(queue != home);
        }
        self.queues.push(queue, rank, item)
    }

    serve_from!(queues);

    fn sure_capacity(&self) -> usize {
        self.queues.sure_capacity()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        bounds.extend(self.bounds());
    }

    fn counters(&self) -> Vec<Counter> {
        vec![Counter { name: "detours", value: self.detours }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::unpifoness::{Histogram, converge};
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::VecDeque;

    #[test]
    fn a_packet_takes_the_bounds_beside_it_part_of_the_way() {
        let mut queue = MeanBounds::new(3, 100, 1, 0);
        let mut bounds_after = |rank| {
            queue.push(rank, ()).unwrap();
            queue.bounds().collect::<Vec<_>>()
        };
        assert_eq!(bounds_after(8), [0, 0, 0], "alone in its queue, the last");
        assert_eq!(bounds_after(8), [0, 0, 4]);
        assert_eq!(bounds_after(2), [0, 0, 4], "alone in the middle");
        assert_eq!(bounds_after(2), [0, 1, 3], "the bounds of its queue and of the next");
        assert_eq!(bounds_after(3), [0, 1, 3], "a rank at the bound is in the queue and moves it no further");
    }

    #[test]
    fn a_detour_leads_past_worse_packets() {
        let mut queue = MeanBounds::new(3, 100, 20, 2);
        let mut place = |rank| {
            let queue_before = queue.choose(2, rank);
            queue.push(rank, ()).unwrap();
            queue_before
        };
        // With the smallest step and ranks this small, the last queue is home to all.
        assert_eq!(place(5), 2);
        assert_eq!(place(7), 2, "in order");
        assert_eq!(place(6), 2, "would overtake 5");
        assert_eq!(place(4), 1, "passes 5, 7 and 6");
        assert_eq!(place(3), 0, "passes 4, too");
        assert_eq!(place(4), 1, "behind 4");
        assert_eq!(place(5), 2, "behind 5, although 7 and 6 are between");
        assert_eq!(place(2), 0, "in order nowhere, and better than all");
        let order: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        assert_eq!(order, [3, 2, 4, 4, 5, 7, 6, 5]);
        assert_eq!(queue.counters()[0].value, 4);
    }

    #[test]
    fn no_detour_goes_further_than_allowed() {
        for detour in 0..3 {
            let mut queue = MeanBounds::new(3, 100, 20, detour);
            for rank in [9, 8, 7] {
                queue.push(rank, ()).unwrap();
            }
            assert_eq!(queue.choose(2, 6), 2 - detour);
        }
    }

    /// What a detour promises, against the packets themselves.
    #[test]
    fn a_detour_passes_worse_packets_only() {
        let mut rng = Seed(1).stream("detours");
        let mut queue = MeanBounds::new(4, 20, 4, 3);
        let mut waiting: Vec<VecDeque<u64>> = vec![VecDeque::new(); 4];
        let mut detours = 0;
        for step in 0..100_000 {
            let rank = rng.random_range(0..100);
            let home = queue.bounds.partition_point(|&bound| bound <= u128::from(rank) << FRACTION_BITS) - 1;
            queue.push(rank, ()).ok();
            assert!(queue.bounds.is_sorted() && queue.bounds[0] == 0);
            if let Some(chosen) = (0..4).find(|&number| 20 - queue.queues.free(number) > waiting[number].len()) {
                if chosen != home {
                    let in_order = waiting[chosen].back().is_none_or(|&last| last <= rank);
                    let passed = &waiting[chosen + usize::from(in_order)..=home];
                    assert!(passed.iter().flatten().all(|&passed| passed > rank));
                    detours += 1;
                }
                waiting[chosen].push_back(rank);
            }
            let queue_is_draining = step % 200 < 100;
            for _ in 0..if queue_is_draining { 2 } else { rng.random_range(0..2) } {
                let served = queue.pop_min().map(|(rank, ())| rank);
                assert_eq!(served, waiting.iter_mut().find_map(VecDeque::pop_front));
            }
        }
        assert_eq!(queue.detours, detours);
        assert!(detours > 1_000, "{detours}");
    }

    #[test]
    fn bounds_of_queues_that_are_never_empty_settle_where_the_gradient_ends() {
        let mut rng = Seed(2).stream("settle");
        let mut queue = MeanBounds::new(4, 30_000, 8, 0);
        for _ in 0..30_000 {
            queue.push(rng.random_range(0..=100), ()).unwrap();
        }
        let mut expected = [0, 25, 50, 75];
        converge(&mut expected, &Histogram::of_counts((0..=100).map(|rank| (rank, 1))));
        for (bound, expected) in queue.bounds().zip(expected) {
            assert!(bound.abs_diff(expected) <= 4, "{bound}, not {expected}");
        }
    }
}
