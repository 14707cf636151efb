//! Lines of words, one at a time.

use crate::error::TraceError;
use crate::unpack::{Content, read_error};
use std::io::{BufRead as _, BufReader, Read as _};

/// A longer line is none of a list of flows.
const MOST_BYTES: u64 = 4_096;

/// Passes each line with content to `take`, with its number from 1. Text after a `#` is ignored.
pub(super) fn for_each_line(
    content: Content<'_>,
    mut take: impl FnMut(u64, &str) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    let mut input = BufReader::new(content.input);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = input.by_ref().take(MOST_BYTES + 1).read_until(b'\n', &mut bytes).map_err(read_error)?;
        if read == 0 {
            break;
        }
        if read as u64 > MOST_BYTES {
            return Err(TraceError::at(
                number,
                format!("the line is longer than {MOST_BYTES} bytes; is this a list of flows?"),
            ));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| TraceError::at(number, "this is not text; is it a list of flows?"))?;
        let line = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            take(number, line)?;
        }
    }
    Ok(())
}

/// Checks that a file has as many flows as its head announces.
pub(super) fn check_count(announced: u64, found: u64, line: u64) -> Result<(), TraceError> {
    if announced == found {
        return Ok(());
    }
    let why =
        format!("the file declares {announced} flows here, but has {found}; if it is complete, write {found} here");
    Err(TraceError::at(line, why))
}
