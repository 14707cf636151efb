//! The interface of a writer of request traces, and the common part of several formats.

use super::Facts;
use crate::error::TraceError;
use forebay_core::{Clock, Request};
use std::io::Write;

/// More slots without a request than this are no trace, but a damaged time.
const MAX_EMPTY_SLOTS: u64 = 1 << 28;
pub(crate) const NANOSECONDS: u64 = 1_000_000_000;

/// Writes requests in one format.
pub trait RequestWriter {
    /// Writes the next requests.
    ///
    /// # Errors
    /// If the format has no place for one, or writing fails.
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError>;

    /// Writes the parts that can only be written at the end.
    ///
    /// # Errors
    /// If writing fails.
    fn finish(&mut self, _out: &mut dyn Write) -> Result<(), TraceError> {
        Ok(())
    }
}

/// Returns the time of a request in formats with seconds; a slot counts as one second.
pub(crate) fn seconds(request: &Request, clock: Clock) -> u64 {
    match clock {
        Clock::Slots => request.time,
        Clock::Nanoseconds => request.time / NANOSECONDS,
    }
}

/// The empty lines of formats in which a line is a slot.
pub(crate) struct EmptyLines {
    clock: Clock,
    next: u64,
}

impl EmptyLines {
    pub(crate) fn new(facts: Facts) -> Self {
        Self { clock: facts.clock, next: 0 }
    }

    /// Writes the empty lines before a request, and returns the slot of its line.
    pub(crate) fn up_to(&mut self, request: &Request, out: &mut dyn Write) -> Result<u64, TraceError> {
        let slot = if self.clock == Clock::Slots { request.time } else { self.next };
        let empty = slot.saturating_sub(self.next);
        if empty > MAX_EMPTY_SLOTS {
            return Err(TraceError::File(format!(
                "there are {empty} slots without request before slot {slot}, each an empty line; write request-csv instead"
            )));
        }
        for _ in 0..empty {
            out.write_all(b"\n")?;
        }
        self.next = slot + 1;
        Ok(slot)
    }
}
