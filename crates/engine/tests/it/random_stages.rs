//! Random policies with stages: some ports lead into queues of ports that are declared later.

use crate::build::*;
use crate::random_policy::random_policy;
use forebay_core::{QueueId, Rng};
use forebay_lang::ir::{
    Arith, BufferField, BufferId, BufferRef, Cond, Entry, Next, NextField, Num, PacketField, Policy, PortField, PortId,
    PortRef, QueueField, QueueRef, Read, Relation,
};
use rand::RngExt;

/// A policy of 2 or 3 ports of which the first leads on.
pub(crate) fn random_stages(rng: &mut Rng) -> Policy {
    let mut policy = loop {
        let drawn = random_policy(rng);
        if drawn.ports.len() > 1 {
            break drawn;
        }
    };
    for at in 0..policy.ports.len() - 1 {
        if at > 0 && rng.random_bool(0.4) {
            continue;
        }
        let next = next(rng, &policy, at);
        policy.ports[at].next = Some(next);
        if rng.random_bool(0.5) {
            let field = one_of(rng, NextField::ALL);
            let (first, second) = (next_queue(field), this_queue(one_of(rng, QueueField::ALL)));
            let mut keys = vec![lowest(first), highest(second)];
            if rng.random_bool(0.5) {
                keys.reverse();
            }
            policy.ports[at].scheduling = order("next", &keys);
        }
    }
    let entrances = policy.entrances();
    for entry in &mut policy.classify {
        entry.queues.retain(|queue| entrances.contains(queue));
    }
    policy.classify.retain(|entry| !entry.queues.is_empty());
    policy
}

fn one_of<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())]
}

fn next_queue(field: NextField) -> Num {
    Num::Read(Read::Next(QueueRef::This, field))
}

/// Where the port at this place leads.
fn next(rng: &mut Rng, policy: &Policy, at: usize) -> Next {
    let ids = (0..).map(QueueId).zip(&policy.queues);
    let later: Vec<QueueId> = ids.filter(|(_, queue)| usize::from(queue.port.0) > at).map(|(id, _)| id).collect();
    let entries = (0..rng.random_range(1..=2))
        .map(|_| {
            let queues = later[rng.random_range(0..later.len())..].to_vec();
            let first = one_of(rng, &[0, 1, 5]);
            let field = one_of(rng, PacketField::ALL);
            let index = match rng.random_range(0..4) {
                0 => number(first),
                // Now and then none of the queues.
                1 => packet(field),
                _ => {
                    let among = number(i64::try_from(queues.len()).unwrap());
                    arith(Arith::Add, arith(Arith::Mod, packet(field), among), number(first))
                }
            };
            let when = match rng.random_range(0..3) {
                0 => compare(Relation::Greater, packet(one_of(rng, PacketField::ALL)), number(1)),
                _ => Cond::Const(true),
            };
            Entry { when, queues, first, index }
        })
        .collect();
    Next { entries, eligible: rng.random_bool(0.7).then(|| eligible(rng, policy)) }
}

fn eligible(rng: &mut Rng, policy: &Policy) -> Cond {
    let has_room = compare(Relation::Less, next_queue(NextField::CurrSize), next_queue(NextField::Size));
    let other = compare(one_of(rng, Relation::ALL), read(rng, policy), read(rng, policy));
    match rng.random_range(0..4) {
        0 => other,
        1 => Cond::Or(Box::new(has_room), Box::new(other)),
        _ => has_room,
    }
}

/// What `eligible` can read.
fn read(rng: &mut Rng, policy: &Policy) -> Num {
    let named = QueueRef::Named(QueueId(rng.random_range(0..crate::random_policy::count(&policy.queues))));
    let queue = if rng.random_bool(0.7) { QueueRef::This } else { named };
    match rng.random_range(0..7) {
        0 => number(rng.random_range(-1..4)),
        1 => head(queue, one_of(rng, PacketField::ALL)),
        2 => Num::Read(Read::Port(PortRef::Named(PortId(0)), one_of(rng, PortField::ALL))),
        3 if !policy.buffers.is_empty() => {
            Num::Read(Read::Buffer(BufferRef::Named(BufferId(0)), one_of(rng, BufferField::ALL)))
        }
        4 => next_queue(one_of(rng, NextField::ALL)),
        _ => Num::Read(Read::Queue(queue, one_of(rng, QueueField::ALL))),
    }
}
