//! Formats with one request per line.

use super::fault::RequestFault;
use super::order::Window;
use super::reader_checks::{Arrival, Intake};
use super::{Facts, Lifetimes, Measured, RequestReader};
use crate::error::TraceError;
use crate::unpack::{read_error, without_mark};
use forebay_core::{Clock, Request};
use memchr::memchr;
use std::io::Read;

/// Read at once.
const BUFFER_BYTES: usize = 1 << 17;
/// The maximum length of a line in most formats; longer lines are not lines of a trace.
pub(super) const MAX_LINE_BYTES: usize = 1 << 16;

/// The message about a text that [`has_returns_alone`].
pub(super) const RETURNS_ALONE: &str =
    "lines end with carriage returns alone; convert them to line feeds: tr '\\r' '\\n' < IN > OUT";

/// Returns whether lines end with carriage returns, without line feeds.
pub(super) fn has_returns_alone(text: &[u8]) -> bool {
    memchr(b'\n', text).is_none() && memchr(b'\r', text).is_some_and(|place| place + 1 < text.len())
}

/// The meaning of the lines of a format.
pub(crate) trait LineFormat: Send {
    /// The request in a line, `None` if it has none; `number` counts lines from 1.
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault>;

    /// The next request of the line that was given last, if a line may have several.
    #[inline]
    fn more(&mut self) -> Option<Arrival> {
        None
    }

    /// Returns an error at the end of the trace if it cannot be used, with the line that shows it.
    fn finish(&self) -> Result<(), TraceError> {
        Ok(())
    }

    /// Returns warnings about the lines so far.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the measured times of fetches, if lines have them.
    fn measured(&mut self) -> Option<&mut Measured> {
        None
    }

    /// Returns the lifetimes of objects, if lines state them.
    fn lifetimes(&mut self) -> Option<&mut Lifetimes> {
        None
    }
}

/// Returns the words between spaces and tabs.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty())
}

/// Reads a trace line by line.
pub(crate) struct LineReader<F> {
    format: F,
    name: &'static str,
    sizes: bool,
    intake: Intake,
    lines: Lines,
    window: Window,
    /// Whether all lines have been read.
    at_end: bool,
}

impl<F: LineFormat> LineReader<F> {
    pub(crate) fn new(input: Box<dyn Read + Send>, facts: Facts, format: F) -> Self {
        Self::sorted(Lines::new(input, MAX_LINE_BYTES), facts, format, 0)
    }

    /// Reads lines that have been begun, and sorts the requests within a window of `window` requests.
    pub(super) fn sorted(lines: Lines, facts: Facts, format: F, window: usize) -> Self {
        let Facts { format: name, clock, sizes } = facts;
        Self { format, name, sizes, intake: Intake::new(clock), lines, window: Window::new(window), at_end: false }
    }

    /// The next request as the lines have it.
    #[inline]
    fn arrival(&mut self) -> Result<Option<Arrival>, TraceError> {
        if let Some(arrival) = self.format.more() {
            return Ok(Some(arrival));
        }
        while let Some((number, line)) = self.lines.next_line()? {
            match self.format.arrival(line, number) {
                Ok(None) => {}
                Ok(arrival) => return Ok(arrival),
                Err(fault) => return Err(TraceError::at(number, fault)),
            }
        }
        self.at_end = true;
        self.format.finish()?;
        Ok(None)
    }

    /// The next request in order of time.
    #[inline]
    fn in_order(&mut self) -> Result<Option<Arrival>, TraceError> {
        if !self.window.sorts() {
            return self.arrival();
        }
        while !self.at_end && !self.window.is_full() {
            if let Some(arrival) = self.arrival()? {
                self.window.push(arrival).map_err(|fault| TraceError::at(self.lines.number, fault))?;
            }
        }
        Ok(self.window.pop())
    }
}

impl<F: LineFormat> RequestReader for LineReader<F> {
    fn facts(&self) -> Facts {
        Facts { format: self.name, clock: self.intake.clock(), sizes: self.sizes }
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            let Some(arrival) = self.in_order()? else {
                self.intake.finish()?;
                return Ok(false);
            };
            let request = self.intake.take(arrival);
            chunk.push(request.map_err(|fault| TraceError::at(self.lines.number, fault))?);
        }
        Ok(true)
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.intake.warnings();
        warnings.extend(self.window.warning());
        warnings.extend(self.format.warnings());
        if self.lines.is_unfinished() {
            let why = "the last line has no end; if the file was cut off, its last request is wrong";
            warnings.push(why.to_owned());
        }
        warnings
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        self.format.measured()
    }

    fn lifetimes(&mut self) -> Option<&mut Lifetimes> {
        self.format.lifetimes()
    }
}

/// The lines of an input, with either kind of line ending.
pub(super) struct Lines {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// A longer line is rejected.
    most: usize,
    /// The start of the bytes in the buffer that have been read and not returned.
    start: usize,
    end: usize,
    number: u64,
    at_end: bool,
    unfinished: bool,
    cuts_long_lines: bool,
}

impl Lines {
    /// Creates a reader of lines of at most `most` bytes.
    pub(super) fn new(input: Box<dyn Read + Send>, most: usize) -> Self {
        let buffer = vec![0; BUFFER_BYTES];
        let cuts_long_lines = false;
        Self { input, buffer, most, start: 0, end: 0, number: 0, at_end: false, unfinished: false, cuts_long_lines }
    }

