//! The properties of Listing 1, forebay's own properties, and the functions of the language.

use crate::ir::{BufferField, PacketField, PortField, QueueField};
use crate::unit::Unit;

/// A property that can be assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Slot {
    AdmPrio,
    ProcPrio,
    SchedPrio,
    Congestion,
    PostSchedAct,
    Next,
    Eligible,
    AdmState,
    SchedState,
}

/// A kind of object that has properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Owner {
    Packet,
    Queue,
    Port,
    Buffer,
}

impl Owner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Packet => "packet",
            Self::Queue => "queue",
            Self::Port => "port",
            Self::Buffer => "buffer",
        }
    }
}

/// The meaning of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Packet(PacketField),
    Queue(QueueField),
    Port(PortField),
    Buffer(BufferField),
    /// A property that is assigned and not read.
    Slot(Slot),
    /// The queue that is served, or at which a packet arrives.
    CurrQueue,
    /// The same queue as a method.
    GetCurrQueue,
    /// The first packet of a queue.
    FindHigh,
    /// The queue that the first packet of a queue would enter next.
    Next,
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) owner: Owner,
    pub(super) name: &'static str,
    pub(super) member: Member,
    /// The description for readers.
    pub(super) about: &'static str,
}

impl Property {
    /// Whether the property is written with parentheses.
    pub(super) fn is_method(&self) -> bool {
        matches!(self.member, Member::FindHigh | Member::GetCurrQueue)
    }

    /// Returns the slot of the property, if it can be assigned.
    pub(super) fn slot(&self) -> Option<Slot> {
        Some(match self.member {
            Member::Slot(slot) => slot,
            Member::Queue(QueueField::AdmState) | Member::Buffer(BufferField::AdmState) => Slot::AdmState,
            Member::Queue(QueueField::SchedState) | Member::Port(PortField::SchedState) => Slot::SchedState,
            _ => return None,
        })
    }
}

macro_rules! properties {
    ($($owner:ident { $($name:literal: $member:expr, $about:literal;)* })*) => {
        /// All properties.
        pub(super) const PROPERTIES: &[Property] = &[
            $($(Property { owner: Owner::$owner, name: $name, member: $member, about: $about },)*)*
        ];
    };
}

