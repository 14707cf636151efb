//! Patterns of senders and receivers.

use crate::net::workload::support::{draw, fixed, hosts_in, pattern_of, workload};
use forebay_core::{Duration, Time};
use forebay_sim::net::workload::{Arrivals, Hosts, Intensity};
use forebay_sim::net::{FlowSpec, HostId};
use std::collections::{BTreeMap, BTreeSet};

/// An arrival in each microsecond.
fn every_us() -> Arrivals {
    Arrivals::Constant(Intensity::Every(Duration::from_us(1)))
}

/// The first flows of a pattern, of 1,000 bytes each.
fn flows(name: &str, given: &[(&str, &str)], hosts: &Hosts, count: usize) -> Vec<FlowSpec> {
    draw(workload(fixed(1_000), pattern_of(name, given, hosts).unwrap(), every_us()), hosts, 1, count)
}

fn pairs(flows: &[FlowSpec]) -> Vec<(u32, u32)> {
    flows.iter().map(|flow| (flow.src.0, flow.dst.0)).collect()
}

/// Whether all these pairs, and no others, are equally frequent.
fn check_even(flows: &[FlowSpec], expected: impl Iterator<Item = (u32, u32)>) {
    let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for pair in pairs(flows) {
        *counts.entry(pair).or_default() += 1;
    }
    let expected: BTreeSet<(u32, u32)> = expected.collect();
    assert_eq!(counts.keys().copied().collect::<BTreeSet<_>>(), expected);
    let mean = flows.len() as f64 / expected.len() as f64;
    // Five standard deviations of a count that is about Poisson.
    assert!(counts.values().all(|count| (f64::from(*count) - mean).abs() < 5.0 * mean.sqrt()), "{counts:?}");
}

#[test]
fn all_to_all_is_even_over_all_pairs() {
    let hosts = hosts_in(&[2, 3]);
    let all = || (0..5).flat_map(|src| (0..5).map(move |dst| (src, dst))).filter(|(src, dst)| src != dst);
    check_even(&flows("all-to-all", &[], &hosts, 40_000), all());
    // Racks of one size, so that receivers of all senders are equally many.
    let hosts = hosts_in(&[2, 2, 2]);
    let other_rack = (0..6).flat_map(|src| (0..6).map(move |dst| (src, dst))).filter(|(src, dst)| src / 2 != dst / 2);
    check_even(&flows("all-to-all", &[("racks", "other")], &hosts, 40_000), other_rack);
}

#[test]
fn racks_of_any_size_and_place_send_to_each_other_only() {
    let hosts = hosts_in(&[1, 4, 2]);
    let rack = |host: u32| hosts.rack(HostId(host));
    let seen: BTreeSet<(u32, u32)> =
        pairs(&flows("all-to-all", &[("racks", "other")], &hosts, 5_000)).into_iter().collect();
    let other_rack: BTreeSet<(u32, u32)> = (0..7)
        .flat_map(|src| (0..7).map(move |dst| (src, dst)))
        .filter(|(src, dst)| rack(*src) != rack(*dst))
        .collect();
    assert_eq!(seen, other_rack);
}

#[test]
fn a_permutation_is_a_derangement_and_stays() {
    for count in [2, 3, 17] {
        let hosts = hosts_in(&[count]);
        let at_once = flows("permutation", &[("starts", "all")], &hosts, 2 * count as usize);
        let (first, second) = at_once.split_at(count as usize);
        assert!(first.iter().all(|flow| flow.start == Time::ZERO));
        assert!(second.iter().all(|flow| flow.start == Time::from_ns(1_000)));
        assert_eq!(pairs(first), pairs(second));
        let ids: BTreeSet<u32> = (0..count).collect();
        assert_eq!(first.iter().map(|flow| flow.src.0).collect::<BTreeSet<u32>>(), ids);
        assert_eq!(first.iter().map(|flow| flow.dst.0).collect::<BTreeSet<u32>>(), ids);
        check_even(&flows("permutation", &[], &hosts, 20_000), pairs(first).into_iter());
    }
}

#[test]
fn incast_comes_at_exact_times() {
    let hosts = hosts_in(&[5]);
    let all = flows("incast", &[("receiver", "h2")], &hosts, 12);
    for (arrival, flows) in (0_u64..).zip(all.chunks(4)) {
        assert!(flows.iter().all(|flow| flow.start == Time::from_ns(1_000 * arrival) && flow.bytes == 1_000));
        assert_eq!(pairs(flows), [(0, 2), (1, 2), (3, 2), (4, 2)]);
    }
    // Three of four: each as often as the others; one total is shared.
    let some = flows("incast", &[("receiver", "2"), ("senders", "3"), ("size", "total")], &hosts, 30_000);
    assert!(some.chunks(3).all(|flows| {
        let senders: BTreeSet<u32> = flows.iter().map(|flow| flow.src.0).collect();
        let bytes: Vec<u64> = flows.iter().map(|flow| flow.bytes).collect();
        senders.len() == 3 && bytes == [334, 333, 333]
    }));
    check_even(&some, [0, 1, 3, 4].into_iter().map(|src| (src, 2)));
    // Receivers at random, one per arrival.
    let random = flows("incast", &[("senders", "2")], &hosts, 40_000);
    assert!(random.chunks(2).all(|flows| flows[0].dst == flows[1].dst && flows[0].src < flows[1].src));
    check_even(&random, (0..5).flat_map(|src| (0..5).map(move |dst| (src, dst))).filter(|(src, dst)| src != dst));
}

