//! Everything that a network may have at once, at random, under every transport: shapers, disciplines that push out or
//! mark, probes, shared buffers, links that fail, change and lose packets.

use crate::net::support::{List, Port, flow, gbps, leaf_spine, spec, transport};
use forebay_core::{
    BufferSize, Counter, Duration, Element, Named as _, Packet, ParamValue, Rate, Rng, Seed, Time, Verdict,
};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::Probe;
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::{
    Change, FlowSpec, Network, NetworkOutcome, NetworkSpec, Pace, RunEnd, RunOptions, SharedBuffer,
};
use rand::RngExt as _;
use std::sync::{Arc, Mutex};

/// Holds packets back so that they leave no faster than a rate, slower than the link's.
struct Shaper {
    inner: Port,
    rate: Rate,
    next: Time,
}

impl Element for Shaper {
    fn links(&self) -> usize {
        1
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.inner.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet> {
        let packet = if now < self.next { None } else { self.inner.dequeue(now, link) }?;
        self.next = now + self.rate.transmission_time(packet.size_bytes);
        Some(packet)
    }

    fn next_wakeup(&self, _: Time, _: usize) -> Option<Time> {
        (!self.inner.is_empty()).then_some(self.next)
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.inner.counters()
    }
}

/// What a probe has heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Heard {
    offered: u64,
    queued: u64,
    refused: u64,
    evicted: u64,
    dequeued: u64,
    sent: u64,
}

/// Counts the notifications that arrive.
struct Ear(Arc<Mutex<Heard>>);

impl Ear {
    fn note(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.0.lock().unwrap());
    }
}

impl Probe for Ear {
    fn offered(&mut self, _: Time, _: &Packet) {
        self.note(|heard| heard.offered += 1);
    }

    fn queued(&mut self, _: Time, _: &Packet, _: usize) {
        self.note(|heard| heard.queued += 1);
    }

    fn refused(&mut self, _: Time, _: &Packet) {
        self.note(|heard| heard.refused += 1);
    }

    fn evicted(&mut self, _: Time, _: &Packet) {
        self.note(|heard| heard.evicted += 1);
    }

    fn dequeued(&mut self, _: Time, _: &Packet, _: usize) {
        self.note(|heard| heard.dequeued += 1);
    }

    fn sent(&mut self, _: Time, _: &Packet) {
        self.note(|heard| heard.sent += 1);
    }
}

fn port(rng: &mut Rng, rate: Rate, seed: Seed) -> Port {
    let (rank, queue, drop) = [
        ("arrival", "fifo", "tail"),
        ("remaining-bytes", "pifo", "worst-first"),
        ("remaining-bytes", "earliest-of-flow", "worst-first"),
        ("stfq", "pifo", "worst-first"),
    ][rng.random_range(0..4)];
    let packets = rng.random_range(1..10);
    let mark = rng.random_bool(0.5).then(|| Part {
        name: "threshold".to_owned(),
        params: [("packets".to_owned(), ParamValue::Integer(packets))].into(),
        own: None,
    });
    let parts = DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named(queue),
        drop: Part::named(drop),
        buffer: BufferSize::parse(&format!("{} packets", rng.random_range(3..40))).unwrap(),
        mark,
        pace: None,
        rank_unit: RankUnit::ONE,
        link_rate: rate,
    };
    let inner: Port = Box::new(discipline(&parts, seed).unwrap());
    if rng.random_bool(0.7) {
        return inner;
    }
    let slower = Rate::from_bits_per_second(rate.bits_per_second() * rng.random_range(2..10) / 10).unwrap();
    Box::new(Shaper { inner, rate: slower, next: Time::ZERO })
}

/// Up to 3 ms anything may happen; then all is mended.
fn changes(rng: &mut Rng, links: usize) -> Vec<(Time, Change)> {
    let mut changes: Vec<(Time, Change)> = (0..rng.random_range(0..20))
        .map(|_| {
            let link = rng.random_range(0..links);
            let change = match rng.random_range(0..4) {
                0 => Change::Down(link),
                1 => Change::Up(link),
                2 => Change::Rate(link, gbps(rng.random_range(1..5))),
                _ => Change::Loss(link, rng.random_range(0.0..0.3)),
            };
            (Time::from_ns(rng.random_range(0..3_000_000)), change)
        })
        .collect();
    for link in 0..links {
        changes.push((Time::from_ns(3_000_000), Change::Up(link)));
        changes.push((Time::from_ns(3_000_000), Change::Loss(link, 0.0)));
    }
    changes
}

