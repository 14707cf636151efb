//! The records and blocks of a recording in their order, and the information in earlier blocks that later ones need.

use super::Captured;
use super::account::{Account, Why};
use super::interface::{Interface, NS_PER_S};
use crate::filter::{Filter, Seen};
use crate::frame::{Direction, IpHeader};
use pcap_parser::{Block, EnhancedPacketBlock, OptionCode, PcapBlockOwned};

/// The information in the blocks read so far.
#[derive(Default)]
pub(super) struct Blocks {
    interfaces: Vec<Interface>,
    is_big_endian: bool,
    last_ns: i128,
    /// The time of the first packet, from which filters count.
    first_ns: Option<i128>,
    /// The time of the first packet that has a time of its own.
    pub(super) first_own_ns: Option<i128>,
    /// The filter for packets, if not all are used.
    pub(super) filter: Option<Filter>,
    /// The IP header that is read in each packet.
    pub(super) header: IpHeader,
    pub(super) account: Account,
}

/// A packet as its record has it.
#[derive(Clone, Copy)]
struct Record<'b> {
    interface: usize,
    time: Time,
    original: u32,
    bytes: &'b [u8],
    /// If the block says it.
    direction: Option<Direction>,
}

/// The time at which a packet was recorded.
#[derive(Clone, Copy)]
enum Time {
    /// The packet has no time of its own.
    AsLast,
    Ticks(u64),
    /// Seconds since 1970, and ticks after that.
    Seconds(u32, u32),
}

/// The obsolete Packet Block, which the parser does not know.
const PACKET_BLOCK: u32 = 2;

impl Blocks {
    /// Sets the time of packets without one that precede all packets with a time.
    pub(super) fn begin_at(&mut self, first_ns: Option<i128>) {
        self.last_ns = first_ns.unwrap_or_default();
    }

    /// Returns the packet in a block, if there is a usable one.
    pub(super) fn packet<'b>(&mut self, block: &'b PcapBlockOwned<'_>) -> Option<Captured<'b>> {
        let record = match block {
            PcapBlockOwned::LegacyHeader(header) => {
                self.interfaces = vec![Interface::of_pcap(header)];
                return None;
            }
            PcapBlockOwned::Legacy(record) => {
                if [record.ts_sec, record.ts_usec, record.caplen, record.origlen] == [0; 4] {
                    self.account.records += 1;
                    self.account.leave_out(Why::Zeros);
                    return None;
                }
                Record {
                    interface: 0,
                    time: Time::Seconds(record.ts_sec, record.ts_usec),
                    original: record.origlen,
                    bytes: kept(record.data, record.caplen),
                    direction: None,
                }
            }
            PcapBlockOwned::NG(block) => self.record(block)?,
        };
        self.captured(record)
    }

