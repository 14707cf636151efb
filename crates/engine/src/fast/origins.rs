//! The original fields of packets, if stages change them on the way (`docs/openqueue-semantics.md`, 11.5).

use forebay_core::{Duration, Packet, Time};
use slab::Slab;

/// The original fields of a packet.
#[derive(Debug, Clone, Copy)]
struct Origin {
    id: u64,
    arrival: Time,
    processing: Duration,
}

/// Origins by their numbers. Inside, the number of a packet's origin replaces its `id`, which no policy reads. Empty if a policy has no
/// stages.
#[derive(Debug, Default)]
pub(super) struct Origins(Slab<Origin>);

impl Origins {
    /// Stores the original fields of an arriving packet. Returns the packet as it is inside.
    pub(super) fn enter(&mut self, packet: Packet) -> Packet {
        let Packet { id, arrival, processing, .. } = packet;
        Packet { id: self.0.insert(Origin { id, arrival, processing }) as u64, ..packet }
    }

    fn of(&self, packet: &Packet) -> Option<Origin> {
        self.0.get(usize::try_from(packet.id).ok()?).copied()
    }

    /// Returns the packet with its original fields.
    pub(super) fn as_it_came(&self, packet: Packet) -> Packet {
        match self.of(&packet) {
            Some(Origin { id, arrival, processing }) => Packet { id, arrival, processing, ..packet },
            None => packet,
        }
    }

    /// Removes the original fields of a packet. Returns the packet as it departs.
    pub(super) fn leave(&mut self, packet: Packet) -> Packet {
        let out = self.as_it_came(packet);
        if let Ok(number) = usize::try_from(packet.id) {
            self.0.try_remove(number);
        }
        out
    }

    /// Returns a packet that stays, with its own `id`.
    pub(super) fn shown(&self, packet: Packet) -> Packet {
        match self.of(&packet) {
            Some(Origin { id, .. }) => Packet { id, ..packet },
            None => packet,
        }
    }
}
