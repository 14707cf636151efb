//! The cached values and their lifetimes.

use crate::by_hand::{Bench, End, Key, value};
use forebay_loading::{Clock, LoadingCache};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn the_least_recently_used_leaves_under_lru() {
    let bench = Bench::new(2);
    bench.load(1, 0);
    bench.load(2, 0);
    assert!(bench.cache.get(&1).is_some());
    bench.load(3, 0);
    assert_eq!([1, 2, 3].map(|key| bench.cache.get(&key).is_some()), [true, false, true]);
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.evictions, metrics.absent, metrics.entries), (1, 1, 2));
}

#[test]
fn what_is_too_heavy_is_returned_and_not_cached() {
    let bench = Bench::with(10, |builder| builder.weigher(|_, &(_, number)| number));
    bench.load(1, 6);
    bench.load(2, 4);
    assert_eq!(bench.cache.weight(), 10);
    bench.load(3, 11);
    assert_eq!((bench.cache.weight(), bench.cache.get(&3)), (10, None));
    bench.load(4, 5);
    assert_eq!([1, 2, 4].map(|key| bench.cache.get(&key).is_some()), [false, true, true]);
    bench.load(5, 0);
    assert_eq!((bench.cache.weight(), bench.cache.metrics().refused), (10, 1));
}

#[test]
fn a_value_lives_as_long_as_it_is_told() {
    let bench = Bench::with(4, |builder| builder.time_to_live(10 * SECOND));
    bench.load(1, 0);
    bench.clock.advance(9 * SECOND);
    assert!(bench.cache.get(&1).is_some());
    bench.cache.insert(1, (1, 1));
    bench.clock.advance(9 * SECOND);
    assert_eq!(bench.cache.get(&1), Some((1, 1)));
    bench.clock.advance(SECOND);
    assert_eq!(bench.cache.len(), 1);
    let mut call = bench.waiting(1);
    assert_eq!((bench.cache.len(), bench.cache.metrics().expirations), (0, 1));
    bench.origin.end(1, End::Value((1, 2)));
    assert_eq!(value(call.poll()), (1, 2));
}

#[test]
fn each_value_may_have_a_time_of_its_own() {
    let bench = Bench::with(4, |builder| builder.time_to_live_by(|_, &(_, number)| Duration::from_secs(number)));
    for key in 1..=4 {
        bench.load(key, key.into());
    }
    bench.clock.advance(2 * SECOND);
    assert_eq!(bench.cache.purge_expired(), 2);
    assert_eq!([1, 2, 3, 4].map(|key: Key| bench.cache.get(&key).is_some()), [false, false, true, true]);
    assert_eq!(bench.cache.metrics().expirations, 2);
}

#[test]
fn what_nobody_uses_is_over_earlier() {
    let bench = Bench::with(4, |builder| builder.time_to_live(10 * SECOND).time_to_idle(3 * SECOND));
    bench.load(1, 0);
    bench.load(2, 0);
    for _ in 0..4 {
        bench.clock.advance(2 * SECOND);
        assert!(bench.cache.get(&1).is_some());
    }
    assert_eq!(bench.cache.get(&2), None);
    bench.clock.advance(2 * SECOND);
    assert_eq!(bench.cache.get(&1), None, "a use does not make a value younger");
}

#[test]
fn entries_can_be_forgotten() {
    let bench = Bench::new(8);
    (0..5).for_each(|key| bench.load(key, 0));
    assert!(bench.cache.invalidate(&2) && !bench.cache.invalidate(&2));
    assert_eq!(bench.cache.len(), 4);
    bench.cache.invalidate_all();
    assert!(bench.cache.is_empty() && bench.cache.weight() == 0);
    assert_eq!(bench.cache.metrics().invalidations, 5);
    bench.load(1, 3);
    assert_eq!(bench.cache.get(&1), Some((1, 3)));
}

