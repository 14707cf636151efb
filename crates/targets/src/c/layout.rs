//! The number of packet slots, and the positions of each queue's slots in the arrays.

use crate::{Refusal, TargetOptions};
use forebay_core::{BufferSize, QueueId};
use forebay_lang::Policy;
use forebay_lang::ir::Queue;

/// The slots of packets.
pub(crate) struct Layout {
    /// The most packets at once, including an arriving one.
    pub(crate) capacity: u32,
    /// For each queue, the most packets in it, including an arriving one.
    pub(crate) places: Vec<u32>,
    /// For each queue, the start of its slots in a heap.
    pub(crate) base: Vec<u32>,
    /// The total number of slots.
    pub(crate) all_places: u32,
}

impl Layout {
    pub(crate) fn new(policy: &Policy, options: &TargetOptions) -> Result<Self, Vec<Refusal>> {
        let packets = |size: BufferSize| match size {
            BufferSize::Packets(number) => number,
            BufferSize::Bytes(number) => number / u64::from(options.smallest_packet.max(1)),
        };
        let in_queue = |queue: &Queue| {
            let own = packets(queue.size);
            queue.buffer.map_or(own, |id| packets(policy.buffers[usize::from(id.0)].size).min(own))
        };
        let most = u64::from(options.most_slots);
        let refuse = |construct: String, packets: u64| Refusal {
            construct,
            reason: format!(
                "has room for {packets} packets, more than {most} slots; make it smaller, allow more slots (--slots), \
                 or, if sizes are in bytes, raise --smallest-packet"
            ),
        };
        let mut refusals = Vec::new();
        for queue in &policy.queues {
            if in_queue(queue) >= most {
                refusals.push(refuse(format!("queue {}", queue.name), in_queue(queue)));
            }
        }
        let of_queue = |id: &QueueId| in_queue(&policy.queues[usize::from(id.0)]);
        let sum = |sizes: &mut dyn Iterator<Item = u64>| sizes.fold(0_u64, u64::saturating_add);
        let alone = sum(&mut policy.queues.iter().filter(|queue| queue.buffer.is_none()).map(in_queue));
        let shared = sum(&mut policy
            .buffers
            .iter()
            .map(|buffer| packets(buffer.size).min(sum(&mut buffer.queues.iter().map(of_queue)))));
        let capacity = alone.saturating_add(shared).saturating_add(1);
        if refusals.is_empty() && capacity > most {
            refusals.push(refuse("the policy".to_owned(), capacity));
        }
        let places: Vec<u64> = policy.queues.iter().map(|queue| in_queue(queue).saturating_add(1)).collect();
        let all_places = sum(&mut places.iter().copied());
        let (Ok(capacity), Ok(all_places), true) =
            (u32::try_from(capacity), u32::try_from(all_places), refusals.is_empty())
        else {
            if refusals.is_empty() {
                refusals.push(refuse("the queues together".to_owned(), all_places));
            }
            return Err(refusals);
        };
        let places: Vec<u32> = places.into_iter().filter_map(|places| u32::try_from(places).ok()).collect();
        let mut base = Vec::new();
        let mut next = 0;
        for places in &places {
            base.push(next);
            next += places;
        }
        Ok(Self { capacity, places, base, all_places })
    }
}
