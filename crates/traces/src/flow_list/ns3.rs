//! Lists of flows of simulations with ns-3 since HPCC (SIGCOMM 2019). They have the number of flows, then a line for each: sender,
//! receiver, priority group, destination port, bytes and start in seconds.
//!
//! ```text
//! 2
//! 0 1 3 100 200000 2.000000000
//! 1 0 3 100 1000 2.000010000
//! ```
//!
//! Priority group and port are not kept. Nodes are identified by their numbers in the file.

use super::FlowListEntry;
use super::lines::{check_count, for_each_line};
use crate::error::TraceError;
use crate::flow_records::{FlowRecord, parse_start_s};

/// The registry's entry.
pub const ENTRY: FlowListEntry = FlowListEntry {
    name: "ns3",
    title: "flows of ns-3 (a number, then lines `src dst pg dport size_bytes start_seconds`)",
    recognise: |first| first.bytes().all(|byte| byte.is_ascii_digit()),
    read: |content, _, take| {
        let (mut announced, mut found) = (None, 0);
        for_each_line(content, |line, text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            if announced.is_none() {
                let count = text.parse::<u64>().ok();
                let count = count.ok_or_else(|| {
                    TraceError::at(line, format!("the first line must be the number of flows, not `{text}`"))
                })?;
                announced = Some((count, line));
                return Ok(());
            }
            let [src, dst, _group, _port, size, start] = words[..] else {
                let form = "src dst pg dport size_bytes start_seconds";
                return Err(TraceError::at(
                    line,
                    format!("a flow of ns-3 has 6 words (`{form}`), and this line has {}", words.len()),
                ));
            };
            let bytes = size.parse().ok().filter(|bytes| (1..u64::MAX).contains(bytes));
            let bytes = bytes.ok_or_else(|| {
                TraceError::at(
                    line,
                    format!("the size, the fifth word, must be a whole number of bytes, at least 1, not `{size}`"),
                )
            })?;
            let why =
                "the start, the sixth word, must be a number of seconds, zero or above, with at most twelve decimals";
            let start = parse_start_s(start).ok_or_else(|| TraceError::at(line, format!("{why}, not `{start}`")))?;
            found += 1;
            take(FlowRecord { start, src, dst, bytes }).map_err(|why| TraceError::at(line, why))
        })?;
        let (announced, line) = announced.unwrap_or((0, 1));
        check_count(announced, found, line)?;
        if found == 0 { Err(TraceError::at(line, "the file has no flows")) } else { Ok(()) }
    },
};
