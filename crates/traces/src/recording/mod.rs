//! The packets of a pcap or pcapng recording, one at a time, in constant memory.

mod account;
mod blocks;
mod cut;
mod interface;
mod peeked_input;

use crate::error::TraceError;
use crate::filter::Filter;
use crate::frame::{Direction, Headers, IpHeader, Link, TcpFrame, classify, tcp_header};
use crate::unpack::Content;
pub use account::{Account, Why};
use blocks::Blocks;
use cut::Copy;
pub use cut::{Cut, cut};
use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{PcapError, create_reader};
use peeked_input::Peeked;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Room for a block at first, and at most.
const BUFFER_BYTES: usize = 1 << 16;
const MAX_BUFFER_BYTES: usize = 1 << 25;
/// The least that a block of a pcapng has before its content: type and length.
const BLOCK_HEADER: usize = 8;
/// The first bytes of a pcap whose records have three more words; the parser supports only the little-endian form.
const BIG_ENDIAN_MODIFIED: [u8; 4] = [0xa1, 0xb2, 0xcd, 0x34];

/// Returns whether `start` looks like the start of a pcap or pcapng file.
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
    /// The packet's link type, which defines its first header.
    pub(crate) link: Link,
    /// Which IP header is read.
    header: IpHeader,
    /// The length of the frame in bytes before the snap length cut it.
    original_length: u32,
    /// The packet's bytes on the wire, without headers that only the file has.
    pub(crate) wire_bytes: u32,
    /// The bytes that were kept.
    pub(crate) frame: &'a [u8],
    /// The packet's direction, if the recording has it.
    pub(crate) direction: Option<Direction>,
}

impl Captured<'_> {
    /// Reads the packet's headers.
    pub(crate) fn headers(&self) -> Headers {
        classify(self.link, self.header, self.frame)
    }

    /// Reads the packet as a TCP frame.
    pub(crate) fn tcp(&self) -> TcpFrame {
        tcp_header(self.link, self.header, self.frame, self.original_length)
    }
}

/// The place at which a recording is cut off or damaged.
#[derive(Debug, Clone)]
pub(crate) struct CutOff {
    /// The fault at this place.
    pub(crate) why: String,
    /// The bytes before this place, unpacked.
    pub(crate) offset: u64,
}

/// A recording that is being read.
pub(crate) struct Recording<'a> {
    reader: Box<dyn PcapReaderIterator + Send + 'a>,
    capacity: usize,
    blocks: Blocks,
    cut_off: Option<CutOff>,
    read_error: ReadError,
    /// The destination to which used packets, and blocks without a packet, are copied unchanged.
    copy: Option<Copy<'a>>,
}

impl<'a> Recording<'a> {
    pub(crate) fn new(input: impl Read + Send + 'a) -> Result<Self, TraceError> {
        let input = Peeked::new(input, BUFFER_BYTES);
        if input.start().starts_with(&BIG_ENDIAN_MODIFIED) {
            let why = "the big-endian form of the modified pcap (magic a1b2cd34) is not supported; convert it to pcapng: editcap -F pcapng \
                       IN OUT";
            return Err(TraceError::File(why.to_owned()));
        }
        let first = first_time(input.start());
        let mut recording = Self::over(input)?;
        recording.blocks.begin_at(first);
        Ok(recording)
    }

    fn over(input: impl Read + Send + 'a) -> Result<Self, TraceError> {
        let read_error = ReadError::default();
        let is_open = Arc::new(AtomicBool::new(false));
        let input = Noting { input, error: Arc::clone(&read_error), deferred: None, is_open: Arc::clone(&is_open) };
        let reader = create_reader(BUFFER_BYTES, input).map_err(|error| {
            let noted = read_error.lock().ok().and_then(|mut error| error.take());
            TraceError::File(noted.unwrap_or_else(|| match error {
                PcapError::Eof => "the file is empty; record packets with `tcpdump -w`".to_owned(),
                _ => "the header of the recording is damaged or cut off".to_owned(),
            }))
        })?;
        is_open.store(true, Ordering::Relaxed);
        Ok(Self { reader, capacity: BUFFER_BYTES, blocks: Blocks::default(), cut_off: None, read_error, copy: None })
    }

    /// Opens the recording in a file that has been opened.
    pub(crate) fn of_content(content: Content<'a>) -> Result<Self, TraceError> {
        if !is_pcap(&content.start) {
            let message =
                "this is not a recording (pcap or pcapng), and only recordings have packets as they were on the wire";
            return Err(TraceError::File(message.to_owned()));
        }
        Self::new(content.input)
    }

