//! A policy with several stages (section 11 of `docs/openqueue-semantics.md`).
//!
//! Queues of such policies have any structure, and ports that lead to a later stage check each of their queues.

use super::chooser::Chooser;
use super::expr::Reader;
use super::shape::Any;
use super::slab::Stored;
use super::source::{QueueAt, Source};
use super::structure::{OnePacket, Structure};
use super::switch::Switch;
use super::world::{Scope, World};
use crate::fields::CYCLE;
use crate::traits::{Classify, Cycles, Engine, Occupancy, Passed, Routines, Served, Waiting};
use forebay_core::{Counter, Duration, Packet, QueueId, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{NextField, ParameterId, PortId, State};
use std::sync::Arc;

impl<S: Structure> World<S> {
    /// Returns the queue of the next stage that the first packet of a queue would enter (11.2).
    fn leads_to(&self, queue: usize) -> Option<usize> {
        let leads = self.ports.get(self.queues[queue].port)?.leads.as_ref()?;
        let head = self.head(queue)?;
        let reader = Directed { scope: Scope::of(self, Time::ZERO, queue), packet: OnePacket(&head) };
        leads.entries.iter().find(|entry| entry.when.holds(&reader))?.chosen(&reader)
    }
}

/// Reads the packet for which `next` is evaluated, and live parameters.
struct Directed<'a, S: Structure> {
    scope: Scope<'a, S>,
    packet: OnePacket<'a>,
}

impl<S: Structure> Reader for Directed<'_, S> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(_) => self.packet.read(source),
            Source::Parameter(_) => self.scope.read(source),
            _ => 0,
        }
    }
}

impl<S: Structure> Scope<'_, S> {
    /// Returns a property of the queue that a queue leads to.
    pub(super) fn next(&self, queue: QueueAt, what: NextField) -> i64 {
        let Some(next) = self.world.leads_to(self.queue(queue)) else { return 0 };
        let next = QueueAt::Named(next);
        self.read(match what {
            NextField::Size => Source::QueueSize(next),
            NextField::CurrSize => Source::QueueCount(next),
            NextField::AdmState => Source::QueueAdm(next),
            NextField::SchedState => Source::QueueSched(next),
        })
    }
}

/// The engine of a policy with stages.
#[derive(Debug)]
pub(super) struct Staged<S: Structure>(pub(super) Switch<S, Any>);

impl<S: Structure> Staged<S> {
    /// Whether a port leads to a later stage.
    fn leads_on(&self, port: PortId) -> bool {
        self.0.running.world.ports.get(usize::from(port.0)).is_some_and(|port| port.leads.is_some())
    }

    /// 7.1, 11.3: returns the queue that a port serves next, for ports that lead to a later stage.
    fn chosen(&self, port: PortId) -> Option<usize> {
        let running = &self.0.running;
        let (world, port) = (&running.world, usize::from(port.0));
        let cell = world.ports.get(port)?;
        let eligible = cell.leads.as_ref()?.eligible.as_ref();
        let mut candidates = cell.queues.iter().copied().filter(|&queue| {
            let waits = world.queues[queue].there().packets > 0;
            waits && eligible.is_none_or(|eligible| eligible.holds(&Scope::of(world, Time::ZERO, queue)))
        });
        match &running.serves[port] {
            Chooser::Scan(before) => candidates.reduce(|first, second| {
                let next_first = Scope { world, now: Time::ZERO, first: second, second: first };
                if before.holds(&next_first) { second } else { first }
            }),
            // The plan gives such a port no other.
            _ => candidates.next(),
        }
    }

    /// Returns the packet as it departs.
    fn out(&mut self, packet: Packet) -> Packet {
        self.0.running.origins.leave(packet)
    }

    fn all_out(&mut self, packets: &mut [Packet]) {
        packets.iter_mut().for_each(|packet| *packet = self.out(*packet));
    }

