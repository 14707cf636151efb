//! Packets per second of CPU time, and instructions per packet, through one port.
//!
//! `cargo bench -p forebay`. Poisson arrivals of 1500-byte packets at 90 % of
//! 10 Gb/s. Instructions are the difference between a run of N and one of 2N
//! packets under callgrind; times are the least of several rounds.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use forebay_bench::Bench;
use forebay_core::{BufferSize, ClassId, Discipline, Packet, Rate, Seed, Source, Time};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::probes::{Inversions, QueueLength, Traffic};
use forebay_sim::{Port, Probe, RunOptions};
use forebay_traces::distribution::Range;
use forebay_traces::generate::{Arrivals, Generator, TrafficSpec};
use forebay_traces::{DISTRIBUTIONS, Distribution, RankPattern, Trace, TraceSource};
use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "port" };
const PACKETS: u64 = 500_000;
const ROUNDS: usize = 7;

/// Rank function, queue, drop rule; whether packets are made as they are needed;
/// whether all probes watch.
struct Case {
    name: &'static str,
    rank: &'static str,
    queue: &'static str,
    drop: &'static str,
    generated: bool,
    probes: bool,
}

const CASES: [Case; 6] = [
    Case {
        name: "FIFO, packets from memory, no probes",
        rank: "arrival",
        queue: "fifo",
        drop: "tail",
        generated: false,
        probes: false,
    },
    Case {
        name: "FIFO, generated packets, no probes",
        rank: "arrival",
        queue: "fifo",
        drop: "tail",
        generated: true,
        probes: false,
    },
    Case {
        name: "FIFO, packets from memory, all probes",
        rank: "arrival",
        queue: "fifo",
        drop: "tail",
        generated: false,
        probes: true,
    },
    Case {
        name: "FIFO, generated packets, all probes",
        rank: "arrival",
        queue: "fifo",
        drop: "tail",
        generated: true,
        probes: true,
    },
    Case {
        name: "uniform ranks, HFFS, generated, all probes",
        rank: "packet-rank",
        queue: "hffs",
        drop: "worst-first",
        generated: true,
        probes: true,
    },
    Case {
        name: "uniform ranks, SP-PIFO, generated, all probes",
        rank: "packet-rank",
        queue: "sp-pifo",
        drop: "tail",
        generated: true,
        probes: true,
    },
];

fn spec(packets: u64) -> TrafficSpec {
    let uniform = DISTRIBUTIONS.iter().find(|entry| entry.about.name == "uniform").expect("it is registered");
    let params = forebay_core::Params::defaults(uniform.about.params);
    let ranks = Distribution::new(uniform, Range { min: 0, max: 100 }, &params).expect("a valid range");
    TrafficSpec {
        arrivals: Arrivals::Poisson,
        mean_rate_bps: 9e9,
        max_packets: packets,
        until: Time::MAX,
        flows: 100,
        size_bytes: Distribution::constant(1500),
        flow_bytes: None,
        classes: vec![(ClassId(0), 1.0)],
        queue: None,
        rank: Some(RankPattern::Drawn(ranks)),
        value: None,
        processing_ns: None,
        slack_ns: None,
    }
}

fn source(case: &Case, packets: u64) -> Box<dyn Source> {
    let mut generator = Generator::new(spec(packets), Seed(1));
    if case.generated {
        return Box::new(generator);
    }
    let fields = generator.fields();
    let packets: Vec<Packet> = std::iter::from_fn(|| generator.next_packet()).collect();
    Box::new(TraceSource::new(Arc::new(Trace { packets, fields, ..Trace::default() }), 1.0))
}

fn rate() -> Rate {
    Rate::from_bits_per_second(10_000_000_000).expect("not zero")
}

fn discipline(case: &Case) -> Box<dyn Discipline> {
    let spec = DisciplineSpec {
        rank: Part::named(case.rank),
        queue: Part::named(case.queue),
        drop: Part::named(case.drop),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(80),
        rank_unit: RankUnit::ONE,
        link_rate: rate(),
    };
    Box::new(RankDiscipline::new(&spec).expect("the parts fit"))
}

fn send<P: Probe>(case: &Case, source: &mut dyn Source, probe: P) {
    let mut port = Port::new(rate(), discipline(case), probe);
    black_box(port.run(source, &RunOptions::default()));
    black_box(port.into_parts());
}

fn run(case: &Case, source: &mut dyn Source) {
    if case.probes {
        send(case, source, (Traffic::default(), (Inversions::default(), QueueLength::default())));
    } else {
        send(case, source, ());
    }
}

fn instructions_per_packet(case: usize) -> Option<f64> {
    let count = |packets: u64| -> Option<u64> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*::bench_run*"])
            .arg(std::env::current_exe().ok()?)
            .args(["--count", &case.to_string(), &packets.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()
    };
    Some((count(2 * PACKETS)? - count(PACKETS)?) as f64 / PACKETS as f64)
}

/// What callgrind counts: packets from memory are made before.
#[inline(never)]
fn bench_run(case: &Case, source: &mut dyn Source) {
    run(case, source);
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--count") {
        let number = |offset: usize| arguments[at + offset].parse::<u64>().expect("a number");
        let case = &CASES[usize::try_from(number(1)).expect("a small number")];
        bench_run(case, source(case, number(2)).as_mut());
        return;
    }
    println!("{:48}{:>14}{:>22}{:>8}", "one port at 90 % load", "instructions", "million packets/s", "ns");
    for (index, case) in CASES.iter().enumerate() {
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut source = source(case, PACKETS);
            let start = Instant::now();
            bench_run(case, source.as_mut());
            least = least.min(start.elapsed().as_nanos() as f64 / PACKETS as f64);
        }
        let counted = BENCH.instructions(case.name, instructions_per_packet(index));
        println!("{:48}{counted:>14}{:>22.1}{least:>8.1}", case.name, 1e3 / least);
    }
}
