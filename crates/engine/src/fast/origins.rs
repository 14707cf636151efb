//! What packets came in with, where stages change it on the way (`docs/openqueue-semantics.md`, 11.5).

use forebay_core::{Duration, Packet, Time};

/// What a packet came in with.
#[derive(Debug, Clone, Copy)]
struct Origin {
    id: u64,
    arrival: Time,
    processing: Duration,
}

/// Origins by place. Inside, the place of a packet's origin stands for its `id`, which no policy reads. Empty if a policy has no
/// stages.
#[derive(Debug, Default)]
pub(super) struct Origins {
    kept: Vec<Origin>,
    free: Vec<usize>,
}

impl Origins {
    /// Keeps what a packet comes in with. The packet as it is inside.
    pub(super) fn enter(&mut self, packet: Packet) -> Packet {
        let Packet { id, arrival, processing, .. } = packet;
        let origin = Origin { id, arrival, processing };
        let place = match self.free.pop() {
            Some(place) => {
                self.kept[place] = origin;
                place
            }
            None => {
                self.kept.push(origin);
                self.kept.len() - 1
            }
        };
        Packet { id: place as u64, ..packet }
    }

    fn of(&self, packet: &Packet) -> Option<(usize, Origin)> {
        let place = usize::try_from(packet.id).ok()?;
        Some((place, *self.kept.get(place)?))
    }

    /// The packet as it would come out.
    pub(super) fn as_it_came(&self, packet: Packet) -> Packet {
        match self.of(&packet) {
            Some((_, Origin { id, arrival, processing })) => Packet { id, arrival, processing, ..packet },
            None => packet,
        }
    }

    /// Forgets what a packet came in with. The packet as it comes out.
    pub(super) fn leave(&mut self, packet: Packet) -> Packet {
        let out = self.as_it_came(packet);
        self.free.extend(self.of(&packet).map(|(place, _)| place));
        out
    }

    /// A packet that stays, with its own `id`.
    pub(super) fn shown(&self, packet: Packet) -> Packet {
        match self.of(&packet) {
            Some((_, Origin { id, .. })) => Packet { id, ..packet },
            None => packet,
        }
    }
}
