//! Which queues a switch can have: tail drop at a size of their own, and a fixed order among them.

use super::Note;
use super::known_values::named;
use super::rank::keys;
use crate::Refusal;
use forebay_core::{BufferSize, QueueId};
use forebay_lang::ir::{
    Action, Comparator, Cond, Condition, Num, PortRate, Queue, QueueField, QueueRef, Read, Relation, holds_at_most,
};
use forebay_lang::{Fixed, Policy, Ratio};

/// `meta.queue` has 8 bits.
const MOST_QUEUES: usize = 256;

/// Rejects everything except ports with queues that admit packets while there is room.
pub(super) fn check(policy: &Policy, refuse: &mut impl FnMut(&str, &str)) {
    for buffer in &policy.buffers {
        refuse(&format!("buffer {}", buffer.name), "a switch's queues have sizes of their own, and share no buffer");
    }
    if policy.ports.len() > 1 {
        refuse("the policy", "has several ports; a switch runs one policy at each port, so give each its own policy");
    }
    if let Some(queue) = policy.queues.get(MOST_QUEUES) {
        let reason = format!("is one too many; the program numbers queues in 8 bits, so it has room for {MOST_QUEUES}");
        refuse(&named(queue), &reason);
    }
    if policy.sums_processing() {
        refuse("the policy", "reads `currProcessing`, and a switch does not know how much work is in its queues");
    }
    for port in &policy.ports {
        if !port.after.cases.is_empty() {
            let construct = format!("port {}, postSchedAct {}", port.name, port.after.name);
            refuse(&construct, "a switch does nothing when a packet leaves its scheduler");
        }
    }
    for (id, queue) in (0..=u16::MAX).map(QueueId).zip(&policy.queues) {
        for (number, case) in queue.congestion.cases.iter().enumerate() {
            let construct = format!("{}, congestion {}, case {}", named(queue), queue.congestion.name, number + 1);
            for action in &case.actions {
                match action {
                    Action::Drop(Num::Const(chance)) if *chance >= Ratio::ONE => {}
                    Action::Drop(_) => {
                        refuse(&construct, "a switch's queue drops packets that do not fit, and never at random");
                    }
                    Action::Mark | Action::Notify => refuse(
                        &construct,
                        "marks depend on an occupancy, which a switch knows only behind its queues, in egress",
                    ),
                    // What declares it is refused.
                    Action::Call(..) => {}
                    Action::Modify(..) => {
                        refuse(
                            &construct,
                            "a state that changes is not known when the program chooses a packet's \
                             queue",
                        );
                    }
                }
            }
            if !is_full(&case.when, id) {
                refuse(&construct, "a switch's queue drops only when it is itself full, above a fixed occupancy");
            }
        }
        if drops(&queue.congestion) && !refuses_arrivals(&queue.admission) {
            refuse(
                &format!("{}, admPrio {}", named(queue), queue.admission.name),
                "a switch's queue cannot push out a packet that waits; it can only drop the arriving one (rfifo)",
            );
        }
    }
}

fn drops(condition: &Condition) -> bool {
    condition.cases.iter().any(|case| case.actions.iter().any(|action| matches!(action, Action::Drop(_))))
}

/// Whether the victim is always the arriving packet.
fn refuses_arrivals(admission: &Comparator) -> bool {
    match admission.keys.as_deref() {
        Some([]) => true,
        Some([key]) => key.is_arrival() && key.descending,
        _ => false,
    }
}

/// Whether a condition is that the queue's own occupancy is above some number.
fn is_full(condition: &Cond, id: QueueId) -> bool {
    let is_occupancy = |number: &Num| match number {
        Num::Read(Read::Queue(queue, QueueField::CurrSize)) => is_own(*queue, id),
        _ => false,
    };
    match condition {
        Cond::Const(known) => !known,
        Cond::Compare(Relation::Greater | Relation::GreaterEqual, occupancy, limit)
        | Cond::Compare(Relation::Less | Relation::LessEqual, limit, occupancy) => {
            is_occupancy(occupancy) && is_fixed(limit, id)
        }
        _ => false,
    }
}

