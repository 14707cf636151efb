//! Queues with two orders that have nothing to do with each other: a structure for each.

use super::end::End;
use super::slab::{SERVICE, Slab, Stored, VICTIMS};
use super::structure::Structure;

/// Every packet is in both orders.
#[derive(Debug)]
pub(super) struct TwoEnded {
    service: End<SERVICE>,
    victims: End<VICTIMS>,
}

impl TwoEnded {
    pub(super) fn new(service: End<SERVICE>, victims: End<VICTIMS>) -> Self {
        Self { service, victims }
    }

    #[inline]
    fn remove(&mut self, slab: &mut Slab, slot: u32) {
        self.service.remove(slab, slot);
        self.victims.remove(slab, slot);
    }
}

impl Structure for TwoEnded {
    /// In service, and among victims.
    type Key = (u128, u128);

    #[inline]
    fn key(&self, stored: &Stored) -> Self::Key {
        (self.service.key(stored), self.victims.key(stored))
    }

    #[inline]
    fn insert(&mut self, slab: &mut Slab, slot: u32, (service, victims): Self::Key) {
        self.service.insert(slab, slot, service);
        self.victims.insert(slab, slot, victims);
    }

    fn replace_first(&mut self, slab: &mut Slab, slot: u32) {
        self.service.replace(slab, slot);
        self.victims.replace(slab, slot);
    }

    #[inline]
    fn first(&self, slab: &Slab) -> u32 {
        self.service.first(slab)
    }

    #[inline]
    fn victim(&self, slab: &Slab) -> u32 {
        self.victims.first(slab)
    }

    #[inline]
    fn remove_first(&mut self, slab: &mut Slab, slot: u32) {
        self.remove(slab, slot);
    }

    #[inline]
    fn remove_victim(&mut self, slab: &mut Slab, slot: u32) {
        self.remove(slab, slot);
    }

    #[inline]
    fn arriving_is_first(&self, slab: &Slab, arriving: &Stored, (service, _): Self::Key) -> bool {
        self.service.arriving_is_first(slab, arriving, service)
    }

    #[inline]
    fn arriving_is_victim(&self, slab: &Slab, arriving: &Stored, (_, victims): Self::Key) -> bool {
        self.victims.arriving_is_first(slab, arriving, victims)
    }
}
