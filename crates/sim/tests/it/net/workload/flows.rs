//! Flows of workloads: loads, limits, independence of streams, replay of the shared data.

use crate::net::workload::support::{draw, fixed, hosts_in, pattern_of, sizes, workload};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::workload::{Arrivals, Generator, Intensity, Merge, Recipe, read_flows};
use forebay_sim::net::{FlowSource, FlowSpec};
use std::fs::File;

fn load(load: f64, wire_overhead: f64) -> Arrivals {
    Arrivals::Poisson(Intensity::Load { load, wire_overhead })
}

/// The load that a workload offers in `duration`, and its flows.
fn offered(workload: Recipe, racks: &[u32], duration: Duration) -> (f64, u64) {
    let hosts = hosts_in(racks);
    let capacity = hosts.capacity_bps(workload.pattern.senders());
    let mut flows = Generator::new(Recipe { duration: Some(duration), ..workload }, &hosts, Seed(1)).unwrap();
    let (mut bytes, mut count) = (0, 0);
    while let Some(flow) = flows.next_flow() {
        bytes += flow.bytes;
        count += 1;
    }
    (bytes as f64 * 8.0 / (capacity * duration.as_secs_f64()), count)
}

#[test]
fn the_load_is_what_is_asked_for() {
    let racks = [4, 4];
    let hosts = hosts_in(&racks);
    for (name, given) in [
        ("all-to-all", vec![]),
        ("permutation", vec![("starts", "all")]),
        ("incast", vec![]),
        ("incast", vec![("senders", "3"), ("size", "total")]),
        ("rack-to-rack", vec![]),
        ("fixed", vec![]),
    ] {
        for (asked, overhead) in [(0.8, 1.0), (1.5, 1.25)] {
            let pattern = pattern_of(name, &given, &hosts).unwrap();
            let sizes = sizes("uniform", &[]).unwrap();
            let (actual, flows) =
                offered(workload(sizes, pattern, load(asked, overhead)), &racks, Duration::from_ms(60_000));
            // Five standard deviations of the sum of so many bursts of a few equal sizes, at most eight flows each.
            let allowed = 5.0 * (8.0 * 4.0 / 3.0 / flows as f64).sqrt();
            assert!((actual * overhead / asked - 1.0).abs() < allowed, "{name} {given:?}: {actual} {asked} {flows}");
            assert!(flows > 9_000, "{flows}");
        }
    }
    // Equal flows in equal gaps: exactly so much.
    let pattern = pattern_of("all-to-all", &[], &hosts).unwrap();
    let arrivals = Arrivals::Constant(Intensity::Load { load: 0.5, wire_overhead: 1.0 });
    assert_eq!(offered(workload(fixed(1_000), pattern, arrivals), &racks, Duration::from_ms(10)), (0.5, 5_000));
}

#[test]
fn limits_hold() {
    let hosts = hosts_in(&[4]);
    let incast = || pattern_of("incast", &[("receiver", "0")], &hosts).unwrap();
    let every = || Arrivals::Constant(Intensity::Every(Duration::from_us(1)));
    let start = Time::from_ns(500);
    let all = |flows, duration| {
        let workload = Recipe { number: 3, start, flows, duration, ..workload(fixed(10), incast(), every()) };
        draw(workload, &hosts, 1, 1_000)
    };
    let first = all(Some(7), None);
    assert_eq!(first.len(), 7);
    assert_eq!(first[6].start, Time::from_ns(2_500));
    assert!(first.iter().all(|flow| flow.workload == 3 && flow.start >= start));
    // The end of the duration is outside.
    assert_eq!(all(None, Some(Duration::from_us(2))), first[..6]);
    assert_eq!(all(Some(2), Some(Duration::from_us(2))), first[..2]);
    assert_eq!(all(Some(0), None), []);
    assert_eq!(all(None, Some(Duration::ZERO)), []);
    let at = Arrivals::At(vec![Duration::ZERO, Duration::from_us(2)]);
    let given = draw(Recipe { start, ..workload(fixed(10), incast(), at) }, &hosts, 1, 1_000);
    assert_eq!(
        given.iter().map(|flow| flow.start).collect::<Vec<_>>(),
        [[500; 3], [2_500; 3]].concat().into_iter().map(Time::from_ns).collect::<Vec<_>>()
    );
}

#[test]
fn sizes_arrivals_and_pairs_have_streams_of_their_own() {
    let hosts = hosts_in(&[3, 3]);
    let draw_with = |size: &str, pattern: &str, arrivals: Arrivals, seed: u64| {
        let pattern = pattern_of(pattern, &[], &hosts).unwrap();
        draw(workload(sizes(size, &[]).unwrap(), pattern, arrivals), &hosts, seed, 500)
    };
    let poisson = || Arrivals::Poisson(Intensity::FlowsPerSecond(1e5));
    let base = draw_with("web-search", "all-to-all", poisson(), 1);
    let starts = |flows: &[FlowSpec]| flows.iter().map(|flow| flow.start).collect::<Vec<_>>();
    let pairs = |flows: &[FlowSpec]| flows.iter().map(|flow| (flow.src, flow.dst)).collect::<Vec<_>>();
    let bytes = |flows: &[FlowSpec]| flows.iter().map(|flow| flow.bytes).collect::<Vec<_>>();
    let other_sizes = draw_with("pareto", "all-to-all", poisson(), 1);
    assert_eq!((starts(&base), pairs(&base)), (starts(&other_sizes), pairs(&other_sizes)));
    assert_ne!(bytes(&base), bytes(&other_sizes));
    let other_pairs = draw_with("web-search", "permutation", poisson(), 1);
    assert_eq!((starts(&base), bytes(&base)), (starts(&other_pairs), bytes(&other_pairs)));
    assert_ne!(pairs(&base), pairs(&other_pairs));
    let other_arrivals = draw_with("web-search", "all-to-all", Arrivals::Constant(Intensity::FlowsPerSecond(1e5)), 1);
    assert_eq!((pairs(&base), bytes(&base)), (pairs(&other_arrivals), bytes(&other_arrivals)));
    assert_eq!(base, draw_with("web-search", "all-to-all", poisson(), 1), "same seed, same flows");
    let other_seed = draw_with("web-search", "all-to-all", poisson(), 2);
    assert!(starts(&base) != starts(&other_seed) && pairs(&base) != pairs(&other_seed));
    assert_ne!(bytes(&base), bytes(&other_seed));
}

