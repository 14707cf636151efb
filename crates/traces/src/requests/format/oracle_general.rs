//! oracleGeneral: the binary traces of libCacheSim, with the time of the next access.

use super::{Arrival, FormatEntry, Kept, Likeness, Start, WriterEntry, about};
use crate::TraceError;
use crate::requests::Facts;
use crate::requests::records::RecordReader;
use crate::requests::request_writer::{RequestWriter, seconds};
use forebay_core::{Clock, Request};
use std::collections::HashMap;
use std::io::Write;

const NAME: &str = "oracle-general";
const BYTES: usize = 24;
const NANOSECONDS: u64 = 1_000_000_000;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "24 bytes per request, little-endian: u32 seconds, u64 object, u32 bytes, i64 index of its next request",
        "libCacheSim's oracleGeneral; the next request is not read, and is -1 for none",
        &[],
    ),
    also_known_as: &["oraclegeneral"],
    endings: &["oraclegeneral", "oraclegeneral.bin"],
    recognise,
    open: |input, _| {
        let facts = Facts { format: NAME, clock: Clock::Nanoseconds, sizes: true };
        Ok(Box::new(RecordReader::new(input, facts, |record: &[u8; BYTES], _: u64| {
            let record = Record::from_bytes(record);
            let time = u64::from(record.seconds) * NANOSECONDS;
            Arrival { time, key: record.object, size: record.bytes.into() }
        })))
    },
    writer: Some(WriterEntry {
        slots: Kept::Seconds,
        nanoseconds: Kept::Seconds,
        sizes: true,
        open: |facts| Box::new(Writer { facts, records: Vec::new(), last: HashMap::new() }),
    }),
};

struct Record {
    seconds: u32,
    object: u64,
    bytes: u32,
    next: i64,
}

impl Record {
    fn from_bytes(bytes: &[u8; BYTES]) -> Self {
        let [a, b, c, d, rest @ ..] = *bytes;
        let [o0, o1, o2, o3, o4, o5, o6, o7, s0, s1, s2, s3, next @ ..] = rest;
        Self {
            seconds: u32::from_le_bytes([a, b, c, d]),
            object: u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]),
            bytes: u32::from_le_bytes([s0, s1, s2, s3]),
            next: i64::from_le_bytes(next),
        }
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        out.write_all(&self.seconds.to_le_bytes())?;
        out.write_all(&self.object.to_le_bytes())?;
        out.write_all(&self.bytes.to_le_bytes())?;
        out.write_all(&self.next.to_le_bytes())
    }
}

/// Checks that time never decreases, and that the next request of an object is later, or absent, and where the records say. A few records
/// could pass by chance: then the next request must also be in the file. Rising keys of 64 bits, read as such records, would all have no
/// size.
fn recognise(start: &Start<'_>) -> Likeness {
    const FEW: usize = 4;
    let (records, _) = start.bytes().as_chunks::<BYTES>();
    let end = if records.len() < FEW { records.len() } else { usize::MAX };
    let mut last = 0;
    let fits = records.iter().zip(0..).all(|(bytes, index)| {
        let record = Record::from_bytes(bytes);
        let fits = record.seconds >= last;
        last = record.seconds;
        let next_is_later = record.next > index && usize::try_from(record.next).is_ok_and(|next| next < end);
        fits && (next_is_later || matches!(record.next, -1 | i64::MAX))
    });
    let sizes = records.iter().any(|bytes| Record::from_bytes(bytes).bytes > 0);
    (fits && sizes && !start.is_text() && next_requests_are_right(records)).into()
}

/// Returns whether the requests that these records name as the next ones are correct, if they are among the records. Requests may be
/// numbered from any number: programs begin with 0 or 1, and a part of a trace keeps the numbers of the whole.
fn next_requests_are_right(records: &[[u8; BYTES]]) -> bool {
    /// No trace has as many requests.
    const MOST: i64 = 1 << 40;
    let (mut later, mut first) = (HashMap::new(), None);
    for (before_end, bytes) in (0_i64..).zip(records.iter().rev()) {
        let Record { object, next, .. } = Record::from_bytes(bytes);
        let is_right = match later.insert(object, -before_end) {
            Some(seen) => *first.get_or_insert(next.wrapping_sub(seen)) == next.wrapping_sub(seen),
            None => matches!(next, -1 | i64::MAX) || next < MOST,
        };
        if !is_right {
            return false;
        }
    }
    true
}

/// Holds the whole trace, since a record states the next request of its object: 24 bytes per request and about 32 per object.
struct Writer {
    facts: Facts,
    records: Vec<Record>,
    /// The last request of each object.
    last: HashMap<u64, usize>,
}

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], _: &mut dyn Write) -> Result<(), TraceError> {
        for request in requests {
            let index = self.records.len();
            let wide = |what: &str| {
                let (number, name) = (index + 1, NAME);
                TraceError::File(format!("the {what} of request {number} does not fit into the 32 bits of {name}"))
            };
            if let Some(before) = self.last.insert(request.key, index) {
                self.records[before].next = i64::try_from(index).expect("fewer than 2^63 requests");
            }
            self.records.push(Record {
                seconds: seconds(request, self.facts.clock).try_into().map_err(|_| wide("time"))?,
                object: request.key,
                bytes: request.size.try_into().map_err(|_| wide("size"))?,
                next: -1,
            });
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<(), TraceError> {
        self.records.iter().try_for_each(|record| record.write(out)).map_err(TraceError::Io)
    }
}
