//! A checked policy: what the engines, `forebay explain` and the targets work from.
//!
//! Names are resolved, families and loops written out, constants folded.
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
    /// Its constants, in order of their definition.
    pub params: Vec<Param>,
    /// Those of them that can be changed while it runs, in order of their definition.
    pub parameters: Vec<Parameter>,
    /// Its queues, in order of their declaration; at least one.
    pub queues: Vec<Queue>,
    /// Its ports, in order of their declaration; at least one.
    pub ports: Vec<Port>,
    /// Its buffers, in order of their declaration.
    pub buffers: Vec<Buffer>,
    /// Which queue a packet enters; empty: the policy has no classifier of its own.
    pub classify: Vec<Entry>,
    /// Under which version a packet ([`PacketRef::This`]) is treated while older ones are in force; `None`: under the newest.
    pub policy_id: Option<Num>,
    /// Actions that the program brings which runs it, in order of their declaration.
    pub routines: Vec<Routine>,
}

impl Policy {
    /// Whether it changes the `value` of packets.
    #[must_use]
    pub fn modifies_values(&self) -> bool {
        self.acts(|action| matches!(action, Action::Modify(State::HeadValue(_) | State::ArrivingValue, _)))
    }

    /// Whether it reads the `currProcessing` of queues, which must be kept then.
    #[must_use]
    pub fn sums_processing(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| found |= matches!(read, Read::Queue(_, QueueField::CurrProcessing)));
        found
    }

    /// Whether it reads the marks of packets, or their notifications.
    #[must_use]
    pub fn reads_marks(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| found |= matches!(read, Read::Packet(_, field) if field.is_flag()));
        found
    }

    /// Whether it marks packets, or notifies by them.
    #[must_use]
    pub fn marks(&self) -> bool {
        self.acts(|action| matches!(action, Action::Mark | Action::Notify))
    }

    /// Whether it does such a thing.
    #[must_use]
    pub fn acts(&self, is_it: impl Fn(&Action) -> bool) -> bool {
        let queues = self.queues.iter().map(|queue| &queue.congestion);
        let ports = self.ports.iter().map(|port| &port.after);
        let conditions = queues.chain(ports).chain(self.buffers.iter().map(|buffer| &buffer.congestion));
        conditions.flat_map(|condition| &condition.cases).flat_map(|case| &case.actions).any(is_it)
    }

    /// The live parameter that is called so.
    #[must_use]
    pub fn parameter_named(&self, name: &str) -> Option<(ParameterId, &Parameter)> {
        (0..=u16::MAX).map(ParameterId).zip(&self.parameters).find(|(_, parameter)| parameter.name == name)
    }
}

/// An action that the program brings which runs a policy: its interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// The names of its numbers.
    pub arguments: Vec<String>,
}

/// A named constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value: that of the command line, or else of the file.
    pub value: Ratio,
    /// Whether it is a number of packets.
    pub in_packets: bool,
}

/// A queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Its name; of a member of a family with its number, such as `q3`.
    pub name: String,
    /// Its size; its occupancy is in the same unit.
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
    /// The port that it belongs to.
    pub port: PortId,
    /// The buffer that it belongs to.
    pub buffer: Option<BufferId>,
}

/// How fast a port sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortRate {
    /// Percent of its link, above 0 and at most 100.
    Percent(Ratio),
    /// Absolute.
    Rate(Rate),
}

/// A port.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// How fast it sends.
    pub rate: PortRate,
    /// Its queues, in order of their declaration; at least one.
    pub queues: Vec<QueueId>,
    /// Which queue is served: `schedPrio`.
    pub scheduling: Comparator,
    /// What happens after a packet (or a cycle) was served: `postSchedAct`.
    pub after: Condition,
    /// Where a packet goes that was served; `None`: it leaves.
    pub next: Option<Next>,
    /// The initial `schedState`.
    pub sched_state: Ratio,
}

/// A buffer that queues share.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Its size; its occupancy is in the same unit.
    pub size: BufferSize,
    /// Its queues, in order of their declaration; at least one.
    pub queues: Vec<QueueId>,
    /// From which queue packets are dropped: `admPrio`. `None`, if it is not assigned: from the one that the arriving
    /// packet entered.
    pub admission: Option<Comparator>,
    /// When packets are dropped or marked.
    pub congestion: Condition,
    /// The initial `admState`.
    pub adm_state: Ratio,
}
