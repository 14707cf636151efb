//! Flow traces as CSV: the start time and the bytes of each flow.
//!
//! ```text
//! start_ns,src,dst,size_bytes
//! 0,35,131,200000
//! ```
//!
//! `start_ns` and `size_bytes` are required, `class` is optional, and other columns, such as those of another simulator's results, are
//! ignored. Starts may have three decimals, as [`crate::flow_records`] writes them. Each flow is sent back to back, at the rate of its
//! sender's link.

use crate::error::TraceError;
use crate::flow_records::parse_start_ns;
use crate::trace::Trace;
use crate::unix_lines::UnixLines;
use csv::StringRecord;
use forebay_core::{ClassId, FlowId, Packet, Rate, convert};
use std::io::Read;

/// Returns whether `header` is the first line of a flow trace.
#[must_use]
pub fn is_flow_csv(header: &StringRecord) -> bool {
    header.iter().any(|column| column.trim() == "start_ns")
}

/// Packets that a trace may have at most; a few flows can be very large.
const MAX_PACKETS: u64 = 200_000_000;

/// Reads a flow trace and cuts its flows into packets of at most `packet_bytes`,
/// sent back to back at `access_rate`.
///
/// # Errors Names the line, the column and the expected value.
///
/// # Panics If `packet_bytes` is 0.
pub fn read_flow_csv(input: impl Read, packet_bytes: u32, access_rate: Rate) -> Result<Trace, TraceError> {
    assert!(packet_bytes > 0, "packets have bytes");
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(UnixLines(input));
    let header = reader.headers()?.clone();
    let column = |name: &str| header.iter().position(|column| column == name);
    let missing = |name: &str| TraceError::at(1, format!("column `{name}` is missing"));
    let start = column("start_ns").ok_or_else(|| missing("start_ns"))?;
    let size = column("size_bytes").ok_or_else(|| missing("size_bytes"))?;
    let class = column("class");

    let mut trace = Trace::default();
    let mut flow = FlowId(0);
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(1, csv::Position::line);
        let number = |index: usize, max: u64| match record.get(index).map(str::parse::<u64>) {
            Some(Ok(number)) if number <= max => Ok(number),
            _ => {
                let (name, text) = (&header[index], record.get(index).unwrap_or(""));
                Err(TraceError::at(line, format!("`{name}` must be a whole number from 0 to {max}, not `{text}`")))
            }
        };
        let start = record.get(start).unwrap_or("");
        let mut at = parse_start_ns(start).ok_or_else(|| {
            let range = "nanoseconds from 0, with at most three decimals";
            TraceError::at(line, format!("`start_ns` must be a number of {range}, not `{start}`"))
        })?;
        let mut left = number(size, u64::MAX)?;
        let class = class.map_or(Ok(0), |index| number(index, u8::MAX.into()))?;
        if left.div_ceil(u64::from(packet_bytes)) + trace.packets.len() as u64 > MAX_PACKETS {
            return Err(TraceError::at(line, format!("up to this flow there are more than {MAX_PACKETS} packets")));
        }
        while left > 0 {
            let size_bytes = packet_bytes.min(convert::saturate(left));
            trace.packets.push(Packet {
                arrival: at,
                size_bytes,
                flow,
                class: ClassId(u8::try_from(class).expect("a class of 8 bits was read")),
                ..Packet::default()
            });
            at += access_rate.transmission_time(size_bytes);
            left -= u64::from(size_bytes);
        }
        flow.0 += 1;
    }
    if trace.packets.is_empty() {
        return Err(TraceError::File("the trace has no flows with bytes".to_owned()));
    }
    // Flows overlap: their packets are brought into one order, which is no fault of the file.
    trace.packets.sort_by_key(|packet| packet.arrival);
    Ok(trace.finish().with_remaining_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Trace, TraceError> {
        read_flow_csv(text.as_bytes(), 1_000, Rate::parse("8 Gbps").unwrap())
    }

    #[test]
    fn flows_overlap_and_count_down() {
        let trace = read("flow_id,start_ns,size_bytes\na,0,2500\nb,500,1000\n").unwrap();
        let packets: Vec<_> = trace
            .packets
            .iter()
            .map(|p| (p.arrival.as_ps() / 1_000, p.flow.0, p.size_bytes, p.remaining_bytes))
            .collect();
        assert_eq!(
            packets,
            [(0, 0, 1_000, 2_500), (500, 1, 1_000, 1_000), (1_000, 0, 1_000, 1_500), (2_000, 0, 500, 500)]
        );
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, word) in [
            ("start_ns,size\n0,1\n", "`size_bytes` is missing"),
            ("start_ns,size_bytes\n0,x\n", "`size_bytes` must be a whole number"),
            ("start_ns,size_bytes\n-1,5\n", "`start_ns` must be a number of nanoseconds"),
            ("start_ns,size_bytes\n0,18446744073709551615\n", "more than"),
            ("start_ns,size_bytes\n0,0\n", "no flows"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