    /// Returns the beginning of a line that is too long, and skips its rest.
    pub(super) fn cut_long_lines(mut self) -> Self {
        self.cuts_long_lines = true;
        self
    }

    /// Returns the first line without consuming it: it is also the next line.
    pub(super) fn first(&mut self) -> Result<Option<Vec<u8>>, TraceError> {
        let first = self.next_line()?.map(|(_, line)| line.to_vec());
        (self.start, self.number, self.unfinished) = (0, 0, false);
        Ok(first)
    }

    /// Returns the number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether the last line, which has been read, had no line ending.
    pub(super) fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    #[inline]
    pub(super) fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, TraceError> {
        let mut searched = 0;
        let length = loop {
            let rest = &self.buffer[self.start..self.end];
            if let Some(length) = memchr(b'\n', &rest[searched..]) {
                break searched + length;
            }
            searched = rest.len();
            if searched > self.most {
                if self.cuts_long_lines {
                    return self.cut_line().map(Some);
                }
                self.expect_line_feeds(rest)?;
                let message = format!("this line is longer than {} bytes; is this a text file?", self.most);
                return Err(TraceError::at(self.number + 1, message));
            }
            if self.at_end {
                if searched == 0 {
                    return Ok(None);
                }
                self.expect_line_feeds(rest)?;
                self.unfinished = true;
                break searched;
            }
            self.read_more()?;
        };
        let line = &self.buffer[self.start..self.start + length];
        // At the end there may be no line end to skip.
        self.start = (self.start + length + 1).min(self.end);
        self.number += 1;
        let line = if self.number == 1 { without_mark(line) } else { line };
        Ok(Some((self.number, line.strip_suffix(b"\r").unwrap_or(line))))
    }

    /// Rejects a file whose first line does not end.
    #[cold]
    fn expect_line_feeds(&self, text: &[u8]) -> Result<(), TraceError> {
        if self.number == 0 && has_returns_alone(text) { Err(TraceError::at(1, RETURNS_ALONE)) } else { Ok(()) }
    }

    /// The beginning of a line that is too long; the next line is the one behind its end.
    #[cold]
    fn cut_line(&mut self) -> Result<(u64, &[u8]), TraceError> {
        loop {
            let kept = self.start + self.most;
            if let Some(length) = memchr(b'\n', &self.buffer[kept..self.end]) {
                let line = self.start..kept;
                self.start = kept + length + 1;
                self.number += 1;
                return Ok((self.number, &self.buffer[line]));
            }
            self.end = kept;
            if self.at_end {
                let line = self.start..kept;
                self.start = kept;
                self.number += 1;
                self.unfinished = true;
                return Ok((self.number, &self.buffer[line]));
            }
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> Result<(), TraceError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            // A line is longer than the buffer, but no longer than it may be.
            self.buffer.resize(2 * self.end, 0);
        }
        let read = loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(read_error)?,
            }
        };
        self.end += read;
        self.at_end = read == 0;
        Ok(())
    }
}

/// Returns the facts of a trace whose lines are slots.
pub(crate) fn slots(format: &'static str) -> Facts {
    Facts { format, clock: Clock::Slots, sizes: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_whatever_their_ends_and_the_pieces_they_come_in() {
        struct OneByte(&'static [u8]);
        impl Read for OneByte {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let Some((&first, rest)) = self.0.split_first() else { return Ok(0) };
                (buffer[0], self.0) = (first, rest);
                Ok(1)
            }
        }
        let mut lines = Lines::new(Box::new(OneByte(b"\xef\xbb\xbfa\r\n\nbc\n\r\nd")), MAX_LINE_BYTES);
        assert_eq!(lines.first().unwrap().as_deref(), Some(&b"a"[..]));
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next_line().unwrap() {
            all.push((number, String::from_utf8(line.to_vec()).unwrap()));
        }
        let expected = [(1, "a"), (2, ""), (3, "bc"), (4, ""), (5, "d")];
        assert_eq!(all, expected.map(|(number, line)| (number, line.to_owned())));
        assert!(lines.is_unfinished());
    }

    #[test]
    fn long_lines_are_cut_if_asked_for() {
        for (more, ends) in [(70_000, true), (1_000_000, true), (1_000_000, false)] {
            let long = "x".repeat(MAX_LINE_BYTES + more);
            let text = format!("a\n{long}{}", if ends { "\nb\n" } else { "" });
            let mut lines = Lines::new(Box::new(std::io::Cursor::new(text)), MAX_LINE_BYTES).cut_long_lines();
            let mut all = Vec::new();
            while let Some((number, line)) = lines.next_line().unwrap() {
                all.push((number, line.len(), line[0]));
            }
            let expected = [(1, 1, b'a'), (2, MAX_LINE_BYTES, b'x'), (3, 1, b'b')];
            assert_eq!(all, expected[..if ends { 3 } else { 2 }], "{more} {ends}");
            assert_eq!(lines.is_unfinished(), !ends);
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        for most in [MAX_LINE_BYTES, 1 << 20] {
            let mut lines = Lines::new(Box::new(std::io::repeat(b'x')), most);
            assert!(matches!(lines.next_line(), Err(TraceError::Line { line: 1, .. })));
            assert!(lines.buffer.len() <= 2 * most);
        }
    }
}
