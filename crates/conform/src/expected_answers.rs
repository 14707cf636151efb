//! The answers of an engine.

use crate::answer::{Answer, Marked, Verdict};
use crate::operation::{Operation, bits};
use crate::replacement::Replaced;
use forebay_core::{Counter, Packet, Time};
use forebay_engine::{Engine, Live, Reference, Served};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId};

/// Returns the answers of an engine to operations without replacements.
pub fn expected(engine: &mut impl Engine, operations: &[Operation]) -> Vec<Answer> {
    operations.iter().map(|operation| answer(&mut One(engine), operation)).collect()
}

/// Returns the answers of two policies that replace each other.
pub fn expected_replaced(policies: &mut Replaced<'_>, operations: &[Operation]) -> Vec<Answer> {
    operations.iter().map(|operation| answer(policies, operation)).collect()
}

/// Returns the answers of a policy that is changed between operations; the caller makes the changes.
pub fn expected_live(live: &mut Live<Reference>, operations: &[Operation]) -> Vec<Answer> {
    operations.iter().map(|operation| answer(live, operation)).collect()
}

/// A policy or engine that plays operations.
trait Plays {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> forebay_core::Verdict;
    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet>;
    fn cycle(&mut self, now: Time, port: PortId) -> Served;
    fn set_parameter(&mut self, id: ParameterId, value: Fixed);
    fn replace(&mut self, now: Time, policy: u8) -> bool;
    fn counters(&self) -> Vec<Counter>;
}

/// One policy.
struct One<'a, E>(&'a mut E);

impl<E: Engine> Plays for One<'_, E> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> forebay_core::Verdict {
        self.0.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        self.0.dequeue(now, port)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.0.cycle(now, port)
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        self.0.set_parameter(id, value);
    }

    // There is no other one.
    fn replace(&mut self, _: Time, _: u8) -> bool {
        false
    }

    fn counters(&self) -> Vec<Counter> {
        self.0.counters()
    }
}

impl Plays for Replaced<'_> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> forebay_core::Verdict {
        self.live.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        self.live.dequeue(now, port)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.live.cycle(now, port)
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        self.live.set_parameter(id, value);
    }

    fn replace(&mut self, now: Time, policy: u8) -> bool {
        self.by(now, policy.into())
    }

    fn counters(&self) -> Vec<Counter> {
        self.live.counters()
    }
}

impl Plays for Live<Reference> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> forebay_core::Verdict {
        Live::enqueue(self, now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        Live::dequeue(self, now, port)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        Live::cycle(self, now, port)
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        Live::set_parameter(self, id, value);
    }

    // The caller changes it.
    fn replace(&mut self, _: Time, _: u8) -> bool {
        false
    }

    fn counters(&self) -> Vec<Counter> {
        Live::counters(self)
    }
}

fn marked(packet: &Packet) -> Marked {
    Marked { id: packet.id, value: packet.value, marks: bits(packet.marks) }
}

fn answer(engine: &mut impl Plays, operation: &Operation) -> Answer {
    match operation {
        Operation::Enqueue(now, packet) => {
            let before = counts(engine);
            let mut evicted = Vec::new();
            let verdict = match engine.enqueue(*now, *packet, &mut evicted) {
                forebay_core::Verdict::Queued { .. } => Verdict::Queued,
                forebay_core::Verdict::Refused { .. } => Verdict::Refused(rule(&before, &counts(engine)).to_owned()),
            };
            Answer { verdict, pushed: Some(evicted.iter().map(marked).collect()) }
        }
        Operation::Dequeue(now, port) => Answer::of(match engine.dequeue(*now, *port) {
            Some(packet) => Verdict::Sent(marked(&packet)),
            None => Verdict::Nothing,
        }),
        Operation::Set(_, parameter, value) => {
            engine.set_parameter(*parameter, *value);
            Answer::of(Verdict::Set)
        }
        Operation::Replace(now, policy) => {
            Answer::of(if engine.replace(*now, *policy) { Verdict::Replaced } else { Verdict::Draining })
        }
        Operation::Cycle(now, port) => Answer::of(match engine.cycle(*now, *port) {
            Served::Nothing => Verdict::Nothing,
            Served::Cycle => Verdict::Cycle,
            Served::Packet(packet) => Verdict::Sent(marked(&packet)),
        }),
    }
}

/// Returns the counts of drops: unclassified, by queue, by buffer, overflowed, and others.
fn counts(engine: &impl Plays) -> Vec<u64> {
    engine.counters().iter().map(|counter| counter.value).collect()
}

/// Returns why a packet was dropped, by the counters. Packets that it pushed out are counted by queue or buffer, too, so the last rule in
/// the order of admission decides.
fn rule(before: &[u64], after: &[u64]) -> &'static str {
    let grew = |place: usize| after.get(place) > before.get(place);
    if grew(0) {
        "unclassified"
    } else if grew(3) {
        "overflow"
    } else if grew(1) {
        "queue"
    } else {
        "buffer"
    }
}
