//! Holds the program of a policy equal to an engine: each verdict, packet, mark and counter, and now and then all states.

use crate::program::{answers, options};
use crate::traffic::Operation;
use forebay_conform::expected;
use forebay_core::{QueueId, Seed};
use forebay_engine::Engine;
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

/// Plays operations on both, and returns the fate of each packet.
///
/// # Panics
/// At the first difference, with the number of the operation.
pub(crate) fn same<E: Engine>(
    make: impl Fn(&Policy, forebay_engine::EngineOptions) -> E,
    policy: &Policy,
    operations: &[Operation],
    what: &str,
) -> Seen {
    let text: String = operations.iter().map(line).collect();
    same_as(&answers(policy, SEED, &text), make, policy, operations, what)
}

/// Checks that the answers of a program equal an engine's, and returns the fate of each packet.
///
/// # Panics
/// At the first difference, with the number of the operation.
pub(crate) fn same_as<E: Engine>(
    answers: &[String],
    make: impl Fn(&Policy, forebay_engine::EngineOptions) -> E,
    policy: &Policy,
    operations: &[Operation],
    what: &str,
) -> Seen {
    let mut engine = make(policy, forebay_engine::EngineOptions { policy_id: options().policy_id, seed: Seed(SEED) });
    let mut seen = Seen::default();
    for (number, operation) in operations.iter().enumerate() {
        let right = answer(&mut engine, policy, operation);
        let found = answers.get(number).map_or("no answer", String::as_str);
        assert_eq!(found, right, "{what}, operation {}: {}", number + 1, line(operation));
        seen.sent += u32::from(found.starts_with("sent"));
        seen.dropped += u32::from(found.starts_with("refused") || found.contains("pushed"));
    }
    assert_eq!(answers.len(), operations.len(), "{what}");
    seen
}

/// The operation as datapaths play it; `None`: states are asked for.
pub(crate) fn played(operation: &Operation) -> Option<forebay_conform::Operation> {
    match *operation {
        Operation::Enqueue(now, packet) => Some(forebay_conform::Operation::Enqueue(now, packet)),
        Operation::Dequeue(now, port) => Some(forebay_conform::Operation::Dequeue(now, port)),
        Operation::Cycle(now, port) => Some(forebay_conform::Operation::Cycle(now, port)),
        Operation::Set(now, id, value) => Some(forebay_conform::Operation::Set(now, id, value)),
        Operation::State => None,
    }
}

/// An operation as the program reads it.
pub(crate) fn line(operation: &Operation) -> String {
    played(operation).map_or("state\n".to_owned(), |operation| format!("{operation}\n"))
}

/// What the program should answer.
fn answer(engine: &mut impl Engine, policy: &Policy, operation: &Operation) -> String {
    let Some(operation) = played(operation) else { return states(engine, policy) };
    let answer = &expected(engine, &[operation])[0];
    let counts: Vec<String> = engine.counters().iter().map(|counter| counter.value.to_string()).collect();
    // No packet is refused for want of a slot.
    format!("{answer} | {} 0", counts.join(" "))
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
