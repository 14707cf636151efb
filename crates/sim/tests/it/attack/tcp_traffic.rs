//! TCP reassembly under attack: innocent flows as calibrated, and the shapes that section 3.6 publishes.

use crate::attack::support::{Span, known, served};
use forebay_core::Seed;
use forebay_sim::attack::applications::tcp::{AttackFlows, InnocentFlows, Reassembler, Reassembly};
use forebay_sim::attack::applications::{Application as _, Told};
use forebay_sim::attack::jobs::Means;
use forebay_sim::attack::optimal::{self, Order, Setting};
use forebay_sim::attack::{Innocent, Job};
use std::sync::Arc;

/// The reassembler of the source under these attack flows.
fn reassembly(attack: AttackFlows) -> Reassembly {
    Reassembly { attack, ..Reassembly::default() }
}

/// Jobs of innocent segments with their estimates.
fn jobs(told: Told, count: usize) -> Vec<Job> {
    let segments = InnocentFlows::default().segments(10e9, Seed(5));
    Reassembler::pigasus().arrivals(segments, told).take(count).map(|arrival| arrival.job).collect()
}

fn setting(sample: &[Job], innocent_bps: f64, attack_bps: f64) -> Setting<'_> {
    let max_work = Reassembler::pigasus().max_work();
    Setting { sample, innocent_bps, attack_bps, min_bytes: 64, max_work, servers: 1 }
}

#[test]
fn innocent_flows_make_the_capacity_of_the_source() {
    let sample = jobs(Told::Truth, 1_000_000);
    let means = Means::of(&sample);
    assert!((means.capacity_bps(1) / 12e9 - 1.0).abs() < 0.01, "{means:?} {}", means.capacity_bps(1));
    assert!((means.size_bits / 8.0 / 1_016.0 - 1.0).abs() < 0.02, "{means:?}");
    let fixed = Reassembler::pigasus().costs().fixed;
    let estimated = jobs(Told::Estimate, 1_000_000);
    let mut over = 0;
    for (truth, told) in sample.iter().zip(&estimated) {
        assert!(told.estimate >= truth.work);
        over += usize::from(told.estimate > truth.work);
    }
    assert!((1_000..60_000).contains(&over), "rarely too high: {over}");
    let largest = sample.iter().map(|job| job.work).max().unwrap();
    assert!(largest > fixed && largest.as_ps() < fixed.as_ps() + 15 * 4_000, "{largest:?}");
}

#[test]
fn a_small_share_of_innocent_packets_is_ahead_of_a_gap() {
    let mut reassembler = Reassembler::pigasus();
    let mut kept = 0;
    let count = 500_000;
    for segment in InnocentFlows::default().segments(10e9, Seed(5)).take(count) {
        let before = reassembler.list_len(segment.flow);
        reassembler.serve(&segment);
        kept += usize::from(reassembler.list_len(segment.flow) > before);
    }
    let share = kept as f64 / count as f64;
    assert!((0.015..0.025).contains(&share), "{share}");
    assert_eq!(reassembler.flows_dropped(), 0, "lost segments come before the window is full");
}

#[test]
fn innocent_traffic_keeps_its_rate_and_its_seed() {
    let bits = |seed| {
        let segments: Vec<_> = InnocentFlows::default().segments(10e9, seed).take(50_000).collect();
        let bits: f64 = segments.iter().map(|segment| f64::from(segment.size_bytes) * 8.0).sum();
        assert!((bits / segments.last().unwrap().arrival.as_secs_f64() / 10e9 - 1.0).abs() < 1e-6);
        segments
    };
    assert_eq!(bits(Seed(1)), bits(Seed(1)));
    assert_ne!(bits(Seed(1)), bits(Seed(2)));
    assert!(InnocentFlows::default().segments(0.0, Seed(1)).next().is_none());
    assert!(AttackFlows::longest().segments(0.0).next().is_none());
}

/// Goodput in Gb/s of 10 Gb/s of innocents beside attack flows, with the lists of the packets that are really served.
fn reassembled(rank: &str, attack: Option<(AttackFlows, f64)>, span: Span) -> f64 {
    let (flows, gbps) = attack.unzip();
    served(span, rank, &reassembly(flows.unwrap_or(AttackFlows::longest())), 10.0, gbps)
}

