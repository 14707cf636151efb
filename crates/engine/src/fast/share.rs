//! A full buffer whose longest queue loses packets: a special path that makes this common policy fast.

use super::longest::Longest;
use super::shape::Shape;
use super::structure::Structure;
use super::switch::Switch;
use super::world::buffer_of;
use forebay_core::{Packet, Time, Verdict};

impl<S: Structure, H: Shape> Switch<S, H> {
    /// 6: admits or drops a packet whose queue has room and whose buffer may have none.
    #[inline(never)]
    pub(super) fn no_room_in_buffer(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        let refused = Verdict::Refused { rank: packet.rank };
        loop {
            let world = &mut self.running.world;
            let Some(cell) = world.queues.get(queue) else { return refused };
            let Some(shared) = buffer_of::<H>(&mut world.buffers, cell.buffer) else { return refused };
            if !S::DROPS_NEWEST || !H::PLAIN || !shared.longest_loses {
                return self.judge(Time::ZERO, packet, evicted, queue);
            }
            let with = shared.used::<H>() + shared.cost::<H>(packet.size_bytes);
            if with < shared.limits.tail {
                if with > shared.limits.size {
                    self.running.counts.overflowed += 1;
                    return refused;
                }
                return self.admit_now(packet, evicted, queue);
            }
            // The arriving packet counts, but is in no structure yet.
            let (buffer, at, length) = (cell.buffer, cell.at_buffer, cell.packets.len() + 1 + cell.limits.held.packets);
            let victims = world.longest(buffer).first_with(at, length);
            self.running.counts.dropped_by_buffer += 1;
            if victims == at {
                // 6.7.
                return self.refuse_newest(packet, evicted, buffer);
            }
            self.drop_newest(evicted, buffer, victims);
        }
    }

    /// Admits a packet for which there is room now.
    #[inline(never)]
    fn admit_now(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        self.admit(packet, evicted, queue)
    }

    /// Drops the arriving packet. The queued packets may exceed the size as well, since more is held.
    #[inline(always)]
    fn refuse_newest(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, buffer: usize) -> Verdict {
        loop {
            let world = &mut self.running.world;
            let is_too_much = world.buffers.get(buffer).is_some_and(|shared| shared.used::<H>() >= shared.limits.tail);
            let Some(member) = is_too_much.then(|| world.longest(buffer)).and_then(Longest::first) else {
                return Verdict::Refused { rank: packet.rank };
            };
            self.running.counts.dropped_by_buffer += 1;
            self.drop_newest(evicted, buffer, member);
        }
    }

    /// Drops the newest packet of a queue.
    #[inline(always)]
    fn drop_newest(&mut self, evicted: &mut Vec<Packet>, buffer: usize, member: usize) {
        let world = &mut self.running.world;
        let Some(shared) = buffer_of::<H>(&mut world.buffers, buffer) else { return };
        let Some(&queue) = shared.queues.get(member) else { return };
        let Some(cell) = world.queues.get_mut(queue) else { return };
        shared.longest.shrank(member, cell.packets.len() + cell.limits.held.packets);
        if let Some((victim, _)) = cell.packets.pop_victim() {
            cell.bytes -= u64::from(victim.size_bytes);
            shared.subtract::<H>(victim.size_bytes);
            evicted.push(*victim);
        }
        if (H::KEYS && cell.told) || cell.packets.len() == 0 {
            self.running.touch(queue);
        }
    }
}
