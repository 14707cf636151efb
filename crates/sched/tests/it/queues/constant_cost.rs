//! Bounds that are computed or learnt if all inversions cost the same, against counting pairs of packets.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{ParamValue, Params, Seed};
use forebay_sched::queues::queue::gradient::{Gradient, Steps};
use forebay_sched::queues::unpifoness::{Cost, Histogram, converge, step, step_to_next};
use forebay_sched::queues::{QUEUES, QueueSize, RankQueue, optimal_bounds};
use proptest::prelude::*;
use rand::RngExt;

/// The queue of a rank: the last whose bound it reaches, or else the first.
fn queue_of(rank: u64, bounds: &[u64]) -> usize {
    bounds.iter().rposition(|&bound| bound <= rank).unwrap_or(0)
}

/// Pairs of packets with different ranks in one queue.
fn pairs(packets: &[u64], bounds: &[u64]) -> u128 {
    let mut pairs = 0;
    for (place, &one) in packets.iter().enumerate() {
        for &other in &packets[..place] {
            pairs += u128::from(one != other && queue_of(one, bounds) == queue_of(other, bounds));
        }
    }
    pairs
}

fn histogram(packets: &[u64]) -> Histogram {
    Histogram::of_ranks(&mut packets.to_vec()).with_cost(Cost::Constant)
}

/// Packets and sorted bounds from 0.
fn window() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    let bounds = prop::collection::vec(0..35_u64, 0..8).prop_map(|mut bounds| {
        bounds.push(0);
        bounds.sort_unstable();
        bounds
    });
    (prop::collection::vec(0..30_u64, 1..60), bounds)
}

/// The change of pairs if one bound moves to another place.
fn change(packets: &[u64], bounds: &[u64], queue: usize, place: u64) -> i128 {
    let mut after = bounds.to_vec();
    after[queue] = place;
    pairs(packets, &after).cast_signed() - pairs(packets, bounds).cast_signed()
}

proptest! {
    #[test]
    fn unpifoness_counts_pairs((packets, bounds) in window()) {
        prop_assert_eq!(histogram(&packets).unpifoness(&bounds), pairs(&packets, &bounds));
        let counts = packets.iter().map(|&rank| (rank, 1));
        let of_counts = Histogram::of_counts(counts).with_cost(Cost::Constant);
        prop_assert_eq!(of_counts, histogram(&packets));
    }

    #[test]
    fn a_change_of_risk_is_the_difference_of_two_counts((packets, bounds) in window()) {
        for queue in 1..bounds.len() {
            let risk = histogram(&packets).risk_change(&bounds, queue);
            let next = bounds.get(queue + 1).copied().unwrap_or(u64::MAX);
            let up = (bounds[queue] < next).then(|| change(&packets, &bounds, queue, bounds[queue] + 1));
            let down = (bounds[queue - 1] < bounds[queue]).then(|| change(&packets, &bounds, queue, bounds[queue] - 1));
            prop_assert_eq!((risk.up, risk.down), (up, down));
        }
    }

    /// All three kinds of steps, each bound from where the others were, if no other moves meanwhile.
    #[test]
    fn a_single_bound_goes_where_pairs_become_fewer((packets, bounds) in window()) {
        let bounds = [0, bounds[bounds.len() - 1]];
        let at = |place: u64| change(&packets, &bounds, 1, place);
        let mut ranks = packets.clone();
        ranks.sort_unstable();

        let mut at_rest = bounds;
        converge(&mut at_rest, &histogram(&packets));
        prop_assert_eq!(at(at_rest[1]), (0..=36).map(at).min().unwrap(), "two queues have no other rest than the optimum");

        let mut after = bounds;
        step(&mut after, &histogram(&packets));
        prop_assert!(bounds[1].abs_diff(after[1]) <= 1 && at(after[1]) <= 0);
        let is_better = |place: Option<u64>| place.is_some_and(|place| at(place) < 0);
        let (up, down) = (bounds[1].checked_add(1), bounds[1].checked_sub(1));
        prop_assert!(!(is_better(up) && is_better(down)));
        if is_better(up) || is_better(down) {
            prop_assert_eq!(Some(after[1]), if is_better(up) { up } else { down });
        }

        let mut next = bounds;
        step_to_next(&mut next, &histogram(&packets));
        let expected = match after[1].cmp(&bounds[1]) {
            std::cmp::Ordering::Greater => ranks.iter().copied().find(|&rank| rank > bounds[1]),
            std::cmp::Ordering::Less => ranks.iter().copied().rfind(|&rank| rank < bounds[1]),
            std::cmp::Ordering::Equal => None,
        };
        prop_assert_eq!(next[1], expected.unwrap_or(bounds[1]));
    }

    /// The four counters of a queue against the histogram of the same window.
    #[test]
    fn counters_step_as_pairs_say((packets, bounds) in window()) {
        let mut queue = Gradient::new(bounds.clone(), 100, packets.len(), Steps::One).with_cost(Cost::Constant);
        for &rank in &packets {
            queue.push(rank, ()).unwrap();
        }
        prop_assert!(queue.bounds().is_sorted());
        for number in 1..bounds.len() {
            let (before, after) = (bounds[number], queue.bounds()[number]);
            prop_assert!(before.abs_diff(after) <= 1);
            let risk = histogram(&packets).risk_change(&bounds, number);
            let falls = |change: Option<i128>| change.is_some_and(|change| change < 0);
            if falls(risk.up) {
                prop_assert_eq!(after, before + 1);
            } else if falls(risk.down) {
                prop_assert_eq!(after + 1, before);
            } else if after != before {
                prop_assert!(!packets.contains(&before.min(after)), "only over a rank that no packet has");
            }
        }
    }

    #[test]
    fn no_bound_at_rest_alone_can_do_better((packets, bounds) in window()) {
        let mut queue = Gradient::new(bounds.clone(), 100, packets.len(), Steps::Converge).with_cost(Cost::Constant);
        for &rank in &packets {
            queue.push(rank, ()).unwrap();
        }
        let mut stepped = bounds;
        while step(&mut stepped, &histogram(&packets)) > 0 {
            prop_assert!(stepped.is_sorted());
        }
        for at_rest in [queue.bounds(), &stepped] {
            prop_assert!(at_rest.is_sorted() && at_rest[0] == 0);
            for queue in 1..at_rest.len() {
                let next = at_rest.get(queue + 1).copied().unwrap_or(36).max(at_rest[queue]);
                for place in at_rest[queue - 1]..=next {
                    prop_assert!(change(&packets, at_rest, queue, place) >= 0, "{at_rest:?}: {place}");
                }
            }
        }
    }
}

