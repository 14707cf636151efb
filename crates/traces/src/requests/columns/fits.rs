//! Whether the lines at the start of a file fit a format in columns.

use super::fields::{Delimiter, Fields};
use crate::requests::format::Start;

/// Lines that are looked at.
const LINES: usize = 1_000;
/// One in so many lines in columns may be damaged; the reader names it.
const ONE_IN: usize = 50;

/// Whether the file is text whose first lines fit, but for a few that are damaged. A line has at most `most` columns.
pub(in crate::requests) fn fits(
    start: &Start<'_>,
    delimiter: Delimiter,
    most: usize,
    is_like: impl FnMut(&[&[u8]]) -> bool,
) -> bool {
    looked_at(start, in_columns(delimiter, most, is_like)).is_some_and(|(all, unfit)| unfit * ONE_IN <= all)
}

/// Whether the file is text whose first line fits, and most of the next ones.
pub(in crate::requests) fn lines_fit(start: &Start<'_>, is_like: impl FnMut(&[u8]) -> bool) -> bool {
    looked_at(start, is_like).is_some_and(|(all, unfit)| unfit * 2 <= all)
}

/// Whether a line has at most so many columns, and they are like this.
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

/// How many of the first lines were looked at, and how many of them do not fit; [`None`] if the first does not.
fn looked_at(start: &Start<'_>, mut is_like: impl FnMut(&[u8]) -> bool) -> Option<(usize, usize)> {
    start.line().filter(|line| is_like(line))?;
    let others = start.lines_after_first().take(LINES - 1);
    Some(others.fold((1, 0), |(all, unfit), line| (all + 1, unfit + usize::from(!is_like(line)))))
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
