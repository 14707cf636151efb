//! Input that arrives in pieces, as from a pipe, and what every error must be.

use forebay::scenario::trace_error;
use forebay_traces::TraceError;
use std::io::{self, Read};

/// Reads 1 to 7 bytes at once.
pub(crate) struct Pieces {
    data: Vec<u8>,
    at: usize,
    next: usize,
}

impl Pieces {
    pub(crate) fn new(data: &[u8]) -> Self {
        Self { data: data.to_vec(), at: 0, next: 1 }
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = &self.data[self.at..];
        let bytes = self.next.min(buffer.len()).min(left.len());
        buffer[..bytes].copy_from_slice(&left[..bytes]);
        self.at += bytes;
        self.next = self.next % 7 + 1;
        Ok(bytes)
    }
}

/// Asserts that a message of an error says something, in one line.
pub(crate) fn check_message(message: &str) {
    assert!(!message.trim().is_empty(), "an error without a message");
    assert!(!message.contains('\n'), "an error of several lines: {message:?}");
}

/// What a user sees of an error of a file, in one line.
pub(crate) fn shown(error: TraceError) -> String {
    let shown = trace_error("fuzz", error).to_string();
    check_message(&shown);
    shown
}
