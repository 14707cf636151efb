//! Requests that follow others, under LRU, against a model that walks through time slot by slot and shares no code with the crate.

use crate::conformance::setup;
use forebay_cache::chains::Chains;
use forebay_cache::{Choice, Counts, Latency, Model};
use forebay_core::convert::index;
use forebay_core::{Follows, Request, Seed};
use rand::RngExt as _;

/// A trace: each request with what it follows.
type Chained = Vec<(Request, Option<Follows>)>;

/// What a browser behind an LRU cache sees, slot by slot: the counts, and the latency of each page of two requests or more, by its first
/// request.
fn walk(trace: &Chained, capacity: usize, latency: u64) -> (Counts, Vec<(usize, u64)>) {
    let mut counts = Counts::default();
    let mut cached: Vec<u64> = Vec::new();
    // Objects on their way: the key, when it comes, and the requests that wait.
    let mut fetches: Vec<(u64, u64, Vec<usize>)> = Vec::new();
    let mut sent: Vec<Option<u64>> = vec![None; trace.len()];
    let mut answered: Vec<Option<u64>> = vec![None; trace.len()];
    let mut now = 0;
    while answered.iter().any(Option::is_none) {
        while let Some(done) = fetches.iter().position(|fetch| fetch.1 == now) {
            let (key, _, waiting) = fetches.remove(done);
            if cached.len() == capacity {
                cached.remove(0);
                counts.evictions += 1;
            }
            cached.push(key);
            for request in waiting {
                answered[request] = Some(now);
            }
        }
        // A hit is answered at once, so that its follower may come in the same slot, which is behind it in the trace.
        for number in 0..trace.len() {
            let (request, follows) = trace[number];
            let due = match follows {
                None => Some(request.time),
                Some(own) => answered[index(own.request)].map(|answer| answer + own.think),
            };
            if sent[number].is_some() || due != Some(now) {
                continue;
            }
            sent[number] = Some(now);
            counts.requests += 1;
            counts.bytes += 1;
            if let Some(place) = cached.iter().position(|key| *key == request.key) {
                let key = cached.remove(place);
                cached.push(key);
                counts.hits += 1;
                answered[number] = Some(now);
            } else if let Some(fetch) = fetches.iter_mut().find(|fetch| fetch.0 == request.key) {
                fetch.2.push(number);
                counts.delayed_hits += 1;
                counts.total_latency += fetch.1 - now;
            } else {
                fetches.push((request.key, now + latency, vec![number]));
                counts.misses += 1;
                counts.miss_bytes += 1;
                counts.total_latency += latency;
            }
        }
        now += 1;
    }
    let first = |mut number: usize| {
        while let Some(own) = trace[number].1 {
            number = index(own.request);
        }
        number
    };
    let pages = (0..trace.len()).filter(|&number| first(number) == number).filter_map(|page| {
        let own: Vec<usize> = (0..trace.len()).filter(|&number| first(number) == page).collect();
        let last = own.iter().filter_map(|&number| answered[number]).max()?;
        (own.len() > 1).then(|| (page, last - sent[page].unwrap()))
    });
    let pages = pages.collect();
    (counts, pages)
}

fn play(trace: &Chained, capacity: u64, latency: u64, warmup: u64) -> (Counts, forebay_cache::chains::Pages) {
    let (requests, follows) = trace.iter().copied().unzip();
    let mut setup = setup(Model::DelayedHits, capacity, latency);
    setup.latency = Latency::Constant(latency);
    setup.warmup = warmup;
    let mut simulation = "lru".parse::<Choice>().unwrap().simulation(setup).unwrap();
    let pages = Chains::new(requests, follows).play(&mut *simulation, warmup, |_| true);
    (simulation.counts(), pages)
}

