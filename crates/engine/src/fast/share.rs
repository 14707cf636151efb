//! A full buffer whose longest queue loses packets: the way of its own that makes this common policy fast.

use super::chooser::Chooser;
use super::shape::Shape;
use super::structure::Structure;
use super::switch::Switch;
use forebay_core::{Packet, Time, Verdict};

impl<S: Structure, H: Shape> Switch<S, H> {
    /// 6: admission of a packet for which its queue has room and its buffer perhaps not.
    #[inline(never)]
    pub(super) fn no_room_in_buffer(
        &mut self,
        now: Time,
        packet: &Packet,
        evicted: &mut Vec<Packet>,
        queue: usize,
    ) -> Verdict {
        let buffer = self.running.world.queues[queue].buffer;
        if S::DROPS_NEWEST && H::PLAIN && matches!(self.running.loses[buffer], Chooser::Longest) {
            self.take_from_longest(now, packet, evicted, queue, buffer)
        } else {
            self.judge(now, packet, evicted, queue)
        }
    }

    /// The same if the longest queue loses its newest packet. The arriving one counts, but is in no structure yet.
    #[inline(always)]
    fn take_from_longest(
        &mut self,
        now: Time,
        packet: &Packet,
        evicted: &mut Vec<Packet>,
        queue: usize,
        buffer: usize,
    ) -> Verdict {
        let refused = Verdict::Refused { rank: packet.rank };
        let mut there = true;
        loop {
            let world = &mut self.running.world;
            let longest = world.longest(buffer);
            let shared = &mut world.buffers[buffer];
            let used = shared.limits.used(shared.there);
            let cost = if there { shared.limits.cost(packet.size_bytes) } else { 0 };
            if used + cost < shared.limits.tail {
                if !there {
                    return refused;
                }
                if used + cost > shared.limits.size {
                    self.running.counts.overflowed += 1;
                    return refused;
                }
                // There is room now.
                return self.admit(now, packet, evicted, queue);
            }
            let cell = &world.queues[queue];
            let first = if there {
                Some(longest.first_with(cell.at_buffer, cell.packets.len() + 1 + cell.limits.held.packets))
            } else {
                longest.first()
            };
            let Some(member) = first else { return refused };
            self.running.counts.dropped_by_buffer += 1;
            if there && member == cell.at_buffer {
                // 6.7; it may be that what waits is too much as well.
                there = false;
                continue;
            }
            let loser = shared.queues[member];
            let cell = &mut world.queues[loser];
            shared.longest.shrank(member, cell.length());
            if let Some(victim) = cell.packets.pop_victim() {
                cell.bytes -= u64::from(victim.size_bytes);
                shared.there.subtract(victim.size_bytes);
                evicted.push(victim);
            }
            if cell.told || cell.packets.len() == 0 {
                self.running.touch(loser);
            }
        }
    }
}
