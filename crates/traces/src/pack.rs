//! Packs a written file with gzip, xz or zstd, according to its name.

use crate::codecs::{self, XzEncoder, ZstdEncoder};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// Levels that pack well and in time.
const XZ_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Nothing does.
    None,
    /// `.gz`
    Gzip,
    /// `.xz`
    Xz,
    /// `.zst`
    Zstd,
}

impl Packing {
    /// Returns the compression that the ending of a file's name selects, and the name without that ending.
    #[must_use]
    pub fn of_name(name: &str) -> (Self, &str) {
        let endings = [(".gz", Self::Gzip), (".xz", Self::Xz), (".zst", Self::Zstd), (".zstd", Self::Zstd)];
        let found = endings.into_iter().find_map(|(ending, packing)| Some((packing, name.strip_suffix(ending)?)));
        found.unwrap_or((Self::None, name))
    }
}

/// A file that is packed while it is written.
pub enum Packed<W: Write> {
    /// Writes without compression.
    Plain(W),
    /// Writes with gzip.
    Gzip(GzEncoder<W>),
    /// Writes with xz.
    Xz(XzEncoder<W>),
    /// Writes with zstd.
    Zstd(ZstdEncoder<W>),
}

impl<W: Write> Packed<W> {
    /// Begins to write to `out`.
    ///
    /// # Errors
    /// If writing fails, or this build lacks the codec.
    pub fn new(out: W, packing: Packing) -> io::Result<Self> {
        Ok(match packing {
            Packing::None => Self::Plain(out),
            Packing::Gzip => Self::Gzip(GzEncoder::new(out, Compression::default())),
            Packing::Xz => Self::Xz(codecs::write_xz(out, XZ_LEVEL)?),
            Packing::Zstd => Self::Zstd(codecs::write_zstd(out, ZSTD_LEVEL)?),
        })
    }

    /// Completes the file. Without this call it is cut off.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Xz(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Xz(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Xz(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
