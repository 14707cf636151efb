//! Bounds that are computed or learnt, against definitions that a reader believes
//! at a glance.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

use forebay_core::{Rng, Seed};
use forebay_sched::queues::queue::gradient::{Counting, Gradient, Steps};
use forebay_sched::queues::unpifoness::{Histogram, converge, step, step_to_next};
use forebay_sched::queues::{RankQueue, optimal_bounds};
use proptest::prelude::*;
use rand::RngExt;

/// The queue of a rank: the last whose bound it reaches, or else the first.
fn queue_of(rank: u64, bounds: &[u64]) -> usize {
    bounds.iter().rposition(|&bound| bound <= rank).unwrap_or(0)
}

/// Equation 5 over all pairs of packets.
fn unpifoness(packets: &[u64], bounds: &[u64]) -> u128 {
    let mut sum = 0;
    for (place, &one) in packets.iter().enumerate() {
        for &other in &packets[..place] {
            if queue_of(one, bounds) == queue_of(other, bounds) {
                sum += u128::from(one.abs_diff(other));
            }
        }
    }
    sum
}

/// The least unpifoness of up to `queues` queues for counts of ranks 0, 1, 2, ...,
/// by trying every place for the last of them.
fn least_unpifoness(counts: &[u64], queues: usize) -> u128 {
    let one_queue = |from: usize, to: usize| {
        let mut sum = 0;
        for r in from..to {
            for s in from..r {
                sum += u128::from(counts[r]) * u128::from(counts[s]) * (r - s) as u128;
            }
        }
        sum
    };
    let mut least: Vec<u128> = (0..=counts.len()).map(|end| one_queue(0, end)).collect();
    for _ in 1..queues {
        least = (0..=counts.len())
            .map(|end| (0..=end).map(|start| least[start] + one_queue(start, end)).min().unwrap())
            .collect();
    }
    least[counts.len()]
}

fn of_counts(counts: &[u64]) -> Histogram {
    Histogram::of_counts((0..).zip(counts.iter().copied()))
}

/// Counts of a random number of ranks, some of which do not occur.
fn random_counts(rng: &mut Rng, ranks: usize) -> Vec<u64> {
    (0..ranks).map(|_| if rng.random_bool(0.2) { 0 } else { rng.random_range(0..20) }).collect()
}

fn random_bounds(rng: &mut Rng, queues: usize, ranks: u64) -> Vec<u64> {
    let mut bounds: Vec<u64> = (1..queues).map(|_| rng.random_range(0..=ranks)).collect();
    bounds.push(0);
    bounds.sort_unstable();
    bounds
}

