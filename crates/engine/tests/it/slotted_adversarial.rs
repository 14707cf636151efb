//! The inputs against Tables I and II, on the policies as plain lists.

use crate::naive::{Scheduling, by, fifo, lifo, longest, separate_queues, single_queue};
use forebay_core::Seed;
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::search::{Compared, Search, search};
use forebay_engine::slotted::separate_queues::{optimum, served_by, smallest};
use forebay_engine::slotted::single_queue::shortest_first;
use forebay_engine::slotted::{Input, adversarial as bad};
use std::ops::ControlFlow;

fn lqf() -> Scheduling {
    by(|queue| -(queue.packets as i64))
}

fn sqf() -> Scheduling {
    by(|queue| queue.packets as i64)
}

fn maxqf() -> Scheduling {
    by(|queue| -(queue.number as i64))
}

fn minqf() -> Scheduling {
    by(|queue| queue.number as i64)
}

fn crr(k: u16) -> Scheduling {
    Scheduling { key: |queue| queue.state as i64, after_cycle: k.into(), after_packet: 0 }
}

fn prr(k: u16) -> Scheduling {
    Scheduling { key: |queue| queue.state as i64, after_cycle: 0, after_packet: u64::from(k) * u64::from(k) }
}

/// What more rounds add to both, so that begin and end do not count.
fn per_round(few: Compared, many: Compared) -> f64 {
    (many.optimum - few.optimum) as f64 / (many.policy - few.policy) as f64
}

/// On separate queues: the optimum at least, and the policy.
fn separate(input: &Input, k: u16, buffer: usize, policy: &Scheduling) -> Compared {
    let optimum = served_by(input, k.into(), buffer, smallest);
    Compared { optimum, policy: separate_queues(input, k, buffer, policy) }
}

#[test]
fn smallest_is_minqf() {
    let mut rng = Seed(1).stream("smallest");
    for _ in 0..200 {
        let input = bursty(Shape { slots: 40, burst: 5, kinds: Kinds::Queues(4) }, &mut rng);
        assert_eq!(served_by(&input, 4, 3, smallest), separate_queues(&input, 4, 3, &minqf()));
    }
}

#[test]
fn a_single_queue_without_push_out_is_k_times_worse() {
    for k in [2, 4, 16] {
        let compared = |rounds| {
            let input = bad::fifo_fifo(k, 5, rounds);
            Compared { optimum: shortest_first(&input, 5), policy: single_queue(&input, 5, lifo, fifo) }
        };
        assert_eq!(per_round(compared(3), compared(6)), f64::from(k));
    }
}

#[test]
fn a_queue_that_pushes_out_the_oldest_sends_what_is_left_at_the_end() {
    let input = bad::oldest_pushed_out(4, 1_000);
    assert_eq!(single_queue(&input, 5, fifo, fifo), 1 + 5, "one before the buffer is full, five at the end");
    assert_eq!(shortest_first(&input, 5), 250 + 4);
}

#[test]
fn push_out_with_fifo_processing_is_log_k_times_worse() {
    let ratio = |k| {
        let input = bad::rsrpt_fifo(k, 16, 15);
        let compared =
            Compared { optimum: shortest_first(&input, 16), policy: single_queue(&input, 16, longest, fifo) };
        compared.ratio()
    };
    for (levels, k) in [(1, 15), (2, 225), (3, 3_375)] {
        let expected = (15.0 * f64::from(levels) + 16.0) / f64::from(levels + 16);
        assert_eq!(ratio(k), expected, "k = {k}");
    }
}

