//! Announced keys stay, and the key with the latest time is evicted first.

use crate::by_hand::Bench;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn bench(capacity: u64) -> Bench {
    Bench::with(capacity, |builder| builder.policy("lru"))
}

#[test]
fn an_announced_key_stays_though_others_were_used_later() {
    let bench = bench(3);
    (0..3).for_each(|key| bench.load(key, 0));
    assert!(bench.cache.announce(&0, 10 * SECOND));
    (3..6).for_each(|key| bench.load(key, 0));
    assert_eq!([0, 3, 4, 5].map(|key| bench.cache.get(&key).is_some()), [true, false, true, true]);
    assert_eq!(bench.cache.metrics().announced, 1);
}

#[test]
fn of_announced_keys_the_last_leaves_and_what_is_not_announced_does_not_enter() {
    let bench = bench(2);
    for (key, seconds) in [(0, 5), (1, 9), (2, 7)] {
        assert!(bench.cache.announce(&key, seconds * SECOND));
    }
    (0..3).for_each(|key| bench.load(key, 0));
    assert_eq!([0, 1, 2].map(|key| bench.cache.get(&key).is_some()), [true, false, true]);
    bench.load(3, 0);
    assert_eq!((bench.cache.get(&3), bench.cache.metrics().refused), (None, 1));
}

#[test]
fn the_request_that_was_announced_ends_it_and_so_does_time() {
    let bench = bench(1);
    bench.load(0, 0);
    assert!(bench.cache.announce(&0, 2 * SECOND));
    bench.clock.advance(SECOND);
    assert!(bench.cache.get(&0).is_some());
    bench.load(1, 0);
    assert_eq!(bench.cache.get(&1), None, "a request before its time is another one");
    bench.clock.advance(SECOND);
    assert!(bench.cache.get(&0).is_some());
    bench.load(1, 0);
    assert!(bench.cache.get(&1).is_some());
    assert!(bench.cache.announce(&1, 2 * SECOND));
    bench.clock.advance(5 * SECOND);
    bench.load(2, 0);
    assert!(bench.cache.get(&2).is_some(), "one that does not come is forgotten after twice its time");
}

#[test]
fn an_announcement_can_be_taken_back_and_has_a_limit() {
    let bench = bench(2);
    assert!(bench.cache.announce(&0, SECOND) && bench.cache.take_back(&0) && !bench.cache.take_back(&0));
    let kept = (0..20).filter(|key| bench.cache.announce(key, SECOND)).count();
    assert_eq!((kept, bench.cache.metrics().announced), (4, 4), "twice as many as there are entries");
}
