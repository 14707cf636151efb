//! SP-PIFO's second passes: which packets are resubmitted.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

use forebay_core::Seed;
use forebay_sched::queues::RankQueue;
use forebay_sched::queues::adversary::ramps;
use forebay_sched::queues::queue::sp_pifo::SpPifo;
use rand::RngExt;

fn value(counters: &[forebay_core::Counter], name: &str) -> u64 {
    counters.iter().find(|counter| counter.name == name).unwrap().value
}

#[test]
fn a_packet_is_resubmitted_when_it_is_below_all_bounds() {
    let mut rng = Seed(3).stream("resubmissions");
    for between in [0, 1, 8] {
        let mut queue = SpPifo::new(4, 20).with_second_pass(between);
        let mut below_all = 0;
        for _ in 0..20_000 {
            let rank = rng.random_range(0..=100);
            // What is due sinks first, so the bounds before the push say it only if nothing is due: the first
            // bound never sinks in a second pass.
            let others_sunk_below = || queue.bounds()[1..].iter().any(|&bound| bound <= rank);
            let certainly_above = queue.bounds()[0] <= rank || others_sunk_below();
            let before = value(&queue.counters(), "resubmissions");
            queue.push(rank, ()).ok();
            let resubmitted = value(&queue.counters(), "resubmissions") - before;
            assert!(resubmitted <= 1 && !(certainly_above && resubmitted == 1));
            // The packet that takes a second pass leaves the first bound at its rank, and no other bound at or below it.
            below_all += resubmitted;
            queue.pop_min();
        }
        assert!((1_000..6_000).contains(&below_all), "{below_all} of 20,000");
    }
    assert!(SpPifo::<()>::new(4, 20).counters().is_empty(), "one pass resubmits nothing");
}

/// In one pass the same packets cause push-downs as with a second pass that is the next: so many are resubmitted.
#[test]
fn resubmissions_are_push_downs() {
    let mut rng = Seed(4).stream("push-downs");
    let uniform: Vec<u64> = (0..20_000).map(|_| rng.random_range(0..=100)).collect();
    let mut shares = Vec::new();
    for ranks in [uniform, ramps(400, 50, 0, 100)] {
        let mut one_pass = SpPifo::new(8, 10);
        let mut two_passes = SpPifo::new(8, 10).with_second_pass(0);
        let mut push_downs = 0;
        for rank in ranks {
            push_downs += u64::from(one_pass.bounds()[0] > rank);
            one_pass.push(rank, ()).ok();
            two_passes.push(rank, ()).ok();
            one_pass.pop_min();
            two_passes.pop_min();
        }
        assert_eq!(value(&two_passes.counters(), "resubmissions"), push_downs);
        shares.push(push_downs as f64 / 20_000.0);
    }
    println!("resubmitted: {:.3} of uniform ranks, {:.4} in ramps of 50", shares[0], shares[1]);
    assert!(shares[1] < shares[0] / 4.0, "an attack by ramps has fewer of them than random ranks");
}
