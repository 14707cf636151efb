//! A loading cache whose fetches fail, panic, hang or are dropped, on a clock that jumps.

mod origin;

use super::{Life, System};
use crate::fault::Coverage;
use forebay_loading::{Clock, FetchError, LoadingCache};
use origin::{Key, Origin, Value};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "loading",
    title: "Whatever becomes of fetches, every request is answered, with nothing out of date, and nothing is left behind",
    run: live,
    lives: 1_500,
};

const KEYS: [Key; 4] = [0, 1, 2, 3];
const CAPACITY: u64 = 8;
const STEPS: u64 = 80;
const SECOND: i64 = 1_000_000_000;
/// The time limit of a fetch.
const LIMIT: i64 = 10 * SECOND;

type Cache = LoadingCache<Key, Value, String>;
type Answer = Result<Value, FetchError<String>>;

/// The clock of the world, which may go back.
struct Wild(Arc<Origin>);

impl Clock for Wild {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.state().now.max(0).unsigned_abs())
    }
}

/// A request or a keeper, which is polled when it is woken.
struct Task {
    future: Pin<Box<dyn Future<Output = Option<Answer>> + Send>>,
    woken: Arc<Woken>,
    /// If set, a value of this key must be born after this step.
    fresh: Option<(Key, u64)>,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Task {
    fn new(future: impl Future<Output = Option<Answer>> + Send + 'static, fresh: Option<(Key, u64)>) -> Self {
        Self { future: Box::pin(future), woken: Arc::new(Woken(AtomicBool::new(true))), fresh }
    }

    /// Polls the task if it was woken. Returns whether it has ended.
    fn poll(&mut self) -> bool {
        if !self.woken.0.swap(false, Ordering::SeqCst) {
            return false;
        }
        let waker = Waker::from(Arc::clone(&self.woken));
        match self.future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => false,
            Poll::Ready(answer) => {
                if let (Some(Ok(value)), Some((key, stale))) = (answer, self.fresh) {
                    assert_eq!(value.key, key, "a value of another key");
                    assert!(value.born >= stale, "key {key}: a value of step {} after {stale}", value.born);
                }
                true
            }
        }
    }
}

/// A life: the cache, and the tasks that wait for it.
struct Bench {
    origin: Arc<Origin>,
    cache: Cache,
    tasks: Vec<Task>,
    /// When each key was last invalidated.
    stale: BTreeMap<Key, u64>,
}

fn live(life: &Life) -> Coverage {
    let origin = Origin::new(life.seed, life.planted);
    let mut bench = Bench::new(&origin, life.seed);
    for step in 1..=STEPS {
        origin.state().step = step;
        bench.act(step);
        bench.check();
    }
    origin.heal();
    bench.settle();
    let Bench { cache, tasks, .. } = bench;
    let metrics = cache.metrics();
    assert_eq!(metrics.in_flight, 0, "fetches are in flight that nobody makes");
    drop((cache, tasks));
    assert_eq!((origin.fetches(), origin.values()), (0, 0), "fetches and values that are left behind");
    origin.state().faults.coverage.clone()
}

