//! Checks whether a policy is strict priority over first-in, first-out queues, and never pushes out packets.
//!
//! Then the backlog's order is fixed when a packet arrives. The packet departs after all packets in its queue and in queues
//! of higher priority, and after packets that enter those later. So a port can say when its packets depart (Seer, section 2).
//!
//! The check is safe: a policy passes only if this is proved, from its keys and from bounds of its conditions. It costs a pass over the
//! policy, and an evaluation of each key of `schedPrio` for each queue.

use super::interval::interval_where;
use super::truth::truth;
use super::{
    Action, BufferField, BufferId, BufferRef, Case, Comparator, Condition, Interval, Key, Policy, Port, QueueField,
    QueueRef, Read, State, holds_at_most,
};
use crate::number::{Fixed, Ratio};
use forebay_core::{BufferSize, QueueId};

/// Why a policy is not strict priority over first-in, first-out queues without push-out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotStrict {
    /// The policy has several ports.
    #[error("it has {0} ports, and only a policy with one port can be checked")]
    Ports(usize),
    /// A queue serves in another order than that of arrival.
    #[error("queue `{queue}` serves by `{order}`; leave its `procPrio` out, so that it is first come, first served")]
    Service {
        /// The queue.
        queue: String,
        /// The queue's `procPrio`.
        order: String,
    },
    /// The order of the queues is no list of numbers.
    #[error(
        "`schedPrio` of `{port}`, `{order}`, is not proved to be an order by keys; compare `schedState` of the two queues"
    )]
    NoKeys {
        /// The port.
        port: String,
        /// The port's `schedPrio`.
        order: String,
    },
    /// The order of the queues can change.
    #[error(
        "`schedPrio` of `{port}`, `{order}`, compares values that can change; compare states that no `modify` changes, or sizes"
    )]
    Scheduling {
        /// The port.
        port: String,
        /// The port's `schedPrio`.
        order: String,
    },
    /// Queued packets may be dropped.
    #[error("`{owner}` may push out packets that wait: {why}")]
    PushesOut {
        /// The name of a queue or buffer.
        owner: String,
        /// The reason.
        why: PushOut,
    },
}

/// Why queued packets may be dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PushOut {
    /// The victim need not be the packet that arrived last.
    #[error(
        "the victims of queue `{queue}` are chosen by `{order}`; leave its `admPrio` out, so that the last one is dropped"
    )]
    Victims {
        /// The queue.
        queue: String,
        /// The queue's `admPrio`.
        order: String,
    },
    /// The victim can be in a queue that the packet did not enter.
    #[error("its `admPrio`, `{0}`, chooses among queues; leave it out, so that the queue of the arriving packet drops")]
    AmongQueues(String),
    /// A case drops twice.
    #[error("a case of `{0}` has two drops")]
    Twice(String),
    /// A case may go on dropping after it has dropped the arriving packet.
    #[error(
        "`{0}` may hold without the arriving packet and then drops others; add `&& arriving.size > 0` to its condition"
    )]
    GoesOn(String),
}

impl Policy {
    /// Returns the queues in the order of service, if the policy is strict priority over first-in, first-out queues and drops no queued
    /// packet. The order holds until the policy is changed.
    ///
    /// # Errors
    /// If the policy does anything else. The error names that and its remedy.
    pub fn strict_priorities(&self) -> Result<Vec<QueueId>, NotStrict> {
        let [port] = &self.ports[..] else { return Err(NotStrict::Ports(self.ports.len())) };
        for queue in &self.queues {
            if !by_arrival(&queue.processing, false) {
                let order = queue.processing.name.clone();
                return Err(NotStrict::Service { queue: queue.name.clone(), order });
            }
        }
        self.pushes_nothing_out()?;
        self.served(port)
    }

