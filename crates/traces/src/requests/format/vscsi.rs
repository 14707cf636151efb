//! Traces of virtual SCSI disks, as VMware's vscsiStats writes them and CloudPhysics has collected them.

use super::{Arrival, FormatEntry, Likeness, Opened, Start, about};
use crate::TraceError;
use crate::requests::columns::{Burst, DISK_PARAMS, block_bytes};
use crate::requests::fault::RequestFault;
use crate::requests::order::WINDOW;
use crate::requests::records::{RecordFormat, RecordReader};
use crate::requests::{Facts, Measured, RequestReader};
use crate::unpack::read_error;
use forebay_core::{Clock, Params};
use std::io::{Cursor, Read};

const NAME: &str = "vscsi";
/// A block of a SCSI disk.
const SECTOR: u64 = 512;
/// The bytes of a record of each version.
const FIRST: usize = 32;
const SECOND: usize = 40;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Records of 32 bytes (version 1) or 40 (version 2), little-endian: SCSI command, bytes, first block of 512 bytes, microseconds",
        "VMware's vscsiStats; the traces of CloudPhysics (Waldspurger et al., FAST'15) as libCacheSim and PyMimircache have them",
        DISK_PARAMS,
    ),
    also_known_as: &["cloudphysics"],
    endings: &["vscsi", "vscsitrace"],
    recognise,
    open,
    writer: None,
};

/// A record of either version.
struct Record {
    command: u16,
    version: u16,
    bytes: u32,
    block: u64,
    microseconds: u64,
    /// The response time of the command, from version 2 on.
    response: Option<u64>,
}

impl Record {
    /// Serial number, bytes, scatter-gather elements, command, version, block, time.
    fn first(record: &[u8; FIRST]) -> Self {
        Self {
            bytes: u32_at(record, 4),
            command: u16_at(record, 12),
            version: u16_at(record, 14),
            block: u64_at(record, 16),
            microseconds: u64_at(record, 24),
            response: None,
        }
    }

    /// Command, version, serial number, bytes, scatter-gather elements, block, time, response time.
    fn second(record: &[u8; SECOND]) -> Self {
        Self {
            command: u16_at(record, 0),
            version: u16_at(record, 2),
            bytes: u32_at(record, 8),
            block: u64_at(record, 16),
            microseconds: u64_at(record, 24),
            response: Some(u64_at(record, 32)),
        }
    }
}

