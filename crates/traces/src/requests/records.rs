//! Formats with records of a fixed number of bytes.

use super::fault::RequestFault;
use super::order::Window;
use super::reader_checks::{Arrival, Intake};
use super::{Facts, Measured, RequestReader};
use crate::error::TraceError;
use crate::unpack::read_error;
use forebay_core::Request;
use std::fmt::Display;
use std::io::Read;

/// Records that are read at once.
const BUFFER_RECORDS: usize = 1 << 14;

/// The meaning of records of `BYTES` bytes.
pub(crate) trait RecordFormat<const BYTES: usize>: Send {
    /// Whether each record is one request, and they are in order of time.
    const IS_PLAIN: bool;

    /// The request of a record; records are counted from 0. [`None`]: it is none, or [`more`](Self::more) gives its requests.
    fn arrival(&mut self, record: &[u8; BYTES], number: u64) -> Result<Option<Arrival>, RequestFault>;

    /// The next request of the last record, if it is more than one.
    fn more(&mut self) -> Option<Arrival> {
        None
    }

    /// At the end of the trace.
    fn finish(&self) -> Result<(), TraceError> {
        Ok(())
    }

    /// Warnings for people.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the measured times of fetches, if records have them.
    fn measured(&mut self) -> Option<&mut Measured> {
        None
    }
}

impl<const BYTES: usize, F: Fn(&[u8; BYTES], u64) -> Arrival + Send> RecordFormat<BYTES> for F {
    const IS_PLAIN: bool = true;

    #[inline]
    fn arrival(&mut self, record: &[u8; BYTES], number: u64) -> Result<Option<Arrival>, RequestFault> {
        Ok(Some(self(record, number)))
    }
}

/// Reads a trace of records of `BYTES` bytes.
pub(crate) struct RecordReader<const BYTES: usize, F> {
    format: F,
    facts: Facts,
    intake: Intake,
    window: Window,
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The start of the bytes in the buffer that have been read and not returned.
    start: usize,
    end: usize,
    /// Bytes before the first record.
    header: u64,
    /// The number of records returned so far.
    records: u64,
}

impl<const BYTES: usize, F: RecordFormat<BYTES>> RecordReader<BYTES, F> {
    pub(crate) fn new(input: Box<dyn Read + Send>, facts: Facts, format: F) -> Self {
        let buffer = vec![0; BUFFER_RECORDS * BYTES];
        let (intake, window) = (Intake::new(facts.clock), Window::new(0));
        Self { format, facts, intake, window, input, buffer, start: 0, end: 0, header: 0, records: 0 }
    }

    /// Returns the reader with requests sorted within a window of `window` requests.
    pub(crate) fn sorted(self, window: usize) -> Self {
        Self { window: Window::new(window), ..self }
    }

    /// Returns the reader for records after a header of `header` bytes, which has already been read.
    pub(crate) fn after(self, header: u64) -> Self {
        Self { header, ..self }
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

    /// Whether a record is there; [`None`] at the end.
    fn has_record(&mut self) -> Result<Option<()>, TraceError> {
        while self.end - self.start < BYTES {
            if self.read_more()? == 0 {
                return match self.end - self.start {
                    0 => Ok(None),
                    rest => Err(self.error(&format!(
                        "the last record has only {rest} of {BYTES} bytes; the file is cut off, or is not {}",
                        self.facts.format
                    ))),
                };
            }
        }
        Ok(Some(()))
    }

    /// An error at the next record.
    fn error(&self, message: &dyn Display) -> TraceError {
        let (record, offset) = (self.records + 1, self.header + self.records * BYTES as u64);
        TraceError::File(format!("request {record} (byte {offset}): {message}"))
    }

    /// The next request in the order of the file.
    fn next(&mut self) -> Result<Option<Arrival>, TraceError> {
        loop {
            if let Some(arrival) = self.format.more() {
                return Ok(Some(arrival));
            }
            if self.has_record()?.is_none() {
                return Ok(None);
            }
            let Some(record) = self.buffer[self.start..self.end].first_chunk() else { return Ok(None) };
            let arrival = self.format.arrival(record, self.records).map_err(|fault| self.error(&fault))?;
            self.start += BYTES;
            self.records += 1;
            if arrival.is_some() {
                return Ok(arrival);
            }
        }
    }

    /// The next request in order of time.
    fn in_order(&mut self) -> Result<Option<Arrival>, TraceError> {
        while !self.window.is_full() {
            match self.next()? {
                Some(arrival) if self.window.sorts() => {
                    self.window.push(arrival).map_err(|fault| self.error(&fault))?;
                }
                Some(arrival) => return Ok(Some(arrival)),
                None => break,
            }
        }
        Ok(self.window.pop())
    }

    /// Requests one after the other.
    fn fill_singly(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            let Some(arrival) = self.in_order()? else {
                self.format.finish()?;
                self.intake.finish()?;
                return Ok(false);
            };
            chunk.push(self.intake.take(arrival).map_err(|fault| self.error(&fault))?);
        }
        Ok(true)
    }

    /// Requests of records of which each is one.
    fn fill_plainly(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        let mut wanted = limit;
        while wanted > 0 {
            if self.has_record()?.is_none() {
                self.format.finish()?;
                self.intake.finish()?;
                return Ok(false);
            }
            let (records, _) = self.buffer[self.start..self.end].as_chunks::<BYTES>();
            let records = &records[..records.len().min(wanted)];
            chunk.reserve(records.len());
            let mut refused = None;
            for record in records {
                let taken = match self.format.arrival(record, self.records) {
                    Ok(Some(arrival)) => self.intake.take(arrival),
                    Ok(None) => {
                        self.records += 1;
                        continue;
                    }
                    Err(fault) => Err(fault),
                };
                match taken {
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
}

impl<const BYTES: usize, F: RecordFormat<BYTES>> RequestReader for RecordReader<BYTES, F> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        if F::IS_PLAIN { self.fill_plainly(chunk, limit) } else { self.fill_singly(chunk, limit) }
    }

    fn warnings(&self) -> Vec<String> {
        let (intake, window) = (self.intake.warnings(), self.window.warning());
        intake.into_iter().chain(window).chain(self.format.warnings()).collect()
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        self.format.measured()
    }
}
