//! Hits per second of CPU time beside quick_cache, with one thread and with two.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_loading::LoadingCache;
use quick_cache::UnitWeighter;
use quick_cache::sync::DefaultLifecycle;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

const KEYS: u64 = 10_000;
const ENTRIES: usize = 20_000;
const HITS: usize = 4_000_000;
const ROUNDS: usize = 7;
const POLICIES: [&str; 8] = ["fifo", "clock", "sieve", "s3-fifo", "lru", "sieve-mad", "lru-mad(sample=64)", "lru-mad"];

type Ask = Box<dyn Fn(u64) + Sync>;
type Loading = LoadingCache<u64, u64, String, foldhash::fast::RandomState>;

/// All keys again and again, in an order that no cache of the processor likes.
fn keys(start: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(start), |key| Some((key + 7_919) % KEYS)).take(HITS)
}

fn quick_cache() -> Ask {
    let hash = foldhash::fast::RandomState::default();
    let cache = quick_cache::sync::Cache::<u64, u64, _, _>::with(
        ENTRIES,
        ENTRIES as u64,
        UnitWeighter,
        hash,
        DefaultLifecycle::default(),
    );
    (0..KEYS).for_each(|key| cache.insert(key, key));
    Box::new(move |start| keys(start).for_each(|key| assert!(black_box(cache.get(&key)).is_some())))
}

fn loading(policy: &str) -> Loading {
    let builder = LoadingCache::<u64, u64, String>::builder(ENTRIES as u64).policy(policy).seed(1);
    let cache = builder.build_with_hasher(foldhash::fast::RandomState::default()).expect("the builder is right");
    (0..KEYS).for_each(|key| cache.insert(key, key));
    assert_eq!(cache.len(), KEYS);
    cache
}

fn get(cache: Loading) -> Ask {
    Box::new(move |start| keys(start).for_each(|key| assert!(black_box(cache.get(&key)).is_some())))
}

/// `get_or_fetch`, polled by hand.
fn get_or_fetch(cache: Loading) -> Ask {
    Box::new(move |start| {
        let mut cx = Context::from_waker(Waker::noop());
        for key in keys(start) {
            let call = pin!(cache.get_or_fetch(key, || async { Ok(0) }));
            assert!(matches!(call.poll(&mut cx), Poll::Ready(Ok(_))), "all keys are there");
        }
    })
}

/// CPU time of this process.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().expect("CPU time is not negative")
}

/// Million hits in a second of CPU time.
fn rate(threads: u32, ask: &Ask) -> f64 {
    let begin = cpu();
    let together = std::sync::Barrier::new(threads as usize);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let together = &together;
            scope.spawn(move || {
                together.wait();
                ask(u64::from(thread) * KEYS / 2);
            });
        }
    });
    f64::from(threads) * HITS as f64 / (cpu() - begin).as_secs_f64() / 1e6
}

fn main() {
    let mut all = vec![("quick_cache".to_owned(), quick_cache())];
    for policy in POLICIES {
        all.push((policy.to_owned(), get(loading(policy))));
        if ["sieve", "lru-mad(sample=64)"].contains(&policy) {
            all.push((format!("{policy}, get_or_fetch"), get_or_fetch(loading(policy))));
        }
    }
    // In turns, so that what else the machine does harms all alike; the median of each counts.
    let mut rates = vec![[const { Vec::new() }; 2]; all.len()];
    for _ in 0..ROUNDS {
        for ((_, ask), rates) in all.iter().zip(&mut rates) {
            rates[0].push(rate(1, ask));
            rates[1].push(rate(2, ask));
        }
    }
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let medians: Vec<_> = rates.iter_mut().map(|[one, two]| [median(one), median(two)]).collect();
    println!("million hits in a second of CPU time, and the ratio to quick_cache");
    println!("{:34} {:>8} {:>6} {:>10} {:>6}", "", "1 thread", "", "2 threads", "");
    for ((name, _), [one, two]) in all.iter().zip(&medians) {
        println!("{name:34} {one:8.1} {:6.2} {two:10.1} {:6.2}", one / medians[0][0], two / medians[0][1]);
    }
}
