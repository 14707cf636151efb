//! Memory does not grow with the number of keys that were ever requested.

use crate::by_hand::Task;
use allocation_counter::measure;
use forebay_cache::Choice;
use forebay_loading::LoadingCache;
use std::task::Poll;

const CAPACITY: u64 = 200;

/// Tolerance in bytes: tables may have grown once more. 10,000 keys with counters take more.
const MARGIN: i64 = 100_000;

#[test]
fn keys_that_left_leave_nothing_behind() {
    let online = |name: &String| name.parse::<Choice>().is_ok_and(|choice| !choice.offline());
    for policy in Choice::names().filter(online) {
        // AdaptSize counts all objects of an interval, by default 250,000 requests. It takes some intervals until it
        // forgets as many objects as it learns.
        let is_adaptsize = policy.ends_with("adaptsize");
        let policy = if is_adaptsize { format!("{policy}(interval=500)") } else { policy };
        let full = if is_adaptsize { 60 * CAPACITY } else { 10 * CAPACITY };
        let cache =
            LoadingCache::<u64, u64, String>::builder(CAPACITY).shards(2).seed(1).policy(&policy).build().unwrap();
        ask(&cache, 0..full);
        let grown = measure(|| ask(&cache, full..full + 50 * CAPACITY)).bytes_current;
        assert!(grown < MARGIN, "{policy}: {grown} bytes more after {} keys", 50 * CAPACITY);
    }
}

/// The table in docs/loading-cache.md: the least and the most over the sizes below.
const DOCUMENTED: [(&str, i64, i64); 5] = [
    ("sieve", 68, 74),
    ("s3-fifo", 114, 126),
    ("lru", 60, 67),
    ("lru-mad(sample=64)", 260, 350),
    ("lru-mad", 300, 410),
];

#[test]
fn an_entry_takes_what_the_page_says() {
    for (policy, least, most) in DOCUMENTED {
        // Tables double when they are full, so sizes between two powers of two differ.
        let sizes = [70_000, 80_000, 90_000, 100_000, 110_000, 120_000, 130_000, 140_000];
        let each = sizes.map(|entries| bytes_per_entry(policy, entries));
        println!("{policy}: {each:?} bytes per entry, key and value included");
        assert!(each.iter().all(|bytes| (least..=most).contains(bytes)), "{policy}: {each:?}");
        // The page is not to be true by being vague.
        assert!(each.iter().any(|bytes| *bytes < least + 10), "{policy}: {each:?}");
        assert!(each.iter().any(|bytes| *bytes >= most - 10), "{policy}: {each:?}");
    }
}

/// In a cache with the default number of shards that is full and has seen as many keys again.
fn bytes_per_entry(policy: &str, entries: u64) -> i64 {
    let used = measure(|| {
        let cache =
            LoadingCache::<u64, u64>::builder(entries).seed(1).policy(policy).build().expect("the builder is right");
        (0..2 * entries).for_each(|key| cache.insert(key, key));
        assert!(cache.len() > entries * 9 / 10);
        std::mem::forget(cache);
    });
    used.bytes_current / entries as i64
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
