//! The state of a running engine, and how expressions read it.

use super::chooser::MOST_IN_WORD;
use super::expr::Reader;
use super::limits::Limits;
use super::longest::Longest;
use super::program::Leads;
use super::queued_work::Work;
use super::shape::{Any, Buffered, Shape};
use super::slab::{NIL, Stored};
use super::source::{QueueAt, Source};
use super::structure::Structure;
use super::value::{number, ordinal, time};
use crate::fields::set_value;
use crate::traits::Occupancy;
use forebay_core::{Duration, Packet, Time};
use forebay_lang::Fixed;

/// The state of a queue.
#[derive(Debug)]
pub(super) struct QueueCell<S> {
    pub(super) packets: S,
    pub(super) bytes: u64,
    /// The number of packets that count although they are not among `packets`: 1 while one is judged.
    pub(super) entering: u64,
    /// Whether a notification came too late for its packet, and waits for the next departing one (6.4).
    pub(super) notify_next: bool,
    pub(super) limits: Limits,
    pub(super) port: usize,
    /// The queue's bit in the order of its port, if that is constant.
    pub(super) port_bit: u64,
    /// The queue's index at its port.
    pub(super) at_port: usize,
    /// The queue's buffer, or [`NO_BUFFER`].
    pub(super) buffer: usize,
    /// The queue's index in its buffer.
    pub(super) at_buffer: usize,
    /// Whether a key of the queue is cached, which must be recomputed.
    pub(super) told: bool,
    pub(super) adm_state: i64,
    pub(super) sched_state: i64,
}

/// The index for queues without buffer.
pub(super) const NO_BUFFER: usize = usize::MAX;

impl<S: Structure> QueueCell<S> {
    /// Returns the queue's occupancy, without what is held.
    #[inline(always)]
    pub(super) fn there(&self) -> Occupancy {
        Occupancy { packets: self.packets.len() + self.entering, bytes: self.bytes }
    }

    /// Returns `currSize`.
    #[inline(always)]
    pub(super) fn used(&self) -> u64 {
        self.limits.used(self.there())
    }

    /// Returns the length that the search for the longest queue uses.
    #[inline(always)]
    pub(super) fn length(&self) -> u64 {
        let packets = self.there().packets;
        if packets > 0 { packets + self.limits.held.packets } else { 0 }
    }
}

/// The state of a buffer.
#[derive(Debug)]
pub(super) struct BufferCell {
    /// The occupancy, in its unit.
    pub(super) there: u64,
    pub(super) limits: Limits,
    /// Whether its longest queue loses packets.
    pub(super) longest_loses: bool,
    /// The longest queues, if these lose packets.
    pub(super) longest: Longest,
    pub(super) adm_state: i64,
    pub(super) queues: Box<[usize]>,
    /// Whether the buffer contains all queues of the policy, in their order.
    pub(super) has_all: bool,
}

/// Returns the buffer of index `named`.
#[inline(always)]
pub(super) fn buffer_of<H: Shape>(buffers: &mut [BufferCell], named: usize) -> Option<&mut BufferCell> {
    match H::BUFFERED {
        Buffered::No => None,
        Buffered::Together => buffers.first_mut(),
        Buffered::Some => buffers.get_mut(named),
    }
}

impl BufferCell {
    /// Whether one more packet of `bytes` bytes can enter without any action.
    #[inline(always)]
    pub(super) fn fits<H: Shape>(&self, bytes: u32) -> bool {
        if !H::BYTES || self.limits.in_packets {
            self.there < self.limits.count_below
        } else {
            self.there + u64::from(bytes) < self.limits.bytes_below
        }
    }

    /// Returns what a packet adds to `currSize`.
    #[inline(always)]
    pub(super) fn cost<H: Shape>(&self, bytes: u32) -> u64 {
        if H::BYTES { self.limits.cost(bytes) } else { 1 }
    }

    /// Adds a packet of `bytes` bytes.
    #[inline(always)]
    pub(super) fn add<H: Shape>(&mut self, bytes: u32) {
        self.there += self.cost::<H>(bytes);
    }

    /// Subtracts a packet of `bytes` bytes.
    #[inline(always)]
    pub(super) fn subtract<H: Shape>(&mut self, bytes: u32) {
        self.there -= self.cost::<H>(bytes);
    }

    /// Returns `currSize`.
    #[inline(always)]
    pub(super) fn used<H: Shape>(&self) -> u64 {
        self.there + if H::BYTES { self.limits.held() } else { self.limits.held.packets }
    }
}

/// The state of a port.
#[derive(Debug)]
pub(super) struct PortCell {
    pub(super) sched_state: i64,
    pub(super) queues: Box<[usize]>,
    /// The bits of queues that have packets, if the order is constant or there is only one; otherwise 0.
    pub(super) waiting: u64,
    /// The queue of each bit, if the order is constant.
    pub(super) by_bit: [u16; MOST_IN_WORD],
    /// The next stage of its packets; `None`: they leave.
    pub(super) leads: Option<Leads>,
}

