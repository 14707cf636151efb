//! Which fields of packets the hardware of a policy carries, and how far.

use super::owners::{Owner, conditions};
use super::shape::{Shape, is_kept};
use forebay_core::BufferSize;
use forebay_lang::ir::{PacketField, PacketRef, Read};

/// Fields, each once, in the language's order.
pub(super) struct Fields {
    /// Those that arrive with a packet.
    pub(super) arriving: Vec<PacketField>,
    /// Those that the rules read.
    pub(super) rules: Vec<PacketField>,
    /// The fields that are read after service, or added up, except for the size.
    pub(super) kept: Vec<PacketField>,
    /// Whether the size is counted, or read after service.
    pub(super) size: bool,
}

impl Fields {
    pub(super) fn new(shape: &Shape<'_>) -> Self {
        let policy = shape.model.policy;
        let mut front = Vec::new();
        let mut of_packet = |read: Read| {
            if let Read::Packet(_, field) = read {
                front.push(field);
            }
        };
        for entry in &policy.classify {
            entry.when.reads(&mut of_packet);
            entry.index.reads(&mut of_packet);
        }
        for ranking in &shape.rankings {
            ranking.parts.iter().for_each(|part| part.key.value.reads(&mut of_packet));
        }
        let (mut arriving, mut served) = (Vec::new(), Vec::new());
        for (owner, _, condition) in conditions(policy) {
            condition.reads(&mut |read| match read {
                Read::Packet(PacketRef::Arriving, field) => arriving.push(field),
                Read::Packet(PacketRef::Head(_), field) if owner == Owner::Port && is_kept(field) => served.push(field),
                _ => {}
            });
        }
        arriving.retain(|field| !matches!(field, PacketField::Arrival | PacketField::PolicyId));
        let bytes = |size: BufferSize| matches!(size, BufferSize::Bytes(_));
        let counted = shape.model.beside.in_bytes
            || policy.queues.iter().any(|queue| bytes(queue.size))
            || policy.buffers.iter().any(|buffer| bytes(buffer.size));
        if policy.classify.is_empty() && policy.queues.len() > 1 {
            front.push(PacketField::Queue);
        }
        let size = counted || served.contains(&PacketField::Size);
        // What a packet adds to the sum of its queue's processing.
        let kept = |field: PacketField| {
            served.contains(&field) || (field == PacketField::Processing && policy.sums_processing())
        };
        let once = |fields: &dyn Fn(PacketField) -> bool| -> Vec<PacketField> {
            PacketField::ALL.iter().copied().filter(|field| fields(*field)).collect()
        };
        let carried = |field: PacketField| {
            front.contains(&field) || arriving.contains(&field) || kept(field) || (size && field == PacketField::Size)
        };
        Self {
            arriving: once(&|field| carried(field) && !matches!(field, PacketField::Arrival | PacketField::PolicyId)),
            rules: once(&|field| arriving.contains(&field) || served.contains(&field)),
            kept: once(&|field| kept(field) && field != PacketField::Size),
            size,
        }
    }
}
