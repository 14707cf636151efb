//! Against numbers of an independent simulator: ../shared/data/README.md has its rules.

use crate::conformance::setup;
use forebay_cache::future::futures;
use forebay_cache::{Choice, Counts, Model};
use forebay_core::Request;
use std::io::Read as _;
use std::path::PathBuf;

const POLICIES: [&str; 8] = ["lru", "lru-mad", "arc", "arc-mad", "lhd", "lhd-mad", "belady", "belady-ad"];

/// How far the total latency may be off, as a share of the reference. Where it may not,
/// hits, delayed hits and misses agree as well.
fn tolerance(policy: &str) -> f64 {
    match policy {
        "lru" | "lru-mad" | "belady" | "belady-ad" => 0.0,
        "arc" => 0.01,
        "arc-mad" => 0.02,
        _ => 0.1,
    }
}

/// The data of CONTRIBUTING.md: beside the repository, or where FOREBAY_SHARED says.
fn folder() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    PathBuf::from(std::env::var_os("FOREBAY_SHARED").unwrap_or_else(beside)).join("data/delayed_hits")
}

/// A line is a slot, an empty one has no request.
fn trace(packed: &[u8]) -> Vec<Request> {
    let mut text = String::new();
    liblzma::read::XzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let request = |(time, line): (u64, &str)| {
        let (_, key) = line.split_once(';')?;
        Some(Request { time, key: key.parse().unwrap(), size: 1 })
    };
    (0..).zip(text.lines()).filter_map(request).collect()
}

/// A test for each latency, so that they run side by side.
#[expect(clippy::print_stdout, reason = "all figures, for those who run it with --nocapture")]
fn agrees_with_the_independent_simulator(latency: u64) {
    let Ok(packed) = std::fs::read(folder().join("zipf.csv.xz")) else {
        return println!("skipped: {} is not there", folder().join("zipf.csv.xz").display());
    };
    let requests = trace(&packed);
    assert_eq!(requests.len(), 300_000);
    let reference = std::fs::read_to_string(folder().join("zipf_reference.csv")).unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    let futures = futures(&requests, |_| latency);
    for row in reference.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let number = |cell: usize| cells[cell].parse::<u64>().unwrap();
        let policy = cells[3].to_lowercase();
        assert!(POLICIES.contains(&policy.as_str()), "{policy}");
        let choice: Choice = policy.parse().unwrap();
        // LHD looks at all entries; the largest of its runs would take most of the time.
        let slow = policy.starts_with("lhd") && number(1) > 64 && latency < 100_000;
        if number(2) != latency || slow {
            continue;
        }
        let mut simulation = choice.simulation(setup(Model::DelayedHits, number(1), latency)).unwrap();
        simulation.feed(&requests, if choice.offline() { &futures } else { &[] });
        let Counts { hits, delayed_hits, misses, total_latency, .. } = simulation.counts();
        let off = total_latency as f64 / number(8) as f64 - 1.0;
        let expected = (number(5), number(6), number(7));
        let row = format!(
            "{policy} {} entries Z={latency}: total {total_latency} (reference {}, {:+.4} %), hits, delayed hits, \
             misses {:?} (reference {expected:?})",
            number(1),
            number(8),
            100.0 * off,
            (hits, delayed_hits, misses)
        );
        println!("{row}");
        let within = tolerance(&policy);
        if off.abs() > within || (within == 0.0 && (hits, delayed_hits, misses) != expected) {
            wrong.push(row);
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 14, "rows of eight policies: {compared}");
}

#[test]
fn with_latency_1() {
    agrees_with_the_independent_simulator(1);
}

#[test]
fn with_latency_100() {
    agrees_with_the_independent_simulator(100);
}

#[test]
fn with_latency_10_000() {
    agrees_with_the_independent_simulator(10_000);
}

#[test]
fn with_latency_100_000() {
    agrees_with_the_independent_simulator(100_000);
}
