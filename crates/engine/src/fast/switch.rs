//! The engine itself: it runs programs on the state.
//!
//! Features that the [`Shape`] of its policy rules out are not compiled in. Rare cases are not inlined and are called
//! last, so that the common path needs no stack. Numbers in comments are sections of `docs/openqueue-semantics.md`.

use super::expr::Reader;
use super::program::{Classifier, Program, Target};
use super::running::Running;
use super::shape::Shape;
use super::slab::{NIL, Stored};
use super::source::{QueueAt, Source};
use super::structure::Structure;
use super::value::number;
use super::world::{Scope, buffer_of};
use crate::fields::CYCLE;
use crate::traits::{Classify, Engine, Occupancy, Routines, Served, Waiting};
use forebay_core::{Counter, Duration, Packet, QueueId, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId, State};
use std::marker::PhantomData;
use std::sync::Arc;

/// The compiled rules of the policy.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) classifier: Classifier,
    /// The `congestion` of each queue.
    pub(super) queues: Box<[Program]>,
    /// The `congestion` of each buffer.
    pub(super) buffers: Box<[Program]>,
    /// The `postSchedAct` of each port.
    pub(super) ports: Box<[Program]>,
}

/// An engine.
#[derive(Debug)]
pub(super) struct Switch<S: Structure, H: Shape> {
    pub(super) programs: Programs,
    pub(super) running: Running<S>,
    pub(super) shape: PhantomData<H>,
}

/// Reads the packet to be classified.
struct Directing<'a, S: Structure>(Scope<'a, S>, &'a Stored);

impl<S: Structure> Reader for Directing<'_, S> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => number(self.1, what),
            other => self.0.read(other),
        }
    }
}

impl<S: Structure, H: Shape> Switch<S, H> {
    /// 5: returns the queue that a packet enters.
    #[inline(never)]
    fn entered(&self, now: Time, packet: &Packet) -> Option<usize> {
        let queue = match &self.programs.classifier {
            Classifier::One => 0,
            Classifier::Directed => packet.queue.0.into(),
            Classifier::Cases(cases) => {
                let stored = Stored::arriving(*packet, 0, self.running.policy_id);
                let reader = Directing(Scope::of(&self.running.world, now, 0), &stored);
                let case = cases.iter().find(|case| case.when.holds(&reader))?;
                case.chosen(&reader)?
            }
        };
        (queue < self.running.world.queues.len()).then_some(queue)
    }

    /// 6: admits or drops a packet at that queue.
    #[inline(always)]
    fn offer(&mut self, now: Time, packet: &Packet, queue: usize, evicted: &mut Vec<Packet>) -> Verdict {
        if H::PLAIN { self.admit(packet, evicted, queue) } else { self.judge(now, packet, evicted, queue) }
    }

    /// Compiles a state that is named from outside.
    fn target(&self, state: State) -> Option<Target> {
        let world = &self.running.world;
        Target::named(state).filter(|target| match *target {
            Target::QueueAdm(queue) | Target::QueueSched(queue) | Target::HeadValue(queue) => {
                matches!(queue, QueueAt::Named(queue) if queue < world.queues.len())
            }
            Target::PortSched(port) => port < world.ports.len(),
            Target::BufferAdm(buffer) => buffer < world.buffers.len(),
            // It has no name from outside.
            Target::ArrivingValue => false,
        })
    }

    /// Creates the state of a packet that enters.
    #[inline(always)]
    pub(super) fn entering(&mut self, packet: Packet) -> Stored {
        let running = &mut self.running;
        let number = running.next_number;
        running.next_number += 1;
        Stored::arriving(packet, number, running.policy_id)
    }

    /// 7.3: runs `postSchedAct`, after `slot` of `queue` was served.
    pub(super) fn after_service(&mut self, now: Time, port: usize, queue: usize, slot: u32) {
        if let Program::Cases(cases) = &self.programs.ports[port] {
            self.running.world.served = Some((queue, slot));
            self.running.act_after(cases, now, queue);
            self.running.world.served = None;
        }
    }

