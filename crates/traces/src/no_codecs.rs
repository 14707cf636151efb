//! Rejects xz and zstd in a program that was built without the feature `compression`.

use crate::error::TraceError;
use std::convert::Infallible;
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;

type Input<'a> = Box<dyn Read + Send + 'a>;

/// Rejects xz.
pub(crate) fn read_xz(_: Input<'_>, _: u64) -> Result<Input<'_>, TraceError> {
    Err(TraceError::File(missing("xz")))
}

/// Rejects zstd.
pub(crate) fn read_zstd(_: Input<'_>, _: u32) -> Result<Input<'_>, TraceError> {
    Err(TraceError::File(missing("zstd")))
}

/// Rejects xz.
pub(crate) fn write_xz<W: Write>(_: W, _: u32) -> io::Result<XzEncoder<W>> {
    Err(io::Error::new(ErrorKind::Unsupported, missing("xz")))
}

/// Rejects zstd.
pub(crate) fn write_zstd<W: Write>(_: W, _: i32) -> io::Result<ZstdEncoder<W>> {
    Err(io::Error::new(ErrorKind::Unsupported, missing("zstd")))
}

/// Returns whether reading failed because other bytes follow the packed data: without a codec, never.
pub(crate) fn is_trailing(_: &io::Error) -> bool {
    false
}

fn missing(codec: &str) -> String {
    format!(
        "this program was built without {codec} (feature `compression`); pack and unpack with the program {codec}, or use gzip"
    )
}

pub(crate) type XzEncoder<W> = Absent<W>;
pub(crate) type ZstdEncoder<W> = Absent<W>;

/// An encoder that this build lacks. It has no values.
pub struct Absent<W> {
    never: Infallible,
    out: PhantomData<W>,
}

impl<W> Absent<W> {
    pub(crate) fn finish(self) -> io::Result<W> {
        match self.never {}
    }
}

impl<W> Write for Absent<W> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.never {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.never {}
    }
}

#[cfg(test)]
mod tests {
    use crate::pack::{Packed, Packing};
    use crate::{Content, TraceError};

    #[test]
    fn a_build_without_codecs_says_so() {
        for (start, codec) in [(&b"\xfd7zXZ\0"[..], "xz"), (b"\x28\xb5\x2f\xfd", "zstd")] {
            let Err(TraceError::File(message)) = Content::unpack(start) else { panic!("{codec} was read") };
            assert!(message.starts_with(&format!("this program was built without {codec} (")), "{message}");
        }
        for packing in [Packing::Xz, Packing::Zstd] {
            assert!(Packed::new(Vec::new(), packing).is_err());
        }
        assert!(Content::unpack(&b"1\n2\n"[..]).is_ok());
    }
}
