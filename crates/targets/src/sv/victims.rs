//! The packet of a queue that is dropped, as far as a queue block can find it.
//!
//! The block gives both ends of its order. The last that arrived is known if it is the arriving packet, or if the block keeps the
//! order of arrival. The reverse of the order of service is the other end, with the arriving packet. There are two ways to
//! include it. The first inserts the arriving packet before the rules judge it. Then the rules cannot drop it on arrival, so
//! nothing may be over its size after `congestion`, and nothing may mark it. The second reads the end of the block before each
//! such drop, which takes the block's latency.
//!
//! Beside another policy, an object may be over its size by the packets that drain there. Their number only falls, and a packet is
//! admitted only if its queue and buffer are then within their sizes. So an object that is over its size without the arriving
//! packet holds no packet of its own, and the victim is the arriving packet. An object within its size behaves as it does alone.

use super::model::Model;
use super::net::Net;
use super::numbers::{Numbers, interval};
use super::owners::Owner;
use super::ranks::telling;
use super::scope::{Held, declared};
use forebay_core::BufferSize;
use forebay_lang::ir::{Action, Case, Cond, Condition, Interval, Queue};
use forebay_lang::{Fixed, Policy};

/// The packet that a queue loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Victim {
    /// The packet that arrived last.
    Last,
    /// The last packet in the order of service.
    Reverse,
}

/// Where the last that arrived is known.
const KNOWN: &str = "a queue block knows the last packet that arrived only if packets depart in the order of arrival, \
                     or if only the arriving packet is ever dropped";

/// Why a queue block cannot find the victims of a queue. The texts follow the name of its order.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotFound {
    #[error("is no list of keys")]
    NoKeys,
    #[error(
        "is the reverse neither of the order of arrival nor of `procPrio`, and a queue block gives only the two ends \
         of its order; make it `rfifo` or the reverse of `procPrio`"
    )]
    NeitherEnd,
    #[error("{KNOWN}; buffer {buffer} drops from this queue when packets of others arrive")]
    DropsForOthers { buffer: String },
    #[error("{KNOWN}; a case of {object} drops twice")]
    DropsTwice { object: String },
    #[error(
        "{KNOWN}; {object} goes on dropping while `{when}`, which may hold after the arriving packet was dropped; add \
         `&& arriving.size > 0`, so that it drops no other packet"
    )]
    GoesOn { object: String, when: String },
}

/// Returns the victims of a queue, or why a queue block cannot find them.
pub(super) fn victim(id: usize, model: &Model<'_>) -> Result<Victim, NotFound> {
    let queue = &model.policy.queues[id];
    let keys = |victims| {
        let order = if victims { &queue.admission } else { &queue.processing };
        order.keys.as_deref().map(|keys| telling(keys, victims))
    };
    let (Some(service), Some(admission)) = (keys(false), keys(true)) else {
        return Err(NotFound::NoKeys);
    };
    if admission.is_empty() {
        return if service.is_empty() { Ok(Victim::Last) } else { only_arriving(id, model).map(|()| Victim::Last) };
    }
    let is_reverse = service.len() == admission.len()
        && service
            .iter()
            .zip(&admission)
            .all(|(one, other)| one.value == other.value && one.descending != other.descending);
    if !is_reverse {
        return Err(NotFound::NeitherEnd);
    }
    Ok(Victim::Reverse)
}

/// Returns the objects by which packets of a queue are dropped: the queue and its buffer.
fn droppers(queue: &Queue, id: usize) -> Vec<(Owner, usize)> {
    let buffer = queue.buffer.map(|buffer| (Owner::Buffer, usize::from(buffer.0)));
    buffer.into_iter().chain([(Owner::Queue, id)]).collect()
}

fn condition(policy: &Policy, (owner, id): (Owner, usize)) -> &Condition {
    match owner {
        Owner::Buffer => &policy.buffers[id].congestion,
        Owner::Queue => &policy.queues[id].congestion,
        Owner::Port => &policy.ports[id].after,
    }
}

fn size((owner, id): (Owner, usize), policy: &Policy) -> BufferSize {
    match owner {
        Owner::Buffer => policy.buffers[id].size,
        _ => policy.queues[id].size,
    }
}

/// Whether a condition holds for this occupancy; `None` if that depends on other values.
pub(super) fn holds(of: (Owner, usize), when: &Cond, held: Interval, model: &Model<'_>) -> Option<bool> {
    let mut scope = of.0.reads(model, &[of.1]);
    scope.held = Some(match of.0 {
        Owner::Buffer => Held::Buffer(of.1, held),
        _ => Held::Queue(of.1, held),
    });
    let mut net = Net::default();
    let id = (Numbers { net: &mut net, scope: &scope }).truth(when).ok()?;
    net.constant(id).map(|value| value != 0)
}

/// Returns the occupancies up to the size, or those above it.
fn held(of: (Owner, usize), above: bool, model: &Model<'_>) -> Interval {
    let (size, all) = (size(of, model.policy), Interval::up_to((1 << 46) - 1));
    let size = declared(size);
    if above {
        Interval { least: Fixed(size.0.saturating_add(1 << Fixed::FRACTION_BITS)), ..all }
    } else {
        Interval { greatest: size, ..all }
    }
}