impl PortCell {
    /// Returns the first queue that has packets, if the order is constant.
    #[inline(always)]
    pub(super) fn first_by_bits(&self) -> Option<usize> {
        if self.waiting == 0 {
            return None;
        }
        self.by_bit.get(self.waiting.trailing_zeros() as usize).map(|&queue| queue.into())
    }
}

/// A packet that is being judged: it counts, but is not yet in its queue.
#[derive(Debug)]
pub(super) struct Arriving<K> {
    pub(super) queue: usize,
    pub(super) stored: Stored,
    pub(super) key: K,
    /// Whether the packet was not dropped yet.
    pub(super) there: bool,
}

/// All state but the orders of queues, which are derived from it.
#[derive(Debug)]
pub(super) struct World<S: Structure> {
    pub(super) queues: Box<[QueueCell<S>]>,
    pub(super) ports: Box<[PortCell]>,
    pub(super) buffers: Box<[BufferCell]>,
    /// The queued processing of each queue.
    pub(super) work: Work,
    /// The values of the live parameters.
    pub(super) parameters: Box<[i64]>,
    pub(super) arriving: Option<Arriving<S::Key>>,
    /// In `postSchedAct`: the queue that was served, and the slot of the packet.
    pub(super) served: Option<(usize, u32)>,
}

impl<S: Structure> World<S> {
    /// Returns `findHigh()` of a queue.
    pub(super) fn head(&self, queue: usize) -> Option<Stored> {
        let packets = &self.queues[queue].packets;
        match (self.served, &self.arriving) {
            (Some((served, slot)), _) if served == queue => Some(packets.get(slot)),
            (_, Some(arriving)) if self.arriving_is_head(arriving, queue) => Some(arriving.stored),
            _ => {
                let slot = packets.first();
                (slot != NIL).then(|| packets.get(slot))
            }
        }
    }

    fn arriving_is_head(&self, arriving: &Arriving<S::Key>, queue: usize) -> bool {
        let packets = &self.queues[queue].packets;
        arriving.there && arriving.queue == queue && packets.arriving_is_first(&arriving.stored, arriving.key)
    }

    /// Sets the value of the packet that is `findHigh()` of a queue.
    pub(super) fn set_head_value(&mut self, queue: usize, value: Fixed) {
        // The packet that was served gets its place when all is done.
        if let Some((served, slot)) = self.served
            && served == queue
        {
            set_value(self.queues[queue].packets.packet_mut(slot), value);
            return;
        }
        if self.arriving.as_ref().is_some_and(|arriving| self.arriving_is_head(arriving, queue)) {
            self.write_on_arriving(|packet| set_value(packet, value));
            return;
        }
        let packets = &mut self.queues[queue].packets;
        let slot = packets.first();
        if slot != NIL {
            set_value(packets.packet_mut(slot), value);
            packets.replace(slot);
        }
    }

    /// Returns the first queue of a port that has packets, if the order is constant.
    #[inline(always)]
    pub(super) fn first_by_bits(&self, port: usize) -> Option<usize> {
        self.ports.get(port)?.first_by_bits()
    }

    /// Updates the cheap summaries of the counts of queues.
    #[inline(always)]
    pub(super) fn recount(&mut self, queue: usize) {
        let cell = &self.queues[queue];
        let port = &mut self.ports[cell.port];
        port.waiting = port.waiting & !cell.port_bit | if cell.there().packets > 0 { cell.port_bit } else { 0 };
        if let Some(buffer) = self.buffers.get_mut(cell.buffer) {
            buffer.longest.changed(cell.at_buffer, cell.length());
        }
    }

    /// Returns the longest queues of a buffer whose longest queue loses packets.
    #[inline(always)]
    pub(super) fn longest(&mut self, buffer: usize) -> Longest {
        if self.buffers[buffer].longest.is_unknown() {
            self.look_for_longest(buffer);
        }
        self.buffers[buffer].longest
    }

    #[inline(never)]
    fn look_for_longest(&mut self, buffer: usize) {
        let cell = &mut self.buffers[buffer];
        let length = |queue: &QueueCell<S>| queue.length();
        if cell.has_all {
            cell.longest.look(self.queues.iter().map(length));
        } else {
            cell.longest.look(cell.queues.iter().map(|&queue| self.queues.get(queue).map_or(0, length)));
        }
    }

    /// Sets the remaining processing of a queued packet.
    #[inline(always)]
    pub(super) fn set_left(&mut self, queue: usize, slot: u32, left: Duration) {
        let packets = &mut self.queues[queue].packets;
        if self.work.is_kept() {
            self.work.leaves(queue, packets.get(slot).left);
            self.work.enters(queue, left);
        }
        packets.set_left(slot, left);
    }

    /// Changes the arriving packet by `write`, if it was not dropped. Returns its queue, and the result of `write`.
    pub(super) fn write_on_arriving<R>(&mut self, write: impl FnOnce(&mut Packet) -> R) -> Option<(usize, R)> {
        let arriving = self.arriving.as_mut().filter(|arriving| arriving.there)?;
        let written = write(&mut arriving.stored.packet);
        arriving.key = self.queues[arriving.queue].packets.key(&arriving.stored);
        Some((arriving.queue, written))
    }

