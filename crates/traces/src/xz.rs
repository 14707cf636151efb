//! Reads consecutive xz streams, and rejects any other data after them.

use crate::xz_magic::XZ_MAGIC as MAGIC;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;
use std::io::{self, BufRead, ErrorKind, Read};

/// The error that other data than xz follow the unpacked streams.
#[derive(Debug, thiserror::Error)]
#[error("something follows the end of the packed data")]
pub(crate) struct Trailing;

/// Reads xz streams. liblzma can do this too, but it treats any other data after them as a stream that is damaged or cut off.
pub(crate) struct XzStreams<R> {
    /// `None` after the end.
    decoder: Option<XzDecoder<Again<R>>>,
    memory_bytes: u64,
}

impl<R: BufRead> XzStreams<R> {
    /// Creates a reader that unpacks `input` with at most `memory_bytes` bytes of memory.
    pub(crate) fn new(input: R, memory_bytes: u64) -> io::Result<Self> {
        let input = Again { bytes: Vec::new(), given: 0, input };
        Ok(Self { decoder: Some(decoder(input, memory_bytes)?), memory_bytes })
    }
}

fn decoder<R: BufRead>(input: R, memory_bytes: u64) -> io::Result<XzDecoder<R>> {
    Ok(XzDecoder::new_stream(input, Stream::new_stream_decoder(memory_bytes, 0)?))
}

impl<R: BufRead> Read for XzStreams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(current) = &mut self.decoder {
            let read = current.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = self.decoder.take().map(XzDecoder::into_inner).map(Again::next_stream).transpose()?;
            self.decoder = next.flatten().map(|input| decoder(input, self.memory_bytes)).transpose()?;
        }
        Ok(0)
    }
}

/// An input whose last bytes are read again.
struct Again<R> {
    bytes: Vec<u8>,
    /// The number of bytes of `bytes` that have been returned.
    given: usize,
    input: R,
}

impl<R: BufRead> Again<R> {
    /// Moves from the end of a stream to the beginning of the next; zeros between them are padding.
    fn next_stream(mut self) -> io::Result<Option<Self>> {
        let mut begin = Vec::new();
        let mut byte = [0];
        while begin.len() < MAGIC.len() {
            match self.read(&mut byte) {
                Ok(0) => break,
                Ok(_) if byte == [0] && begin.is_empty() => {}
                Ok(_) => begin.extend(byte),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if !MAGIC.starts_with(&begin) {
            return Err(io::Error::new(ErrorKind::InvalidData, Trailing));
        }
        (self.bytes, self.given) = (begin, 0);
        Ok((!self.bytes.is_empty()).then_some(self))
    }
}

impl<R: BufRead> BufRead for Again<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &self.bytes[self.given..] {
            [] => self.input.fill_buf(),
            bytes => Ok(bytes),
        }
    }

    fn consume(&mut self, bytes: usize) {
        if self.given < self.bytes.len() {
            self.given += bytes;
        } else {
            self.input.consume(bytes);
        }
    }
}

impl<R: BufRead> Read for Again<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