#[test]
fn the_closed_loop_is_the_slot_model() {
    let mut rng = Seed(41).stream("chains");
    let (mut pages_seen, mut delayed) = (0, 0);
    for case in 0..200 {
        let keys = rng.random_range(2..12);
        let mut time = 0;
        let mut trace: Chained = Vec::new();
        for number in 0..60_u64 {
            let key = rng.random_range(0..keys);
            // The earliest time is that of the parent, since think times are added by the loop.
            let parent =
                if number > 0 && rng.random_range(0..3) > 0 { Some(rng.random_range(0..number)) } else { None };
            let follows = parent.map(|request| Follows { request, think: [0, 0, 1, 7][rng.random_range(0..4)] });
            if follows.is_none() {
                time += [0, 1, 2, 5, 30][rng.random_range(0..5)];
            }
            trace.push((Request { time, key, size: 1 }, follows));
        }
        let (capacity, latency) = (rng.random_range(1..6), rng.random_range(1..25));
        let (counts, pages) = play(&trace, capacity, latency, 0);
        let (expected, mut each) = walk(&trace, usize::try_from(capacity).unwrap(), latency);
        // What leaves after the last request changes nothing that is compared.
        assert_eq!(Counts { evictions: 0, ..counts }, Counts { evictions: 0, ..expected }, "case {case}: {trace:?}");
        assert_eq!(pages.count(), each.len() as u64, "case {case}");
        assert_eq!(pages.total_latency(), each.iter().map(|page| page.1).sum::<u64>(), "case {case}: {trace:?}");
        each.sort_by_key(|page| page.1);
        // Below 2,048 ticks the histogram is exact.
        assert_eq!(pages.max(), each.last().map_or(0, |page| page.1));
        assert_eq!(
            pages.quantile(0.5),
            each.get(each.len().saturating_sub(1) / 2).map_or(0, |page| page.1),
            "{each:?}"
        );
        pages_seen += each.len();
        delayed += counts.delayed_hits;
    }
    assert!(pages_seen > 1_000 && delayed > 1_000, "{pages_seen} {delayed}");
}

/// Three levels of misses take three fetches and two think times; the same page again takes its think times alone.
#[test]
fn latencies_of_a_page_add_up() {
    let page = |time, first: u64| {
        let own = |key, after: Option<u64>| {
            let follows = after.map(|after| Follows { request: first + after, think: 5 });
            (Request { time, key, size: 1 }, follows)
        };
        vec![own(1, None), own(2, Some(0)), own(3, Some(1))]
    };
    let both = [page(0, 0), page(1_000, 3)].concat();
    let (counts, pages) = play(&both, 3, 100, 0);
    assert_eq!((counts.misses, counts.hits, counts.total_latency), (3, 3, 300));
    assert_eq!((pages.count(), pages.total_latency(), pages.max()), (2, 310 + 10, 310));
    let (counts, pages) = play(&both, 3, 100, 3);
    assert_eq!((counts.requests, pages.count(), pages.total_latency()), (3, 1, 10));
}

/// Without followers the closed loop is the trace as it stands, and no page is counted.
#[test]
fn requests_that_follow_none_come_at_their_times() {
    let mut rng = Seed(42).stream("chains");
    let trace: Chained =
        (0..500).map(|time| (Request { time: 2 * time, key: rng.random_range(0..20), size: 1 }, None)).collect();
    let (counts, pages) = play(&trace, 5, 9, 0);
    let requests: Vec<Request> = trace.iter().map(|own| own.0).collect();
    let mut setup = setup(Model::DelayedHits, 5, 9);
    setup.latency = Latency::Constant(9);
    let mut open = "lru".parse::<Choice>().unwrap().simulation(setup).unwrap();
    open.feed(&requests, &[]);
    assert_eq!((counts, pages.count()), (open.counts(), 0));
}

#[test]
#[should_panic(expected = "a request follows an earlier one")]
fn a_request_that_follows_itself_is_refused() {
    let request = Request { time: 0, key: 1, size: 1 };
    let _chains = Chains::new(vec![request], vec![Some(Follows { request: 0, think: 1 })]);
}