#[test]
fn the_optimum_is_the_least_of_all_bounds() {
    let mut rng = Seed(1).stream("constant optimum");
    let mut differs = 0;
    for _ in 0..60 {
        let ranks: Vec<u64> = (0..9).filter(|_| rng.random_bool(0.8)).collect();
        let packets: Vec<u64> = ranks.iter().flat_map(|&rank| vec![rank; rng.random_range(0..12)]).collect();
        let least = (0..=9)
            .flat_map(|a| (a..=9).flat_map(move |b| (b..=9).map(move |c| [0, a, b, c])))
            .map(|bounds| pairs(&packets, &bounds))
            .min();
        let bounds = optimal_bounds(&histogram(&packets), 4);
        assert_eq!(Some(pairs(&packets, &bounds)), least, "{packets:?}: {bounds:?}");
        let by_distance = optimal_bounds(&Histogram::of_ranks(&mut packets.clone()), 4);
        differs += u32::from(pairs(&packets, &by_distance) > pairs(&packets, &bounds));
    }
    assert!(differs > 0, "the two costs want different bounds");
}

/// One rank far away: with distances it gets a queue of its own, with a constant cost the two common ranks do.
#[test]
fn a_constant_cost_does_not_care_how_far_ranks_are_apart() {
    let packets = Histogram::of_counts([(0, 10), (1, 10), (1_000, 1)]);
    assert_eq!(optimal_bounds(&packets, 2), [0, 1_000]);
    assert_eq!(optimal_bounds(&packets.with_cost(Cost::Constant), 2), [0, 1]);
}

#[test]
fn large_numbers_do_not_overflow() {
    let half = Histogram::MAX_PACKETS / 2;
    let window = Histogram::of_counts([(0, half), (u64::MAX, half)]).with_cost(Cost::Constant);
    assert_eq!(window.unpifoness(&[0]), u128::from(half) * u128::from(half));
    let mut bounds = [0, 7, u64::MAX];
    converge(&mut bounds, &window);
    assert_eq!(window.unpifoness(&bounds), 0);
}

#[test]
fn the_parameter_reaches_the_gradient_and_other_words_are_refused() {
    let gradient = QUEUES.iter().find(|entry| entry.about.name == "gradient").unwrap();
    let params = |cost: &str| {
        let given = [("cost", ParamValue::Text(cost.to_owned())), ("window", ParamValue::Integer(3))];
        let given = given.into_iter().chain([("queues", ParamValue::Integer(2)), ("max_rank", ParamValue::Integer(4))]);
        Params::check(gradient.about.params, given.map(|(name, value)| (name.to_owned(), value)).collect())
    };
    // The bound starts at 2. The mean of 0, 0 and 90 is above it, their median is not.
    for (cost, first) in [("distance", 2), ("constant", 0)] {
        let mut queue = (gradient.build)(QueueSize { packets: 20 }, &params(cost).unwrap()).unwrap();
        for rank in [0, 0, 90] {
            queue.push(rank, forebay_core::Packet::default()).unwrap();
        }
        while queue.pop_min().is_some() {}
        // If the bound has risen to 3, both go to the first queue.
        for rank in [2, 0] {
            queue.push(rank, forebay_core::Packet::default()).unwrap();
        }
        assert_eq!(queue.pop_min().unwrap().0, first, "{cost}");
    }
    let error = params("square").unwrap_err();
    assert!(error.message.contains("\"distance\" or \"constant\""), "{error}");
}
