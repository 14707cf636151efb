//! The flight under every order of its threads, with loom.
//!
//! The host is a table with room for one flight. The fetch waits for a signal that
//! another thread gives, so that it is woken in the middle of anything.

use super::*;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;
use std::task::Poll;

struct Number;

impl Kind for Number {
    type Tag = ();
    type Outcome = u32;

    fn panicked(_: &str) -> u32 {
        PANICKED
    }
}

const PANICKED: u32 = 99;
const ABORTED: u32 = 98;

/// The state that the threads of a model share.
#[derive(Clone)]
struct Table {
    flight: Arc<Mutex<Option<Arc<Flight<Number>>>>>,
    counts: Arc<Counts>,
    signal: Arc<Signal>,
}

struct Counts {
    in_flight: AtomicUsize,
    begun: AtomicUsize,
    landed: AtomicUsize,
    cancelled: AtomicUsize,
}

impl Host<Number> for Table {
    fn landed(&self, flight: &Flight<Number>, outcome: u32) -> Option<Ended<Number>> {
        self.end(flight, Some(outcome), &self.counts.landed)
    }

    fn cancelled(&self, flight: &Flight<Number>) -> Option<Ended<Number>> {
        self.end(flight, None, &self.counts.cancelled)
    }
}

impl Table {
    fn new() -> Self {
        let zero = || AtomicUsize::new(0);
        let counts = Counts { in_flight: zero(), begun: zero(), landed: zero(), cancelled: zero() };
        let signal = Signal { given: Mutex::new((false, None)) };
        Self { flight: Arc::new(Mutex::new(None)), counts: Arc::new(counts), signal: Arc::new(signal) }
    }

    fn end(&self, flight: &Flight<Number>, outcome: Option<u32>, count: &AtomicUsize) -> Option<Ended<Number>> {
        let mut place = lock(&self.flight);
        let ended = flight.end(outcome)?;
        assert_eq!(place.take().map(|flight| flight.id()), Some(flight.id()));
        count.fetch_add(1, Ordering::Relaxed);
        Some(ended)
    }

    /// Joins the flight or begins one.
    fn wait(&self) -> Waiter<Number, Self> {
        let mut place = lock(&self.flight);
        let joined = place.as_ref().map(|flight| {
            let (seat, _) = flight.join(0, 0).expect("a flight in the table has not ended");
            (Arc::clone(flight), seat)
        });
        let (flight, seat) = joined.unwrap_or_else(|| {
            let begun = self.counts.begun.fetch_add(1, Ordering::Relaxed);
            assert_eq!(self.counts.in_flight.fetch_add(1, Ordering::Relaxed), 0, "two fetches in flight");
            let fetch = Waits {
                signal: Arc::clone(&self.signal),
                counts: Arc::clone(&self.counts),
                number: u32::try_from(begun).unwrap(),
            };
            Flight::begin((), Box::pin(fetch), 0, 0)
        });
        place.get_or_insert_with(|| Arc::clone(&flight));
        Waiter { host: self.clone(), flight, seat }
    }

    /// Acts like `get_or_fetch`.
    async fn load(&self) -> u32 {
        loop {
            if let Some(number) = self.wait().await {
                return number;
            }
        }
    }

    fn spoil(&self) {
        if let Some(flight) = &*lock(&self.flight) {
            flight.spoil();
        }
    }

    fn check_end(&self) {
        let Counts { in_flight, begun, landed, cancelled } = &*self.counts;
        assert!(lock(&self.flight).is_none(), "a flight was left");
        assert_eq!(in_flight.load(Ordering::Relaxed), 0);
        let ended = landed.load(Ordering::Relaxed) + cancelled.load(Ordering::Relaxed);
        assert_eq!(begun.load(Ordering::Relaxed), ended);
    }
}

/// Given once, for all fetches.
struct Signal {
    given: Mutex<(bool, Option<Waker>)>,
}

