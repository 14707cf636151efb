//! What an engine knows while it runs, and what expressions read of it.

use super::expr::{QueueAt, Reader, Source};
use super::program::Program;
use super::slab::{NIL, Slab, Stored};
use super::structure::Structure;
use super::value::{number, ordinal, time};
use crate::traits::Occupancy;
use forebay_core::{BufferSize, Time};
use forebay_lang::Fixed;

/// How much is in a queue or a buffer, in the unit of its size.
#[derive(Debug)]
pub(super) struct Room {
    /// With what is held.
    pub(super) used: u64,
    /// More than this is never kept.
    pub(super) size: u64,
    /// Below this nothing has to be done: 0, if `congestion` is more than a tail drop.
    pub(super) end: u64,
    pub(super) in_packets: bool,
}

impl Room {
    /// Room for a size, under a `congestion`.
    pub(super) fn new(size: BufferSize, congestion: &Program) -> Self {
        let (in_packets, size) = match size {
            BufferSize::Packets(size) => (true, size),
            BufferSize::Bytes(size) => (false, size),
        };
        let end = match congestion {
            Program::Tail(tail) => size.saturating_add(1).min(*tail),
            Program::Cases(_) => 0,
        };
        Self { used: 0, size, end, in_packets }
    }

    /// What a packet of so many bytes takes.
    #[inline(always)]
    pub(super) fn cost(&self, bytes: u64) -> u64 {
        if self.in_packets { 1 } else { bytes }
    }

    /// What packets take.
    pub(super) fn cost_of(&self, what: Occupancy) -> u64 {
        if self.in_packets { what.packets } else { what.bytes }
    }
}

/// A queue.
#[derive(Debug)]
pub(super) struct QueueCell<S> {
    pub(super) packets: S,
    pub(super) count: u64,
    pub(super) bytes: u64,
    pub(super) room: Room,
    pub(super) held: Occupancy,
    pub(super) port: usize,
    /// Which of the queues of its port it is.
    pub(super) at_port: usize,
    pub(super) buffer: Option<usize>,
    /// Which of the queues of its buffer it is.
    pub(super) at_buffer: usize,
    pub(super) adm_state: i64,
    pub(super) sched_state: i64,
}

/// A buffer.
#[derive(Debug)]
pub(super) struct BufferCell {
    pub(super) room: Room,
    pub(super) adm_state: i64,
    pub(super) queues: Box<[usize]>,
}

/// A port.
#[derive(Debug)]
pub(super) struct PortCell {
    pub(super) sched_state: i64,
    pub(super) queues: Box<[usize]>,
}

/// A packet that is being judged: it counts, but is not yet in its queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arriving<K> {
    pub(super) queue: usize,
    pub(super) slot: u32,
    pub(super) key: K,
    /// Whether it was not dropped yet.
    pub(super) there: bool,
}

/// All but the orders of queues, which are made from it.
#[derive(Debug)]
pub(super) struct World<S: Structure> {
    pub(super) slab: Slab,
    pub(super) queues: Box<[QueueCell<S>]>,
    pub(super) ports: Box<[PortCell]>,
    pub(super) buffers: Box<[BufferCell]>,
    pub(super) arriving: Option<Arriving<S::Key>>,
    /// In `postSchedAct`: the queue and the packet that was served.
    pub(super) served: Option<(usize, u32)>,
}

impl<S: Structure> World<S> {
    /// The slot of `findHigh()` of a queue, or [`NIL`].
    pub(super) fn head(&self, queue: usize) -> u32 {
        if let Some((served, slot)) = self.served
            && served == queue
        {
            return slot;
        }
        let packets = &self.queues[queue].packets;
        if let Some(arriving) = &self.arriving
            && arriving.there
            && arriving.queue == queue
            && packets.arriving_is_first(&self.slab, self.slab.get(arriving.slot), arriving.key)
        {
            return arriving.slot;
        }
        packets.first(&self.slab)
    }

    /// Counts a packet as in its queue and buffer.
    #[inline(always)]
    pub(super) fn count_in(&mut self, queue: usize, bytes: u32) {
        let bytes = u64::from(bytes);
        let cell = &mut self.queues[queue];
        cell.count += 1;
        cell.bytes += bytes;
        cell.room.used += cell.room.cost(bytes);
        if let Some(buffer) = cell.buffer {
            let room = &mut self.buffers[buffer].room;
            room.used += room.cost(bytes);
        }
    }

    /// Counts a packet as out of its queue and buffer.
    #[inline(always)]
    pub(super) fn count_out(&mut self, queue: usize, bytes: u32) {
        let bytes = u64::from(bytes);
        let cell = &mut self.queues[queue];
        cell.count -= 1;
        cell.bytes -= bytes;
        cell.room.used -= cell.room.cost(bytes);
        if let Some(buffer) = cell.buffer {
            let room = &mut self.buffers[buffer].room;
            room.used -= room.cost(bytes);
        }
    }
}

/// What an expression can read in one place.
pub(super) struct Scope<'a, S: Structure> {
    pub(super) world: &'a World<S>,
    pub(super) now: Time,
    /// What [`QueueAt::First`] is.
    pub(super) first: usize,
    /// What [`QueueAt::Second`] is.
    pub(super) second: usize,
}

impl<'a, S: Structure> Scope<'a, S> {
    /// Of one queue.
    #[inline(always)]
    pub(super) fn of(world: &'a World<S>, now: Time, queue: usize) -> Self {
        Self { world, now, first: queue, second: queue }
    }

    #[inline(always)]
    pub(super) fn queue(&self, queue: QueueAt) -> usize {
        match queue {
            QueueAt::Named(queue) => queue,
            QueueAt::First => self.first,
            QueueAt::Second => self.second,
        }
    }

    fn cell(&self, queue: QueueAt) -> &'a QueueCell<S> {
        &self.world.queues[self.queue(queue)]
    }

    fn arriving(&self) -> Option<&'a Stored> {
        self.world.arriving.as_ref().map(|arriving| self.world.slab.get(arriving.slot))
    }

    fn head(&self, queue: QueueAt) -> Option<&'a Stored> {
        let slot = self.world.head(self.queue(queue));
        (slot != NIL).then(|| self.world.slab.get(slot))
    }
}

/// A count as a number.
fn whole(count: u64) -> i64 {
    Fixed::whole(count).0
}

impl<S: Structure> Reader for Scope<'_, S> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => self.arriving().map_or(0, |stored| number(stored, what)),
            Source::Second(_) => 0,
            Source::Head(queue, what) => self.head(queue).map_or(0, |stored| number(stored, what)),
            Source::QueueSize(queue) => whole(self.cell(queue).room.size),
            Source::QueueCount(queue) => whole(self.cell(queue).room.used),
            Source::QueueAdm(queue) => self.cell(queue).adm_state,
            Source::QueueSched(queue) => self.cell(queue).sched_state,
            Source::PortSched(port) => self.world.ports[port].sched_state,
            Source::BufferCount(buffer) => whole(self.world.buffers[buffer].room.used),
            Source::BufferAdm(buffer) => self.world.buffers[buffer].adm_state,
            Source::Now => time(self.now.as_ps()),
        }
    }

    #[inline(always)]
    fn ordinal(&self, source: Source) -> u64 {
        match source {
            Source::QueueCount(queue) => self.cell(queue).room.used,
            Source::Head(queue, what) => self.head(queue).map_or(0, |stored| ordinal(stored, what)),
            other => super::order::ordinal_of_units(self.read(other)),
        }
    }
}
