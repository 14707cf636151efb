//! A request that is with the inner service.

use crate::measure::Stamp;
use crate::task::Ticket;
use crate::tower::waiting_request::{Gate, Waiter};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// The turn of a request. When it is dropped, the next request gets its turn.
pub(crate) struct Running {
    gate: Gate,
    ticket: Option<Ticket<Waiter>>,
    spent: Duration,
    /// The time at which the current poll of the inner future began.
    polled: Option<Stamp>,
}

impl Running {
    pub(crate) fn new(gate: Gate, ticket: Ticket<Waiter>) -> Self {
        Self { gate, ticket: Some(ticket), spent: Duration::ZERO, polled: None }
    }

    /// Awaits the inner service, and measures its polls.
    pub(crate) fn measure<F: Future>(&mut self, future: F) -> Measured<'_, F> {
        Measured { running: self, future: Box::pin(future) }
    }

    /// Ends a request that has its response. Its cost is `cost` if given, otherwise the measured cost.
    pub(crate) fn finish(mut self, cost: Option<Duration>) {
        if let Some(ticket) = self.ticket.take() {
            ticket.finish_with(cost.unwrap_or(self.spent));
        }
    }

    fn begin_poll(&mut self) {
        self.polled = self.ticket.as_ref().map(Ticket::stamp);
    }

    fn end_poll(&mut self) {
        if let (Some(polled), Some(ticket)) = (self.polled.take(), &self.ticket) {
            self.spent = self.spent.saturating_add(ticket.since(&polled));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end_poll();
        if let Some(ticket) = self.ticket.take() {
            ticket.give_up(self.spent);
        }
        self.gate.grant();
    }
}

/// A future whose polls are measured.
pub(crate) struct Measured<'a, F> {
    running: &'a mut Running,
    future: Pin<Box<F>>,
}

impl<F: Future> Future for Measured<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.running.begin_poll();
        let polled = self.future.as_mut().poll(cx);
        self.running.end_poll();
        polled
    }
}
