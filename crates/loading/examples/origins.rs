//! A cache in front of three origins that are 68, 103 and 226 ms away, under LRU and its MAD form. The distances are
//! those of the thesis' prototype (2.6.1). Tokio simulates the time, so that minutes take a second and every run gives
//! the same result.
//!
//! ```text
//! cargo run --release -p forebay-loading --example origins
//! ```
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_core::Seed;
use forebay_loading::{BoxError, Clock, LoadingCache};
use rand::RngExt;
use rand_distr::{Distribution as _, Exp, Zipf};
use std::time::Duration;
// The clock of the runtime, which jumps when all tasks wait, and not that of the system.
use tokio::time::Instant as Moment;

/// Distances of the origins in milliseconds.
const ORIGINS: [u64; 3] = [68, 103, 226];
const CAPACITY: u64 = 400;
const OBJECTS: u64 = 20_000;
const REQUESTS: usize = 300_000;
/// Requests per second.
const RATE: f64 = 2_000.0;

/// The runtime's time.
struct RuntimeClock(Moment);

impl Clock for RuntimeClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A request: its time and its object.
type Request = (Duration, u64);

/// Half of the requests are single requests for objects of different popularity. The other half arrive in trains, like
/// the segments and images of a page: 30 requests for one of 300 objects within about 100 ms.
fn trains() -> Vec<Request> {
    let mut rng = Seed(1).stream("requests");
    let popularity = Zipf::new(OBJECTS as f64, 0.9).expect("both are above 0");
    let single = Exp::new(RATE / 2.0).expect("above 0");
    let train = Exp::new(RATE / 60.0).expect("above 0");
    let gap = Exp::new(300.0).expect("above 0");
    let mut requests = Vec::with_capacity(REQUESTS);
    let mut now = 0.0;
    while requests.len() < REQUESTS / 2 {
        now += single.sample(&mut rng);
        requests.push((Duration::from_secs_f64(now), rank(popularity.sample(&mut rng))));
    }
    let mut now = 0.0;
    while requests.len() < REQUESTS {
        now += train.sample(&mut rng);
        let object = OBJECTS + rng.random_range(0..300);
        let mut at = now;
        for _ in 0..30 {
            requests.push((Duration::from_secs_f64(at), object));
            at += gap.sample(&mut rng);
        }
    }
    requests.sort_unstable();
    requests
}

/// Single requests only.
fn singles() -> Vec<Request> {
    let mut rng = Seed(1).stream("singles");
    let popularity = Zipf::new(OBJECTS as f64, 0.9).expect("both are above 0");
    let gap = Exp::new(RATE).expect("above 0");
    let mut now = 0.0;
    let mut next = |_| {
        now += gap.sample(&mut rng);
        (Duration::from_secs_f64(now), rank(popularity.sample(&mut rng)))
    };
    (0..REQUESTS).map(&mut next).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "Zipf gives whole numbers from 1")]
fn rank(sampled: f64) -> u64 {
    sampled as u64
}

async fn fetch(object: u64, origins: &'static [u64]) -> Result<u64, BoxError> {
    let latency = origins[usize::try_from(object)? % origins.len()];
    tokio::time::sleep(Duration::from_millis(latency)).await;
    Ok(object)
}

async fn serve(policy: &str, requests: &[Request], origins: &'static [u64]) -> Result<f64, BoxError> {
    let start = Moment::now();
    let cache = LoadingCache::<u64, u64>::builder(CAPACITY)
        .shards(4)
        .policy(policy)
        .clock(RuntimeClock(start))
        .seed(1)
        .build()?;
    let mut tasks = tokio::task::JoinSet::new();
    for &(at, object) in requests {
        tokio::time::sleep_until(start + at).await;
        let cache = cache.clone();
        tasks.spawn(async move { cache.get_or_fetch(object, move || fetch(object, origins)).await });
        while tasks.try_join_next().is_some() {}
    }
    for answer in tasks.join_all().await {
        answer?;
    }
    let metrics = cache.metrics();
    let share = |count: u64| 100.0 * count as f64 / metrics.requests() as f64;
    let mean = metrics.mean_latency().as_secs_f64() * 1e3;
    println!(
        "{policy:32} {:6.1} {:8.1} {:7.1} {:9.1} {:9.1}",
        share(metrics.hits),
        share(metrics.delayed_hits),
        share(metrics.misses),
        metrics.delayed_waits.mean().as_secs_f64() * 1e3,
        mean,
    );
    Ok(mean)
}

async fn compare(what: &str, requests: &[Request], origins: &'static [u64]) -> Result<(), BoxError> {
    println!("{what}; origins at {origins:?} ms");
    println!("{:32} {:>6} {:>8} {:>7} {:>9} {:>9}", "", "hits", "delayed", "misses", "delayed", "mean");
    println!("{:32} {:>6} {:>8} {:>7} {:>9} {:>9}", "policy", "%", "%", "%", "wait, ms", "ms");
    let lru = serve("lru", requests, origins).await?;
    serve("lru-mad(counters=cached)", requests, origins).await?;
    serve("lru-mad", requests, origins).await?;
    let mad = serve("lru-mad(sample=64)", requests, origins).await?;
    println!("lru-mad(sample=64), the default: {:.1} % less latency than lru\n", 100.0 * (1.0 - mad / lru));
    Ok(())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    println!("{REQUESTS} requests, {CAPACITY} entries\n");
    compare("half of the requests in trains", &trains(), &ORIGINS).await?;
    compare("each request by itself", &singles(), &ORIGINS[1..2]).await
}