    /// Changes the packet that `mark` and `notify` concern by `write`: the served one, which is sorted again after all actions, or the
    /// arriving one. Returns its queue, and the result of `write`.
    pub(super) fn write_on_concerned(&mut self, write: impl FnOnce(&mut Packet) -> bool) -> Option<(usize, bool)> {
        match self.served {
            Some((queue, slot)) => Some((queue, write(self.queues[queue].packets.packet_mut(slot)))),
            None => self.write_on_arriving(write),
        }
    }

    /// Returns the packet that actions concern: the served or the arriving one, with its remaining processing.
    pub(super) fn packet_of_actions(&self) -> Option<Packet> {
        let stored = match self.served {
            Some((queue, slot)) => self.queues[queue].packets.get(slot),
            None => self.arriving.as_ref()?.stored,
        };
        Some(Packet { processing: stored.left, ..stored.packet })
    }

    /// Returns the occupancy of a queue, without what is held.
    #[inline(always)]
    pub(super) fn there(&self, queue: usize) -> Occupancy {
        self.queues[queue].there()
    }

    /// Returns `currSize` of a queue.
    #[inline(always)]
    pub(super) fn used(&self, queue: usize) -> u64 {
        self.queues[queue].used()
    }

    /// Returns `currSize` of a buffer.
    #[inline(always)]
    pub(super) fn used_of_buffer(&self, buffer: usize) -> u64 {
        self.buffers[buffer].used::<Any>()
    }

    /// Counts a packet as in its queue and buffer, with its remaining processing. The queue's structure counts its packets itself.
    #[inline(always)]
    pub(super) fn count_in(&mut self, queue: usize, bytes: u32, left: Duration) {
        self.work.enters(queue, left);
        let cell = &mut self.queues[queue];
        cell.bytes += u64::from(bytes);
        if let Some(buffer) = self.buffers.get_mut(cell.buffer) {
            buffer.add::<Any>(bytes);
        }
    }

    /// Counts all packets of a queue, `packets` with `bytes` bytes, as out of it and its buffer.
    pub(super) fn count_all_out(&mut self, queue: usize, packets: u64, bytes: u64) {
        self.work.all_leave(queue);
        let cell = &mut self.queues[queue];
        cell.bytes -= bytes;
        if let Some(buffer) = self.buffers.get_mut(cell.buffer) {
            buffer.there -= if buffer.limits.in_packets { packets } else { bytes };
        }
    }

    /// Counts a packet as out of its queue and buffer, with its remaining processing.
    #[inline(always)]
    pub(super) fn count_out(&mut self, queue: usize, bytes: u32, left: Duration) {
        self.work.leaves(queue, left);
        let cell = &mut self.queues[queue];
        cell.bytes -= u64::from(bytes);
        if let Some(buffer) = self.buffers.get_mut(cell.buffer) {
            buffer.subtract::<Any>(bytes);
        }
    }
}

/// The values that an expression can read in one place.
pub(super) struct Scope<'a, S: Structure> {
    pub(super) world: &'a World<S>,
    pub(super) now: Time,
    /// The queue for [`QueueAt::First`].
    pub(super) first: usize,
    /// The queue for [`QueueAt::Second`].
    pub(super) second: usize,
}

impl<'a, S: Structure> Scope<'a, S> {
    /// Creates the scope of one queue.
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
        self.world.arriving.as_ref().map(|arriving| &arriving.stored)
    }

    fn head(&self, queue: QueueAt) -> Option<Stored> {
        self.world.head(self.queue(queue))
    }
}

/// Converts a count into a number.
fn whole(count: u64) -> i64 {
    Fixed::whole(count).0
}

impl<S: Structure> Reader for Scope<'_, S> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => self.arriving().map_or(0, |stored| number(stored, what)),
            Source::Second(_) => 0,
            Source::Head(queue, what) => self.head(queue).map_or(0, |stored| number(&stored, what)),
            Source::QueueSize(queue) => whole(self.cell(queue).limits.size),
            Source::QueueCount(queue) => whole(self.world.used(self.queue(queue))),
            Source::QueueProcessing(queue) => self.world.work.of(self.queue(queue)),
            Source::QueueAdm(queue) => self.cell(queue).adm_state,
            Source::QueueSched(queue) => self.cell(queue).sched_state,
            Source::Next(queue, what) => self.next(queue, what),
            Source::PortSched(port) => self.world.ports[port].sched_state,
            Source::BufferCount(buffer) => whole(self.world.used_of_buffer(buffer)),
            Source::BufferAdm(buffer) => self.world.buffers[buffer].adm_state,
            Source::Parameter(parameter) => self.world.parameters[parameter],
            Source::Now => time(self.now.as_ps()),
        }
    }

    #[inline(always)]
    fn ordinal(&self, source: Source) -> u64 {
        match source {
            Source::QueueCount(queue) => self.world.used(self.queue(queue)),
            Source::Head(queue, what) => self.head(queue).map_or(0, |stored| ordinal(&stored, what)),
            other => super::value::ordinal_of_units(self.read(other)),
        }
    }
}
