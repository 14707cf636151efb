//! Operations that depend on the present value of a key, and keys by reference.

use crate::by_hand::{Bench, End, Task};
use forebay_loading::{LoadingCache, NotInserted};
use std::sync::Arc;
use std::task::Poll;

#[test]
fn an_entry_inserts_only_what_is_missing() {
    let bench = Bench::new(4);
    assert_eq!(bench.cache.entry(1).or_insert((1, 0)), (1, 0));
    assert_eq!(bench.cache.entry(1).or_insert((1, 1)), (1, 0));
    assert_eq!(bench.cache.entry(1).replace((1, 2)), Some((1, 0)));
    assert_eq!((bench.cache.entry(1).get(), bench.cache.entry(2).get()), (Some((1, 2)), None));
    assert_eq!(bench.cache.entry(2).replace((2, 0)), None);
    assert_eq!(bench.cache.entry(2).remove(), Some((2, 0)));
    let absent = |present: Option<&(u32, u64)>| present.is_none();
    assert_eq!(bench.cache.entry(2).replace_if((2, 1), absent), Ok(None));
    let refused = NotInserted { value: (2, 2), present: Some((2, 1)) };
    assert_eq!(bench.cache.entry(2).replace_if((2, 2), absent), Err(refused));
    assert_eq!(bench.cache.entry(3).or_load(|| Ok((3, 0))).ok(), Some((3, 0)));
    let cache = bench.cache.clone();
    let mut call = Task::new(async move { cache.entry(3).or_fetch(std::future::pending).await });
    assert!(matches!(call.poll(), Poll::Ready(Ok((3, 0)))));
    assert_eq!(bench.cache.metrics().insertions, 4);
}

#[test]
fn a_conditional_removal_spares_what_it_does_not_mean() {
    let bench = Bench::new(4);
    bench.load(1, 0);
    assert_eq!(bench.cache.remove_if(&1, |value| value.1 == 1), None);
    assert_eq!(bench.cache.remove_if(&1, |value| value.1 == 0), Some((1, 0)));
    // A fetch in flight may bring what is meant, so a removal without a value makes it outdated.
    let mut call = bench.waiting(1);
    assert_eq!(bench.cache.remove_if(&1, |_| false), None);
    assert!(bench.origin.end(1, End::Value((1, 1))));
    assert!(call.poll().is_ready());
    assert_eq!((bench.cache.get(&1), bench.cache.metrics().outdated), (None, 1));
}

/// Threads that count by compare and swap lose no count.
#[test]
fn counts_of_threads_add_up() {
    const THREADS: u64 = 4;
    const EACH: u64 = 500;
    let cache = LoadingCache::<&str, u64>::builder(100).policy("s3-fifo").build().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let mut seen = cache.entry("count").or_insert(0);
                    while let Err(other) = cache.entry("count").replace_if(seen + 1, |present| present == Some(&seen)) {
                        seen = other.present.expect("nobody removes it");
                    }
                }
            });
        }
    });
    assert_eq!(cache.peek("count"), Some(THREADS * EACH));
}

/// A borrowed key is made a key of the cache's own only by a miss.
#[test]
fn a_key_by_reference_is_cloned_by_a_miss() {
    let cache = LoadingCache::<String, u32, String>::builder(100).build().unwrap();
    assert_eq!(cache.get_or_load_by_ref("one", || Ok(1)).ok(), Some(1));
    let allocated = allocation_counter::measure(|| {
        assert_eq!(cache.get_or_load_by_ref("one", || Ok(2)).ok(), Some(1));
    });
    assert_eq!(allocated.count_total, 0);
    let shared = Arc::new(cache);
    let own = Arc::clone(&shared);
    let mut call = Task::new(async move { own.get_or_fetch_by_ref("two", || async { Ok(2) }).await });
    assert!(matches!(call.poll(), Poll::Ready(Ok(2))));
    assert_eq!(shared.get("two"), Some(2));
}
