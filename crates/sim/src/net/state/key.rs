//! The owner of a state.

use super::objects::Objects;
use crate::net::flow::{FlowSpec, HostId};
use crate::net::flow_table::FlowTable;
use crate::net::packets::{Carries, InFlight};

/// The packets that need states, and the states' keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedOf {
    /// The key that decides which packets share a state.
    pub key: StateKey,
    /// Whether packets without data need a state, too.
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
        if way.carries != Carries::Segment {
            return None;
        }
        self.of(way.flow, way.to_receiver, way.has_data(), flows)
    }

    /// Returns the key of the state that a packet of a flow needs.
    #[inline]
    pub(super) fn of(self, flow: u32, to_receiver: bool, has_data: bool, flows: &FlowTable) -> Option<u64> {
        self.needs_state(has_data).then(|| self.key.of(flow, to_receiver, || Ends::of(flows, flow)))
    }
}

/// The choice of the packets that share a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKey {
    /// All packets of one direction of a flow, as with a 5-tuple.
    Flow,
    /// All packets of both directions of a flow.
    Connection,
    /// All packets from the same host.
    Source,
    /// All packets to the same host.
    Destination,
    /// All packets from one host to another.
    Pair,
    /// All packets from one address and port, as address translation looks them up on the way out. The sender of each flow has its own
    /// port. Receivers have one port for each workload, like a service.
    SourcePort,
    /// All packets to one address and port, as a load balancer looks them up, or address translation on the way back.
    DestinationPort,
    /// All packets of the flows that carry the same object.
    Object(Objects),
}

/// The ends of a flow.
pub(super) struct Ends {
    pub(super) sender: HostId,
    pub(super) receiver: HostId,
    /// The workload, which represents the receiver's port.
    pub(super) service: u16,
}

impl Ends {
    fn of(flows: &FlowTable, flow: u32) -> Self {
        Self::of_flow(flows.flow(flow))
    }

    pub(super) fn of_flow(flow: &FlowSpec) -> Self {
        Self { sender: flow.src, receiver: flow.dst, service: flow.workload }
    }
}

impl StateKey {
    /// All keys, with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("flow", Self::Flow),
        ("connection", Self::Connection),
        ("source", Self::Source),
        ("destination", Self::Destination),
        ("pair", Self::Pair),
        ("source-port", Self::SourcePort),
        ("destination-port", Self::DestinationPort),
        ("object", Self::Object(Objects::DEFAULT)),
    ];

    /// The name of the key.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = match self {
            Self::Object(_) => Self::Object(Objects::DEFAULT),
            other => other,
        };
        Self::ALL.iter().find(|(_, key)| *key == known).map_or("", |(name, _)| name)
    }

    /// Returns the key of a packet; `ends` returns the ends of its flow.
    #[inline]
    pub(super) fn of(self, flow: u32, to_receiver: bool, ends: impl FnOnce() -> Ends) -> u64 {
        // Even numbers are ports of senders, odd ones those of receivers.
        let sender_port = u64::from(flow) << 1;
        let receiver_port =
            |Ends { receiver, service, .. }: Ends| u64::from(receiver.0) << 17 | u64::from(service) << 1 | 1;
        let from_to = |Ends { sender, receiver, .. }: Ends| match to_receiver {
            true => (sender, receiver),
            false => (receiver, sender),
        };
        match self {
            Self::Flow => u64::from(flow) << 1 | u64::from(to_receiver),
            Self::Connection => u64::from(flow),
            Self::Source => u64::from(from_to(ends()).0.0),
            Self::Destination => u64::from(from_to(ends()).1.0),
            Self::Pair => {
                let (from, to) = from_to(ends());
                u64::from(from.0) << 32 | u64::from(to.0)
            }
            Self::SourcePort if to_receiver => sender_port,
            Self::SourcePort => receiver_port(ends()),
            Self::DestinationPort if to_receiver => receiver_port(ends()),
            Self::DestinationPort => sender_port,
            Self::Object(objects) => objects.of(flow),
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
        let ends = |from, to| move || Ends { sender: HostId(from), receiver: HostId(to), service: 5 };
        let port = |host: u64| host << 17 | 5 << 1 | 1;
        // Both directions of flow 3 from host 1 to host 2, and flow 4 back.
        for (key, there, back, other) in [
            (StateKey::Flow, 7, 6, 9),
            (StateKey::Connection, 3, 3, 4),
            (StateKey::Source, 1, 2, 2),
            (StateKey::Destination, 2, 1, 1),
            (StateKey::Pair, 1 << 32 | 2, 2 << 32 | 1, 2 << 32 | 1),
            (StateKey::SourcePort, 6, port(2), 8),
            (StateKey::DestinationPort, port(2), 6, port(1)),
        ] {
            let keys = [key.of(3, true, ends(1, 2)), key.of(3, false, ends(1, 2)), key.of(4, true, ends(2, 1))];
            assert_eq!(keys, [there, back, other], "{}", key.name());
        }
        let objects = Objects { count: 1_000, skew: 900, seed: 3 };
        let key = StateKey::Object(objects);
        let keys = [key.of(3, true, ends(1, 2)), key.of(3, false, ends(1, 2)), key.of(4, true, ends(2, 1))];
        assert_eq!(keys, [objects.of(3), objects.of(3), objects.of(4)]);
        assert_eq!(key.name(), "object");
    }
}
