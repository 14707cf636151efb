//! The packets of a pcap or pcapng recording, one at a time, in constant memory.

use crate::error::TraceError;
use crate::headers::Link;
use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};
use std::io::{self, Read};
use std::sync::{Arc, Mutex};

/// Room for a block at first, and at most.
const BUFFER_BYTES: usize = 1 << 16;
const MAX_BUFFER_BYTES: usize = 1 << 25;

/// Whether `start` looks like the start of a pcap or pcapng file.
pub(crate) fn is_pcap(start: &[u8]) -> bool {
    let Some(magic) = start.first_chunk::<4>() else { return false };
    matches!(
        u32::from_le_bytes(*magic),
        0xa1b2_c3d4 | 0xd4c3_b2a1 | 0xa1b2_3c4d | 0x4d3c_b2a1 | 0xa1b2_cd34 | 0x34cd_b2a1 | 0x0a0d_0d0a
    )
}

/// A packet as it was captured.
pub(crate) struct Captured<'a> {
    /// Nanoseconds since 1970.
    pub(crate) ns: i128,
    /// How its bytes begin.
    pub(crate) link: Link,
    /// Bytes on the wire.
    pub(crate) original_length: u32,
    /// The bytes that were kept.
    pub(crate) frame: &'a [u8],
}

/// Where a recording ends before its end.
#[derive(Debug, Clone)]
pub(crate) struct CutOff {
    /// What is wrong there.
    pub(crate) why: String,
    /// Bytes before it, unpacked.
    pub(crate) offset: u64,
}

/// A recording that is being read.
pub(crate) struct Recording<'a> {
    reader: Box<dyn PcapReaderIterator + Send + 'a>,
    capacity: usize,
    offset: u64,
    blocks: Blocks,
    cut_off: Option<CutOff>,
    read_error: ReadError,
}

impl<'a> Recording<'a> {
    pub(crate) fn new(input: impl Read + Send + 'a) -> Result<Self, TraceError> {
        let read_error = ReadError::default();
        let input = Noting { input, error: Arc::clone(&read_error) };
        let reader = create_reader(BUFFER_BYTES, input).map_err(|error| {
            let noted = read_error.lock().ok().and_then(|mut error| error.take());
            TraceError::File(noted.unwrap_or_else(|| match error {
                PcapError::Eof => "the file is empty; record packets with `tcpdump -w`".to_owned(),
                _ => "the header of the recording is damaged or cut off".to_owned(),
            }))
        })?;
        Ok(Self { reader, capacity: BUFFER_BYTES, offset: 0, blocks: Blocks::default(), cut_off: None, read_error })
    }

    /// What `take` makes of the next packet; `None` at the end, and where the recording is cut off.
    ///
    /// # Errors
    /// If a link layer is not known.
    pub(crate) fn next_packet<T>(&mut self, take: impl Fn(Captured<'_>) -> T) -> Result<Option<T>, TraceError> {
        while self.cut_off.is_none() {
            let stop = match self.reader.next() {
                Ok((length, block)) => {
                    let taken = self.blocks.packet(&block)?.map(&take);
                    self.reader.consume(length);
                    self.offset += length as u64;
                    if taken.is_some() {
                        return Ok(taken);
                    }
                    continue;
                }
                Err(error) => Stop::from(&error),
            };
            // More bytes may help; a block may need a larger buffer.
            let full = stop == Stop::BufferTooSmall || self.reader.data().len() >= self.capacity;
            match stop {
                Stop::End => return Ok(None),
                Stop::Incomplete | Stop::BufferTooSmall if full => {
                    self.capacity *= 2;
                    if self.capacity > MAX_BUFFER_BYTES || !self.reader.grow(self.capacity) {
                        self.stop("a block is larger than any packet");
                    }
                }
                Stop::Incomplete if !self.reader.reader_exhausted() => {}
                Stop::Incomplete | Stop::BufferTooSmall => self.stop("the file ends in the middle of a packet"),
                Stop::Damaged => self.stop("the file is damaged"),
            }
            if self.cut_off.is_none() && self.reader.refill().is_err() {
                let noted = self.read_error.lock().ok().and_then(|mut error| error.take());
                self.stop(&noted.unwrap_or_else(|| "the file cannot be read any further".to_owned()));
            }
        }
        Ok(None)
    }

    fn stop(&mut self, why: &str) {
        self.cut_off = Some(CutOff { why: why.to_owned(), offset: self.offset });
    }

    /// Where the recording ends too early, if it does.
    pub(crate) fn cut_off(&self) -> Option<&CutOff> {
        self.cut_off.as_ref()
    }

    /// Packets that were left out, since nothing says how to read them.
    pub(crate) fn unreadable(&self) -> u64 {
        self.blocks.unreadable
    }
}

/// Why reading failed, which the parser does not pass on.
type ReadError = Arc<Mutex<Option<String>>>;

/// Notes why reading fails.
struct Noting<R> {
    input: R,
    error: ReadError,
}

impl<R: Read> Read for Noting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).inspect_err(|error| {
            if let Ok(mut noted) = self.error.lock() {
                *noted = Some(error.to_string());
            }
        })
    }
}

