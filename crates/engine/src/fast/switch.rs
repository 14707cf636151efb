//! The engine itself: programs over what changes.
//!
//! `ONE`: the policy has one queue and no buffer. `PLAIN`: all that happens at congestion is a tail drop, and nothing
//! happens after service. Both are known when the engine is built, so that what they rule out is not compiled in.
//! Numbers in comments are sections of `docs/openqueue-semantics.md`.

use super::expr::{Reader, Source};
use super::names::Names;
use super::program::{Classifier, CompiledAction, Program, Target};
use super::running::{Congested, Running};
use super::slab::{NIL, Stored};
use super::structure::Structure;
use super::value::number;
use super::world::{Arriving, Scope};
use crate::fields::CYCLE;
use crate::traits::{Engine, Occupancy, Served, Waiting};
use crate::trial::Trial;
use forebay_core::{Counter, Duration, Packet, QueueId, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{Policy, PortId, State};

/// What the policy says, compiled.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) classifier: Classifier,
    /// The `congestion` of each queue.
    pub(super) queues: Box<[Program]>,
    /// The `congestion` of each buffer.
    pub(super) buffers: Box<[Program]>,
    /// The `postSchedAct` of each port.
    pub(super) ports: Box<[Program]>,
    /// For names that come from outside.
    pub(super) policy: Policy,
}

/// An engine.
#[derive(Debug)]
pub(super) struct Switch<S: Structure, const ONE: bool, const PLAIN: bool> {
    pub(super) programs: Programs,
    pub(super) running: Running<S>,
}

/// Reads the packet that is to be classified.
struct Directing<'a, S: Structure>(Scope<'a, S>, &'a Stored);

impl<S: Structure> Reader for Directing<'_, S> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => number(self.1, what),
            other => self.0.read(other),
        }
    }
}

impl<S: Structure, const ONE: bool, const PLAIN: bool> Switch<S, ONE, PLAIN> {
    /// 5: the queue that a packet enters.
    #[inline(always)]
    fn classify(&self, now: Time, packet: &Packet) -> Option<usize> {
        if ONE {
            return Some(0);
        }
        match &self.programs.classifier {
            Classifier::One => Some(0),
            Classifier::Directed => {
                let queue = usize::from(packet.queue.0);
                (queue < self.running.world.queues.len()).then_some(queue)
            }
            Classifier::Cases(cases) => {
                let stored = Stored::arriving(*packet, 0, self.running.policy_id);
                let reader = Directing(Scope::of(&self.running.world, now, 0), &stored);
                let case = cases.iter().find(|case| case.when.holds(&reader))?;
                let index = case.index.exact(&reader).floor().to_integer() - i128::from(case.first);
                case.queues.get(usize::try_from(index).ok()?).copied()
            }
        }
    }

    /// Keeps a packet and counts it.
    #[inline(always)]
    fn store(&mut self, queue: usize, packet: Packet) -> u32 {
        let running = &mut self.running;
        let stored = Stored::arriving(packet, running.next_number, running.policy_id);
        running.next_number += 1;
        running.world.count_in(queue, packet.size_bytes);
        running.world.slab.insert(stored)
    }

    /// Whether a packet can enter without anything else happening.
    #[inline(always)]
    fn has_room(&self, queue: usize, packet: &Packet) -> bool {
        let world = &self.running.world;
        let cell = &world.queues[queue];
        let bytes = u64::from(packet.size_bytes);
        let fits = |room: &super::world::Room| room.used + room.cost(bytes) < room.end;
        fits(&cell.room) && (ONE || cell.buffer.is_none_or(|buffer| fits(&world.buffers[buffer].room)))
    }

    /// 6: admission of a packet for which there may be no room.
    fn judge(&mut self, now: Time, queue: usize, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        // 6.1: it enters virtually.
        let slot = self.store(queue, packet);
        let world = &mut self.running.world;
        let key = world.queues[queue].packets.key(world.slab.get(slot));
        world.arriving = Some(Arriving { queue, slot, key, there: true });
        // 6.2: first the buffer, then the queue, if the packet is still there.
        if let Some(buffer) = world.queues[queue].buffer {
            self.running.touch_buffer(queue);
            self.treat(Congested::Buffer(buffer), now, queue, evicted);
        }
        if self.arriving_slot().is_some() {
            self.treat(Congested::Queue(queue), now, queue, evicted);
        }
        let world = &mut self.running.world;
        let arriving = world.arriving.take().filter(|arriving| arriving.there);
        let over = |room: &super::world::Room| room.used > room.size;
        let cell = &mut world.queues[queue];
        let overflows = over(&cell.room) || cell.buffer.is_some_and(|buffer| over(&world.buffers[buffer].room));
        let verdict = match arriving {
            // 6.7: it was itself a victim.
            None => {
                world.slab.free(slot);
                Verdict::Refused { rank: packet.rank }
            }
            // 6.8: sizes are hard limits.
            Some(_) if overflows => {
                world.count_out(queue, packet.size_bytes);
                world.slab.free(slot);
                self.running.counts.overflowed += 1;
                Verdict::Refused { rank: packet.rank }
            }
            Some(Arriving { key, .. }) => {
                cell.packets.insert(&mut world.slab, slot, key);
                Verdict::Queued { rank: packet.rank }
            }
        };
        self.running.touch(queue);
        verdict
    }

