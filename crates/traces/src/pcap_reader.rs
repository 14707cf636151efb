//! Reads pcap and pcapng recordings.
//!
//! The class of a packet is its DSCP, its flow the 5-tuple, its size the length on
//! the wire (not the captured length). A recording that is cut off in the middle
//! gives the packets before the cut, and a warning.

use crate::error::TraceError;
use crate::flow_table::FlowTable;
use crate::headers::{FlowKey, Link, classify};
use crate::trace::Trace;
use forebay_core::{ClassId, Packet, Time};
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};
use std::io::Read;

/// Room for a block at first, and at most.
const BUFFER_BYTES: usize = 1 << 16;
const MAX_BUFFER_BYTES: usize = 1 << 25;

/// Whether `start` looks like the start of a pcap or pcapng file.
#[must_use]
pub fn is_pcap(start: &[u8]) -> bool {
    let Some(magic) = start.first_chunk::<4>() else { return false };
    matches!(
        u32::from_le_bytes(*magic),
        0xa1b2_c3d4 | 0xd4c3_b2a1 | 0xa1b2_3c4d | 0x4d3c_b2a1 | 0xa1b2_cd34 | 0x34cd_b2a1 | 0x0a0d_0d0a
    )
}

/// Reads a whole recording.
///
/// # Errors
/// If it is not a pcap or pcapng file, has no packets, or its link layer is not
/// known.
pub fn read_pcap(input: impl Read + Send) -> Result<Trace, TraceError> {
    let mut collector = Collector::default();
    let mut reader = create_reader(BUFFER_BYTES, input).map_err(|error| match error {
        PcapError::Eof => TraceError::File("the file is empty; record packets with `tcpdump -w`".to_owned()),
        _ => TraceError::File("the header of the recording is damaged or cut off".to_owned()),
    })?;
    let mut capacity = BUFFER_BYTES;
    loop {
        let stop = match reader.next() {
            Ok((length, block)) => {
                collector.add(&block)?;
                reader.consume(length);
                continue;
            }
            Err(error) => Stop::from(&error),
        };
        // More bytes may help; a block may need a larger buffer.
        let full = stop == Stop::BufferTooSmall || reader.data().len() >= capacity;
        match stop {
            Stop::End => break,
            Stop::Incomplete | Stop::BufferTooSmall if full => {
                capacity *= 2;
                if capacity > MAX_BUFFER_BYTES || !reader.grow(capacity) {
                    collector.cut_off("a block is larger than any packet");
                    break;
                }
            }
            Stop::Incomplete if !reader.reader_exhausted() => {}
            Stop::Incomplete | Stop::BufferTooSmall => {
                collector.cut_off("the file ends in the middle of a packet");
                break;
            }
            Stop::Damaged => {
                collector.cut_off("the file is damaged");
                break;
            }
        }
        if reader.refill().is_err() {
            collector.cut_off("the file cannot be read any further");
            break;
        }
    }
    collector.into_trace()
}

/// Why the next block did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    End,
    Incomplete,
    BufferTooSmall,
    Damaged,
}

impl Stop {
    fn from(error: &PcapError<&[u8]>) -> Self {
        match error {
            PcapError::Eof => Self::End,
            PcapError::Incomplete(_) | PcapError::UnexpectedEof => Self::Incomplete,
            PcapError::BufferTooSmall => Self::BufferTooSmall,
            _ => Self::Damaged,
        }
    }
}

/// What one interface of a recording says about its packets.
#[derive(Debug, Clone, Copy)]
struct Interface {
    link: Link,
    ticks_per_second: u64,
    offset_seconds: i64,
}

#[derive(Default)]
struct Collector {
    interfaces: Vec<Interface>,
    nanoseconds: bool,
    flows: FlowTable<FlowKey>,
    /// Nanoseconds since 1970, and the packet.
    packets: Vec<(i128, Packet)>,
    warnings: Vec<String>,
    unreadable: u64,
}

