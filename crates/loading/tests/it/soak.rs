//! Everything at once: 64 tasks over 4 shards, with failures, panics, dropped futures,
//! lifetimes, insertions and invalidations. 3 s; SOAK_SECONDS=60 for longer, and then the memory of the process is looked at, too.

use crate::by_hand::lock;
use forebay_core::Seed;
use forebay_loading::{Clock as _, FetchError, LoadingCache, Metrics, MonotonicClock};
use rand::RngExt;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const TASKS: u64 = 64;
const SHARDS: usize = 4;
const CAPACITY: u64 = 200;
const KEYS: u64 = 600;
/// Maximum growth of the process's memory from a quarter of the time to the end.
const MOST_GROWTH_KB: u64 = 4_096;

/// A value knows its key and the step of the store at which its fetch began. The step of an inserted value is not
/// checked.
#[derive(Clone, Debug)]
struct Value {
    key: u64,
    begun: u64,
    weight: u64,
    /// Counts the values that exist.
    _alive: Arc<()>,
}

type Cache = LoadingCache<u64, Value, u64>;

/// The backing store, and what is known to be true of each key.
#[derive(Default)]
struct Store {
    /// Counts what happens: fetches, invalidations.
    steps: AtomicU64,
    running: Mutex<HashMap<u64, u64>>,
    /// For each key the step after which it was invalidated last.
    invalidated: Mutex<HashMap<u64, u64>>,
    fetches: AtomicU64,
    doubled: AtomicU64,
    alive: Arc<()>,
}

/// A fetch, as long as it lives.
struct Running<'a>(&'a Store, u64);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        lock(&self.0.running).remove(&self.1);
    }
}

impl Store {
    fn step(&self) -> u64 {
        self.steps.fetch_add(1, Ordering::SeqCst)
    }

    fn value(&self, key: u64, begun: u64, weight: u64) -> Value {
        Value { key, begun, weight, _alive: Arc::clone(&self.alive) }
    }

    /// Takes up to 2 ms, in up to three parts; one in ten fails, one in fifty panics.
    async fn fetch(self: Arc<Self>, key: u64, seed: u64) -> Result<Value, u64> {
        if lock(&self.running).insert(key, seed).is_some() {
            self.doubled.fetch_add(1, Ordering::SeqCst);
        }
        let _running = Running(&self, key);
        self.fetches.fetch_add(1, Ordering::SeqCst);
        let begun = self.step();
        let mut rng = Seed(seed).stream("fetch");
        for _ in 0..rng.random_range(0..3) {
            match rng.random_range(0..3) {
                0 => tokio::task::yield_now().await,
                _ => tokio::time::sleep(Duration::from_micros(rng.random_range(0..1_000))).await,
            }
        }
        match rng.random_range(0..100) {
            0..10 => Err(key),
            // Not `panic!`, whose message would fill the test's output.
            10..12 => std::panic::resume_unwind(Box::new("as told")),
            _ => Ok(self.value(key, begun, rng.random_range(1..4))),
        }
    }
}

#[derive(Debug, Default)]
struct Answers {
    calls: u64,
    values: u64,
    errors: u64,
    panics: u64,
    dropped: u64,
}

