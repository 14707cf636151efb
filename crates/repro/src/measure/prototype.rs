//! The embeddable cache before simulated origins, as the thesis' prototype (2.6.2), beside the simulator. Time is virtual: the cache's
//! clock moves only from one event to the next, and a fetch is ready when the clock says so.

use super::caches::load;
use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, one_panel};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::figure::{Axis, Unit};
use forebay::output::csv;
use forebay_cache::latency::Origin;
use forebay_cache::{Choice, Latency, Model, Observer as Watch, RequestOutcome, Service, Setup};
use forebay_core::{About, Exactness, Request, Seed};
use forebay_loading::{BoxError, Clock as _, LoadingCache, ManualClock};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "prototype",
        title: "The embeddable cache in front of simulated origins, beside the simulator",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "the first requests of a trace, in virtual time",
        source: "Atre, thesis, chapter 2, section 2.6.2",
        params: &[],
    },
    run,
    missing: || None,
};

/// The trace: the first of the CDN's requests.
const TRACE: &str = "../cdn.toml";
const REQUESTS: u64 = 4_000_000;
/// A slot of it: the CDN's mean time between two requests (Table 2.1).
const SLOT_NS: u64 = 1_000;
const MS: u64 = 1_000_000;
/// Where the origins are.
const ORIGINS: [(&str, &[u64]); 4] = [("A", &[68]), ("B", &[103]), ("C", &[226]), ("mix", &[68, 103, 226])];
const POLICIES: [&str; 2] = ["lru", "lru-mad"];
const SHARDS: usize = 4;
/// The capacity is the number of objects that are active at one time, divided by this: 5 %.
const CAPACITY_DIVISOR: u64 = 20;
/// Where the distributions of latencies are compared.
const STEPS: u64 = 200;

/// One policy with one set of origins.
struct Run {
    origins: &'static str,
    policy: &'static str,
    latency: Latency,
}

/// What requests waited, in nanoseconds, sorted.
struct Waited {
    prototype: Vec<u64>,
    simulation: Vec<u64>,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let workload = load(experiment, TRACE, REQUESTS, seed, observer)?;
    let in_time = |request: &Request| Request { time: request.time * SLOT_NS, ..*request };
    let requests: Vec<Request> = workload.requests.iter().map(in_time).collect();
    // As many in each shard.
    let capacity = workload.statistics.most_active_objects / CAPACITY_DIVISOR / SHARDS as u64 * SHARDS as u64;
    let origin = |ms: &u64| Origin { latency: ms * MS, weight: 1.0 };
    let mut runs = Vec::new();
    for (origins, latencies_ms) in ORIGINS {
        let latency = Latency::Origins(latencies_ms.iter().map(origin).collect());
        runs.extend(POLICIES.map(|policy| Run { origins, policy, latency: latency.clone() }));
    }
    let both = |run: &Run| {
        let mut prototype = run.prototype(&requests, capacity, seed)?;
        let mut simulation = run.simulation(&requests, capacity, seed)?;
        prototype.sort_unstable();
        simulation.sort_unstable();
        Ok(Waited { prototype, simulation })
    };
    let waited: Vec<Waited> = runs.par_iter().map(both).collect::<Result<_>>()?;
    let mut measured = Measured::default();
    for (run, waited) in runs.iter().zip(&waited) {
        let name = |what: &str| format!("origin {}: {}: {what}", run.origins, run.policy);
        measured.value(name("mean latency"), mean_ms(&waited.prototype));
        measured.value(name("mean latency in the simulation"), mean_ms(&waited.simulation));
        measured.value(name("distance of the distributions"), distance(waited));
    }
    measured.files.push(("latencies.csv".to_owned(), latencies_csv(&runs, &waited)));
    let mut lines: Vec<Line> = Vec::new();
    for (run, waited) in runs.iter().zip(&waited).filter(|(run, _)| run.origins == "B") {
        for (kind, sorted) in [("prototype", &waited.prototype), ("simulation", &waited.simulation)] {
            let in_seconds = distribution(sorted).into_iter().map(|(ms, share)| (ms / 1e3, share));
            lines.push((format!("{}, {kind}", run.policy), in_seconds.collect()));
        }
    }
    let x = Axis::linear("latency of a request", Unit::Seconds);
    let y = Axis::linear("share of the requests up to this", Unit::Share);
    measured.draw("origin-b", "distribution", one_panel("Latencies with origin B", [&x, &y], lines))?;
    Ok(measured)
}