#[test]
fn the_first_flows_never_change() {
    let hosts = hosts_in(&[3, 3]);
    let pattern = pattern_of("all-to-all", &[], &hosts).unwrap();
    let flows = draw(workload(sizes("web-search", &[]).unwrap(), pattern, load(0.6, 1.0)), &hosts, 1, 3);
    let flows: Vec<_> = flows.iter().map(|flow| (flow.start.as_ps(), flow.src.0, flow.dst.0, flow.bytes)).collect();
    let expected = [(967_909_697, 3, 0, 159_140), (2_043_076_776, 5, 2, 121_180), (4_147_879_444, 2, 1, 8_760)];
    assert_eq!(flows, expected);
}

#[test]
fn generators_of_several_workloads_are_merged() {
    let hosts = hosts_in(&[4]);
    let source = |number: u16, seed: Seed| -> Box<dyn FlowSource> {
        let pattern = pattern_of("all-to-all", &[], &hosts).unwrap();
        let arrivals = Arrivals::Poisson(Intensity::FlowsPerSecond(1e6));
        let workload = Recipe { number, flows: Some(200), ..workload(fixed(10), pattern, arrivals) };
        Box::new(Generator::new(workload, &hosts, seed).unwrap())
    };
    let mut merge = Merge::new(vec![source(0, Seed(1).part("a")), source(1, Seed(1).part("b"))]);
    let flows: Vec<FlowSpec> = std::iter::from_fn(|| merge.next_flow()).collect();
    assert_eq!(flows.len(), 400);
    assert!(flows.is_sorted_by_key(|flow| (flow.start, flow.workload)));
    assert_eq!(flows.iter().filter(|flow| flow.workload == 1).count(), 200);
}

#[test]
fn the_flows_of_the_shared_data_are_replayed() {
    let hosts = hosts_in(&[16; 9]);
    for scheme in ["PIFO", "SPPIFO", "DCTCP", "TCP"] {
        let file = format!("leaf_spine/flows_web_search_3600_{scheme}_1s.csv.gz");
        let path = format!("{}/../../../shared/data/{file}", env!("CARGO_MANIFEST_DIR"));
        let Ok(file) = File::open(path) else {
            println!("skipped: ../shared/data is not here");
            return;
        };
        let replay = read_flows(file, &hosts, 0, None).unwrap();
        let flows = replay.flows();
        assert_eq!(flows.len(), 3_542);
        assert_eq!(flows.iter().map(|flow| flow.bytes).sum::<u64>(), 3_355_840_528);
        assert_eq!(flows.iter().map(|flow| flow.start.as_ps()).sum::<u64>(), 1_781_655_554_732_000);
        assert_eq!((flows[1].start, flows[1].src.0, flows[1].dst.0), (Time::from_ns(166_074), 62, 89));
        // Its sizes are those of `web-search-discrete`, each about as often as it is likely.
        let sizes = sizes("web-search-discrete", &[]).unwrap();
        for (share, size) in [(0.15, 1), (0.2, 10_000), (0.53, 50_000), (0.8, 1_000_000), (1.0, 10_000_000)] {
            assert_eq!(sizes.quantile(share), size);
            let actual = flows.iter().filter(|flow| flow.bytes <= size).count() as f64 / 3_542.0;
            assert!((actual - share).abs() < 5.0 * (0.25_f64 / 3_542.0).sqrt(), "{size}: {actual} {share}");
        }
    }
}

#[test]
fn flows_of_other_simulators_are_replayed() {
    let hosts = hosts_in(&[3]);
    let page = include_str!("../../../../../../docs/network.md");
    let ns3 = include_str!("../../../../../../testdata/networks/ns3.flows");
    let htsim = include_str!("../../../../../../testdata/networks/htsim.cm");
    for kept in [ns3, htsim] {
        assert!(page.contains(&format!("```text\n{kept}```")), "docs/network.md has another example");
    }
    let of_ns3 = read_flows(ns3.as_bytes(), &hosts, 0, None).unwrap();
    let of_htsim = read_flows(htsim.as_bytes(), &hosts, 0, Some(Duration::from_ps(1))).unwrap();
    assert_eq!(of_ns3.flows(), of_htsim.flows());
    let starts: Vec<u64> = of_ns3.flows().iter().map(|flow| flow.start.as_ps()).collect();
    assert_eq!(starts, [0, 10_000_000, 2_000_000_000_000]);
    let error = read_flows(htsim.as_bytes(), &hosts_in(&[2]), 0, Some(Duration::from_ps(1))).unwrap_err();
    assert!(error.to_string().contains("`dst`: there is no host `2`"), "{error}");
}
