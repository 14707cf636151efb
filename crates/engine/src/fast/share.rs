//! A full buffer whose longest queue loses packets: the way of its own that makes this common policy fast.

use super::chooser::longest;
use super::slab::Stored;
use super::structure::Structure;
use super::switch::Switch;
use forebay_core::{Packet, Verdict};

impl<S: Structure, const ONE: bool, const PLAIN: bool> Switch<S, ONE, PLAIN> {
    /// Whether [`take_from_longest`](Self::take_from_longest) may judge a packet for which its buffer has no room.
    #[inline(always)]
    pub(super) fn longest_loses(&self, buffer: usize) -> bool {
        S::DROPS_NEWEST && PLAIN && !self.running.world.buffers[buffer].lengths.is_empty()
    }

    /// 6: admission of a packet for which its queue has room and its buffer perhaps not.
    #[inline(never)]
    pub(super) fn take_from_longest(
        &mut self,
        queue: usize,
        buffer: usize,
        packet: &Packet,
        evicted: &mut Vec<Packet>,
    ) -> Verdict {
        let running = &mut self.running;
        let (rank, bytes) = (packet.rank, packet.size_bytes);
        let at = running.world.queues[queue].at_buffer;
        let mut there = true;
        loop {
            let world = &mut running.world;
            let shared = &mut world.buffers[buffer];
            let cost = if there { shared.limits.cost(bytes) } else { 0 };
            if shared.limits.used(shared.there) + cost < shared.limits.tail {
                break;
            }
            // 6.1: the arriving packet counts.
            let cell = &world.queues[queue];
            shared.lengths[at] = if there { cell.there.packets + 1 + cell.limits.held.packets } else { cell.length() };
            let Some(member) = longest(&shared.lengths) else { break };
            running.counts.dropped_by_buffer += 1;
            if there && member == at {
                there = false;
                continue;
            }
            let loser = shared.queues[member];
            let cell = &mut world.queues[loser];
            if let Some(victim) = cell.packets.pop_victim() {
                cell.there.subtract(victim.size_bytes);
                shared.there.subtract(victim.size_bytes);
                evicted.push(victim);
            }
            running.touch(loser);
        }
        let world = &mut running.world;
        let shared = &mut world.buffers[buffer];
        let cell = &mut world.queues[queue];
        let overflows = shared.limits.used(shared.there) + shared.limits.cost(bytes) > shared.limits.size;
        if there && !overflows {
            cell.there.add(bytes);
            shared.there.add(bytes);
            let stored = Stored::arriving(*packet, running.next_number, running.policy_id);
            running.next_number += 1;
            let key = cell.packets.key(&stored);
            cell.packets.insert(stored, key);
        }
        running.counts.overflowed += u64::from(there && overflows);
        running.touch(queue);
        if there && !overflows { Verdict::Queued { rank } } else { Verdict::Refused { rank } }
    }
}