    /// 7.1: returns the queue that a port serves next.
    #[inline(always)]
    fn queue_of(&self, port: PortId) -> Option<usize> {
        if H::ONE { (port.0 == 0).then_some(0) } else { self.running.first_of_port(usize::from(port.0)) }
    }

    /// 7.1: returns that queue, and the slot of its first packet.
    #[inline(always)]
    fn next_of(&self, port: PortId) -> Option<(usize, u32)> {
        let queue = self.queue_of(port)?;
        let slot = self.running.world.queues[queue].packets.first();
        (slot != NIL).then_some((queue, slot))
    }

    /// 7.4: counts a departing packet of `bytes` bytes, which has no processing left.
    #[inline(always)]
    pub(super) fn left(&mut self, queue: usize, bytes: u32) {
        self.running.world.count_out(queue, bytes, Duration::ZERO);
        self.touch(queue);
    }

    #[inline(always)]
    pub(super) fn touch(&mut self, queue: usize) {
        if !H::ONE {
            self.running.touch(queue);
        }
    }

    /// Admits or drops a packet that does not simply name its queue.
    #[inline(never)]
    fn enqueue_elsewhere(&mut self, now: Time, packet: &Packet, evicted: &mut Vec<Packet>) -> Verdict {
        match self.entered(now, packet) {
            Some(queue) => self.offer(now, packet, queue, evicted),
            None => self.unclassified(packet),
        }
    }

    /// 5.3: drops a packet that no case classifies.
    #[cold]
    fn unclassified(&mut self, packet: &Packet) -> Verdict {
        self.running.counts.unclassified += 1;
        Verdict::Refused { rank: packet.rank }
    }

    /// 6: admits or drops a packet, if only tail drops can happen. The case without room is not inlined and comes last, so that the common
    /// path needs no stack. Tail drops do not read the time.
    #[inline(always)]
    pub(super) fn admit(&mut self, packet: &Packet, evicted: &mut Vec<Packet>, queue: usize) -> Verdict {
        let running = &mut self.running;
        let world = &mut running.world;
        let Some(cell) = world.queues.get_mut(queue) else { return self.unclassified(packet) };
        let bytes = packet.size_bytes;
        let there = Occupancy { packets: cell.packets.len(), bytes: cell.bytes };
        if !cell.limits.fits::<H>(there, bytes) || !cell.packets.has_slot() || (H::KEYS && cell.told) {
            return self.no_room(packet, evicted, queue);
        }
        let mut buffer = buffer_of::<H>(&mut world.buffers, cell.buffer);
        if buffer.as_ref().is_some_and(|buffer| !buffer.fits::<H>(bytes)) {
            return self.no_room_in_buffer(packet, evicted, queue);
        }
        cell.bytes += u64::from(bytes);
        let mut number = 0;
        if !H::ONE || !S::KNOWS_ARRIVAL {
            number = running.next_number;
            running.next_number += 1;
        }
        let stored = Stored::arriving(*packet, number, running.policy_id);
        let key = cell.packets.key(&stored);
        cell.packets.insert_into_slot(stored, key);
        if let Some(buffer) = &mut buffer {
            buffer.add::<H>(bytes);
            buffer.longest.grew(cell.at_buffer, there.packets + 1 + cell.limits.held.packets);
        }
        if !H::ONE
            && there.packets == 0
            && let Some(port) = world.ports.get_mut(cell.port)
        {
            port.waiting |= cell.port_bit;
        }
        Verdict::Queued { rank: packet.rank }
    }

    /// 7: serves a packet, if `postSchedAct` has effects.
    #[inline(never)]
    fn serve(&mut self, now: Time, port: PortId) -> Option<Packet> {
        let (queue, slot) = self.next_of(port)?;
        self.running.world.set_left(queue, slot, Duration::ZERO);
        self.after_service(now, usize::from(port.0), queue, slot);
        self.running.notify_late(queue, slot);
        let stored = self.running.world.queues[queue].packets.take(slot)?;
        self.left(queue, stored.packet.size_bytes);
        Some(stored.packet)
    }

