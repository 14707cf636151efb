//! Memory does not grow with the number of keys that were ever asked for.

use crate::by_hand::Task;
use allocation_counter::measure;
use forebay_cache::Choice;
use forebay_loading::LoadingCache;
use std::task::Poll;

const CAPACITY: u64 = 200;

/// Tables of so many entries may have grown once more; 10,000 keys with counters take more.
const MARGIN: i64 = 100_000;

#[test]
fn keys_that_left_leave_nothing_behind() {
    let online = |name: &String| name.parse::<Choice>().is_ok_and(|choice| !choice.offline());
    for policy in Choice::names().filter(online) {
        let cache =
            LoadingCache::<u64, u64, String>::builder(CAPACITY).shards(2).seed(1).policy(&policy).build().unwrap();
        ask(&cache, 0..10 * CAPACITY);
        let grown = measure(|| ask(&cache, 10 * CAPACITY..60 * CAPACITY)).bytes_current;
        assert!(grown < MARGIN, "{policy}: {grown} bytes more after {} keys", 50 * CAPACITY);
    }
}

#[test]
fn an_entry_takes_so_much() {
    const ENTRIES: u64 = 100_000;
    for (policy, most) in [("lru", 250), ("lru-mad(sample=64)", 500), ("lru-mad", 700)] {
        let used = measure(|| {
            let cache = LoadingCache::<u64, u64>::builder(ENTRIES).shards(2).seed(1).policy(policy).build().unwrap();
            (0..2 * ENTRIES).for_each(|key| cache.insert(key, key));
            assert_eq!(cache.len(), ENTRIES);
            std::mem::forget(cache);
        });
        let each = used.bytes_current / ENTRIES as i64;
        println!("{policy}: {each} bytes per entry, key and value included");
        assert!(each < most, "{policy}: {each} bytes per entry");
    }
}

/// Asks once for each key; some fetches fail, some are dropped, some are overtaken.
fn ask(cache: &LoadingCache<u64, u64, String>, keys: std::ops::Range<u64>) {
    for key in keys {
        let shared = cache.clone();
        let fetch = move || async move {
            match key % 8 {
                0 | 2 | 4 => std::future::pending().await,
                1 | 3 | 5 => Err("as told".to_owned()),
                _ => Ok(key),
            }
        };
        let mut call = Task::new(async move { shared.get_or_fetch(key, fetch).await });
        match call.poll() {
            Poll::Pending if key % 16 == 0 => cache.insert(key, key),
            Poll::Pending if key % 16 == 8 => {
                cache.invalidate(&key);
            }
            Poll::Pending => {}
            Poll::Ready(answer) => assert_eq!(answer.is_err(), key % 8 < 6),
        }
    }
}
