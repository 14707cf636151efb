//! The properties that an interface of a recording gives to its packets.

use crate::frame::Link;
use pcap_parser::{InterfaceDescriptionBlock, OptionCode, PcapHeader};

pub(super) const NS_PER_S: i128 = 1_000_000_000;

/// An interface.
#[derive(Debug, Clone)]
pub(super) struct Interface {
    /// The interface's name, if the recording has it.
    pub(super) name: Option<String>,
    /// The link type; `None` if it is not supported.
    pub(super) link: Option<Link>,
    pub(super) link_number: i32,
    /// The maximum number of bytes of a packet that were kept; `None` if all were.
    pub(super) kept: Option<u32>,
    tick: Tick,
    offset_seconds: i64,
}

/// The length of a tick.
#[derive(Debug, Clone, Copy)]
enum Tick {
    /// A tick is this many nanoseconds.
    Nanoseconds(u64),
    /// A nanosecond has this many ticks.
    Parts(u128),
    /// A second divided by 2 to this power.
    SecondOverTwoTo(u32),
}

impl Tick {
    const MICROSECOND: Self = Self::Nanoseconds(1_000);
    const NANOSECOND: Self = Self::Nanoseconds(1);

    /// A second divided by 10 to this power.
    fn of_second_over_ten_to(power: u32) -> Self {
        match power {
            0..=9 => Self::Nanoseconds(10_u64.pow(9 - power)),
            // What is shorter than any time that passed counts as none.
            _ => Self::Parts(10_u128.checked_pow(power - 9).unwrap_or(u128::MAX)),
        }
    }
}

impl Interface {
    /// Returns the only interface of a pcap. The link type shares its word with the length of frame check sequences.
    pub(super) fn of_pcap(header: &PcapHeader) -> Self {
        const LINK_TYPE: i32 = 0xffff;
        let tick = if header.is_nanosecond_precision() { Tick::NANOSECOND } else { Tick::MICROSECOND };
        Self::new(header.network.0 & LINK_TYPE, None, tick, 0)
    }

    /// Returns an interface of a pcapng, in a section of this byte order.
    ///
    /// `pcap_parser` reads neither a resolution that is a power of two, nor an offset in the other byte order.
    pub(super) fn of_block(block: &InterfaceDescriptionBlock<'_>, is_big_endian: bool) -> Self {
        const IS_POWER_OF_TWO: u8 = 0x80;
        let (mut tick, mut offset_seconds, mut name) = (Tick::MICROSECOND, 0, None);
        for option in &block.options {
            match (option.code, &*option.value) {
                (OptionCode::EndOfOpt, _) => break,
                (OptionCode::IfTsresol, [value, ..]) => {
                    let power = u32::from(value & !IS_POWER_OF_TWO);
                    let is_of_two = value & IS_POWER_OF_TWO != 0;
                    tick = if is_of_two { Tick::SecondOverTwoTo(power) } else { Tick::of_second_over_ten_to(power) };
                }
                (OptionCode::IfTsoffset, value) => {
                    let Some(bytes) = value.first_chunk::<8>() else { continue };
                    offset_seconds =
                        if is_big_endian { i64::from_be_bytes(*bytes) } else { i64::from_le_bytes(*bytes) };
                }
                (OptionCode::IfName, value) => {
                    name = Some(String::from_utf8_lossy(value).trim_end_matches('\0').to_owned());
                }
                _ => {}
            }
        }
        let kept = (block.snaplen > 0).then_some(block.snaplen);
        Self { name, ..Self::new(block.linktype.0, kept, tick, offset_seconds) }
    }

    fn new(link_number: i32, kept: Option<u32>, tick: Tick, offset_seconds: i64) -> Self {
        Self { name: None, link: Link::from_number(link_number), link_number, kept, tick, offset_seconds }
    }

    /// Converts ticks to nanoseconds since 1970.
    #[inline]
    pub(super) fn ns(&self, ticks: u64) -> i128 {
        i128::from(self.offset_seconds) * NS_PER_S + self.since(ticks)
    }

    /// Converts a number of ticks to nanoseconds.
    #[inline]
    pub(super) fn since(&self, ticks: u64) -> i128 {
        let ticks = u128::from(ticks);
        let since = match self.tick {
            Tick::Nanoseconds(ns) => ticks * u128::from(ns),
            Tick::Parts(parts) => ticks / parts,
            Tick::SecondOverTwoTo(power) => (ticks * NS_PER_S.unsigned_abs()).checked_shr(power).unwrap_or(0),
        };
        // Less than 2^64 times 10^9.
        since.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_powers_of_ten_or_two_and_count_from_an_offset() {
        let ns = |tick, ticks| Interface::new(1, None, tick, 2).ns(ticks) - 2 * NS_PER_S;
        assert_eq!(ns(Tick::of_second_over_ten_to(0), 3), 3 * NS_PER_S);
        assert_eq!(ns(Tick::of_second_over_ten_to(6), 1_500_000), 1_500_000_000);
        assert_eq!(ns(Tick::of_second_over_ten_to(12), 5_000_000), 5_000);
        assert_eq!(ns(Tick::of_second_over_ten_to(100), u64::MAX), 0);
        assert_eq!(ns(Tick::SecondOverTwoTo(0), 3), 3 * NS_PER_S);
        assert_eq!(ns(Tick::SecondOverTwoTo(30), 1 << 29), NS_PER_S / 2);
        assert_eq!(ns(Tick::SecondOverTwoTo(64), u64::MAX), NS_PER_S - 1);
        assert_eq!(ns(Tick::SecondOverTwoTo(127), u64::MAX), 0);
    }
}