/// Whether a number of a queue never changes.
fn is_fixed(number: &Num, id: QueueId) -> bool {
    let mut fixed = true;
    number.reads(&mut |read| fixed &= matches!(read, Read::Queue(queue, QueueField::Size) if is_own(queue, id)));
    fixed
}

fn is_own(queue: QueueRef, id: QueueId) -> bool {
    matches!(queue, QueueRef::This) || queue == QueueRef::Named(id)
}

/// The queues in the order in which they are served: their places in the policy.
pub(super) fn order(policy: &Policy, refuse: &mut impl FnMut(&str, &str)) -> Vec<usize> {
    let mut places: Vec<usize> = (0..policy.queues.len()).collect();
    let Some(port) = policy.ports.first().filter(|_| places.len() > 1) else { return places };
    let construct = format!("port {}, schedPrio {}", port.name, port.scheduling.name);
    let Some(keys) = &port.scheduling.keys else {
        refuse(&construct, "is no list of keys, so the queues have no fixed order");
        return places;
    };
    for key in keys {
        let mut dynamic = None;
        key.value.reads(&mut |read| {
            let constant = matches!(
                read,
                Read::Queue(QueueRef::This, QueueField::Size | QueueField::AdmState | QueueField::SchedState)
            );
            if !constant {
                dynamic = dynamic.or(Some(read));
            }
        });
        if let Some(read) = dynamic {
            refuse(&construct, &format!("depends on `{read}`, which changes; a switch's queues have a fixed order"));
            return places;
        }
    }
    let values = |place: usize| {
        let queue = &policy.queues[place];
        let mut read = |read: Read| match read {
            Read::Queue(_, QueueField::Size) => size(queue.size),
            Read::Queue(_, QueueField::AdmState) => Fixed::floor(queue.adm_state),
            _ => Fixed::floor(queue.sched_state),
        };
        let signed = |key: &forebay_lang::ir::Key, value: Ratio| if key.descending { -value } else { value };
        keys.iter().map(|key| signed(key, key.value.value(&mut read))).collect::<Vec<Ratio>>()
    };
    places.sort_by_key(|place| values(*place));
    places
}

fn size(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}

/// Rejects a queue that is not first in, first out.
pub(super) fn check_fifo(queue: &Queue, refuse: &mut impl FnMut(&str, &str)) {
    if keys(&queue.processing).is_none_or(|keys| !keys.is_empty()) {
        refuse(
            &format!("{}, procPrio {}", named(queue), queue.processing.name),
            "is not first in, first out; if there are several queues, each must be, since each is a queue of the \
             switch",
        );
    }
}

/// What the control plane has to set: how much each queue holds, and the rate.
pub(super) fn depths(policy: &Policy, order: &[usize], count: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |construct: String, reason: String| notes.push(Refusal { construct, reason });
    let several = order.len() > 1;
    for (place, queue) in order.iter().map(|place| &policy.queues[*place]).enumerate() {
        let (number, unit) = match (queue.size, holds_at_most(&queue.congestion, queue.size)) {
            (BufferSize::Packets(_), number) => (number, "packets"),
            (BufferSize::Bytes(_), number) => (number, "bytes"),
        };
        if several {
            note(named(queue), format!("is queue {place} of the switch (0 is served first); it holds {number} {unit}"));
        } else {
            let each = number.div_ceil(u64::try_from(count).unwrap_or(1).max(1));
            note(named(queue), format!("its {number} {unit} are divided among {count} queues, {each} in each"));
        }
    }
    for port in &policy.ports {
        match &port.rate {
            PortRate::Percent(percent) if *percent == Ratio::from_integer(100) => {}
            PortRate::Percent(percent) => {
                note(
                    format!("port {}", port.name),
                    format!("the switch has to enforce its rate of {percent}% of the link"),
                );
            }
            PortRate::Rate(_) => {
                note(format!("port {}", port.name), "the switch has to enforce its rate".to_owned());
            }
        }
    }
    notes
}
