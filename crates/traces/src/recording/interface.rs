//! What an interface of a recording says about its packets.

use crate::frame::Link;
use pcap_parser::{InterfaceDescriptionBlock, OptionCode, PcapHeader};

pub(super) const NS_PER_S: i128 = 1_000_000_000;

/// An interface.
#[derive(Debug, Clone)]
pub(super) struct Interface {
    /// If the recording says it.
    pub(super) name: Option<String>,
    /// By its number; `None` if it is not read.
    pub(super) link: Option<Link>,
    pub(super) link_number: i32,
    /// Most bytes of a packet that were kept; `None`: all.
    pub(super) kept: Option<u32>,
    resolution: Resolution,
    offset_seconds: i64,
}

/// How many ticks a second has.
#[derive(Debug, Clone, Copy)]
enum Resolution {
    /// 10 to this power.
    Ten(u32),
    /// 2 to this power.
    Two(u32),
}

impl Interface {
    /// That of a pcap: the only one. The link type shares its word with the length of frame check sequences.
    pub(super) fn of_pcap(header: &PcapHeader) -> Self {
        const LINK_TYPE: i32 = 0xffff;
        let digits = if header.is_nanosecond_precision() { 9 } else { 6 };
        Self::new(header.network.0 & LINK_TYPE, None, Resolution::Ten(digits), 0)
    }

    /// One of a pcapng, in a section of this byte order.
    ///
    /// `pcap_parser` does not read a resolution that is a power of two, nor an offset of the other byte order.
    pub(super) fn of_block(block: &InterfaceDescriptionBlock<'_>, is_big_endian: bool) -> Self {
        const IS_POWER_OF_TWO: u8 = 0x80;
        let (mut resolution, mut offset_seconds, mut name) = (Resolution::Ten(6), 0, None);
        for option in &block.options {
            match (option.code, &*option.value) {
                (OptionCode::EndOfOpt, _) => break,
                (OptionCode::IfTsresol, [value, ..]) => {
                    let power = u32::from(value & !IS_POWER_OF_TWO);
                    let is_of_two = value & IS_POWER_OF_TWO != 0;
                    resolution = if is_of_two { Resolution::Two(power) } else { Resolution::Ten(power) };
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
        Self { name, ..Self::new(block.linktype.0, kept, resolution, offset_seconds) }
    }

    fn new(link_number: i32, kept: Option<u32>, resolution: Resolution, offset_seconds: i64) -> Self {
        Self { name: None, link: Link::from_number(link_number), link_number, kept, resolution, offset_seconds }
    }

    /// Nanoseconds since 1970; `None` if they do not fit.
    pub(super) fn ns(&self, ticks: u64) -> Option<i128> {
        let ticks = i128::from(ticks);
        let since = match self.resolution {
            Resolution::Ten(digits @ 0..=9) => ticks.checked_mul(10_i128.pow(9 - digits))?,
            // A tick that is shorter than any time that passed counts as none.
            Resolution::Ten(digits) => 10_i128.checked_pow(digits - 9).map_or(0, |divisor| ticks / divisor),
            Resolution::Two(power) if power < 127 => ticks.checked_mul(NS_PER_S)? >> power,
            Resolution::Two(_) => 0,
        };
        Some(i128::from(self.offset_seconds) * NS_PER_S + since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_powers_of_ten_or_two_and_count_from_an_offset() {
        let ns = |resolution, ticks| Interface::new(1, None, resolution, 2).ns(ticks).unwrap() - 2 * NS_PER_S;
        assert_eq!(ns(Resolution::Ten(0), 3), 3 * NS_PER_S);
        assert_eq!(ns(Resolution::Ten(6), 1_500_000), 1_500_000_000);
        assert_eq!(ns(Resolution::Ten(12), 5_000_000), 5_000);
        assert_eq!(ns(Resolution::Ten(100), u64::MAX), 0);
        assert_eq!(ns(Resolution::Two(0), 3), 3 * NS_PER_S);
        assert_eq!(ns(Resolution::Two(30), 1 << 29), NS_PER_S / 2);
        assert_eq!(ns(Resolution::Two(64), u64::MAX), NS_PER_S - 1);
        assert_eq!(ns(Resolution::Two(127), u64::MAX), 0);
    }
}
