//! A port of a network and the same port alone: the same packets wait, are dropped and leave, and the same is counted.

use crate::net::support::{List, Port, flow, gbps, spec, transport};
use forebay_core::{BufferSize, Duration, Fields, Packet, Rate, Seed, Source, Time};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::Probe;
use forebay_sim::net::{Graph, Network, RunOptions};
use forebay_sim::probes::{Departures, PortCounter};
use std::sync::{Arc, Mutex};

/// The packets that a port is offered, and the fingerprint of those that it sends.
#[derive(Default)]
struct Log {
    offered: Vec<Packet>,
    departures: Departures,
}

struct Ear(Arc<Mutex<Log>>);

impl Probe for Ear {
    fn offered(&mut self, _: Time, packet: &Packet) {
        self.0.lock().unwrap().offered.push(*packet);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.0.lock().unwrap().departures.sent(now, packet);
    }
}

/// The same packets once more.
struct Again(std::vec::IntoIter<Packet>);

impl Source for Again {
    fn next_packet(&mut self) -> Option<Packet> {
        self.0.next()
    }

    fn fields(&self) -> Fields {
        Fields::NONE
    }
}

fn port(rank: &str, queue: &str, drop: &str, link_rate: Rate) -> Port {
    let parts = DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named(queue),
        drop: Part::named(drop),
        buffer: BufferSize::parse("12 packets").unwrap(),
        mark: None,
        pace: None,
        rank_unit: RankUnit::ONE,
        link_rate,
    };
    Box::new(discipline(&parts, Seed(1)).unwrap())
}

#[test]
fn a_port_of_a_network_is_as_one_alone() {
    // No packet arrives at the very moment at which another one leaves.
    let slow = Rate::from_bits_per_second(777_777_777).unwrap();
    let mut graph = Graph::default();
    let hosts = ["h0", "h1", "h2", "h3"].map(|name| graph.add_host(name, 0));
    let switch = graph.add_switch("s");
    hosts[..3].iter().for_each(|host| graph.connect(*host, switch, gbps(1), Duration::from_ns(100)));
    graph.connect(switch, hosts[3], slow, Duration::from_ns(100));
    let link = graph.links().iter().position(|link| link.to == hosts[3]).unwrap();
    let flows: Vec<_> = (0..40).map(|n| flow(n * 50_321, (n % 3) as u32, 3, 1_000 + 2_777 * (n % 17))).collect();
    for [rank, queue, drop] in [["arrival", "fifo", "tail"], ["remaining-bytes", "pifo", "worst-first"]] {
        let mut spec = spec(graph.clone(), "1000 packets", transport("ideal"));
        spec.elements[link] = port(rank, queue, drop, slow);
        let mut network = Network::new(spec).unwrap();
        let log = Arc::<Mutex<Log>>::default();
        network.watch(link, Box::new(Ear(Arc::clone(&log))));
        let outcome = network.run(&mut List::new(&flows), &RunOptions::default());
        let log = std::mem::take(&mut *log.lock().unwrap());
        let counted = outcome.ports[link];
        assert!(counted.packets_dropped > 20 && counted.packets_sent > 100, "{counted:?}");

        let alone = port(rank, queue, drop, slow);
        let mut alone = forebay_sim::Port::new(slow, alone, (PortCounter::default(), Departures::default()));
        let end = alone.run(&mut Again(log.offered.into_iter()), &forebay_sim::RunOptions::default()).end;
        let (_, (mut counter, departures)) = alone.into_parts();
        assert_eq!(counter.counts(end), counted, "{queue}");
        assert_eq!(departures, log.departures, "{queue}");
    }
}
