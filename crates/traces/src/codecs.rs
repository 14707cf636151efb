//! xz and zstd by their C libraries (feature `compression`).

use crate::error::TraceError;
use crate::xz::{Trailing, XzStreams};
pub(crate) use liblzma::write::XzEncoder;
use std::io::{self, BufReader, Read, Write};

pub(crate) type ZstdEncoder<W> = zstd::Encoder<'static, W>;

/// Begins to unpack xz, with at most `memory_bytes` bytes of memory.
pub(crate) fn read_xz<'a>(
    input: Box<dyn Read + Send + 'a>,
    memory_bytes: u64,
) -> Result<Box<dyn Read + Send + 'a>, TraceError> {
    Ok(Box::new(XzStreams::new(BufReader::new(input), memory_bytes)?))
}

/// Begins to unpack zstd, whose window has at most two to the power of `window_log` bytes.
pub(crate) fn read_zstd<'a>(
    input: Box<dyn Read + Send + 'a>,
    window_log: u32,
) -> Result<Box<dyn Read + Send + 'a>, TraceError> {
    let mut decoder = zstd::Decoder::new(input)?;
    decoder.window_log_max(window_log)?;
    Ok(Box::new(decoder))
}

/// Begins to pack with xz.
pub(crate) fn write_xz<W: Write>(out: W, level: u32) -> io::Result<XzEncoder<W>> {
    Ok(XzEncoder::new(out, level))
}

/// Begins to pack with zstd.
pub(crate) fn write_zstd<W: Write>(out: W, level: i32) -> io::Result<ZstdEncoder<W>> {
    ZstdEncoder::new(out, level)
}

/// Returns whether reading failed because other bytes follow the packed data.
pub(crate) fn is_trailing(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Trailing>())
}
