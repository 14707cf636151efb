//! lcs: the binary traces of libCacheSim with a header.

use super::{Arrival, FormatEntry, Likeness, Opened, Start, about};
use crate::TraceError;
use crate::requests::fault::RequestFault;
use crate::requests::records::{RecordFormat, RecordReader};
use crate::requests::{Facts, RequestReader};
use crate::unpack::read_error;
use forebay_core::{Clock, ParamSpec, Params};
use std::io::{ErrorKind, Read};

const NAME: &str = "lcs";
const MAGIC: u64 = 0x1234_5678_9abc_def0;
/// The bytes of a header: of the first generation, which has a unit of time, and of the second.
const HEADERS: [usize; 2] = [1_024, 8_192];
/// The offsets in the header of the number of requests, and of the number of the time unit.
const REQUESTS_AT: usize = 24;
const UNIT_AT: usize = 124;
const UNITS: [u64; 5] = [1_000_000_000, 1_000_000_000, 1_000_000, 1_000, 1];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A header of 1,024 or 8,192 bytes, then 24 to 100 bytes per request, little-endian, by the version in the header",
        "libCacheSim's lcs, versions 1 to 8; time to live, tenant, features and the next request are not read",
        &[ParamSpec::choice(
            "operations",
            &["all", "reads"],
            "all",
            "which records are requests, from version 2 on: all, or those that get or read an object or say nothing",
        )],
    ),
    also_known_as: &["libcachesim"],
    endings: &["lcs"],
    recognise,
    open,
    writer: None,
};

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn recognise(start: &Start<'_>) -> Likeness {
    (u64_at(start.bytes(), 0) == MAGIC).into()
}

/// The contents of the header.
struct Header {
    version: u64,
    requests: u64,
    /// The length of a unit of time.
    nanoseconds: u64,
    bytes: u64,
}

impl Header {
    fn read(input: &mut dyn Read) -> Result<Self, TraceError> {
        let mut bytes = vec![0; HEADERS[0]];
        read_exact(input, &mut bytes)?;
        let is_first = u64_at(&bytes, HEADERS[0] - 8) == MAGIC;
        if !is_first {
            bytes.resize(HEADERS[1], 0);
            read_exact(input, &mut bytes[HEADERS[0]..])?;
        }
        if u64_at(&bytes, 0) != MAGIC || u64_at(&bytes, bytes.len() - 8) != MAGIC {
            let what =
                "the header does not begin and end with the mark of lcs; it is damaged, or of a later generation";
            return Err(TraceError::File(what.to_owned()));
        }
        let unit = if is_first { u32_at(&bytes, UNIT_AT) } else { 0 };
        let nanoseconds = usize::try_from(unit).ok().and_then(|unit| UNITS.get(unit));
        let nanoseconds = *nanoseconds
            .ok_or_else(|| TraceError::File(format!("the header has the unit of time {unit}; known are 0 to 4")))?;
        Ok(Self {
            version: u64_at(&bytes, 8),
            requests: u64_at(&bytes, REQUESTS_AT),
            nanoseconds,
            bytes: bytes.len() as u64,
        })
    }
}

/// Reads all of these bytes.
fn read_exact(input: &mut dyn Read, bytes: &mut [u8]) -> Result<(), TraceError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => {
            TraceError::File("the file ends in its header; it is cut off, or not lcs".to_owned())
        }
        _ => read_error(error),
    })
}

fn open(mut input: Box<dyn Read + Send>, params: &Params) -> Opened {
    let header = Header::read(&mut input)?;
    let reads_only = params.text("operations") == "reads";
    match header.version {
        1 => reader::<24>(input, &header, reads_only),
        2 => reader::<28>(input, &header, reads_only),
        3 => reader::<36>(input, &header, reads_only),
        4 => reader::<40>(input, &header, reads_only),
        5 => reader::<44>(input, &header, reads_only),
        6 => reader::<52>(input, &header, reads_only),
        7 => reader::<68>(input, &header, reads_only),
        8 => reader::<100>(input, &header, reads_only),
        other => Err(TraceError::File(format!("version {other} of lcs is unknown; known are 1 to 8"))),
    }
}

fn reader<const BYTES: usize>(input: Box<dyn Read + Send>, header: &Header, reads_only: bool) -> Opened {
    let facts = Facts { format: NAME, clock: Clock::Nanoseconds, sizes: true };
    let records = Records {
        reads_only: reads_only && header.version > 1,
        has_operations: header.version > 1,
        has_long_sizes: header.version > 2,
        nanoseconds: header.nanoseconds,
        said: header.requests,
        records: 0,
        taken: 0,
    };
    Ok(Box::new(RecordReader::<BYTES, _>::new(input, facts, records).after(header.bytes)) as Box<dyn RequestReader>)
}

/// Takes the records of a version.
struct Records {
    reads_only: bool,
    has_operations: bool,
    /// Whether sizes have 64 bits.
    has_long_sizes: bool,
    nanoseconds: u64,
    /// The number of requests that the header states.
    said: u64,
    records: u64,
    taken: u64,
}

/// get, gets and read, and records that say nothing.
const READS: [u8; 4] = [0, 1, 2, 12];

impl<const BYTES: usize> RecordFormat<BYTES> for Records {
    const IS_PLAIN: bool = false;

    fn arrival(&mut self, record: &[u8; BYTES], _: u64) -> Result<Option<Arrival>, RequestFault> {
        self.records += 1;
        let (size, operation_at) =
            if self.has_long_sizes { (u64_at(record, 12), 20) } else { (u32_at(record, 12).into(), 16) };
        if self.reads_only && self.has_operations && !READS.contains(&record[operation_at]) {
            return Ok(None);
        }
        if i64::try_from(size).is_err() {
            let (wanted, found) = ("a number from 0 to 2^63 - 1", size.cast_signed().to_string());
            return Err(RequestFault::NoNumber { field: "the size".to_owned(), wanted, found });
        }
        self.taken += 1;
        let time = u64::from(u32_at(record, 0)) * self.nanoseconds;
        Ok(Some(Arrival { time, key: u64_at(record, 4), size }))
    }

    fn finish(&self) -> Result<(), TraceError> {
        if self.records > 0 && self.taken == 0 {
            return Err(TraceError::File(
                "no record gets or reads an object; operations=all takes all records".to_owned(),
            ));
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        let others = self.records - self.taken;
        let left_out = format!("records that neither get nor read were left out: {others} (operations=all takes them)");
        let differs =
            format!("the header says {} requests, but {} were read; the file may be cut off", self.said, self.records);
        [(others > 0).then_some(left_out), (self.said != 0 && self.said != self.records).then_some(differs)]
            .into_iter()
            .flatten()
            .collect()
    }
}
