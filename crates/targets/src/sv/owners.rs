//! The objects that have conditions: queues and buffers `congestion`, ports `postSchedAct`.

use super::model::Model;
use super::scope::{Object, Packet, Reads};
use forebay_lang::Policy;
use forebay_lang::ir::{Condition, State};

/// What a condition belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Buffer,
    Queue,
    Port,
}

impl Owner {
    pub(super) const ALL: [Self; 3] = [Self::Buffer, Self::Queue, Self::Port];

    /// Its name in `policy_pkg`.
    pub(super) fn constant(self) -> &'static str {
        match self {
            Self::Buffer => "OwnerBuffer",
            Self::Queue => "OwnerQueue",
            Self::Port => "OwnerPort",
        }
    }

    /// The object's number in `policy_rules`.
    pub(super) fn index(self) -> &'static str {
        match self {
            Self::Buffer => "buffer_index",
            Self::Queue => "queue_i",
            Self::Port => "port_i",
        }
    }

    /// Its conditions, by object.
    pub(super) fn conditions(self, policy: &Policy) -> Vec<&Condition> {
        match self {
            Self::Buffer => policy.buffers.iter().map(|buffer| &buffer.congestion).collect(),
            Self::Queue => policy.queues.iter().map(|queue| &queue.congestion).collect(),
            Self::Port => policy.ports.iter().map(|port| &port.after).collect(),
        }
    }

    /// The name of the condition of an object, for users.
    pub(super) fn called(self, policy: &Policy, id: usize) -> String {
        match self {
            Self::Buffer => format!("buffer {}, congestion", policy.buffers[id].name),
            Self::Queue => format!("queue {}, congestion", policy.queues[id].name),
            Self::Port => format!("port {}, postSchedAct", policy.ports[id].name),
        }
    }

    /// What the condition of one of these objects reads.
    pub(super) fn reads<'a>(self, model: &'a Model<'a>, among: &[usize]) -> Reads<'a> {
        let policy = model.policy;
        let object =
            Object::new(&if among.len() == 1 { among[0].to_string() } else { self.index().to_owned() }, among.to_vec());
        let mut reads = Reads::new(model);
        reads.packet = if self == Self::Port { Packet::Served } else { Packet::Arriving };
        let queues = |lists: Vec<&Vec<forebay_core::QueueId>>| -> Vec<usize> {
            lists.into_iter().flatten().map(|id| usize::from(id.0)).collect()
        };
        let current = |among: Vec<usize>| match among[..] {
            [one] => Object::one(one),
            _ => Object::new("queue_i", among),
        };
        match self {
            Self::Queue => reads.this_queue = Some(object),
            Self::Buffer => {
                reads.buffer = Some(object);
                reads.current = Some(current(queues(among.iter().map(|id| &policy.buffers[*id].queues).collect())));
            }
            Self::Port => {
                reads.port = Some(object);
                reads.current = Some(current(queues(among.iter().map(|id| &policy.ports[*id].queues).collect())));
            }
        }
        reads
    }
}

/// The object whose state is modified.
pub(super) fn modified(reads: &Reads<'_>, state: State) -> Option<Object> {
    match state {
        State::QueueAdm(queue) | State::QueueSched(queue) => reads.queue(queue),
        State::PortSched(port) => reads.port(port),
        State::BufferAdm(buffer) => reads.buffer(buffer),
        State::HeadValue(_) | State::ArrivingValue => None,
    }
}

/// Every condition of a policy, with its owner.
pub(super) fn conditions(policy: &Policy) -> Vec<(Owner, usize, &Condition)> {
    let of = |owner: Owner| {
        let all = owner.conditions(policy).into_iter().enumerate();
        all.map(move |(id, condition)| (owner, id, condition)).collect::<Vec<_>>()
    };
    Owner::ALL.into_iter().flat_map(of).collect()
}
