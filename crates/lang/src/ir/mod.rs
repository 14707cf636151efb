//! A checked policy: the input of the engines, `forebay explain` and the targets.
//!
//! Names are resolved, families and loops expanded, constants folded.
//! `docs/openqueue-semantics.md` defines its meaning.

mod cases;
mod comparator;
mod comparator_sides;
mod condition;
mod counterexample;
mod display;
mod egress;
mod evaluate;
mod expr;
mod facts;
mod ids;
mod interval;
mod keys;
mod linear;
mod numbers;
mod occupancy;
mod order;
mod parameter;
mod products;
mod region;
mod separated_sums;
mod stages;
mod strict_priority;
mod truth;

pub use cases::{Finding, findings, sized};
pub use comparator::{Comparator, Key};
pub use condition::{Action, Case, Condition, Entry, State};
pub use counterexample::{Counterexample, Law};
pub use egress::Astray;
pub use expr::{
    Arith, BufferField, BufferRef, Cond, NextField, Num, PacketField, PacketRef, PortField, PortRef, QueueField,
    QueueRef, Read, Relation,
};
pub use ids::{BufferId, ParameterId, PortId, RoutineId};
pub use interval::{Interval, interval, interval_where};
pub use keys::{is_proved, keys_of};
pub use occupancy::holds_at_most;
pub use order::{Known, broken_among, order, refute};
pub use parameter::{NotLive, Parameter, WrongUnit, not_live};
pub use products::exact_products;
pub use stages::Next;
pub use strict_priority::{NotStrict, PushOut};

use crate::number::Ratio;
use forebay_core::{BufferSize, QueueId, Rate};

/// A policy without mistakes.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// The policy's constants, in order of their definition.
    pub params: Vec<Param>,
    /// The constants that can be changed while the policy runs, in order of their definition.
    pub parameters: Vec<Parameter>,
    /// The policy's queues, in order of their declaration; at least one.
    pub queues: Vec<Queue>,
    /// The policy's ports, in order of their declaration; at least one.
    pub ports: Vec<Port>,
    /// The policy's buffers, in order of their declaration.
    pub buffers: Vec<Buffer>,
    /// The cases that choose the queue of a packet; empty if the policy has no classifier of its own.
    pub classify: Vec<Entry>,
    /// The version that treats a packet ([`PacketRef::This`]) while older ones are in force; `None`: the newest.
    pub policy_id: Option<Num>,
    /// The actions that the program implements that runs the policy, in order of their declaration.
    pub routines: Vec<Routine>,
}

impl Policy {
    /// Whether the policy changes the `value` of packets.
    #[must_use]
    pub fn modifies_values(&self) -> bool {
        self.acts(|action| matches!(action, Action::Modify(State::HeadValue(_) | State::ArrivingValue, _)))
    }

    /// Whether the policy reads the `currProcessing` of queues, which must then be maintained.
    #[must_use]
    pub fn sums_processing(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| found |= matches!(read, Read::Queue(_, QueueField::CurrProcessing)));
        found
    }

    /// Whether the policy reads the marks or notifications of packets.
    #[must_use]
    pub fn reads_marks(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| found |= matches!(read, Read::Packet(_, field) if field.is_flag()));
        found
    }

    /// Whether the policy marks packets, or gives congestion notifications.
    #[must_use]
    pub fn marks(&self) -> bool {
        self.acts(|action| matches!(action, Action::Mark | Action::Notify))
    }

    /// Whether the policy has an action for which `is_it` holds.
    #[must_use]
    pub fn acts(&self, is_it: impl Fn(&Action) -> bool) -> bool {
        let queues = self.queues.iter().map(|queue| &queue.congestion);
        let ports = self.ports.iter().map(|port| &port.after);
        let conditions = queues.chain(ports).chain(self.buffers.iter().map(|buffer| &buffer.congestion));
        conditions.flat_map(|condition| &condition.cases).flat_map(|case| &case.actions).any(is_it)
    }

    /// Returns the live parameter of this name.
    #[must_use]
    pub fn parameter_named(&self, name: &str) -> Option<(ParameterId, &Parameter)> {
        (0..=u16::MAX).map(ParameterId).zip(&self.parameters).find(|(_, parameter)| parameter.name == name)
    }
}

/// The interface of an action that is implemented by the program that runs a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routine {
    /// The action's name.
    pub name: String,
    /// The names of the action's arguments.
    pub arguments: Vec<String>,
}

/// A named constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// The constant's name.
    pub name: String,
    /// The constant's value: that of the command line, or else of the file.
    pub value: Ratio,
    /// Whether the value is a number of packets.
    pub in_packets: bool,
}

/// A queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// The queue's name; that of a member of a family includes its number, such as `q3`.
    pub name: String,
    /// The queue's size; its occupancy has the same unit.
    pub size: BufferSize,
    /// The order in which packets leave: `procPrio`.
    pub processing: Comparator,
    /// The order in which packets are dropped: `admPrio`.
    pub admission: Comparator,
    /// When packets are dropped or marked.
    pub congestion: Condition,
    /// The initial `admState`.
    pub adm_state: Ratio,
    /// The initial `schedState`.
    pub sched_state: Ratio,
    /// The queue's port.
    pub port: PortId,
    /// The queue's buffer.
    pub buffer: Option<BufferId>,
}

/// The rate of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortRate {
    /// Percent of its link, above 0 and at most 100.
    Percent(Ratio),
    /// An absolute rate.
    Rate(Rate),
}

/// A port.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// The port's name.
    pub name: String,
    /// The port's rate.
    pub rate: PortRate,
    /// The port's queues, in order of their declaration; at least one.
    pub queues: Vec<QueueId>,
    /// The order in which queues are served: `schedPrio`.
    pub scheduling: Comparator,
    /// The actions after a packet (or a cycle) was served: `postSchedAct`.
    pub after: Condition,
    /// The next stage of packets that were served; `None`: they leave.
    pub next: Option<Next>,
    /// The initial `schedState`.
    pub sched_state: Ratio,
}

/// A buffer that queues share.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// The buffer's name.
    pub name: String,
    /// The buffer's size; its occupancy has the same unit.
    pub size: BufferSize,
    /// The buffer's queues, in order of their declaration; at least one.
    pub queues: Vec<QueueId>,
    /// The order of the queues from which packets are dropped: `admPrio`. `None` if it is not assigned: drops are from the queue that the
    /// arriving packet entered.
    pub admission: Option<Comparator>,
    /// When packets are dropped or marked.
    pub congestion: Condition,
    /// The initial `admState`.
    pub adm_state: Ratio,
}
