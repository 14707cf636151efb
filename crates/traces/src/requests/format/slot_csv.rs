//! Slot CSV: `timestamp;object`, one line per slot, an empty line for a slot without request.

use super::{Arrival, FormatEntry, Kept, Likeness, Start, WriterEntry, about};
use crate::TraceError;
use crate::requests::columns::lines_fit;
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, key, shown};
use crate::requests::lines::{LineFormat, LineReader, slots};
use crate::requests::request_writer::{EmptyLines, RequestWriter};
use forebay_core::Request;
use memchr::memchr;
use std::io::Write;

const NAME: &str = "slot-csv";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`timestamp;object` per line; the line is the slot, an empty line a slot without request",
        "the traces of the thesis, section 2.6.1; the timestamp is not used",
        &[],
    ),
    also_known_as: &[],
    endings: &[],
    recognise,
    open: |input, _| Ok(Box::new(LineReader::new(input, slots(NAME), SlotCsv))),
    writer: Some(WriterEntry {
        slots: Kept::Exactly,
        nanoseconds: Kept::Order,
        sizes: false,
        open: |facts| Box::new(Writer(EmptyLines::new(facts))),
    }),
};

fn recognise(start: &Start<'_>) -> Likeness {
    let is_like = |line: &[u8]| {
        memchr(b';', line).is_some_and(|at| digits(&line[..at]).is_some() && memchr(b';', &line[at + 1..]).is_none())
    };
    lines_fit(start, is_like).into()
}

struct SlotCsv;

impl LineFormat for SlotCsv {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.is_empty() {
            return Ok(None);
        }
        let wrong = || RequestFault::NotLike { wanted: "be empty or like `timestamp;object`", found: shown(line) };
        let (time, object) = line.split_at(memchr(b';', line).ok_or_else(wrong)?);
        let object = &object[1..];
        if digits(time).is_none() || memchr(b';', object).is_some() {
            return Err(wrong());
        }
        Ok(Some(Arrival { time: number - 1, key: key(object)?, size: 1 }))
    }
}

struct Writer(EmptyLines);

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        for request in requests {
            let slot = self.0.up_to(request, out)?;
            writeln!(out, "{slot};{}", request.key)?;
        }
        Ok(())
    }
}
