//! A fetch that its waiters share and poll.
//!
//! Nothing is spawned: any waiter that is polled polls the fetch. The fetch gets a waker of the flight, which wakes all
//! waiters. The first waiter that is polled continues the fetch, and the others see that there is nothing to do. So it
//! does no harm if a waiter is dropped, or is kept and never polled again. When the last waiter that wants the outcome
//! is dropped, the fetch is dropped.
//!
//! No lock is held while the fetch is polled or dropped, while a waker is woken, cloned
//! or dropped, or while an outcome is dropped.

use crate::cycles;
use crate::quiet::quietly;
use crate::sync::{Mutex, MutexGuard, lock};
use slab::Slab;
use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// The types of a flight.
///
/// Neither this trait nor its implementation is `'static`. Otherwise the compiler could not prove that a future of a
/// cache of trait objects is `Send`.
pub(crate) trait Kind {
    /// The key by which its host knows it.
    type Tag: Send + Sync;
    /// The outcome that every waiter gets. A clone must be cheap and must not run foreign code.
    type Outcome: Clone + Send + Sync;

    /// The outcome of a fetch that panicked.
    fn panicked(message: &str) -> Self::Outcome;
}

/// The owner of the table of flights.
///
/// Both methods take the flight out of the host's table and call [`Flight::end`], in one critical section, so that no
/// lookup finds a flight that has ended. They return `None` if it ended before.
pub(crate) trait Host<T: Kind> {
    /// The fetch is complete, and its future dropped.
    fn landed(&self, flight: &Flight<T>, outcome: T::Outcome) -> Option<Ended<T>>;

    /// No waiter wants the outcome; the fetch was dropped before its end.
    fn cancelled(&self, flight: &Flight<T>) -> Option<Ended<T>>;
}

/// The future of a fetch.
pub(crate) type Fetch<T> = Pin<Box<dyn Future<Output = <T as Kind>::Outcome> + Send>>;

/// A fetch and its waiters.
pub(crate) struct Flight<T: Kind> {
    id: u64,
    tag: T::Tag,
    state: Mutex<State<T>>,
}

struct State<T: Kind> {
    stage: Stage<T>,
    /// Whether the fetch should be polled.
    woken: bool,
    /// Whether the outcome is out of date before the fetch ends.
    stale: bool,
    /// Whether the waiters should call again instead of taking the outcome.
    orphaned: bool,
    seats: Slab<Seat>,
    /// Number of seats that take the outcome.
    takers: usize,
    asked: Asked,
}

enum Stage<T: Kind> {
    Idle(Fetch<T>),
    /// A waiter polls or drops the fetch.
    Busy,
    /// `None` if it was cancelled.
    Ended(Option<T::Outcome>),
}

/// A waiter.
struct Seat {
    waker: Option<Waker>,
    role: Role,
}

/// The event for which a waiter waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The outcome, since this time.
    Miss(u64),
    /// The outcome, since this time, for a request that was not the first.
    Delayed(u64),
    /// Keeps the fetch going, and wants nothing.
    Keeper,
    /// The end of the fetch, whose outcome is not for it.
    Behind,
}

/// The requests that a flight has seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    /// Their number, including those whose waiters were dropped.
    pub(crate) requests: u64,
    /// The time of the latest request.
    pub(crate) last: u64,
}

/// The end of a flight. Wakes the waiters when it is dropped; no lock may be held then.
#[must_use]
pub(crate) struct Ended<T: Kind> {
    /// A fetch that was aborted after another waiter put it back.
    fetch: Option<Fetch<T>>,
    wakers: Vec<Waker>,
    /// The waiters at the end that take the outcome, and the waiters behind them.
    pub(crate) roles: Vec<Role>,
    /// The requests.
    pub(crate) asked: Asked,
    /// Whether the outcome is out of date.
    pub(crate) stale: bool,
    /// Number of delayed hits that call again.
    pub(crate) asking_again: u64,
}

