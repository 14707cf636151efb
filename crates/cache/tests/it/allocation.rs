//! A full cache does not allocate: requests, victims and ghosts use the memory there is.

use allocation_counter::measure;
use forebay_cache::{Access, Admission, Cache, CachePolicy, Choice, Fetched, Future, Shape};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

/// Gives the number of objects that were evicted or not admitted.
fn play<P: CachePolicy>(cache: &mut Cache<P>, rng: &mut Rng, times: std::ops::Range<u64>) -> u64 {
    let mut decided = 0;
    for time in times {
        let key = rng.random_range(0..1_000_u64) * rng.random_range(0..1_000) / 1_000;
        let access = Access { time, key, size: 1, latency: 1, future: Future::NONE };
        if cache.request(&access).is_none() {
            let (last, waiting, future) = (time, 1 + key % 2, Future::NONE);
            let new = Fetched { time: time + 1, key, size: 1, latency: 1, last, waiting, future };
            let admission = cache.admit(&new, |_, _| decided += 1);
            decided += u64::from(admission == Admission::Refused);
        }
    }
    decided
}

#[test]
fn a_full_cache_does_not_allocate() {
    let one = measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1, "the counter counts");
    let names = Choice::names().filter(|name| !name.starts_with("belady"));
    for name in names {
        let shape = Shape { capacity: 100, entries: 100, seed: Seed(1) };
        let mut cache = Cache::new(&shape, name.parse::<Choice>().unwrap().policy(&shape).unwrap());
        let mut rng = Seed(1).stream("test/allocation");
        // The tables of LHD are as long as the greatest age that it has seen, which seldom rises after so many requests.
        play(&mut cache, &mut rng, 0..400_000);
        let mut decided = 0;
        let allocated = measure(|| decided = play(&mut cache, &mut rng, 400_000..460_000));
        assert!(decided > 20_000, "{name}: {decided}");
        assert_eq!(allocated.count_total, 0, "{name}");
    }
}
