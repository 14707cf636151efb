//! First in, first out, and the newest is dropped: a ring of packets without further data.
//!
//! Besides its fields, a packet has two values that are the same for nearly all packets. Only the front has cycles done, and only packets
//! that a change has moved arrived under another version. So both are stored separately.

use super::ring::{Numbered, Ring};
use super::slab::{NIL, Stored};
use super::structure::Structure;
use forebay_core::{Duration, Packet};

/// The slot of the front.
const FRONT: u32 = 0;

/// A queue whose orders are both by arrival.
#[derive(Debug)]
pub(super) struct Fifo {
    ring: Ring,
    /// The remaining processing of the front, if some of its cycles were done.
    left: Option<Duration>,
    /// The version under which packets arrive.
    policy_id: u32,
    /// The versions of the packets at the first positions of the ring. Packets at later positions arrived under `policy_id`.
    versions: Vec<u32>,
}

impl Fifo {
    /// Creates a queue for packets that arrive under a version.
    pub(super) fn new(policy_id: u32) -> Self {
        Self { ring: Ring::new(), left: None, policy_id, versions: Vec::new() }
    }

    /// Records that the next appended packet arrived under another version.
    fn note_version(&mut self, policy_id: u32) {
        if self.ring.len() == 0 {
            self.ring.restart();
            self.versions.clear();
        }
        self.versions.resize(self.ring.end(), self.policy_id);
        self.versions.push(policy_id);
    }
}

impl Structure for Fifo {
    type Key = ();

    const DROPS_NEWEST: bool = true;
    const KNOWS_ARRIVAL: bool = true;

    #[inline(always)]
    fn len(&self) -> u64 {
        self.ring.len() as u64
    }

    #[inline(always)]
    fn key(&self, _: &Stored) {}

    #[inline(always)]
    fn has_slot(&self) -> bool {
        !self.ring.is_full()
    }

    #[inline(always)]
    fn insert_into_slot(&mut self, stored: Stored, (): ()) {
        self.ring.push(Numbered { packet: stored.packet, number: stored.number });
    }

    fn insert(&mut self, stored: Stored, (): ()) {
        if stored.policy_id != self.policy_id {
            self.note_version(stored.policy_id);
        }
        if self.ring.is_full() {
            self.ring.grow();
        }
        self.insert_into_slot(stored, ());
    }

    #[inline(always)]
    fn first(&self) -> u32 {
        if self.ring.len() == 0 { NIL } else { FRONT }
    }

    fn get(&self, _: u32) -> Stored {
        let Numbered { packet, number } = *self.ring.front();
        let policy_id = self.versions.get(self.ring.head()).copied().unwrap_or(self.policy_id);
        Stored { packet, left: self.left.unwrap_or(packet.processing), number, policy_id }
    }

    fn packet_mut(&mut self, _: u32) -> &mut Packet {
        &mut self.ring.front_mut().packet
    }

    fn set_left(&mut self, _: u32, left: Duration) {
        self.left = Some(left);
    }

    fn replace(&mut self, _: u32) {}

    fn take(&mut self, slot: u32) -> Option<Stored> {
        let stored = self.get(slot);
        self.ring.advance();
        self.left = None;
        Some(stored)
    }

    #[inline(always)]
    fn release(&mut self, _: u32) -> &Packet {
        self.left = None;
        &self.ring.advance().packet
    }

    #[inline]
    fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
        let left = if self.ring.len() <= 1 { self.left.take() } else { None };
        let (position, last) = self.ring.pop_back()?;
        self.versions.truncate(position);
        Some((&last.packet, left.unwrap_or(last.packet.processing)))
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Stored, (): ()) -> bool {
        self.ring.len() == 0
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Stored, (): ()) -> bool {
        true
    }
}