impl Collector {
    fn add(&mut self, block: &PcapBlockOwned<'_>) -> Result<(), TraceError> {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                self.nanoseconds = header.is_nanosecond_precision();
                self.add_interface(header.network.0, 1_000_000, 0)?;
            }
            PcapBlockOwned::Legacy(record) => {
                let unit_ns = if self.nanoseconds { 1 } else { 1_000 };
                let ns = i128::from(record.ts_sec) * 1_000_000_000 + i128::from(record.ts_usec) * unit_ns;
                self.add_packet(0, Some(ns), record.origlen, captured(record.data, record.caplen));
            }
            PcapBlockOwned::NG(Block::SectionHeader(_)) => self.interfaces.clear(),
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                let ticks = interface.ts_resolution().unwrap_or(1_000_000).max(1);
                self.add_interface(interface.linktype.0, ticks, interface.if_tsoffset)?;
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let index = packet.if_id as usize;
                let ticks = i128::from(packet.ts_high) << 32 | i128::from(packet.ts_low);
                let ns = self.interfaces.get(index).map(|interface| {
                    i128::from(interface.offset_seconds) * 1_000_000_000
                        + ticks * 1_000_000_000 / i128::from(interface.ticks_per_second)
                });
                self.add_packet(index, ns, packet.origlen, captured(packet.data, packet.caplen));
            }
            PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                // It has no time: it arrives with the packet before it.
                let ns = self.packets.last().map(|&(ns, _)| ns);
                self.add_packet(0, ns.or(Some(0)), packet.origlen, captured(packet.data, packet.origlen));
            }
            PcapBlockOwned::NG(_) => {}
        }
        Ok(())
    }

    fn add_interface(&mut self, link: i32, ticks_per_second: u64, offset_seconds: i64) -> Result<(), TraceError> {
        let link = Link::from_number(link).ok_or_else(|| {
            TraceError::File(format!(
                "link type {link} is not supported; supported are Ethernet, raw IP, Linux cooked and BSD loopback \
                 (record with `tcpdump -y EN10MB`)"
            ))
        })?;
        self.interfaces.push(Interface { link, ticks_per_second, offset_seconds });
        Ok(())
    }

    fn add_packet(&mut self, interface: usize, ns: Option<i128>, original_length: u32, frame: &[u8]) {
        let (Some(&Interface { link, .. }), Some(ns)) = (self.interfaces.get(interface), ns) else {
            self.unreadable += 1;
            return;
        };
        let (dscp, key) = classify(link, frame);
        let packet = Packet {
            size_bytes: original_length,
            class: ClassId(dscp),
            flow: self.flows.id_of(key),
            ..Packet::default()
        };
        self.packets.push((ns, packet));
    }

    fn cut_off(&mut self, why: &str) {
        self.warnings.push(format!("{why}; the {} packets before that are used", self.packets.len()));
    }

    fn into_trace(mut self) -> Result<Trace, TraceError> {
        if self.unreadable > 0 {
            self.warnings.push(format!("{} packets of undeclared interfaces were left out", self.unreadable));
        }
        let Some(start) = self.packets.iter().map(|&(ns, _)| ns).min() else {
            let why = self.warnings.first().map_or_else(String::new, |warning| format!(" ({warning})"));
            return Err(TraceError::File(format!("the recording has no packets{why}")));
        };
        let most_ns = i128::from(Time::MAX.as_ps() / 1_000);
        if let Some(place) = self.packets.iter().position(|&(ns, _)| ns - start >= most_ns) {
            return Err(TraceError::File(format!(
                "packet {} is more than 213 days after the earliest one; if its time stamp is damaged, cut it out, \
                 otherwise split the recording",
                place + 1
            )));
        }
        let at = |ns: i128| Time::from_ns(u64::try_from(ns - start).unwrap_or(u64::MAX));
        let packets = self.packets.into_iter().map(|(ns, packet)| Packet { arrival: at(ns), ..packet }).collect();
        let trace = Trace { packets, warnings: self.warnings, ..Trace::default() };
        Ok(trace.finish().with_remaining_bytes())
    }
}

/// The captured bytes without the padding of a block.
fn captured(data: &[u8], length: u32) -> &[u8] {
    data.get(..length as usize).unwrap_or(data)
}