/// Why the next block did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    End,
    Incomplete,
    BufferTooSmall,
    Damaged,
}

impl Stop {
    fn from(error: &PcapError<&[u8]>) -> Self {
        match error {
            PcapError::Eof => Self::End,
            PcapError::Incomplete(_) | PcapError::UnexpectedEof => Self::Incomplete,
            PcapError::BufferTooSmall => Self::BufferTooSmall,
            _ => Self::Damaged,
        }
    }
}

/// What one interface of a recording says about its packets.
#[derive(Debug, Clone, Copy)]
struct Interface {
    link: Link,
    ticks_per_second: u64,
    offset_seconds: i64,
}

/// What the blocks so far say about those that follow.
#[derive(Default)]
struct Blocks {
    interfaces: Vec<Interface>,
    nanoseconds: bool,
    last_ns: i128,
    unreadable: u64,
}

impl Blocks {
    /// The packet in a block, if there is one.
    fn packet<'b>(&mut self, block: &'b PcapBlockOwned<'_>) -> Result<Option<Captured<'b>>, TraceError> {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                self.nanoseconds = header.is_nanosecond_precision();
                self.add_interface(header.network.0, 1_000_000, 0)?;
            }
            PcapBlockOwned::Legacy(record) => {
                let unit_ns = if self.nanoseconds { 1 } else { 1_000 };
                let ns = i128::from(record.ts_sec) * 1_000_000_000 + i128::from(record.ts_usec) * unit_ns;
                return Ok(self.captured(0, Some(ns), record.origlen, captured(record.data, record.caplen)));
            }
            PcapBlockOwned::NG(Block::SectionHeader(_)) => self.interfaces.clear(),
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                let ticks = interface.ts_resolution().unwrap_or(1_000_000).max(1);
                self.add_interface(interface.linktype.0, ticks, interface.if_tsoffset)?;
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let index = packet.if_id as usize;
                let ticks = i128::from(packet.ts_high) << 32 | i128::from(packet.ts_low);
                let ns = self.interfaces.get(index).map(|interface| {
                    i128::from(interface.offset_seconds) * 1_000_000_000
                        + ticks * 1_000_000_000 / i128::from(interface.ticks_per_second)
                });
                return Ok(self.captured(index, ns, packet.origlen, captured(packet.data, packet.caplen)));
            }
            PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                // It has no time: it arrives with the packet before it.
                let ns = Some(self.last_ns);
                return Ok(self.captured(0, ns, packet.origlen, captured(packet.data, packet.origlen)));
            }
            PcapBlockOwned::NG(_) => {}
        }
        Ok(None)
    }

    fn add_interface(&mut self, link: i32, ticks_per_second: u64, offset_seconds: i64) -> Result<(), TraceError> {
        let link = Link::from_number(link).ok_or_else(|| {
            TraceError::File(format!(
                "link type {link} is not supported; supported are Ethernet, raw IP, Linux cooked and BSD loopback \
                 (record with `tcpdump -y EN10MB`)"
            ))
        })?;
        self.interfaces.push(Interface { link, ticks_per_second, offset_seconds });
        Ok(())
    }

    fn captured<'b>(
        &mut self,
        interface: usize,
        ns: Option<i128>,
        original_length: u32,
        frame: &'b [u8],
    ) -> Option<Captured<'b>> {
        let (Some(&Interface { link, .. }), Some(ns)) = (self.interfaces.get(interface), ns) else {
            self.unreadable += 1;
            return None;
        };
        self.last_ns = ns;
        Some(Captured { ns, link, original_length, frame })
    }
}

/// The captured bytes without the padding of a block.
fn captured(data: &[u8], length: u32) -> &[u8] {
    data.get(..length as usize).unwrap_or(data)
}
