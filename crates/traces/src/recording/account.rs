//! Counts the packets of a recording, so that a warning can name all that are left out.

use crate::frame::Link;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// Counts of the part of a recording that has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The number of packet records.
    pub records: u64,
    /// The number of unused packets, by reason.
    #[serde(serialize_with = "as_list")]
    pub left_out: BTreeMap<Why, u64>,
    /// The number of used packets without a time of their own (Simple Packet Blocks).
    pub untimed: u64,
    /// The number of used packets whose time has a million microseconds or more besides its seconds.
    pub beyond_a_second: u64,
    /// The number of blocks of a pcapng that neither hold nor describe a packet, by type.
    pub other_blocks: BTreeMap<u32, u64>,
    /// The bytes of the blocks and records that were read, unpacked.
    pub bytes: u64,
    /// The bytes after the place where the recording is cut off or damaged; with `bytes` they add up to the whole file.
    pub bytes_left_out: u64,
}

/// The reasons why a packet is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The packet's interface has this link type, which is not supported.
    LinkType(i32),
    /// No block describes its interface.
    NoInterface,
    /// The packet's record is all zeros, as in a file that was not written to its end.
    Zeros,
    /// The packet does not match the filter.
    Filtered,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LinkType(number) => write!(f, "link type {number} ({}) is not supported", Link::name_of(*number)),
            Self::NoInterface => f.write_str("no block describes their interface"),
            Self::Zeros => f.write_str("their records are all zeros, since the file was cut off there or never filled"),
            Self::Filtered => f.write_str("they do not match the filter"),
        }
    }
}

/// One reason with its packets.
#[derive(Serialize)]
struct LeftOut {
    why: String,
    packets: u64,
}

fn as_list<S: Serializer>(left_out: &BTreeMap<Why, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(left_out.iter().map(|(why, packets)| LeftOut { why: why.to_string(), packets: *packets }))
}

fn packets(number: u64) -> String {
    format!("{number} packet{}", if number == 1 { "" } else { "s" })
}

impl Account {
    pub(super) fn leave_out(&mut self, why: Why) {
        *self.left_out.entry(why).or_default() += 1;
    }

    /// Returns the number of packets that are used.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.records - self.left_out.values().sum::<u64>()
    }

    /// Returns warnings about the recording, for a person who knows of the filter.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let of = |(why, packets): (&Why, &u64)| format!("{packets} of {} packets were left out: {why}", self.records);
        let untimed = (self.untimed > 0).then(|| {
            let what = "without a time of their own (Simple Packet Blocks) have that of the packet before each, or of the first one that has a time";
            format!("{} {what}", packets(self.untimed))
        });
        let beyond = (self.beyond_a_second > 0).then(|| {
            let what = "of a million microseconds or more beside their seconds, as if nanoseconds stood there; \
                        if they do, the first bytes of the file should be 4d 3c b2 a1 (little-endian) or a1 b2 3c 4d";
            format!("times {what}: of {}", packets(self.beyond_a_second))
        });
        let left_out = self.left_out.iter().filter(|(why, _)| **why != Why::Filtered).map(of);
        left_out.chain(untimed).chain(beyond).collect()
    }

    /// Returns advice about a recording that has no usable packet.
    #[must_use]
    pub(super) fn nothing_to_use(&self) -> String {
        let filtered = self.left_out.get(&Why::Filtered).copied().unwrap_or(0);
        if filtered > 0 {
            return format!("none of the {} packets can be used and matches the filter", self.records);
        }
        let is_foreign = self.left_out.keys().any(|why| matches!(why, Why::LinkType(_)));
        let what = match self.warnings().first() {
            Some(warning) => format!("the recording has no packets that can be used: {warning}"),
            None => "the recording has no packets".to_owned(),
        };
        if is_foreign { format!("{what}; the supported link types are {}", Link::all_names()) } else { what }
    }
}
