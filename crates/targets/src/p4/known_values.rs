//! What a switch's program can know, or why not.

use crate::headers::Source;
use forebay_lang::Ratio;
use forebay_lang::ir::{PacketField, Queue};

/// Something computed, or why it cannot be.
pub(super) type Known<T> = Result<T, NotKnown>;

/// Why a switch cannot compute a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotKnown {
    #[error("reads a live param, which no packet has")]
    Live,
    #[error("`{0}` is not a packet's own")]
    NotOwn(String),
    #[error("`{0}` is not known here")]
    NotHere(PacketField),
    #[error(
        "`{0}` is a mark, and this program does not read marks of packets; take what the sender says in `class` or `value`"
    )]
    IsMark(PacketField),
    #[error(
        "`processing` falls while a packet is worked on, and a switch knows a packet's order when it comes; if packets are \
         sent whole, use `rank` or `remaining`"
    )]
    Falls,
    #[error("no header is known to say `{0}`")]
    NoHeader(&'static str),
    #[error("`{0}` is what a host's kernel knows, and not a switch; take a header")]
    OfHosts(Source),
    #[error("`flow-hash` is not what a switch's hash functions give; take the flow from a header")]
    FlowHash,
    #[error("`egress` is what the switch's own tables decide, and not this program; take a header")]
    Egress,
    #[error(
        "`{0}` is inside a tunnel, and no switch program parses so far; take an outer header, or run `forebay switch`"
    )]
    Inner(Source),
    #[error("`{source_of}` ends behind byte {most}, and no switch program parses so far")]
    TooFar { source_of: Source, most: u16 },
    #[error("`{0}` may reach 2^47, where numbers are cut; say that a field is narrower, such as udp[8:8]&0xffffffff")]
    MayBeCut(String),
    #[error("`{0}` is too large")]
    TooLarge(Ratio),
    #[error("`{0}` is not whole, and a switch's numbers are")]
    NotWhole(Ratio),
    #[error("a switch does not divide")]
    Division,
    #[error("a switch divides by powers of two only, and only what is not below 0")]
    Remainder,
    #[error("a switch does not multiply what two packets' fields say")]
    Product,
    #[error("the time of arrival wraps in a switch, so that it cannot {0}")]
    Wraps(&'static str),
}

/// What a queue is called in refusals.
pub(super) fn named(queue: &Queue) -> String {
    format!("queue {}", queue.name)
}
