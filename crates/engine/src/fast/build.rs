//! Makes an engine from a plan.

use super::any_queue::AnyQueue;
use super::chooser::{Chooser, Keys, MOST_IN_WORD};
use super::expr::Test;
use super::limits::Limits;
use super::longest::Longest;
use super::names::Names;
use super::origins::Origins;
use super::packets::any_queue;
use super::plan::{Choice, ConditionPlan, Plan, QueueStructure, Sorted, queue_order};
use super::program::{Classifier, Leads, Program};
use super::queued_work::Work;
use super::running::{Counts, Given, Running};
use super::shape::{Any, One, Plain, Separate, Shape, Shared};
use super::staged::Staged;
use super::structure::Structure;
use super::switch::{Programs, Switch};
use super::world::{BufferCell, NO_BUFFER, PortCell, QueueCell, World};
use crate::drop_trial::Trials;
use crate::traits::{Classify, EngineOptions};
use forebay_core::{BufferSize, QueueId};
use forebay_lang::Fixed;
use forebay_lang::ir::{BufferId, Comparator, Policy, PortId};
use std::marker::PhantomData;

/// Builds an engine for queues of one common kind, or else for queues of any kind.
pub(super) fn build(policy: &Policy, options: EngineOptions, plan: &Plan) -> Box<dyn Classify + Send> {
    macro_rules! only {
        ($pattern:pat => $queue:expr, $shape:ident) => {
            queues(policy, options, plan, |queue| match queue {
                $pattern => Some($queue),
                _ => None,
            })
            .map(|queues| $shape(Parts::new(policy, options, plan, queues), policy, plan))
        };
    }
    let of_any_kind = || Parts::new(policy, options, plan, queues(policy, options, plan, Some).unwrap_or_default());
    if policy.has_stages() {
        return Box::new(Staged(of_any_kind().switch::<Any>()));
    }
    let of_one_kind = match plan.queues.first().map(|queue| queue.structure) {
        Some(QueueStructure::Arrivals { latest_first: false, drop_earliest: false }) => {
            only!(AnyQueue::Fifo(queue) => queue, finely)
        }
        Some(QueueStructure::DoubleEnded(Sorted::Buckets { ranks: ..=64 })) => {
            only!(AnyQueue::Buckets64(queue) => queue, finely)
        }
        Some(QueueStructure::DoubleEnded(Sorted::Buckets { ranks: ..=4096 })) => {
            only!(AnyQueue::Buckets4096(queue) => *queue, roughly)
        }
        Some(QueueStructure::DoubleEnded(Sorted::Heap { bits: ..=64 })) => {
            only!(AnyQueue::Heap(queue) => queue, finely)
        }
        Some(QueueStructure::TwoEnded { .. }) => only!(AnyQueue::TwoEnded(queue) => *queue, roughly),
        _ => None,
    };
    of_one_kind.unwrap_or_else(|| roughly(of_any_kind(), policy, plan))
}

/// Returns the queues of a policy, if `only` accepts all of them.
fn queues<S>(
    policy: &Policy,
    options: EngineOptions,
    plan: &Plan,
    only: impl Fn(AnyQueue) -> Option<S>,
) -> Option<Vec<S>> {
    let any = |queue: usize| any_queue(policy, queue, plan.queues[queue].structure, options.policy_id);
    (0..policy.queues.len()).map(|queue| only(any(queue))).collect()
}

/// The parts of an engine of any shape.
struct Parts<S: Structure> {
    programs: Programs,
    running: Running<S>,
}

impl<S: Structure + Send + 'static> Parts<S> {
    fn new(policy: &Policy, options: EngineOptions, plan: &Plan, queues: Vec<S>) -> Self {
        let programs = programs(policy);
        let running = running(policy, options, plan, queues, &programs);
        Self { programs, running }
    }

    fn shaped<H: Shape>(self) -> Box<dyn Classify + Send> {
        Box::new(self.switch::<H>())
    }

    fn switch<H: Shape>(self) -> Switch<S, H> {
        Switch { programs: self.programs, running: self.running, shape: PhantomData }
    }
}

