//! The queues, ports and buffers of the reference engine: their contents, their orders, and how expressions read them
//! (`docs/openqueue-semantics.md`, sections 2 and 4).

use crate::fields::{field, set_value};
use crate::traits::Occupancy;
use forebay_core::{BufferSize, Duration, Packet, QueueId, Time};
use forebay_lang::ir::{
    BufferField, BufferId, BufferRef, Comparator, Cond, Entry as Case, NextField, Num, PacketField, PacketRef, Policy,
    PortField, PortId, PortRate, PortRef, QueueField, QueueRef, Read, State,
};
use forebay_lang::{Fixed, Ratio};
use std::sync::Arc;

/// A queued packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The packet's number in the order of arrival; no two are equal.
    pub(super) number: u64,
    pub(super) policy_id: u32,
    /// The packet. Its `processing` is the remaining one, its `arrival` the time when it entered the queue (11.5).
    pub(super) packet: Packet,
    /// The original `processing`.
    pub(super) processing: Duration,
    /// The original `arrival`.
    pub(super) arrival: Time,
}

impl Entry {
    /// Returns the packet as it departs.
    pub(super) fn out(self) -> Packet {
        Packet { processing: self.processing, arrival: self.arrival, ..self.packet }
    }
}

/// A queue.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The packets, in order of arrival.
    pub(super) entries: Vec<Entry>,
    /// The occupancy that counts although its packets are elsewhere (8.3).
    pub(super) held: Occupancy,
    /// Whether a notification came too late for its packet, and waits for the next departing one (6.4).
    pub(super) notify_next: bool,
    adm_state: Fixed,
    sched_state: Fixed,
}

/// The objects of an expression; `None` for those that do not exist in its place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope {
    pub(super) now: Time,
    pub(super) this_queue: Option<QueueId>,
    pub(super) this_port: Option<PortId>,
    pub(super) this_buffer: Option<BufferId>,
    /// `currQueue`.
    pub(super) current: Option<QueueId>,
    /// The arguments of a comparator of queues.
    pub(super) pair: Option<(QueueId, QueueId)>,
    /// The argument of a classifier.
    pub(super) this_packet: Option<Entry>,
    /// The arriving packet and its queue; after a drop, their state before it.
    pub(super) arriving: Option<(QueueId, Entry)>,
    /// In `postSchedAct`: the queue and the number of the packet that was served.
    pub(super) served: Option<(QueueId, u64)>,
}

/// All elements of a policy.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) policy: Arc<Policy>,
    pub(super) queues: Vec<Waiting>,
    /// `schedState` of the ports.
    port_states: Vec<Fixed>,
    /// `admState` of the buffers.
    buffer_states: Vec<Fixed>,
    /// The values of the live parameters (section 9).
    pub(super) parameters: Vec<Fixed>,
}

/// Returns the candidate that no other precedes; of several, the one that is offered first.
fn first<T: Copy>(candidates: impl IntoIterator<Item = T>, mut before: impl FnMut(T, T) -> bool) -> Option<T> {
    candidates.into_iter().reduce(|best, next| if before(next, best) { next } else { best })
}

/// Whether a comparator ranks one packet before another (4.2).
fn packet_before(comparator: &Comparator, a: &Entry, b: &Entry) -> bool {
    comparator.before.holds(&mut |read| match read {
        Read::Packet(PacketRef::First, what) => field(&a.packet, a.policy_id, what),
        Read::Packet(PacketRef::Second, what) => field(&b.packet, b.policy_id, what),
        _ => Fixed(0),
    })
}

impl Elements {
    pub(super) fn new(policy: &Policy) -> Self {
        let queue = |queue: &forebay_lang::ir::Queue| Waiting {
            entries: Vec::new(),
            held: Occupancy::default(),
            notify_next: false,
            adm_state: Fixed::floor(queue.adm_state),
            sched_state: Fixed::floor(queue.sched_state),
        };
        Self {
            queues: policy.queues.iter().map(queue).collect(),
            port_states: policy.ports.iter().map(|port| Fixed::floor(port.sched_state)).collect(),
            buffer_states: policy.buffers.iter().map(|buffer| Fixed::floor(buffer.adm_state)).collect(),
            parameters: policy.parameters.iter().map(|parameter| parameter.initial).collect(),
            policy: Arc::new(policy.clone()),
        }
    }

