//! Random operations: phases of overload and of rest, equal times, numbers that tie and numbers at the limits.

use crate::numbers::{Draw, Numbers};
use crate::operation::Operation;
use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Rng, Time, convert};
use forebay_lang::ir::{ParameterId, PortId};
use forebay_lang::{Fixed, Policy};
use rand::RngExt;

/// The bits of a duration in nanoseconds: durations have picoseconds in 64 bits, so 2^54 nanoseconds are the most.
const NANOSECOND_BITS: u32 = 54;

/// The shape of random operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The number of arriving packets.
    pub packets: usize,
    /// Whether ports sometimes work for single cycles.
    pub cycles: bool,
    /// The kinds of numbers in packets.
    pub numbers: Numbers,
}

/// Returns operations on a policy. Packets have the form that the policies of the library expect, with 150 to 1,500 bytes, for each of the
/// policy's queues and for one that does not exist. Live parameters, if there are any, change now and then. The operations begin after the
/// first nanosecond.
#[must_use]
pub fn operations(policy: &Policy, rng: Rng, recipe: Recipe) -> Vec<Operation> {
    with_numbers(policy, Draw::new(&[policy], recipe.numbers), rng, recipe)
}

fn with_numbers(policy: &Policy, mut draw: Draw, mut rng: Rng, recipe: Recipe) -> Vec<Operation> {
    let count = |length: usize| u16::try_from(length).expect("objects have numbers of 16 bits");
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
        if !policy.parameters.is_empty() && rng.random_bool(0.02) {
            let id = ParameterId(rng.random_range(0..count(policy.parameters.len())));
            all.push(Operation::Set(at, id, near(&mut rng, policy.parameters[usize::from(id.0)].initial)));
        }
        all.push(if rng.random_bool(chance) {
            id += 1;
            Operation::Enqueue(at, packet(&mut rng, &mut draw, queues, id, at))
        } else {
            let port = PortId(rng.random_range(0..ports));
            if cycles { Operation::Cycle(at, port) } else { Operation::Dequeue(at, port) }
        });
    }
    all
}

/// Returns operations on two policies that replace each other about every `every` operations. They are as from [`operations`], for the
/// queues that either has and the live parameters that both have. Some replacements request the policy in force. Replacements while packets
/// drain are rejected.
#[must_use]
pub fn replacements(policies: [&Policy; 2], mut rng: Rng, recipe: Recipe, every: u32) -> Vec<Operation> {
    let fewer = policies.map(|policy| policy.parameters.len()).into_iter().min().unwrap_or(0);
    let wider = if policies[1].queues.len() > policies[0].queues.len() { policies[1] } else { policies[0] };
    let stream = with_numbers(wider, Draw::new(&policies, recipe.numbers), rng.clone(), recipe);
    rng.jump();
    let mut all = Vec::new();
    for operation in stream {
        if rng.random_range(0..every.max(1)) == 0 {
            all.push(Operation::Replace(operation.time(), rng.random_range(0..2)));
        }
        if !matches!(operation, Operation::Set(_, ParameterId(id), _) if usize::from(id) >= fewer) {
            all.push(operation);
        }
    }
    all
}

/// Draws a value for a live parameter: mostly up to twice the initial one, and now and then any.
fn near(rng: &mut Rng, initial: Fixed) -> Fixed {
    match rng.random_range(0..20) {
        0 => Fixed(rng.random()),
        1 => Fixed::whole(rng.random_range(0..5)),
        2 => initial,
        _ => {
            let most = (initial.0.unsigned_abs() / 8).saturating_mul(16).max(1 << Fixed::FRACTION_BITS);
            let any = convert::saturate::<i64>(rng.random_range(0..=most));
            let whole = any >> Fixed::FRACTION_BITS << Fixed::FRACTION_BITS;
            Fixed(if initial.0.trailing_zeros() >= Fixed::FRACTION_BITS { whole } else { any })
        }
    }
}

fn packet(rng: &mut Rng, draw: &mut Draw, queues: u16, id: u64, arrival: Time) -> Packet {
    // Most packets need few cycles, or none would ever be done.
    let processing = if rng.random_bool(0.9) { rng.random_range(0..=6) } else { draw.number(rng, NANOSECOND_BITS) };
    let mut packet = Packet {
        arrival,
        id,
        rank: draw.number(rng, u64::BITS),
        processing: Duration::from_ns(processing),
        value: draw.number32(rng),
        flow: FlowId(draw.number32(rng)),
        slack: Duration::from_ns(draw.number(rng, NANOSECOND_BITS)),
        ..Packet::default()
    };
    packet.remaining_bytes =
        if rng.random_bool(0.5) { rng.random_range(1..200) * 500 } else { draw.number(rng, u64::BITS) };
    packet.size_bytes = rng.random_range(3..=30) * 50;
    packet.queue = QueueId(rng.random_range(0..=queues));
    let usual = [0, 1, 2, 3, 10, 34, 40, 46][rng.random_range(0..8_usize)];
    let class = if rng.random_bool(0.8) { usual } else { draw.number(rng, u8::BITS) };
    packet.class = ClassId(convert::saturate(class));
    if rng.random_bool(0.1) {
        packet.marks.set_congested();
    }
    if rng.random_bool(0.1) {
        packet.marks.set_eligible_to_drop();
    }
    packet
}