impl Bench {
    fn new(origin: &Arc<Origin>, seed: u64) -> Self {
        let (policy, shards) = {
            let faults = &mut origin.state().faults;
            (["lru", "lru-mad", "fifo", "lfu"][faults.place(4)], 1 + faults.place(2))
        };
        let (weighing, timing, sleeping) = (Arc::clone(origin), Arc::clone(origin), Arc::clone(origin));
        let cache = LoadingCache::builder(CAPACITY)
            .policy(policy)
            .shards(shards)
            .seed(seed)
            .clock(Wild(Arc::clone(origin)))
            .weigher(move |_, value: &Value| {
                break_if(weighing.fault("call", "the weigher", &["panic"]));
                value.weight
            })
            .time_to_live_by(move |_, _| {
                break_if(timing.fault("call", "the time to live", &["panic"]));
                Duration::from_secs(20)
            })
            .fetch_time_limit(Duration::from_nanos(LIMIT.unsigned_abs()), move |time| {
                sleeping.sleep(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
            });
        Self {
            origin: Arc::clone(origin),
            cache: cache.build().expect("a cache"),
            tasks: Vec::new(),
            stale: BTreeMap::new(),
        }
    }

    /// Makes a random event happen.
    fn act(&mut self, step: u64) {
        let (key, deed) = {
            let faults = &mut self.origin.state().faults;
            (KEYS[faults.place(KEYS.len())], faults.below(16))
        };
        match deed {
            0..6 => self.request(key, step),
            6..9 => self.origin.end_one(),
            9 => match self.origin.fault("wait", "a request", &["dropped", "all dropped at once", "woken for nothing"])
            {
                Some("dropped") if !self.tasks.is_empty() => {
                    let place = self.origin.state().faults.place(self.tasks.len());
                    drop(self.tasks.swap_remove(place));
                }
                // As if their runtime had shut down.
                Some("all dropped at once") => self.tasks.clear(),
                Some(_) => self.origin.wake_for_nothing(),
                None => {}
            },
            10 => match self.origin.fault("now", "the clock", &["jumped ahead", "went back"]) {
                Some("jumped ahead") => self.origin.advance(3 * LIMIT),
                Some(_) => self.origin.advance(-SECOND),
                None => self.origin.advance(SECOND),
            },
            11 => {
                let _was_there = self.cache.invalidate(&key);
                self.stale.insert(key, step);
            }
            12 => {
                let value = self.origin.value(key);
                let cache = self.cache.clone();
                // The weigher may panic in the caller's hands.
                let _inserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cache.insert(key, value)));
            }
            13 => {
                let _was_there = self.cache.abort(&key);
            }
            14 => {
                let _some = self.cache.purge_expired();
            }
            _ => {
                if let Some(value) = self.cache.get(&key) {
                    let stale = self.stale.get(&key).copied().unwrap_or_default();
                    assert!(value.key == key && value.born >= stale, "key {key}: {value:?} after {stale}");
                }
            }
        }
        self.run();
    }

    /// Makes a request, detached or not.
    fn request(&mut self, key: Key, step: u64) {
        let (cache, origin) = (self.cache.clone(), Arc::clone(&self.origin));
        let fresh = Some((key, self.stale.get(&key).copied().unwrap_or_default()));
        let fetch = move || {
            break_if(origin.fault("begin", "a fetch", &["panic"]));
            origin.fetch(key)
        };
        if !step.is_multiple_of(3) {
            self.tasks.push(Task::new(async move { Some(cache.get_or_fetch(key, fetch).await) }, fresh));
            return;
        }
        let kept = Arc::new(std::sync::Mutex::new(None));
        let keeps = Arc::clone(&kept);
        let keep = move |keeper| *keeps.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(keeper);
        let mut task = Task::new(async move { Some(cache.get_or_fetch_detached(key, fetch, keep).await) }, fresh);
        if !task.poll() {
            self.tasks.push(task);
        }
        let keeper = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(keeper) = keeper {
            self.tasks.push(Task::new(
                async move {
                    keeper.await;
                    None
                },
                None,
            ));
        }
    }

    /// Polls the tasks that are woken, until none is.
    fn run(&mut self) {
        loop {
            let before = self.tasks.len();
            self.tasks.retain_mut(|task| !task.poll());
            let is_quiet = self.tasks.iter().all(|task| !task.woken.0.load(Ordering::SeqCst));
            if is_quiet && before == self.tasks.len() {
                return;
            }
        }
    }

    /// Checks the promises that hold at any time.
    fn check(&self) {
        let weight = self.cache.weight();
        assert!(weight <= CAPACITY, "a weight of {weight} in a cache of {CAPACITY}");
        let metrics = self.cache.metrics();
        assert!(u64::from(self.origin.fetches()) >= metrics.in_flight.min(1), "a fetch in flight that nobody makes");
    }

    /// Stops all faults: each fetch ends, and every request gets an answer.
    fn settle(&mut self) {
        while self.origin.has_open() {
            self.origin.end_one();
            self.run();
        }
        self.origin.advance(3 * LIMIT);
        self.run();
        assert!(self.tasks.is_empty(), "{} requests wait, and nobody will wake them", self.tasks.len());
    }
}

/// Panics without filling the output.
fn break_if(fault: Option<&'static str>) {
    if fault.is_some() {
        resume_unwind(Box::new("broken on purpose"));
    }
}