    pub(super) fn queue(&self, id: QueueId) -> &Waiting {
        &self.queues[usize::from(id.0)]
    }

    pub(super) fn queue_mut(&mut self, id: QueueId) -> &mut Waiting {
        &mut self.queues[usize::from(id.0)]
    }

    /// Returns the packet with this number, if it is in the queue.
    pub(super) fn entry_mut(&mut self, queue: QueueId, number: u64) -> Option<&mut Entry> {
        self.queue_mut(queue).entries.iter_mut().find(|entry| entry.number == number)
    }

    /// Removes the packet with this number from the queue.
    pub(super) fn remove(&mut self, queue: QueueId, number: u64) -> Option<Entry> {
        let entries = &mut self.queue_mut(queue).entries;
        let at = entries.iter().position(|entry| entry.number == number)?;
        Some(entries.remove(at))
    }

    /// Returns the packet to be served next; ties go to the one that arrived first (4.3).
    pub(super) fn head(&self, queue: QueueId) -> Option<Entry> {
        let order = &self.policy.queues[usize::from(queue.0)].processing;
        first(&self.queue(queue).entries, |a, b| packet_before(order, a, b)).copied()
    }

    /// Returns the packet to be dropped next; ties go to the one that arrived last (4.3, 6.6).
    pub(super) fn victim(&self, queue: QueueId) -> Option<Entry> {
        let order = &self.policy.queues[usize::from(queue.0)].admission;
        first(self.queue(queue).entries.iter().rev(), |a, b| packet_before(order, a, b)).copied()
    }

    /// Returns the first of the queues that have packets; ties go to the one declared first (4.3, 6.6, 7.1).
    pub(super) fn first_queue(&self, queues: &[QueueId], order: &Comparator) -> Option<QueueId> {
        let candidates = queues.iter().copied().filter(|&id| !self.queue(id).entries.is_empty());
        first(candidates, |a, b| self.holds(&order.before, &Scope { pair: Some((a, b)), ..Scope::default() }))
    }

    /// Returns the queue that a packet enters: the first case that holds chooses it, by an index that is rounded down (5.1).
    pub(super) fn entered(&self, cases: &[Case], packet: Entry, now: Time) -> Option<QueueId> {
        let scope = Scope { now, this_packet: Some(packet), ..Scope::default() };
        let case = cases.iter().find(|case| self.holds(&case.when, &scope))?;
        let index = self.value(&case.index, &scope).floor().to_integer() - i128::from(case.first);
        case.queues.get(usize::try_from(index).ok()?).copied()
    }

    /// Returns the queue of the next stage that the first packet of a queue would enter (11.2). `next` does not read the time.
    pub(super) fn leads_to(&self, queue: QueueId) -> Option<QueueId> {
        let port = self.policy.queues[usize::from(queue.0)].port;
        let next = self.policy.ports[usize::from(port.0)].next.as_ref()?;
        self.entered(&next.entries, self.head(queue)?, Time::ZERO)
    }

    /// Returns `currSize` of a queue in the unit of `size` (1.4), including what is held (8.3).
    pub(super) fn in_queue(&self, id: QueueId, size: BufferSize) -> u64 {
        let queue = self.queue(id);
        match size {
            BufferSize::Packets(_) => queue.entries.len() as u64 + queue.held.packets,
            BufferSize::Bytes(_) => {
                queue.entries.iter().map(|entry| u64::from(entry.packet.size_bytes)).sum::<u64>() + queue.held.bytes
            }
        }
    }

