//! Packets on their way: a slab, whose indices travel through queues as [`Packet::id`](forebay_core::Packet::id).

use crate::flow::HostId;
use crate::segment::Segment;
use forebay_core::{ClassId, Marks};

/// A packet somewhere between its two ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InFlight {
    pub(crate) segment: Segment,
    /// What it carries for rank functions that look at nothing else.
    pub(crate) rank: u64,
    pub(crate) flow: u32,
    pub(crate) dst: HostId,
    /// The link on which it travels, or in whose queue it waits.
    pub(crate) link: u32,
    /// How often that link had failed when it set out.
    pub(crate) failures_seen: u32,
    pub(crate) class: ClassId,
    pub(crate) marks: Marks,
    pub(crate) to_receiver: bool,
}

/// All packets on their way.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    slots: Vec<InFlight>,
    free: Vec<u32>,
}

impl Packets {
    /// Takes a packet in; the index stays its name until [`remove`](Self::remove).
    #[inline]
    pub(crate) fn insert(&mut self, packet: InFlight) -> u32 {
        if let Some(index) = self.free.pop() {
            self.slots[index as usize] = packet;
            return index;
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 packets on their way");
        self.slots.push(packet);
        index
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut InFlight {
        &mut self.slots[index as usize]
    }

    /// Forgets a packet.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) -> InFlight {
        self.free.push(index);
        self.slots[index as usize]
    }

    /// How many are on their way.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
