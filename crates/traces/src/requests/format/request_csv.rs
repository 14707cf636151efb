//! forebay's own CSV: `time_ns,key,size_bytes` or `slot,key`; it keeps all parts of a trace.

use super::{Arrival, FormatEntry, Kept, WriterEntry, about};
use crate::TraceError;
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, key, shown};
use crate::requests::lines::LineFormat;
use crate::requests::lines::LineReader;
use crate::requests::request_writer::RequestWriter;
use crate::requests::{Facts, RequestReader};
use crate::unpack::without_mark;
use forebay_core::{Clock, Request};
use std::io::{Read, Write};

const NAME: &str = "request-csv";
/// The first lines that there are.
const HEADERS: [(&str, Clock, bool); 4] = [
    ("time_ns,key,size_bytes", Clock::Nanoseconds, true),
    ("time_ns,key", Clock::Nanoseconds, false),
    ("slot,key,size_bytes", Clock::Slots, true),
    ("slot,key", Clock::Slots, false),
];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "forebay's own: first line `time_ns,key,size_bytes` or `slot,key`, sizes in either or not; keeps everything",
        "ours",
        &[],
    ),
    also_known_as: &[],
    endings: &["csv"],
    recognise: |start| start.line().is_some_and(|line| header(line).is_some()).into(),
    open,
    writer: Some(WriterEntry {
        slots: Kept::Exactly,
        nanoseconds: Kept::Exactly,
        sizes: true,
        open: |facts| Box::new(Writer { facts, begun: false }),
    }),
};

fn header(line: &[u8]) -> Option<(Clock, bool)> {
    let found = HEADERS.iter().find(|(header, ..)| header.as_bytes() == line.trim_ascii());
    found.map(|&(_, clock, sizes)| (clock, sizes))
}

fn open(mut input: Box<dyn Read + Send>, _: &forebay_core::Params) -> Result<Box<dyn RequestReader>, TraceError> {
    // What a tick is must be known before the first request, so the first line is read here.
    let mut line = Vec::new();
    // With a byte order mark and either line end.
    let longest = HEADERS[0].0.len() as u64 + 5;
    let mut byte = [0];
    while line.len() as u64 <= longest
        && input.read(&mut byte).map_err(crate::unpack::read_error)? == 1
        && byte != *b"\n"
    {
        line.push(byte[0]);
    }
    let line = without_mark(&line);
    let Some((clock, sizes)) = header(line) else {
        let known = HEADERS.map(|(header, ..)| header).join("` or `");
        return Err(TraceError::at(1, format!("the first line must be `{known}`, not `{}`", shown(line))));
    };
    // So that lines count from the first one.
    let input = Box::new(Read::chain(&b"\n"[..], input));
    Ok(Box::new(LineReader::new(input, Facts { format: NAME, clock, sizes }, RequestCsv { clock, sizes })))
}

struct RequestCsv {
    clock: Clock,
    sizes: bool,
}

impl LineFormat for RequestCsv {
    fn arrival(&mut self, line: &[u8], _: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.is_empty() {
            return Ok(None);
        }
        let mut fields = line.splitn(if self.sizes { 3 } else { 2 }, |&byte| byte == b',').map(<[u8]>::trim_ascii);
        let (time, object) = (fields.next().unwrap_or_default(), fields.next());
        let what = if self.clock == Clock::Slots { "slot" } else { "time_ns" };
        let number = |text: &[u8], what: &str| {
            digits(text).ok_or_else(|| RequestFault::NoNumber {
                field: format!("`{what}`"),
                wanted: "a whole number, zero or above",
                found: shown(text),
            })
        };
        let time = number(time, what)?;
        let Some(object) = object else { return Err(RequestFault::NoKey) };
        let size = if self.sizes {
            number(fields.next().ok_or(RequestFault::NoColumn("size_bytes"))?, "size_bytes")?
        } else {
            1
        };
        if memchr::memchr(b',', object).is_some() {
            return Err(RequestFault::TooManyColumns);
        }
        Ok(Some(Arrival { time, key: key(object)?, size }))
    }
}

struct Writer {
    facts: Facts,
    begun: bool,
}

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        let Facts { clock, sizes, .. } = self.facts;
        if !self.begun {
            let found = HEADERS.iter().find(|&&(_, of_clock, of_sizes)| (of_clock, of_sizes) == (clock, sizes));
            writeln!(out, "{}", found.map_or("", |(header, ..)| header))?;
            self.begun = true;
        }
        for Request { time, key, size } in requests {
            if sizes {
                writeln!(out, "{time},{key},{size}")?;
            } else {
                writeln!(out, "{time},{key}")?;
            }
        }
        Ok(())
    }
}
