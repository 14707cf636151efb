//! The fast engine: it gives the results of the reference engine at the speed of a policy written by hand.
//!
//! All decisions that need no packet are made when the engine is built; [`Plan`] describes them. Features that a policy does not use (its
//! `Shape`) are not compiled in. A queue stores its packets in a ring if it is first in, first out, or else in a slab whose slots its
//! orders contain. Comparators that are lists of keys become integers. A list in order of arrival, bitmaps or a heap sort packets. A bit, a
//! length or a key for each queue determines the first queue. Conditions are compiled; the common tail drop is one comparison. An arriving
//! packet is judged before it is added to an order. Memory is allocated on demand, and never freed.

mod actions;
mod admission;
mod any_queue;
mod arith;
mod arrival_list;
mod arrivals;
mod buckets;
mod build;
mod chooser;
mod double_ended;
mod entry;
mod expr;
mod fifo;
mod indexed_heap;
mod limits;
mod longest;
mod names;
mod order;
mod origins;
mod packets;
pub mod plan;
mod program;
mod queue_end;
mod queued_work;
mod ring;
mod running;
mod service;
mod shape;
mod share;
mod slab;
mod source;
mod staged;
mod structure;
mod switch;
mod time57;
mod two_ended;
mod value;
mod world;

use crate::traits::{Classify, Cycles, Engine, EngineOptions, Occupancy, Passed, Routines, Served, Waiting};
use forebay_core::{Counter, Packet, QueueId, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, Policy, PortId, State};
use plan::Plan;
use std::sync::Arc;

/// An engine that is fast.
pub struct Fast {
    engine: Box<dyn Classify + Send>,
    plan: Plan,
}

/// A policy that cannot be run, since it refers to missing parts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the policy is not a checked one: {0}")]
pub struct NotChecked(String);

impl Fast {
    /// Creates an engine without packets.
    ///
    /// # Errors
    /// If the policy names queues, ports or buffers that it does not have, or a queue is not among those of its port or buffer. A checked
    /// policy never fails.
    pub fn new(policy: &Policy, options: EngineOptions) -> Result<Self, NotChecked> {
        check(policy)?;
        let plan = Plan::new(policy);
        Ok(Self { engine: build::build(policy, options, &plan), plan })
    }

    /// Returns the plan by which the policy is run.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the engine alone, which saves a call.
    #[must_use]
    pub fn into_engine(self) -> Box<dyn Engine + Send> {
        self.engine
    }
}

fn check(policy: &Policy) -> Result<(), NotChecked> {
    let has = |queue: &QueueId| usize::from(queue.0) < policy.queues.len();
    if policy.queues.is_empty() {
        return Err(NotChecked("it has no queue".to_owned()));
    }
    let at_port = places(policy.queues.len(), policy.ports.iter().map(|port| &port.queues));
    let in_buffer = places(policy.queues.len(), policy.buffers.iter().map(|buffer| &buffer.queues));
    for (number, queue) in policy.queues.iter().enumerate() {
        let has_port = at_port[number].contains(&usize::from(queue.port.0));
        let has_buffer = queue.buffer.is_none_or(|buffer| in_buffer[number].contains(&usize::from(buffer.0)));
        if !has_port || !has_buffer {
            return Err(NotChecked(format!("queue {} is not among those of its port or buffer", queue.name)));
        }
    }
    let lists = policy.ports.iter().map(|port| (&port.name, &port.queues));
    for (name, queues) in lists.chain(policy.buffers.iter().map(|buffer| (&buffer.name, &buffer.queues))) {
        if queues.is_empty() || !queues.iter().all(has) {
            return Err(NotChecked(format!("{name} has no queue, or one that does not exist")));
        }
    }
    let next = policy.ports.iter().filter_map(|port| port.next.as_ref()).flat_map(|next| &next.entries);
    if !policy.classify.iter().chain(next).flat_map(|entry| &entry.queues).all(has) {
        return Err(NotChecked("`classify` or `next` names a queue that does not exist".to_owned()));
    }
    Ok(())
}

/// Returns, for each queue, the indices of the lists that contain it.
fn places<'a>(queues: usize, lists: impl Iterator<Item = &'a Vec<QueueId>>) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); queues];
    for (number, list) in lists.enumerate() {
        for queue in list {
            if let Some(places) = places.get_mut(usize::from(queue.0)) {
                places.push(number);
            }
        }
    }
    places
}

impl Engine for Fast {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.engine.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        self.engine.dequeue(now, port)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.engine.cycle(now, port)
    }

    fn pass(&mut self, now: Time, port: PortId, cycles: Cycles, dropped: &mut Vec<Packet>) -> Passed {
        self.engine.pass(now, port, cycles, dropped)
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        self.engine.occupancy(queue)
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        self.engine.hold(queue, held);
    }

    fn place(&mut self, waiting: Waiting) {
        self.engine.place(waiting);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        self.engine.take_all()
    }

    fn state(&self, state: State) -> Fixed {
        self.engine.state(state)
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        self.engine.set_state(state, value);
    }

    fn parameter(&self, id: ParameterId) -> Option<Fixed> {
        self.engine.parameter(id)
    }

    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        self.engine.set_parameter(id, value);
    }

    fn set_routines(&mut self, routines: Arc<dyn Routines>) {
        self.engine.set_routines(routines);
    }

    fn counters(&self) -> Vec<Counter> {
        self.engine.counters()
    }
}

impl Classify for Fast {
    fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId> {
        self.engine.classify(now, packet)
    }

    fn enqueue_classified(&mut self, now: Time, packet: Packet, queue: QueueId, evicted: &mut Vec<Packet>) -> Verdict {
        self.engine.enqueue_classified(now, packet, queue, evicted)
    }
}
