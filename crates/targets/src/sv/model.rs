//! A policy, what was decided about its hardware, and what is known of its numbers.

use super::states::States;
use crate::TargetOptions;
use crate::c::layout::Layout;
use forebay_core::BufferSize;
use forebay_lang::Policy;
use forebay_lang::ir::{Interval, PacketField};

/// The most packets that hardware stores.
pub(super) const MOST_PACKETS: u32 = 1 << 16;

/// A policy, and what is known of its numbers.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) policy: &'a Policy,
    pub(super) options: &'a TargetOptions,
    pub(super) states: States,
    pub(super) beside: Beside,
}

/// The demands of another policy in the same hardware; empty if there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Beside {
    /// The queues that packets can be directed to there.
    pub(super) queues: usize,
    /// The most packets that can wait there, and count here.
    pub(super) packets: u64,
    /// Whether one of both counts bytes: then both know the size of every packet that leaves.
    pub(super) in_bytes: bool,
    /// Between which numbers its states are, which may go on here.
    pub(super) states: States,
}

impl<'a> Model<'a> {
    /// The bits of a field of packets, or of the time.
    pub(super) fn bits(&self, field: PacketField) -> u32 {
        // One number more than there are queues says that it goes to none.
        let queues = u32::try_from(self.policy.queues.len().max(self.beside.queues)).expect("fewer than 2^32 queues");
        self.options.hardware.bits.of(field).unwrap_or(32 - queues.leading_zeros())
    }

    pub(super) fn of_field(&self, field: PacketField) -> Interval {
        Interval::up_to((1 << self.bits(field)) - 1)
    }

    /// The sum of the processing of all packets that one of these queues has places for: what `currProcessing` can be.
    pub(super) fn work(&self, queues: impl Iterator<Item = usize>) -> Interval {
        let options = TargetOptions { most_slots: self.options.most_slots.min(MOST_PACKETS), ..*self.options };
        let places = Layout::new(self.policy, &options).map(|layout| layout.places).unwrap_or_default();
        let most = queues.map(|queue| places.get(queue).copied().unwrap_or(MOST_PACKETS)).max().unwrap_or(0);
        Interval::up_to(u64::from(most).saturating_mul((1 << self.bits(PacketField::Processing)) - 1))
    }

    /// The possible occupancies of one of these objects, including an arriving packet and the backlog of another
    /// policy.
    pub(super) fn held(&self, sizes: impl Iterator<Item = BufferSize>) -> Interval {
        let (largest, beside) = ((1 << self.bits(PacketField::Size)) - 1, self.beside.packets);
        let most = sizes.map(|size| match size {
            BufferSize::Packets(size) => size.saturating_add(1).saturating_add(beside),
            BufferSize::Bytes(size) => size.saturating_add(beside.saturating_add(1).saturating_mul(largest)),
        });
        Interval::up_to(most.max().unwrap_or(0))
    }
}
