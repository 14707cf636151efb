//! Values that a switch's program can compute, or why it cannot.

use crate::headers::Source;
use forebay_lang::Ratio;
use forebay_lang::ir::{PacketField, Queue};

/// A computed value, or why it cannot be computed.
pub(super) type Known<T> = Result<T, NotKnown>;

/// Why a switch cannot compute a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotKnown {
    #[error("reads a live param, and a switch's program has only constants")]
    Live,
    #[error("`{0}` is not a property of the packet itself")]
    NotOwn(String),
    #[error("`{0}` is not known here")]
    NotHere(PacketField),
    #[error(
        "`{0}` is a mark, and this program does not read marks of packets; let the sender put it into `class` or \
         `value`"
    )]
    IsMark(PacketField),
    #[error(
        "`processing` falls while a packet is served, and a switch fixes a packet's order when it arrives; if packets \
         are sent whole, use `rank` or `remaining`"
    )]
    Falls,
    #[error("no header gives `{0}`")]
    NoHeader(&'static str),
    #[error("`{0}` is known to a host's kernel, but not to a switch; use a header")]
    OfHosts(Source),
    #[error("a switch's hash functions do not compute `flow-hash`; take the flow from a header")]
    FlowHash,
    #[error("the switch's own tables decide `egress`, and not this program; use a header")]
    Egress,
    #[error(
        "`{0}` is inside a tunnel, and the switch program does not parse so far; use an outer header, or run `forebay \
         switch`"
    )]
    Inner(Source),
    #[error("`{source_of}` ends behind byte {most}, and the switch program does not parse so far")]
    TooFar { source_of: Source, most: u16 },
    #[error("`{0}` may reach 2^47, where numbers are clamped; make a field narrower, such as udp[8:8]&0xffffffff")]
    MayBeCut(String),
    #[error("`{0}` is too large")]
    TooLarge(Ratio),
    #[error("`{0}` is not a whole number, and a switch has only whole numbers")]
    NotWhole(Ratio),
    #[error("a switch does not divide")]
    Division,
    #[error("a switch divides by powers of two only, and only numbers of at least 0")]
    Remainder,
    #[error("a switch does not multiply two fields of packets")]
    Product,
    #[error("the time of arrival wraps in a switch, so it cannot {0}")]
    Wraps(&'static str),
}

/// Returns the name of a queue for errors.
pub(super) fn named(queue: &Queue) -> String {
    format!("queue {}", queue.name)
}
