//! Flow traces as CSV, flow by flow: who sends how many bytes to whom, and when.
//!
//! ```text
//! flow_id,src,dst,size_bytes,start_ns
//! 0,35,131,200000,0
//! 1,62,89,2000000,166074.25
//! ```
//!
//! The order of columns is free, and columns besides `start_ns`, `src`, `dst` and `size_bytes` are left alone. Starts are
//! in nanoseconds with up to three decimals, which are picoseconds. The size may be
//! `endless`, which is [`u64::MAX`] here. What the names of hosts mean is for the caller to say.

use crate::error::TraceError;
use crate::unix_lines::UnixLines;
use crate::unpack::Content;
use csv::StringRecord;
use forebay_core::Time;
use forebay_core::registry::suggest;
use std::fmt::Display;
use std::io::Read as _;

const COLUMNS: [&str; 4] = ["start_ns", "src", "dst", "size_bytes"];
/// The size of a flow that never ends.
const ENDLESS: &str = "endless";

/// One line of a flow trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowRecord<'a> {
    /// When it starts.
    pub start: Time,
    /// The sender, as the file names it.
    pub src: &'a str,
    /// The receiver, as the file names it.
    pub dst: &'a str,
    /// Bytes, at least 1; [`u64::MAX`] if it never ends.
    pub bytes: u64,
}

/// Reads a flow trace and hands each flow to `take`, in the order of the file. What `take` finds wrong becomes an error
/// that names the line.
///
/// # Errors
/// Names the line, the column and what it should be; or says that there are no flows.
pub fn read_flow_records<Fault: Display>(
    content: Content<'_>,
    mut take: impl FnMut(FlowRecord<'_>) -> Result<(), Fault>,
) -> Result<(), TraceError> {
    if content.is_empty() {
        return Err(TraceError::File(
            "the file is empty; a flow trace has a first line start_ns,src,dst,size_bytes".into(),
        ));
    }
    // With a line end after the last line, too, the reader stands one line behind each flow that it has read; its own
    // position of a record is that of the empty lines before it.
    let lines = UnixLines(content.input.chain(&b"\n"[..]));
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(lines);
    let places = places(&reader.headers()?.clone())?;
    let mut record = StringRecord::new();
    let mut flows = 0_u64;
    while reader.read_record(&mut record)? {
        let line = reader.position().line() - 1;
        let [start, src, dst, size] = places.map(|place| record.get(place).unwrap_or(""));
        let start = parse_start_ns(start).ok_or_else(|| {
            let range = "nanoseconds from 0, with at most three decimals";
            TraceError::at(line, format!("`start_ns` must be a number of {range}, not `{start}`"))
        })?;
        let bytes = parse_size(size).ok_or_else(|| {
            TraceError::at(line, format!("`size_bytes` must be a whole number from 1, or `{ENDLESS}`, not `{size}`"))
        })?;
        take(FlowRecord { start, src, dst, bytes }).map_err(|fault| TraceError::at(line, fault))?;
        flows += 1;
    }
    if flows == 0 {
        return Err(TraceError::File("the trace has no flows, only its first line".to_owned()));
    }
    Ok(())
}

/// Where the needed columns are.
fn places(header: &StringRecord) -> Result<[usize; COLUMNS.len()], TraceError> {
    let mut places = [0; COLUMNS.len()];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        let mut found = (0..header.len()).filter(|&index| &header[index] == name);
        *place = found.next().ok_or_else(|| {
            let hint = suggest(name, header.iter());
            TraceError::at(1, format!("column `{name}` is missing in the first line{hint}"))
        })?;
        if found.next().is_some() {
            return Err(TraceError::at(1, format!("column `{name}` is there twice")));
        }
    }
    Ok(places)
}

fn parse_size(text: &str) -> Option<u64> {
    if text == ENDLESS {
        return Some(u64::MAX);
    }
    text.parse().ok().filter(|bytes| *bytes > 0)
}

/// Reads nanoseconds with up to three decimals.
pub(crate) fn parse_start_ns(text: &str) -> Option<Time> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(decimals) || decimals.len() > 3 {
        return None;
    }
    let ps = whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(format!("{decimals:0<3}").parse().ok()?)?;
    Some(Time::from_ps(ps)).filter(|start| *start < Time::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(u64, String, String, u64)>, TraceError> {
        let mut flows = Vec::new();
        read_flow_records(Content::unpack(text.as_bytes())?, |FlowRecord { start, src, dst, bytes }| {
            flows.push((start.as_ps(), src.to_owned(), dst.to_owned(), bytes));
            if dst == "nobody" { Err("nobody is no host".to_owned()) } else { Ok(()) }
        })?;
        Ok(flows)
    }

    #[test]
    fn flows_are_read_to_the_picosecond() {
        let text = "flow_id,src,dst,size_bytes,start_ns\n0,a,\"b, c\",1,0.007\n1,2,1,endless,18446744073709551\n";
        let [a, bc, one, two] = ["a", "b, c", "1", "2"].map(str::to_owned);
        assert_eq!(read(text).unwrap(), [(7, a, bc, 1), (18_446_744_073_709_551_000, two, one, u64::MAX)]);
    }

    #[test]
    fn columns_stand_anywhere_and_lines_end_as_they_like() {
        let flows = read("\u{feff}size_bytes, more ,dst,src,start_ns\r\n5,x,b,a,1.5\r\n").unwrap();
        assert_eq!(flows, [(1_500, "a".to_owned(), "b".to_owned(), 5)]);
    }

    #[test]
    fn wrong_lines_are_named() {
        let header = "start_ns,src,dst,size_bytes\n";
        for (text, at, word) in [
            ("start_ns,source,dst,size_bytes\n".to_owned(), 1, "column `src` is missing"),
            ("start,src,dst,size_bytes\n".to_owned(), 1, "column `start_ns` is missing"),
            ("start_ns,src,src,dst,size_bytes\n".to_owned(), 1, "column `src` is there twice"),
            (format!("{header}0,a,b,5\nx,a,b,5\n"), 3, "`start_ns` must be a number of nanoseconds from 0"),
            (format!("{header}-1,a,b,5\n"), 2, "not `-1`"),
            (format!("{header}1.2345,a,b,5\n"), 2, "at most three decimals"),
            (format!("{header}1.,a,b,5\n"), 2, "not `1.`"),
            (format!("{header}18446744073709551.615,a,b,5\n"), 2, "`start_ns`"),
            (format!("{header}0,a,b,0\n"), 2, "`size_bytes` must be a whole number from 1"),
            (format!("{header}0,a,b,1.5\n"), 2, "not `1.5`"),
            (format!("{header}0,a,b,5\n\n0,a,nobody,5\n"), 4, "nobody is no host"),
            (format!("{header}0,a,b\n"), 2, "3 fields where the first line has 4"),
        ] {
            match read(&text) {
                Err(TraceError::Line { line, message }) => {
                    assert_eq!(line, at, "{text}");
                    assert!(message.contains(word), "{message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read("").unwrap_err().to_string().contains("the file is empty"));
        assert!(read(header).unwrap_err().to_string().contains("no flows"));
    }
}
