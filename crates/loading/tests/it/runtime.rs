//! In a runtime with several threads.

use crate::by_hand::lock;
use forebay_loading::{BoxError, LoadingCache};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_shares_one_fetch() {
    let cache = LoadingCache::<String, usize>::builder(100).build().unwrap();
    let fetches = Arc::new(AtomicUsize::new(0));
    let ask = |_| {
        let (cache, fetches) = (cache.clone(), Arc::clone(&fetches));
        tokio::spawn(async move {
            let fetch = move || async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(fetches.fetch_add(1, Ordering::SeqCst))
            };
            cache.get_or_fetch("page".to_owned(), fetch).await.unwrap()
        })
    };
    let tasks: Vec<_> = (0..1_000).map(ask).collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), 0);
    }
    let metrics = cache.metrics();
    assert_eq!((metrics.misses, metrics.hits + metrics.delayed_hits), (1, 999));
    assert_eq!(cache.get("page"), Some(0));
}

#[tokio::test]
async fn a_timeout_gives_up_and_others_go_on() {
    let cache = LoadingCache::<u32, u32>::builder(100).build().unwrap();
    let fetch = || async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(1)
    };
    let hasty = tokio::time::timeout(Duration::from_millis(5), cache.get_or_fetch(1, fetch));
    let (hasty, patient) = tokio::join!(hasty, cache.get_or_fetch(1, fetch));
    assert!(hasty.is_err());
    assert_eq!(patient.unwrap(), 1);
    assert_eq!(cache.metrics().misses, 1);
}

#[tokio::test]
async fn a_detached_fetch_outlives_its_waiters() {
    let cache = LoadingCache::<u32, u32>::builder(100).build().unwrap();
    let fetch = || async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(1)
    };
    let task = Mutex::new(None);
    let spawn = |keeper| *lock(&task) = Some(tokio::spawn(keeper));
    let hasty = cache.get_or_fetch_detached(1, fetch, spawn);
    assert!(tokio::time::timeout(Duration::from_millis(2), hasty).await.is_err());
    let task = lock(&task).take();
    task.unwrap().await.unwrap();
    assert_eq!(cache.get(&1), Some(1));
}

#[tokio::test]
async fn errors_of_any_type_need_no_conversion_by_hand() {
    let cache = LoadingCache::<u32, u32>::builder(100).build().unwrap();
    let fetch = || async { Ok::<u32, BoxError>("twelve".parse()?) };
    let error = cache.get_or_fetch(1, fetch).await.unwrap_err();
    assert_eq!(error.to_string(), "the fetch failed: invalid digit found in string");
}

#[test]
fn a_cache_and_its_futures_go_between_threads() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    fn is_sent<T: Send>(_: &T) {}
    let cache = LoadingCache::<String, Vec<u8>>::builder(100).build().unwrap();
    is_shared(&cache);
    is_sent(&cache.get_or_fetch(String::new(), || async { Ok(Vec::new()) }));
}
