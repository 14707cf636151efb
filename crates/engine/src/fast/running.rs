//! What changes while an engine runs, and what `modify` and drops do to it.

use super::chooser::Chooser;
use super::expr::Expr;
use super::program::Target;
use super::slab::NIL;
use super::structure::Structure;
use super::world::{Scope, World};
use crate::fields::{mark, notify};
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
        let cell = &self.world.queues[queue];
        if cell.at_port != NIL {
            self.touch_port(queue);
        }
        self.touch_buffer(queue);
    }

    #[inline(always)]
    fn touch_port(&mut self, queue: usize) {
        let cell = &self.world.queues[queue];
        let scope = Scope::of(&self.world, Time::ZERO, queue);
        self.serves[cell.port].update(cell.at_port as usize, cell.there.packets, &scope);
    }

    /// The same where they read only how many packets a queue has.
    #[inline(always)]
    pub(super) fn touch_count(&mut self, queue: usize) {
        let cell = &self.world.queues[queue];
        if let Some(Chooser::Constant(constant)) = self.serves.get_mut(cell.port) {
            constant.update(cell.at_port as usize, cell.there.packets);
        }
        if let Some(Chooser::Longest(longest)) = cell.buffer.and_then(|buffer| self.loses.get_mut(buffer)) {
            longest.count(cell.at_buffer as usize, cell.there.packets, cell.limits.held.packets);
        } else if cell.at_buffer != NIL {
            self.touch_rare(queue);
        }
    }

    #[inline(never)]
    fn touch_rare(&mut self, queue: usize) {
        self.touch(queue);
    }

    /// Tells only the order of queues of a buffer.
    #[inline(always)]
    pub(super) fn touch_buffer(&mut self, queue: usize) {
        let cell = &self.world.queues[queue];
        if cell.at_buffer != NIL && let Some(buffer) = cell.buffer {
            let scope = Scope::of(&self.world, Time::ZERO, queue);
            self.loses[buffer].update(cell.at_buffer as usize, cell.there.packets, &scope);
        }
    }

    /// The queue that is first of those of a port that have packets.
    #[inline(always)]
    pub(super) fn first_of_port(&self, port: usize) -> Option<usize> {
        match (self.serves.get(port)?, &*self.world.ports.get(port)?.queues) {
            (Chooser::Constant(constant), queues) => queues.get(constant.first()?).copied(),
            (Chooser::Only, [only]) => Some(*only),
            (chooser, queues) => self.first_of(chooser, queues),
        }
    }

    /// The queue that is first of those of a buffer that have packets.
    #[inline(always)]
    fn first_of_buffer(&self, buffer: usize) -> Option<usize> {
        match (&self.loses[buffer], &*self.world.buffers[buffer].queues) {
            (Chooser::Longest(longest), queues) => queues.get(longest.first()?).copied(),
            (chooser, queues) => self.first_of(chooser, queues),
        }
    }

    #[inline(never)]
    fn first_of(&self, chooser: &Chooser, queues: &[usize]) -> Option<usize> {
        let scope = |first: usize, second: usize| Scope { world: &self.world, now: Time::ZERO, first, second };
        let member = match chooser {
            Chooser::Only => (self.count(queues[0]) > 0).then_some(0),
            Chooser::Constant(constant) => constant.first(),
            Chooser::Keys(keys) => keys.first(|member| self.count(queues[member]) > 0),
            Chooser::WideKeys(keys) => keys.first(|member| self.count(queues[member]) > 0),
            Chooser::Longest(longest) => longest.first(),
            Chooser::Scan(before) => self.best(queues, |best, next| before.holds(&scope(next, best))),
        };
        member.map(|member| queues[member])
    }

    #[inline(always)]
    fn count(&self, queue: usize) -> u64 {
        self.world.queues[queue].there.packets
    }

    /// The member that has packets and is better than those before it, and not worse than those behind it.
    fn best(&self, queues: &[usize], better: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let waiting = (0..queues.len()).filter(|&member| self.count(queues[member]) > 0);
        waiting.reduce(|best, next| if better(queues[best], queues[next]) { next } else { best })
    }

    /// Drops the victim of a queue or buffer (6.6, 6.7). Whether there was one.
    #[inline]
    pub(super) fn drop_one(&mut self, what: Congested, evicted: &mut Vec<Packet>) -> bool {
        let queue = match what {
            Congested::Queue(queue) => Some(queue).filter(|&queue| self.world.queues[queue].there.packets > 0),
            Congested::Buffer(buffer) => self.first_of_buffer(buffer),
        };
        let Some(queue) = queue else { return false };
        let world = &mut self.world;
        let packets = &mut world.queues[queue].packets;
        let bytes = match &mut world.arriving {
            Some(arriving)
                if arriving.there
                    && arriving.queue == queue
                    && packets.arriving_is_victim(&arriving.stored, arriving.key) =>
            {
                arriving.there = false;
                arriving.stored.packet.size_bytes
            }
            _ => {
                let Some(packet) = packets.pop_victim() else { return false };
                evicted.push(packet);
                packet.size_bytes
            }
        };
        match what {
            Congested::Queue(_) => self.counts.dropped_by_queue += 1,
            Congested::Buffer(_) => self.counts.dropped_by_buffer += 1,
        }
        self.world.count_out::<false>(queue, bytes);
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
                self.world.set_head_value(queue, Fixed(value));
                self.touch(queue);
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

    /// `mark` of a packet, if it is there.
    pub(super) fn mark(&mut self) {
        self.counts.marked += u64::from(self.world.concerned().is_some_and(mark));
    }

    /// `notify` of a packet, if it is there.
    pub(super) fn notify(&mut self) {
        self.counts.notified += u64::from(self.world.concerned().is_some_and(notify));
    }
}