    /// A packet of a block of a pcapng; others are counted.
    fn record<'b>(&mut self, block: &'b Block<'_>) -> Option<Record<'b>> {
        match block {
            Block::SectionHeader(header) => {
                self.interfaces.clear();
                self.is_big_endian = header.big_endian();
            }
            Block::InterfaceDescription(interface) => {
                self.interfaces.push(Interface::of_block(interface, self.is_big_endian));
            }
            Block::EnhancedPacket(packet) => {
                return Some(Record {
                    interface: packet.if_id as usize,
                    time: Time::Ticks(u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low)),
                    original: packet.origlen,
                    bytes: kept(packet.data, packet.caplen),
                    direction: direction_of(packet, self.is_big_endian),
                });
            }
            Block::SimplePacket(packet) => {
                let most = self.interfaces.first().and_then(|interface| interface.kept).unwrap_or(u32::MAX);
                return Some(Record {
                    interface: 0,
                    time: Time::AsLast,
                    original: packet.origlen,
                    bytes: kept(packet.data, packet.origlen.min(most)),
                    direction: None,
                });
            }
            Block::Unknown(other) if self.in_order(other.block_type) == PACKET_BLOCK => {
                return self.packet_block(other.data);
            }
            Block::Unknown(_) | Block::Custom(_) => self.count_other(self.in_order(block.magic())),
            other => self.count_other(other.magic()),
        }
        None
    }

    /// The type of a block, which the parser reads as a little-endian number where it does not know the block or it is a custom one.
    fn in_order(&self, block_type: u32) -> u32 {
        if self.is_big_endian { block_type.swap_bytes() } else { block_type }
    }

    /// Counts a block without a packet.
    fn count_other(&mut self, block_type: u32) {
        *self.account.other_blocks.entry(block_type).or_default() += 1;
    }

    /// A Packet Block: interface and drops in 2 bytes each, then time, lengths and the packet.
    fn packet_block<'b>(&self, data: &'b [u8]) -> Option<Record<'b>> {
        let word = |at: usize| {
            let bytes = data.get(at..at + 4)?.first_chunk::<4>()?;
            Some(if self.is_big_endian { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) })
        };
        let interface = data.first_chunk::<2>()?;
        let interface =
            if self.is_big_endian { u16::from_be_bytes(*interface) } else { u16::from_le_bytes(*interface) };
        Some(Record {
            interface: usize::from(interface),
            time: Time::Ticks(u64::from(word(4)?) << 32 | u64::from(word(8)?)),
            original: word(16)?,
            bytes: kept(data.get(20..)?, word(12)?),
            direction: None,
        })
    }

    fn captured<'b>(&mut self, record: Record<'b>) -> Option<Captured<'b>> {
        self.account.records += 1;
        let Some(interface) = self.interfaces.get(record.interface) else {
            self.account.leave_out(Why::NoInterface);
            return None;
        };
        let own_ns = match record.time {
            Time::AsLast => {
                self.account.untimed += 1;
                None
            }
            Time::Ticks(ticks) => Some(interface.ns(ticks)),
            Time::Seconds(seconds, ticks) => {
                let below = interface.since(u64::from(ticks));
                self.account.beyond_a_second += u64::from(below >= NS_PER_S);
                Some(i128::from(seconds) * NS_PER_S + below)
            }
        };
        self.first_own_ns = self.first_own_ns.or(own_ns);
        let ns = own_ns.unwrap_or(self.last_ns);
        let Some(link) = interface.link else {
            self.account.leave_out(Why::LinkType(interface.link_number));
            return None;
        };
        self.last_ns = ns;
        let first_ns = *self.first_ns.get_or_insert(ns);
        let wire_bytes = link.wire_bytes(record.bytes, record.original);
        let direction = || record.direction.or_else(|| link.direction(record.bytes));
        if let Some(filter) = &self.filter {
            let seen = Seen {
                since_first_ns: ns - first_ns,
                wire_bytes,
                interface: record.interface,
                interface_name: interface.name.as_deref(),
                direction: direction(),
                ..Seen::new(link, self.header, record.bytes)
            };
            if !filter.fits(&seen) {
                self.account.leave_out(Why::Filtered);
                return None;
            }
        }
        Some(Captured {
            ns,
            link,
            header: self.header,
            original_length: record.original,
            wire_bytes,
            frame: record.bytes,
            direction: direction(),
        })
    }
}

/// The option of an Enhanced Packet Block that has flags.
const EPB_FLAGS: OptionCode = OptionCode(2);

/// Returns the direction in the flags of a packet.
fn direction_of(packet: &EnhancedPacketBlock<'_>, is_big_endian: bool) -> Option<Direction> {
    let flags = packet.options.iter().find(|option| option.code == EPB_FLAGS)?;
    let bytes = flags.value.first_chunk::<4>()?;
    match if is_big_endian { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) } & 3 {
        1 => Some(Direction::In),
        2 => Some(Direction::Out),
        _ => None,
    }
}

/// The captured bytes without the padding of a block.
fn kept(data: &[u8], length: u32) -> &[u8] {
    data.get(..length as usize).unwrap_or(data)
}