fn network(name: &str, seed: Seed) -> (NetworkSpec<Port>, Vec<FlowSpec>) {
    let mut rng = seed.stream("everything");
    let graph = leaf_spine();
    let rates: Vec<Rate> = graph.links().iter().map(|link| link.rate).collect();
    let elements = rates.iter().map(|rate| port(&mut rng, *rate, seed)).collect();
    let changes = changes(&mut rng, graph.links().len());
    let mut flows: Vec<_> = (0..40)
        .map(|_| {
            let src = rng.random_range(0..8);
            let dst = (src + rng.random_range(1..8)) % 8;
            flow(rng.random_range(0..2_000_000), src, dst, rng.random_range(1..60_000))
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    let spec = NetworkSpec {
        elements,
        changes,
        shared_buffer: rng.random_bool(0.5).then_some(SharedBuffer { bytes: 30_000, alpha: 0.5 }),
        states: Vec::new(),
        reroute_after: Duration::from_ns(rng.random_range(0..100_000)),
        pace: if rng.random_bool(0.5) { Pace::Own } else { Pace::Predecessor },
        seed,
        ..spec(graph, "1 packet", transport(name))
    };
    (spec, flows)
}

/// A run with a probe at every port, and what the probes heard.
fn play(name: &str, seed: Seed) -> (NetworkOutcome<Port>, Vec<Heard>) {
    let (spec, flows) = network(name, seed);
    let mut network = Network::new(spec).unwrap();
    let heard: Vec<Arc<Mutex<Heard>>> = (0..leaf_spine().links().len()).map(|_| Arc::default()).collect();
    for (link, heard) in heard.iter().enumerate() {
        network.watch(link, Box::new(Ear(Arc::clone(heard))));
    }
    // A run that goes on and on fails the test instead of stopping it.
    let options = RunOptions { go_on: &|so_far| so_far.packet_hops < 1_000_000, ..RunOptions::default() };
    let outcome = network.run(&mut List::new(&flows), &options);
    let heard = heard.iter().map(|heard| *heard.lock().unwrap()).collect();
    (outcome, heard)
}

#[test]
fn nothing_is_lost_stuck_or_left_to_chance() {
    let mut seen = [0; 6];
    let mut stalled = 0;
    for entry in TRANSPORTS {
        let name = entry.about().name;
        let is_reliable = transport(name).acknowledges();
        for number in 0..40 {
            let seed = Seed(number).part(name);
            let (outcome, heard) = play(name, seed);
            if is_reliable {
                assert_eq!(outcome.reason, RunEnd::Finished, "{name} {number}");
                assert!(outcome.flows.iter().all(|record| record.acknowledged >= record.received), "{name} {number}");
            } else {
                assert_ne!(outcome.reason, RunEnd::Stopped, "{name} {number}");
                stalled += u64::from(outcome.reason == RunEnd::Stalled);
            }
            let all_received = outcome.flows.iter().all(|record| record.received.is_some());
            assert_eq!(all_received, outcome.reason == RunEnd::Finished, "{name} {number}");
            for ((heard, port), (element, _)) in heard.iter().zip(&outcome.ports).zip(&outcome.elements) {
                assert_eq!(heard.offered, heard.queued + heard.refused, "{name} {number}");
                assert_eq!(heard.queued - heard.evicted - heard.dequeued, element.len() as u64, "{name} {number}");
                assert_eq!((heard.dequeued, heard.sent), (port.packets_sent, port.packets_sent), "{name} {number}");
                assert!(port.busy_ps <= outcome.end.as_ps(), "{name} {number}");
                // The backlog of a failing link is pushed out, too, and counts as lost.
                let dropped = port.packets_dropped..=port.packets_dropped + port.packets_lost;
                assert!(dropped.contains(&(heard.refused + heard.evicted)), "{name} {number}");
                assert_eq!(element.is_empty(), element.bytes() == 0, "{name} {number}");
            }
            let drops = outcome.drops;
            let of_run = [drops.discipline, drops.shared_buffer, drops.on_link, drops.link_down, drops.no_route];
            let marked = outcome.ports.iter().map(|port| port.packets_marked).sum();
            seen.iter_mut().zip(of_run.into_iter().chain([marked])).for_each(|(sum, count)| *sum += count);

            let whole = |outcome: &NetworkOutcome<Port>| {
                (outcome.end, outcome.events, outcome.drops, outcome.flows.clone(), outcome.ports.clone())
            };
            let (again, heard_again) = play(name, seed);
            assert_eq!((whole(&outcome), heard), (whole(&again), heard_again), "{name} {number}");
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "causes of drops, and marks: {seen:?}");
    assert!(stalled > 10, "{stalled}");
}
