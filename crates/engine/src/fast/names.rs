//! Resolves the names of an expression in its place.

use super::source::{QueueAt, Source};
use forebay_core::BufferSize;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    BufferField, BufferId, BufferRef, PacketRef, Policy, PortField, PortId, PortRate, PortRef, QueueField, QueueRef,
    Read,
};

/// The place of an expression, which determines the names that exist. A name that does not exist there reads 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    policy: &'a Policy,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Packets,
    PacketKey,
    Queues,
    QueueKey,
    QueueCongestion(usize),
    BufferCongestion(BufferId),
    PostSchedAct(PortId),
}

impl<'a> Names<'a> {
    /// The place of a comparator of packets.
    pub(super) fn packets(policy: &'a Policy) -> Self {
        Self { policy, place: Place::Packets }
    }

    /// The place of a key of packets, or of a classifier.
    pub(super) fn packet_key(policy: &'a Policy) -> Self {
        Self { policy, place: Place::PacketKey }
    }

    /// The place of a comparator of queues.
    pub(super) fn queues(policy: &'a Policy) -> Self {
        Self { policy, place: Place::Queues }
    }

    /// The place of a key of queues.
    pub(super) fn queue_key(policy: &'a Policy) -> Self {
        Self { policy, place: Place::QueueKey }
    }

    /// The place of the `congestion` of a queue.
    pub(super) fn queue_congestion(policy: &'a Policy, queue: usize) -> Self {
        Self { policy, place: Place::QueueCongestion(queue) }
    }

    /// The place of the `congestion` of a buffer.
    pub(super) fn buffer_congestion(policy: &'a Policy, buffer: BufferId) -> Self {
        Self { policy, place: Place::BufferCongestion(buffer) }
    }

    /// The place of the `postSchedAct` of a port.
    pub(super) fn post_sched_act(policy: &'a Policy, port: PortId) -> Self {
        Self { policy, place: Place::PostSchedAct(port) }
    }

    /// Returns the source of a property at run time, or its constant value.
    pub(super) fn resolve(&self, read: Read) -> Result<Source, Fixed> {
        let nothing = Fixed(0);
        match read {
            Read::Packet(packet, what) => match (packet, self.place) {
                (PacketRef::First, Place::Packets)
                | (PacketRef::This, Place::PacketKey)
                | (PacketRef::Arriving, Place::QueueCongestion(_) | Place::BufferCongestion(_)) => {
                    Ok(Source::First(what))
                }
                (PacketRef::Second, Place::Packets) => Ok(Source::Second(what)),
                (PacketRef::Head(queue), _) => Ok(Source::Head(self.queue(queue).ok_or(nothing)?, what)),
                _ => Err(nothing),
            },
            Read::Queue(queue, what) => {
                let queue = self.queue(queue).ok_or(nothing)?;
                match (what, queue) {
                    (QueueField::Size, QueueAt::Named(queue)) => Err(declared(self.policy.queues[queue].size)),
                    (QueueField::Size, _) => Ok(Source::QueueSize(queue)),
                    (QueueField::CurrSize, _) => Ok(Source::QueueCount(queue)),
                    (QueueField::CurrProcessing, _) => Ok(Source::QueueProcessing(queue)),
                    (QueueField::AdmState, _) => Ok(Source::QueueAdm(queue)),
                    (QueueField::SchedState, _) => Ok(Source::QueueSched(queue)),
                }
            }
            Read::Next(queue, what) => Ok(Source::Next(self.queue(queue).ok_or(nothing)?, what)),
            Read::Port(port, what) => {
                let port = self.port(port).ok_or(nothing)?;
                match what {
                    PortField::Rate => Err(match self.policy.ports[port].rate {
                        PortRate::Percent(percent) => Fixed::floor(percent),
                        PortRate::Rate(rate) => Fixed::whole(rate.bits_per_second()),
                    }),
                    PortField::SchedState => Ok(Source::PortSched(port)),
                }
            }
            Read::Buffer(buffer, what) => {
                let buffer = self.buffer(buffer).ok_or(nothing)?;
                match what {
                    BufferField::Size => Err(declared(self.policy.buffers[buffer].size)),
                    BufferField::CurrSize => Ok(Source::BufferCount(buffer)),
                    BufferField::AdmState => Ok(Source::BufferAdm(buffer)),
                }
            }
            // An order does not change with time; a classifier knows it.
            Read::Now => match self.place {
                Place::Packets | Place::Queues | Place::QueueKey => Err(nothing),
                _ => Ok(Source::Now),
            },
            Read::Parameter(id) => {
                let parameter = usize::from(id.0);
                if parameter < self.policy.parameters.len() { Ok(Source::Parameter(parameter)) } else { Err(nothing) }
            }
        }
    }

    /// Returns a queue, if the name exists here.
    pub(super) fn queue(&self, queue: QueueRef) -> Option<QueueAt> {
        match (queue, self.place) {
            (_, Place::Packets) => None,
            (QueueRef::Named(id), _) => {
                let queue = usize::from(id.0);
                (queue < self.policy.queues.len()).then_some(QueueAt::Named(queue))
            }
            (QueueRef::First, Place::Queues)
            | (QueueRef::This, Place::QueueKey)
            | (QueueRef::Current, Place::BufferCongestion(_) | Place::PostSchedAct(_)) => Some(QueueAt::First),
            (QueueRef::Second, Place::Queues) => Some(QueueAt::Second),
            (QueueRef::This, Place::QueueCongestion(queue)) => Some(QueueAt::Named(queue)),
            _ => None,
        }
    }

    /// Returns a port, if the name exists here.
    pub(super) fn port(&self, port: PortRef) -> Option<usize> {
        let id = match (port, self.place) {
            (_, Place::Packets) => None,
            (PortRef::Named(id), _) | (PortRef::This, Place::PostSchedAct(id)) => Some(id),
            (PortRef::This, _) => None,
        };
        id.map(|id| usize::from(id.0)).filter(|&port| port < self.policy.ports.len())
    }

    /// Returns a buffer, if the name exists here.
    pub(super) fn buffer(&self, buffer: BufferRef) -> Option<usize> {
        let id = match (buffer, self.place) {
            (_, Place::Packets) => None,
            (BufferRef::Named(id), _) | (BufferRef::This, Place::BufferCongestion(id)) => Some(id),
            (BufferRef::This, _) => None,
        };
        id.map(|id| usize::from(id.0)).filter(|&buffer| buffer < self.policy.buffers.len())
    }
}

/// Returns a size as a number, in its own unit.
pub(super) fn declared(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}
