//! Random packets and operations: bursts, equal times of arrival, few different values, and now and then huge ones.

use crate::live_policy;
use crate::random_policy::count;
use forebay_core::{BufferSize, ClassId, Duration, FlowId, Marks, Packet, QueueId, Rng, Time};
use forebay_engine::{Cycles, Occupancy, Waiting};
use forebay_lang::Fixed;
use forebay_lang::ir::{BufferId, BufferRef, ParameterId, Policy, PortId, PortRef, QueueRef, State};
use rand::RngExt;

/// What is done to an engine.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Enqueue(Packet),
    Dequeue(PortId),
    Cycle(PortId),
    Pass(PortId, Cycles),
    Hold(QueueId, Occupancy),
    SetState(State, Fixed),
    SetParameter(ParameterId, Fixed),
    TakeAll,
}

/// Random operations for engines of one policy.
pub(crate) struct Traffic {
    pub(crate) rng: Rng,
    pub(crate) now: Time,
    next_id: u64,
    burst: u32,
    queues: u16,
    ports: u16,
    states: Vec<State>,
    parameters: u16,
    has_stages: bool,
}

/// Mostly small numbers, and now and then the greatest.
fn few(rng: &mut Rng, greatest: u64) -> u64 {
    match rng.random_range(0..100) {
        0 => greatest,
        1..20 => rng.random_range(0..1_000),
        _ => rng.random_range(0..4),
    }
}

fn few_u32(rng: &mut Rng) -> u32 {
    u32::try_from(few(rng, u32::MAX.into())).expect("no more than asked for")
}

impl Traffic {
    pub(crate) fn new(rng: Rng, policy: &Policy) -> Self {
        let (now, states) = (Time::ZERO, Vec::new());
        let mut traffic =
            Self { rng, now, next_id: 0, burst: 0, queues: 0, ports: 0, states, parameters: 0, has_stages: false };
        traffic.turn_to(policy);
        traffic
    }

    /// Goes on with engines of another policy.
    pub(crate) fn turn_to(&mut self, policy: &Policy) {
        self.queues = count(&policy.queues);
        self.ports = count(&policy.ports);
        self.parameters = count(&policy.parameters);
        self.has_stages = policy.has_stages();
        self.states = states(policy);
        // Values are changed by the policy itself.
        self.states.retain(|state| !matches!(state, State::HeadValue(_)));
    }

    pub(crate) fn packet(&mut self) -> Packet {
        let rng = &mut self.rng;
        self.next_id += 1;
        let mut marks = Marks::default();
        if rng.random_bool(0.2) {
            marks.set_eligible_to_drop();
        }
        if rng.random_bool(0.2) {
            marks.set_congested();
        }
        Packet {
            marks,
            arrival: self.now,
            rank: few(rng, u64::MAX),
            remaining_bytes: few(rng, u64::MAX),
            processing: if rng.random_bool(0.01) {
                Duration::from_ps(u64::MAX)
            } else {
                Duration::from_ps(500 * rng.random_range(0..8))
            },
            slack: Duration::from_ps(500 * few(rng, u64::MAX / 500)),
            id: self.next_id,
            size_bytes: rng.random_range(1..=3) * 50,
            value: few_u32(rng),
            flow: FlowId(few_u32(rng)),
            // One queue more than there are.
            queue: QueueId(rng.random_range(0..=self.queues)),
            class: ClassId(rng.random_range(0..4)),
        }
    }

    pub(crate) fn port(&mut self) -> PortId {
        PortId(self.rng.random_range(0..self.ports))
    }

    pub(crate) fn queue(&mut self) -> QueueId {
        QueueId(self.rng.random_range(0..self.queues))
    }

    /// The next operation; its time is [`now`](Self::now) after this.
    pub(crate) fn next(&mut self) -> Operation {
        if self.burst > 0 {
            self.burst -= 1;
            return Operation::Enqueue(self.packet());
        }
        self.now += Duration::from_ps(match self.rng.random_range(0..1_000) {
            0..500 => 0,
            500..998 => 500 * self.rng.random_range(1..6),
            _ => self.rng.random_range(0..1 << 50),
        });
        if self.parameters > 0 && self.rng.random_bool(0.1) {
            let id = ParameterId(self.rng.random_range(0..self.parameters));
            return Operation::SetParameter(id, live_policy::value(&mut self.rng));
        }
        if self.has_stages && self.rng.random_bool(0.35) {
            let cycles = if self.rng.random_bool(0.5) { Cycles::All } else { Cycles::One };
            // The last port never leads on.
            return Operation::Pass(PortId(self.rng.random_range(0..self.ports - 1)), cycles);
        }
        match self.rng.random_range(0..1_000) {
            0..300 => Operation::Enqueue(self.packet()),
            300..350 => {
                self.burst = if self.rng.random_bool(0.1) { 100 } else { self.rng.random_range(1..12) };
                Operation::Enqueue(self.packet())
            }
            350..700 => Operation::Dequeue(self.port()),
            700..950 => Operation::Cycle(self.port()),
            950..970 => {
                let packets = self.rng.random_range(0..4);
                Operation::Hold(self.queue(), Occupancy { packets, bytes: packets * 50 })
            }
            970..998 => Operation::SetState(self.states[self.rng.random_range(0..self.states.len())], self.value()),
            _ => Operation::TakeAll,
        }
    }

    fn value(&mut self) -> Fixed {
        match self.rng.random_range(0..20) {
            0 => Fixed(i64::MAX),
            1 => Fixed(i64::MIN),
            2..6 => Fixed(self.rng.random_range(-100_000..400_000)),
            _ => Fixed::whole(self.rng.random_range(0..4)),
        }
    }

    /// Packets as another engine may leave them, to be placed.
    pub(crate) fn waiting(&mut self, taken: &[Waiting]) -> Vec<Waiting> {
        let mut some = taken.to_vec();
        some.retain(|_| self.rng.random_bool(0.8));
        for waiting in &mut some {
            waiting.queue = self.queue();
        }
        some
    }
}

/// All states of a policy.
pub(crate) fn states(policy: &Policy) -> Vec<State> {
    let queues = (0..).take(policy.queues.len()).map(|id| QueueRef::Named(QueueId(id)));
    let of_queue = |queue| [State::QueueAdm(queue), State::QueueSched(queue), State::HeadValue(queue)];
    let ports = (0..).take(policy.ports.len()).map(|id| State::PortSched(PortRef::Named(PortId(id))));
    let buffers = (0..).take(policy.buffers.len()).map(|id| State::BufferAdm(BufferRef::Named(BufferId(id))));
    queues.flat_map(of_queue).chain(ports).chain(buffers).collect()
}

/// A limit, whatever its unit.
pub(crate) fn limit(size: BufferSize, held: Occupancy) -> (u64, u64) {
    match size {
        BufferSize::Packets(most) => (held.packets, most),
        BufferSize::Bytes(most) => (held.bytes, most),
    }
}