    /// Returns the error that the recording, which has been read, has no usable packet.
    pub(crate) fn nothing_to_use(&self) -> TraceError {
        let why = self
            .cut_off
            .as_ref()
            .map_or_else(String::new, |CutOff { why, .. }| format!(" ({why}; the 0 packets before that are used)"));
        TraceError::File(format!("{}{why}", self.blocks.account.nothing_to_use()))
    }

    /// Restricts the recording to packets that match a filter, if there is one.
    pub(crate) fn filtered(mut self, filter: Option<Filter>) -> Self {
        self.blocks.filter = filter;
        self
    }

    /// Selects the IP header of packets that is read, also for the filter.
    pub(crate) fn with_header(mut self, header: IpHeader) -> Self {
        self.blocks.header = header;
        self
    }

    /// Passes the next usable packet to `take` and returns the result; `None` at the end, and where the recording is cut off.
    pub(crate) fn next_packet<T>(&mut self, take: impl Fn(Captured<'_>) -> T) -> Option<T> {
        while self.cut_off.is_none() {
            let stop = match self.reader.next() {
                Ok((length, block)) => {
                    let records = self.blocks.account.records;
                    let taken = self.blocks.packet(&block).map(&take);
                    if let Some(copy) = &mut self.copy
                        && (taken.is_some() || self.blocks.account.records == records)
                    {
                        copy.write(self.reader.data().get(..length).unwrap_or_default());
                    }
                    self.reader.consume(length);
                    self.blocks.account.bytes += length as u64;
                    if taken.is_some() {
                        return taken;
                    }
                    continue;
                }
                Err(error) => Stop::from(&error),
            };
            // More bytes may help; a block may need a larger buffer. A buffer that the parser finds too small is filled first, so that a
            // file that ends there is found to end, in whatever pieces it comes.
            let full = self.reader.data().len() >= self.capacity;
            match stop {
                Stop::End => return None,
                Stop::Incomplete | Stop::BufferTooSmall if full => {
                    self.capacity *= 2;
                    if self.capacity > MAX_BUFFER_BYTES || !self.reader.grow(self.capacity) {
                        self.stop("a block is larger than any packet");
                    }
                }
                Stop::Incomplete | Stop::BufferTooSmall if !self.reader.reader_exhausted() => {}
                Stop::Incomplete | Stop::BufferTooSmall => self.stop("the file ends in the middle of a packet"),
                Stop::Damaged if self.reader.data().iter().take(BLOCK_HEADER).all(|byte| *byte == 0) => {
                    self.stop("only zeros follow: the file was cut off there, or was never filled");
                }
                Stop::Damaged => self.stop("the file is damaged"),
            }
            if self.cut_off.is_none() && self.reader.refill().is_err() {
                let noted = self.read_error.lock().ok().and_then(|mut error| error.take());
                self.stop(&noted.unwrap_or_else(|| "the file cannot be read any further".to_owned()));
            }
        }
        None
    }

    /// Stops before the end; the bytes after this place are only counted.
    fn stop(&mut self, why: &str) {
        self.cut_off = Some(CutOff { why: why.to_owned(), offset: self.blocks.account.bytes });
        loop {
            let length = self.reader.data().len();
            self.reader.consume(length);
            self.blocks.account.bytes_left_out += length as u64;
            if self.reader.refill().is_err() || self.reader.data().is_empty() {
                return;
            }
        }
    }

    /// Returns the place at which the recording is cut off, if it is.
    pub(crate) fn cut_off(&self) -> Option<&CutOff> {
        self.cut_off.as_ref()
    }

    /// Returns the counts of the part read so far.
    pub(crate) fn account(&self) -> &Account {
        &self.blocks.account
    }
}

/// The first time that a packet at the start of a file has. Packets before it may have none.
fn first_time(start: &[u8]) -> Option<i128> {
    let mut recording = Recording::over(start).ok()?;
    while recording.blocks.first_own_ns.is_none() {
        recording.next_packet(|_| ())?;
    }
    recording.blocks.first_own_ns
}

/// Why reading failed, which the parser does not pass on.
type ReadError = Arc<Mutex<Option<String>>>;

/// Records why reading fails. The parser reads twice before it returns any block, and loses the blocks before an error, so an error is held
/// back until the parser is open.
struct Noting<R> {
    input: R,
    error: ReadError,
    deferred: Option<io::Error>,
    is_open: Arc<AtomicBool>,
}

impl<R: Read> Read for Noting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.deferred.take().map_or_else(|| self.input.read(buffer), Err);
        let Err(error) = read else { return read };
        if let Ok(mut noted) = self.error.lock() {
            *noted = Some(error.to_string());
        }
        if self.is_open.load(Ordering::Relaxed) {
            return Err(error);
        }
        self.deferred = Some(error);
        Ok(0)
    }
}

/// Why there is no next block.
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