    /// The slot of the arriving packet, if it was not dropped yet.
    fn arriving_slot(&self) -> Option<u32> {
        self.running.world.arriving.as_ref().filter(|arriving| arriving.there).map(|arriving| arriving.slot)
    }

    /// 6.3 to 6.5: treats a `congestion`.
    fn treat(&mut self, what: Congested, now: Time, queue: usize, evicted: &mut Vec<Packet>) {
        let running = &mut self.running;
        let program = match what {
            Congested::Queue(queue) => &self.programs.queues[queue],
            Congested::Buffer(buffer) => &self.programs.buffers[buffer],
        };
        let cases = match program {
            Program::Tail(tail) => {
                let used = |running: &Running<S>| match what {
                    Congested::Queue(queue) => running.world.queues[queue].room.used,
                    Congested::Buffer(buffer) => running.world.buffers[buffer].room.used,
                };
                while used(running) >= *tail && running.drop_one(what, evicted) {}
                return;
            }
            Program::Cases(cases) => cases,
        };
        let holds = |running: &Running<S>, when: &super::expr::Test| when.holds(&Scope::of(&running.world, now, queue));
        let Some(case) = cases.iter().find(|case| holds(running, &case.when)) else { return };
        let there = |running: &Running<S>| {
            running.world.arriving.as_ref().filter(|arriving| arriving.there).map(|arriving| arriving.slot)
        };
        let mut sure = false;
        for action in &case.actions {
            match action {
                CompiledAction::DropSurely => {
                    sure = true;
                    running.drop_one(what, evicted);
                }
                CompiledAction::Drop(probability) => {
                    let probability = probability.exact(&Scope::of(&running.world, now, queue));
                    let trial = running.trials.decide(probability);
                    sure |= trial == Trial::Sure;
                    if trial != Trial::Keep {
                        running.drop_one(what, evicted);
                    }
                }
                CompiledAction::Mark => {
                    if let Some(slot) = there(running) {
                        running.mark(slot);
                    }
                }
                CompiledAction::Notify => {
                    if let Some(slot) = there(running) {
                        running.notify(slot);
                    }
                }
                CompiledAction::Modify(target, value) => running.modify(*target, value, now, queue),
            }
        }
        if sure && case.can_be_lifted {
            while holds(running, &case.when) && running.drop_one(what, evicted) {}
        }
    }

    /// 7.3: `postSchedAct`, after `slot` of `queue` was served.
    fn after_service(&mut self, now: Time, port: usize, queue: usize, slot: u32) {
        let Program::Cases(cases) = &self.programs.ports[port] else { return };
        let running = &mut self.running;
        running.world.served = Some((queue, slot));
        let scope = Scope::of(&running.world, now, queue);
        if let Some(case) = cases.iter().find(|case| case.when.holds(&scope)) {
            for action in &case.actions {
                match action {
                    // The grammar has no `drop` here (Listing 1).
                    CompiledAction::DropSurely | CompiledAction::Drop(_) => {}
                    CompiledAction::Mark => running.mark(slot),
                    CompiledAction::Notify => running.notify(slot),
                    CompiledAction::Modify(target, value) => running.modify(*target, value, now, queue),
                }
            }
        }
        running.world.served = None;
    }

    /// 7.1: the queue that a port serves next, and the packet.
    #[inline(always)]
    fn next_of(&self, port: PortId) -> Option<(usize, u32)> {
        let queue = if ONE { (port.0 == 0).then_some(0) } else { self.running.first_of_port(usize::from(port.0)) }?;
        let world = &self.running.world;
        let slot = world.queues[queue].packets.first(&world.slab);
        (slot != NIL).then_some((queue, slot))
    }

    /// 7.4: the packet leaves.
    #[inline(always)]
    fn leave(&mut self, queue: usize, slot: u32) -> Packet {
        let world = &mut self.running.world;
        world.queues[queue].packets.remove_first(&mut world.slab, slot);
        let packet = world.slab.get(slot).packet;
        world.slab.free(slot);
        world.count_out(queue, packet.size_bytes);
        self.touch(queue);
        packet
    }

