//! Keys of 64 bits, big-endian, one per slot.

use super::{Arrival, FormatEntry, Kept, Likeness, WriterEntry, about};
use crate::TraceError;
use crate::requests::Facts;
use crate::requests::records::RecordReader;
use crate::requests::request_writer::RequestWriter;
use forebay_core::{Clock, Request};
use std::io::Write;

const NAME: &str = "u64be";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(NAME, "Keys of 64 bits, big-endian, one per slot", "common practice", &[]),
    also_known_as: &[],
    endings: &[NAME],
    // Nothing marks such a file; the name says what it is, or the user.
    recognise: |_| Likeness::No,
    open: |input, _| {
        let facts = Facts { format: NAME, clock: Clock::Slots, sizes: false };
        let arrival = |record: &[u8; 8], slot: u64| Arrival { time: slot, key: u64::from_be_bytes(*record), size: 1 };
        Ok(Box::new(RecordReader::new(input, facts, arrival)))
    },
    writer: Some(WriterEntry {
        slots: Kept::Order,
        nanoseconds: Kept::Order,
        sizes: false,
        open: |_| Box::new(Writer),
    }),
};

struct Writer;

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        Ok(requests.iter().try_for_each(|request| out.write_all(&request.key.to_be_bytes()))?)
    }
}
