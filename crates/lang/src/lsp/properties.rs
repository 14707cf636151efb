//! The properties of packets, queues, ports and buffers (`docs/openqueue-semantics.md`, section 2), for those who
//! write a policy.

/// What has properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Packet,
    Queue,
    Port,
    Buffer,
}

impl Object {
    pub(crate) const ALL: [Self; 4] = [Self::Packet, Self::Queue, Self::Port, Self::Buffer];

    /// Its name in a sentence.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Packet => "packet",
            Self::Queue => "queue",
            Self::Port => "port",
            Self::Buffer => "buffer",
        }
    }

    /// Whether it has a property of this name.
    pub(crate) fn has(self, name: &str) -> bool {
        of(self).any(|property| property.name() == name)
    }
}

/// What can be done with a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    /// An expression reads it.
    Read,
    /// A statement gives it a value when the policy begins.
    Assign,
    /// The action `modify` changes it.
    Modify,
}

use Object::{Buffer, Packet, Port, Queue};
use Usage::{Assign, Modify, Read};

/// A property.
#[derive(Debug)]
pub(crate) struct Property {
    /// Whose it is.
    pub(crate) of: Object,
    /// As it is written; a method with its parentheses.
    pub(crate) written: &'static str,
    /// What can be done with it.
    pub(crate) usages: &'static [Usage],
    /// What it is.
    pub(crate) doc: &'static str,
}

impl Property {
    /// Its name, without parentheses.
    pub(crate) fn name(&self) -> &'static str {
        self.written.trim_end_matches("()")
    }
}

/// The properties of a kind of object.
pub(crate) fn of(object: Object) -> impl Iterator<Item = &'static Property> {
    PROPERTIES.iter().filter(move |property| property.of == object)
}

const READ: &[Usage] = &[Read];
const DECLARED: &[Usage] = &[Assign];
const STATE: &[Usage] = &[Read, Assign, Modify];

const fn property(of: Object, written: &'static str, usages: &'static [Usage], doc: &'static str) -> Property {
    Property { of, written, usages, doc }
}

/// All of them, in the order of Listing 1 of the paper and then ours.
pub(crate) const PROPERTIES: &[Property] = &[
    property(Packet, "policyId", READ, "The version of the policy under which the packet arrived: 1, 2, …"),
    property(Packet, "queue", READ, "The queue that the packet was directed to, numbered from 0."),
    property(Packet, "value", &[Read, Modify], "The packet's value."),
    property(Packet, "processing", READ, "Virtual cycles of work that remain; a cycle is one nanosecond of job size."),
    property(Packet, "slack", READ, "How late the packet may be, counted from its arrival, in nanoseconds."),
    property(Packet, "flow", READ, "The number of the packet's flow."),
    property(Packet, "arrival", READ, "When the packet arrived, in nanoseconds."),
    property(Packet, "size", READ, "The packet's bytes."),
    property(Packet, "remaining", READ, "Bytes that the packet's flow still had to send, itself included."),
    property(Packet, "class", READ, "The packet's traffic class, such as the DSCP."),
    property(Packet, "rank", READ, "The rank that the packet carries."),
    property(Packet, "marked", READ, "1 if the packet may be dropped first, and otherwise 0; also a truth value."),
    property(
        Packet,
        "notified",
        READ,
        "1 if the packet carries a congestion notification, and otherwise 0; also a truth value.",
    ),
    property(Queue, "size", READ, "The declared size, in bytes or packets."),
    property(Queue, "currSize", READ, "Bytes or packets that are in the queue, in the unit of its size."),
    property(Queue, "currProcessing", READ, "The sum of `processing` of the packets that are in the queue."),
    property(Queue, "admPrio", DECLARED, "A comparator of packets: the first one in this order is dropped first."),
    property(Queue, "procPrio", DECLARED, "A comparator of packets: the first one in this order is served first."),
    property(Queue, "congestion", DECLARED, "A boundary condition: what happens to arriving packets, and when."),
    property(Queue, "admState", STATE, "A number of your own, by convention for admission. It begins at 0."),
    property(Queue, "schedState", STATE, "A number of your own, by convention for scheduling. It begins at 0."),
    property(Queue, "findHigh()", READ, "The first packet in the order of `procPrio`."),
    property(
        Queue,
        "next",
        READ,
        "The queue of the next stage that the first packet would enter. `schedPrio` and `eligible` of a port with `next` read it.",
    ),
    property(Port, "rate", READ, "The rate as declared: percent of the link, or bits per second."),
    property(Port, "schedPrio", DECLARED, "A comparator of queues: the first one in this order is served first."),
    property(Port, "postSchedAct", DECLARED, "A boundary condition: what happens after a packet was served."),
    property(
        Port,
        "next",
        DECLARED,
        "The queue of the next stage that a served packet enters: `next(p) = enter(q)`. Without it, the packet leaves.",
    ),
    property(
        Port,
        "eligible",
        DECLARED,
        "Which queues may be served: `eligible(q) = q.next.currSize < q.next.size`. Without it, all that have packets.",
    ),
    property(Port, "schedState", STATE, "A number of your own. It begins at 0."),
    property(Port, "currQueue", READ, "The queue that is served, in `postSchedAct`."),
    property(Port, "getCurrQueue()", READ, "The queue that is served, in `postSchedAct`."),
    property(Buffer, "size", READ, "The declared size, in bytes or packets."),
    property(Buffer, "currSize", READ, "Bytes or packets that are in all of the buffer's queues."),
    property(Buffer, "admPrio", DECLARED, "A comparator of queues: the first one in this order loses packets first."),
    property(Buffer, "congestion", DECLARED, "A boundary condition: what happens to arriving packets, and when."),
    property(Buffer, "admState", STATE, "A number of your own. It begins at 0."),
    property(Buffer, "currQueue", READ, "The queue of the arriving packet, in `congestion`."),
    property(Buffer, "getCurrQueue()", READ, "The queue of the arriving packet, in `congestion`."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BufferField, PacketField, PortField, QueueField};

    #[test]
    fn the_properties_are_those_that_the_check_knows() {
        let analysis = crate::analyse("", &Vec::new());
        let known: Vec<(&str, &str)> = analysis
            .symbols
            .iter()
            .filter(|symbol| symbol.kind == crate::SymbolKind::Property)
            .map(|symbol| (symbol.name.as_str(), symbol.hover.as_str()))
            .collect();
        assert_eq!(known.len(), PROPERTIES.len());
        for (property, (name, hover)) in PROPERTIES.iter().zip(known) {
            assert_eq!(property.name(), name);
            assert!(hover.contains(property.written) && hover.contains(property.of.word()), "{hover}");
        }
    }

    #[test]
    fn the_numbers_that_can_be_read_are_those_of_a_checked_policy() {
        let objects = ["findHigh()", "next", "currQueue", "getCurrQueue()"];
        let readable = |object| -> Vec<&str> {
            let all = of(object).filter(|property| property.usages.contains(&Read));
            all.map(|property| property.written).filter(|name| !objects.contains(name)).collect()
        };
        let words = |words: &[&'static str]| words.to_vec();
        assert_eq!(readable(Packet), words(&PacketField::ALL.iter().map(|field| field.word()).collect::<Vec<_>>()));
        assert_eq!(readable(Queue), words(&QueueField::ALL.iter().map(|field| field.word()).collect::<Vec<_>>()));
        assert_eq!(readable(Port), words(&PortField::ALL.iter().map(|field| field.word()).collect::<Vec<_>>()));
        assert_eq!(readable(Buffer), words(&BufferField::ALL.iter().map(|field| field.word()).collect::<Vec<_>>()));
    }
}
