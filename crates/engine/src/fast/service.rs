//! Service of a packet, whole or cycle by cycle (7.2 to 7.4 of `docs/openqueue-semantics.md`).

use super::shape::Shape;
use super::slab::Stored;
use super::structure::Structure;
use super::switch::Switch;
use forebay_core::{Duration, Time};
use forebay_lang::ir::PortId;

impl<S: Structure, H: Shape> Switch<S, H> {
    /// Records the service of a packet of a port's queue, of which `left` remains. The packet departs if nothing remains.
    pub(super) fn served(
        &mut self,
        now: Time,
        port: PortId,
        (queue, slot): (usize, u32),
        left: Duration,
    ) -> Option<Stored> {
        self.running.world.set_left(queue, slot, left);
        if !H::PLAIN {
            self.after_service(now, usize::from(port.0), queue, slot);
        }
        if left > Duration::ZERO {
            self.running.world.queues[queue].packets.replace(slot);
            self.touch(queue);
            return None;
        }
        if !H::PLAIN {
            self.running.notify_late(queue, slot);
        }
        let stored = self.running.world.queues[queue].packets.take(slot)?;
        self.left(queue, stored.packet.size_bytes);
        Some(stored)
    }
}