#[test]
fn first_come_first_served_loses_about_six_gigabits_to_a_hundred_megabits() {
    // The longest flow takes 42 ms to send.
    let span = Span::ms(84, 84);
    let alone = reassembled("arrival", None, span);
    let attacked = reassembled("arrival", Some((AttackFlows::longest(), 0.1)), span);
    assert!((alone - 10.0).abs() < 0.05, "{alone}");
    // Published: about 5.9. Packets that are dropped do not lengthen the list: with all of them it would be 7.5.
    assert!((4.8..6.2).contains(&(alone - attacked)), "{alone} {attacked}");
    // Footnote 5 takes this to be impossible in practice, but the last segment can be sent again.
    let repeated = AttackFlows { repeats: u32::MAX, ..AttackFlows::longest() };
    let attacked = reassembled("arrival", Some((repeated, 0.1)), span);
    assert!(alone - attacked > 6.5, "{alone} {attacked}");
}

#[test]
fn weighted_shortest_job_first_in_order_hardly_loses() {
    let sample = jobs(Told::Truth, 200_000);
    let span = Span::ms(20, 60);
    let alone = reassembled("job-ratio-inorder", None, span);
    for attack_gbps in [0.1, 0.5] {
        let best = optimal::attack(Order::Ratio, &setting(&sample, 10e9, attack_gbps * 1e9));
        for flows in
            [AttackFlows::longest(), AttackFlows::longest().of_mean_work(best.work, Reassembler::pigasus().costs())]
        {
            let attacked = reassembled("job-ratio-inorder", Some((flows, attack_gbps)), span);
            assert!(alone - attacked < attack_gbps * 0.85 + 0.02, "{attack_gbps} {flows:?}: {alone} {attacked}");
        }
    }
}

/// Displacement of 10 Gb/s of innocents by the attacker that is best against `order`.
fn displacement(rank: &str, order: Order, attack_gbps: f64, told: Told, sample: &[Job]) -> f64 {
    let span = Span::ms(20, 60);
    let job = optimal::attack(order, &setting(sample, 10e9, attack_gbps * 1e9));
    let innocent = Innocent::made_by(Arc::new(reassembly(AttackFlows::longest())), told);
    let goodput = |attack| known(span, rank, &innocent, 10.0, attack);
    (goodput(None) - goodput(Some((job, attack_gbps)))) / attack_gbps
}

#[test]
fn each_policy_is_displaced_as_much_as_in_the_simulations_of_the_source() {
    let sample = jobs(Told::Truth, 200_000);
    let worst = |rank: &str, order, rates: &[f64]| {
        let all = rates.iter().map(|&rate| displacement(rank, order, rate, Told::Truth, &sample));
        all.fold(f64::NEG_INFINITY, f64::max)
    };
    // Published: 313, 278, 11, 0.4.
    let fcfs = worst("arrival", Order::Blind, &[0.01]);
    assert!((250.0..350.0).contains(&fcfs), "{fcfs}");
    let sjf = worst("job-size", Order::Work, &[0.1, 0.2, 0.3, 0.7]);
    assert!((6.0..16.0).contains(&sjf), "{sjf}");
    for rank in ["job-ratio", "job-ratio-inorder"] {
        let wsjf = worst(rank, Order::Ratio, &[0.1, 0.3, 0.5, 1.0]);
        assert!((0.1..0.85).contains(&wsjf), "{rank}: {wsjf}");
    }
}

#[test]
fn the_length_of_the_list_is_as_good_as_the_truth() {
    let sample = jobs(Told::Truth, 200_000);
    for attack_gbps in [0.3, 1.0] {
        let [truth, estimate] = [Told::Truth, Told::Estimate]
            .map(|told| displacement("job-ratio-inorder", Order::Ratio, attack_gbps, told, &sample));
        // Published: at most 0.05 more.
        assert!(estimate - truth < 0.05, "{attack_gbps}: {truth} {estimate}");
    }
}
