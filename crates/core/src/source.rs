//! Sources of packets.

use crate::packet::Packet;

/// A field of [`Packet`] that only some sources can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// A rank that the traffic itself carries.
    Rank,
    /// The bytes of the flow that are still to be sent.
    RemainingBytes,
    /// The packet's job size.
    Processing,
    /// The packet's slack.
    Slack,
    /// The packet's value.
    Value,
    /// The queue that the packet is directed to.
    Queue,
}

impl Field {
    /// Every field, in the order of their declaration.
    pub const ALL: [Self; 6] =
        [Self::Rank, Self::RemainingBytes, Self::Processing, Self::Slack, Self::Value, Self::Queue];

    /// Returns the field's name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::RemainingBytes => "remaining flow bytes",
            Self::Processing => "processing",
            Self::Slack => "slack",
            Self::Value => "value",
            Self::Queue => "a queue",
        }
    }
}

/// A set of [`Field`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fields(u8);

impl Fields {
    /// No field.
    pub const NONE: Self = Self(0);

    /// Every field.
    pub const ALL: Self = Self::NONE
        .with(Field::Rank)
        .with(Field::RemainingBytes)
        .with(Field::Processing)
        .with(Field::Slack)
        .with(Field::Value)
        .with(Field::Queue);

    /// Returns the set with `field` added.
    #[must_use]
    pub const fn with(self, field: Field) -> Self {
        Self(self.0 | 1 << field as u8)
    }

    /// Returns whether `field` is in the set.
    #[must_use]
    pub const fn contains(self, field: Field) -> bool {
        self.0 & (1 << field as u8) != 0
    }
}

/// A stream of packets in order of arrival.
pub trait Source {
    /// Returns the next packet; `None` at the end. Arrival times never decrease.
    fn next_packet(&mut self) -> Option<Packet>;

    /// Returns the optional fields that the packets of this source fill.
    fn fields(&self) -> Fields;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_fields_holds_what_was_put_in() {
        let set = Fields::NONE.with(Field::Rank).with(Field::Value);
        let held: Vec<_> = Field::ALL.into_iter().filter(|&f| set.contains(f)).collect();
        assert_eq!(held, [Field::Rank, Field::Value]);
        assert!(Field::ALL.into_iter().all(|f| Fields::ALL.contains(f)));
    }
}
