//! Flow traces as CSV, flow by flow: sender, receiver, bytes and start.
//!
//! ```text
//! flow_id,src,dst,size_bytes,start_ns
//! 0,35,131,200000,0
//! 1,62,89,2000000,166074.25
//! ```
//!
//! The order of columns is free, and columns other than `start_ns`, `src`, `dst` and `size_bytes` are ignored. Starts are in nanoseconds
//! with up to three decimals, which are picoseconds. The size may be `endless`, which is read as [`u64::MAX`]. The caller interprets the
//! names of hosts.
//!
//! The flows of a result can be read as well. They have the start in seconds in `start`, and the size in `size`, which is empty for an
//! endless flow. The columns up to `policy,repetition` identify the run of a flow, and all flows must be of one run.

use crate::error::TraceError;
use crate::unix_lines::UnixLines;
use crate::unpack::Content;
use csv::StringRecord;
use forebay_core::Time;
use forebay_core::registry::suggest;
use std::fmt::Display;
use std::io::Read as _;

/// The names of each column: of a trace, and of the flows of a result.
const COLUMNS: [[&str; 2]; 4] = [["start_ns", "start"], ["src"; 2], ["dst"; 2], ["size_bytes", "size"]];
/// The last of the columns of a result that identify a flow's run.
const OF_RUN: [&str; 2] = ["policy", "repetition"];
/// The size of a flow that never ends.
const ENDLESS: &str = "endless";

/// One line of a flow trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowRecord<'a> {
    /// The time at which the flow starts.
    pub start: Time,
    /// The sender, as the file names it.
    pub src: &'a str,
    /// The receiver, as the file names it.
    pub dst: &'a str,
    /// The flow's bytes, at least 1; [`u64::MAX`] if the flow never ends.
    pub bytes: u64,
}

/// Reads a flow trace and passes each flow to `take`, in the order of the file. A fault that `take` finds becomes an error that names the
/// line.
///
/// # Errors Names the line, the column and the expected value; or says that there are no flows.
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
    let header = reader.headers()?.clone();
    let places = places(&header)?;
    let [start_name, _, _, size_name] = places.map(|place| header[place].to_owned());
    let is_of_result = start_name == COLUMNS[0][1];
    let of_run = of_run(&header);
    let mut first = StringRecord::new();
    let mut record = StringRecord::new();
    let mut flows = 0_u64;
    while reader.read_record(&mut record)? {
        let line = reader.position().line() - 1;
        let [start, src, dst, size] = places.map(|place| record.get(place).unwrap_or(""));
        let parsed = if is_of_result { parse_start_s(start) } else { parse_start_ns(start) };
        let start = parsed.ok_or_else(|| {
            let range = if is_of_result {
                "seconds from 0, with at most twelve decimals"
            } else {
                "nanoseconds from 0, with at most three decimals"
            };
            TraceError::at(line, format!("`{start_name}` must be a number of {range}, not `{start}`"))
        })?;
        let bytes = parse_size(if size.is_empty() && size_name == COLUMNS[3][1] { ENDLESS } else { size });
        let bytes = bytes.ok_or_else(|| {
            TraceError::at(line, format!("`{size_name}` must be a whole number from 1, or `{ENDLESS}`, not `{size}`"))
        })?;
        if flows == 0 {
            first.clone_from(&record);
        } else if !record.iter().take(of_run).eq(first.iter().take(of_run)) {
            let message = "this flow is from another run than the flows before it; keep the lines of one policy, one repetition and one \
                           value of each axis";
            return Err(TraceError::at(line, message));
        }
        take(FlowRecord { start, src, dst, bytes }).map_err(|fault| TraceError::at(line, fault))?;
        flows += 1;
    }
    if flows == 0 {
        return Err(TraceError::File("the trace has no flows, only its first line".to_owned()));
    }
    Ok(())
}

/// Returns the places of the required columns.
fn places(header: &StringRecord) -> Result<[usize; COLUMNS.len()], TraceError> {
    let mut places = [0; COLUMNS.len()];
    for (place, [name, of_result]) in places.iter_mut().zip(COLUMNS) {
        let is_there = header.iter().any(|column| column == name);
        let wanted = if is_there { name } else { of_result };
        let mut found = (0..header.len()).filter(|&index| &header[index] == wanted);
        *place = found.next().ok_or_else(|| {
            let hint = suggest(name, header.iter());
            TraceError::at(1, format!("column `{name}` is missing in the first line{hint}"))
        })?;
        if found.next().is_some() {
            return Err(TraceError::at(1, format!("column `{name}` occurs twice")));
        }
    }
    Ok(places)
}

/// Returns the number of first columns of a result that identify a flow's run.
fn of_run(header: &StringRecord) -> usize {
    let names: Vec<&str> = header.iter().collect();
    names.windows(OF_RUN.len()).position(|names| names == OF_RUN).map_or(0, |place| place + OF_RUN.len())
}

fn parse_size(text: &str) -> Option<u64> {
    if text == ENDLESS {
        return Some(u64::MAX);
    }
    text.parse().ok().filter(|bytes| *bytes > 0)
}

/// Reads nanoseconds with up to three decimals.
pub(crate) fn parse_start_ns(text: &str) -> Option<Time> {
    parse_start(text, 3)
}

/// Reads seconds with up to twelve decimals.
pub(crate) fn parse_start_s(text: &str) -> Option<Time> {
    parse_start(text, 12)
}

/// Reads a time with at most `most_decimals` decimals, of which the last is a picosecond.
fn parse_start(text: &str, most_decimals: usize) -> Option<Time> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(decimals) || decimals.len() > most_decimals {
        return None;
    }
    let unit = 10_u64.pow(u32::try_from(most_decimals).ok()?);
    let ps = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    let ps = ps.checked_add(format!("{decimals:0<most_decimals$}").parse().ok()?)?;
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
    fn flows_of_a_result_are_read() {
        let text = "load,policy,repetition,start,src,dst,size\n0.3,x,0,0.000000000007,a,b,1\n0.3,x,0,2,b,a,\n";
        let [a, b] = ["a", "b"].map(str::to_owned);
        assert_eq!(read(text).unwrap(), [(7, a.clone(), b.clone(), 1), (2_000_000_000_000, b, a, u64::MAX)]);
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
            ("begin,src,dst,size_bytes\n".to_owned(), 1, "column `start_ns` is missing"),
            ("start_ns,src,src,dst,size_bytes\n".to_owned(), 1, "column `src` occurs twice"),
            (format!("{header}0,a,b,5\nx,a,b,5\n"), 3, "`start_ns` must be a number of nanoseconds from 0"),
            (format!("{header}-1,a,b,5\n"), 2, "not `-1`"),
            (format!("{header}1.2345,a,b,5\n"), 2, "at most three decimals"),
            (format!("{header}1.,a,b,5\n"), 2, "not `1.`"),
            (format!("{header}18446744073709551.615,a,b,5\n"), 2, "`start_ns`"),
            (format!("{header}0,a,b,0\n"), 2, "`size_bytes` must be a whole number from 1"),
            (format!("{header}0,a,b,1.5\n"), 2, "not `1.5`"),
            (format!("{header}0,a,b,5\n\n0,a,nobody,5\n"), 4, "nobody is no host"),
            ("start,src,dst,size\n1e-9,a,b,5\n".to_owned(), 2, "`start` must be a number of seconds from 0"),
            ("policy,repetition,start,src,dst,size\nx,0,0,a,b,5\nx,1,0,a,b,5\n".to_owned(), 3, "another run"),
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
