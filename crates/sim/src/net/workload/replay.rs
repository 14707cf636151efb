//! Flows from a file.
//!
//! The forms are those of [`forebay_traces::flow_list`]: columns `start_ns`, `src`, `dst` and `size_bytes`, the flows of a result, flows of
//! ns-3 or connections of htsim. Files may be packed with gzip, xz or zstd. Hosts are given by name or, unless the name of one is a number,
//! by number.

use super::hosts::{Hosts, UnknownHost};
use crate::net::flow::{FlowSource, FlowSpec};
use forebay_core::Duration;
use forebay_traces::{Content, FlowRecord, TraceError, read_flow_list};
use std::io::Read;

/// Flows of a trace at most: a small packed file may hold more than fits into memory.
const MOST_FLOWS: usize = 50_000_000;

/// Bytes of a flow at most, as in files of distributions.
const MOST_BYTES: u64 = 1_000_000_000_000_000;

/// Why a line is no flow of a network.
#[derive(Debug, thiserror::Error)]
enum NoFlow {
    #[error("`{column}`: {host}")]
    Host { column: &'static str, host: UnknownHost },
    #[error("host `{0}` sends to itself; `dst` must be another host than `src`")]
    ToItself(String),
    #[error("`size_bytes` is {0}; flows have at most 10^15 bytes, or `endless`")]
    TooLarge(u64),
    #[error("up to this flow, all flows together have more than 2^64 bytes; give smaller sizes")]
    TooManyBytes,
    #[error("this is flow number {}, but a file has at most {MOST_FLOWS} flows; leave some out", MOST_FLOWS + 1)]
    TooMany,
}

/// Flows in memory, in order of their starts.
#[derive(Debug, Clone)]
pub struct Replay {
    flows: Vec<FlowSpec>,
    next: usize,
    warning: Option<&'static str>,
}

impl Replay {
    /// Replays `flows`; flows that start at the same time keep their order.
    #[must_use]
    pub fn new(mut flows: Vec<FlowSpec>) -> Self {
        flows.sort_by_key(|flow| flow.start);
        Self { flows, next: 0, warning: None }
    }

    /// Adds a warning about the file of the flows.
    #[must_use]
    pub fn warned(self, warning: Option<&'static str>) -> Self {
        Self { warning, ..self }
    }

    /// The warning about the file, for the user.
    #[must_use]
    pub fn warning(&self) -> Option<&'static str> {
        self.warning
    }

    /// All flows.
    #[must_use]
    pub fn flows(&self) -> &[FlowSpec] {
        &self.flows
    }
}

impl FlowSource for Replay {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        let flow = self.flows.get(self.next).copied();
        self.next += 1;
        flow
    }
}

/// Reads flows, in any order, as the workload with the number `workload`. `start_unit` is the unit of starts in formats that leave it open.
///
/// # Errors
/// Names the line and its form: a missing column, an unknown host, a host that sends to itself, a start or size that is no number, a size
/// of zero. More bytes in all than 64 bits can count are an error, and so is a file without flows.
pub fn read_flows(
    input: impl Read + Send,
    hosts: &Hosts,
    workload: u16,
    start_unit: Option<Duration>,
) -> Result<Replay, TraceError> {
    let mut flows = Vec::new();
    let mut all_bytes = 0_u64;
    let warning = read_flow_list(Content::unpack(input)?, start_unit, |FlowRecord { start, src, dst, bytes }| {
        let host = |column, text: &str| hosts.find(text).map_err(|host| NoFlow::Host { column, host });
        let (src, dst) = (host("src", src)?, host("dst", dst)?);
        if src == dst {
            return Err(NoFlow::ToItself(hosts.name(src).to_owned()));
        }
        if bytes != FlowSpec::ENDLESS && bytes > MOST_BYTES {
            return Err(NoFlow::TooLarge(bytes));
        }
        if bytes != FlowSpec::ENDLESS {
            let sum = all_bytes.checked_add(bytes);
            all_bytes = sum.ok_or(NoFlow::TooManyBytes)?;
        }
        if flows.len() >= MOST_FLOWS {
            return Err(NoFlow::TooMany);
        }
        flows.push(FlowSpec { start, src, dst, bytes, workload });
        Ok(())
    })?;
    Ok(Replay::new(flows).warned(warning))
}

#[cfg(test)]
mod tests {
    use super::super::hosts::tests::hosts;
    use super::*;
    use crate::net::flow::HostId;
    use forebay_core::Time;

    #[test]
    fn flows_are_sorted() {
        let hosts = hosts(2, 2);
        let text = "src,start_ns,dst,size_bytes\nh3,5,0,10\n1,0.25,h2,20\n2,5,1,endless\n";
        let replay = read_flows(text.as_bytes(), &hosts, 7, None).unwrap();
        let flow = |start, src, dst, bytes| FlowSpec {
            start: Time::from_ps(start),
            src: HostId(src),
            dst: HostId(dst),
            bytes,
            workload: 7,
        };
        let expected = [flow(250, 1, 2, 20), flow(5_000, 3, 0, 10), flow(5_000, 2, 1, FlowSpec::ENDLESS)];
        assert_eq!(replay.flows(), expected);
    }

    #[test]
    fn wrong_lines_are_named() {
        let header = "start_ns,src,dst,size_bytes";
        for (line, word) in [
            ("0,4,1,5", "`src`: there is no host `4`; hosts are numbered from 0 to 3"),
            ("0,1,h9,5", "`dst`: there is no host `h9`"),
            ("0,1,,5", "`dst`: there is no host ``"),
            ("0,1,h1,5", "host `h1` sends to itself"),
            ("x,0,1,5", "`start_ns` must be a number of nanoseconds"),
            ("0,0,1,0", "`size_bytes` must be a whole number from 1"),
        ] {
            let text = format!("{header}\n0,0,1,1\n{line}\n");
            match read_flows(text.as_bytes(), &hosts(2, 2), 0, None) {
                Err(TraceError::Line { line: 3, message }) => assert!(message.contains(word), "{message}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(read_flows("".as_bytes(), &hosts(2, 2), 0, None).is_err());
    }

    #[test]
    fn more_bytes_than_can_be_counted_are_refused() {
        // A header, one endless flow, and as many of the largest as 64 bits can count.
        let most = usize::try_from(u64::MAX / MOST_BYTES).unwrap();
        let largest = format!("0,0,1,{MOST_BYTES}\n");
        let text = format!("start_ns,src,dst,size_bytes\n0,0,1,endless\n{}", largest.repeat(most));
        assert_eq!(read_flows(text.as_bytes(), &hosts(2, 2), 0, None).unwrap().flows().len(), most + 1);
        for (more, word) in
            [(largest.clone(), "more than 2^64 bytes"), (format!("0,0,1,{}", MOST_BYTES + 1), "at most 10^15")]
        {
            match read_flows(format!("{text}{more}").as_bytes(), &hosts(2, 2), 0, None) {
                Err(TraceError::Line { line, message }) => {
                    assert!(message.contains(word) && line == most as u64 + 3, "{line}: {message}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
