//! Big-endian keys of 32 bits, one per slot.

use super::{Arrival, FormatEntry, Kept, Likeness, WriterEntry, about};
use crate::TraceError;
use crate::requests::Facts;
use crate::requests::records::RecordReader;
use crate::requests::request_writer::RequestWriter;
use forebay_core::{Clock, Request};
use std::io::Write;

const NAME: &str = "u32be";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(NAME, "Keys of 32 bits, big-endian, one per slot", "the traces of the cache2k project", &[]),
    also_known_as: &[],
    endings: &["trace", "u32be"],
    // Nothing marks such a file; the name says what it is, or the user.
    recognise: |_| Likeness::No,
    open: |input, _| {
        let facts = Facts { format: NAME, clock: Clock::Slots, sizes: false };
        let arrival =
            |record: &[u8; 4], slot: u64| Arrival { time: slot, key: u32::from_be_bytes(*record).into(), size: 1 };
        Ok(Box::new(RecordReader::new(input, facts, arrival)))
    },
    writer: Some(WriterEntry {
        slots: Kept::Order,
        nanoseconds: Kept::Order,
        sizes: false,
        open: |_| Box::new(Writer { written: 0 }),
    }),
};

struct Writer {
    written: u64,
}

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        for request in requests {
            let key = u32::try_from(request.key).map_err(|_| {
                let (number, key) = (self.written + 1, request.key);
                TraceError::File(format!(
                    "the key {key} of request {number} does not fit into 32 bits; write another format, e.g. request-csv"
                ))
            })?;
            out.write_all(&key.to_be_bytes())?;
            self.written += 1;
        }
        Ok(())
    }
}