#[test]
fn jitter_delays_every_flow_by_its_own_time() {
    let hosts = hosts_in(&[9]);
    let exact = flows("incast", &[("receiver", "0")], &hosts, 8_000);
    // More than an interval, so that arrivals overlap.
    let late = flows("incast", &[("receiver", "0"), ("jitter", "2500 ns")], &hosts, 8_000 + 24);
    // Of one sender flows can overtake each other; all of them together tell.
    let late_by: Vec<f64> =
        late[..8_000].iter().zip(&exact).map(|(a, b)| a.start.as_ps() as f64 - b.start.as_ps() as f64).collect();
    assert!(late_by.iter().all(|late| (0.0..=2_500_000.0).contains(late)));
    let mean = late_by.iter().sum::<f64>() / 8e3;
    assert!((mean / 1_250_000.0 - 1.0).abs() < 0.05, "{mean}");
}

#[test]
fn racks_send_to_racks() {
    let hosts = hosts_in(&[2, 3, 1]);
    let product = |from: std::ops::Range<u32>, to: std::ops::Range<u32>| {
        from.flat_map(move |src| to.clone().map(move |dst| (src, dst)))
    };
    let given = [("from", "0"), ("to", "1")];
    check_even(&flows("rack-to-rack", &given, &hosts, 20_000), product(0..2, 2..5));
    check_even(&flows("rack-to-rack", &[], &hosts, 20_000), product(0..2, 2..6));
    check_even(&flows("rack-to-rack", &[("from", "others"), ("to", "2")], &hosts, 20_000), product(0..5, 5..6));
    let inside = flows("rack-to-rack", &[("from", "0"), ("to", "0"), ("starts", "all")], &hosts, 2);
    assert_eq!(pairs(&inside), [(0, 1), (1, 0)]);
}

#[test]
fn lists_send_what_they_say() {
    let hosts = hosts_in(&[4]);
    assert_eq!(pairs(&flows("fixed", &[("src", "h3"), ("dst", "1")], &hosts, 2)), [(3, 1), (3, 1)]);
    assert_eq!(pairs(&flows("one-to-all", &[("src", "1"), ("starts", "all")], &hosts, 3)), [(1, 0), (1, 2), (1, 3)]);
    check_even(&flows("one-to-all", &[], &hosts, 9_000), (1..4).map(|dst| (0, dst)));
    let list = [("pairs", "h0>h1, 3 > 2,0>3"), ("starts", "all")];
    assert_eq!(pairs(&flows("pairs", &list, &hosts, 3)), [(0, 1), (3, 2), (0, 3)]);
    check_even(&flows("pairs", &list[..1], &hosts, 9_000), [(0, 1), (3, 2), (0, 3)].into_iter());
}

#[test]
fn what_does_not_fit_is_refused() {
    let (one_rack, hosts) = (hosts_in(&[3]), hosts_in(&[1, 2]));
    for (name, given, hosts, message) in [
        ("all-to-all", vec![("racks", "other")], &one_rack, "all hosts are in one rack; use `any`"),
        ("all-to-all", vec![("racks", "same")], &hosts, "`racks` must be \"any\" or \"other\", not \"same\""),
        ("permutation", vec![("starts", "both")], &hosts, "`starts` must be \"one\" or \"all\", not \"both\""),
        ("incast", vec![("receiver", "h7")], &hosts, "there is no host `h7`; hosts are numbered from 0 to 2"),
        ("incast", vec![("senders", "3")], &hosts, "`senders` must be at most 2: there are no more other hosts"),
        ("incast", vec![("jitter", "5")], &hosts, "has no unit"),
        ("incast", vec![("size", "sum")], &hosts, "`size` must be \"each\" or \"total\", not \"sum\""),
        ("rack-to-rack", vec![("from", "9")], &hosts, "there is no rack `9`; known are 0, 1"),
        ("rack-to-rack", vec![("from", "others")], &hosts, "cannot both be `others`"),
        ("rack-to-rack", vec![("to", "0")], &hosts, "no host of `from` has another host in `to`"),
        ("rack-to-rack", vec![], &one_rack, "all hosts of this topology are in one rack"),
        ("one-to-all", vec![("src", "x")], &hosts, "there is no host `x`"),
        ("pairs", vec![("pairs", "h0-h1")], &hosts, "`h0-h1` is no pair; write `sender>receiver`"),
        ("pairs", vec![("pairs", "0>1,2>2")], &hosts, "in `2>2` a host sends to itself"),
        ("pairs", vec![("pairs", "")], &hosts, "`pairs` is empty"),
        ("fixed", vec![("dst", "0")], &hosts, "`dst` must be another host than `src`"),
    ] {
        let error = pattern_of(name, &given, hosts).unwrap_err();
        assert!(error.contains(message), "{name}: {error}");
    }
}
