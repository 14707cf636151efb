//! A request that waits for its turn.

use crate::estimate::Features;
use crate::surge::Surge;
use crate::task::{Task, Ticket};
use crate::tower::error::SurgeError;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A request that waits, as the scheduler's job.
///
/// Programs need its name only for the types of builders and estimators.
pub struct Waiter(Arc<Seat>);

impl Waiter {
    /// Returns the request's features, as given to the layer.
    #[must_use]
    pub fn features(&self) -> &[u32] {
        &self.0.features
    }
}

struct Seat {
    features: Features,
    state: Mutex<State>,
}

enum State {
    Waiting(Option<Waker>),
    Granted(Ticket<Waiter>),
    Evicted,
    /// The request was dropped, or has received its answer.
    Gone,
}

impl Seat {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the outcome of a request. Returns the outcome if no task waits for the request.
    fn tell(&self, answer: State) -> Option<State> {
        let mut state = self.lock();
        if !matches!(*state, State::Waiting(_)) {
            return Some(answer);
        }
        let before = mem::replace(&mut *state, answer);
        drop(state);
        if let State::Waiting(Some(waker)) = before {
            waker.wake();
        }
        None
    }
}

/// A scheduler of requests with a limit of concurrency.
#[derive(Clone)]
pub(crate) struct Gate {
    pub(crate) surge: Surge<Waiter>,
    pub(crate) most: usize,
}

impl Gate {
    /// Submits a new request, and returns the future of its turn.
    pub(crate) fn submit<E>(&self, profile: super::Profile) -> Result<Turn, SurgeError<E>> {
        let super::Profile { flow, size_bytes, estimate, features } = profile;
        let seat = Arc::new(Seat { features, state: Mutex::new(State::Waiting(None)) });
        let waiter = Waiter(Arc::clone(&seat));
        // If all goes on after a failure below, no task waits in vain.
        let turn = Turn { seat, gate: self.clone() };
        match self.surge.submit(waiter, flow, size_bytes, estimate) {
            Ok(victims) => {
                for victim in victims {
                    drop(victim.0.tell(State::Evicted));
                }
                self.grant();
                Ok(turn)
            }
            Err(refused) => Err(SurgeError::Refused(refused.reason)),
        }
    }

    /// Gives turns to waiting requests while the limit of concurrency allows it.
    pub(crate) fn grant(&self) {
        while let Ok(Task { job, ticket }) = self.surge.try_pull_below(self.most) {
            if let Some(State::Granted(ticket)) = job.0.tell(State::Granted(ticket)) {
                ticket.cancel();
            }
        }
    }
}

/// A future that waits for the turn of a request. Returns `None` if the request was evicted.
pub(crate) struct Turn {
    seat: Arc<Seat>,
    gate: Gate,
}

impl Future for Turn {
    type Output = Option<Ticket<Waiter>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // Before the guard, so that they are dropped after it.
        let waker = cx.waker().clone();
        let _earlier;
        let mut state = self.seat.lock();
        match &mut *state {
            State::Waiting(place) => {
                _earlier = place.replace(waker);
                Poll::Pending
            }
            other => match mem::replace(other, State::Gone) {
                State::Granted(ticket) => Poll::Ready(Some(ticket)),
                _ => Poll::Ready(None),
            },
        }
    }
}

impl Drop for Turn {
    /// The scheduler is not informed: it finds out at the request's turn.
    fn drop(&mut self) {
        let state = mem::replace(&mut *self.seat.lock(), State::Gone);
        if let State::Granted(ticket) = state {
            ticket.cancel();
            self.gate.grant();
        }
    }
}