properties! {
    Packet {
        "policyId": Member::Packet(PacketField::PolicyId), "the version of the policy under which it arrived: 1, 2, …; read only";
        "queue": Member::Packet(PacketField::Queue), "the queue that it was directed to, numbered from 0; read only";
        "value": Member::Packet(PacketField::Value), "its value; `modify` can change the value of `arriving` and of `q.findHigh()`";
        "processing": Member::Packet(PacketField::Processing), "virtual cycles of work that remain; read only";
        "slack": Member::Packet(PacketField::Slack), "how late it may be, counted from its arrival, in nanoseconds; read only";
        "flow": Member::Packet(PacketField::Flow), "number of its flow; read only";
        "arrival": Member::Packet(PacketField::Arrival), "when it arrived, in nanoseconds; read only";
        "size": Member::Packet(PacketField::Size), "its size in bytes; read only";
        "remaining": Member::Packet(PacketField::Remaining), "bytes that its flow still had to send, itself included; read only";
        "class": Member::Packet(PacketField::Class), "its traffic class, such as the DSCP; read only";
        "rank": Member::Packet(PacketField::Rank), "the rank that it carries; read only";
        "marked": Member::Packet(PacketField::Marked), "1 if it may be dropped first (`mark`), otherwise 0; a truth value where one is needed; read only";
        "notified": Member::Packet(PacketField::Notified), "1 if it carries a congestion notification (`notify`, ECN), otherwise 0; a truth value where one is needed; read only";
    }
    Queue {
        "size": Member::Queue(QueueField::Size), "declared size, in bytes or packets; given to `Queue(size)`";
        "currSize": Member::Queue(QueueField::CurrSize), "its occupancy, in the unit of its size; read only";
        "currProcessing": Member::Queue(QueueField::CurrProcessing), "sum of `processing` of the packets that are in it; read only";
        "admPrio": Member::Slot(Slot::AdmPrio), "comparator of packets: which is dropped first; the default is `rfifo`";
        "procPrio": Member::Slot(Slot::ProcPrio), "comparator of packets: which is served first; the default is `fifo`";
        "congestion": Member::Slot(Slot::Congestion), "boundary condition, evaluated at each arrival; the default is `tailDrop`";
        "admState": Member::Queue(QueueField::AdmState), "a number for admission; `modify` can change it";
        "schedState": Member::Queue(QueueField::SchedState), "a number for scheduling; `modify` can change it";
        "findHigh": Member::FindHigh, "its first packet in `procPrio` order";
        "next": Member::Next, "the queue of the next stage that its first packet would enter, in `schedPrio` and `eligible` of a port with `next`";
    }
    Port {
        "rate": Member::Port(PortField::Rate), "declared rate: percent, or bits per second; given to `Port(rate, …)`";
        "schedPrio": Member::Slot(Slot::SchedPrio), "comparator of queues: which is served first; the default is that of the oldest next packet";
        "postSchedAct": Member::Slot(Slot::PostSchedAct), "boundary condition, evaluated after each packet or cycle; by default it does nothing";
        "next": Member::Slot(Slot::Next), "the queue of the next stage that a served packet enters; by default it leaves";
        "eligible": Member::Slot(Slot::Eligible), "the queues that may be served, if the port has a `next`; by default all that have packets";
        "schedState": Member::Port(PortField::SchedState), "a number for scheduling; `modify` can change it";
        "currQueue": Member::CurrQueue, "the queue that is served, in `postSchedAct`";
        "getCurrQueue": Member::GetCurrQueue, "the queue that is served, in `postSchedAct`";
    }
    Buffer {
        "size": Member::Buffer(BufferField::Size), "declared size, in bytes or packets; given to `Buffer(size, …)`";
        "currSize": Member::Buffer(BufferField::CurrSize), "the occupancy of all its queues, in the unit of its size; read only";
        "admPrio": Member::Slot(Slot::AdmPrio), "comparator of queues: from which a packet is dropped; the default is that of the arriving packet";
        "congestion": Member::Slot(Slot::Congestion), "boundary condition, evaluated at each arrival; the default is `tailDrop`";
        "admState": Member::Buffer(BufferField::AdmState), "a number for admission; `modify` can change it";
        "currQueue": Member::CurrQueue, "the queue of the arriving packet, in `congestion`";
        "getCurrQueue": Member::GetCurrQueue, "the queue of the arriving packet, in `congestion`";
    }
}

/// Returns the property of this name.
pub(super) fn find(owner: Owner, name: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|property| property.owner == owner && property.name == name)
}

/// Returns the unit of a packet's property; the unit of sizes depends on the object.
pub(super) fn packet_unit(field: PacketField) -> Unit {
    match field {
        PacketField::Slack | PacketField::Arrival => Unit::Nanoseconds,
        PacketField::Size | PacketField::Remaining => Unit::Bytes,
        _ => Unit::None,
    }
}

/// The functions, constructors and names of the language, and their descriptions.
pub(super) const BUILTINS: &[(&str, &str)] = &[
    ("Queue", "`Queue(size)` makes a queue; a size is in bytes, or in packets if written with `pkts`"),
    ("Port", "`Port(rate, q1, …, qk)` makes a port; a rate is a percentage of its link or has a unit"),
    ("Buffer", "`Buffer(size, q1, …, qk)` makes a buffer that queues share"),
    ("mod", "`mod(a, b)` is `a - b * floor(a / b)`"),
    ("min", "`min(a, b)` is the smaller of two numbers"),
    ("max", "`max(a, b)` is the greater of two numbers"),
    ("now", "the time in nanoseconds, in conditions"),
    ("arriving", "the arriving packet, in `congestion`"),
    ("policyId", "`policyId(p) = number` chooses the version that applies to a packet while several are in force"),
    ("classify", "`classify(p) = (condition, enter(queue))` says which queue a packet enters"),
];

/// The names that a file may redefine.
pub(super) const LIBRARY: &[(&str, &str)] = &[
    ("fifo", "`fifo(p1, p2) = (p1.arrival < p2.arrival)`"),
    ("rfifo", "`rfifo(p1, p2) = (p1.arrival > p2.arrival)`"),
    ("tailDrop", "`tailDrop(q) = q.currSize > q.size, drop(1)`"),
];
