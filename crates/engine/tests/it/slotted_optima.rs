//! The optima against everything that could be done, and the policy of which Table I says that it is optimal.

use crate::naive::{Before, anything, fifo, lifo, longest, shortest, single_queue};
use forebay_core::Seed;
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::{Arrival, Input, fifo_processing, separate_queues, single_queue as sq, weighted};

fn inputs(name: &str, shape: Shape, count: usize) -> impl Iterator<Item = Input> {
    let mut rng = Seed(1).stream(name);
    (0..count).map(move |_| bursty(shape, &mut rng))
}

#[test]
fn the_optimum_of_a_single_queue_is_the_best_of_everything() {
    let shape = Shape { slots: 4, burst: 3, kinds: Kinds::Work(4) };
    let mut dropped = 0;
    for (input, buffer) in inputs("tiny work", shape, 150).zip([1_u32, 2, 3].into_iter().cycle()) {
        let best = anything(&[], &input.slots, &|kept| kept.len() <= buffer as usize, &|_| 1);
        assert_eq!(sq::optimum(&input, buffer), Some(best), "{buffer}: {input:?}");
        dropped += u32::from(best < input.packets() as u64);
    }
    assert!(dropped > 50, "inputs that do not fit: {dropped}");
}

#[test]
fn what_the_optimum_of_a_single_queue_cannot_hold_is_refused() {
    let one = |processing| Input { slots: vec![vec![Arrival::of_work(processing)]] };
    assert_eq!(sq::optimum(&one(15), 15), Some(1));
    assert_eq!(sq::optimum(&one(16), 15), None);
    assert_eq!(sq::optimum(&one(0), 15), None);
    assert_eq!(sq::optimum(&one(15), 16), None);
}

/// Table I, last row.
#[test]
fn shortest_first_with_push_out_of_the_longest_transmits_the_most() {
    let orders: [Before; 4] = [fifo, lifo, shortest, longest];
    let shape = Shape { slots: 24, burst: 4, kinds: Kinds::Work(6) };
    let mut strictly_better = [[0; 4]; 4];
    for (input, buffer) in inputs("work", shape, 1_000).zip([1, 2, 3, 4].into_iter().cycle()) {
        let best = sq::optimum(&input, buffer).unwrap();
        let buffer = buffer as usize;
        assert_eq!(single_queue(&input, buffer, longest, shortest), best, "{buffer}: {input:?}");
        assert_eq!(sq::shortest_first(&input, buffer), best, "{buffer}: {input:?}");
        for (drop, better) in orders.into_iter().zip(&mut strictly_better) {
            for (serve, better) in orders.into_iter().zip(better) {
                let transmitted = single_queue(&input, buffer, drop, serve);
                assert!(transmitted <= best, "{buffer}: {input:?}");
                *better += u32::from(transmitted < best);
            }
        }
    }
    for (drop, better) in strictly_better.iter().enumerate() {
        for (serve, &better) in better.iter().enumerate() {
            assert_eq!(better == 0, (drop, serve) == (3, 2), "drop {drop}, serve {serve}: {better}");
        }
    }
}

#[test]
fn the_greatest_value_is_the_best_of_everything() {
    let shape = Shape { slots: 4, burst: 3, kinds: Kinds::Values(5) };
    for (input, buffer) in inputs("tiny values", shape, 150).zip([1_u32, 2, 3].into_iter().cycle()) {
        let best = anything(&[], &input.slots, &|kept| kept.len() <= buffer as usize, &|one| one.value.into());
        assert_eq!(weighted::optimum(&input, buffer), best, "{buffer}: {input:?}");
    }
}

#[test]
fn the_optimum_of_separate_queues_is_the_best_of_everything() {
    let shape = Shape { slots: 5, burst: 2, kinds: Kinds::Queues(3) };
    let mut dropped = 0;
    for (input, buffer) in inputs("tiny queues", shape, 60).zip([1, 2].into_iter().cycle()) {
        let fits =
            |kept: &[Arrival]| (0..3).all(|queue| kept.iter().filter(|one| one.queue == queue).count() <= buffer);
        let best = anything(&[], &input.slots, &fits, &|_| 1);
        assert_eq!(separate_queues::optimum(&input, 3, buffer), Some(best), "{buffer}: {input:?}");
        dropped += u32::from(best < input.packets() as u64);
    }
    assert!(dropped > 10, "inputs that do not fit: {dropped}");
}

#[test]
fn what_the_optimum_of_separate_queues_cannot_hold_is_refused() {
    let input = Input { slots: vec![vec![Arrival::to_queue(3)]] };
    assert_eq!(separate_queues::optimum(&input, 3, 85), Some(1));
    assert_eq!(separate_queues::optimum(&input, 3, 86), None);
    assert_eq!(separate_queues::optimum(&input, 2, 4), None, "no such queue");
    assert_eq!(separate_queues::optimum(&Input { slots: vec![vec![Arrival::of_work(2)]] }, 3, 4), None, "wrong queue");
}

/// Theorems 1 and 2 by everything that a FIFO queue could do.
#[test]
fn no_fifo_queue_does_best_on_both_inputs() {
    for (buffer, packets) in (2_usize..=6).zip(2_u32..) {
        let common = [Arrival::of_value(1), Arrival::of_value(2)];
        let burst = [vec![Arrival::of_value(2); buffer]];
        let choices = fifo_processing::choices(&common, &[&[], &burst], buffer);
        let more = 2 * (u64::from(packets) + 1);
        assert!(choices.contains(&vec![3, more - 1]), "sends the 1 first");
        assert!(choices.contains(&vec![2, more]), "drops the 1");
        assert!(choices.iter().all(|totals| totals[0] <= 3 && totals[1] <= more && totals != &vec![3, more]));
        let input = |future: &[Vec<Arrival>]| Input { slots: [&[common.to_vec()], future].concat() };
        assert_eq!(weighted::optimum(&input(&[]), packets), 3);
        assert_eq!(weighted::optimum(&input(&burst), packets), more);
    }
}
