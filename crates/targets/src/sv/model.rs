//! A policy, what was decided about its hardware, and what is known of its numbers.

use super::scope::{Object, Packet, Reads};
use super::states::States;
use crate::Options;
use forebay_core::BufferSize;
use forebay_lang::Policy;
use forebay_lang::ir::{Interval, PacketField};

/// A policy, and what is known of its numbers.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) policy: &'a Policy,
    pub(super) options: &'a Options,
    pub(super) states: States,
}

impl<'a> Model<'a> {
    /// The bits of a field of packets, or of the time.
    pub(super) fn bits(&self, field: PacketField) -> u32 {
        // One number more than there are queues says that it goes to none.
        let queues = u32::try_from(self.policy.queues.len()).unwrap_or(u32::MAX);
        self.options.hardware.bits.of(field).unwrap_or(32 - queues.leading_zeros())
    }

    pub(super) fn of_field(&self, field: PacketField) -> Interval {
        Interval::up_to((1 << self.bits(field)) - 1)
    }

    /// What is in one of these objects, with a packet that arrives.
    pub(super) fn held(&self, sizes: impl Iterator<Item = BufferSize>) -> Interval {
        let most = sizes.map(|size| match size {
            BufferSize::Packets(size) => size.saturating_add(1),
            BufferSize::Bytes(size) => size.saturating_add((1 << self.bits(PacketField::Size)) - 1),
        });
        Interval::up_to(most.max().unwrap_or(0))
    }

    /// What keys of a queue read.
    pub(super) fn of_queue(&'a self, id: usize) -> Reads<'a> {
        Reads { this_queue: Some(Object::one(id)), ..Reads::new(self) }
    }

    /// What is read of packets before they are judged.
    pub(super) fn front(&'a self) -> Reads<'a> {
        Reads { packet: Packet::Front, ..Reads::new(self) }
    }
}