    #[inline(always)]
    fn touch(&mut self, queue: usize) {
        if !ONE {
            self.running.touch(queue);
        }
    }
}

impl<S: Structure, const ONE: bool, const PLAIN: bool> Engine for Switch<S, ONE, PLAIN> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let Some(queue) = self.classify(now, &packet) else {
            self.running.counts.unclassified += 1;
            return Verdict::Refused { rank: packet.rank };
        };
        if !PLAIN || !self.has_room(queue, &packet) {
            return self.judge(now, queue, packet, evicted);
        }
        let slot = self.store(queue, packet);
        let world = &mut self.running.world;
        let packets = &mut world.queues[queue].packets;
        let key = packets.key(world.slab.get(slot));
        packets.insert(&mut world.slab, slot, key);
        self.touch(queue);
        Verdict::Queued { rank: packet.rank }
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        let (queue, slot) = self.next_of(port)?;
        if !PLAIN {
            self.running.world.slab.get_mut(slot).left = Duration::ZERO;
            self.after_service(now, usize::from(port.0), queue, slot);
        }
        Some(self.leave(queue, slot))
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        let Some((queue, slot)) = self.next_of(port) else { return Served::Nothing };
        let stored = self.running.world.slab.get_mut(slot);
        stored.left = stored.left - CYCLE;
        let left = stored.left;
        if !PLAIN {
            self.after_service(now, usize::from(port.0), queue, slot);
        }
        if left > Duration::ZERO {
            let world = &mut self.running.world;
            world.queues[queue].packets.replace_first(&mut world.slab, slot);
            self.touch(queue);
            return Served::Cycle;
        }
        Served::Packet(self.leave(queue, slot))
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        let cell = &self.running.world.queues[usize::from(queue.0)];
        Occupancy { packets: cell.count, bytes: cell.bytes }
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        let queue = usize::from(queue.0);
        let world = &mut self.running.world;
        let cell = &mut world.queues[queue];
        let before = std::mem::replace(&mut cell.held, held);
        let buffer = cell.buffer.map(|buffer| &mut world.buffers[buffer].room);
        for room in std::iter::once(&mut cell.room).chain(buffer) {
            room.used = room.used - room.cost_of(before) + room.cost_of(held);
        }
        self.running.touch(queue);
    }

    fn place(&mut self, waiting: Waiting) {
        let queue = usize::from(waiting.queue.0);
        let slot = self.store(queue, waiting.packet);
        let world = &mut self.running.world;
        world.slab.get_mut(slot).policy_id = waiting.policy_id;
        let packets = &mut world.queues[queue].packets;
        let key = packets.key(world.slab.get(slot));
        packets.insert(&mut world.slab, slot, key);
        self.running.touch(queue);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        let mut taken = Vec::new();
        for (queue, id) in (0..self.running.world.queues.len()).zip(0..) {
            let world = &mut self.running.world;
            let packets = &mut world.queues[queue].packets;
            loop {
                let slot = packets.first(&world.slab);
                if slot == NIL {
                    break;
                }
                packets.remove_first(&mut world.slab, slot);
                world.slab.free(slot);
                taken.push((QueueId(id), *world.slab.get(slot)));
            }
        }
        taken.sort_unstable_by_key(|(_, stored)| stored.number);
        for (queue, stored) in &taken {
            let queue = usize::from(queue.0);
            self.running.world.count_out(queue, stored.packet.size_bytes);
            self.running.touch(queue);
        }
        let waiting = |(queue, stored): (QueueId, Stored)| Waiting {
            queue,
            policy_id: stored.policy_id,
            packet: Packet { processing: stored.left, ..stored.packet },
        };
        taken.into_iter().map(waiting).collect()
    }

    fn state(&self, state: State) -> Fixed {
        let world = &self.running.world;
        let value = Target::new(state, &Names::packet_key(&self.programs.policy)).map(|target| match target {
            Target::PortSched(port) => world.ports[port].sched_state,
            Target::BufferAdm(buffer) => world.buffers[buffer].adm_state,
            Target::QueueAdm(queue) => Scope::of(world, Time::ZERO, 0).read(Source::QueueAdm(queue)),
            Target::QueueSched(queue) => Scope::of(world, Time::ZERO, 0).read(Source::QueueSched(queue)),
            Target::HeadValue(queue) => {
                let value = forebay_lang::ir::PacketField::Value;
                Scope::of(world, Time::ZERO, 0).read(Source::Head(queue, value))
            }
        });
        Fixed(value.unwrap_or_default())
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        if let Some(target) = Target::new(state, &Names::packet_key(&self.programs.policy)) {
            self.running.set(target, value.0, 0);
            self.running.sort_constant();
        }
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
