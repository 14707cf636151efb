//! What changes while an engine runs, and what `modify` and drops do to it.

use super::chooser::Chooser;
use super::expr::{Expr, Test};
use super::program::Target;
use super::slab::NIL;
use super::structure::Structure;
use super::world::{Scope, World};
use crate::fields::{mark, notify, set_value};
use crate::trial::Trials;
use forebay_core::{Packet, Time};
use forebay_lang::Fixed;

/// The packets and states of a policy, and the orders of its queues.
#[derive(Debug)]
pub(super) struct Running<S: Structure> {
    pub(super) world: World<S>,
    /// Of each port: which queue is served.
    pub(super) serves: Box<[Chooser]>,
    /// Of each buffer: which queue loses a packet.
    pub(super) loses: Box<[Chooser]>,
    pub(super) trials: Trials,
    pub(super) next_number: u64,
    pub(super) policy_id: u32,
    pub(super) counts: Counts,
}

/// Packets, for the report.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) unclassified: u64,
    pub(super) dropped_by_queue: u64,
    pub(super) dropped_by_buffer: u64,
    pub(super) overflowed: u64,
    pub(super) marked: u64,
    pub(super) notified: u64,
}

/// What a `congestion` belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Congested {
    Queue(usize),
    Buffer(usize),
}

impl<S: Structure> Running<S> {
    /// Tells the orders of queues that something of a queue may have changed.
    #[inline(always)]
    pub(super) fn touch(&mut self, queue: usize) {
        self.touch_port(queue);
        self.touch_buffer(queue);
    }

    #[inline(always)]
    fn touch_port(&mut self, queue: usize) {
        let cell = &self.world.queues[queue];
        self.serves[cell.port].update(cell.at_port, cell.count > 0, &Scope::of(&self.world, Time::ZERO, queue));
    }

    #[inline(always)]
    pub(super) fn touch_buffer(&mut self, queue: usize) {
        let cell = &self.world.queues[queue];
        if let Some(buffer) = cell.buffer {
            let scope = Scope::of(&self.world, Time::ZERO, queue);
            self.loses[buffer].update(cell.at_buffer, cell.count > 0, &scope);
        }
    }

    /// The queue that is first of those of a port that have packets.
    #[inline(always)]
    pub(super) fn first_of_port(&self, port: usize) -> Option<usize> {
        self.first_of(self.serves.get(port)?, &self.world.ports[port].queues)
    }

    /// The queue that is first of those of a buffer that have packets.
    #[inline(always)]
    fn first_of_buffer(&self, buffer: usize) -> Option<usize> {
        self.first_of(&self.loses[buffer], &self.world.buffers[buffer].queues)
    }

    #[inline(always)]
    fn first_of(&self, chooser: &Chooser, queues: &[usize]) -> Option<usize> {
        let waits = |member: usize| self.world.queues[queues[member]].count > 0;
        let before = |test: &Test, a: usize, b: usize| {
            test.holds(&Scope { world: &self.world, now: Time::ZERO, first: queues[a], second: queues[b] })
        };
        chooser.first(queues.len(), waits, before).map(|member| queues[member])
    }

    /// Drops the victim of a queue or buffer (6.6, 6.7). Whether there was one.
    pub(super) fn drop_one(&mut self, what: Congested, evicted: &mut Vec<Packet>) -> bool {
        let queue = match what {
            Congested::Queue(queue) => Some(queue),
            Congested::Buffer(buffer) => self.first_of_buffer(buffer),
        };
        let Some(queue) = queue.filter(|&queue| self.world.queues[queue].count > 0) else { return false };
        match what {
            Congested::Queue(_) => self.counts.dropped_by_queue += 1,
            Congested::Buffer(_) => self.counts.dropped_by_buffer += 1,
        }
        let world = &mut self.world;
        let packets = &mut world.queues[queue].packets;
        if let Some(arriving) = &mut world.arriving
            && arriving.there
            && arriving.queue == queue
        {
            let stored = world.slab.get(arriving.slot);
            if packets.arriving_is_victim(&world.slab, stored, arriving.key) {
                arriving.there = false;
                let bytes = stored.packet.size_bytes;
                world.count_out(queue, bytes);
                self.touch(queue);
                return true;
            }
        }
        let slot = packets.victim(&world.slab);
        packets.remove_victim(&mut world.slab, slot);
        let packet = world.slab.get(slot).packet;
        world.slab.free(slot);
        world.count_out(queue, packet.size_bytes);
        evicted.push(packet);
        self.touch(queue);
        true
    }

    /// `modify`, evaluated for `queue` (6.4, 7.3).
    pub(super) fn modify(&mut self, target: Target, value: &Expr, now: Time, queue: usize) {
        let value = value.value(&Scope::of(&self.world, now, queue));
        self.set(target, value, queue);
    }

    /// Gives a state a value.
    pub(super) fn set(&mut self, target: Target, value: i64, first: usize) {
        let queue = |queue| Scope::of(&self.world, Time::ZERO, first).queue(queue);
        match target {
            Target::QueueAdm(at) => {
                let queue = queue(at);
                self.world.queues[queue].adm_state = value;
                self.touch(queue);
            }
            Target::QueueSched(at) => {
                let queue = queue(at);
                self.world.queues[queue].sched_state = value;
                self.touch(queue);
            }
            Target::PortSched(port) => self.world.ports[port].sched_state = value,
            Target::BufferAdm(buffer) => self.world.buffers[buffer].adm_state = value,
            Target::HeadValue(at) => {
                let queue = queue(at);
                self.set_head_value(queue, value);
            }
        }
    }

    /// Sorts constant orders again: a state that they read was set from outside.
    pub(super) fn sort_constant(&mut self) {
        let world = &self.world;
        let choosers = self.serves.iter_mut().zip(world.ports.iter().map(|port| &port.queues));
        let losers = self.loses.iter_mut().zip(world.buffers.iter().map(|buffer| &buffer.queues));
        for (chooser, queues) in choosers.chain(losers) {
            if let Chooser::Constant(constant) = chooser {
                constant.sort(queues.iter().map(|&queue| Scope::of(world, Time::ZERO, queue)));
            }
        }
    }

    fn set_head_value(&mut self, queue: usize, value: i64) {
        let slot = self.world.head(queue);
        if slot == NIL {
            return;
        }
        let world = &mut self.world;
        set_value(&mut world.slab.get_mut(slot).packet, Fixed(value));
        let packets = &mut world.queues[queue].packets;
        match &mut world.arriving {
            Some(arriving) if arriving.slot == slot => arriving.key = packets.key(world.slab.get(slot)),
            // The packet that was served gets its place when all is done.
            _ if world.served.is_some_and(|(_, served)| served == slot) => {}
            _ => packets.replace_first(&mut world.slab, slot),
        }
        self.touch(queue);
    }

    /// `mark` of a packet.
    pub(super) fn mark(&mut self, slot: u32) {
        self.counts.marked += u64::from(mark(&mut self.world.slab.get_mut(slot).packet));
    }

    /// `notify` of a packet.
    pub(super) fn notify(&mut self, slot: u32) {
        self.counts.notified += u64::from(notify(&mut self.world.slab.get_mut(slot).packet));
    }
}
