//! Holds two engines equal: they get the same operations, and everything that can be seen of them is compared.

use crate::random_policy::{count, random_policy};
use crate::random_traffic::{Operation, Traffic, states};
use forebay_core::{Counter, Packet, QueueId, Rng, Seed, Time, Verdict};
use forebay_engine::{Engine, EngineOptions, Occupancy, Passed, Reference, Served, Waiting};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, Policy, PortId, State};

/// What became of an operation.
#[derive(Debug, PartialEq)]
enum OperationOutcome {
    Enqueued(Verdict, Vec<Packet>),
    Dequeued(Option<Packet>),
    Cycled(Served),
    Passed(Passed, Vec<Packet>),
    Taken(Vec<Waiting>),
    Nothing,
}

/// What can be seen of an engine.
#[derive(Debug, PartialEq)]
struct View {
    occupancies: Vec<Occupancy>,
    states: Vec<(State, Fixed)>,
    parameters: Vec<Option<Fixed>>,
    counters: Vec<Counter>,
}

fn apply(engine: &mut impl Engine, now: Time, operation: &Operation) -> OperationOutcome {
    match operation {
        Operation::Enqueue(packet) => {
            let mut evicted = Vec::new();
            let verdict = engine.enqueue(now, *packet, &mut evicted);
            OperationOutcome::Enqueued(verdict, evicted)
        }
        Operation::Dequeue(port) => OperationOutcome::Dequeued(engine.dequeue(now, *port)),
        Operation::Cycle(port) => OperationOutcome::Cycled(engine.cycle(now, *port)),
        Operation::Pass(port, cycles) => {
            let mut dropped = Vec::new();
            OperationOutcome::Passed(engine.pass(now, *port, *cycles, &mut dropped), dropped)
        }
        Operation::Hold(queue, held) => {
            engine.hold(*queue, *held);
            OperationOutcome::Nothing
        }
        Operation::SetState(state, value) => {
            engine.set_state(*state, *value);
            OperationOutcome::Nothing
        }
        Operation::SetParameter(id, value) => {
            engine.set_parameter(*id, *value);
            OperationOutcome::Nothing
        }
        Operation::TakeAll => OperationOutcome::Taken(engine.take_all()),
    }
}

fn view(engine: &impl Engine, policy: &Policy) -> View {
    View {
        occupancies: (0..).take(policy.queues.len()).map(|id| engine.occupancy(QueueId(id))).collect(),
        states: states(policy).into_iter().map(|state| (state, engine.state(state))).collect(),
        parameters: (0..=count(&policy.parameters)).map(|id| engine.parameter(ParameterId(id))).collect(),
        counters: engine.counters(),
    }
}

/// Runs two kinds of engines beside each other, under four random policies in turn; each takes over some of the packets
/// of the one before.
///
/// # Panics
/// At the first difference, with the seed.
pub(crate) fn same<A: Engine, B: Engine>(
    a: impl Fn(&Policy, EngineOptions) -> A,
    b: impl Fn(&Policy, EngineOptions) -> B,
    seed: u64,
    operations: u32,
) {
    same_with(random_policy, a, b, seed, operations);
}

/// The same under policies that are drawn so.
///
/// # Panics
/// At the first difference, with the seed.
pub(crate) fn same_with<A: Engine, B: Engine>(
    draw: impl Fn(&mut Rng) -> Policy,
    a: impl Fn(&Policy, EngineOptions) -> A,
    b: impl Fn(&Policy, EngineOptions) -> B,
    seed: u64,
    operations: u32,
) {
    let mut choices = Seed(seed).stream("policies");
    let mut policy = draw(&mut choices);
    let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
    let mut left: Vec<Waiting> = Vec::new();
    for policy_id in 1..=4 {
        let placed = traffic.waiting(&left);
        let options = EngineOptions { policy_id, seed: Seed(seed).part("engine") };
        let (mut first, mut second) = (a(&policy, options), b(&policy, options));
        for waiting in placed {
            first.place(waiting);
            second.place(waiting);
        }
        compare(
            &mut first,
            &mut second,
            &policy,
            &mut traffic,
            operations,
            &format!("seed {seed}, policy {policy_id}"),
        );
        left = first.take_all();
        assert_eq!(left, second.take_all(), "seed {seed}, policy {policy_id}: what is left");
        policy = draw(&mut choices);
        traffic.turn_to(&policy);
    }
}

/// Runs two engines of the same policy beside each other.
///
/// # Panics
/// At the first difference, with `what` it is about.
pub(crate) fn compare(
    a: &mut impl Engine,
    b: &mut impl Engine,
    policy: &Policy,
    traffic: &mut Traffic,
    operations: u32,
    what: &str,
) {
    for step in 0..operations {
        let operation = traffic.next();
        let now = traffic.now;
        let before = || format!("{what}, step {step} at {now:?}: {operation:?}\n{policy:#?}");
        let (first, second) = (apply(a, now, &operation), apply(b, now, &operation));
        assert_eq!(first, second, "{}", before());
        assert_eq!(view(a, policy), view(b, policy), "{}", before());
    }
}

#[test]
fn an_engine_is_the_same_as_itself() {
    for seed in 0..200 {
        same(Reference::new, Reference::new, seed, 200);
    }
}

/// An engine with one mistake.
struct Mistaken<const MISTAKE: u8>(Reference);

impl<const MISTAKE: u8> Mistaken<MISTAKE> {
    fn new(policy: &Policy, options: EngineOptions) -> Self {
        let policy_id = if MISTAKE == 0 { options.policy_id + 1 } else { options.policy_id };
        let seed = if MISTAKE == 1 { Seed(5) } else { options.seed };
        let mut policy = policy.clone();
        if MISTAKE == 2 {
            // The next of equal queues.
            policy.ports.iter_mut().for_each(|port| port.queues.reverse());
        }
        Self(Reference::new(&policy, EngineOptions { policy_id, seed }))
    }
}

impl<const MISTAKE: u8> Engine for Mistaken<MISTAKE> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.0.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        self.0.dequeue(now, port)
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.0.cycle(now, port)
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        self.0.occupancy(queue)
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        if MISTAKE != 3 {
            self.0.hold(queue, held);
        }
    }

    fn place(&mut self, waiting: Waiting) {
        self.0.place(waiting);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        self.0.take_all()
    }

    fn state(&self, state: State) -> Fixed {
        self.0.state(state)
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        if MISTAKE == 4 && matches!(state, State::QueueAdm(_)) {
            return;
        }
        self.0.set_state(state, value);
    }

    fn counters(&self) -> Vec<Counter> {
        self.0.counters()
    }
}

/// Whether a mistake shows under one of many policies.
fn shows<const MISTAKE: u8>() -> bool {
    (0..200).any(|seed| {
        let run = || same(Reference::new, Mistaken::<MISTAKE>::new, seed, 200);
        std::panic::catch_unwind(run).is_err()
    })
}

#[test]
fn engines_that_differ_are_found_out() {
    // The panics are expected; their messages would fill pages.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let shown = [shows::<0>(), shows::<1>(), shows::<2>(), shows::<3>(), shows::<4>()];
    std::panic::set_hook(hook);
    assert_eq!(shown, [true; 5]);
}
