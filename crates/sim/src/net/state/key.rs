//! Whose state it is.

use crate::net::flow::HostId;
use crate::net::flow_table::FlowTable;
use crate::net::packets::InFlight;

/// Packets that need states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedOf {
    /// Whose states they are.
    pub key: StateKey,
    /// Whether packets without data need one, too.
    pub acknowledgements: bool,
}

impl AskedOf {
    /// Whether packets with data, or without, need a state.
    #[inline]
    pub(super) fn needs_state(self, has_data: bool) -> bool {
        self.acknowledgements || has_data
    }

    /// The state that a packet needs, if it needs one.
    #[inline]
    pub(super) fn state(self, way: &InFlight, flows: &FlowTable) -> Option<u64> {
        self.of(way.flow, way.to_receiver, way.has_data(), flows)
    }

    /// The same, of a packet of a flow.
    #[inline]
    pub(super) fn of(self, flow: u32, to_receiver: bool, has_data: bool, flows: &FlowTable) -> Option<u64> {
        self.needs_state(has_data).then(|| self.key.of(flow, to_receiver, || flows.ends(flow)))
    }
}

/// Which packets share a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKey {
    /// Those of one direction of a flow, as a 5-tuple does.
    Flow,
    /// Those of both directions of a flow.
    Connection,
    /// Those of the host that sends them.
    Source,
    /// Those of the host that they go to.
    Destination,
    /// Those from one host to another.
    Pair,
}

impl StateKey {
    /// All of them, by name.
    pub const ALL: [(&'static str, Self); 5] = [
        ("flow", Self::Flow),
        ("connection", Self::Connection),
        ("source", Self::Source),
        ("destination", Self::Destination),
        ("pair", Self::Pair),
    ];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, key)| *key == self).map_or("", |(name, _)| name)
    }

    /// The key of a packet; `ends` are the sender and the receiver of its flow.
    #[inline]
    pub(super) fn of(self, flow: u32, to_receiver: bool, ends: impl FnOnce() -> (HostId, HostId)) -> u64 {
        let from_to = || {
            let (sender, receiver) = ends();
            if to_receiver { (sender, receiver) } else { (receiver, sender) }
        };
        match self {
            Self::Flow => u64::from(flow) << 1 | u64::from(to_receiver),
            Self::Connection => u64::from(flow),
            Self::Source => u64::from(from_to().0.0),
            Self::Destination => u64::from(from_to().1.0),
            Self::Pair => {
                let (from, to) = from_to();
                u64::from(from.0) << 32 | u64::from(to.0)
            }
        }
    }

    /// Whether no other flow has these states.
    pub(super) fn is_of_one_flow(self) -> bool {
        matches!(self, Self::Flow | Self::Connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_share_states_as_their_names_say() {
        let ends = |from, to| move || (HostId(from), HostId(to));
        // Both directions of flow 3 from host 1 to host 2, and flow 4 back.
        for (key, there, back, other) in [
            (StateKey::Flow, 7, 6, 9),
            (StateKey::Connection, 3, 3, 4),
            (StateKey::Source, 1, 2, 2),
            (StateKey::Destination, 2, 1, 1),
            (StateKey::Pair, 1 << 32 | 2, 2 << 32 | 1, 2 << 32 | 1),
        ] {
            let keys = [key.of(3, true, ends(1, 2)), key.of(3, false, ends(1, 2)), key.of(4, true, ends(2, 1))];
            assert_eq!(keys, [there, back, other], "{}", key.name());
        }
    }
}
