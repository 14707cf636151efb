//! Logs of servers, proxies and CDNs: the common part of their formats.
//!
//! A format reads one line and returns its content as an [`Entry`]. The [`LogReader`] does the rest: it selects the lines that are
//! requests, counts the others, restores the order of time, and leaves out the few lines that do not fit.

mod cache_status;
pub(super) mod date;
pub(super) mod json;
mod line_tally;
mod options;
pub(super) mod pattern;
mod reader;
mod request_line;

pub(super) use cache_status::CacheStatus;
pub(super) use options::{COMMON, LogOptions, START, params, start_params};
pub(super) use reader::LogReader;
pub(super) use request_line::{closing_quote, method_and_url};

use super::format::{Likeness, Start};

pub(super) const NS_PER_S: u64 = 1_000_000_000;
pub(super) const NS_PER_MS: u64 = 1_000_000;
pub(super) const NS_PER_US: u64 = 1_000;

/// The reader of one kind of log.
pub(super) trait LogFormat: Send {
    /// Reads a line.
    ///
    /// # Errors
    /// If the line is not of this format.
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit>;

    /// A line of this format, or its pattern, for messages.
    fn example(&self) -> &str;
}

/// The reason why a line is not of a format: the part of the line that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Misfit(pub(super) &'static str);

/// Reads a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// An answer of the server.
    Answer(Entry<'a>),
    /// Something about the log itself, such as the names of its columns.
    Directive,
}

impl<'a> From<Entry<'a>> for Said<'a> {
    fn from(entry: Entry<'a>) -> Self {
        Self::Answer(entry)
    }
}

/// The moment at which the time of a line was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stamp {
    /// The time at which the request began.
    #[default]
    Start,
    /// The time at which the answer had been sent.
    End,
}

/// An answer of a server, as read from its line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The time in nanoseconds since 1970.
    pub(super) time: u64,
    pub(super) stamp: Stamp,
    /// The nanoseconds from the start of the request to the end of the answer.
    pub(super) elapsed: Option<u64>,
    /// The response time of the upstream server, in nanoseconds.
    pub(super) upstream: Option<u64>,
    /// The method; `None` if the log has no methods.
    pub(super) method: Option<&'a [u8]>,
    /// The host, which precedes the URL in the key; empty if the log has no hosts.
    pub(super) host: &'a [u8],
    /// The URL; `None` if the client sent no HTTP, and so requested no object.
    pub(super) url: Option<&'a [u8]>,
    /// Without the `?`; empty where it is part of the URL.
    pub(super) query: &'a [u8],
    pub(super) status: Status,
    pub(super) size: Size,
    /// Empty where the log has none.
    pub(super) cache: CacheStatus,
}

impl Entry<'_> {
    /// How long the fetch took in nanoseconds: what the server behind took, or without that the whole answer; [`None`] of a hit.
    pub(super) fn fetch(&self) -> Option<u64> {
        if self.cache == CacheStatus::Hit { None } else { self.upstream.or(self.elapsed) }
    }
}

/// The status of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Status {
    /// The log has no statuses.
    #[default]
    NotLogged,
    /// There was no answer, because the client went away.
    NoAnswer,
    Code(u16),
}

impl Status {
    /// Reads a status of three digits. `000`, `-` and `-1` mean that there was no answer.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        match text {
            b"000" | b"-" | b"-1" | b"0" => Some(Self::NoAnswer),
            [hundreds @ b'1'..=b'9', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
                let digit = |byte: &u8| u16::from(byte - b'0');
                Some(Self::Code(digit(hundreds) * 100 + digit(tens) * 10 + digit(ones)))
            }
            _ => None,
        }
    }
}

/// The size of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Size {
    /// The log has no sizes; every object has 1 byte.
    #[default]
    NotLogged,
    /// The line has `-` in its place.
    NoBody,
    Bytes(u64),
}

impl Size {
    /// Reads a number of bytes, or `-`.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        if text == b"-" { Some(Self::NoBody) } else { super::key::whole(text).map(Self::Bytes) }
    }
}

/// The number of lines at the start of a log of which one must be of its format.
const FIRST_LINES: usize = 32;

/// Returns whether at least half of the first lines are of a format. A log has other lines too: about its rotation, or from other programs
/// that write to the same file.
pub(super) fn recognise<'a>(start: &Start<'a>, is_like: impl FnMut(&'a [u8]) -> bool) -> Likeness {
    start.counted(FIRST_LINES, is_like).is_some_and(|(all, like)| like * 2 >= all).into()
}
