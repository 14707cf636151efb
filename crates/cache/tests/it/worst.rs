//! The search for bad cases against trying every trace.

use crate::belatedly::reference::optimum;
use crate::conformance::{play, setup};
use forebay_cache::worst_case::{Worst, WorstSpec, worst};
use forebay_cache::{Choice, Model};
use forebay_core::{Request, Seed};

fn spec(policy: &str) -> WorstSpec {
    let policy: Choice = policy.parse().unwrap();
    WorstSpec { policy, capacity: 1, latency: 3, objects: 2, slots: 7, repeats: 1, tries: 3_000, seed: Seed(1) }
}

fn search(spec: &WorstSpec) -> Worst {
    worst(spec, |_, _| true).unwrap()
}

/// All patterns of two objects and pauses: the greatest ratio of the policy's latency to the optimum, by trying every schedule.
fn of_all(spec: &WorstSpec) -> f64 {
    let choices = spec.objects + 1;
    let all = choices.pow(u32::try_from(spec.slots).unwrap());
    let requests = |number: u64| -> Vec<Request> {
        let slot = |time: u64| number / choices.pow(u32::try_from(time).unwrap()) % choices;
        let key = |time: u64| slot(time).checked_sub(1);
        (0..spec.slots as u64).filter_map(|time| Some(Request { time, key: key(time)?, size: 1 })).collect()
    };
    let ratio = |requests: &[Request]| {
        let mut setup = setup(Model::DelayedHits, spec.capacity, spec.latency);
        setup.seed = spec.seed;
        let counts = play(&spec.policy, setup, requests, spec.latency);
        counts.total_latency as f64 / optimum(requests, spec.capacity, &|_| spec.latency) as f64
    };
    (1..all).map(|number| ratio(&requests(number))).fold(0.0, f64::max)
}

#[test]
fn the_search_finds_the_worst_of_all_short_traces() {
    for policy in ["lru", "lfu", "arc", "lru-mad", "belady"] {
        let spec = spec(policy);
        let (found, most) = (search(&spec), of_all(&spec));
        let (least, _) = found.ratio();
        assert!((least - most).abs() < 1e-9, "{policy}: {least} {most} {:?}", found.requests);
        assert!(most > 1.2, "{policy}: {most}");
    }
}

/// Two entries, three objects, fetches of 8 slots: `1 + (k - 1)(Z + 1) / 2` is 5.5 (crates/traces, against-lru).
#[test]
fn the_search_knows_of_bad_cases_as_bad_as_ours_against_lru() {
    let spec = WorstSpec { capacity: 2, latency: 8, objects: 3, slots: 40, repeats: 6, tries: 3_000, ..spec("lru") };
    let found = search(&spec);
    let (least, most) = found.ratio();
    assert!(least > 2.5 && least <= most, "{least} {most}");
    assert_eq!(found, search(&spec), "the same seed finds the same");
    let best = found.bounds.upper;
    assert!(found.bounds.lower <= best && found.latency as f64 / best as f64 == least);
}

#[test]
fn a_search_that_cannot_be_is_refused() {
    let error = |spec: WorstSpec| worst(&spec, |_, _| true).unwrap_err().to_string();
    assert!(error(WorstSpec { objects: 1, ..spec("lru") }).contains("more objects than the cache has entries"));
    assert!(error(WorstSpec { slots: 1, ..spec("lru") }).contains("more slots than the cache has entries"));
    assert!(error(WorstSpec { tries: 0, ..spec("lru") }).contains("must be 1 or more"));
}