impl<T: Kind + 'static> Flight<T> {
    /// A flight, and the seat of the request that missed.
    pub(crate) fn begin(tag: T::Tag, fetch: Fetch<T>, since: u64, now: u64) -> (Arc<Self>, usize) {
        let mut seats = Slab::with_capacity(1);
        let seat = seats.insert(Seat { waker: None, role: Role::Miss(since) });
        let asked = Asked { requests: 1, last: now };
        let state =
            State { stage: Stage::Idle(fetch), woken: true, stale: false, orphaned: false, seats, takers: 1, asked };
        (Arc::new(Self { id: cycles::next_id(), tag, state: Mutex::new(state) }), seat)
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn tag(&self) -> &T::Tag {
        &self.tag
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        lock(&self.state)
    }

    /// Adds a request. Returns `None` if the flight has ended. The role is [`Role::Behind`] if the outcome is out of
    /// date or no other waiter wants it.
    pub(crate) fn join(&self, since: u64, now: u64) -> Option<(usize, Role)> {
        let mut state = self.lock();
        if matches!(state.stage, Stage::Ended(_)) {
            return None;
        }
        let role = if state.stale || state.takers == 0 { Role::Behind } else { Role::Delayed(since) };
        if role != Role::Behind {
            state.takers += 1;
            state.asked.requests += 1;
            state.asked.last = now;
        }
        Some((state.seats.insert(Seat { waker: None, role }), role))
    }

    /// A seat that only keeps the fetch going.
    pub(crate) fn keep(&self) -> usize {
        let mut state = self.lock();
        state.takers += 1;
        state.seats.insert(Seat { waker: None, role: Role::Keeper })
    }

    /// Marks the outcome as out of date. Only the present waiters get it.
    pub(crate) fn spoil(&self) {
        self.lock().stale = true;
    }

    /// Polls for a seat. `None`: call again from the beginning.
    pub(crate) fn poll(
        self: &Arc<Self>,
        host: &impl Host<T>,
        seat: usize,
        cx: &mut Context<'_>,
    ) -> Poll<Option<T::Outcome>> {
        // Declared before the guard, so that they are dropped after it.
        let waker = cx.waker().clone();
        let _earlier;
        let mut state = self.lock();
        if matches!(state.stage, Stage::Ended(_)) {
            return state.answer(seat);
        }
        let fetch = if state.woken { state.take_fetch() } else { None };
        let Some(fetch) = fetch else {
            _earlier = state.seats[seat].waker.replace(waker);
            return Poll::Pending;
        };
        // It need not wake itself while it is here.
        _earlier = state.seats[seat].waker.take();
        state.woken = false;
        drop(state);
        self.turn(host, fetch, seat, waker);
        self.lock().answer(seat)
    }

    /// Polls the fetch once; the seat has taken it.
    fn turn(self: &Arc<Self>, host: &impl Host<T>, mut fetch: Fetch<T>, seat: usize, waker: Waker) {
        let shared = Waker::from(Arc::clone(self));
        let mut cx = Context::from_waker(&shared);
        let polled = cycles::within(self.id, || catch_unwind(AssertUnwindSafe(|| fetch.as_mut().poll(&mut cx))));
        let outcome = match polled {
            Ok(Poll::Pending) => return self.put_back(host, fetch, seat, waker),
            Ok(Poll::Ready(outcome)) => outcome,
            Err(panic) => {
                let outcome = T::panicked(message(&*panic));
                quietly(|| drop(panic));
                self.lock().orphan();
                outcome
            }
        };
        quietly(|| drop(fetch));
        let _end = EndIfUnwound(self);
        drop(host.landed(self, outcome));
    }

    /// The fetch goes on later.
    fn put_back(&self, host: &impl Host<T>, fetch: Fetch<T>, seat: usize, waker: Waker) {
        let mut state = self.lock();
        if matches!(state.stage, Stage::Ended(_)) {
            // Aborted while it was polled.
            drop(state);
            return quietly(|| drop(fetch));
        }
        if state.takers == 0 {
            // They were dropped while a waiter that only waits for the end polled the fetch.
            drop(state);
            return self.cancel(host, fetch);
        }
        state.stage = Stage::Idle(fetch);
        state.seats[seat].waker = Some(waker);
        let wakers = if state.woken { state.take_wakers() } else { Vec::new() };
        drop(state);
        wake(wakers);
    }

    /// Removes a waiter.
    pub(crate) fn leave(&self, host: &impl Host<T>, seat: usize) {
        let mut state = self.lock();
        let gone = state.seats.remove(seat);
        let mut fetch = None;
        if gone.role != Role::Behind {
            state.takers -= 1;
            if state.takers == 0 {
                fetch = state.take_fetch();
            }
        }
        drop(state);
        drop(gone);
        if let Some(fetch) = fetch {
            self.cancel(host, fetch);
        }
    }

    /// Drops the fetch, which the caller has taken. The flight stays in the table until the fetch is dropped, so that
    /// no second one begins before.
    fn cancel(&self, host: &impl Host<T>, fetch: Fetch<T>) {
        quietly(|| drop(fetch));
        let _end = EndIfUnwound(self);
        drop(host.cancelled(self));
    }

    /// Ends the flight with this outcome before its fetch ends. Returns whether it had not ended.
    pub(crate) fn abort(&self, host: &impl Host<T>, outcome: T::Outcome) -> bool {
        let mut state = self.lock();
        let fetch = state.take_fetch();
        drop(state);
        quietly(|| drop(fetch));
        let _end = EndIfUnwound(self);
        host.landed(self, outcome).is_some()
    }

    /// Ends the flight; the host calls this. There is no outcome if the flight was cancelled. Returns `None` if it
    /// ended before.
    pub(crate) fn end(&self, outcome: Option<T::Outcome>) -> Option<Ended<T>> {
        let mut state = self.lock();
        if matches!(state.stage, Stage::Ended(_)) {
            return None;
        }
        let fetch = state.take_fetch();
        state.stage = Stage::Ended(outcome);
        let mut roles: Vec<_> = state.seats.iter().map(|(_, seat)| seat.role).collect();
        let mut asking_again = 0;
        if state.orphaned {
            asking_again = roles.extract_if(.., |role| matches!(role, Role::Delayed(_))).count() as u64;
        }
        let (asked, stale) = (state.asked, state.stale);
        Some(Ended { fetch, wakers: state.take_wakers(), roles, asked, stale, asking_again })
    }
}