    /// Returns the queues of a port in the order of service.
    fn served(&self, port: &Port) -> Result<Vec<QueueId>, NotStrict> {
        if port.queues.len() == 1 {
            return Ok(port.queues.clone());
        }
        let (name, order) = (port.name.clone(), port.scheduling.name.clone());
        let Some(keys) = &port.scheduling.keys else { return Err(NotStrict::NoKeys { port: name, order }) };
        if !keys.iter().all(|key| self.is_constant(key)) {
            return Err(NotStrict::Scheduling { port: name, order });
        }
        // Ties are in order of declaration, as the sort leaves them (`docs/openqueue-semantics.md`, 4.3).
        let mut queues = port.queues.clone();
        queues.sort_by(|one, other| {
            let compared = keys.iter().map(|key| {
                let [one, other] = [one, other].map(|queue| self.key_of(key, *queue));
                if key.descending { other.cmp(&one) } else { one.cmp(&other) }
            });
            compared.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        Ok(queues)
    }

    /// Whether a key of queues is the same at all times.
    fn is_constant(&self, key: &Key) -> bool {
        let mut constant = true;
        key.value.reads(&mut |read| {
            constant &= match read {
                Read::Queue(QueueRef::This, QueueField::Size) => true,
                Read::Queue(QueueRef::This, QueueField::SchedState) => !self.modifies(true),
                Read::Queue(QueueRef::This, QueueField::AdmState) => !self.modifies(false),
                _ => false,
            };
        });
        constant
    }

    /// Whether the policy changes `schedState` (or else `admState`) of queues.
    fn modifies(&self, of_scheduling: bool) -> bool {
        self.acts(|action| match action {
            Action::Modify(State::QueueSched(_), _) => of_scheduling,
            Action::Modify(State::QueueAdm(_), _) => !of_scheduling,
            _ => false,
        })
    }

    fn key_of(&self, key: &Key, queue: QueueId) -> Ratio {
        let queue = &self.queues[usize::from(queue.0)];
        key.value.value(&mut |read| match read {
            Read::Queue(_, QueueField::Size) => number(queue.size),
            Read::Queue(_, QueueField::SchedState) => Fixed::floor(queue.sched_state),
            Read::Queue(_, QueueField::AdmState) => Fixed::floor(queue.adm_state),
            _ => Fixed(0),
        })
    }

    /// Proves that every victim is the packet that arrives.
    fn pushes_nothing_out(&self) -> Result<(), NotStrict> {
        let bounds = Bounds::of(self);
        for (id, queue) in (0..).map(QueueId).zip(&self.queues) {
            let wrong = |why| NotStrict::PushesOut { owner: queue.name.clone(), why };
            let known = |read| bounds.known(read, Some(id), None);
            drops_once(&queue.congestion, &known).map_err(wrong)?;
            let buffer = queue.buffer.map(|buffer| &self.buffers[usize::from(buffer.0)].congestion);
            if (drops(&queue.congestion) || buffer.is_some_and(drops)) && !by_arrival(&queue.admission, true) {
                let order = queue.admission.name.clone();
                return Err(wrong(PushOut::Victims { queue: queue.name.clone(), order }));
            }
        }
        for (id, buffer) in (0..).map(BufferId).zip(&self.buffers) {
            let wrong = |why| NotStrict::PushesOut { owner: buffer.name.clone(), why };
            let known = |read| bounds.known(read, None, Some(id));
            drops_once(&buffer.congestion, &known).map_err(wrong)?;
            if let Some(order) = buffer.admission.as_ref().filter(|_| drops(&buffer.congestion)) {
                return Err(wrong(PushOut::AmongQueues(order.name.clone())));
            }
        }
        Ok(())
    }
}

/// Whether an order of packets is that of arrival, or its reverse. Packets that tie must be in that order, too
/// (`docs/openqueue-semantics.md`, 4.3).
fn by_arrival(order: &Comparator, reversed: bool) -> bool {
    match order.keys.as_deref() {
        Some([]) => true,
        Some([key]) => key.is_arrival() && key.descending == reversed,
        _ => false,
    }
}

fn is_drop(action: &Action) -> bool {
    matches!(action, Action::Drop(_))
}

fn drops(condition: &Condition) -> bool {
    condition.cases.iter().any(|case| case.actions.iter().any(is_drop))
}

/// Proves that a condition drops at most the arriving packet.
///
/// After that drop, the state is as it was before the packet arrived. So a case that cannot hold in that state does not repeat
/// (6.5).
fn drops_once(condition: &Condition, known: &dyn Fn(Read) -> Option<Interval>) -> Result<(), PushOut> {
    let name = || condition.name.clone();
    for case in &condition.cases {
        match case.actions.iter().filter(|action| is_drop(action)).count() {
            0 => {}
            1 => {
                if may_go_on(case, known) && truth(&case.when, known) != Some(false) {
                    return Err(PushOut::GoesOn(name()));
                }
            }
            _ => return Err(PushOut::Twice(name())),
        }
    }
    Ok(())
}

/// Whether the victims of a case leave one by one (6.5), whether or not the arriving packet is among them.
fn may_go_on(case: &Case, known: &dyn Fn(Read) -> Option<Interval>) -> bool {
    let may_be_sure = case.actions.iter().any(|action| match action {
        Action::Drop(probability) => interval_where(probability, known).greatest >= Fixed::whole(1),
        _ => false,
    });
    may_be_sure && case.can_be_lifted() && !case.is_about_arriving()
}

/// The bounds of queues and buffers while no packet arrives.
struct Bounds<'a> {
    policy: &'a Policy,
    queues: Vec<u64>,
    buffers: Vec<u64>,
}

impl<'a> Bounds<'a> {
    fn of(policy: &'a Policy) -> Self {
        Self {
            queues: policy.queues.iter().map(|queue| holds_at_most(&queue.congestion, queue.size)).collect(),
            buffers: policy.buffers.iter().map(|buffer| holds_at_most(&buffer.congestion, buffer.size)).collect(),
            policy,
        }
    }

    /// Returns the bounds of sizes and occupancies that a condition reads. `queue` or `buffer` is the one that has the condition.
    fn known(&self, read: Read, queue: Option<QueueId>, buffer: Option<BufferId>) -> Option<Interval> {
        match read {
            Read::Queue(which, field) => {
                let id = match which {
                    QueueRef::Named(id) => id,
                    QueueRef::This => queue?,
                    _ => return None,
                };
                let place = usize::from(id.0);
                match field {
                    QueueField::Size => Some(only(self.policy.queues[place].size)),
                    QueueField::CurrSize => Some(Interval::up_to(self.queues[place])),
                    _ => None,
                }
            }
            Read::Buffer(which, field) => {
                let id = match which {
                    BufferRef::Named(id) => id,
                    BufferRef::This => buffer?,
                };
                let place = usize::from(id.0);
                match field {
                    BufferField::Size => Some(only(self.policy.buffers[place].size)),
                    BufferField::CurrSize => Some(Interval::up_to(self.buffers[place])),
                    BufferField::AdmState => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns the interval of a size.
fn only(size: BufferSize) -> Interval {
    let (BufferSize::Packets(size) | BufferSize::Bytes(size)) = size;
    let all = Interval::up_to(size);
    Interval { least: all.greatest, ..all }
}

/// Returns a size as expressions read it.
fn number(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}
