//! Ten thousand changes at random times, beside a list of packets and the two rules in their plainest form. With drain,
//! packets of an older version depart from a port before any of a newer one. With rerank, the next packet is the first
//! by the new orders.

use crate::build::*;
use crate::random_policy::{count, random_policy};
use crate::random_traffic::{Operation, Traffic};
use forebay_core::{ClassId, Duration, Packet, QueueId, Rng, Seed, Time, Verdict};
use forebay_engine::live::{Refused, Stranded};
use forebay_engine::{Engine, EngineOptions, Live, Reference, Served, Transition};
use forebay_lang::ir::{Comparator, PacketField, Policy, PortId, QueueRef};
use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};

/// An order by one field.
#[derive(Clone, Copy)]
struct By {
    field: PacketField,
    descending: bool,
}

impl By {
    fn random(rng: &mut Rng) -> Self {
        let fields = [PacketField::Value, PacketField::Class, PacketField::Rank, PacketField::Arrival];
        Self { field: fields[rng.random_range(0..fields.len())], descending: rng.random_bool(0.5) }
    }

    /// The lowest is first.
    fn place(self, packet: &Packet) -> i128 {
        let value: i128 = match self.field {
            PacketField::Value => packet.value.into(),
            PacketField::Class => packet.class.0.into(),
            PacketField::Rank => packet.rank.into(),
            _ => packet.arrival.as_ps().into(),
        };
        if self.descending { -value } else { value }
    }

    fn of_packets(self) -> Comparator {
        if self.descending { by_highest(self.field) } else { by_lowest(self.field) }
    }

    fn of_heads(self) -> Comparator {
        let value = head(QueueRef::This, self.field);
        order("heads", &[if self.descending { highest(value) } else { lowest(value) }])
    }
}

struct QueueSpec {
    name: String,
    size: u64,
    processing: By,
    admission: By,
    port: usize,
}

struct PortSpec {
    name: String,
    scheduling: By,
}

/// A policy whose orders never change by themselves.
struct Spec {
    queues: Vec<QueueSpec>,
    ports: Vec<PortSpec>,
}

impl Spec {
    /// Some of the queues `a` to `d` at some of the ports `x` to `z`; mostly all.
    fn random(rng: &mut Rng) -> Self {
        let mut some = |names: &[&str]| -> Vec<String> {
            let all = rng.random_bool(0.8);
            let mut kept = names.to_vec();
            kept.retain(|_| all || rng.random_bool(0.7));
            if kept.is_empty() { vec![names[0].to_owned()] } else { kept.into_iter().map(str::to_owned).collect() }
        };
        let (queues, mut ports) = (some(&["a", "b", "c", "d"]), some(&["x", "y"]));
        ports.truncate(queues.len());
        let count = ports.len();
        let queue = |(at, name): (usize, String)| QueueSpec {
            name,
            size: rng.random_range(1..8),
            processing: By::random(rng),
            admission: By::random(rng),
            // No port goes without a queue.
            port: if at < count { at } else { rng.random_range(0..count) },
        };
        let queues = queues.into_iter().enumerate().map(queue).collect();
        let ports = ports.into_iter().map(|name| PortSpec { name, scheduling: By::random(rng) }).collect();
        Self { queues, ports }
    }

    fn policy(&self) -> Policy {
        let queues = self.queues.iter().map(|spec| {
            let mut made = queue(&spec.name, packets(spec.size));
            made.processing = spec.processing.of_packets();
            made.admission = spec.admission.of_packets();
            made
        });
        let ports = self.ports.iter().enumerate().map(|(at, spec)| {
            let ids: Vec<u16> =
                (0..).zip(&self.queues).filter(|(_, queue)| queue.port == at).map(|(id, _)| id).collect();
            let mut made = port(&spec.name, &ids);
            made.scheduling = spec.scheduling.of_heads();
            made
        });
        policy(queues.collect(), ports.collect(), Vec::new())
    }

