//! The state that changes while an engine runs, and how `modify` and drops change it.

use super::chooser::Chooser;
use super::expr::Expr;
use super::origins::Origins;
use super::program::Target;
use super::structure::Structure;
use super::world::{Scope, World};
use crate::drop_trial::Trials;
use crate::fields::{mark, notify, set_value};
use crate::traits::Routines;
use forebay_core::{Packet, Time};
use forebay_lang::Fixed;
use std::sync::Arc;

/// The packets and states of a policy, and the orders of its queues.
#[derive(Debug)]
pub(super) struct Running<S: Structure> {
    pub(super) world: World<S>,
    /// For each port, the choice of the queue that is served.
    pub(super) serves: Box<[Chooser]>,
    /// For each buffer, the choice of the queue that loses a packet.
    pub(super) loses: Box<[Chooser]>,
    pub(super) trials: Trials,
    pub(super) next_number: u64,
    pub(super) policy_id: u32,
    pub(super) counts: Counts,
    pub(super) routines: Given,
    pub(super) origins: Origins,
}

/// The actions that a program implements.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) names: Box<[String]>,
    pub(super) given: Option<Arc<dyn Routines>>,
}

/// Packet counts for the report.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) unclassified: u64,
    pub(super) dropped_by_queue: u64,
    pub(super) dropped_by_buffer: u64,
    pub(super) overflowed: u64,
    pub(super) marked: u64,
    pub(super) notified: u64,
}

/// Returns the number of a queue.
#[expect(clippy::cast_possible_truncation, reason = "queues are numbered with 16 bits")]
fn number_of(queue: usize) -> u16 {
    queue as u16
}

/// The owner of a `congestion`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Congested {
    Queue(usize),
    Buffer(usize),
}

impl<S: Structure> Running<S> {
    /// Updates the orders of queues after a property of a queue may have changed.
    #[inline(never)]
    pub(super) fn touch(&mut self, queue: usize) {
        self.world.recount(queue);
        let cell = &self.world.queues[queue];
        if cell.told {
            let scope = Scope::of(&self.world, Time::ZERO, queue);
            let packets = cell.there().packets;
            self.serves[cell.port].update(cell.at_port, packets, &scope);
            if let Some(chooser) = self.loses.get_mut(cell.buffer) {
                chooser.update(cell.at_buffer, packets, &scope);
            }
        }
    }

    /// Returns the first of the queues of a port that have packets.
    #[inline(always)]
    pub(super) fn first_of_port(&self, port: usize) -> Option<usize> {
        let by_bits = self.world.first_by_bits(port);
        by_bits.or_else(|| self.first_of(self.serves.get(port)?, &self.world.ports.get(port)?.queues))
    }

    /// Returns the first of the queues of a buffer that have packets.
    #[inline(always)]
    fn first_of_buffer(&mut self, buffer: usize) -> Option<usize> {
        if matches!(self.loses[buffer], Chooser::Longest) {
            let member = self.world.longest(buffer).first()?;
            return self.world.buffers[buffer].queues.get(member).copied();
        }
        self.first_of(&self.loses[buffer], &self.world.buffers[buffer].queues)
    }

    #[inline(never)]
    fn first_of(&self, chooser: &Chooser, queues: &[usize]) -> Option<usize> {
        let scope = |first: usize, second: usize| Scope { world: &self.world, now: Time::ZERO, first, second };
        let member = match chooser {
            // These are found without a key, if a packet waits.
            Chooser::Constant(_) | Chooser::Longest => None,
            Chooser::Arriving => return self.world.arriving.as_ref().map(|arriving| arriving.queue),
            Chooser::Only => (self.count(queues[0]) > 0).then_some(0),
            Chooser::Keys(keys) => keys.first(|member| self.count(queues[member]) > 0),
            Chooser::WideKeys(keys) => keys.first(|member| self.count(queues[member]) > 0),
            Chooser::Scan(before) => self.best(queues, |best, next| before.holds(&scope(next, best))),
        };
        member.map(|member| queues[member])
    }

    #[inline(always)]
    fn count(&self, queue: usize) -> u64 {
        self.world.queues[queue].there().packets
    }

    /// Returns the first of the best members that have packets.
    fn best(&self, queues: &[usize], better: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let waiting = (0..queues.len()).filter(|&member| self.count(queues[member]) > 0);
        waiting.reduce(|best, next| if better(queues[best], queues[next]) { next } else { best })
    }

