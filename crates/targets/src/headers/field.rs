//! The fields of a policy's packet that a host can read from headers.

use forebay_core::Packet;
use forebay_lang::ir::PacketField;

/// A field that is read from headers or metadata. The size and the time of arrival are the packet's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The queue that the packet is directed to, from 0.
    Queue,
    /// The packet's value.
    Value,
    /// Work in nanoseconds.
    Processing,
    /// The packet's slack: how late it may be, in nanoseconds.
    Slack,
    /// The number of the packet's flow.
    Flow,
    /// The bytes that the flow still has to send.
    Remaining,
    /// The packet's traffic class.
    Class,
    /// The packet's rank.
    Rank,
}

impl Field {
    /// Every field, in the order of the language's list.
    pub const ALL: [Self; 8] =
        [Self::Queue, Self::Value, Self::Processing, Self::Slack, Self::Flow, Self::Remaining, Self::Class, Self::Rank];

    /// Returns the field's name in policies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Value => "value",
            Self::Processing => "processing",
            Self::Slack => "slack",
            Self::Flow => "flow",
            Self::Remaining => "remaining",
            Self::Class => "class",
            Self::Rank => "rank",
        }
    }

    /// Returns the greatest number of the field; greater ones are clamped to it.
    #[must_use]
    pub fn most(self) -> u64 {
        match self {
            Self::Class => u8::MAX.into(),
            Self::Queue => u16::MAX.into(),
            Self::Value | Self::Flow => u32::MAX.into(),
            // What 64 bits of picoseconds hold.
            Self::Processing | Self::Slack => u64::MAX / 1_000,
            Self::Remaining | Self::Rank => u64::MAX,
        }
    }

    /// Returns the field of a packet; times are in nanoseconds.
    #[must_use]
    pub fn value(self, packet: &Packet) -> u64 {
        match self {
            Self::Class => packet.class.0.into(),
            Self::Queue => packet.queue.0.into(),
            Self::Value => packet.value.into(),
            Self::Flow => packet.flow.0.into(),
            Self::Processing => packet.processing.as_ns(),
            Self::Slack => packet.slack.as_ns(),
            Self::Remaining => packet.remaining_bytes,
            Self::Rank => packet.rank,
        }
    }

    /// Returns the field of a property; `None` if the host always knows the property.
    #[must_use]
    pub fn of(field: PacketField) -> Option<Self> {
        match field {
            PacketField::Queue => Some(Self::Queue),
            PacketField::Value => Some(Self::Value),
            PacketField::Processing => Some(Self::Processing),
            PacketField::Slack => Some(Self::Slack),
            PacketField::Flow => Some(Self::Flow),
            PacketField::Remaining => Some(Self::Remaining),
            PacketField::Class => Some(Self::Class),
            PacketField::Rank => Some(Self::Rank),
            PacketField::PolicyId
            | PacketField::Arrival
            | PacketField::Size
            | PacketField::Marked
            | PacketField::Notified => None,
        }
    }
}