/// The known facts about the probability of a drop.
#[derive(Clone, Copy)]
struct Chance {
    /// Whether the drop may happen.
    may: bool,
    /// Whether the drop may be sure, and then repeats.
    may_be_sure: bool,
    /// Whether the drop is sure.
    sure: bool,
}

fn chance(of: (Owner, usize), action: &Action, model: &Model<'_>) -> Option<Chance> {
    let Action::Drop(probability) = action else { return None };
    let scope = of.0.reads(model, &[of.1]);
    let mut net = Net::default();
    Some(match (Numbers { net: &mut net, scope: &scope }).number(probability) {
        Ok(value) => {
            let all = interval(&net, value);
            let one = Fixed::whole(1);
            Chance { may: all.greatest > Fixed(0), may_be_sure: all.greatest >= one, sure: all.least >= one }
        }
        Err(_) => Chance { may: true, may_be_sure: true, sure: false },
    })
}

fn chances(of: (Owner, usize), case: &Case, model: &Model<'_>) -> Vec<Chance> {
    case.actions.iter().filter_map(|action| chance(of, action, model)).collect()
}

/// Whether a case may drop.
fn may_drop(of: (Owner, usize), case: &Case, model: &Model<'_>) -> bool {
    chances(of, case, model).iter().any(|chance| chance.may)
}

/// Checks that only the arriving packet is ever a victim of a queue.
pub(super) fn only_arriving(id: usize, model: &Model<'_>) -> Result<(), NotFound> {
    let policy = model.policy;
    let queue = &policy.queues[id];
    if let Some(buffer) = queue.buffer.map(|buffer| &policy.buffers[usize::from(buffer.0)])
        && buffer.admission.is_some()
        && buffer.queues.len() > 1
    {
        return Err(NotFound::DropsForOthers { buffer: buffer.name.clone() });
    }
    for of in droppers(queue, id) {
        for case in &condition(policy, of).cases {
            let chances = chances(of, case, model);
            let twice = chances.iter().filter(|chance| chance.may).count() > 1;
            let goes_on = chances.iter().any(|chance| chance.may_be_sure);
            let repeats = case.can_be_lifted() && goes_on && !case.is_about_arriving();
            let called = of.0.called(policy, of.1);
            if twice {
                return Err(NotFound::DropsTwice { object: called.to_string() });
            }
            if repeats && holds(of, &case.when, held(of, false, model), model) != Some(false) {
                return Err(NotFound::GoesOn { object: called.to_string(), when: case.when.to_string() });
            }
        }
    }
    Ok(())
}

/// Whether the arriving packet may be inserted into the queue block before it is judged.
fn in_block(id: usize, model: &Model<'_>) -> bool {
    let policy = model.policy;
    let all = droppers(&policy.queues[id], id);
    let fits = |of: &(Owner, usize)| {
        // What is no larger is never full without the other being so.
        guarded(*of, model) || all.iter().any(|other| guarded(*other, model) && no_larger(*other, *of, policy))
    };
    if !all.iter().all(fits) {
        return false;
    }
    let mut dropped = false;
    for of in all {
        for case in &condition(policy, of).cases {
            let mut dropped_here = dropped;
            for action in &case.actions {
                if dropped_here && matches!(action, Action::Mark | Action::Notify) {
                    return false;
                }
                dropped_here |= chance(of, action, model).is_some_and(|chance| chance.may);
            }
        }
        dropped |= condition(policy, of).cases.iter().any(|case| may_drop(of, case, model));
    }
    true
}

/// Whether one object holds at most as much as another one may, in the same unit.
fn no_larger(one: (Owner, usize), other: (Owner, usize), policy: &Policy) -> bool {
    match (size(one, policy), size(other, policy)) {
        (BufferSize::Packets(one), BufferSize::Packets(other)) | (BufferSize::Bytes(one), BufferSize::Bytes(other)) => {
            one <= other
        }
        _ => false,
    }
}

/// Whether victims leave until an object's occupancy is at most its size.
fn guarded(of: (Owner, usize), model: &Model<'_>) -> bool {
    for case in &condition(model.policy, of).cases {
        match holds(of, &case.when, held(of, true, model), model) {
            Some(false) => {}
            Some(true) => return case.can_be_lifted() && chances(of, case, model).iter().any(|chance| chance.sure),
            None => return false,
        }
    }
    false
}

/// Whether the victim by rank must be read from the queue block before a drop is decided, or before a queue's next decision.
pub(super) fn asks_who(id: usize, model: &Model<'_>) -> bool {
    if !in_block(id, model) {
        return true;
    }
    let policy = model.policy;
    let all = droppers(&policy.queues[id], id);
    let goes_on = |of: &(Owner, usize)| {
        let cases = &condition(policy, *of).cases;
        cases.iter().any(|case| case.is_about_arriving() && case.can_be_lifted() && may_drop(*of, case, model))
    };
    let own = (Owner::Queue, id);
    let buffer_drops = all
        .iter()
        .any(|of| of.0 == Owner::Buffer && condition(policy, *of).cases.iter().any(|case| may_drop(*of, case, model)));
    // Without the arriving packet the queue is within its size: what cannot hold then need not be asked.
    let judged = policy.queues[id]
        .congestion
        .cases
        .iter()
        .any(|case| holds(own, &case.when, held(own, false, model), model) != Some(false));
    all.iter().any(goes_on) || (buffer_drops && judged)
}