impl Signal {
    fn give(&self) {
        let waker = {
            let mut given = lock(&self.given);
            given.0 = true;
            given.1.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

/// A fetch: waits for the signal, then gives its number.
struct Waits {
    signal: Arc<Signal>,
    counts: Arc<Counts>,
    number: u32,
}

impl Future for Waits {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let earlier;
        let mut given = lock(&self.signal.given);
        if given.0 {
            return Poll::Ready(self.number);
        }
        earlier = given.1.replace(cx.waker().clone());
        drop(given);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.counts.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Tries the orders with up to so many preemptions; what breaks needs few (Musuvathi
/// and Qadeer, PLDI 2007).
fn model(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(run);
}

fn block_on<F: Future>(future: F) -> F::Output {
    loom::future::block_on(future)
}

fn poll_once(waiter: &mut Waiter<Number, Table>) -> Poll<Option<u32>> {
    Pin::new(waiter).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn two_waiters_share_what_a_third_thread_completes() {
    model(3, || {
        let table = Table::new();
        let (here, there) = (table.wait(), table.wait());
        let other = thread::spawn(move || block_on(there));
        let signal = Arc::clone(&table.signal);
        let giver = thread::spawn(move || signal.give());
        assert_eq!(block_on(here), Some(0));
        assert_eq!(other.join().unwrap(), Some(0));
        giver.join().unwrap();
        assert_eq!(table.counts.landed.load(Ordering::Relaxed), 1);
        table.check_end();
    });
}

#[test]
fn a_waiter_dropped_after_its_poll_is_followed_by_another() {
    model(3, || {
        let table = Table::new();
        let (mut here, there) = (table.wait(), table.wait());
        let other = thread::spawn(move || block_on(there));
        let signal = Arc::clone(&table.signal);
        let giver = thread::spawn(move || signal.give());
        // Perhaps it takes the wake-up with it.
        let _ = poll_once(&mut here);
        drop(here);
        assert_eq!(other.join().unwrap(), Some(0));
        giver.join().unwrap();
        table.check_end();
    });
}

#[test]
fn a_waiter_that_is_kept_and_not_polled_holds_nobody_up() {
    model(3, || {
        let table = Table::new();
        let (mut kept, there) = (table.wait(), table.wait());
        let _ = poll_once(&mut kept);
        let other = thread::spawn(move || block_on(there));
        table.signal.give();
        assert_eq!(other.join().unwrap(), Some(0));
        drop(kept);
        table.check_end();
    });
}

#[test]
fn the_last_to_leave_cancels_and_who_comes_meanwhile_fetches_anew() {
    model(2, || {
        let table = Table::new();
        let mut here = table.wait();
        let other = {
            let table = table.clone();
            thread::spawn(move || block_on(table.load()))
        };
        let signal = Arc::clone(&table.signal);
        let giver = thread::spawn(move || signal.give());
        let _ = poll_once(&mut here);
        drop(here);
        let number = other.join().unwrap();
        assert!(number <= 1);
        giver.join().unwrap();
        table.check_end();
    });
}

#[test]
fn two_that_leave_at_once_cancel_once() {
    model(4, || {
        let table = Table::new();
        let (mut here, mut there) = (table.wait(), table.wait());
        let other = thread::spawn(move || {
            let polled = poll_once(&mut there);
            drop(there);
            polled
        });
        assert_eq!(poll_once(&mut here), Poll::Pending);
        drop(here);
        assert_eq!(other.join().unwrap(), Poll::Pending);
        assert_eq!(table.counts.cancelled.load(Ordering::Relaxed), 1);
        table.check_end();
    });
}

#[test]
fn who_comes_after_it_was_spoilt_waits_for_the_end_and_fetches_anew() {
    model(2, || {
        let table = Table::new();
        let here = table.wait();
        table.spoil();
        let later = {
            let table = table.clone();
            thread::spawn(move || block_on(table.load()))
        };
        let signal = Arc::clone(&table.signal);
        let giver = thread::spawn(move || signal.give());
        assert_eq!(block_on(here), Some(0), "it waited already");
        assert_eq!(later.join().unwrap(), 1, "the fetch began before it was spoilt");
        giver.join().unwrap();
        table.check_end();
    });
}

#[test]
fn who_waits_behind_a_spoilt_flight_goes_on_when_it_is_cancelled() {
    model(3, || {
        let table = Table::new();
        let mut here = table.wait();
        table.spoil();
        let later = {
            let table = table.clone();
            thread::spawn(move || block_on(table.load()))
        };
        let _ = poll_once(&mut here);
        drop(here);
        table.signal.give();
        assert_eq!(later.join().unwrap(), 1);
        table.check_end();
    });
}

#[test]
fn the_fetch_goes_also_if_its_last_taker_leaves_while_another_polls_it() {
    model(3, || {
        let table = Table::new();
        let here = table.wait();
        table.spoil();
        let mut behind = table.wait();
        let other = thread::spawn(move || {
            let polled = poll_once(&mut behind);
            drop(behind);
            polled
        });
        drop(here);
        let polled = other.join().unwrap();
        assert!(matches!(polled, Poll::Pending | Poll::Ready(None)));
        assert_eq!(table.counts.cancelled.load(Ordering::Relaxed), 1);
        table.check_end();
    });
}

#[test]
fn a_panic_of_the_fetch_reaches_both() {
    struct Panics(Arc<AtomicBool>);
    impl Future for Panics {
        type Output = u32;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
            // Not `panic!`, whose message would fill the test's output.
            std::panic::resume_unwind(Box::new("as told"))
        }
    }
    impl Drop for Panics {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    model(3, || {
        let table = Table::new();
        let dropped = Arc::new(AtomicBool::new(false));
        let (flight, seat) = Flight::begin((), Box::pin(Panics(Arc::clone(&dropped))), 0, 0);
        *lock(&table.flight) = Some(Arc::clone(&flight));
        let here = Waiter { host: table.clone(), flight, seat };
        let there = table.wait();
        let other = thread::spawn(move || block_on(there));
        assert_eq!(block_on(here), Some(PANICKED));
        assert_eq!(other.join().unwrap(), Some(PANICKED));
        assert!(dropped.load(Ordering::Relaxed));
        assert!(lock(&table.flight).is_none());
    });
}

#[test]
fn an_abort_at_any_moment_ends_every_wait_and_drops_the_fetch() {
    model(2, || {
        let table = Table::new();
        let (here, there) = (table.wait(), table.wait());
        let flight = Arc::clone(&here.flight);
        let other = thread::spawn(move || block_on(there));
        let aborter = {
            let table = table.clone();
            thread::spawn(move || flight.abort(&table, ABORTED))
        };
        table.signal.give();
        let answer = block_on(here).expect("the request that began the fetch takes its outcome");
        assert_eq!(other.join().unwrap(), Some(answer));
        let aborted = aborter.join().unwrap();
        assert_eq!(answer, if aborted { ABORTED } else { 0 });
        assert_eq!(table.counts.landed.load(Ordering::Relaxed), 1);
        table.check_end();
    });
}