impl<T: Kind> State<T> {
    fn answer(&self, seat: usize) -> Poll<Option<T::Outcome>> {
        let Stage::Ended(outcome) = &self.stage else { return Poll::Pending };
        let takes = self.seats[seat].role != Role::Behind && !self.orphaned;
        Poll::Ready(if takes { outcome.clone() } else { None })
    }

    /// Handles a panic of the fetch. If the request that began it was dropped, the fetch may have lost its runtime with
    /// that request, so the other requests begin their own fetches.
    fn orphan(&mut self) {
        self.orphaned = !self.seats.iter().any(|(_, seat)| matches!(seat.role, Role::Miss(_)));
    }

    fn take_fetch(&mut self) -> Option<Fetch<T>> {
        match mem::replace(&mut self.stage, Stage::Busy) {
            Stage::Idle(fetch) => Some(fetch),
            other => {
                self.stage = other;
                None
            }
        }
    }

    fn take_wakers(&mut self) -> Vec<Waker> {
        self.seats.iter_mut().filter_map(|(_, seat)| seat.waker.take()).collect()
    }
}

impl<T: Kind + 'static> Wake for Flight<T> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut state = self.lock();
        state.woken = true;
        // The waiter that polls the fetch at present reads `woken` afterwards.
        let wakers = if matches!(state.stage, Stage::Idle(_)) { state.take_wakers() } else { Vec::new() };
        drop(state);
        wake(wakers);
    }
}

impl<T: Kind> Drop for Ended<T> {
    fn drop(&mut self) {
        let fetch = self.fetch.take();
        quietly(|| drop(fetch));
        wake(mem::take(&mut self.wakers));
    }
}

/// Wakes all, also if an executor's waker panics.
fn wake(wakers: Vec<Waker>) {
    wakers.into_iter().for_each(|waker| quietly(|| waker.wake()));
}

/// Ends a flight if its host panicked before ending it, so that no waiter waits for ever.
struct EndIfUnwound<'a, T: Kind + 'static>(&'a Flight<T>);

impl<T: Kind + 'static> Drop for EndIfUnwound<'_, T> {
    fn drop(&mut self) {
        let ended = matches!(self.0.lock().stage, Stage::Ended(_));
        if !ended {
            drop(self.0.end(Some(T::panicked("the cache itself panicked"))));
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Waits for a flight. Gives `None` if its outcome is not for this waiter, which must then call again.
pub(crate) struct Waiter<T: Kind + 'static, H: Host<T>> {
    pub(crate) host: H,
    pub(crate) flight: Arc<Flight<T>>,
    pub(crate) seat: usize,
}

impl<T: Kind + 'static, H: Host<T>> Future for Waiter<T, H> {
    type Output = Option<T::Outcome>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.flight.poll(&self.host, self.seat, cx)
    }
}

impl<T: Kind + 'static, H: Host<T>> Drop for Waiter<T, H> {
    fn drop(&mut self) {
        self.flight.leave(&self.host, self.seat);
    }
}

#[cfg(test)]
mod tests;