proptest! {
    #[test]
    fn unpifoness_is_the_sum_over_all_pairs(
        mut packets in prop::collection::vec(0..40_u64, 0..60),
        mut bounds in prop::collection::vec(0..45_u64, 1..8),
    ) {
        bounds.sort_unstable();
        let expected = unpifoness(&packets, &bounds);
        prop_assert_eq!(Histogram::of_ranks(&mut packets).unpifoness(&bounds), expected);
    }

    #[test]
    fn a_change_of_risk_is_the_difference_of_two_unpifonesses(
        mut packets in prop::collection::vec(0..40_u64, 0..60),
        mut bounds in prop::collection::vec(0..45_u64, 1..8),
    ) {
        bounds.sort_unstable();
        let window = Histogram::of_ranks(&mut packets);
        let now = window.unpifoness(&bounds).cast_signed();
        for queue in 0..bounds.len() {
            let change = window.risk_change(&bounds, queue);
            for (change, moved) in [(change.up, bounds[queue].checked_add(1)), (change.down, bounds[queue].checked_sub(1))] {
                let mut after = bounds.clone();
                let possible = queue > 0 && moved.is_some_and(|moved| { after[queue] = moved; after.is_sorted() });
                prop_assert_eq!(change, possible.then(|| unpifoness(&packets, &after).cast_signed() - now));
            }
        }
    }

    /// The queue's counters against equations 9 and 10, from the same window.
    #[test]
    fn four_counters_step_as_the_equations_do(
        mut packets in prop::collection::vec(0..40_u64, 1..60),
        mut bounds in prop::collection::vec(0..45_u64, 0..8),
    ) {
        bounds.insert(0, 0);
        bounds.sort_unstable();
        let mut queue = Gradient::new(bounds.clone(), 100, packets.len(), Steps::One);
        for &rank in &packets {
            queue.push(rank, ()).unwrap();
        }
        prop_assert!(queue.bounds().is_sorted());
        let window = Histogram::of_ranks(&mut packets);
        for (number, (&before, &after)) in bounds.iter().zip(queue.bounds()).enumerate() {
            let change = window.risk_change(&bounds, number);
            let falls = |change: Option<i128>| change.is_some_and(|change| change < 0);
            prop_assert!(before.abs_diff(after) <= 1);
            prop_assert!(!(falls(change.up) && falls(change.down)));
            if falls(change.up) {
                prop_assert_eq!(after, before + 1);
            } else if falls(change.down) {
                prop_assert_eq!(after + 1, before);
            } else if after != before {
                // Only over a rank that no packet has.
                let crossed = if after > before { change.up } else { change.down };
                prop_assert!(crossed == Some(0) && !packets.contains(&before.min(after)));
            }
        }
    }

    /// Every bound goes where its own steps would take it, past ranks that no packet has, and none sees the others move.
    #[test]
    fn steps_to_the_next_rank_are_those_of_the_equations(
        mut packets in prop::collection::vec(0..40_u64, 1..60),
        mut bounds in prop::collection::vec(0..45_u64, 0..8),
    ) {
        bounds.insert(0, 0);
        bounds.sort_unstable();
        let mut after = bounds.clone();
        let moved = step_to_next(&mut after, &Histogram::of_ranks(&mut packets));
        prop_assert!(after.is_sorted() && after[0] == 0);
        prop_assert_eq!(moved, bounds.iter().zip(&after).filter(|(before, after)| before != after).count());
        for number in 1..bounds.len() {
            let bound = bounds[number];
            let both = packets.iter().filter(|&&rank| (number - 1..=number).contains(&queue_of(rank, &bounds)));
            let distances: i64 = both.clone().map(|&rank| rank.cast_signed() - bound.cast_signed()).sum();
            let expected = if distances > 0 {
                packets.iter().copied().filter(|&rank| rank > bound).min()
            } else if distances + (both.count() as u64).cast_signed() < 0 {
                packets.iter().copied().filter(|&rank| rank < bound).max()
            } else {
                None
            };
            prop_assert_eq!(after[number], expected.unwrap_or(bound));
        }
    }

    #[test]
    fn a_bound_at_rest_lies_at_the_mean_of_its_two_queues(
        mut packets in prop::collection::vec(0..1_000_u64, 1..60),
        mut bounds in prop::collection::vec(0..1_200_u64, 0..8),
    ) {
        bounds.insert(0, 0);
        bounds.sort_unstable();
        let mut queue = Gradient::new(bounds.clone(), 100, packets.len(), Steps::Converge);
        for &rank in &packets {
            queue.push(rank, ()).unwrap();
        }
        converge(&mut bounds, &Histogram::of_ranks(&mut packets));
        prop_assert_eq!(queue.bounds(), &bounds[..]);
        prop_assert!(bounds.is_sorted());
        for number in 1..bounds.len() {
            let both: Vec<u64> =
                packets.iter().copied().filter(|&rank| (number - 1..=number).contains(&queue_of(rank, &bounds))).collect();
            let (sum, packets) = (both.iter().sum::<u64>(), both.len() as u64);
            let at_rest = bounds[number] * packets >= sum && (bounds[number] * packets <= sum + packets);
            prop_assert!(both.is_empty() || at_rest);
        }
    }

    #[test]
    fn large_ranks_neither_overflow_nor_stop_the_queue(
        packets in prop::collection::vec(prop_oneof![Just(u64::MAX), Just(0), any::<u64>()], 1..200),
        window in 1..20_usize,
    ) {
        for steps in [Steps::One, Steps::Next, Steps::Converge] {
            let mut queue = Gradient::new(vec![0, 0, 7, u64::MAX], 200, window, steps);
            for &rank in &packets {
                queue.push(rank, ()).unwrap();
                prop_assert!(queue.bounds().is_sorted() && queue.bounds()[0] == 0);
            }
        }
    }
}

/// A window of two; the second queue has room for one.
#[test]
fn a_window_counts_what_it_is_told_to_count() {
    for (counting, bound) in [(Counting::Arriving, 7), (Counting::Accepted, 6)] {
        let mut queue = Gradient::new(vec![0, 6], 1, 2, Steps::Next).counting(counting);
        queue.push(9, ()).unwrap();
        queue.push(7, ()).unwrap_err();
        assert_eq!(queue.bounds(), [0, bound], "{counting:?}");
        queue.push(5, ()).unwrap();
        // Accepted: 9 and 5, whose mean is 7, so that the bound goes to the next rank above 6.
        assert_eq!(queue.bounds()[1], if counting == Counting::Accepted { 9 } else { 7 });
    }
}

#[test]
fn single_steps_end_where_no_bound_alone_can_do_better() {
    let mut rng = Seed(1).stream("greedy");
    for _ in 0..300 {
        let ranks = rng.random_range(1..40);
        let window = of_counts(&random_counts(&mut rng, ranks));
        let queues = rng.random_range(1..8);
        let mut bounds = random_bounds(&mut rng, queues, ranks as u64);
        let mut least = window.unpifoness(&bounds);
        while step(&mut bounds, &window) > 0 {
            assert!(bounds.is_sorted() && window.unpifoness(&bounds) <= least);
            least = window.unpifoness(&bounds);
        }
        assert_eq!(converge(&mut bounds.clone(), &window), 0, "both forms rest at the same places");
        for queue in 1..queues {
            let next = bounds.get(queue + 1).copied().unwrap_or(ranks as u64);
            for place in bounds[queue - 1]..=next.max(bounds[queue]) {
                let mut other = bounds.clone();
                other[queue] = place;
                assert!(window.unpifoness(&other) >= least, "{bounds:?}, {other:?}");
            }
        }
    }
}

