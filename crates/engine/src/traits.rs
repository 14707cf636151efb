//! The interface of engines.

use forebay_core::{Counter, Packet, QueueId, Seed, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId, State};
use std::fmt;
use std::sync::Arc;

/// What one cycle of service did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// Nothing waits at the port.
    Nothing,
    /// A cycle of some packet was done; more remain.
    Cycle,
    /// The last cycle of this packet was done, and it has left.
    Packet(Packet),
}

/// How much of a packet a port serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycles {
    /// All that is left of it.
    All,
    /// One cycle.
    One,
}

/// What a port did that leads into queues of a later stage (section 11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// Nothing waits at the port that may be served, or packets leave from it.
    Nothing,
    /// A cycle of some packet was done; more remain.
    Cycle,
    /// A packet has left its queue.
    Packet {
        /// The packet as it would come out.
        packet: Packet,
        /// The queue that it is in now; `None`: it was dropped.
        into: Option<QueueId>,
    },
}

/// How much is in a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occupancy {
    /// Packets.
    pub packets: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A packet that waits, with what is known about it besides its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The queue that it is in.
    pub queue: QueueId,
    /// The version of the policy under which it arrived: its `policyId`.
    pub policy_id: u32,
    /// The packet; its `processing` is what is left of it.
    pub packet: Packet,
}

/// The actions that a program brings for policies that declare them: `extern action paint(colour);`.
///
/// A policy says when and with what an action is called; the action does what it does outside of the policy, such as counting, logging or
/// mirroring. It must not wait: an engine is in the middle of an operation.
pub trait Routines: fmt::Debug + Send + Sync {
    /// Does the action of this name. `arguments` are as many as it declares; `packet` is the one that arrives, or that was served, as it is
    /// now, with `processing` as it is left.
    fn call(&self, action: &str, arguments: &[Fixed], packet: &Packet);
}

/// The options that an engine is built with, besides the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// The version of the policy: `policyId` of packets that arrive.
    pub policy_id: u32,
    /// Trials of `drop(P)` are drawn from the stream `policy/drop` of this.
    pub seed: Seed,
}

/// Runs one version of a policy.
///
/// As with [`Discipline`](forebay_core::Discipline), time is an argument and never runs backwards, and every enqueued
/// packet is returned once. It then has the `value` and the marks that the policy gave it, and its original
/// `processing`, even if it is pushed out after some cycles. Section numbers are those of
/// `docs/openqueue-semantics.md`.
pub trait Engine {
    /// Offers a packet (sections 5 and 6). Packets that are pushed out are appended to `evicted`. The rank of the verdict
    /// is the one that the packet carries.
    ///
    /// Packets are offered in order of their `arrival`, which an engine may rely on.
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Serves the next packet of a port as a whole (section 7); it comes out with its `processing` as it arrived,
    /// or as it was [placed](Self::place). From a port that leads into queues of a later stage none comes out: that does
    /// [`pass`](Self::pass).
    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet>;

    /// Does one cycle of the next packet of a port from which packets come out (section 7).
    fn cycle(&mut self, now: Time, port: PortId) -> Served;

    /// Serves the next packet of a port that leads into queues of a later stage (section 11), as a whole or one cycle of it. What is
    /// dropped then is appended to `dropped`: packets that were pushed out, and at last the packet itself, if it was dropped.
    fn pass(&mut self, _now: Time, _port: PortId, _cycles: Cycles, _dropped: &mut Vec<Packet>) -> Passed {
        Passed::Nothing
    }

    /// The occupancy of a queue, without what is [held](Self::hold).
    fn occupancy(&self, queue: QueueId) -> Occupancy;

    /// From now on, counts this much more as being in a queue: packets that are elsewhere and come first (section 8.3,
    /// drain). Replaces what was held before.
    fn hold(&mut self, queue: QueueId, held: Occupancy);

    /// Puts a packet into a queue without judging it (section 8.3, rerank). Packets are given in order of arrival, before any
    /// other arrives. They may be more than the size of the queue.
    fn place(&mut self, waiting: Waiting);

    /// Takes everything out of all queues, in order of arrival.
    fn take_all(&mut self) -> Vec<Waiting>;

    /// A state by name (`QueueRef::Named` and such only).
    fn state(&self, state: State) -> Fixed;

    /// Gives a state a value. `HeadValue` may be given only where the policy modifies values itself
    /// ([`Policy::modifies_values`](forebay_lang::Policy::modifies_values)).
    fn set_state(&mut self, state: State, value: Fixed);

    /// The value of a live parameter (section 9); `None` if the policy has no such parameter.
    fn parameter(&self, _: ParameterId) -> Option<Fixed> {
        None
    }

    /// Gives a live parameter a value, which counts from the next call on; nothing happens if the policy has no such
    /// parameter.
    fn set_parameter(&mut self, _: ParameterId, _: Fixed) {}

    /// Gives the engine the actions that the policy declares. Until then, they do nothing.
    fn set_routines(&mut self, _: Arc<dyn Routines>) {}

    /// Numbers for the report: `unclassified`, `dropped_by_queue`, `dropped_by_buffer`, `overflowed`, `marked`,
    /// `notified`: packets.
    fn counters(&self) -> Vec<Counter>;
}

/// An engine that can be asked for a packet's queue before the packet arrives: for hosts that have to know the port.
pub trait Classify: Engine {
    /// The queue that a packet would enter if it arrived now (section 5); `None` if there is none for it.
    fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId>;

    /// As [`enqueue`](Engine::enqueue), of a packet of which [`classify`](Self::classify) has just said that it enters `queue`.
    fn enqueue_classified(&mut self, now: Time, packet: Packet, queue: QueueId, evicted: &mut Vec<Packet>) -> Verdict;
}
