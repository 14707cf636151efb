//! Checks of every reader: the order of time, the start of the clock, sizes above zero.

use super::fault::RequestFault;
use super::odd_values::{OddSizes, one_time};
use crate::error::TraceError;
use forebay_core::{Clock, Request};

/// A request as its format states it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    /// The time in ticks since any start.
    pub(crate) time: u64,
    pub(crate) key: u64,
    /// The size in bytes; 1 if the format has none.
    pub(crate) size: u64,
}

/// Checks arrivals in the order of the trace.
#[derive(Debug)]
pub(crate) struct Intake {
    clock: Clock,
    start: u64,
    last: u64,
    taken: u64,
    without_size: u64,
    odd_sizes: OddSizes,
}

impl Intake {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, start: 0, last: 0, taken: 0, without_size: 0, odd_sizes: OddSizes::default() }
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the request, if it may follow the previous one.
    #[inline]
    pub(crate) fn take(&mut self, arrival: Arrival) -> Result<Request, RequestFault> {
        let Arrival { time, key, size } = arrival;
        if self.taken == 0 {
            self.start = if self.clock == Clock::Slots { 0 } else { time };
        } else if time < self.last {
            return Err(RequestFault::Earlier);
        } else if time == self.last && self.clock == Clock::Slots {
            return Err(RequestFault::SlotTaken);
        }
        self.last = time;
        self.taken += 1;
        self.without_size += u64::from(size == 0);
        self.odd_sizes.look(size);
        Ok(Request { time: time - self.start, key, size: size.max(1) })
    }

    /// Checks the trace at its end.
    pub(crate) fn finish(&self) -> Result<(), TraceError> {
        if self.taken == 0 {
            return Err(TraceError::File("the trace has no requests".to_owned()));
        }
        Ok(())
    }

    pub(crate) fn warnings(&self) -> Vec<String> {
        let without_size = match self.without_size {
            0 => None,
            1 => Some("one request has size 0; it is taken as 1 byte".to_owned()),
            several => Some(format!("{several} requests have size 0; they are taken as 1 byte")),
        };
        let one_time = if self.clock == Clock::Slots { None } else { one_time(self.taken, self.start, self.last) };
        without_size.into_iter().chain(one_time).chain(self.odd_sizes.warning(self.taken)).collect()
    }
}
