//! Formats with records of so many bytes each.

use super::intake::{Arrival, Intake};
use super::{Facts, RequestReader};
use crate::error::TraceError;
use crate::unpack::read_error;
use forebay_core::Request;
use std::fmt::Display;
use std::io::Read;

/// Records that are read at once.
const BUFFER_RECORDS: usize = 1 << 14;

/// Reads a trace of records of `BYTES` bytes.
pub(crate) struct RecordReader<const BYTES: usize, F> {
    /// The request of a record; records are counted from 0.
    arrival: F,
    facts: Facts,
    intake: Intake,
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// What of the buffer has been read and not given.
    start: usize,
    end: usize,
    /// Given so far.
    records: u64,
}

impl<const BYTES: usize, F: Fn(&[u8; BYTES], u64) -> Arrival> RecordReader<BYTES, F> {
    pub(crate) fn new(input: Box<dyn Read + Send>, facts: Facts, arrival: F) -> Self {
        let buffer = vec![0; BUFFER_RECORDS * BYTES];
        Self { arrival, facts, intake: Intake::new(facts.clock), input, buffer, start: 0, end: 0, records: 0 }
    }

    fn read_more(&mut self) -> Result<usize, TraceError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let read = loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(read_error)?,
            }
        };
        self.end += read;
        Ok(read)
    }

    /// An error at the next record.
    fn error(&self, message: &dyn Display) -> TraceError {
        let (record, offset) = (self.records + 1, self.records * BYTES as u64);
        TraceError::File(format!("request {record} (byte {offset}): {message}"))
    }
}

impl<const BYTES: usize, F: Fn(&[u8; BYTES], u64) -> Arrival + Send> RequestReader for RecordReader<BYTES, F> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        let mut wanted = limit;
        while wanted > 0 {
            let rest = self.end - self.start;
            if rest < BYTES {
                if self.read_more()? > 0 {
                    continue;
                }
                if rest > 0 {
                    return Err(self.error(&format!(
                        "the file ends after {rest} of its {BYTES} bytes; it is cut off, or not {}",
                        self.facts.format
                    )));
                }
                self.intake.finish()?;
                return Ok(false);
            }
            let (records, _) = self.buffer[self.start..self.end].as_chunks::<BYTES>();
            let records = &records[..records.len().min(wanted)];
            chunk.reserve(records.len());
            let mut refused = None;
            for record in records {
                match self.intake.take((self.arrival)(record, self.records)) {
                    Ok(request) => chunk.push(request),
                    Err(fault) => {
                        refused = Some(fault);
                        break;
                    }
                }
                self.records += 1;
            }
            if let Some(fault) = refused {
                return Err(self.error(&fault));
            }
            wanted -= records.len();
            self.start += records.len() * BYTES;
        }
        Ok(true)
    }

    fn warnings(&self) -> Vec<String> {
        self.intake.warnings()
    }
}
