//! Holds the program of a policy equal to an engine: each verdict, packet, mark and counter, and now and then all states.

use crate::program::{answers, options};
use crate::traffic::Operation;
use forebay_core::{Marks, Packet, QueueId, Seed, Verdict};
use forebay_engine::{Engine, Served};
use forebay_lang::Policy;
use forebay_lang::ir::{BufferId, BufferRef, PortId, PortRef, QueueRef, State};

/// What became of packets.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) sent: u32,
    pub(crate) dropped: u32,
}

/// The seed of the trials of programs that are held equal to an engine.
pub(crate) const SEED: u64 = 11;

/// Plays operations on both. What became of the packets.
///
/// # Panics
/// At the first difference, with the number of the operation.
pub(crate) fn same<E: Engine>(
    make: impl Fn(&Policy, forebay_engine::Options) -> E,
    policy: &Policy,
    operations: &[Operation],
    what: &str,
) -> Seen {
    let text: String = operations.iter().map(line).collect();
    same_as(&answers(policy, SEED, &text), make, policy, operations, what)
}

/// Holds the answers of a program equal to an engine's. What became of the packets.
///
/// # Panics
/// At the first difference, with the number of the operation.
pub(crate) fn same_as<E: Engine>(
    answers: &[String],
    make: impl Fn(&Policy, forebay_engine::Options) -> E,
    policy: &Policy,
    operations: &[Operation],
    what: &str,
) -> Seen {
    let mut engine = make(policy, forebay_engine::Options { policy_id: options().policy_id, seed: Seed(SEED) });
    let mut seen = Seen::default();
    for (number, operation) in operations.iter().enumerate() {
        let expected = answer(&mut engine, policy, operation);
        let found = answers.get(number).map_or("no answer", String::as_str);
        assert_eq!(found, expected, "{what}, operation {}: {}", number + 1, line(operation));
        seen.sent += u32::from(found.starts_with("sent"));
        seen.dropped += u32::from(found.starts_with("refused") || found.contains("pushed"));
    }
    assert_eq!(answers.len(), operations.len(), "{what}");
    seen
}

fn bits(marks: Marks) -> u8 {
    u8::from(marks.eligible_to_drop()) | u8::from(marks.congested()) << 1
}

/// An operation as the program reads it.
pub(crate) fn line(operation: &Operation) -> String {
    match operation {
        Operation::Enqueue(now, packet) => format!(
            "enqueue {} {} {} {} {} {} {} {} {} {} {} {}\n",
            now.as_ps() / 1_000,
            packet.queue.0,
            packet.size_bytes,
            packet.value,
            packet.flow.0,
            packet.class.0,
            packet.processing.as_ps() / 1_000,
            packet.slack.as_ps() / 1_000,
            packet.remaining_bytes,
            packet.rank,
            bits(packet.marks),
            packet.id
        ),
        Operation::Dequeue(now, port) => format!("dequeue {} {}\n", now.as_ps() / 1_000, port.0),
        Operation::Cycle(now, port) => format!("cycle {} {}\n", now.as_ps() / 1_000, port.0),
        Operation::State => "state\n".to_owned(),
    }
}

fn shown(packet: &Packet) -> String {
    format!("{}:{}:{}", packet.id, packet.value, bits(packet.marks))
}

/// What the program should answer.
fn answer(engine: &mut impl Engine, policy: &Policy, operation: &Operation) -> String {
    let before = counts(engine);
    let answer = match operation {
        Operation::Enqueue(now, packet) => {
            let mut evicted = Vec::new();
            let verdict = engine.enqueue(*now, *packet, &mut evicted);
            let pushed: String = evicted.iter().map(|packet| format!(" pushed {}", shown(packet))).collect();
            match verdict {
                Verdict::Queued { .. } => format!("queued{pushed}"),
                Verdict::Refused { .. } => format!("refused {}{pushed}", rule(&before, &counts(engine))),
            }
        }
        Operation::Dequeue(now, port) => {
            engine.dequeue(*now, *port).map_or("nothing".to_owned(), |packet| format!("sent {}", shown(&packet)))
        }
        Operation::Cycle(now, port) => match engine.cycle(*now, *port) {
            Served::Nothing => "nothing".to_owned(),
            Served::Cycle => "cycle".to_owned(),
            Served::Packet(packet) => format!("sent {}", shown(&packet)),
        },
        Operation::State => return states(engine, policy),
    };
    let counts: Vec<String> = counts(engine).iter().map(ToString::to_string).collect();
    // No packet is refused for want of a slot.
    format!("{answer} | {} 0", counts.join(" "))
}

fn counts(engine: &impl Engine) -> Vec<u64> {
    engine.counters().iter().map(|counter| counter.value).collect()
}

/// Why a packet was refused, as the counters say: those that it pushed out before are counted by queue or buffer too, so
/// what is last in the order of admission decides.
fn rule(before: &[u64], after: &[u64]) -> &'static str {
    let grew = |place: usize| after[place] > before[place];
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

fn states(engine: &impl Engine, policy: &Policy) -> String {
    let mut numbers: Vec<i128> = Vec::new();
    for id in (0..).take(policy.queues.len()).map(QueueId) {
        let held = engine.occupancy(id);
        let queue = QueueRef::Named(id);
        numbers.extend([held.packets, held.bytes].map(i128::from));
        numbers
            .extend([State::QueueAdm(queue), State::QueueSched(queue)].map(|state| i128::from(engine.state(state).0)));
    }
    let ports = (0..).take(policy.ports.len()).map(|id| State::PortSched(PortRef::Named(PortId(id))));
    let buffers = (0..).take(policy.buffers.len()).map(|id| State::BufferAdm(BufferRef::Named(BufferId(id))));
    numbers.extend(ports.chain(buffers).map(|state| i128::from(engine.state(state).0)));
    let numbers: String = numbers.iter().map(|number| format!(" {number}")).collect();
    format!("states{numbers}")
}
