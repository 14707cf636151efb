//! Input whose start is known before it is read.

use std::io::{self, Read};

/// The first bytes of an input, and the rest of it.
pub(super) struct Peeked<R> {
    start: Vec<u8>,
    /// The number of bytes of the start that have been read.
    read: usize,
    /// Why the input ends after its start.
    failed: Option<io::Error>,
    input: R,
}

impl<R: Read> Peeked<R> {
    /// Reads up to `bytes` bytes ahead and keeps them.
    pub(super) fn new(mut input: R, bytes: usize) -> Self {
        let mut start = Vec::new();
        let failed = input.by_ref().take(bytes as u64).read_to_end(&mut start).err();
        Self { start, read: 0, failed, input }
    }

    pub(super) fn start(&self) -> &[u8] {
        &self.start
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = &self.start[self.read..];
        if !rest.is_empty() {
            let read = rest.read(buffer)?;
            self.read += read;
            return Ok(read);
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.input.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes, then an error, then nothing.
    struct Failing(Vec<u8>, bool);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return if std::mem::replace(&mut self.1, true) { Ok(0) } else { Err(io::Error::other("damaged")) };
            }
            let length = self.0.len().min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }
    }

    #[test]
    fn all_is_read_once_and_an_error_stays_where_it_was() {
        for bytes in [0, 3, 10, 11, 20] {
            let mut peeked = Peeked::new(Failing((0..10).collect(), false), bytes);
            assert_eq!(peeked.start().len(), bytes.min(10));
            let mut all = Vec::new();
            assert_eq!(peeked.read_to_end(&mut all).unwrap_err().to_string(), "damaged");
            assert_eq!(all, (0..10).collect::<Vec<u8>>());
        }
    }
}