fn u16_at(record: &[u8], at: usize) -> u16 {
    record[at..].first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(record: &[u8], at: usize) -> u32 {
    record[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(record: &[u8], at: usize) -> u64 {
    record[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The effect of a SCSI command on blocks (SBC-3).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Write,
    Neither,
}

impl Does {
    fn of(command: u16) -> Self {
        match command {
            // READ of 6, 10, 12 and 16 bytes.
            0x08 | 0x28 | 0xa8 | 0x88 => Self::Read,
            // WRITE of 6, 10, 12 and 16 bytes, WRITE AND VERIFY, WRITE SAME.
            0x0a | 0x2a | 0xaa | 0x8a | 0x2e | 0xae | 0x8e | 0x41 | 0x93 => Self::Write,
            _ => Self::Neither,
        }
    }
}

/// Returns whether all complete records of `BYTES` bytes have this version.
fn has_version<const BYTES: usize>(bytes: &[u8], version: u16, record: fn(&[u8; BYTES]) -> Record) -> bool {
    let (records, _) = bytes.as_chunks::<BYTES>();
    !records.is_empty() && records.iter().all(|own| record(own).version >> 8 == version)
}

/// The version that all records at the start have.
fn version(bytes: &[u8]) -> Option<u16> {
    if has_version(bytes, 2, Record::second) { Some(2) } else { has_version(bytes, 1, Record::first).then_some(1) }
}

/// A few records could have the version by chance: then their commands are known, and the file is as long as records are.
fn recognise(start: &Start<'_>) -> Likeness {
    const FEWEST: usize = 2;
    let bytes = start.bytes();
    let (length, is_known) = match version(bytes) {
        Some(2) => (SECOND, known(bytes, Record::second)),
        Some(_) => (FIRST, known(bytes, Record::first)),
        None => return Likeness::No,
    };
    let is_long = bytes.len() >= FEWEST * length;
    (is_long && is_known && !start.is_text()).into()
}

/// Returns whether most commands read or write.
fn known<const BYTES: usize>(bytes: &[u8], record: fn(&[u8; BYTES]) -> Record) -> bool {
    let (records, _) = bytes.as_chunks::<BYTES>();
    let known = records.iter().filter(|own| Does::of(record(own).command) != Does::Neither).count();
    known * 2 > records.len()
}

fn open(mut input: Box<dyn Read + Send>, params: &Params) -> Opened {
    // Two records of either version.
    let mut begin = vec![0; 2 * SECOND];
    let mut length = 0;
    while length < begin.len() {
        match input.read(&mut begin[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(read_error(error)),
        }
    }
    begin.truncate(length);
    let version = version(&begin);
    let input = Box::new(Cursor::new(begin).chain(input));
    let facts = Facts { format: NAME, clock: Clock::Nanoseconds, sizes: true };
    let format = |version| Disk::new(params, version);
    Ok(match version {
        Some(2) => {
            Box::new(RecordReader::<SECOND, _>::new(input, facts, format(2)?).sorted(WINDOW)) as Box<dyn RequestReader>
        }
        Some(_) => Box::new(RecordReader::<FIRST, _>::new(input, facts, format(1)?).sorted(WINDOW)),
        None => {
            let wanted = "the first records have neither version 1 (32 bytes each) nor version 2 (40)";
            return Err(TraceError::File(format!("{wanted}; this is not a trace of {NAME}, or it is damaged")));
        }
    })
}

/// Takes the records of a disk.
struct Disk {
    version: u16,
    /// The commands that are not requests.
    left_out: &'static [Does],
    block: Option<u64>,
    burst: Burst,
    taken: u64,
    others: u64,
    first_other: Option<u16>,
    measured: Measured,
    /// The response time of this record's command.
    latency: Option<u64>,
}

impl Disk {
    fn new(params: &Params, version: u16) -> Result<Self, TraceError> {
        let left_out: &[Does] = match params.text("operations") {
            "reads" => &[Does::Neither, Does::Write],
            "writes" => &[Does::Neither, Does::Read],
            _ => &[Does::Neither],
        };
        let (block, burst) = (block_bytes(params)?, Burst::new(0));
        Ok(Self {
            version,
            left_out,
            block,
            burst,
            taken: 0,
            others: 0,
            first_other: None,
            measured: Measured::default(),
            latency: None,
        })
    }

    fn take(&mut self, record: &Record) -> Result<Option<Arrival>, RequestFault> {
        if record.version >> 8 != self.version {
            let (wanted, found) = ("have the version of the first one", (record.version >> 8).to_string());
            return Err(RequestFault::NotLike { wanted, found });
        }
        if self.left_out.contains(&Does::of(record.command)) {
            self.others += 1;
            self.first_other.get_or_insert(record.command);
            return Ok(None);
        }
        self.taken += 1;
        let time = record.microseconds.checked_mul(1_000);
        let time = time.ok_or_else(|| RequestFault::TimeTooLarge(record.microseconds.to_string()))?;
        let arrival = Arrival { time, key: record.block, size: record.bytes.into() };
        self.latency = record.response.and_then(|response| response.checked_mul(1_000));
        let Some(block) = self.block else {
            self.measured.add(arrival.key, self.latency);
            return Ok(Some(arrival));
        };
        let offset = record.block.saturating_mul(SECTOR);
        self.burst.blocks(arrival, std::iter::empty(), [offset, record.bytes.into(), block])?;
        Ok(None)
    }

    fn left_out(&self) -> Option<String> {
        let first = self.first_other?;
        Some(format!("records with other SCSI commands, such as {first:#04x}, were left out: {}", self.others))
    }

    fn check(&self) -> Result<(), TraceError> {
        match self.left_out() {
            Some(left_out) if self.taken == 0 => Err(TraceError::File(format!("{left_out}; no request is left"))),
            _ => Ok(()),
        }
    }
}

macro_rules! disk_of_records {
    ($bytes:expr, $record:expr) => {
        impl RecordFormat<$bytes> for Disk {
            const IS_PLAIN: bool = false;

            fn arrival(&mut self, record: &[u8; $bytes], _: u64) -> Result<Option<Arrival>, RequestFault> {
                self.take(&$record(record))
            }

            fn more(&mut self) -> Option<Arrival> {
                let arrival = self.burst.next()?;
                self.measured.add(arrival.key, self.latency);
                Some(arrival)
            }

            fn measured(&mut self) -> Option<&mut Measured> {
                (self.version > 1).then_some(&mut self.measured)
            }

            fn finish(&self) -> Result<(), TraceError> {
                self.check()
            }

            fn warnings(&self) -> Vec<String> {
                self.left_out().into_iter().chain(self.burst.warning()).collect()
            }
        }
    };
}

disk_of_records!(FIRST, Record::first);
disk_of_records!(SECOND, Record::second);
