//! Memory does not grow with the number of keys that were ever asked for.

use crate::by_hand::Task;
use allocation_counter::measure;
use forebay_loading::LoadingCache;

const CAPACITY: u64 = 1_000;

#[test]
fn keys_that_left_leave_nothing_behind() {
    for policy in [None, Some("lru"), Some("lru-mad")] {
        let mut builder = LoadingCache::<u64, u64, String>::builder(CAPACITY).shards(2).seed(1);
        if let Some(policy) = policy {
            builder = builder.policy(policy);
        }
        let cache = builder.build().unwrap();
        let ask = |keys: std::ops::Range<u64>| {
            for key in keys {
                let cache = cache.clone();
                let mut call = Task::new(async move { cache.get_or_fetch(key, move || async move { Ok(key) }).await });
                assert!(call.poll().is_ready());
            }
        };
        ask(0..4 * CAPACITY);
        let grown = measure(|| ask(4 * CAPACITY..40 * CAPACITY)).bytes_current;
        assert!(grown < 1_000, "{policy:?}: {grown} bytes more after {} keys", 36 * CAPACITY);
    }
}