    /// Drops the victim of a queue or buffer (6.6, 6.7). Returns whether there was one.
    #[inline]
    pub(super) fn drop_one(&mut self, what: Congested, evicted: &mut Vec<Packet>) -> bool {
        let queue = match what {
            Congested::Queue(queue) => Some(queue).filter(|&queue| self.world.queues[queue].there().packets > 0),
            Congested::Buffer(buffer) => self.first_of_buffer(buffer),
        };
        let Some(queue) = queue else { return false };
        let world = &mut self.world;
        let packets = &mut world.queues[queue].packets;
        let (bytes, left) = match &mut world.arriving {
            Some(arriving)
                if arriving.there
                    && arriving.queue == queue
                    && packets.arriving_is_victim(&arriving.stored, arriving.key) =>
            {
                arriving.there = false;
                world.queues[queue].entering = 0;
                (arriving.stored.packet.size_bytes, arriving.stored.left)
            }
            _ => {
                let Some((packet, left)) = packets.pop_victim() else { return false };
                evicted.push(*packet);
                (packet.size_bytes, left)
            }
        };
        match what {
            Congested::Queue(_) => self.counts.dropped_by_queue += 1,
            Congested::Buffer(_) => self.counts.dropped_by_buffer += 1,
        }
        self.world.count_out(queue, bytes, left);
        self.touch(queue);
        true
    }

    /// Runs `modify`, evaluated for `queue` (6.4, 7.3).
    pub(super) fn modify(&mut self, target: Target, value: &Expr, now: Time, queue: usize) {
        let value = value.value(&Scope::of(&self.world, now, queue));
        self.set(target, value, queue);
    }

    /// Sets a state to a value.
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
            Target::ArrivingValue => {
                if let Some((queue, ())) = self.world.write_on_arriving(|packet| set_value(packet, Fixed(value))) {
                    self.tell(queue);
                }
            }
            Target::HeadValue(at) => {
                let queue = queue(at);
                self.world.set_head_value(queue, Fixed(value));
                self.touch(queue);
            }
        }
    }

    /// Sorts the constant order of a port again: at the start, and after a state that it reads was set from outside.
    pub(super) fn sort_constant(&mut self, port: usize) {
        let world = &mut self.world;
        let Some(cell) = world.ports.get(port) else { return };
        let mut sorted: Vec<usize> = cell.queues.to_vec();
        match &self.serves[port] {
            Chooser::Only => {}
            Chooser::Constant(order) => {
                sorted.sort_by_cached_key(|&queue| order.pack::<u128>(&Scope::of(world, Time::ZERO, queue)));
            }
            Chooser::Arriving | Chooser::Longest | Chooser::Keys(_) | Chooser::WideKeys(_) | Chooser::Scan(_) => return,
        }
        world.ports[port].waiting = 0;
        for (bit, &queue) in sorted.iter().enumerate() {
            world.queues[queue].port_bit = 1 << bit;
            world.ports[port].by_bit[bit] = number_of(queue);
        }
        sorted.iter().for_each(|&queue| world.recount(queue));
    }

    /// Marks a packet, if there is one.
    pub(super) fn mark(&mut self) {
        if let Some((queue, first)) = self.world.write_on_concerned(mark) {
            self.counts.marked += u64::from(first);
            self.tell(queue);
        }
    }

    /// Recomputes the cached keys of a queue, if any, after one of its packets was changed.
    fn tell(&mut self, queue: usize) {
        if self.world.queues[queue].told {
            self.touch(queue);
        }
    }

    /// Notifies a packet. If it was dropped, the notification waits for the next departing packet (6.4).
    pub(super) fn notify(&mut self) {
        match self.world.write_on_concerned(notify) {
            Some((queue, first)) => {
                self.counts.notified += u64::from(first);
                self.tell(queue);
            }
            None => {
                if let Some(arriving) = &self.world.arriving {
                    self.world.queues[arriving.queue].notify_next = true;
                }
            }
        }
    }

    /// Gives a departing packet the notification that waits for it.
    pub(super) fn notify_late(&mut self, queue: usize, slot: u32) {
        if std::mem::take(&mut self.world.queues[queue].notify_next) {
            self.world.served = Some((queue, slot));
            self.notify();
            self.world.served = None;
        }
    }
}