    /// Admits or drops a packet that arrives from outside.
    fn offered(
        &mut self,
        packet: Packet,
        evicted: &mut Vec<Packet>,
        offer: impl FnOnce(&mut Switch<S, Any>, Packet, &mut Vec<Packet>) -> Verdict,
    ) -> Verdict {
        let before = evicted.len();
        let inside = self.0.running.origins.enter(packet);
        let verdict = offer(&mut self.0, inside, evicted);
        if matches!(verdict, Verdict::Refused { .. }) {
            self.out(inside);
        }
        self.all_out(&mut evicted[before..]);
        verdict
    }
}

impl<S: Structure> Engine for Staged<S> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.offered(packet, evicted, |switch, packet, evicted| switch.enqueue(now, packet, evicted))
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        if self.leads_on(port) {
            return None;
        }
        let packet = self.0.dequeue(now, port)?;
        Some(self.out(packet))
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        if self.leads_on(port) {
            return Served::Nothing;
        }
        match self.0.cycle(now, port) {
            Served::Packet(packet) => Served::Packet(self.out(packet)),
            other => other,
        }
    }

    fn pass(&mut self, now: Time, port: PortId, cycles: Cycles, dropped: &mut Vec<Packet>) -> Passed {
        let Some(queue) = self.chosen(port) else { return Passed::Nothing };
        let world = &self.0.running.world;
        // 11.4: where it goes is decided before it is served.
        let into = world.leads_to(queue);
        let packets = &world.queues[queue].packets;
        let slot = packets.first();
        let left = match cycles {
            Cycles::All => Duration::ZERO,
            Cycles::One => packets.get(slot).left - CYCLE,
        };
        let Some(served) = self.0.served(now, port, (queue, slot), left) else { return Passed::Cycle };
        let out = self.0.running.origins.as_it_came(served.packet);
        let before = dropped.len();
        // 11.5: it arrives there, as any packet does, and its cycles are done.
        let packet = Packet { arrival: now, processing: Duration::ZERO, ..served.packet };
        let admitted = match into {
            Some(into) => {
                let arriving = Stored { policy_id: served.policy_id, ..self.0.entering(packet) };
                matches!(self.0.judge_stored(now, arriving, dropped, into), Verdict::Queued { .. })
            }
            None => {
                self.0.running.counts.unclassified += 1;
                false
            }
        };
        self.all_out(&mut dropped[before..]);
        if !admitted {
            self.out(served.packet);
            dropped.push(out);
        }
        let into = into.filter(|_| admitted).and_then(|into| u16::try_from(into).ok()).map(QueueId);
        Passed::Packet { packet: out, into }
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        self.0.occupancy(queue)
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        self.0.hold(queue, held);
    }

    fn place(&mut self, waiting: Waiting) {
        let packet = self.0.running.origins.enter(waiting.packet);
        self.0.place(Waiting { packet, ..waiting });
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        let mut taken = self.0.take_all();
        for Waiting { packet, .. } in &mut taken {
            *packet = Packet { processing: packet.processing, ..self.out(*packet) };
        }
        taken.sort_by_key(|waiting| waiting.packet.arrival);
        taken
    }

    fn state(&self, state: State) -> Fixed {
        self.0.state(state)
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        self.0.set_state(state, value);
    }

    fn parameter(&self, id: ParameterId) -> Option<Fixed> {
        self.0.parameter(id)
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        self.0.set_parameter(id, value);
    }

    fn set_routines(&mut self, routines: Arc<dyn Routines>) {
        self.0.set_routines(routines);
    }

    fn counters(&self) -> Vec<Counter> {
        self.0.counters()
    }
}

impl<S: Structure> Classify for Staged<S> {
    fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId> {
        self.0.classify(now, packet)
    }

    fn enqueue_classified(&mut self, now: Time, packet: Packet, queue: QueueId, evicted: &mut Vec<Packet>) -> Verdict {
        self.offered(packet, evicted, |switch, packet, evicted| switch.enqueue_classified(now, packet, queue, evicted))
    }
}
