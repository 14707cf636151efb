//! Ranks in a given order as CSV: one per line, or the column `rank` among others,
//! as in a packet CSV.
//!
//! ```text
//! rank
//! 3
//! 17
//! ```
//!
//! A file of ranks alone needs no header line.

use crate::error::TraceError;
use crate::rank_pattern::RankOrder;
use std::io::{BufRead, BufReader, ErrorKind, Read};

const COLUMN: &str = "rank";

/// Reads ranks in their order. Empty lines do not count. The reader splits lines itself, since numbers need no quoting and an error must
/// name its line with any line ending.
///
/// # Errors Names the line and the expected content.
pub fn read_rank_csv(input: impl Read) -> Result<RankOrder, TraceError> {
    let mut columns = None;
    let mut ranks = Vec::new();
    for (line, text) in (1..).zip(BufReader::new(input).lines()) {
        let text = text.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => TraceError::at(line, "this is not text; is it really a CSV file?"),
            _ => TraceError::Io(error),
        })?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        let columns = match &columns {
            Some(columns) => columns,
            None => {
                let first = columns.insert(Columns::of(line, text)?);
                if first.are_named {
                    continue;
                }
                first
            }
        };
        if ranks.len() == RankOrder::MAX_RANKS {
            return Err(TraceError::at(line, format!("an order has at most {} ranks", RankOrder::MAX_RANKS)));
        }
        ranks.push(columns.rank(line, text)?);
    }
    RankOrder::new(ranks)
        .map_err(|_| TraceError::File("there are no ranks in this file; write one per line".to_owned()))
}

/// The facts that the first line gives about all lines.
struct Columns {
    count: usize,
    /// The place of the column with ranks.
    place: usize,
    /// Whether the first line has names in place of a rank.
    are_named: bool,
}

impl Columns {
    fn of(line: u64, text: &str) -> Result<Self, TraceError> {
        let count = fields(text).count();
        match fields(text).position(|name| name == COLUMN) {
            Some(place) => Ok(Self { count, place, are_named: true }),
            None if count == 1 => Ok(Self { count, place: 0, are_named: false }),
            None => Err(TraceError::at(line, format!("there are {count} columns, but none is called `{COLUMN}`"))),
        }
    }

    fn rank(&self, line: u64, text: &str) -> Result<u64, TraceError> {
        let count = fields(text).count();
        if count != self.count {
            return Err(TraceError::at(line, format!("{count} fields where the first line has {}", self.count)));
        }
        let text = fields(text).nth(self.place).unwrap_or("");
        text.parse().map_err(|_| {
            TraceError::at(line, format!("a rank must be a whole number from 0 to {}, not `{text}`", u64::MAX))
        })
    }
}

fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(|field| field.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u64>, String> {
        match read_rank_csv(text.as_bytes()) {
            Ok(order) => Ok(order.ranks().to_vec()),
            Err(TraceError::Line { line, message }) => Err(format!("{line}: {message}")),
            Err(other) => Err(other.to_string()),
        }
    }

    #[test]
    fn ranks_stand_alone_or_in_a_column() {
        for text in
            ["3\n17\n0\n", "rank\n3\n17\n0", "3\r\n\r\n17\r\n 0 \r\n", "\u{feff}flow,\"rank\"\n1,3\n1,17\n2,0\n"]
        {
            assert_eq!(read(text).unwrap(), [3, 17, 0], "{text}");
        }
        assert_eq!(read("18446744073709551615\n").unwrap(), [u64::MAX]);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        assert!(matches!(read_rank_csv(&b"1\n\xff\n"[..]), Err(TraceError::Line { line: 2, .. })));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, wanted) in [
            ("3\nx\n", "2: a rank must be a whole number"),
            ("rank\r\n3\r\n-1\r\n", "3: a rank must be a whole number"),
            ("rank\n3\n\n-1\n", "4: a rank must be a whole number"),
            ("ranks\n3\n", "1: a rank must be a whole number"),
            ("18446744073709551616\n", "1: a rank must be a whole number"),
            ("1,2\n", "1: there are 2 columns, but none is called `rank`"),
            ("rank\n1,2\n", "2: 2 fields where the first line has 1"),
            ("a,rank\n1\n", "2: 1 fields where the first line has 2"),
            ("", "there are no ranks"),
            ("rank\n", "there are no ranks"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(wanted), "{text}: {error}");
        }
    }
}
