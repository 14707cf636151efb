//! Random operations on every exact queue against the reference, and a bound on
//! the inversions of the approximate ones.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

use forebay_core::ops::{Op, OpTarget};
use forebay_core::params::ParamValue;
use forebay_core::{Exactness, Packet, Params, Seed};
use forebay_queues::bitmap_tree::{Levels2, Levels3};
use forebay_queues::queue::fifo::Fifo;
use forebay_queues::queue::hffs::Hffs;
use forebay_queues::queue::mean_bounds::MeanBounds;
use forebay_queues::queue::sp_pifo::SpPifo;
use forebay_queues::replay::{DoubleEnded, Removable, SingleEnded};
use forebay_queues::{BuiltQueue, QUEUES, QueueSize, RankQueue, Reference};
use proptest::prelude::*;
use rand::RngExt;
use std::collections::BTreeMap;

/// How a run of random operations is mixed.
#[derive(Debug, Clone, Copy)]
struct Mix {
    capacity: usize,
    ranks: u64,
    operations: usize,
    seed: u64,
}

/// Does the same random operations to both and compares every answer. The share
/// of pushes swings, so that the queue runs full and empty many times.
fn compare(mix: Mix, target: &mut dyn OpTarget) {
    let mut rng = Seed(mix.seed).stream("random-ops");
    let mut reference = Reference::new(mix.capacity, mix.ranks);
    let mut item = 0;
    for step in 0..mix.operations {
        let pushes = if (step / (4 * mix.capacity)).is_multiple_of(2) { 60 } else { 30 };
        let op = match rng.random_range(0..100) {
            n if n < pushes => {
                item += 1;
                // One in fifty lies outside the range.
                Op::Push { rank: rng.random_range(0..mix.ranks + mix.ranks.div_ceil(50)), item }
            }
            n if n < 75 => Op::Pop,
            n if n < 88 => Op::PopMax,
            n if n < 92 => Op::Peek,
            _ => Op::Remove { item: rng.random_range(item.saturating_sub(mix.capacity as u64)..=item) },
        };
        let Some(answer) = target.apply(op) else { continue };
        let expected = reference.apply(op).expect("the reference has every operation");
        assert_eq!(answer, expected, "{mix:?}: operation {step}: {op}");
    }
}

/// Gives a queue without a highest rank the range of the reference.
struct Ranged<'a>(DoubleEnded<'a>, u64);

impl OpTarget for Ranged<'_> {
    fn apply(&mut self, op: Op) -> Option<forebay_core::ops::Answer> {
        match op {
            Op::Push { rank, .. } if rank >= self.1 => Some(forebay_core::ops::Answer::OutOfRange),
            op => self.0.apply(op),
        }
    }
}

#[test]
fn every_exact_queue_equals_the_reference() {
    for entry in QUEUES.iter().filter(|entry| entry.about.exactness == Exactness::Exact) {
        for (capacity, ranks) in [(1, 1), (3, 2), (16, 64), (50, 10), (50, 4_097), (300, 300_000)] {
            let given = match entry.about.params.iter().find(|spec| spec.name == "ranks") {
                Some(_) => BTreeMap::from([("ranks".to_owned(), ParamValue::Integer(ranks))]),
                None => BTreeMap::new(),
            };
            let params = Params::check(entry.about.params, given).unwrap();
            let mix = Mix { capacity, ranks: ranks.try_into().unwrap(), operations: 200_000, seed: 7 };
            match (entry.build)(QueueSize { packets: capacity }, &params).unwrap() {
                BuiltQueue::DoubleEnded(mut queue) => {
                    compare(mix, &mut Ranged(DoubleEnded(queue.as_mut()), mix.ranks));
                }
                BuiltQueue::SingleEnded(mut queue) => compare(mix, &mut SingleEnded(queue.as_mut())),
            }
        }
    }
}

#[test]
fn hffs_with_removal_equals_the_reference() {
    for (capacity, ranks) in [(1, 1), (16, 64), (50, 10), (200, 5_000), (300, 262_144)] {
        let mix = Mix { capacity, ranks, operations: 200_000, seed: 8 };
        compare(mix, &mut Removable::new(Hffs::<_, Levels3>::new(capacity, usize::try_from(ranks).unwrap())));
    }
}

proptest! {
    /// As above, with shapes that proptest chooses and makes small when they fail.
    #[test]
    fn hffs_of_any_shape_equals_the_reference(capacity in 1..40_usize, ranks in 1..4_096_u64, seed: u64) {
        let mix = Mix { capacity, ranks, operations: 2_000, seed };
        compare(mix, &mut Removable::new(Hffs::<_, Levels2>::new(capacity, usize::try_from(ranks).unwrap())));
    }

    /// Rising ranks all go to the lowest queue, so SP-PIFO keeps their order.
    #[test]
    fn sp_pifo_never_inverts_rising_ranks(mut ranks: Vec<u64>, queues in 1..10_usize) {
        ranks.sort_unstable();
        let mut queue = SpPifo::new(queues, ranks.len());
        for &rank in &ranks {
            queue.push(rank, ()).unwrap();
        }
        let popped: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        prop_assert_eq!(popped, ranks);
    }

    /// As many queues as there are ranks to tell apart: once every rank has been
    /// seen in falling order, each has a queue of its own and nothing inverts.
    #[test]
    fn sp_pifo_with_a_queue_per_rank_settles_without_inversions(order in prop::collection::vec(0..4_u64, 1..100)) {
        let mut queue = SpPifo::new(4, 1_000);
        for rank in (0..4).rev() {
            queue.push(rank, ()).unwrap();
        }
        prop_assert_eq!(queue.bounds(), [0, 1, 2, 3]);
        let mut sorted = order.clone();
        sorted.extend(0..4);
        sorted.sort_unstable();
        for rank in order {
            queue.push(rank, ()).unwrap();
        }
        let popped: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        prop_assert_eq!(popped, sorted);
    }
}

/// Pops that leave a lower rank behind, at a steady backlog of 40 with uniform
/// ranks 0 to 100.
fn inversions(queue: &mut dyn RankQueue<Packet>) -> u64 {
    let mut rng = Seed(3).stream("inversions");
    let mut queued = [0_u32; 101];
    let mut inversions = 0;
    for step in 0..100_000 {
        let rank = rng.random_range(0..=100);
        if queue.push(rank, Packet::default()).is_ok() {
            queued[usize::try_from(rank).unwrap()] += 1;
        }
        if step >= 40 {
            let (rank, _) = queue.pop_min().unwrap();
            let rank = usize::try_from(rank).unwrap();
            queued[rank] -= 1;
            inversions += u64::from(queued[..rank].iter().any(|&count| count > 0));
        }
    }
    inversions
}

#[test]
fn more_queues_make_fewer_inversions() {
    let fifo = inversions(&mut Fifo::new(80));
    let sp_pifo_8 = inversions(&mut SpPifo::new(8, 80));
    let sp_pifo_32 = inversions(&mut SpPifo::new(32, 80));
    let mean_bounds_8 = inversions(&mut MeanBounds::new(8, 80, 4, 7));
    println!("fifo {fifo}, sp-pifo 8 {sp_pifo_8}, sp-pifo 32 {sp_pifo_32}, mean-bounds 8 {mean_bounds_8}");
    assert!(mean_bounds_8 < sp_pifo_8, "bounds that follow means, with detours, invert less");
    assert!(2 * sp_pifo_8 < fifo, "8 queues halve the inversions of a FIFO");
    assert!(2 * sp_pifo_32 < sp_pifo_8, "32 queues halve those of 8");
}
