//! Bounds of the shared traces, where they are present (CONTRIBUTING.md).

use forebay_cache::belatedly::{BoundOptions, bound};
use forebay_core::Request;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The first requests of the Zipf trace: one line per step, empty where there is no request.
pub(crate) fn zipf(count: usize) -> Option<Vec<Request>> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    let shared = PathBuf::from(std::env::var_os("FOREBAY_SHARED").unwrap_or_else(beside));
    let path = shared.join("data/delayed_hits/zipf.csv.xz");
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is not there", path.display());
        return None;
    };
    let mut text = String::new();
    liblzma::read::XzDecoder::new(file).read_to_string(&mut text).unwrap();
    let keys = text.lines().zip(0..).filter_map(|(line, time)| Some((line.split_once(';')?.1.trim(), time)));
    Some(keys.take(count).map(|(key, time)| Request { time, key: key.parse().unwrap(), size: 1 }).collect())
}

#[test]
fn at_a_latency_of_one_the_zipf_trace_has_the_published_misses() {
    let Some(requests) = zipf(usize::MAX) else { return };
    for (capacity, misses) in [(64, 185_761), (512, 121_891)] {
        let bounds =
            bound(&requests, capacity, |_| 1, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((bounds.lower, bounds.upper), (misses, misses), "capacity {capacity}");
    }
}

#[test]
fn the_zipf_trace_has_a_small_gap() {
    let Some(requests) = zipf(usize::MAX) else { return };
    // Belady-AD's latencies, as published beside the trace, are above the bound.
    for (capacity, latency, gap, published) in [(64, 100, 0.005, 18_468_763), (512, 10_000, 0.015, 1_135_082_604)] {
        let options = BoundOptions { iterations: 80, look_every: 40, ..BoundOptions::default() };
        let bounds = bound(&requests, capacity, |_| latency, &options, |_| ControlFlow::Continue(())).unwrap();
        assert!(bounds.gap() <= gap, "capacity {capacity}, latency {latency}: {}", bounds.gap());
        assert!(bounds.lower <= published && bounds.upper <= published);
    }
}
