//! Reads a trace of any known format, packed with gzip, xz, zstd or not.

use crate::error::TraceError;
use crate::filter::Filter;
use crate::flow_csv::{is_flow_csv, read_flow_csv};
use crate::frame::IpHeader;
use crate::packet_csv::{is_packet_csv, read_packet_csv};
use crate::pcap_reader::read_pcap;
use crate::recording::is_pcap;
use crate::trace::Trace;
use crate::unpack::{Content, without_mark};
use forebay_core::Rate;
use std::io::Read;

/// The part of an error message that lists the packet formats that a file does not have.
pub(crate) const PACKET_FORMATS: &str = "neither pcap, pcapng, packet CSV (first line with arrival_ps,size_bytes) nor flow \
                                         CSV (first line with start_ns,size_bytes)";

/// The packets to use, and the values that a flow trace needs to become packets.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The filter for packets of a recording; `None` uses all.
    pub filter: Option<Filter>,
    /// The IP header that is read in each packet of a recording.
    pub ip_header: IpHeader,
    /// Bytes of a full packet.
    pub packet_bytes: u32,
    /// The rate at which a sender sends the packets of a flow.
    pub access_rate: Rate,
}

/// Reads a trace; its content determines the format, not its name.
///
/// # Errors If the input is damaged, or is no pcap, pcapng, packet CSV or flow CSV.
pub fn read<'a>(input: impl Read + Send + 'a, options: &ReadOptions) -> Result<Trace, TraceError> {
    read_content(Content::unpack(input)?, options)
}

/// Reads the trace in a file that has been opened.
///
/// # Errors
/// As [`read`].
pub fn read_content(content: Content<'_>, options: &ReadOptions) -> Result<Trace, TraceError> {
    if content.start.is_empty() {
        return Err(TraceError::File("the file is empty".to_owned()));
    }
    let Content { start, input, .. } = content;
    match PacketFormat::of(&start) {
        Some(PacketFormat::Pcap) => read_pcap(input, options.filter.clone(), options.ip_header),
        Some(_) if options.filter.is_some() => Err(TraceError::File(
            "a filter is for recordings (pcap, pcapng); this file has no frames, so leave the filter out".to_owned(),
        )),
        Some(_) if options.ip_header != IpHeader::Outer => Err(TraceError::File(
            "inner IP headers are for recordings (pcap, pcapng); this file has no frames, so leave the option out"
                .to_owned(),
        )),
        Some(PacketFormat::PacketCsv) => read_packet_csv(input),
        Some(PacketFormat::FlowCsv) => read_flow_csv(input, options.packet_bytes, options.access_rate),
        None => {
            Err(TraceError::File(format!("this is not a trace: {PACKET_FORMATS}, packed with gzip, xz, zstd or not")))
        }
    }
}

/// The formats of packet traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacketFormat {
    /// A pcap or pcapng.
    Pcap,
    /// See [`crate::packet_csv`].
    PacketCsv,
    /// See [`crate::flow_csv`].
    FlowCsv,
}

impl PacketFormat {
    /// Returns the format of a file that has been opened, if it is a packet trace.
    #[must_use]
    pub fn of_content(content: &Content<'_>) -> Option<Self> {
        Self::of(&content.start)
    }

    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        if is_pcap(start) {
            return Some(Self::Pcap);
        }
        let first_line = without_mark(start).split(|&byte| byte == b'\n').next().unwrap_or(start);
        let header = String::from_utf8_lossy(first_line).split(',').collect::<csv::StringRecord>();
        if is_packet_csv(&header) {
            return Some(Self::PacketCsv);
        }
        is_flow_csv(&header).then_some(Self::FlowCsv)
    }
}
