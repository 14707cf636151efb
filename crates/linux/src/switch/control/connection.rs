//! One client of the control socket: lines in, lines out, both bounded.

use forebay_core::{Duration, Time};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

/// The longest request, without the end of its line: a policy of some ten thousand lines.
pub const MOST_REQUEST_BYTES: usize = 1 << 20;
/// A client that leaves more than this unread is left.
const MOST_UNREAD_BYTES: usize = 16 << 20;
/// A client that ends no request and takes no answer for longer than this is left.
const MOST_IDLE: Duration = Duration::from_ms(10_000);

/// A client.
pub(super) struct Connection {
    /// One more than that of the client before.
    pub(super) number: u64,
    /// Its request is not answered yet; the next one is read then.
    pub(super) waits: bool,
    pub(super) stream: UnixStream,
    input: Vec<u8>,
    /// Where no end of a line was found yet.
    searched: usize,
    output: Vec<u8>,
    /// Nothing more is read.
    is_ending: bool,
    is_broken: bool,
    is_answered: bool,
    /// When a request was last ended, or the last byte of an answer taken. Bytes alone do not count: a client could send one a second.
    last: Time,
}

impl Connection {
    /// A client whose stream does not block.
    pub(super) fn new(stream: UnixStream, number: u64, now: Time) -> Self {
        let (input, output) = (Vec::new(), Vec::new());
        let (is_ending, is_broken, is_answered) = (false, false, false);
        Self { number, waits: false, stream, input, searched: 0, output, is_ending, is_broken, is_answered, last: now }
    }

    /// Reads what has come, up to a limit a call.
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

    /// The next line that is whole.
    pub(super) fn next_line(&mut self) -> Option<Vec<u8>> {
        let Some(end) = memchr::memchr(b'\n', &self.input[self.searched..]) else {
            self.searched = self.input.len();
            return None;
        };
        let line = self.input.drain(..=self.searched + end).collect();
        self.searched = 0;
        Some(line)
    }

    /// Whether a whole line is there.
    pub(super) fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.input[self.searched..]).is_some()
    }

    /// Whether its next line is too long, be it whole or only begun.
    pub(super) fn is_too_long(&self) -> bool {
        let line = self.input.get(..=MOST_REQUEST_BYTES);
        line.is_some_and(|line| memchr::memchr(b'\n', line).is_none())
    }

    /// Whether it has got an answer, which it may not have taken.
    pub(super) fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// How long it has ended no request and taken no answer.
    pub(super) fn silent_for(&self, now: Time) -> Duration {
        now.since(self.last)
    }

    /// Whether it has been silent for too long.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        !self.waits && self.silent_for(now) > MOST_IDLE
    }

    /// Nothing more is read from it.
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

    /// Writes what the client takes.
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

    /// Whether something is left to write.
    pub(super) fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Whether there is nothing left to do for it.
    pub(super) fn is_over(&self) -> bool {
        self.is_broken || self.is_ending && !self.waits && self.output.is_empty() && !self.has_line()
    }
}
