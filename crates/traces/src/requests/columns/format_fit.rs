//! Checks whether the lines at the start of a file fit a format in columns.

use super::fields::{Delimiter, Fields, all_columns};
use crate::requests::format::Start;

/// The number of lines of which one may be damaged; the reader names it.
const ONE_IN: usize = 50;

/// Returns whether the file is text whose first lines fit, except for a few damaged lines. A line has at most `most` columns.
pub(in crate::requests) fn fits(
    start: &Start<'_>,
    delimiter: Delimiter,
    most: usize,
    is_like: impl FnMut(&[&[u8]]) -> bool,
) -> bool {
    start.counted(1, in_columns(delimiter, most, is_like)).is_some_and(|(all, like)| (all - like) * ONE_IN <= all)
}

/// Returns whether the file is text whose first line fits, and most of the next lines fit.
pub(in crate::requests) fn lines_fit(start: &Start<'_>, is_like: impl FnMut(&[u8]) -> bool) -> bool {
    start.counted(1, is_like).is_some_and(|(all, like)| like * 2 >= all)
}

/// Returns whether a line has at most `most` columns, and they satisfy the given test.
pub(in crate::requests) fn in_columns(
    delimiter: Delimiter,
    most: usize,
    mut is_like: impl FnMut(&[&[u8]]) -> bool,
) -> impl FnMut(&[u8]) -> bool {
    let mut fields = Fields::default();
    move |line| {
        fields.split(line, delimiter, most.saturating_add(1)).is_ok() && {
            let columns: Vec<&[u8]> = fields.all(line).collect();
            columns.len() <= most && is_like(&columns)
        }
    }
}

/// Returns whether the first line has these names, in any case, and another line follows.
pub(in crate::requests) fn has_header(start: &Start<'_>, names: &str) -> bool {
    start.line().is_some_and(|line| line.eq_ignore_ascii_case(names.as_bytes()))
        && start.lines_after_first().next().is_some()
}

/// Returns the columns of the first line, if the file is text.
pub(in crate::requests) fn first_columns(start: &Start<'_>, delimiter: Delimiter) -> Vec<Vec<u8>> {
    start.line().map(|line| all_columns(line, delimiter)).unwrap_or_default()
}
