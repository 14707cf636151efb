//! Admission of packets for which there may be no room (section 6 of `docs/openqueue-semantics.md`).

use super::limits::Limits;
use super::program::Program;
use super::running::Congested;
use super::shape::Shape;
use super::slab::Stored;
use super::structure::Structure;
use super::switch::Switch;
use super::world::{Arriving, NO_BUFFER, World};
use crate::traits::Occupancy;
use forebay_core::{Packet, Time, Verdict};

impl<S: Structure, H: Shape> Switch<S, H> {
    /// 6: admits or drops a packet for which there may be no room.
    #[inline(never)]
    pub(super) fn judge(&mut self, now: Time, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        let stored = self.entering(*packet);
        self.judge_stored(now, stored, evicted, queue)
    }

    /// 6: admits or drops a packet that already has its number.
    #[inline(always)]
    pub(super) fn judge_stored(
        &mut self,
        now: Time,
        stored: Stored,
        evicted: &mut Vec<Packet>,
        queue: usize,
    ) -> Verdict {
        // 6.1: it enters virtually.
        let world = &mut self.running.world;
        world.count_in(queue, stored.packet.size_bytes, stored.left);
        world.queues[queue].entering = 1;
        let key = world.queues[queue].packets.key(&stored);
        world.arriving = Some(Arriving { queue, stored, key, there: true });
        // 6.2: first the buffer, then the queue, if the packet is still there.
        let buffer = world.queues[queue].buffer;
        if !H::ONE && buffer != NO_BUFFER {
            self.running.touch(queue);
            self.treat(Congested::Buffer(buffer), now, queue, evicted);
        }
        if self.running.world.arriving.as_ref().is_some_and(|arriving| arriving.there) {
            self.treat(Congested::Queue(queue), now, queue, evicted);
        }
        let world = &mut self.running.world;
        // 6.7: it was itself a victim.
        let arriving = world.arriving.take().filter(|arriving| arriving.there);
        let queued = arriving.is_some_and(|arriving| {
            let cell = &mut world.queues[queue];
            cell.entering = 0;
            let over = |limits: &Limits, there| limits.used(there) > limits.size;
            // 6.8: sizes are hard limits.
            let with = Occupancy { packets: cell.packets.len() + 1, bytes: cell.bytes };
            let shared = world.buffers.get(cell.buffer);
            if over(&cell.limits, with)
                || world.work.is_too_much(queue)
                || (!H::ONE && shared.is_some_and(|shared| shared.used::<H>() > shared.limits.size))
            {
                world.count_out(queue, arriving.stored.packet.size_bytes, arriving.stored.left);
                self.running.counts.overflowed += 1;
                return false;
            }
            cell.packets.insert(arriving.stored, arriving.key);
            true
        });
        self.touch(queue);
        let rank = stored.packet.rank;
        if queued { Verdict::Queued { rank } } else { Verdict::Refused { rank } }
    }

    /// 6: admits or drops a packet if only tail drops can happen and the queue is full.
    #[inline(never)]
    pub(super) fn no_room(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        let cell = &self.running.world.queues[queue];
        if !H::ONE && cell.buffer != NO_BUFFER {
            return self.judge(Time::ZERO, packet, evicted, queue);
        }
        let there = Occupancy { packets: cell.packets.len(), bytes: cell.bytes };
        if S::DROPS_NEWEST && cell.limits.only_newest_leaves(there, packet.size_bytes) {
            // 6.7: nothing changes.
            self.running.counts.dropped_by_queue += 1;
            return Verdict::Refused { rank: packet.rank };
        }
        self.make_room(packet, evicted, queue)
    }

    /// 6: admits or drops such a packet for a queue without buffer.
    #[inline(never)]
    fn make_room(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        let stored = self.entering(*packet);
        let rank = packet.rank;
        let cell = &mut self.running.world.queues[queue];
        let counts = &mut self.running.counts;
        let key = cell.packets.key(&stored);
        let (mut there, mut cost) = (true, cell.limits.cost(packet.size_bytes));
        while cell.used() + cost >= cell.limits.tail {
            if there && cell.packets.arriving_is_victim(&stored, key) {
                // 6.7; the packets that wait may be too many as well.
                (there, cost) = (false, 0);
            } else if let Some((victim, _)) = cell.packets.pop_victim() {
                cell.bytes -= u64::from(victim.size_bytes);
                evicted.push(*victim);
            } else {
                break;
            }
            counts.dropped_by_queue += 1;
        }
        let verdict = if !there {
            Verdict::Refused { rank }
        } else if cell.used() + cost > cell.limits.size {
            counts.overflowed += 1;
            Verdict::Refused { rank }
        } else {
            cell.bytes += u64::from(packet.size_bytes);
            cell.packets.insert(stored, key);
            Verdict::Queued { rank }
        };
        self.touch(queue);
        verdict
    }

    /// 6.3 to 6.5: runs a `congestion`.
    #[inline]
    fn treat(&mut self, what: Congested, now: Time, queue: usize, evicted: &mut Vec<Packet>) {
        let running = &mut self.running;
        let program = match what {
            Congested::Queue(queue) => &self.programs.queues[queue],
            Congested::Buffer(buffer) => &self.programs.buffers[buffer],
        };
        match program {
            Program::Tail(tail) => {
                let used = |world: &World<S>| match what {
                    Congested::Queue(queue) => world.used(queue),
                    Congested::Buffer(buffer) => world.used_of_buffer(buffer),
                };
                while used(&running.world) >= *tail && running.drop_one(what, evicted) {}
            }
            Program::Cases(cases) if !H::PLAIN => running.act(cases, what, now, queue, evicted),
            // Only tail drops are plain.
            Program::Cases(_) => {}
        }
    }
}