impl Run {
    /// Serves all requests with the embeddable cache; what each waited, those that waited
    /// longer later.
    fn prototype(&self, requests: &[Request], capacity: u64, seed: Seed) -> Result<Vec<u64>> {
        let latencies = self.latency.prepare(seed).map_err(|error| UserError::new(error.to_string()))?;
        let clock = ManualClock::default();
        let cache = LoadingCache::<u64, ()>::builder(capacity).shards(SHARDS).policy(self.policy);
        let cache = cache.clock(clock.clone()).seed(seed.0).build();
        let cache = cache.map_err(|error| UserError::new(error.to_string()))?;
        let advance_to = |time: u64| clock.advance(Duration::from_nanos(time.saturating_sub(clock.nanoseconds())));
        let context = &mut Context::from_waker(Waker::noop());
        let mut waited = Vec::with_capacity(requests.len());
        let mut waiting: FxHashMap<u64, Vec<(u64, Answer)>> = FxHashMap::default();
        let mut ends = BinaryHeap::new();
        let wakers = Arc::new(Mutex::new(FxHashMap::<u64, Waker>::default()));
        let mut upcoming = requests.iter().peekable();
        loop {
            let arrives = upcoming.peek().map_or(u64::MAX, |request| request.time);
            // A fetch that ends when a request arrives has ended before.
            let next = ends.peek().copied().filter(|Reverse((end, _))| *end <= arrives);
            if let Some(Reverse((end, key))) = next {
                ends.pop();
                advance_to(end);
                if let Some(waker) = locked(&wakers).remove(&key) {
                    waker.wake();
                }
                for (began, mut answer) in waiting.remove(&key).unwrap_or_default() {
                    if answer.as_mut().poll(context) != Poll::Ready(true) {
                        return Err(UserError::new("the loading cache gave no answer: a mistake in forebay"));
                    }
                    waited.push(end - began);
                }
                continue;
            }
            let Some(&Request { time, key, .. }) = upcoming.next() else { break };
            advance_to(time);
            let end = time + latencies.expected(key, 1);
            let (cache, clock, wakers) = (cache.clone(), clock.clone(), Arc::clone(&wakers));
            let fetch = move || {
                poll_fn(move |context| {
                    if clock.nanoseconds() >= end {
                        return Poll::Ready(Ok::<_, BoxError>(()));
                    }
                    locked(&wakers).insert(key, context.waker().clone());
                    Poll::Pending
                })
            };
            let mut answer: Answer = Box::pin(async move { cache.get_or_fetch(key, fetch).await.is_ok() });
            if answer.as_mut().poll(context).is_ready() {
                waited.push(0);
                continue;
            }
            let others = waiting.entry(key).or_default();
            if others.is_empty() {
                ends.push(Reverse((end, key)));
            }
            others.push((time, answer));
        }
        Ok(waited)
    }

    /// Plays all requests in the simulator.
    fn simulation(&self, requests: &[Request], capacity: u64, seed: Seed) -> Result<Vec<u64>> {
        let policy: Choice = self.policy.parse().map_err(UserError::new)?;
        let setup = Setup {
            model: Model::DelayedHits,
            capacity,
            entries: usize::try_from(capacity).unwrap_or(0),
            ways: Some(capacity / SHARDS as u64),
            latency: self.latency.clone(),
            size_change: None,
            service: Service::default(),
            warmup: 0,
            seed,
            observer: Some(Box::<Waits>::default()),
        };
        let mut simulation = policy.simulation(setup).map_err(|error| UserError::new(error.message))?;
        simulation.feed(requests, &[]);
        let waits = simulation.into_observer().and_then(|observer| (observer as Box<dyn Any>).downcast::<Waits>().ok());
        Ok(waits.map_or_else(Vec::new, |waits| waits.0))
    }
}

/// Nobody panics while it is locked.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The outcome of a request: whether it got its object.
type Answer = Pin<Box<dyn Future<Output = bool>>>;

/// Hears what each request waited.
#[derive(Default)]
struct Waits(Vec<u64>);

impl Watch for Waits {
    fn outcome(&mut self, _: &Request, outcome: RequestOutcome) {
        self.0.push(outcome.latency());
    }
}

fn mean_ms(waited: &[u64]) -> f64 {
    waited.iter().map(|&nanoseconds| nanoseconds as f64).sum::<f64>() / waited.len().max(1) as f64 / MS as f64
}

/// The share of `sorted` that is up to `limit`.
fn share_up_to(sorted: &[u64], limit: u64) -> f64 {
    sorted.partition_point(|&waited| waited <= limit) as f64 / sorted.len().max(1) as f64
}

/// The greatest difference of the two shares of requests that waited up to any time.
fn distance(Waited { prototype, simulation }: &Waited) -> f64 {
    let longest = prototype.last().max(simulation.last()).copied().unwrap_or(0);
    let limits = (0..=STEPS).map(|step| longest / STEPS * step);
    limits.map(|limit| (share_up_to(prototype, limit) - share_up_to(simulation, limit)).abs()).fold(0.0, f64::max)
}

/// Milliseconds, and the share of requests that waited no longer.
fn distribution(sorted: &[u64]) -> Vec<(f64, f64)> {
    let longest = sorted.last().copied().unwrap_or(0);
    let limits = (0..=STEPS).map(|step| longest / STEPS * step);
    limits.map(|limit| (limit as f64 / MS as f64, share_up_to(sorted, limit))).collect()
}

fn latencies_csv(runs: &[Run], waited: &[Waited]) -> String {
    let header = ["origins", "policy", "latency_ms", "share_of_prototype", "share_of_simulation"];
    let rows = runs.iter().zip(waited).flat_map(|(run, waited)| {
        let points = distribution(&waited.prototype);
        points.into_iter().zip(distribution(&waited.simulation)).map(|((ms, share), (_, of_simulation))| {
            let numbers = [ms, share, of_simulation].map(|number| number.to_string());
            [run.origins, run.policy].into_iter().map(str::to_owned).chain(numbers).collect()
        })
    });
    csv::lines(&header, rows)
}