/// Builds an engine without the features that the policy does not need, for structures that are fast enough to benefit.
fn finely<S: Structure + Send + 'static>(parts: Parts<S>, policy: &Policy, plan: &Plan) -> Box<dyn Classify + Send> {
    let in_packets = |size: BufferSize| matches!(size, BufferSize::Packets(_));
    let bytes = !policy.queues.iter().map(|queue| queue.size).all(in_packets)
        || !policy.buffers.iter().map(|buffer| buffer.size).all(in_packets);
    let no_keys = !parts.running.world.queues.iter().any(|queue| queue.told);
    let directed = matches!(parts.programs.classifier, Classifier::Directed) && no_keys;
    let together = policy.buffers.len() == 1 && policy.queues.iter().all(|queue| queue.buffer.is_some());
    match (bytes, policy.buffers.is_empty()) {
        _ if !is_plain(policy, plan) => parts.shaped::<Any>(),
        (false, _) if is_one(policy) => parts.shaped::<One<false>>(),
        (true, _) if is_one(policy) => parts.shaped::<One<true>>(),
        (false, true) if directed => parts.shaped::<Separate<false>>(),
        (true, true) if directed => parts.shaped::<Separate<true>>(),
        (false, false) if directed && together => parts.shaped::<Shared<false>>(),
        (true, false) if directed && together => parts.shaped::<Shared<true>>(),
        _ => parts.shaped::<Plain>(),
    }
}

/// Builds an engine with fewer distinctions between features, which takes less time to compile.
fn roughly<S: Structure + Send + 'static>(parts: Parts<S>, policy: &Policy, plan: &Plan) -> Box<dyn Classify + Send> {
    match is_plain(policy, plan) {
        false => parts.shaped::<Any>(),
        true if is_one(policy) => parts.shaped::<One<true>>(),
        true => parts.shaped::<Plain>(),
    }
}

fn is_one(policy: &Policy) -> bool {
    policy.queues.len() == 1 && policy.buffers.is_empty() && policy.classify.is_empty()
}

/// Whether only tail drops happen, and no expression reads how much processing is queued.
fn is_plain(policy: &Policy, plan: &Plan) -> bool {
    let is_plain = |condition: ConditionPlan| !matches!(condition, ConditionPlan::Compiled { .. });
    !policy.sums_processing()
        && plan.queues.iter().all(|queue| is_plain(queue.congestion))
        && plan.buffers.iter().all(|buffer| is_plain(buffer.congestion))
        && plan.ports.iter().all(|port| port.after == ConditionPlan::Nothing)
}

fn programs(policy: &Policy) -> Programs {
    let queue =
        |queue: usize| Program::compile(&policy.queues[queue].congestion, &Names::queue_congestion(policy, queue));
    let buffers = policy.buffers.iter().zip(0..);
    let ports = policy.ports.iter().zip(0..);
    Programs {
        classifier: Classifier::compile(policy),
        queues: (0..policy.queues.len()).map(queue).collect(),
        buffers: buffers
            .map(|(buffer, id)| Program::compile(&buffer.congestion, &Names::buffer_congestion(policy, BufferId(id))))
            .collect(),
        ports: ports
            .map(|(port, id)| Program::compile(&port.after, &Names::post_sched_act(policy, PortId(id))))
            .collect(),
    }
}

