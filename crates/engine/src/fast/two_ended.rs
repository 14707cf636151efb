//! Queues with two unrelated orders: a structure for each.

use super::queue_end::End;
use super::slab::{NIL, SERVICE, Slab, Stored, VICTIMS};
use super::structure::{Structure, in_slab};
use forebay_core::{Duration, Packet};

/// Two orders, each of which contains every packet.
#[derive(Debug)]
pub(super) struct TwoEnded {
    slab: Slab,
    service: End<SERVICE>,
    victims: End<VICTIMS>,
}

impl TwoEnded {
    pub(super) fn new(service: End<SERVICE>, victims: End<VICTIMS>) -> Self {
        Self { slab: Slab::new(), service, victims }
    }

    #[inline]
    fn remove(&mut self, slot: u32) -> &Stored {
        self.service.remove(&mut self.slab, slot);
        self.victims.remove(&mut self.slab, slot);
        self.slab.free(slot)
    }
}

impl Structure for TwoEnded {
    /// The key in service, and the key among victims.
    type Key = (u128, u128);

    #[inline]
    fn key(&self, stored: &Stored) -> Self::Key {
        (self.service.key(stored), self.victims.key(stored))
    }

    #[inline]
    fn insert(&mut self, stored: Stored, (service, victims): Self::Key) {
        let slot = self.slab.insert(stored);
        self.service.insert(&mut self.slab, slot, service);
        self.victims.insert(&mut self.slab, slot, victims);
    }

    #[inline]
    fn first(&self) -> u32 {
        self.service.first(&self.slab)
    }

    in_slab!();

    fn replace(&mut self, slot: u32) {
        self.service.replace(&mut self.slab, slot);
        self.victims.replace(&mut self.slab, slot);
    }

    #[inline]
    fn take(&mut self, slot: u32) -> Option<Stored> {
        Some(*self.remove(slot))
    }

    #[inline]
    fn release(&mut self, slot: u32) -> &Packet {
        &self.remove(slot).packet
    }

    #[inline]
    fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
        let slot = self.victims.first(&self.slab);
        if slot == NIL { None } else { Some(self.remove(slot).dropped()) }
    }

    #[inline]
    fn arriving_is_first(&self, arriving: &Stored, (service, _): Self::Key) -> bool {
        self.service.arriving_is_first(&self.slab, arriving, service)
    }

    #[inline]
    fn arriving_is_victim(&self, arriving: &Stored, (_, victims): Self::Key) -> bool {
        self.victims.arriving_is_first(&self.slab, arriving, victims)
    }
}
