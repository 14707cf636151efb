//! The answers of an engine.

use crate::answer::{Answer, Marked, Verdict};
use crate::operation::{Operation, bits};
use forebay_core::Packet;
use forebay_engine::{Engine, Served};

/// What an engine makes of operations.
pub fn expected(engine: &mut impl Engine, operations: &[Operation]) -> Vec<Answer> {
    operations.iter().map(|operation| answer(engine, operation)).collect()
}

fn marked(packet: &Packet) -> Marked {
    Marked { id: packet.id, value: packet.value, marks: bits(packet.marks) }
}

fn answer(engine: &mut impl Engine, operation: &Operation) -> Answer {
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
        Operation::Cycle(now, port) => Answer::of(match engine.cycle(*now, *port) {
            Served::Nothing => Verdict::Nothing,
            Served::Cycle => Verdict::Cycle,
            Served::Packet(packet) => Verdict::Sent(marked(&packet)),
        }),
    }
}

/// Unclassified, dropped by queue, by buffer, overflowed, and others.
fn counts(engine: &impl Engine) -> Vec<u64> {
    engine.counters().iter().map(|counter| counter.value).collect()
}

/// Why a packet was refused, as the counters say: those that it pushed out before are counted by queue or buffer too, so
/// what is last in the order of admission decides.
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
