//! Random operations: phases of overload and of rest, equal times, few different values.

use crate::operation::Operation;
use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Rng, Time};
use forebay_lang::Policy;
use forebay_lang::ir::PortId;
use rand::RngExt;

/// What operations are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// How many packets arrive.
    pub packets: usize,
    /// Whether ports sometimes work cycle by cycle.
    pub cycles: bool,
}

/// Operations on a policy: packets as the policies of the library expect them, of 150 to 1,500 bytes, directed to each of
/// its queues and to one that it has not. They begin after the first nanosecond.
#[must_use]
pub fn operations(policy: &Policy, mut rng: Rng, recipe: Recipe) -> Vec<Operation> {
    let count = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    let (queues, ports) = (count(policy.queues.len()), count(policy.ports.len()));
    let mut all = Vec::new();
    let (mut now, mut id) = (1, 0);
    let (mut phase, mut chance, mut cycles) = (0, 0.5, false);
    while id < recipe.packets as u64 {
        if phase == 0 {
            phase = rng.random_range(1..1_500);
            chance = [0.3, 0.5, 0.7, 0.95][rng.random_range(0..4_usize)];
            cycles = recipe.cycles && rng.random_bool(0.3);
        }
        phase -= 1;
        now += match rng.random_range(0..1_000) {
            0..500 => 0,
            500..999 => rng.random_range(1..4_000),
            _ => rng.random_range(0..1 << 30),
        };
        let at = Time::from_ns(now);
        all.push(if rng.random_bool(chance) {
            id += 1;
            Operation::Enqueue(at, packet(&mut rng, queues, id, at))
        } else {
            let port = PortId(rng.random_range(0..ports));
            if cycles { Operation::Cycle(at, port) } else { Operation::Dequeue(at, port) }
        });
    }
    all
}

fn packet(rng: &mut Rng, queues: u16, id: u64, arrival: Time) -> Packet {
    let mut few = || if rng.random_bool(0.2) { rng.random_range(0..1_000_u32) } else { rng.random_range(0..5) };
    let mut packet = Packet {
        arrival,
        id,
        rank: few().into(),
        processing: Duration::from_ns(few().min(6).into()),
        value: few(),
        flow: FlowId(few()),
        slack: Duration::from_us(few().into()),
        ..Packet::default()
    };
    packet.remaining_bytes = rng.random_range(1..200) * 500;
    packet.size_bytes = rng.random_range(3..=30) * 50;
    packet.queue = QueueId(rng.random_range(0..=queues));
    packet.class = ClassId([0, 1, 2, 3, 10, 34, 40, 46][rng.random_range(0..8_usize)]);
    if rng.random_bool(0.1) {
        packet.marks.set_congested();
    }
    if rng.random_bool(0.1) {
        packet.marks.set_eligible_to_drop();
    }
    packet
}
