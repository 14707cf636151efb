//! Packets that are worked on: a port whose links are servers, against a model that moves tick by tick.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod estimate;
mod naive;
mod servers;

use forebay_core::{BufferSize, Discipline, Duration, Element, Fields, FlowId, Packet, Rate, Seed, Source, Time};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::{Port, PortOutcome, Probe, RunOptions, Servers, Service};
use rand::RngExt;

/// Packets in order of arrival.
struct List<'a>(std::slice::Iter<'a, Packet>);

impl Source for List<'_> {
    fn next_packet(&mut self) -> Option<Packet> {
        self.0.next().copied()
    }

    fn fields(&self) -> Fields {
        Fields::ALL
    }
}

/// What became of a packet, and when, in the order in which it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Dropped,
    Started,
    Completed,
}

/// Times in ticks of a nanosecond, and ids.
pub(crate) type Log = Vec<(u64, Event, u64)>;

/// Notes what happens, and the packets that were completed.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) log: Log,
    pub(crate) dropped: Vec<Packet>,
    pub(crate) completed: Vec<Packet>,
}

impl Watch {
    fn note(&mut self, now: Time, event: Event, packet: &Packet) {
        assert!(now.as_ps().is_multiple_of(1_000));
        self.log.push((now.as_ps() / 1_000, event, packet.id));
    }
}

impl Probe for Watch {
    fn refused(&mut self, now: Time, packet: &Packet) {
        self.evicted(now, packet);
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.note(now, Event::Dropped, packet);
        self.dropped.push(*packet);
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.note(now, Event::Started, packet);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.note(now, Event::Completed, packet);
        self.completed.push(*packet);
    }
}

/// Arrivals, work and sizes with many ties and some gaps; some packets need no work at all.
pub(crate) fn packets(count: u64, mean_gap: u64, case: &str) -> Vec<Packet> {
    let mut rng = Seed(21).stream(case);
    let mut now = 0;
    let packet = |id| {
        now += if rng.random_bool(0.2) { 0 } else { rng.random_range(0..=2 * mean_gap) };
        Packet {
            id,
            arrival: Time::from_ns(now),
            processing: Duration::from_ns(rng.random_range(0..20)),
            size_bytes: 64 * rng.random_range(1..5),
            flow: FlowId(rng.random_range(0..4)),
            ..Packet::default()
        }
    };
    (0..count).map(packet).collect()
}

pub(crate) fn spec(rank: &str, drop: &str, buffer: u64) -> DisciplineSpec {
    DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named("pifo"),
        drop: Part::named(drop),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(buffer),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("10 Gbps").unwrap(),
    }
}

pub(crate) fn built(rank: &str, drop: &str, buffer: u64) -> Box<dyn Discipline + Send> {
    discipline(&spec(rank, drop, buffer), Seed(1)).unwrap()
}

/// Sends the packets through a discipline with so many servers.
pub(crate) fn serve(
    service: impl Service,
    servers: usize,
    discipline: Box<dyn Discipline + Send>,
    packets: &[Packet],
    until: Time,
) -> (PortOutcome, Watch) {
    serve_element(service, Servers::new(servers, discipline), packets, until)
}

/// As [`serve`], with whatever has servers.
pub(crate) fn serve_element(
    service: impl Service,
    element: impl Element,
    packets: &[Packet],
    until: Time,
) -> (PortOutcome, Watch) {
    let mut port = Port::new(service, element, Watch::default());
    let outcome = port.run(&mut List(packets.iter()), &RunOptions { until, ..RunOptions::default() });
    (outcome, port.into_parts().1)
}