#[test]
fn every_waiter_gets_its_answer_and_memory_stays_bounded() {
    let asked = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let seconds = asked.unwrap_or(3);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
    let store = Arc::new(Store::default());
    let cache = Cache::builder(CAPACITY)
        .shards(SHARDS)
        .weigher(|_, value: &Value| value.weight)
        .time_to_live_by(|key, _| Duration::from_micros(500 + 100 * key))
        .seed(1)
        .build()
        .unwrap();
    let clock = MonotonicClock::start();
    let task = |number: u64| {
        let (cache, store) = (cache.clone(), Arc::clone(&store));
        let run = async move {
            let mut answers = Answers::default();
            let mut round = 0;
            while clock.nanoseconds() < seconds * 1_000_000_000 {
                turn(&cache, &store, number << 40 | round, &mut answers).await;
                round += 1;
            }
            answers
        };
        runtime.spawn(run)
    };
    let tasks: Vec<_> = (0..TASKS).map(task).collect();
    let quarter = runtime.spawn(async move {
        tokio::time::sleep(Duration::from_secs(seconds) / 4).await;
        memory_kb()
    });
    let answers = runtime.block_on(async {
        let mut sum = Answers::default();
        for task in tasks {
            let limit = Duration::from_secs(seconds + 20);
            let one = tokio::time::timeout(limit, task).await.expect("a waiter hangs").expect("a task panicked");
            sum.calls += one.calls;
            sum.values += one.values;
            sum.errors += one.errors;
            sum.panics += one.panics;
            sum.dropped += one.dropped;
        }
        // Fetches that go on by themselves.
        for _ in 0..1_000 {
            if cache.metrics().in_flight == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        sum
    });
    check(&cache.metrics(), &answers, &store);
    println!("{seconds} s: {answers:?}, {} fetches", store.fetches.load(Ordering::SeqCst));
    let Metrics { hits, delayed_hits, misses, cancelled, evictions, expirations, outdated, .. } = cache.metrics();
    println!("{hits} hits, {delayed_hits} delayed, {misses} misses, {cancelled} cancelled, {evictions} evictions");
    println!("{expirations} expirations, {outdated} outdated");
    let (early, late) = (runtime.block_on(quarter).unwrap(), memory_kb());
    println!("memory {early:?} KB at a quarter, {late:?} KB at the end");
    // In less time, and beside other tests, this says nothing.
    if let (Some(_), Some(early), Some(late)) = (asked, early, late) {
        assert!(late <= early + MOST_GROWTH_KB, "the cache has grown: {early} to {late} KB");
    }
    drop(cache);
    drop(runtime);
    assert_eq!(Arc::strong_count(&store.alive), 1, "a value was not dropped");
}

/// A few operations of one task.
async fn turn(cache: &Cache, store: &Arc<Store>, seed: u64, answers: &mut Answers) {
    let mut rng = Seed(seed).stream("task");
    // A few keys get most of the requests.
    let key = (0..3).map(|_| rng.random_range(0..KEYS)).min().unwrap_or(0);
    match rng.random_range(0..100) {
        0..3 => {
            let step = store.step();
            cache.invalidate(&key);
            lock(&store.invalidated).entry(key).and_modify(|last| *last = step.max(*last)).or_insert(step);
        }
        3..5 => cache.insert(key, store.value(key, u64::MAX, 1)),
        5..7 => {
            let found = cache.get(&key);
            assert!(found.is_none_or(|value| value.key == key));
        }
        7 => {
            cache.purge_expired();
            let metrics = cache.metrics();
            assert!(metrics.weight <= CAPACITY && metrics.entries <= metrics.weight);
            assert!(metrics.in_flight <= TASKS);
        }
        choice => {
            let before = lock(&store.invalidated).get(&key).copied();
            let from = Arc::clone(store);
            let fetch = move || from.fetch(key, seed);
            let patience = Duration::from_micros(rng.random_range(0..1_500));
            answers.calls += 1;
            let answer = match choice {
                8..12 => {
                    let spawn = |keeper| drop(tokio::spawn(keeper));
                    tokio::time::timeout(patience, cache.get_or_fetch_detached(key, fetch, spawn)).await.ok()
                }
                12..30 => tokio::time::timeout(patience, cache.get_or_fetch(key, fetch)).await.ok(),
                _ => Some(cache.get_or_fetch(key, fetch).await),
            };
            match answer {
                None => answers.dropped += 1,
                Some(Ok(value)) => {
                    assert_eq!(value.key, key, "a value of another key");
                    assert!(before.is_none_or(|step| value.begun > step), "a value from before its invalidation");
                    answers.values += 1;
                }
                Some(Err(FetchError::Failed(of))) => {
                    assert_eq!(*of, key, "an error of another key");
                    answers.errors += 1;
                }
                Some(Err(FetchError::Panicked(_))) => answers.panics += 1,
                Some(Err(FetchError::Cycle | FetchError::TimedOut | FetchError::Aborted)) => {
                    panic!("no fetch asks for another, has a limit or is aborted")
                }
            }
        }
    }
}

fn check(metrics: &Metrics, answers: &Answers, store: &Store) {
    assert_eq!(store.doubled.load(Ordering::SeqCst), 0, "two fetches of a key in flight");
    assert_eq!(lock(&store.running).len(), 0, "a fetch was left");
    assert_eq!(metrics.in_flight, 0);
    assert_eq!(answers.calls, answers.values + answers.errors + answers.panics + answers.dropped);
    assert!(metrics.weight <= CAPACITY && metrics.entries <= CAPACITY);
    let waited = metrics.miss_waits.count + metrics.delayed_waits.count;
    assert!(waited <= metrics.misses + metrics.delayed_hits);
    assert!(answers.values + answers.errors + answers.panics <= metrics.hits + waited);
    for count in [answers.values, answers.errors, answers.panics, answers.dropped, metrics.cancelled, metrics.evictions]
    {
        assert!(count > 0, "the soak is to see everything: {answers:?} {metrics:?}");
    }
}

/// Memory of the process's own, where the system says it.
fn memory_kb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.trim().trim_end_matches(" kB").parse().ok()
}