    /// Returns `currProcessing` of a queue: the clamped sum of the numbers.
    pub(super) fn processing_in(&self, id: QueueId) -> Fixed {
        let of = |entry: &Entry| i128::from(field(&entry.packet, entry.policy_id, PacketField::Processing).0);
        Fixed::saturating(self.queue(id).entries.iter().map(of).sum())
    }

    /// Returns `currSize` of a buffer.
    pub(super) fn in_buffer(&self, id: BufferId) -> u64 {
        let buffer = &self.policy.buffers[usize::from(id.0)];
        buffer.queues.iter().map(|&queue| self.in_queue(queue, buffer.size)).sum()
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Cond, scope: &Scope) -> bool {
        condition.holds(&mut |read| self.read(read, scope))
    }

    /// Returns the value of an expression.
    pub(super) fn value(&self, number: &Num, scope: &Scope) -> Ratio {
        number.value(&mut |read| self.read(read, scope))
    }

    /// Returns a value that an expression reads (section 2); 0 if there is no such object.
    fn read(&self, read: Read, scope: &Scope) -> Fixed {
        match read {
            Read::Packet(packet, what) => match self.packet(packet, scope) {
                Some(entry) => field(&entry.packet, entry.policy_id, what),
                // 2.3: `findHigh()` of an empty queue.
                None => Fixed(0),
            },
            Read::Queue(queue, what) => {
                let Some(id) = scope.queue(queue) else { return Fixed(0) };
                let size = self.policy.queues[usize::from(id.0)].size;
                match what {
                    QueueField::Size => declared(size),
                    QueueField::CurrSize => Fixed::whole(self.in_queue(id, size)),
                    QueueField::CurrProcessing => self.processing_in(id),
                    QueueField::AdmState => self.queue(id).adm_state,
                    QueueField::SchedState => self.queue(id).sched_state,
                }
            }
            Read::Next(queue, what) => {
                // 11.2: where nothing waits, or it leads nowhere, zeros.
                let Some(id) = scope.queue(queue).and_then(|queue| self.leads_to(queue)) else { return Fixed(0) };
                let of_next = match what {
                    NextField::Size => QueueField::Size,
                    NextField::CurrSize => QueueField::CurrSize,
                    NextField::AdmState => QueueField::AdmState,
                    NextField::SchedState => QueueField::SchedState,
                };
                self.read(Read::Queue(QueueRef::Named(id), of_next), scope)
            }
            Read::Port(port, what) => {
                let Some(id) = scope.port(port) else { return Fixed(0) };
                match what {
                    PortField::Rate => match self.policy.ports[usize::from(id.0)].rate {
                        PortRate::Percent(percent) => Fixed::floor(percent),
                        PortRate::Rate(rate) => Fixed::whole(rate.bits_per_second()),
                    },
                    PortField::SchedState => self.port_states[usize::from(id.0)],
                }
            }
            Read::Buffer(buffer, what) => {
                let Some(id) = scope.buffer(buffer) else { return Fixed(0) };
                match what {
                    BufferField::Size => declared(self.policy.buffers[usize::from(id.0)].size),
                    BufferField::CurrSize => Fixed::whole(self.in_buffer(id)),
                    BufferField::AdmState => self.buffer_states[usize::from(id.0)],
                }
            }
            Read::Now => Fixed::nanoseconds_of_ps(scope.now.as_ps()),
            Read::Parameter(id) => self.parameters.get(usize::from(id.0)).copied().unwrap_or_default(),
        }
    }

    fn packet(&self, packet: PacketRef, scope: &Scope) -> Option<Entry> {
        match packet {
            PacketRef::First | PacketRef::Second => None,
            PacketRef::This => scope.this_packet,
            PacketRef::Arriving => {
                let (queue, entry) = scope.arriving?;
                // A `modify` may have changed it, if it is still there.
                let now = self.queue(queue).entries.iter().find(|other| other.number == entry.number);
                Some(now.copied().unwrap_or(entry))
            }
            PacketRef::Head(queue) => self.head_in(scope.queue(queue)?, scope),
        }
    }

