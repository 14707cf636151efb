//! A sequence on which LRU is k Z / 2 times as slow as a schedule, in its own words; `against-lru` of the generators makes the same.

use crate::conformance::{play, setup};
use forebay_cache::Model;
use forebay_cache::belatedly::{BoundOptions, Schedule, bound, simulate};
use forebay_core::Request;
use std::ops::ControlFlow;

/// All of `entries` + 1 objects in turn, each with a request in each slot of a fetch; every `entries`-th visit has one request a fetch
/// ahead.
fn sequence(entries: u64, latency: u64, visits: u64) -> Vec<Request> {
    let (mut requests, mut time) = (Vec::new(), 0);
    for visit in 0..visits {
        let key = visit % (entries + 1);
        if visit > 0 && visit % entries == 0 {
            requests.push(Request { time, key, size: 1 });
            time += latency;
        }
        requests.extend((time..time + latency).map(|time| Request { time, key, size: 1 }));
        time += latency;
    }
    requests
}

#[test]
fn lru_waits_for_each_burst_and_a_schedule_for_single_requests() {
    for (entries, latency) in [(2, 3), (4, 7), (8, 20), (16, 5)] {
        let rounds = 30;
        let requests = sequence(entries, latency, entries * rounds);
        let burst = latency * (latency + 1) / 2;
        let lru = play(&"lru".parse().unwrap(), setup(Model::DelayedHits, entries, latency), &requests, latency);
        // The first visits fill the cache; then a round has a single request, which saves its burst, and the other bursts.
        let expected = entries * burst + (rounds - 1) * (latency + (entries - 1) * burst);
        assert_eq!(lru.total_latency, expected, "{entries} {latency}");
        let least = entries * burst + (rounds - 1) * latency;
        let bounds =
            bound(&requests, entries, |_| latency, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
        assert!(bounds.lower <= least, "{entries} {latency}: {} {least}", bounds.lower);
        let schedule = Schedule { stays: stays(&requests, entries) };
        assert_eq!(simulate(&requests, entries, |_| latency, &schedule).unwrap().latency, least);
    }
}

/// An object stays to its next request, except for the one that was visited last before a single request. The first of
/// these is still in flight during its visit, so that its miss decides.
fn stays(requests: &[Request], entries: u64) -> Vec<bool> {
    let is_last_of_visit = |at: usize| requests.get(at + 1).is_none_or(|next| next.key != requests[at].key);
    let mut visit = 0;
    let stays = |at: usize| {
        let is_last = is_last_of_visit(at);
        let leaves = visit == entries - 1 || (visit + 1) % entries == 0 && is_last;
        visit += u64::from(is_last);
        !leaves
    };
    (0..requests.len()).map(stays).collect()
}