#[test]
fn a_clock_that_goes_back_makes_nobody_younger() {
    struct Unsteady(Arc<AtomicU64>);
    impl Clock for Unsteady {
        fn now(&self) -> Duration {
            Duration::from_nanos(self.0.load(Ordering::SeqCst))
        }
    }
    let now = Arc::new(AtomicU64::new(10));
    let life = Duration::from_nanos(5);
    let builder = LoadingCache::<u32, u32>::builder(9).shards(1).time_to_live(life).clock(Unsteady(Arc::clone(&now)));
    let cache = builder.build().unwrap();
    cache.insert(1, 1);
    now.store(14, Ordering::SeqCst);
    assert_eq!(cache.get(&1), Some(1));
    now.store(15, Ordering::SeqCst);
    assert_eq!(cache.get(&2), None);
    now.store(12, Ordering::SeqCst);
    assert_eq!(cache.get(&1), None);
}

/// Keys that all have the same hash.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Clash(u32);

impl Hash for Clash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        0_u64.hash(state);
    }
}

#[test]
fn keys_with_the_same_hash_are_not_mixed_up() {
    use crate::by_hand::Task;
    let cache = LoadingCache::<Clash, u32, String>::builder(100).build().unwrap();
    let call = |key: u32| {
        let cache = cache.clone();
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let fetch = move || async move { receive.await.map(|()| key).map_err(|_| "dropped".to_owned()) };
        let task = Task::new(async move { cache.get_or_fetch(Clash(key), fetch).await });
        (task, send)
    };
    let (mut tasks, sends): (Vec<_>, Vec<_>) = (0..5).map(call).unzip();
    assert!(tasks.iter_mut().all(|task| task.poll().is_pending()));
    assert_eq!(cache.metrics().in_flight, 5);
    sends.into_iter().for_each(|send| send.send(()).unwrap());
    for (key, mut task) in (0..).zip(tasks) {
        assert!(matches!(task.poll_if_woken(), std::task::Poll::Ready(Ok(number)) if number == key));
        assert_eq!(cache.get(&Clash(key)), Some(key));
        assert_eq!(cache.get(&Clash(key + 1)), None);
    }
    assert_eq!(cache.len(), 1, "only one of them can be there");
    cache.insert(Clash(9), 9);
    assert!(!cache.invalidate(&Clash(8)) && cache.invalidate(&Clash(9)));
}

#[test]
fn a_builder_says_what_is_wrong() {
    let error = |capacity: u64, shards: usize, policy: &str| {
        let builder = LoadingCache::<u32, u32>::builder(capacity).shards(shards).policy(policy);
        builder.build().unwrap_err().to_string()
    };
    assert_eq!(error(3, 4, "lru"), "a capacity of 3 in 4 shards leaves a shard with nothing");
    assert_eq!(error(3, 0, "lru"), "a capacity of 3 in 0 shards leaves a shard with nothing");
    assert!(error(3, 1, "lruu").starts_with("unknown cache policy `lruu`; did you mean `lru`?"));
    assert!(error(3, 1, "lru(k=1)").contains("unknown parameter `k`"));
    assert!(error(3, 1, "belady").ends_with("choose a policy that does not"));
    assert!(error(3, 1, "lru-mad(counters = forever)").contains("take counters=ghost"));
    assert!(error(3, 1, "LRU-MAD-TinyLFU(counters=forever)").contains("take counters=ghost"));
    assert!(error(3, 1, "lru-mad(sample=4").ends_with("the bracket is not closed"));
    let built = |policy: &str| LoadingCache::<u32, u32>::builder(3).policy(policy).build();
    assert!(built(" lru-mad (sample=4, counters=cached) ").is_ok() && built("lru-mad()").is_ok());
}

#[test]
fn shards_divide_the_capacity() {
    let cache = LoadingCache::<u32, u32>::builder(1_003).shards(7).policy("lru").build().unwrap();
    (0..20_000).for_each(|key| cache.insert(key, key));
    assert_eq!((cache.len(), cache.weight()), (1_003, 1_003));
    assert_eq!(cache.metrics().evictions, 20_000 - 1_003);
}
