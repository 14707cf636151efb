//! Change under traffic: one engine for each version that has queued packets (`docs/openqueue-semantics.md`, section 8; section III-G of
//! the paper).
//!
//! If no change is in progress, each call costs one call more than that of the engine. While older versions drain, a departure costs time
//! in proportion to the queues of its port and the versions.

mod change;
mod classified;
mod next_version;
mod stages;
mod version;
mod version_choice;

pub use change::{Change, Refused, Stranded, Transition, TransitionRecord};
pub use next_version::Next;

use crate::traits::{Engine, EngineOptions, Occupancy, Served, Waiting};
use forebay_core::{Counter, Packet, QueueId, Seed, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, Policy, PortId, State};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use version::Version;

/// Builds an engine.
type Build<E> = Box<dyn Fn(&Policy, EngineOptions) -> E + Send>;

/// A policy that can be changed while packets are queued.
///
/// Queues and ports are those of the newest version. Packets with equal times of arrival should have distinct numbers ([`Packet::id`]), as
/// those of a source have: [`transitions`](Self::transitions) identifies reranked packets by both.
pub struct Live<E> {
    build: Build<E>,
    seed: Seed,
    current: Version<E>,
    /// Older versions with queued packets, the oldest first.
    draining: Vec<Version<E>>,
    /// The number of queued packets by the version under which they arrived: from `oldest` to the current one.
    inside: VecDeque<u64>,
    oldest: u32,
    packets: usize,
    bytes: u64,
    /// Counters of removed engines.
    gone: Vec<Counter>,
    transitions: Vec<TransitionRecord>,
    /// The number of forgotten changes.
    forgotten: usize,
}

impl<E: Engine> Live<E> {
    /// Starts with version 1.
    pub fn new(
        build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
        policy: impl Into<Arc<Policy>>,
        seed: Seed,
    ) -> Self {
        let policy = policy.into();
        let engine = build(&policy, EngineOptions { policy_id: 1, seed });
        Self {
            build: Box::new(build),
            seed,
            current: Version::new(1, policy, engine),
            draining: Vec::new(),
            inside: VecDeque::from([0]),
            oldest: 1,
            packets: 0,
            bytes: 0,
            gone: Vec::new(),
            transitions: Vec::new(),
            forgotten: 0,
        }
    }

    /// Returns the number of the newest version.
    pub fn version(&self) -> u32 {
        self.current.number
    }