#[test]
fn the_optimum_is_that_of_the_plain_recursion() {
    let mut rng = Seed(2).stream("optimum");
    for _ in 0..400 {
        let ranks = rng.random_range(1..40);
        let counts = random_counts(&mut rng, ranks);
        let queues = rng.random_range(1..12);
        let distribution = of_counts(&counts);
        let bounds = optimal_bounds(&distribution, queues);
        assert!(bounds.len() == queues && bounds[0] == 0 && bounds.is_sorted(), "{bounds:?}");
        assert_eq!(distribution.unpifoness(&bounds), least_unpifoness(&counts, queues), "{queues} of {counts:?}");
    }
    assert_eq!(optimal_bounds(&of_counts(&[]), 3), [0, 0, 0]);
    assert_eq!(optimal_bounds(&of_counts(&[0, 5, 0, 2]), 4), [0, 3, 3, 3]);
}

#[test]
fn the_plain_recursion_is_the_least_of_all_bounds() {
    let mut rng = Seed(3).stream("brute-force");
    for _ in 0..60 {
        let counts = random_counts(&mut rng, 9);
        let distribution = of_counts(&counts);
        let mut least = u128::MAX;
        for a in 0..=9 {
            for b in a..=9 {
                for c in b..=9 {
                    least = least.min(distribution.unpifoness(&[0, a, b, c]));
                }
            }
        }
        assert_eq!(least_unpifoness(&counts, 4), least, "{counts:?}");
    }
}

/// The paper proves that moving one bound alone cannot help, and concludes that the
/// algorithm is optimal for a stable distribution. Moving two can still help.
#[test]
fn a_bound_at_rest_may_not_be_optimal() {
    let trap = of_counts(&[1, 2, 3, 1]);
    let mut bounds = [0, 1, 2];
    assert_eq!((step(&mut bounds, &trap), converge(&mut bounds, &trap)), (0, 0));
    for queue in 1..3 {
        let change = trap.risk_change(&bounds, queue);
        assert!(change.up.is_none_or(|change| change > 0) && change.down.is_none_or(|change| change > 0));
    }
    assert_eq!(trap.unpifoness(&bounds), 3);
    assert_eq!(optimal_bounds(&trap, 3), [0, 2, 3]);
    assert_eq!(trap.unpifoness(&[0, 2, 3]), 2);
}

/// How often the algorithm ends at the optimum of random distributions, from even
/// bounds.
#[test]
fn two_queues_end_at_the_optimum_and_more_do_so_sometimes() {
    let mut rng = Seed(4).stream("agreement");
    // Ranks, queues, how many of 1000 are optimal at least, mean excess at most.
    for (ranks, queues, least_optimal, most_excess) in
        [(20, 2, 1_000, 0.0), (100, 2, 1_000, 0.0), (20, 4, 500, 0.05), (100, 8, 100, 0.05), (100, 32, 0, 0.25)]
    {
        let mut optimal = 0;
        let mut excess = Vec::new();
        for _ in 0..1_000 {
            let distribution = of_counts(&random_counts(&mut rng, ranks));
            let mut bounds: Vec<u64> = (0..queues).map(|queue| (queue * ranks / queues) as u64).collect();
            while step(&mut bounds, &distribution) > 0 {}
            let least = distribution.unpifoness(&optimal_bounds(&distribution, queues));
            let reached = distribution.unpifoness(&bounds);
            assert!(reached >= least);
            optimal += u32::from(reached == least);
            excess.push(reached as f64 / least.max(1) as f64 - 1.0);
        }
        excess.sort_by(f64::total_cmp);
        let mean = excess.iter().sum::<f64>() / 1_000.0;
        println!(
            "{ranks} ranks, {queues} queues: optimal in {optimal} of 1000; {:.1} % above it on average, {:.1} % at worst",
            100.0 * mean,
            100.0 * excess[999]
        );
        assert!(optimal >= least_optimal && mean <= most_excess, "{queues} queues for {ranks} ranks");
    }
}

#[test]
fn a_thousand_ranks_and_32_queues_are_no_effort() {
    let distribution = Histogram::of_weights(0, &[1.0; 1_000]);
    let bounds = optimal_bounds(&distribution, 32);
    let even: Vec<u64> = (0..32).map(|queue| queue * 1_000 / 32).collect();
    assert!(distribution.unpifoness(&bounds) <= distribution.unpifoness(&even));
    assert!(bounds.windows(2).all(|pair| (31..=32).contains(&(pair[1] - pair[0]))), "{bounds:?}");
}
