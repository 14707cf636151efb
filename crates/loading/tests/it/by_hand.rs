//! An executor that does nothing by itself, and fetches that end when a test says so.

use forebay_loading::{FetchError, LoadingCache, ManualClock};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use tokio::sync::oneshot;

/// Locks, also after a panic of another test's thread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A future that is polled when the test says so.
pub(crate) struct Task<T> {
    future: Pin<Box<dyn Future<Output = T> + Send>>,
    woken: Arc<Woken>,
}

/// Whether a task was woken since its last poll.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<T> Task<T> {
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'static) -> Self {
        Self { future: Box::pin(future), woken: Arc::new(Woken(AtomicBool::new(true))) }
    }

    pub(crate) fn poll(&mut self) -> Poll<T> {
        self.woken.0.store(false, Ordering::SeqCst);
        self.future.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(&self.woken))))
    }

    pub(crate) fn is_woken(&self) -> bool {
        self.woken.0.load(Ordering::SeqCst)
    }

    /// Polls it if it was woken.
    pub(crate) fn poll_if_woken(&mut self) -> Poll<T> {
        if self.is_woken() { self.poll() } else { Poll::Pending }
    }
}

pub(crate) type Key = u32;
/// A key, and the number of the fetch or insertion.
pub(crate) type Value = (Key, u64);
pub(crate) type Cache = LoadingCache<Key, Value, String>;
pub(crate) type Answer = Result<Value, FetchError<String>>;

/// The end of a fetch, as the test wants it.
pub(crate) enum End {
    Value(Value),
    Error(String),
    Panic,
}

/// A cache with a clock and fetches in the test's hand.
pub(crate) struct Bench {
    pub(crate) cache: Cache,
    pub(crate) clock: ManualClock,
    pub(crate) origin: Arc<Origin>,
}

/// The origin with all fetches.
#[derive(Default)]
pub(crate) struct Origin {
    open: Mutex<HashMap<Key, oneshot::Sender<End>>>,
    pub(crate) begun: AtomicUsize,
    pub(crate) running: Mutex<HashMap<Key, usize>>,
}

/// Counts a fetch while it lives.
struct Running(Arc<Origin>, Key);

impl Drop for Running {
    fn drop(&mut self) {
        *lock(&self.0.running).get_mut(&self.1).expect("it was counted") -= 1;
    }
}

impl Origin {
    pub(crate) async fn fetch(self: Arc<Self>, key: Key) -> Result<Value, String> {
        let before = {
            let mut running = lock(&self.running);
            let count = running.entry(key).or_default();
            *count += 1;
            *count - 1
        };
        let _running = Running(Arc::clone(&self), key);
        assert_eq!(before, 0, "two fetches of a key in flight");
        self.begun.fetch_add(1, Ordering::SeqCst);
        let (send, receive) = oneshot::channel();
        lock(&self.open).insert(key, send);
        match receive.await.expect("the test ends every fetch") {
            End::Value(value) => Ok(value),
            End::Error(error) => Err(error),
            // Not `panic!`, whose message would fill the test's output.
            End::Panic => std::panic::resume_unwind(Box::new("as told")),
        }
    }

    /// Ends a fetch; says whether it was still there.
    pub(crate) fn end(&self, key: Key, end: End) -> bool {
        let sender = lock(&self.open).remove(&key);
        sender.is_some_and(|sender| sender.send(end).is_ok())
    }

    pub(crate) fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }

    /// Number of fetches that were not dropped.
    pub(crate) fn running(&self) -> usize {
        lock(&self.running).values().sum()
    }
}

impl Bench {
    pub(crate) fn new(capacity: u64) -> Self {
        Self::with(capacity, |builder| builder)
    }

    pub(crate) fn with(
        capacity: u64,
        more: impl FnOnce(forebay_loading::Builder<Key, Value, String>) -> forebay_loading::Builder<Key, Value, String>,
    ) -> Self {
        let clock = ManualClock::default();
        let builder = LoadingCache::builder(capacity).shards(1).seed(1).policy("lru").clock(clock.clone());
        Self { cache: more(builder).build().expect("the builder is right"), clock, origin: Arc::default() }
    }

    /// A call of `get_or_fetch`, not polled yet.
    pub(crate) fn call(&self, key: Key) -> Task<Answer> {
        let (cache, origin) = (self.cache.clone(), Arc::clone(&self.origin));
        Task::new(async move { cache.get_or_fetch(key, move || origin.fetch(key)).await })
    }

    /// A call that has been polled once and waits.
    pub(crate) fn waiting(&self, key: Key) -> Task<Answer> {
        let mut task = self.call(key);
        assert!(task.poll().is_pending());
        task
    }

    /// Fetches a value at once.
    pub(crate) fn load(&self, key: Key, number: u64) {
        let mut task = self.waiting(key);
        assert!(self.origin.end(key, End::Value((key, number))));
        assert_eq!(value(task.poll()), (key, number));
    }
}

/// The value of a call that is ready.
pub(crate) fn value(polled: Poll<Answer>) -> Value {
    match polled {
        Poll::Ready(Ok(value)) => value,
        other => panic!("expected a value, not {other:?}"),
    }
}

/// The error of a call that is ready.
pub(crate) fn error(polled: Poll<Answer>) -> FetchError<String> {
    match polled {
        Poll::Ready(Err(error)) => error,
        other => panic!("expected an error, not {other:?}"),
    }
}
