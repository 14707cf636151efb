//! The interface of engines.

use forebay_core::{Counter, Packet, QueueId, Seed, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId, State};
use std::fmt;
use std::sync::Arc;

/// The result of one cycle of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// No packet is queued at the port.
    Nothing,
    /// A cycle of some packet was done; more remain.
    Cycle,
    /// The last cycle of this packet was done, and it has left.
    Packet(Packet),
}

/// The amount of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycles {
    /// All remaining cycles of the packet.
    All,
    /// One cycle.
    One,
}

/// The result of service at a port that leads to queues of a later stage (section 11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// No queued packet may be served at the port, or packets leave from the port.
    Nothing,
    /// A cycle of some packet was done; more remain.
    Cycle,
    /// A packet has left its queue.
    Packet {
        /// The packet as it would depart.
        packet: Packet,
        /// The queue that the packet has entered; `None` if it was dropped.
        into: Option<QueueId>,
    },
}

/// The occupancy of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occupancy {
    /// Packets.
    pub packets: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A queued packet, with its state besides its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The packet's queue.
    pub queue: QueueId,
    /// The version of the policy under which the packet arrived: its `policyId`.
    pub policy_id: u32,
    /// The packet; its `processing` is the remaining one.
    pub packet: Packet,
}

/// The actions that a program implements for policies that declare them: `extern action paint(colour);`.
///
/// A policy says when and with which arguments an action is called. The action has its effect outside of the policy, such as counting,
/// logging or mirroring. It must not block: an engine is in the middle of an operation.
pub trait Routines: fmt::Debug + Send + Sync {
    /// Runs the action of this name. `arguments` are as many as it declares. `packet` is the arriving or the served packet in its present
    /// state, with its remaining `processing`.
    fn call(&self, action: &str, arguments: &[Fixed], packet: &Packet);
}

/// The options that an engine is built with, besides the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// The version of the policy: the `policyId` of arriving packets.
    pub policy_id: u32,
    /// The seed of the stream `policy/drop`, from which trials of `drop(P)` are drawn.
    pub seed: Seed,
}

/// Runs one version of a policy.
///
/// As with [`Discipline`](forebay_core::Discipline), time is an argument and never runs backwards, and every enqueued
/// packet is returned once. It then has the `value` and the marks that the policy gave it, and its original
/// `processing`, even if it is pushed out after some cycles. Section numbers are those of
/// `docs/openqueue-semantics.md`.
pub trait Engine {
    /// Offers a packet (sections 5 and 6). Appends packets that are pushed out to `evicted`. The rank of the verdict is the one in the
    /// packet.
    ///
    /// Packets are offered in order of their `arrival`, which an engine may rely on.
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Serves the next packet of a port as a whole (section 7). The packet departs with its `processing` on arrival, or on being
    /// [placed](Self::place). Returns `None` for a port that leads to queues of a later stage: for such ports, call [`pass`](Self::pass).
    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet>;

    /// Does one cycle of the next packet of a port from which packets depart (section 7).
    fn cycle(&mut self, now: Time, port: PortId) -> Served;

    /// Serves the next packet of a port that leads to queues of a later stage (section 11), as a whole or for one cycle. Appends dropped
    /// packets to `dropped`: those that were pushed out, and then the packet itself, if it was dropped.
    fn pass(&mut self, _now: Time, _port: PortId, _cycles: Cycles, _dropped: &mut Vec<Packet>) -> Passed {
        Passed::Nothing
    }

    /// Returns the occupancy of a queue, without what is [held](Self::hold).
    fn occupancy(&self, queue: QueueId) -> Occupancy;

    /// Counts `held` as being in a queue from now on: packets that are elsewhere and are served first (section 8.3, drain). Replaces the
    /// previous value.
    fn hold(&mut self, queue: QueueId, held: Occupancy);

    /// Places a packet into a queue without judging it (section 8.3, rerank). Packets are placed in order of arrival, before any other
    /// arrives. They may exceed the size of the queue.
    fn place(&mut self, waiting: Waiting);

    /// Removes all packets from all queues, and returns them in order of arrival.
    fn take_all(&mut self) -> Vec<Waiting>;

    /// Returns a state by name (`QueueRef::Named` and the like only).
    fn state(&self, state: State) -> Fixed;

    /// Sets a state. `HeadValue` may be set only if the policy modifies values itself
    /// ([`Policy::modifies_values`](forebay_lang::Policy::modifies_values)).
    fn set_state(&mut self, state: State, value: Fixed);

    /// Returns the value of a live parameter (section 9); `None` if the policy has no such parameter.
    fn parameter(&self, _: ParameterId) -> Option<Fixed> {
        None
    }

    /// Sets a live parameter from the next call on; does nothing if the policy has no such parameter.
    fn set_parameter(&mut self, _: ParameterId, _: Fixed) {}

    /// Sets the actions that the policy declares. Until then, they do nothing.
    fn set_routines(&mut self, _: Arc<dyn Routines>) {}

    /// Numbers for the report: `unclassified`, `dropped_by_queue`, `dropped_by_buffer`, `overflowed`, `marked`,
    /// `notified`: packets.
    fn counters(&self) -> Vec<Counter>;
}

/// An engine that can return a packet's queue before the packet arrives, for hosts that need to know the port.
pub trait Classify: Engine {
    /// Returns the queue that a packet would enter if it arrived now (section 5); `None` if there is none.
    fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId>;

    /// Enqueues as [`enqueue`](Engine::enqueue) does, for a packet whose `queue` was just returned by [`classify`](Self::classify).
    fn enqueue_classified(&mut self, now: Time, packet: Packet, queue: QueueId, evicted: &mut Vec<Packet>) -> Verdict;
}
