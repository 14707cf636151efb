//! Admission of packets for which there may be no room (section 6 of `docs/openqueue-semantics.md`).

use super::program::Program;
use super::running::Congested;
use super::structure::Structure;
use super::switch::Switch;
use super::world::{Arriving, Limits, World};
use forebay_core::{Packet, Time, Verdict};

impl<S: Structure, const ONE: bool, const PLAIN: bool> Switch<S, ONE, PLAIN> {
    /// 6: admission of a packet for which there may be no room.
    #[inline(never)]
    pub(super) fn judge(&mut self, now: Time, queue: usize, packet: &Packet, evicted: &mut Vec<Packet>) -> Verdict {
        // 6.1: it enters virtually.
        let stored = self.entering(*packet);
        let world = &mut self.running.world;
        world.count_in::<ONE>(queue, packet.size_bytes);
        let key = world.queues[queue].packets.key(&stored);
        world.arriving = Some(Arriving { queue, stored, key, there: true });
        // 6.2: first the buffer, then the queue, if the packet is still there.
        if !ONE && let Some(buffer) = world.queues[queue].buffer {
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
            let over = |limits: &Limits, there| limits.used(there) > limits.size;
            let over_buffer = |buffer: usize| over(&world.buffers[buffer].limits, world.buffers[buffer].there);
            // 6.8: sizes are hard limits.
            if over(&cell.limits, cell.there) || (!ONE && cell.buffer.is_some_and(over_buffer)) {
                world.count_out::<ONE>(queue, packet.size_bytes);
                self.running.counts.overflowed += 1;
                return false;
            }
            cell.packets.insert(arriving.stored, arriving.key);
            true
        });
        self.touch(queue);
        let rank = packet.rank;
        if queued { Verdict::Queued { rank } } else { Verdict::Refused { rank } }
    }

    /// The same if only tail drops can happen and there is no room in the queue.
    #[inline(never)]
    pub(super) fn no_room(&mut self, now: Time, queue: usize, packet: &Packet, evicted: &mut Vec<Packet>) -> Verdict {
        if ONE || self.running.world.queues[queue].buffer.is_none() {
            self.make_room(queue, packet, evicted)
        } else {
            self.judge(now, queue, packet, evicted)
        }
    }

    /// The same for a queue without buffer.
    fn make_room(&mut self, queue: usize, packet: &Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let stored = self.entering(*packet);
        let rank = packet.rank;
        let cell = &mut self.running.world.queues[queue];
        let counts = &mut self.running.counts;
        let key = cell.packets.key(&stored);
        let (mut there, mut cost) = (true, cell.limits.cost(packet.size_bytes));
        while cell.limits.used(cell.there) + cost >= cell.limits.tail {
            if there && cell.packets.arriving_is_victim(&stored, key) {
                // 6.7; it may be that what waits is too much as well.
                (there, cost) = (false, 0);
            } else if let Some(victim) = cell.packets.pop_victim() {
                cell.there.packets -= 1;
                cell.there.bytes -= u64::from(victim.size_bytes);
                evicted.push(victim);
            } else {
                break;
            }
            counts.dropped_by_queue += 1;
        }
        let verdict = if !there {
            Verdict::Refused { rank }
        } else if cell.limits.used(cell.there) + cost > cell.limits.size {
            counts.overflowed += 1;
            Verdict::Refused { rank }
        } else {
            cell.there.packets += 1;
            cell.there.bytes += u64::from(packet.size_bytes);
            cell.packets.insert(stored, key);
            Verdict::Queued { rank }
        };
        self.touch(queue);
        verdict
    }

    /// 6.3 to 6.5: treats a `congestion`.
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
            Program::Cases(cases) if !PLAIN => running.act(cases, what, now, queue, evicted),
            // Only tail drops are plain.
            Program::Cases(_) => {}
        }
    }
}