#[test]
fn policies_of_separate_queues_are_as_bad_as_table_ii_says() {
    for (k, buffer) in [(4_u16, 2_usize), (8, 4), (12, 6)] {
        let rounds = |policy: &Scheduling, input: &dyn Fn(usize) -> Input, rounds| {
            per_round(separate(&input(rounds), k, buffer, policy), separate(&input(2 * rounds), k, buffer, policy))
        };
        let wide = f64::from(k);
        assert_eq!(rounds(&sqf(), &|rounds| bad::sqf(k, buffer, rounds), buffer), wide);
        assert_eq!(rounds(&maxqf(), &|rounds| bad::maxqf(k, buffer, rounds), 4), wide);
        let half = bad::first_and_from(k / 2, k);
        let ratio = rounds(&prr(k), &|rounds| bad::prr(&half, buffer, rounds), 4);
        assert!(ratio >= 3.0 * wide * (wide + 2.0) / (4.0 * wide + 16.0), "prr {k}: {ratio}");
        let all: Vec<u16> = (1..=k).collect();
        let ratio = rounds(&crr(k), &|rounds| bad::crr(&all, buffer, rounds), 27_720);
        let harmonic: f64 = (1..=k).map(|number| 1.0 / f64::from(number)).sum();
        assert!((ratio - wide / harmonic).abs() < 1e-3, "crr {k}: {ratio}");
    }
    for (k, buffer) in [(3, 4_usize), (7, 8), (15, 16)] {
        let compared = |rounds| separate(&bad::lqf(1, k, buffer, rounds), k, buffer, &lqf());
        assert_eq!(per_round(compared(4), compared(8)), buffer as f64 / 2.0);
    }
    let compared = |rounds| separate(&bad::lqf(3, 42, 8, rounds), 42, 8, &lqf());
    assert_eq!(per_round(compared(4), compared(8)), 6.0, "three times 8 packets for 4");
}

#[test]
fn minqf_comes_near_to_2() {
    let mut nearest = 0.0;
    for (k, buffer, more) in [(4_u16, 1_usize, 3_u64), (4, 3, 6), (4, 12, 23), (32, 1, 31), (64, 1, 63)] {
        let input = bad::minqf(k, buffer);
        let schedule = bad::emptied_before_refilled(k, buffer);
        let witness = served_by(&input, k.into(), buffer, |slot, waiting| {
            schedule.get(slot).copied().or_else(|| smallest(slot, waiting))
        });
        let policy = separate_queues(&input, k, buffer, &minqf());
        assert_eq!(policy, u64::from(k) * buffer as u64);
        assert_eq!(witness, policy + more, "k = {k}, B = {buffer}");
        if k <= 4 && buffer <= 3 {
            assert_eq!(optimum(&input, k.into(), buffer), Some(witness), "nothing is better");
        }
        nearest = Compared { optimum: witness, policy }.ratio();
    }
    assert_eq!(nearest, 2.0 - 1.0 / 64.0);
}

/// The optimum that the ratios of the other policies are measured with is one, where it can be computed.
#[test]
fn smallest_first_is_optimal_on_the_inputs_for_other_policies() {
    let all = [1, 2, 3, 4];
    for (input, queues, buffer) in [
        (bad::lqf(1, 3, 4, 4), 3, 4),
        (bad::sqf(4, 2, 5), 4, 2),
        (bad::maxqf(4, 2, 5), 4, 2),
        (bad::crr(&all, 2, 8), 4, 2),
        (bad::prr(&all, 2, 4), 4, 2),
    ] {
        assert_eq!(optimum(&input, queues, buffer), Some(served_by(&input, queues, buffer, smallest)));
    }
}

/// Table II: at most 2, for as many inputs as time allows.
#[test]
fn minqf_is_never_worse_than_half_of_the_optimum() {
    let shape = Shape { slots: 16, burst: 5, kinds: Kinds::Queues(4) };
    let mut tried = 0;
    let found = search(&Search { shape, evaluations: 1_500, patience: 400, seed: Seed(1) }, |input| {
        let compared =
            Compared { optimum: optimum(input, 4, 2).unwrap(), policy: separate_queues(input, 4, 2, &minqf()) };
        assert!(compared.optimum <= 2 * compared.policy, "{input:?}");
        tried += 1;
        ControlFlow::Continue(compared)
    });
    assert_eq!(tried, 1_500);
    assert!(found.compared.ratio() > 1.1, "the search finds bad inputs: {:?}", found.compared);
}