    /// Returns the packet that actions concern: the arriving or the served one.
    pub(super) fn concerned(&self, scope: &Scope) -> Option<Packet> {
        let entry = match scope.served {
            Some((queue, _)) => self.head_in(queue, scope),
            None => self.packet(PacketRef::Arriving, scope),
        };
        entry.map(|entry| entry.packet)
    }

    /// Returns `findHigh()`. In `postSchedAct`, for the queue that was served, it is the served packet (7.3).
    fn head_in(&self, queue: QueueId, scope: &Scope) -> Option<Entry> {
        match scope.served {
            Some((served, number)) if served == queue => {
                self.queue(queue).entries.iter().find(|entry| entry.number == number).copied()
            }
            _ => self.head(queue),
        }
    }

    /// Returns a state; for [`State::HeadValue`] the `value` of the head.
    pub(super) fn state(&self, state: State, scope: &Scope) -> Fixed {
        let queue = |queue| scope.queue(queue).map(|id| self.queue(id));
        let value = match state {
            State::QueueAdm(id) => queue(id).map(|queue| queue.adm_state),
            State::QueueSched(id) => queue(id).map(|queue| queue.sched_state),
            State::PortSched(port) => scope.port(port).map(|id| self.port_states[usize::from(id.0)]),
            State::BufferAdm(buffer) => scope.buffer(buffer).map(|id| self.buffer_states[usize::from(id.0)]),
            State::HeadValue(id) => scope
                .queue(id)
                .and_then(|id| self.head_in(id, scope))
                .map(|head| Fixed::whole(head.packet.value.into())),
            // It has no name from outside.
            State::ArrivingValue => None,
        };
        value.unwrap_or_default()
    }

    /// Sets a state; does nothing if there is no such object.
    pub(super) fn set_state(&mut self, state: State, value: Fixed, scope: &Scope) {
        match state {
            State::QueueAdm(queue) => {
                if let Some(id) = scope.queue(queue) {
                    self.queue_mut(id).adm_state = value;
                }
            }
            State::QueueSched(queue) => {
                if let Some(id) = scope.queue(queue) {
                    self.queue_mut(id).sched_state = value;
                }
            }
            State::PortSched(port) => {
                if let Some(id) = scope.port(port) {
                    self.port_states[usize::from(id.0)] = value;
                }
            }
            State::BufferAdm(buffer) => {
                if let Some(id) = scope.buffer(buffer) {
                    self.buffer_states[usize::from(id.0)] = value;
                }
            }
            State::HeadValue(queue) => {
                let head = scope.queue(queue).and_then(|id| Some((id, self.head_in(id, scope)?.number)));
                if let Some(entry) = head.and_then(|(id, number)| self.entry_mut(id, number)) {
                    set_value(&mut entry.packet, value);
                }
            }
            // 6.4: one that was dropped stays as it was.
            State::ArrivingValue => {
                let arriving = scope.arriving.map(|(id, entry)| (id, entry.number));
                if let Some(entry) = arriving.and_then(|(id, number)| self.entry_mut(id, number)) {
                    set_value(&mut entry.packet, value);
                }
            }
        }
    }
}

/// Returns a size as a number, in its own unit (1.4).
fn declared(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}

impl Scope {
    fn queue(&self, queue: QueueRef) -> Option<QueueId> {
        match queue {
            QueueRef::First => self.pair.map(|(first, _)| first),
            QueueRef::Second => self.pair.map(|(_, second)| second),
            QueueRef::This => self.this_queue,
            QueueRef::Current => self.current,
            QueueRef::Named(id) => Some(id),
        }
    }

    fn port(&self, port: PortRef) -> Option<PortId> {
        match port {
            PortRef::This => self.this_port,
            PortRef::Named(id) => Some(id),
        }
    }

    fn buffer(&self, buffer: BufferRef) -> Option<BufferId> {
        match buffer {
            BufferRef::This => self.this_buffer,
            BufferRef::Named(id) => Some(id),
        }
    }
}