    fn queue(&self, name: &str) -> Option<&QueueSpec> {
        self.queues.iter().find(|queue| queue.name == name)
    }

    fn port_of(&self, queue: &str) -> &str {
        self.queue(queue).map_or("", |queue| &self.ports[queue.port].name)
    }
}

/// A packet that is inside.
struct Inside {
    packet: Packet,
    queue: String,
    /// The version whose orders it is under.
    under: u32,
}

/// What there should be.
struct Model {
    /// In order of arrival.
    inside: Vec<Inside>,
    /// By version.
    specs: BTreeMap<u32, Spec>,
    version: u32,
    left_at: BTreeMap<u64, Time>,
}

impl Model {
    fn spec(&self) -> &Spec {
        &self.specs[&self.version]
    }

    fn port_of(&self, inside: &Inside) -> &str {
        self.specs[&inside.under].port_of(&inside.queue)
    }

    fn count(&self, queue: &str) -> u64 {
        self.inside.iter().filter(|inside| inside.queue == queue).count() as u64
    }

    /// The packet that a port has to send next.
    fn next(&self, port: &str) -> Option<u64> {
        let here = || self.inside.iter().filter(|inside| self.port_of(inside) == port);
        let under = here().map(|inside| inside.under).min()?;
        let spec = &self.specs[&under];
        let mut heads = Vec::new();
        for queue in &spec.queues {
            let mine = here().filter(|inside| inside.under == under && inside.queue == queue.name);
            // Of equal ones, the first is taken.
            heads.extend(mine.min_by_key(|inside| queue.processing.place(&inside.packet)));
        }
        let scheduling = spec.ports.iter().find(|spec| spec.name == port)?.scheduling;
        heads.into_iter().min_by_key(|inside| scheduling.place(&inside.packet)).map(|inside| inside.packet.id)
    }

    fn remove(&mut self, now: Time, id: u64) -> Inside {
        let at = self.inside.iter().position(|inside| inside.packet.id == id);
        assert!(self.left_at.insert(id, now).is_none(), "packet {id} left twice");
        self.inside.remove(at.expect("what leaves was inside"))
    }