/// Builds an empty engine.
fn running<S: Structure>(
    policy: &Policy,
    options: EngineOptions,
    plan: &Plan,
    queues: Vec<S>,
    programs: &Programs,
) -> Running<S> {
    let choose = |choice, comparator: &Comparator, queues: &[QueueId]| chooser(policy, choice, comparator, queues);
    let ports = plan.ports.iter().zip(&policy.ports);
    let serves: Box<[Chooser]> =
        ports.map(|(plan, port)| choose(plan.scheduling, &port.scheduling, &port.queues)).collect();
    let buffers = plan.buffers.iter().zip(&policy.buffers);
    let loses: Box<[Chooser]> = buffers
        .map(|(plan, buffer)| match &buffer.admission {
            Some(order) => choose(plan.admission, order, &buffer.queues),
            None => Chooser::Arriving,
        })
        .collect();
    let place = |id: usize, queues: &[QueueId]| queues.iter().position(|queue| usize::from(queue.0) == id);
    let cells = queues.into_iter().zip(&policy.queues).enumerate().map(|(id, (packets, queue))| {
        let port = usize::from(queue.port.0);
        let buffer = queue.buffer.map_or(NO_BUFFER, |buffer| usize::from(buffer.0));
        QueueCell {
            packets,
            bytes: 0,
            entering: 0,
            notify_next: false,
            limits: Limits::new(queue.size, &programs.queues[id]),
            port,
            port_bit: 0,
            at_port: place(id, &policy.ports[port].queues).unwrap_or_default(),
            buffer,
            at_buffer: policy.buffers.get(buffer).and_then(|buffer| place(id, &buffer.queues)).unwrap_or_default(),
            told: serves[port].is_told() || loses.get(buffer).is_some_and(Chooser::is_told),
            adm_state: Fixed::floor(queue.adm_state).0,
            sched_state: Fixed::floor(queue.sched_state).0,
        }
    });
    let members = |queues: &[QueueId]| queues.iter().map(|id| usize::from(id.0)).collect();
    let world = World {
        work: Work::new(policy),
        queues: cells.collect(),
        ports: policy
            .ports
            .iter()
            .map(|port| PortCell {
                sched_state: Fixed::floor(port.sched_state).0,
                queues: members(&port.queues),
                waiting: 0,
                by_bit: [0; MOST_IN_WORD],
                leads: port.next.as_ref().map(|next| Leads::compile(next, policy)),
            })
            .collect(),
        buffers: policy
            .buffers
            .iter()
            .zip(&programs.buffers)
            .zip(&loses)
            .map(|((buffer, program), chooser)| BufferCell {
                longest_loses: matches!(chooser, Chooser::Longest),
                longest: if matches!(chooser, Chooser::Longest) { Longest::EMPTY } else { Longest::UNUSED },
                there: 0,
                limits: Limits::new(buffer.size, program),
                adm_state: Fixed::floor(buffer.adm_state).0,
                queues: members(&buffer.queues),
                has_all: buffer.queues.iter().copied().eq((0..).map(QueueId).take(policy.queues.len())),
            })
            .collect(),
        parameters: policy.parameters.iter().map(|parameter| parameter.initial.0).collect(),
        arriving: None,
        served: None,
    };
    let mut running = Running {
        world,
        serves,
        loses,
        trials: Trials::new(options.seed),
        next_number: 0,
        policy_id: options.policy_id,
        counts: Counts::default(),
        routines: Given { names: policy.routines.iter().map(|routine| routine.name.clone()).collect(), given: None },
        origins: Origins::default(),
    };
    (0..policy.ports.len()).for_each(|port| running.sort_constant(port));
    running
}

fn chooser(policy: &Policy, choice: Choice, comparator: &Comparator, queues: &[QueueId]) -> Chooser {
    let members = queues.len();
    // Most ports have one queue, and a change under traffic must be quick.
    let order = match choice {
        Choice::Only => return Chooser::Only,
        Choice::Longest => return Chooser::Longest,
        _ => queue_order(policy, comparator),
    };
    match (choice, order) {
        (Choice::Constant, Some(order)) => Chooser::Constant(order),
        (Choice::Keys { bits } | Choice::Tournament { bits }, Some(order)) if bits <= u64::BITS => {
            Chooser::Keys(Keys::new(order, members))
        }
        (Choice::Keys { .. } | Choice::Tournament { .. }, Some(order)) => Chooser::WideKeys(Keys::new(order, members)),
        _ => Chooser::Scan(Test::compile(&comparator.before, &Names::queues(policy))),
    }
}
