//! The engine itself: programs over what changes.
//!
//! `ONE`: the policy has one queue and no buffer. `PLAIN`: all that happens at congestion is a tail drop, and nothing
//! happens after service. Both are known when the engine is built, so that what they rule out is not compiled in.
//! Numbers in comments are sections of `docs/openqueue-semantics.md`.

use super::expr::{Reader, Source};
use super::names::Names;
use super::program::{Classifier, CompiledEntry, Program, Target};
use super::running::Running;
use super::slab::{NIL, Stored};
use super::structure::Structure;
use super::value::number;
use super::world::Scope;
use crate::fields::CYCLE;
use crate::traits::{Engine, Occupancy, Served, Waiting};
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
            Classifier::Cases(cases) => self.classify_by(cases, now, packet),
        }
    }

    #[inline(never)]
    fn classify_by(&self, cases: &[CompiledEntry], now: Time, packet: &Packet) -> Option<usize> {
        let stored = Stored::arriving(*packet, 0, self.running.policy_id);
        let reader = Directing(Scope::of(&self.running.world, now, 0), &stored);
        let case = cases.iter().find(|case| case.when.holds(&reader))?;
        let index = case.index.exact(&reader).floor().to_integer() - i128::from(case.first);
        case.queues.get(usize::try_from(index).ok()?).copied()
    }

    /// A packet that enters.
    #[inline(always)]
    pub(super) fn entering(&mut self, packet: Packet) -> Stored {
        let running = &mut self.running;
        let number = running.next_number;
        running.next_number += 1;
        Stored::arriving(packet, number, running.policy_id)
    }

    /// 7.3: `postSchedAct`, after `slot` of `queue` was served.
    fn after_service(&mut self, now: Time, port: usize, queue: usize, slot: u32) {
        if let Program::Cases(cases) = &self.programs.ports[port] {
            self.running.world.served = Some((queue, slot));
            self.running.act_after(cases, now, queue);
            self.running.world.served = None;
        }
    }

    /// 7.1: the queue that a port serves next.
    #[inline(always)]
    fn queue_of(&self, port: PortId) -> Option<usize> {
        if ONE { (port.0 == 0).then_some(0) } else { self.running.first_of_port(usize::from(port.0)) }
    }

    /// 7.1: that queue, and the slot of the packet.
    #[inline(always)]
    fn next_of(&self, port: PortId) -> Option<(usize, u32)> {
        let queue = self.queue_of(port)?;
        let slot = self.running.world.queues[queue].packets.first();
        (slot != NIL).then_some((queue, slot))
    }

    /// 7.4: counts a packet of so many bytes that leaves.
    #[inline(always)]
    fn left(&mut self, queue: usize, bytes: u32) {
        self.running.world.count_out::<ONE>(queue, bytes);
        self.touch(queue);
    }

    #[inline(always)]
    pub(super) fn touch(&mut self, queue: usize) {
        if !ONE {
            self.running.touch(queue);
        }
    }
}