    /// Where packets wait that a policy has no place for.
    fn stranded(&self, new: &Spec, transition: Transition) -> BTreeMap<String, u64> {
        let mut places = BTreeMap::new();
        for inside in &self.inside {
            let (name, has_place) = match transition {
                Transition::Drain => {
                    let port = self.port_of(inside);
                    (port, new.ports.iter().any(|other| other.name == port))
                }
                Transition::Rerank => (&*inside.queue, new.queue(&inside.queue).is_some()),
            };
            if !has_place {
                *places.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
        places
    }
}

struct Run<E> {
    live: Live<E>,
    model: Model,
    rng: Rng,
    now: Time,
    next_id: u64,
    from_older: u64,
}

impl<E: Engine> Run<E> {
    fn offer(&mut self) {
        let at = self.rng.random_range(0..count(&self.model.spec().queues));
        self.next_id += 1;
        let packet = Packet {
            id: self.next_id,
            arrival: self.now,
            rank: self.rng.random_range(0..4),
            value: self.rng.random_range(0..4),
            class: ClassId(self.rng.random_range(0..4)),
            size_bytes: self.rng.random_range(1..4) * 100,
            queue: QueueId(at),
            ..Packet::default()
        };
        let spec = &self.model.spec().queues[usize::from(at)];
        let (name, size) = (spec.name.clone(), spec.size);
        let before = self.model.count(&name);
        let mut evicted = Vec::new();
        let verdict = self.live.enqueue(self.now, packet, &mut evicted);
        if matches!(verdict, Verdict::Queued { .. }) {
            self.model.inside.push(Inside { packet, queue: name.clone(), under: self.model.version });
        } else {
            assert!(before + 1 > size, "refused although there was room");
        }
        for victim in &evicted {
            let gone = self.model.remove(self.now, victim.id);
            assert_eq!((gone.under, &gone.queue), (self.model.version, &name), "older packets cannot be pushed out");
        }
        if matches!(verdict, Verdict::Queued { .. }) {
            assert!(self.model.count(&name) <= size, "what drains counts");
        }
        assert!(evicted.is_empty() || before >= size);
    }

    fn serve(&mut self, at: u16) -> bool {
        let port = self.model.spec().ports[usize::from(at)].name.clone();
        let expected = self.model.next(&port);
        let out = self.live.dequeue(self.now, PortId(at));
        assert_eq!(out.map(|packet| packet.id), expected, "port {port} under version {}", self.model.version);
        let Some(packet) = out else { return false };
        let gone = self.model.remove(self.now, packet.id);
        assert_eq!(gone.packet, packet);
        self.from_older += u64::from(gone.under < self.model.version);
        true
    }

    /// Whether it was done; otherwise nothing has happened.
    fn change(&mut self, transition: Transition) -> bool {
        let spec = Spec::random(&mut self.rng);
        let stranded = self.model.stranded(&spec, transition);
        let waiting = self.model.inside.len() as u64;
        match self.live.change(self.now, spec.policy(), transition) {
            Ok(change) => {
                assert!(stranded.is_empty(), "{stranded:?} would be lost");
                self.model.version += 1;
                assert_eq!((change.version, change.transition), (self.model.version, transition));
                assert_eq!(change.carried + change.draining, waiting);
                if transition == Transition::Rerank {
                    self.model.inside.iter_mut().for_each(|inside| inside.under = self.model.version);
                }
                self.model.specs.insert(self.model.version, spec);
                true
            }
            Err(Refused::Stranded { places, other_helps, .. }) => {
                let places: BTreeMap<_, _> =
                    places.into_iter().map(|Stranded { name, packets }| (name, packets)).collect();
                assert_eq!(places, stranded);
                let other = if transition == Transition::Drain { Transition::Rerank } else { Transition::Drain };
                assert_eq!(other_helps, self.model.stranded(&spec, other).is_empty());
                assert_eq!(self.live.version(), self.model.version);
                false
            }
            Err(refused) => panic!("{refused}"),
        }
    }

    fn check(&self) {
        assert_eq!(self.live.len(), self.model.inside.len());
        let bytes: u64 = self.model.inside.iter().map(|inside| u64::from(inside.packet.size_bytes)).sum();
        assert_eq!(self.live.bytes(), bytes);
        for (id, queue) in (0..).zip(&self.model.spec().queues) {
            assert_eq!(self.live.occupancy(QueueId(id)).packets, self.model.count(&queue.name));
        }
    }
}

/// Changes simple policies so often and compares each departure with the model.
///
/// # Panics
/// At the first difference.
pub(crate) fn changes_keep_the_rules<E: Engine>(
    build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
    seed: u64,
    changes: u32,
) {
    let mut rng = Seed(seed).stream("changes");
    let spec = Spec::random(&mut rng);
    let live = Live::new(build, spec.policy(), Seed(seed));
    let model = Model { inside: Vec::new(), specs: BTreeMap::from([(1, spec)]), version: 1, left_at: BTreeMap::new() };
    let mut run = Run { live, model, rng, now: Time::ZERO, next_id: 0, from_older: 0 };
    let (mut drains, mut reranks, mut refused) = (0, 0, 0);
    let mut waited: Vec<Vec<u64>> = Vec::new();
    while drains + reranks < changes {
        for _ in 0..run.rng.random_range(0..25) {
            run.now += Duration::from_ps(run.rng.random_range(0..3) * 700);
            if run.rng.random_bool(0.6) {
                run.offer();
            } else {
                let ports = count(&run.model.spec().ports);
                let port = run.rng.random_range(0..ports);
                run.serve(port);
            }
            run.check();
        }
        let transition = if run.rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        let ids = run.model.inside.iter().map(|inside| inside.packet.id).collect();
        if run.change(transition) {
            waited.push(ids);
            match transition {
                Transition::Drain => drains += 1,
                Transition::Rerank => reranks += 1,
            }
        } else {
            refused += 1;
        }
        run.check();
    }
    let ports = count(&run.model.spec().ports);
    for port in 0..ports {
        while run.serve(port) {
            run.now += Duration::from_ps(700);
        }
    }
    assert!(run.live.is_empty() && run.model.inside.is_empty());
    for (record, ids) in run.live.transitions().iter().zip(&waited) {
        let last = ids.iter().map(|id| run.model.left_at[id]).max();
        assert_eq!((record.waiting, record.done), (ids.len() as u64, Some(last.unwrap_or(record.asked))));
    }
    let often = changes / 10;
    assert!(
        drains > often && reranks > often && refused > often,
        "{drains} drains, {reranks} reranks, {refused} refused"
    );
    assert!(run.from_older > u64::from(often), "{} packets drained", run.from_older);
}

/// Changes policies of every kind so often; nothing may be lost or come out twice.
///
/// # Panics
/// At the first packet that is lost or comes out twice.
pub(crate) fn changes_lose_nothing<E: Engine>(
    build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
    seed: u64,
    changes: u32,
) {
    let mut choices = Seed(seed).stream("policies");
    let first = random_policy(&mut choices);
    let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &first);
    let mut live = Live::new(build, first, Seed(seed));
    let mut inside: BTreeSet<u64> = BTreeSet::new();
    let (mut done, mut offered) = (0, 0_u64);
    while done < changes {
        for _ in 0..traffic.rng.random_range(0..30) {
            let operation = traffic.next();
            let now = traffic.now;
            let mut out: Vec<Packet> = Vec::new();
            match operation {
                Operation::Enqueue(packet) => {
                    let verdict = live.enqueue(now, packet, &mut out);
                    offered += 1;
                    if matches!(verdict, Verdict::Queued { .. }) {
                        assert!(inside.insert(packet.id));
                    }
                }
                Operation::Dequeue(port) => out.extend(live.dequeue(now, port)),
                Operation::Cycle(port) => {
                    if let Served::Packet(packet) = live.cycle(now, port) {
                        out.push(packet);
                    }
                }
                Operation::SetState(state, value) => live.set_state(state, value),
                Operation::Hold(..) | Operation::Pass(..) | Operation::SetParameter(..) | Operation::TakeAll => {}
            }
            for packet in out {
                assert!(inside.remove(&packet.id), "seed {seed}: packet {} was not inside", packet.id);
            }
            assert_eq!(live.len(), inside.len(), "seed {seed}");
        }
        let transition = if traffic.rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        let policy = random_policy(&mut choices);
        if live.change(traffic.now, policy.clone(), transition).is_ok() {
            traffic.turn_to(&policy);
            done += 1;
        } else {
            // Otherwise a policy with few queues may let nobody in.
            let port = traffic.port();
            while let Some(packet) = live.dequeue(traffic.now, port) {
                assert!(inside.remove(&packet.id));
            }
        }
    }
    let ports = (0..).map(PortId).take(live.policy().ports.len());
    for port in ports.collect::<Vec<_>>() {
        while let Some(packet) = live.dequeue(traffic.now, port) {
            assert!(inside.remove(&packet.id));
        }
    }
    assert!(live.is_empty() && inside.is_empty(), "seed {seed}: {inside:?}");
    assert!(live.transitions().iter().all(|record| record.done.is_some_and(|done| done >= record.asked)));
    assert!(offered > u64::from(changes));
}

#[test]
fn ten_thousand_changes_keep_the_rules() {
    changes_keep_the_rules(Reference::new, 1, 10_000);
}

#[test]
fn ten_thousand_changes_of_any_policy_lose_nothing() {
    changes_lose_nothing(Reference::new, 1, 10_000);
}
