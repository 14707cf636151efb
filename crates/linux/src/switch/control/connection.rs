//! One client of the control socket: it sends lines and gets lines, both of limited length.

use forebay_core::{Duration, Time};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

/// The longest request in bytes, without the end of its line: a policy of some ten thousand lines.
pub const MOST_REQUEST_BYTES: usize = 1 << 20;
/// The most bytes of answers that a client may leave unread before it is disconnected.
const MOST_UNREAD_BYTES: usize = 16 << 20;
/// The time after which a client is disconnected if it completes no request and reads no answer.
const MOST_IDLE: Duration = Duration::from_ms(10_000);

/// A client.
pub(super) struct Connection {
    /// The client's number: one more than that of the previous client.
    pub(super) number: u64,
    /// Whether the current request is unanswered; the next request is read after the answer.
    pub(super) waits: bool,
    pub(super) stream: UnixStream,
    input: Vec<u8>,
    /// The number of bytes that were searched for the end of a line.
    searched: usize,
    output: Vec<u8>,
    /// Whether no more is read from the client.
    is_ending: bool,
    is_broken: bool,
    is_answered: bool,
    /// When the client last completed a request or read the last byte of an answer. Single bytes do not count: a client could send one a
    /// second.
    last: Time,
}

impl Connection {
    /// Creates a client from a stream that does not block.
    pub(super) fn new(stream: UnixStream, number: u64, now: Time) -> Self {
        let (input, output) = (Vec::new(), Vec::new());
        let (is_ending, is_broken, is_answered) = (false, false, false);
        Self { number, waits: false, stream, input, searched: 0, output, is_ending, is_broken, is_answered, last: now }
    }

    /// Reads the bytes that have arrived, up to a limit for each call.
    pub(super) fn read(&mut self, now: Time) {
        let mut chunk = [0; 65_536];
        for _ in 0..16 {
            if self.is_ending || self.waits || self.has_line() {
                return;
            }
            match self.stream.read(&mut chunk) {
                Ok(0) => self.is_ending = true,
                Ok(bytes) => {
                    self.input.extend_from_slice(&chunk[..bytes]);
                    if self.has_line() {
                        self.last = now;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.is_broken = true;
                    return;
                }
            }
        }
    }

    /// Returns the next complete line.
    pub(super) fn next_line(&mut self) -> Option<Vec<u8>> {
        let Some(end) = memchr::memchr(b'\n', &self.input[self.searched..]) else {
            self.searched = self.input.len();
            return None;
        };
        let line = self.input.drain(..=self.searched + end).collect();
        self.searched = 0;
        Some(line)
    }

    /// Whether a complete line has arrived.
    pub(super) fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.input[self.searched..]).is_some()
    }

    /// Whether the next line is too long, whether or not it is complete.
    pub(super) fn is_too_long(&self) -> bool {
        let line = self.input.get(..=MOST_REQUEST_BYTES);
        line.is_some_and(|line| memchr::memchr(b'\n', line).is_none())
    }

    /// Whether the client was sent an answer, which it may not have read.
    pub(super) fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// Returns the time since the client last completed a request or read an answer.
    pub(super) fn silent_for(&self, now: Time) -> Duration {
        now.since(self.last)
    }

    /// Whether the client has been silent for too long.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        !self.waits && self.silent_for(now) > MOST_IDLE
    }

    /// Stops reading from the client.
    pub(super) fn end(&mut self) {
        self.is_ending = true;
        self.input.clear();
        self.searched = 0;
    }

    /// Adds an answer.
    pub(super) fn answer(&mut self, answer: &[u8]) {
        self.output.extend_from_slice(answer);
        self.output.push(b'\n');
        self.is_answered = true;
        self.is_broken |= self.output.len() > MOST_UNREAD_BYTES;
    }

    /// Writes as many bytes as the client accepts.
    pub(super) fn write(&mut self, now: Time) {
        while !self.output.is_empty() && !self.is_broken {
            match self.stream.write(&self.output) {
                Ok(0) => self.is_broken = true,
                Ok(bytes) => {
                    self.output.drain(..bytes);
                    if self.output.is_empty() {
                        self.last = now;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.is_broken = true,
            }
        }
    }

    /// Whether bytes are left to write.
    pub(super) fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Whether no work is left for the client.
    pub(super) fn is_over(&self) -> bool {
        self.is_broken || self.is_ending && !self.waits && self.output.is_empty() && !self.has_line()
    }
}