    /// 7: serves a packet, if the queue is not found in a word of bits, or its key is cached.
    #[inline(never)]
    fn serve_elsewhere(&mut self, port: PortId) -> Option<Packet> {
        let (queue, slot) = self.next_of(port)?;
        let packet = *self.running.world.queues[queue].packets.release(slot);
        self.left(queue, packet.size_bytes);
        Some(packet)
    }
}

/// Sorts packets by their numbers. Since packets are large, their indices are sorted first.
fn sort_by_number(taken: &mut [(u64, Waiting)]) {
    let mut order: Vec<(u64, usize)> = taken.iter().map(|(number, _)| *number).zip(0..).collect();
    order.sort_unstable();
    for start in 0..taken.len() {
        // Round a cycle: each position gets its packet, and the last one gets the packet of the first.
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place].1, place);
            if from == start {
                break;
            }
            taken.swap(place, from);
            place = from;
        }
    }
}

impl<S: Structure, H: Shape> Engine for Switch<S, H> {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        if H::PLAIN && H::ONE {
            return self.admit(&packet, evicted, 0);
        }
        if H::PLAIN && (H::DIRECTED || matches!(self.programs.classifier, Classifier::Directed)) {
            return self.admit(&packet, evicted, packet.queue.0.into());
        }
        self.enqueue_elsewhere(now, &packet, evicted)
    }

    #[inline]
    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        if !H::PLAIN {
            return self.serve(now, port);
        }
        let world = &mut self.running.world;
        let mut port_cell = if H::ONE { None } else { world.ports.get_mut(usize::from(port.0)) };
        let first = match &port_cell {
            _ if H::ONE => (port.0 == 0).then_some(0),
            Some(port) => port.first_by_bits(),
            None => None,
        };
        let Some(cell) = first.and_then(|queue| world.queues.get_mut(queue)) else {
            return if H::ONE { None } else { self.serve_elsewhere(port) };
        };
        let slot = cell.packets.first();
        if slot == NIL || (H::KEYS && cell.told) {
            return if H::ONE { None } else { self.serve_elsewhere(port) };
        }
        let packets = cell.packets.len();
        let packet = cell.packets.release(slot);
        let bytes = packet.size_bytes;
        cell.bytes -= u64::from(bytes);
        if let Some(buffer) = buffer_of::<H>(&mut world.buffers, cell.buffer) {
            buffer.subtract::<H>(bytes);
            buffer.longest.shrank(cell.at_buffer, packets + cell.limits.held.packets);
        }
        if packets == 1
            && let Some(port) = &mut port_cell
        {
            // It was the first.
            port.waiting &= port.waiting - 1;
        }
        Some(*packet)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        let Some((queue, slot)) = self.next_of(port) else { return Served::Nothing };
        let left = self.running.world.queues[queue].packets.get(slot).left - CYCLE;
        let served = self.served(now, port, (queue, slot), left);
        served.map_or(Served::Cycle, |stored| Served::Packet(stored.packet))
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        self.running.world.there(usize::from(queue.0))
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        let queue = usize::from(queue.0);
        let world = &mut self.running.world;
        let cell = &mut world.queues[queue];
        let before = cell.limits.held;
        cell.limits.hold(held);
        if let Some(buffer) = world.buffers.get_mut(cell.buffer) {
            buffer.longest.forget();
            let limits = &mut buffer.limits;
            limits.hold(Occupancy {
                packets: limits.held.packets - before.packets + held.packets,
                bytes: limits.held.bytes - before.bytes + held.bytes,
            });
        }
        self.running.touch(queue);
    }

    fn place(&mut self, waiting: Waiting) {
        let queue = usize::from(waiting.queue.0);
        let stored = Stored { policy_id: waiting.policy_id, ..self.entering(waiting.packet) };
        let world = &mut self.running.world;
        world.count_in(queue, waiting.packet.size_bytes, stored.left);
        let packets = &mut world.queues[queue].packets;
        let key = packets.key(&stored);
        packets.insert(stored, key);
        self.running.touch(queue);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        // A change under traffic must be quick, and most of its time goes into memory that is new.
        let packets = self.running.world.queues.iter().map(|cell| cell.packets.len()).sum::<u64>();
        let mut taken = Vec::with_capacity(usize::try_from(packets).unwrap_or_default());
        for (queue, id) in (0..self.running.world.queues.len()).zip(0..) {
            let mut bytes = 0;
            let before = taken.len();
            self.running.world.queues[queue].packets.take_all(|Stored { packet, left, number, policy_id }| {
                bytes += u64::from(packet.size_bytes);
                let packet = Packet { processing: left, ..packet };
                taken.push((number, Waiting { queue: QueueId(id), policy_id, packet }));
            });
            if taken.len() > before {
                self.running.world.count_all_out(queue, (taken.len() - before) as u64, bytes);
                self.running.touch(queue);
            }
        }
        if (!H::ONE || !S::KNOWS_ARRIVAL) && !taken.is_sorted_by_key(|(number, _)| *number) {
            sort_by_number(&mut taken);
        }
        taken.into_iter().map(|(_, waiting)| waiting).collect()
    }

    fn state(&self, state: State) -> Fixed {
        let world = &self.running.world;
        let value = self.target(state).map(|target| match target {
            Target::PortSched(port) => world.ports[port].sched_state,
            Target::BufferAdm(buffer) => world.buffers[buffer].adm_state,
            Target::QueueAdm(queue) => Scope::of(world, Time::ZERO, 0).read(Source::QueueAdm(queue)),
            Target::QueueSched(queue) => Scope::of(world, Time::ZERO, 0).read(Source::QueueSched(queue)),
            Target::HeadValue(queue) => {
                let value = forebay_lang::ir::PacketField::Value;
                Scope::of(world, Time::ZERO, 0).read(Source::Head(queue, value))
            }
            Target::ArrivingValue => 0,
        });
        Fixed(value.unwrap_or_default())
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        if let Some(target) = self.target(state) {
            self.running.set(target, value.0, 0);
            if let Target::QueueAdm(QueueAt::Named(queue)) | Target::QueueSched(QueueAt::Named(queue)) = target {
                self.running.sort_constant(self.running.world.queues[queue].port);
            }
        }
    }

    fn parameter(&self, id: ParameterId) -> Option<Fixed> {
        self.running.world.parameters.get(usize::from(id.0)).map(|&value| Fixed(value))
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        if let Some(parameter) = self.running.world.parameters.get_mut(usize::from(id.0)) {
            *parameter = value.0;
        }
    }

    fn set_routines(&mut self, routines: Arc<dyn Routines>) {
        self.running.routines.given = Some(routines);
    }

    fn counters(&self) -> Vec<Counter> {
        let counts = &self.running.counts;
        [
            ("unclassified", counts.unclassified),
            ("dropped_by_queue", counts.dropped_by_queue),
            ("dropped_by_buffer", counts.dropped_by_buffer),
            ("overflowed", counts.overflowed),
            ("marked", counts.marked),
            ("notified", counts.notified),
        ]
        .map(|(name, value)| Counter { name, value })
        .to_vec()
    }
}

impl<S: Structure, H: Shape> Classify for Switch<S, H> {
    fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId> {
        self.entered(now, packet).and_then(|queue| u16::try_from(queue).ok()).map(QueueId)
    }

    fn enqueue_classified(&mut self, now: Time, packet: Packet, queue: QueueId, evicted: &mut Vec<Packet>) -> Verdict {
        self.offer(now, &packet, queue.0.into(), evicted)
    }
}
