//! Random operations, in whole nanoseconds: phases of overload and of rest, equal times, few different values.

use crate::live_policy;
use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Rng, Time};
use forebay_lang::ir::{ParameterId, PortId};
use forebay_lang::{Fixed, Policy};
use rand::RngExt;

/// What is done to a policy.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Enqueue(Time, Packet),
    Dequeue(Time, PortId),
    Cycle(Time, PortId),
    Set(Time, ParameterId, Fixed),
    State,
}

/// What packets are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As the policies of the library expect them.
    Plausible,
    /// Also the largest numbers.
    Extreme,
}

/// Operations with so many arrivals.
pub(crate) fn operations(policy: &Policy, mut rng: Rng, kind: Kind, arrivals: usize) -> Vec<Operation> {
    operations_after(policy, &mut rng, kind, arrivals, (0, 0))
}

/// Operations with so many arrivals, after a time in nanoseconds and a packet with this number.
pub(crate) fn operations_after(
    policy: &Policy,
    rng: &mut Rng,
    kind: Kind,
    arrivals: usize,
    (mut now, mut id): (u64, u64),
) -> Vec<Operation> {
    let last = id + arrivals as u64;
    let count = |length: usize| u16::try_from(length).unwrap();
    let (queues, ports) = (count(policy.queues.len()), count(policy.ports.len()));
    let mut all = Vec::new();
    let (mut phase, mut chance, mut cycles) = (0, 0.5, false);
    while id < last {
        if phase == 0 {
            let long = if kind == Kind::Plausible { 1_500 } else { 60 };
            phase = rng.random_range(1..long);
            chance = [0.3, 0.5, 0.7, 0.95][rng.random_range(0..4_usize)];
            cycles = rng.random_bool(0.3);
        }
        phase -= 1;
        now += match rng.random_range(0..1_000) {
            0..500 => 0,
            500..999 => rng.random_range(1..if kind == Kind::Plausible { 4_000 } else { 6 }),
            _ => rng.random_range(0..1 << 30),
        };
        let at = Time::from_ns(now);
        if all.len() % 97 == 0 {
            all.push(Operation::State);
        }
        if !policy.parameters.is_empty() && rng.random_bool(0.1) {
            let id = ParameterId(rng.random_range(0..count(policy.parameters.len())));
            all.push(Operation::Set(at, id, live_policy::value(rng)));
        }
        all.push(if rng.random_bool(chance) {
            id += 1;
            Operation::Enqueue(at, packet(rng, kind, queues, id, at))
        } else {
            let port = PortId(rng.random_range(0..ports));
            if cycles { Operation::Cycle(at, port) } else { Operation::Dequeue(at, port) }
        });
    }
    all.push(Operation::State);
    all
}

fn packet(rng: &mut Rng, kind: Kind, queues: u16, id: u64, arrival: Time) -> Packet {
    let extreme = kind == Kind::Extreme;
    let mut few = |greatest: u64| match rng.random_range(0..100) {
        0 if extreme => greatest,
        0..20 => rng.random_range(0..1_000.min(greatest)),
        _ => rng.random_range(0..5),
    };
    let mut packet = Packet {
        arrival,
        id,
        rank: few(u64::MAX),
        remaining_bytes: few(u64::MAX),
        slack: Duration::from_ns(few(u64::MAX / 1_000)),
        processing: Duration::from_ns(few(u64::MAX / 1_000).min(6)),
        value: u32::try_from(few(u32::MAX.into())).unwrap(),
        flow: FlowId(u32::try_from(few(u32::MAX.into())).unwrap()),
        ..Packet::default()
    };
    packet.size_bytes = if extreme { rng.random_range(1..=3) * 50 } else { rng.random_range(1..=30) * 50 };
    // One queue more than there are.
    packet.queue = QueueId(rng.random_range(0..=queues));
    packet.class = ClassId([0, 1, 2, 3, 10, 34, 40, 46][rng.random_range(0..8_usize)]);
    if !extreme {
        packet.slack = Duration::from_us(rng.random_range(0..200));
        packet.remaining_bytes = rng.random_range(1..200) * 500;
    }
    if rng.random_bool(0.1) {
        packet.marks.set_congested();
    }
    if rng.random_bool(0.1) {
        packet.marks.set_eligible_to_drop();
    }
    packet
}