impl<S: Structure, const ONE: bool, const PLAIN: bool> Engine for Switch<S, ONE, PLAIN> {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let rank = packet.rank;
        let Some(queue) = self.classify(now, &packet) else {
            self.running.counts.unclassified += 1;
            return Verdict::Refused { rank };
        };
        if !PLAIN {
            return self.judge(now, queue, &packet, evicted);
        }
        let running = &mut self.running;
        let world = &mut running.world;
        let cell = &mut world.queues[queue];
        let bytes = packet.size_bytes;
        if !cell.limits.fits(cell.there, bytes) || !cell.packets.has_slot() || (!ONE && cell.told) {
            let alone = ONE || cell.buffer.is_none();
            if S::DROPS_NEWEST && alone && cell.limits.only_newest_leaves(cell.there, bytes) {
                running.counts.dropped_by_queue += 1;
                return Verdict::Refused { rank };
            }
            return self.no_room(now, queue, &packet, evicted);
        }
        if !ONE {
            if let Some(buffer) = cell.buffer {
                let shared = &mut world.buffers[buffer];
                if !shared.limits.fits(shared.there, bytes) {
                    return if self.longest_loses(buffer) {
                        self.take_from_longest(queue, buffer, &packet, evicted)
                    } else {
                        self.judge(now, queue, &packet, evicted)
                    };
                }
                let buffer = shared;
                buffer.there.add(bytes);
                if let Some(length) = buffer.lengths.get_mut(cell.at_buffer) {
                    *length = cell.there.packets + 1 + cell.limits.held.packets;
                }
            }
            if cell.port_bit != 0 {
                world.ports[cell.port].waiting |= cell.port_bit;
            }
        }
        cell.there.add(bytes);
        let stored = Stored::arriving(packet, running.next_number, running.policy_id);
        running.next_number += 1;
        let key = cell.packets.key(&stored);
        cell.packets.insert_into_slot(stored, key);
        Verdict::Queued { rank }
    }

    #[inline]
    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        if PLAIN {
            let queue = self.queue_of(port)?;
            let world = &mut self.running.world;
            let cell = &mut world.queues[queue];
            let slot = cell.packets.first();
            if slot == NIL {
                return None;
            }
            let bytes = cell.packets.get(slot).packet.size_bytes;
            cell.there.subtract(bytes);
            if !ONE {
                if let Some(buffer) = cell.buffer {
                    let buffer = &mut world.buffers[buffer];
                    buffer.there.subtract(bytes);
                    if let Some(length) = buffer.lengths.get_mut(cell.at_buffer) {
                        *length = cell.length();
                    }
                }
                if cell.there.packets == 0 && cell.port_bit != 0 {
                    world.ports[cell.port].waiting &= !cell.port_bit;
                }
                if cell.told {
                    let packet = cell.packets.take_packet(slot);
                    self.running.touch(queue);
                    return packet;
                }
            }
            // Last, so that the packet is copied only once.
            return cell.packets.take_packet(slot);
        }
        let (queue, slot) = self.next_of(port)?;
        self.running.world.queues[queue].packets.get_mut(slot).left = Duration::ZERO;
        self.after_service(now, usize::from(port.0), queue, slot);
        let stored = self.running.world.queues[queue].packets.take(slot)?;
        self.left(queue, stored.packet.size_bytes);
        Some(stored.packet)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        let Some((queue, slot)) = self.next_of(port) else { return Served::Nothing };
        let stored = self.running.world.queues[queue].packets.get_mut(slot);
        stored.left = stored.left - CYCLE;
        let left = stored.left;
        if !PLAIN {
            self.after_service(now, usize::from(port.0), queue, slot);
        }
        let packets = &mut self.running.world.queues[queue].packets;
        if left > Duration::ZERO {
            packets.replace(slot);
            self.touch(queue);
            return Served::Cycle;
        }
        let Some(stored) = packets.take(slot) else { return Served::Nothing };
        self.left(queue, stored.packet.size_bytes);
        Served::Packet(stored.packet)
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
        if let Some(buffer) = cell.buffer {
            let limits = &mut world.buffers[buffer].limits;
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
        world.count_in::<false>(queue, waiting.packet.size_bytes);
        let packets = &mut world.queues[queue].packets;
        let key = packets.key(&stored);
        packets.insert(stored, key);
        self.running.touch(queue);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        let mut taken = Vec::new();
        for (queue, id) in (0..self.running.world.queues.len()).zip(0..) {
            loop {
                let packets = &mut self.running.world.queues[queue].packets;
                let slot = packets.first();
                let Some(stored) = (if slot == NIL { None } else { packets.take(slot) }) else { break };
                taken.push((QueueId(id), stored));
                self.running.world.count_out::<false>(queue, stored.packet.size_bytes);
                self.running.touch(queue);
            }
        }
        taken.sort_unstable_by_key(|(_, stored)| stored.number);
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
