//! Every format of flow lists: one file and one line for each.

use crate::error::TraceError;
use crate::flow_records::FlowRecord;
use crate::unpack::Content;
use forebay_core::Duration;
use std::fmt::Display;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU8, Ordering};

mod lines;

forebay_core::registry! {
    /// Every format, in the order in which formats are tried.
    pub static FLOW_LISTS: [FlowListEntry] = {
        mod htsim;
        mod ns3;
        mod columns;
    }
}

/// One format in the registry.
pub struct FlowListEntry {
    /// The format's name.
    pub name: &'static str,
    /// Its description in one line.
    pub title: &'static str,
    /// Returns whether a file with this first line has the format.
    recognise: fn(&str) -> bool,
    /// Hands each flow on, in the order of the file.
    read: fn(Content<'_>, Option<Duration>, &mut Take<'_>) -> Result<(), TraceError>,
}

/// Receives a flow, or returns the reason why it is invalid.
type Take<'a> = dyn FnMut(FlowRecord<'_>) -> Result<(), String> + 'a;

/// Reads a list of flows and passes each to `take`, in the order of the file. A fault that `take` finds becomes an error that names the
/// line. `start_unit` is the unit of starts, for formats that do not define it. Returns warnings about the file.
///
/// # Errors Names the line, the fault and the expected content; or says that there are no flows.
pub fn read_flow_list<Fault: Display>(
    content: Content<'_>,
    start_unit: Option<Duration>,
    mut take: impl FnMut(FlowRecord<'_>) -> Result<(), Fault>,
) -> Result<Option<&'static str>, TraceError> {
    if content.is_empty() {
        let names: Vec<&str> = FLOW_LISTS.iter().map(|entry| entry.title).collect();
        return Err(TraceError::File(format!("the file is empty; flows are read from {}", names.join("; "))));
    }
    let start = String::from_utf8_lossy(&content.start);
    let first = start.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    // The last one takes any file, and says what is missing there.
    let fits = |entry: &&FlowListEntry| (entry.recognise)(first);
    let entry = FLOW_LISTS.iter().find(fits).unwrap_or(&FLOW_LISTS[FLOW_LISTS.len() - 1]);
    if start_unit.is_some() && entry.name != htsim::ENTRY.name {
        let why = "`start_unit` is for connections of htsim, whose unit is not in the file; the unit of this file is known, so leave \
                   `start_unit` out";
        return Err(TraceError::File(why.to_owned()));
    }
    let last = AtomicU8::new(b'\n');
    let content = Content { input: Box::new(LastByte { input: content.input, last: &last }), ..content };
    (entry.read)(content, start_unit, &mut |flow| take(flow).map_err(|fault| fault.to_string()))?;
    let is_cut = last.load(Ordering::Relaxed) != b'\n';
    Ok(is_cut.then_some("the last line has no line end; is the file complete?"))
}

/// Remembers the last byte that was read.
struct LastByte<'a> {
    input: Box<dyn Read + Send + 'a>,
    last: &'a AtomicU8,
}

impl Read for LastByte<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        if let Some(last) = buffer[..read].last() {
            self.last.store(*last, Ordering::Relaxed);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Flow = (u64, String, String, u64);

    fn read(text: &str, unit: Option<Duration>) -> Result<Vec<Flow>, TraceError> {
        let mut flows = Vec::new();
        read_flow_list(Content::unpack(text.as_bytes())?, unit, |FlowRecord { start, src, dst, bytes }| {
            flows.push((start.as_ps(), src.to_owned(), dst.to_owned(), bytes));
            if dst == "9" { Err("9 is no host") } else { Ok(()) }
        })?;
        Ok(flows)
    }

    fn flow(start: u64, src: &str, dst: &str, bytes: u64) -> Flow {
        (start, src.to_owned(), dst.to_owned(), bytes)
    }

    #[test]
    fn flows_of_ns3_are_read_to_the_picosecond() {
        let text = "\u{feff}2\r\n\r\n0 1 3 100 200000 2.000000000001\r\n 7\t0 3 100 1 0 # last\n";
        let expected = [flow(2_000_000_000_001, "0", "1", 200_000), flow(0, "7", "0", 1)];
        assert_eq!(read(text, None).unwrap(), expected);
    }

    #[test]
    fn starts_of_htsim_have_the_unit_that_is_given() {
        let text = "Nodes 4\nConnections 2\nTriggers 0\n1->2 id 1 start 0 size 2000000\n3->0 start 5 size 1\n";
        for (unit, start) in
            [(Duration::from_ps(1), 5), (Duration::from_ns(1), 5_000), (Duration::from_us(1), 5_000_000)]
        {
            let expected = [flow(0, "1", "2", 2_000_000), flow(start, "3", "0", 1)];
            assert_eq!(read(text, Some(unit)).unwrap(), expected);
        }
        let message = read(text, None).unwrap_err().to_string();
        assert!(message.contains("add `start_unit = \"ps\"`"), "{message}");
    }

    #[test]
    fn wrong_lines_are_named() {
        let ps = Some(Duration::from_ps(1));
        for (text, unit, at, word) in [
            ("2\n0 1 3 100 5 0\n", None, 1, "the file declares 2 flows here, but has 1"),
            ("1\n0 1 3 100 5 0\n0 1 3 100 5 0\n", None, 1, "but has 2"),
            ("1\n0 1 3 5 0\n", None, 2, "has 6 words"),
            ("1\n0 1 3 100 0 0\n", None, 2, "at least 1, not `0`"),
            ("1\n0 1 3 100 5 1e-3\n", None, 2, "not `1e-3`"),
            ("1\n0 9 3 100 5 0\n", None, 2, "9 is no host"),
            ("0\n", None, 1, "no flows"),
            ("Nodes 2\n0->1 start 0 size 5\n", ps, 2, "`Connections N` is missing"),
            ("Nodes 2\nConnections 1\n0->2 start 0 size 5\n", ps, 3, "declares 2 nodes"),
            ("Nodes 2\nConnections 1\n0->1 trigger 1 size 5\n", ps, 3, "`trigger`"),
            ("Nodes 2\nConnections 1\n0->1 size 5\n", ps, 3, "`start` is missing"),
            ("Nodes 2\nConnections 1\n0->1 start 0\n", ps, 3, "`size` must be a whole number"),
            ("Nodes 2\nConnections 1\n0-1 start 0 size 5\n", ps, 3, "not `0-1`"),
            ("Nodes 2\nConnections 1\nTriggers 1\n0->1 start 0 size 5\n", ps, 3, "`Triggers` are not supported"),
            ("Nodes 2\nConnections 1\n0->1 start 18446744073709551615 size 5\n", ps, 3, "213 days"),
        ] {
            match read(text, unit) {
                Err(TraceError::Line { line, message }) => {
                    assert_eq!(line, at, "{text}: {message}");
                    assert!(message.contains(word), "{message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        let long = format!("1\n{}\n", "0 ".repeat(3_000));
        assert!(read(&long, None).unwrap_err().to_string().contains("longer than"));
        assert!(read("1\n0 1 3 100 5 0\n", ps).unwrap_err().to_string().contains("leave `start_unit` out"));
        assert!(read("", None).unwrap_err().to_string().contains("the file is empty"));
        assert!(read("begin;src;dst\n", None).unwrap_err().to_string().contains("column `start_ns` is missing"));
    }
}
