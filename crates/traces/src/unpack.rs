//! Unpacks files that gzip, xz or zstd have packed, recognised by their first bytes.

use crate::codecs::{self, is_trailing};
use crate::error::TraceError;
use crate::xz_magic::XZ_MAGIC;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read, Seek as _, SeekFrom};

/// The number of bytes of a file that decide on its format: a thousand lines of 250 bytes.
const SNIFF_BYTES: u64 = 1 << 18;
/// The number of bytes of its end that decide, if they can be read before the rest.
const END_BYTES: u64 = 1 << 16;
/// The approximate limit of memory for unpacking: `xz -9` asks for 65 MiB, `zstd --ultra -22` for 128.
const MAX_MIB: u64 = 128;
/// For zstd, the base 2 logarithm of the bytes of its window.
const MAX_ZSTD_WINDOW_LOG: u32 = 27;

/// The unpacked content of a file, whose first bytes are known.
pub struct Content<'a> {
    /// The first bytes.
    pub(crate) start: Vec<u8>,
    /// The last bytes, from the start of a line, if they could be read and are not in `start`.
    pub(crate) end: Vec<u8>,
    /// All bytes, including those of `start`.
    pub(crate) input: Box<dyn Read + Send + 'a>,
}

impl<'a> Content<'a> {
    /// Begins to read a file.
    ///
    /// # Errors If the file cannot be read, or its packed data are rejected.
    pub fn unpack(input: impl Read + Send + 'a) -> Result<Self, TraceError> {
        Self::with_end(input, Vec::new())
    }

    /// Begins to read a file, whose end is read as well unless it is packed.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack).
    pub fn unpack_file(mut file: File) -> Result<Content<'static>, TraceError> {
        let end = last_lines(&mut file).map_err(read_error)?;
        Content::with_end(file, end)
    }

    /// Begins to read a file with this end, if it is not packed.
    fn with_end(input: impl Read + Send + 'a, end: Vec<u8>) -> Result<Self, TraceError> {
        let packed = sniff(Box::new(input))?;
        let (what, decoder): (_, Box<dyn Read + Send + 'a>) = match packed.start.as_slice() {
            [0x1f, 0x8b, ..] => ("gzip", Box::new(MultiGzDecoder::new(packed.input))),
            start if start.starts_with(XZ_MAGIC) => ("xz", codecs::read_xz(packed.input, MAX_MIB << 20)?),
            // Some programs write a frame before the others that is to be skipped.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                ("zstd", codecs::read_zstd(packed.input, MAX_ZSTD_WINDOW_LOG)?)
            }
            _ => return Ok(Self { end, ..packed }),
        };
        sniff(Box::new(Unpacked { decoder, what, bytes: 0 }))
    }

    /// Returns whether the content is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Returns whether `start` is the whole content.
    pub(crate) fn is_whole(&self) -> bool {
        (self.start.len() as u64) < SNIFF_BYTES
    }
}

fn sniff<'a>(mut input: Box<dyn Read + Send + 'a>) -> Result<Content<'a>, TraceError> {
    let mut start = Vec::new();
    let failed = input.by_ref().take(SNIFF_BYTES).read_to_end(&mut start).err();
    let rest: Box<dyn Read + Send + 'a> = match failed {
        Some(error) if start.is_empty() => return Err(read_error(error)),
        // What comes before the place where reading fails may be of use.
        Some(error) => Box::new(Failing(Some(error))),
        None => input,
    };
    Ok(Content { input: Box::new(Cursor::new(start.clone()).chain(rest)), start, end: Vec::new() })
}

/// The lines at the end of a regular file that are whole; none if its start has them.
fn last_lines(file: &mut File) -> io::Result<Vec<u8>> {
    let about = file.metadata()?;
    let from = about.len().saturating_sub(END_BYTES).max(SNIFF_BYTES);
    let mut end = Vec::new();
    if about.is_file() && from < about.len() {
        file.seek(SeekFrom::Start(from))?;
        file.take(END_BYTES).read_to_end(&mut end)?;
        file.rewind()?;
    }
    let whole = memchr::memchr(b'\n', &end).zip(memchr::memrchr(b'\n', &end));
    Ok(whole.map_or_else(Vec::new, |(first, last)| end[first + 1..=last.max(first)].to_vec()))
}

/// Returns text without the byte order mark that some programs write before UTF-8.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Fails, once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Returns the error of a failed read: from the operating system, or because packed data are cut off or damaged.
pub(crate) fn read_error(error: io::Error) -> TraceError {
    match error.get_ref() {
        Some(inner) if inner.is::<Damaged>() => TraceError::File(error.to_string()),
        _ => TraceError::Io(error),
    }
}

/// Packed data that cannot be unpacked.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damaged(String);

/// A decoder that reports the fault of its data, and the place.
struct Unpacked<R> {
    decoder: R,
    what: &'static str,
    /// The number of bytes unpacked so far.
    bytes: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let error = match self.decoder.read(buffer) {
            Ok(read) => {
                self.bytes += read as u64;
                return Ok(read);
            }
            Err(error) => error,
        };
        // What the operating system refuses is no fault of the data.
        if error.kind() == ErrorKind::Interrupted || error.raw_os_error().is_some() {
            return Err(error);
        }
        let (what, bytes) = (self.what, self.bytes);
        let message = if is_trailing(&error) {
            format!(
                "other data follow the end of the {what} data, after {bytes} unpacked bytes; remove them, or get the file again"
            )
        } else if error.kind() == ErrorKind::UnexpectedEof {
            format!("the {what} data are cut off after {bytes} unpacked bytes; get the whole file again")
        } else {
            format!(
                "the {what} data cannot be unpacked after {bytes} unpacked bytes ({error}); they are damaged, or need more \
                 than {MAX_MIB} MiB for it; get the file again, or unpack it with {what}"
            )
        };
        Err(io::Error::new(ErrorKind::InvalidData, Damaged(message)))
    }
}
