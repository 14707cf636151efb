//! Converts text with the line endings of Windows to those of Unix.
//!
//! Otherwise, the CSV reader would count lines wrongly by one in files that end their lines with a carriage return and a line feed.

use std::io::{Read, Result};

/// Leaves out carriage returns, which no number has.
#[derive(Debug)]
pub(crate) struct UnixLines<R>(pub(crate) R);

impl<R: Read> Read for UnixLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            let read = self.0.read(buffer)?;
            let mut kept = 0;
            for place in 0..read {
                if buffer[place] != b'\r' {
                    buffer[kept] = buffer[place];
                    kept += 1;
                }
            }
            // Nothing but carriage returns is not the end.
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UnixLines;
    use std::io::Read;

    #[test]
    fn only_carriage_returns_are_left_out() {
        let mut text = String::new();
        UnixLines("\r\r\ra,b\r\n\r1\r\n".as_bytes()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "a,b\n1\n");
        let mut one = [0];
        assert_eq!(UnixLines("\r\rx".as_bytes()).read(&mut one).unwrap(), 1);
        assert_eq!(one, *b"x");
    }
}
