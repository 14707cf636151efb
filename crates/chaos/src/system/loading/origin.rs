//! The origin of fetches: each ends as the life determines, or never.

use crate::fault::{Fault, Faults, Site};
use crate::planted_faults::Planted;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

pub(super) type Key = u32;

/// A value with its origin, which is counted as long as it exists.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) key: Key,
    /// The step in which the value's fetch began, or in which it was inserted.
    pub(super) born: u64,
    pub(super) weight: u64,
    _counted: Arc<()>,
}

/// The world around a cache: fetches, timers, the clock, and their faults.
pub(super) struct Origin(Mutex<State>);

pub(super) struct State {
    pub(super) faults: Faults,
    planted: Option<Planted>,
    pub(super) step: u64,
    pub(super) now: i64,
    next: u64,
    open: BTreeMap<u64, Open>,
    /// The number of existing fetches of each key.
    running: BTreeMap<Key, u32>,
    timers: Vec<(i64, Waker)>,
    counted: Arc<()>,
}

/// A fetch that has not ended.
struct Open {
    key: Key,
    end: Option<End>,
    waker: Option<Waker>,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Value,
    Error,
    Panic,
}

impl Origin {
    pub(super) fn new(seed: u64, planted: Option<Planted>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            faults: Faults::new(seed, 300),
            planted,
            step: 0,
            now: 0,
            next: 0,
            open: BTreeMap::new(),
            running: BTreeMap::new(),
            timers: Vec::new(),
            counted: Arc::new(()),
        })))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides whether the call fails, and by which fault.
    pub(super) fn fault(&self, call: &'static str, of: &'static str, faults: &[Fault]) -> Option<Fault> {
        self.state().faults.draw(Site { call, of }, faults)
    }

    /// Stops all faults.
    pub(super) fn heal(&self) {
        self.state().faults.rate = 0;
    }

    /// Creates a value of a key, which is born now.
    pub(super) fn value(&self, key: Key) -> Value {
        self.state().value(key)
    }

    /// Returns the number of existing values.
    pub(super) fn values(&self) -> usize {
        Arc::strong_count(&self.state().counted) - 1
    }

    /// Returns the number of existing fetches.
    pub(super) fn fetches(&self) -> u32 {
        self.state().running.values().sum()
    }

    /// Begins a fetch.
    pub(super) fn fetch(self: &Arc<Self>, key: Key) -> Fetch {
        let state = &mut *self.state();
        let running = state.running.entry(key).or_default();
        assert_eq!(*running, 0, "two fetches of key {key} at once");
        *running += 1;
        state.next += 1;
        state.open.insert(state.next, Open { key, end: None, waker: None });
        let value = state.value(key);
        Fetch { origin: Arc::clone(self), number: state.next, value: Some(value) }
    }

    /// Ends one of the open fetches.
    pub(super) fn end_one(&self) {
        let mut state = self.state();
        let ending: Vec<u64> =
            state.open.iter().filter(|(_, open)| open.end.is_none()).map(|(number, _)| *number).collect();
        if ending.is_empty() {
            return;
        }
        let number = ending[state.faults.place(ending.len())];
        let end = match state.faults.draw(Site { call: "end", of: "a fetch" }, &["error", "panic", "never"]) {
            Some("error") => End::Error,
            Some("panic") => End::Panic,
            Some(_) => return,
            None => End::Value,
        };
        let is_lost = state.planted == Some(Planted::LostWake) && state.faults.below(10) == 0;
        let waker = state.open.get_mut(&number).and_then(|open| {
            open.end = Some(end);
            open.waker.take()
        });
        drop(state);
        if let Some(waker) = waker.filter(|_| !is_lost) {
            waker.wake();
        }
    }

    /// Wakes a fetch that cannot continue.
    pub(super) fn wake_for_nothing(&self) {
        let waker = self.state().open.values().find_map(|open| open.waker.clone());
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether some fetch has no outcome yet.
    pub(super) fn has_open(&self) -> bool {
        self.state().open.values().any(|open| open.end.is_none())
    }

    /// Creates a timer.
    pub(super) fn sleep(self: &Arc<Self>, nanoseconds: i64) -> impl Future<Output = ()> + Send + use<> {
        let (origin, end) = (Arc::clone(self), self.state().now + nanoseconds);
        std::future::poll_fn(move |context| {
            let mut state = origin.state();
            if state.now >= end {
                return Poll::Ready(());
            }
            state.timers.push((end, context.waker().clone()));
            Poll::Pending
        })
    }

    /// Moves the clock and wakes expired timers.
    pub(super) fn advance(&self, nanoseconds: i64) {
        let over = {
            let mut state = self.state();
            state.now += nanoseconds;
            let now = state.now;
            let (over, waiting) = std::mem::take(&mut state.timers).into_iter().partition(|(end, _)| *end <= now);
            state.timers = waiting;
            let over: Vec<(i64, Waker)> = over;
            over
        };
        over.into_iter().for_each(|(_, waker)| waker.wake());
    }
}

impl State {
    fn value(&mut self, key: Key) -> Value {
        let weight = 1 + self.faults.below(4);
        Value { key, born: self.step, weight, _counted: Arc::clone(&self.counted) }
    }
}

/// A fetch.
pub(super) struct Fetch {
    origin: Arc<Origin>,
    number: u64,
    value: Option<Value>,
}

impl Future for Fetch {
    type Output = Result<Value, String>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let end = {
            let mut state = self.origin.state();
            let open = state.open.get_mut(&self.number).expect("a fetch that lives is open");
            open.waker = Some(context.waker().clone());
            open.end
        };
        match end {
            None => Poll::Pending,
            Some(End::Value) => Poll::Ready(Ok(self.value.take().expect("a fetch ends once"))),
            Some(End::Error) => Poll::Ready(Err("the origin is away".to_owned())),
            // Not `panic!`, whose message would fill the output.
            Some(End::Panic) => resume_unwind(Box::new("the fetch broke")),
        }
    }
}

impl Drop for Fetch {
    fn drop(&mut self) {
        let mut state = self.origin.state();
        if let Some(open) = state.open.remove(&self.number)
            && let Some(running) = state.running.get_mut(&open.key)
        {
            *running -= 1;
        }
    }
}
