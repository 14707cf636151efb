//! Ten million random operations on every exact queue, each answer compared with that of the reference. A queue says itself which
//! operations it supports (pop-max, removal, eligibility), so a registered queue is tested with all of them.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::ops::{Answer, Op};
use forebay_core::params::ParamValue;
use forebay_core::{About, Exactness, Params, Rng, Seed, Time};
use forebay_sched::queues::replay::{Replayed, SideBySide};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueEntry, QueueSize, Tournament};
use proptest::prelude::*;
use rand::RngExt;

const OPERATIONS: u64 = 10_000_000;
/// Each has a capacity, a range of ranks and parameters of its own.
const SHAPES: u64 = 100;

/// The queue and the operations on it.
#[derive(Debug)]
struct Shape {
    capacity: u64,
    ranks: u64,
    /// Ranks are those below `ranks`, or the last ones of all.
    from_top: bool,
    /// Subtrees of a node, for trees.
    order: u64,
    removal: bool,
}

impl Shape {
    /// Small ones are as likely as large ones; the first has one place and one rank.
    fn draw(number: u64, rng: &mut Rng) -> Self {
        let capacity_bits = rng.random_range(0..10);
        let rank_bits = rng.random_range(0..20);
        Self {
            capacity: if number == 0 { 1 } else { rng.random_range(1..=1 << capacity_bits) },
            ranks: if number == 0 { 1 } else { rng.random_range(1..=1 << rank_bits) },
            from_top: rng.random_bool(0.2),
            order: rng.random_range(2..9),
            removal: rng.random_bool(0.7),
        }
    }

    fn build(&self, entry: &QueueEntry) -> Replayed {
        let least = if entry.about.exactness == Exactness::ExactWithinWindow { 2 } else { 1 };
        let given = [("ranks", self.ranks.max(least)), ("order", self.order)]
            .into_iter()
            .filter(|(name, _)| entry.about.params.iter().any(|spec| spec.name == *name))
            .map(|(name, value)| (name.to_owned(), ParamValue::Integer(value.try_into().unwrap())))
            .collect();
        let params = Params::check(entry.about.params, given).unwrap();
        let queue = (entry.build)(QueueSize { packets: self.capacity.try_into().unwrap() }, &params).unwrap();
        if self.removal { Replayed::new(queue) } else { Replayed::without_removal(queue) }
    }
}

/// Does random operations until the queue has answered as many as wanted. The share
/// of pushes swings, so that it runs full and empty many times.
fn compare(entry: &QueueEntry, shape: &Shape, operations: u64, rng: &mut Rng) {
    let within_window = entry.about.exactness == Exactness::ExactWithinWindow;
    let queue = shape.build(entry);
    let any_rank = queue.queue().max_rank() == u64::MAX;
    let mut both = SideBySide::new(queue);
    let (mut item, mut answered, mut now, mut highest_served) = (0, 0, 0, 0);
    while answered < operations {
        let pushes = if (answered / (4 * shape.capacity)).is_multiple_of(2) { 60 } else { 30 };
        now += rng.random_range(0..3);
        let op = match rng.random_range(0..100) {
            n if n < pushes => {
                item += 1;
                let rank = match shape.ranks {
                    ranks if within_window => highest_served + rng.random_range(0..ranks.max(2).div_ceil(2)),
                    ranks if any_rank && shape.from_top => u64::MAX - rng.random_range(0..ranks),
                    // One in fifty lies outside the range, if there is one.
                    ranks => rng.random_range(0..ranks + ranks.div_ceil(50)),
                };
                if n % 2 == 0 {
                    Op::Push { rank, item }
                } else {
                    Op::PushAt {
                        rank,
                        item,
                        eligible_at: Time::from_ps(now + rng.random_range(0..=2 * shape.capacity)),
                    }
                }
            }
            n if n < 70 => Op::Pop,
            n if n < 82 => Op::PopMax,
            n if n < 90 => Op::PopEligible(Time::from_ps(now)),
            n if n < 93 => Op::Peek,
            n if n < 95 => Op::NextEligible,
            // Most are queued, some have left, some were never pushed.
            _ => Op::Remove { item: item.saturating_sub(shape.capacity) + rng.random_range(0..=shape.capacity + 1) },
        };
        let answer = both.apply(op);
        let answer = answer.unwrap_or_else(|wrong| panic!("{}: {shape:?}: {answered}: {wrong}", entry.about.name));
        answered += u64::from(answer.is_some());
        if let (Op::Pop, Some(Answer::Item { rank, .. })) = (op, answer) {
            highest_served = highest_served.max(rank);
        }
    }
    if within_window {
        let clamped: u64 = both.queue().counters().iter().map(|counter| counter.value).sum();
        assert_eq!(clamped, 0, "{}: {shape:?}: ranks lay outside the window", entry.about.name);
    }
}

/// A building block that has no name in scenarios, tested as if it had one.
static TOURNAMENT: QueueEntry = QueueEntry {
    about: About {
        name: "tournament",
        title: "",
        exactness: Exactness::Exact,
        hardware: "",
        cost: "",
        source: "",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::DoubleEnded(Box::new(Tournament::new(size.packets)))),
};

fn exact_queues() -> impl Iterator<Item = &'static QueueEntry> {
    let registered =
        QUEUES.iter().filter(|entry| matches!(entry.about.exactness, Exactness::Exact | Exactness::ExactWithinWindow));
    registered.chain([&TOURNAMENT])
}

#[test]
fn every_exact_queue_equals_the_reference() {
    // One thread per queue: they have nothing in common.
    std::thread::scope(|threads| {
        for entry in exact_queues() {
            threads.spawn(|| {
                let mut rng = Seed(7).stream(entry.about.name);
                for number in 0..SHAPES {
                    let shape = Shape::draw(number, &mut rng);
                    compare(entry, &shape, OPERATIONS / SHAPES, &mut rng);
                }
            });
        }
    });
}

proptest! {
    /// As above, with shapes that proptest makes small when they fail.
    #[test]
    fn every_exact_queue_of_a_small_shape_equals_the_reference(
        capacity in 1..40_u64, ranks in 1..4_096_u64, from_top: bool, order in 2..9_u64, removal: bool, seed: u64
    ) {
        let shape = Shape { capacity, ranks, from_top, order, removal };
        for entry in exact_queues() {
            compare(entry, &shape, 1_000, &mut Seed(seed).stream(entry.about.name));
        }
    }
}