    /// Returns the policy of the newest version.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.current.policy
    }

    /// Returns the number of queued packets of all versions.
    pub fn len(&self) -> usize {
        self.packets
    }

    /// Whether no packet is queued.
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Returns the queued bytes of all versions.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the occupancy of a queue, including packets in queues of the same name of older versions.
    pub fn occupancy(&self, queue: QueueId) -> Occupancy {
        let name = self.current.queue_name(queue);
        let older =
            self.draining.iter().filter_map(|version| Some(version.engine.occupancy(version.queue_named(name)?)));
        older.fold(self.current.engine.occupancy(queue), |sum, more| Occupancy {
            packets: sum.packets + more.packets,
            bytes: sum.bytes + more.bytes,
        })
    }

    /// Returns a state of the newest version.
    pub fn state(&self, state: State) -> Fixed {
        self.current.engine.state(state)
    }

    /// Sets a state of the newest version.
    pub fn set_state(&mut self, state: State, value: Fixed) {
        self.current.engine.set_state(state, value);
    }

    /// Returns the value of a live parameter of the newest version (9.4).
    pub fn parameter(&self, id: ParameterId) -> Option<Fixed> {
        self.current.engine.parameter(id)
    }

    /// Sets a live parameter of the newest version (9.4).
    pub fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        self.current.engine.set_parameter(id, value);
    }

    /// Returns all changes so far, in their order, except for [forgotten](Self::forget_transitions) ones.
    pub fn transitions(&self) -> &[TransitionRecord] {
        &self.transitions
    }

    /// Returns the sums of the counters of all versions' engines.
    pub fn counters(&self) -> Vec<Counter> {
        let mut sum = self.gone.clone();
        for version in self.draining.iter().chain([&self.current]) {
            add(&mut sum, version.engine.counters());
        }
        sum
    }

    /// Enqueues as [`Engine::enqueue`], under the newest version, or the one that its `policyId` chooses (8.5).
    pub fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        if let Some(at) = self.chosen(now, &packet) {
            return self.enqueue_under(at, now, packet, evicted);
        }
        let before = evicted.len();
        let verdict = self.current.engine.enqueue(now, packet, evicted);
        self.offered(now, &packet, &verdict, &evicted[before..]);
        verdict
    }

    /// Counts a packet that was offered, and the packets that it has pushed out.
    fn offered(&mut self, now: Time, packet: &Packet, verdict: &Verdict, evicted: &[Packet]) {
        if matches!(verdict, Verdict::Queued { .. }) {
            self.packets += 1;
            self.bytes += u64::from(packet.size_bytes);
            if let Some(newest) = self.inside.back_mut() {
                *newest += 1;
            }
        }
        for victim in evicted {
            let policy_id = self.current.arrived_under(victim);
            self.left(now, policy_id, victim);
        }
    }

    /// Serves as [`Engine::dequeue`], under the oldest version with packets at the port.
    pub fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        match self.serve(port, |engine, port| engine.dequeue(now, port).map_or(Served::Nothing, Served::Packet), now) {
            Served::Packet(packet) => Some(packet),
            Served::Cycle | Served::Nothing => None,
        }
    }

    /// Serves as [`Engine::cycle`], under the oldest version with packets at the port.
    pub fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.serve(port, |engine, port| engine.cycle(now, port), now)
    }

    /// 8.3, drain: packets that wait at the port under older versions depart first, those of the oldest version first
    /// of all.
    fn serve(&mut self, port: PortId, serve: impl Fn(&mut E, PortId) -> Served, now: Time) -> Served {
        for at in 0..self.draining.len() {
            let version = &mut self.draining[at];
            let Some(own) = version.port(port) else { continue };
            match serve(&mut version.engine, own) {
                Served::Nothing => {}
                Served::Cycle => return Served::Cycle,
                Served::Packet(packet) => {
                    self.drained(now, at, own, &packet);
                    return Served::Packet(packet);
                }
            }
        }
        let served = serve(&mut self.current.engine, port);
        if let Served::Packet(packet) = &served {
            let policy_id = self.current.arrived_under(packet);
            self.left(now, policy_id, packet);
        }
        served
    }

    /// Updates the versions after a packet of an older version has left: newer versions hold less, and the older version may end.
    fn drained(&mut self, now: Time, at: usize, port: PortId, packet: &Packet) {
        let version = &mut self.draining[at];
        let policy_id = version.arrived_under(packet);
        if let Some(queue) = version.queue_left(port) {
            let name = version.queue_name(queue).to_owned();
            for newer in self.draining[at + 1..].iter_mut().chain([&mut self.current]) {
                newer.hold_less(&name, packet);
            }
        }
        if self.draining[at].is_empty() {
            let version = self.draining.remove(at);
            add(&mut self.gone, version.engine.counters());
        }
        self.left(now, policy_id, packet);
    }

    fn left(&mut self, now: Time, policy_id: u32, packet: &Packet) {
        self.packets -= 1;
        self.bytes -= u64::from(packet.size_bytes);
        if let Some(count) = self.inside.get_mut((policy_id - self.oldest) as usize) {
            *count -= 1;
        }
        self.note_ends(now);
    }

    /// Records which changes have just lost their last queued packet.
    fn note_ends(&mut self, now: Time) {
        while self.oldest < self.current.number && self.inside.front() == Some(&0) {
            self.inside.pop_front();
            self.oldest += 1;
            // Version n came with change n - 1.
            let place = (self.oldest as usize - 2).checked_sub(self.forgotten);
            if let Some(record) = place.and_then(|place| self.transitions.get_mut(place)) {
                record.done = Some(now);
            }
        }
    }

    /// Returns why a change would be rejected now; `None` if it would be accepted.
    pub fn refusal(&self, policy: &Policy, transition: Transition) -> Option<Refused> {
        if self.current.policy.has_stages() || policy.has_stages() {
            return Some(Refused::Stages);
        }
        let places = self.stranded(policy, transition);
        if places.is_empty() {
            return None;
        }
        let other = match transition {
            Transition::Drain => Transition::Rerank,
            Transition::Rerank => Transition::Drain,
        };
        let other_helps = self.stranded(policy, other).is_empty();
        Some(Refused::Stranded { transition, places, other_helps })
    }

    /// Applies a batch of changes as a whole: a new version of the policy (8.1).
    ///
    /// # Errors
    /// If packets would be lost. Then nothing was changed.
    pub fn change(
        &mut self,
        now: Time,
        policy: impl Into<Arc<Policy>>,
        transition: Transition,
    ) -> Result<Change, Refused> {
        let policy = policy.into();
        if let Some(refused) = self.refusal(&policy, transition) {
            return Err(refused);
        }
        let next = Next::new(policy, self.next_options(), &self.build);
        Ok(self.put(now, next, transition))
    }

    /// Returns the options for the engine of the next version.
    pub fn next_options(&self) -> EngineOptions {
        let policy_id = self.current.number + 1;
        // Trials go on with other numbers than those that were drawn already.
        EngineOptions { policy_id, seed: self.seed.part(&format!("version/{policy_id}")) }
    }

    /// Changes the policy as [`change`](Self::change) does, to a version that was built elsewhere with
    /// [`next_options`](Self::next_options). So no time is spent on building.
    ///
    /// # Errors
    /// If packets would be lost, or the policy was changed since. Then nothing was changed.
    pub fn exchange(&mut self, now: Time, next: Next<E>, transition: Transition) -> Result<Change, Refused> {
        let (built, present) = (next.number(), self.current.number);
        if built != present + 1 {
            return Err(Refused::Outdated { built, present });
        }
        if let Some(refused) = self.refusal(next.policy(), transition) {
            return Err(refused);
        }
        Ok(self.put(now, next, transition))
    }

    /// Replaces the current version by one that is not [rejected](Self::refusal).
    fn put(&mut self, now: Time, next: Next<E>, transition: Transition) -> Change {
        let waiting = self.packets as u64;
        let mut new = next.into_version();
        let version = new.number;
        new.take_over_states(&self.current);
        let old = std::mem::replace(&mut self.current, new);
        self.draining.push(old);
        match transition {
            Transition::Drain => self.hold(),
            Transition::Rerank => self.rerank(),
        }
        self.inside.push_back(0);
        self.transitions.push(TransitionRecord { asked: now, version, transition, waiting, done: None });
        self.note_ends(now);
        let (carried, draining) = match transition {
            Transition::Drain => (0, waiting),
            Transition::Rerank => (waiting, 0),
        };
        Change { version, transition, carried, draining }
    }

    /// 8.4: returns the queues or ports with packets that a policy lacks.
    fn stranded(&self, policy: &Policy, transition: Transition) -> Vec<Stranded> {
        let mut places: Vec<Stranded> = Vec::new();
        if self.packets == 0 {
            return places;
        }
        let there: HashSet<&str> = match transition {
            Transition::Drain => policy.ports.iter().map(|port| port.name.as_str()).collect(),
            Transition::Rerank => policy.queues.iter().map(|queue| queue.name.as_str()).collect(),
        };
        for version in self.draining.iter().chain([&self.current]) {
            for (queue, occupancy) in version.occupancies().filter(|(_, occupancy)| occupancy.packets > 0) {
                let declared = &version.policy.queues[usize::from(queue.0)];
                let port = &version.policy.ports[usize::from(declared.port.0)];
                let name = match transition {
                    Transition::Drain => &port.name,
                    Transition::Rerank => &declared.name,
                };
                let has_place = there.contains(name.as_str());
                if has_place {
                    continue;
                }
                match places.iter_mut().find(|place| place.name == *name) {
                    Some(place) => place.packets += occupancy.packets,
                    None => places.push(Stranded { name: name.clone(), packets: occupancy.packets }),
                }
            }
        }
        places
    }

    /// 8.3, drain: the newest version counts the packets that wait under older ones.
    fn hold(&mut self) {
        if let Some(last) = self.draining.pop_if(|version| version.is_empty()) {
            add(&mut self.gone, last.engine.counters());
        } else if let Some(last) = self.draining.last_mut() {
            last.retire();
        }
        for version in &mut self.draining {
            version.answer_to(&self.current.policy);
            for (queue, occupancy) in version.occupancies().filter(|(_, occupancy)| occupancy.packets > 0) {
                self.current.hold_more(version.queue_name(queue), occupancy);
            }
        }
    }

    /// 8.3, rerank: all packets that wait are enqueued again in order of arrival. Those under an older version arrived
    /// before all those under a newer one.
    fn rerank(&mut self) {
        let mut all = Vec::new();
        for mut version in std::mem::take(&mut self.draining) {
            let names = version.policy.queues.iter().map(|queue| &queue.name);
            let same: Vec<Option<QueueId>> = names.map(|name| self.current.queue_named(name)).collect();
            let mut taken = version.engine.take_all();
            // There is one, or the change would have been refused.
            taken.retain_mut(|Waiting { queue, .. }| {
                let place = same[usize::from(queue.0)];
                place.inspect(|place| *queue = *place).is_some()
            });
            if all.is_empty() {
                all = taken;
            } else {
                all.append(&mut taken);
            }
            add(&mut self.gone, version.engine.counters());
        }
        self.current.place(&all);
    }
}

/// Adds counters by name.
fn add(sum: &mut Vec<Counter>, more: Vec<Counter>) {
    for counter in more {
        match sum.iter_mut().find(|other| other.name == counter.name) {
            Some(other) => other.value += counter.value,
            None => sum.push(counter),
        }
    }
}
