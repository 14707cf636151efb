//! Objects whose size changes: what a request for them is, and what becomes of room.

use crate::conformance::{play, setup};
use forebay_cache::{Access, Cache, Choice, Counts, Fetched, Future, Model, Setup, Shape, SizeChange};
use forebay_core::{Request, Seed};
use rand::RngExt as _;

const CHANGES: [SizeChange; 3] = [SizeChange::Hit, SizeChange::Miss, SizeChange::Update];

/// Requests of which about every third finds another size.
fn requests(seed: u64, count: u64, objects: u64, most: u64) -> Vec<Request> {
    let mut rng = Seed(seed).stream("test/size-changes");
    let mut sizes: Vec<u64> = (0..objects).map(|_| rng.random_range(1..=most)).collect();
    let request = |time| {
        let key = rng.random_range(0..objects).min(rng.random_range(0..objects));
        let size = &mut sizes[usize::try_from(key).unwrap()];
        if rng.random_range(0..3) == 0 {
            *size = rng.random_range(1..=most);
        }
        Request { time, key, size: *size }
    };
    (0..count).map(request).collect()
}

/// LRU and FIFO on a list, the next to leave in front: hits, misses, evictions, changes, bytes of misses.
fn on_a_list(requests: &[Request], capacity: u64, change: SizeChange, is_lru: bool) -> [u64; 5] {
    let mut list: Vec<(u64, u64)> = Vec::new();
    let [mut hits, mut misses, mut evictions, mut changes, mut bytes] = [0; 5];
    for &Request { key, size, .. } in requests {
        let mut place = list.iter().position(|(known, _)| *known == key);
        if let Some(found) = place.filter(|&found| list[found].1 != size) {
            changes += 1;
            match change {
                SizeChange::Hit => {}
                SizeChange::Miss => {
                    list.remove(found);
                    place = None;
                }
                SizeChange::Update => list[found].1 = size,
            }
        }
        match place {
            Some(found) => {
                hits += 1;
                if is_lru {
                    let entry = list.remove(found);
                    list.push(entry);
                }
                if list.iter().any(|(known, size)| *known == key && *size > capacity) {
                    list.retain(|(known, _)| *known != key);
                    evictions += 1;
                }
            }
            None => {
                misses += 1;
                bytes += size;
            }
        }
        let new = if place.is_none() && size <= capacity { size } else { 0 };
        while list.iter().map(|(_, size)| size).sum::<u64>() + new > capacity {
            list.remove(0);
            evictions += 1;
        }
        if new > 0 {
            list.push((key, size));
        }
    }
    [hits, misses, evictions, changes, bytes]
}

fn counted(counts: Counts) -> [u64; 5] {
    [counts.hits, counts.misses, counts.evictions, counts.size_changes, counts.miss_bytes]
}

#[test]
fn lru_and_fifo_do_what_a_list_does() {
    for (name, is_lru) in [("lru", true), ("fifo", false)] {
        let choice: Choice = name.parse().unwrap();
        for (seed, change) in (0..60).zip(CHANGES.repeat(20)) {
            let capacity = [12, 40, 200][seed / 3 % 3];
            let requests = requests(seed as u64, 2_000, 30, 20);
            let setup = Setup { size_change: Some(change), ..setup(Model::Classical, capacity, 1) };
            let found = counted(play(&choice, setup, &requests, 1));
            assert_eq!(found, on_a_list(&requests, capacity, change, is_lru), "{name} {change:?} {capacity} {seed}");
        }
    }
}

/// Sizes 10, 20, 5 of one object, then another of 12, in a cache of 12 bytes.
#[test]
fn three_answers_to_one_trace() {
    let sizes = [(1, 10), (1, 20), (1, 5), (2, 12)];
    let requests: Vec<Request> = (1..).zip(sizes).map(|(time, (key, size))| Request { time, key, size }).collect();
    // In the last case the object grows beyond the cache, is evicted, and is fetched again.
    for (change, hits, changes) in [(SizeChange::Hit, 2, 2), (SizeChange::Miss, 0, 1), (SizeChange::Update, 1, 1)] {
        let setup = Setup { size_change: Some(change), ..setup(Model::Classical, 12, 1) };
        let counts = play(&"lru".parse().unwrap(), setup, &requests, 1);
        assert_eq!((counts.hits, counts.size_changes), (hits, changes), "{change:?}");
    }
}

/// A request that finds another size in flight waits; what enters has the newest size, unless sizes stay.
#[test]
fn what_changes_in_flight_enters_with_its_newest_size() {
    let request = |time, size| Request { time, key: 1, size };
    // The fetch ends at 10; at 20 the object is there with the size of the delayed hit.
    let requests = [request(0, 4), request(5, 7), request(20, 7)];
    for (change, changes) in [(SizeChange::Hit, 2), (SizeChange::Miss, 1), (SizeChange::Update, 1)] {
        let setup = Setup { size_change: Some(change), ..setup(Model::DelayedHits, 12, 10) };
        let counts = play(&"lru".parse().unwrap(), setup, &requests, 10);
        assert_eq!((counts.hits, counts.delayed_hits, counts.size_changes), (1, 1, changes), "{change:?}");
    }
}

#[test]
fn without_changes_all_are_alike_for_every_policy() {
    for choice in Choice::names().map(|name| name.parse::<Choice>().unwrap()) {
        let requests = crate::conformance::requests(7, 1_500, 40, true);
        for model in [Model::Classical, Model::DelayedHits] {
            let counts = |size_change| play(&choice, Setup { size_change, ..setup(model, 50, 5) }, &requests, 5);
            for change in CHANGES {
                assert_eq!(counts(Some(change)), counts(None), "{choice} {change:?}");
            }
        }
    }
}

/// Whatever the policy, the cache holds what it says, and no more than it may.
#[test]
fn no_policy_holds_more_than_there_is_room() {
    for choice in Choice::names().map(|name| name.parse::<Choice>().unwrap()) {
        for seed in 0..6 {
            let capacity = [15, 60][usize::try_from(seed % 2).unwrap()];
            let shape = Shape { capacity, entries: 10, seed: Seed(seed) };
            let mut cache = Cache::new(&shape, choice.policy(&shape).unwrap());
            for Request { time, key, size } in requests(seed, 1_500, 25, 18) {
                cache.resize(key, size);
                let access = Access { time, key, size, latency: 1, future: Future::NONE };
                let is_hit = cache.request(&access).is_some();
                let new = Fetched { time, key, size, latency: 1, last: time, waiting: 1, future: Future::NONE };
                cache.make_room(&new, |_, _| {});
                if !is_hit {
                    cache.admit(&new, |_, _| {});
                }
                let held: u64 = cache.entries().map(|entry| entry.size).sum();
                assert_eq!(cache.used(), held, "{choice}");
                assert!(held <= capacity, "{choice}: {held} of {capacity}");
            }
        }
    }
}
