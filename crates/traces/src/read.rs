//! Reads a trace of any known format, packed with gzip or not.

use crate::error::TraceError;
use crate::flow_csv::{is_flow_csv, read_flow_csv};
use crate::packet_csv::{is_packet_csv, read_packet_csv};
use crate::pcap_reader::{is_pcap, read_pcap};
use crate::trace::Trace;
use flate2::read::MultiGzDecoder;
use forebay_core::Rate;
use std::io::{Cursor, Read};

/// What a flow trace needs to become packets.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// Bytes of a full packet.
    pub packet_bytes: u32,
    /// The rate at which a sender sends the packets of a flow.
    pub access_rate: Rate,
}

/// How much of the file decides on its format.
const SNIFF_BYTES: u64 = 4_096;

/// Reads a trace; its content decides on the format, not its name.
///
/// # Errors
/// If it is no pcap, pcapng, packet CSV or flow CSV, or a damaged one.
pub fn read<'a>(input: impl Read + Send + 'a, options: &ReadOptions) -> Result<Trace, TraceError> {
    let (start, input) = sniff(input)?;
    if start.starts_with(&[0x1f, 0x8b]) {
        let (start, input) = sniff(MultiGzDecoder::new(input))?;
        return read_unpacked(&start, input, options);
    }
    read_unpacked(&start, input, options)
}

fn sniff<R: Read>(mut input: R) -> Result<(Vec<u8>, impl Read + use<R>), TraceError> {
    let mut start = Vec::new();
    input.by_ref().take(SNIFF_BYTES).read_to_end(&mut start)?;
    Ok((start.clone(), Cursor::new(start).chain(input)))
}

fn read_unpacked(start: &[u8], input: impl Read + Send, options: &ReadOptions) -> Result<Trace, TraceError> {
    if start.is_empty() {
        return Err(TraceError::File("the file is empty".to_owned()));
    }
    if is_pcap(start) {
        return read_pcap(input);
    }
    let first_line = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    let header = String::from_utf8_lossy(first_line).split(',').collect::<csv::StringRecord>();
    if is_packet_csv(&header) {
        read_packet_csv(input)
    } else if is_flow_csv(&header) {
        read_flow_csv(input, options.packet_bytes, options.access_rate)
    } else {
        Err(TraceError::File(
            "this is no trace: neither pcap, pcapng, packet CSV (first line with arrival_ps,size_bytes) nor flow CSV \
             (first line with start_ns,size_bytes), packed with gzip or not"
                .to_owned(),
        ))
    }
}
