//! scratch
#![allow(missing_docs, clippy::all)]
use forebay_core::*;
use forebay_net::*;
use forebay_sched::*;
use forebay_sim::Probe;
use forebay_sim::probes::*;
use rand::RngExt;
use std::sync::{Arc, Mutex};
struct Flows {
    rng: Rng,
    now: f64,
    gap: f64,
    end: f64,
    both: bool,
}
impl FlowSource for Flows {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        let u: f64 = self.rng.random();
        self.now += -self.gap * (1.0 - u).ln();
        if self.now > self.end {
            return None;
        }
        let d = if self.both { self.rng.random_range(0..2u32) } else { 0 };
        Some(FlowSpec {
            start: Time::from_ps((self.now * 1e12) as u64),
            src: HostId(d),
            dst: HostId(1 - d),
            bytes: 1_000_000,
            workload: 0,
        })
    }
}
struct Uniform(Rng);
impl Ranks for Uniform {
    fn next_rank(&mut self) -> u64 {
        self.0.random_range(0..=100)
    }
}
struct Shared(Arc<Mutex<Inversions>>);
impl Probe for Shared {
    fn queued(&mut self, n: Time, p: &Packet, l: usize) {
        self.0.lock().unwrap().queued(n, p, l)
    }
    fn evicted(&mut self, n: Time, p: &Packet) {
        self.0.lock().unwrap().evicted(n, p)
    }
    fn dequeued(&mut self, n: Time, p: &Packet, l: usize) {
        self.0.lock().unwrap().dequeued(n, p, l)
    }
}
fn part(text: &str) -> Part {
    let mut it = text.split(':');
    let name = it.next().unwrap();
    let params = it
        .map(|kv| {
            let (k, v) = kv.split_once('=').unwrap();
            (
                k.to_owned(),
                v.parse::<i64>().map_or_else(
                    |_| v.parse::<f64>().map_or(ParamValue::Text(v.to_owned()), ParamValue::Number),
                    ParamValue::Integer,
                ),
            )
        })
        .collect();
    Part { name: name.to_owned(), params }
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let env = |k: &str, d: &str| std::env::var(k).unwrap_or(d.to_owned());
    for (name, queue, drop, buffer) in [
        ("FIFO", "fifo", "tail", "80 packets"),
        ("SPPIFO", "sp-pifo:queues=8:queue_packets=10", "tail", "80 packets"),
        ("Greedy", "gradient:queues=8:queue_packets=10:window=1000", "tail", "80 packets"),
        ("Fixed", "fixed-bounds:queues=8:queue_packets=10:bounds=0,12,25,37,50,62,75,87", "tail", "80 packets"),
        ("PIFO", "pifo", "worst-first", "80 packets"),
        ("FIFO_32", "fifo", "tail", "320 packets"),
        ("SPPIFO_32", "sp-pifo:queues=32:queue_packets=10", "tail", "320 packets"),
        ("Greedy_32", "gradient:queues=32:queue_packets=10:window=1000", "tail", "320 packets"),
    ] {
        let mut g = Graph::default();
        let rate = Rate::parse("10 Gbps").unwrap();
        let h0 = g.add_node("a", NodeKind::Host, 0);
        let h1 = g.add_node("b", NodeKind::Host, 0);
        let ns: u64 = env("NS", "20").parse().unwrap();
        g.connect(h0, h1, rate, Duration::from_ns(ns));
        let elements: Vec<Box<dyn Element>> = g
            .links()
            .iter()
            .map(|l| {
                let spec = DisciplineSpec {
                    rank: part("packet-rank"),
                    queue: part(queue),
                    drop: part(drop),
                    mark: None,
                    buffer: BufferSize::parse(buffer).unwrap(),
                    rank_unit: RankUnit::ONE,
                    link_rate: l.rate,
                };
                Box::new(discipline(&spec, Seed(1)).unwrap()) as Box<dyn Element>
            })
            .collect();
        let tp = part(&a[0]);
        let entry = registry::find("transport", transport::TRANSPORTS, &tp.name).unwrap();
        let t = (entry.build)(&Params::check(entry.about.params, tp.params).unwrap()).unwrap();
        let mut net = Network::new(NetworkSpec {
            graph: g,
            elements,
            shared_buffer: None,
            workloads: vec![Workload {
                transport: t,
                class: ClassId(0),
                ranks: Some(Box::new(Uniform(Seed(3).stream("r")))),
                rank_all: env("ALL", "1") == "1",
            }],
            changes: vec![],
            reroute_after: Duration::ZERO,
            pace: if std::env::var("QUIRK").is_ok() { Pace::Predecessor } else { Pace::Own },
            seed: Seed(1),
        })
        .unwrap();
        let probes: Vec<_> = (0..2)
            .map(|l| {
                let p = Arc::new(Mutex::new(Inversions::default()));
                net.watch(l, Box::new(Shared(p.clone())));
                p
            })
            .collect();
        let seed: u64 = env("SEED", "1").parse().unwrap();
        let mut flows =
            Flows { rng: Seed(seed).stream("f"), now: 0.0, gap: 1.0 / 1500.0, end: 1.0, both: env("BOTH", "1") == "1" };
        let out = net.run(&mut flows, &RunOptions { until: Time::from_ns(1_000_000_000), ..RunOptions::default() });
        let inv: Vec<u64> = probes.iter().map(|p| p.lock().unwrap().of_class(0).inversions).collect();
        let mut c = TransportCounts::default();
        for f in &out.flows {
            c.timeouts += f.sender.timeouts;
            c.fast_retransmits += f.sender.fast_retransmits;
            c.retransmissions += f.sender.retransmissions;
        }
        let done: Vec<f64> =
            out.flows.iter().filter_map(|f| Some(f.acknowledged?.since(f.flow.start).as_ns_f64() / 1e6)).collect();
        let util: Vec<f64> = out.ports.iter().map(|p| p.bytes_sent as f64 * 8.0 / 1e10 * 100.0).collect();
        println!(
            "{name:9} inv {inv:?} drops {} fast {} retx {} rto {} util {util:.1?} flows {} done {} fct {:.3}",
            out.drops.discipline,
            c.fast_retransmits,
            c.retransmissions,
            c.timeouts,
            out.flows.len(),
            done.len(),
            done.iter().sum::<f64>() / done.len() as f64
        );
    }
}
