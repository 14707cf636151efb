//! Whether the lines at the start of a file fit a format in columns.

use super::fields::{Delimiter, Fields};
use crate::requests::format::Start;

/// Lines that are looked at.
const LINES: usize = 64;

/// Whether the file is text whose first lines all fit. A line has at most `most` columns.
pub(in crate::requests) fn fits(
    start: &Start<'_>,
    delimiter: Delimiter,
    most: usize,
    mut is_like: impl FnMut(&[&[u8]]) -> bool,
) -> bool {
    let mut fields = Fields::default();
    let mut lines = start.line().into_iter().chain(start.lines_after_first()).take(LINES).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            fields.split(line, delimiter, most + 1).is_ok() && {
                let columns: Vec<&[u8]> = fields.all(line).collect();
                columns.len() <= most && is_like(&columns)
            }
        })
}

/// Whether the first line has these names, in any case, and a line follows.
pub(in crate::requests) fn has_header(start: &Start<'_>, names: &str) -> bool {
    start.line().is_some_and(|line| line.eq_ignore_ascii_case(names.as_bytes()))
        && start.lines_after_first().next().is_some()
}

/// The columns of the first line, if the file is text.
pub(in crate::requests) fn first_columns(start: &Start<'_>, delimiter: Delimiter) -> Vec<Vec<u8>> {
    let mut fields = Fields::default();
    match start.line() {
        Some(line) if fields.split(line, delimiter, usize::MAX).is_ok() => {
            fields.all(line).map(<[u8]>::to_vec).collect()
        }
        _ => Vec::new(),
    }
}
