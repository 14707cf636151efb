//! The fast engine beside the same policies written by hand, and the algorithms of section IV-G of the OpenQueue paper.
//!
//! `cargo bench -p forebay-engine` prints instructions (callgrind, if valgrind is installed) and time for each packet
//! that arrives, of its admission and of its service. Both sides are called through a trait object. Instructions are
//! the difference between a run of N and one of 2N packets, so that filling the queues does not count. `cargo bench
//! -p forebay-engine -- changes` prints only the cost of changes under traffic. Times are the least of several
//! rounds, in which the two sides take turns.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../../tests/it/build.rs"]
#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
mod build;
mod by_hand;
mod change;

use build::*;
use by_hand::{LongestDrops, PORTS, ShortestFirst, Strict, TailDrop};
use forebay_bench::Bench;
use forebay_core::{ClassId, Duration, Packet, QueueId, Seed, Time};
use forebay_engine::{Engine, Fast};
use forebay_lang::ir::{PacketField, Policy, PortId, QueueField};
use rand::RngExt;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "policies" };
const PACKETS: usize = 300_000;
const ROUNDS: usize = 9;
const SIZE: u16 = 512;

/// Makes an engine.
type Make = fn() -> Box<dyn Engine + Send>;

/// Two ways to run a policy, or one.
struct Case {
    name: &'static str,
    by_hand: Option<Make>,
    policy: fn() -> Policy,
    /// How many ports are served in turn.
    ports: u16,
}

const CASES: [Case; 8] = [
    Case {
        name: "FIFO, tail drop",
        by_hand: Some(|| Box::new(TailDrop::new(SIZE.into()))),
        policy: || one_port(vec![full_of(SIZE)]),
        ports: 1,
    },
    Case {
        name: "SRPT, push-out",
        by_hand: Some(|| Box::new(ShortestFirst::new(SIZE.into()))),
        policy: shortest_first,
        ports: 1,
    },
    Case { name: "4 strict classes", by_hand: Some(|| Box::new(Strict::new(SIZE.into()))), policy: strict, ports: 1 },
    Case {
        name: "LQD, 32 ports",
        by_hand: Some(|| Box::new(LongestDrops::new(4 * u32::from(SIZE)))),
        policy: longest_drops,
        ports: PORTS,
    },
    Case { name: "IV-G: A", by_hand: None, policy: || one_port(vec![full_of(SIZE)]), ports: 1 },
    Case { name: "IV-G: B", by_hand: None, policy: low_class_drops, ports: 1 },
    Case { name: "IV-G: C", by_hand: None, policy: high_class_first, ports: 1 },
    Case { name: "IV-G: C, two queues", by_hand: None, policy: shortest_first_low_class_drops, ports: 1 },
];

/// A queue in packets, with the defaults of the language: FIFO and tail drop.
fn full_of(size: u16) -> forebay_lang::ir::Queue {
    queue("q", packets(size.into()))
}

fn shortest_first() -> Policy {
    let mut only = full_of(SIZE);
    only.processing = by_lowest(PacketField::Processing);
    only.admission = by_highest(PacketField::Processing);
    one_port(vec![only])
}

fn strict() -> Policy {
    let mut policy = one_port((0..4).map(|_| full_of(SIZE)).collect());
    policy
        .queues
        .iter_mut()
        .zip(0..)
        .for_each(|(queue, class)| queue.sched_state = forebay_lang::Ratio::from_integer(class));
    policy.ports[0].scheduling = order("strict", &[lowest(this_queue(QueueField::SchedState))]);
    policy
}

fn longest_drops() -> Policy {
    let all: Vec<u16> = (0..PORTS).collect();
    let mut shared = buffer("b", packets(4 * u64::from(SIZE)), &all);
    shared.admission = Some(order("longest", &[highest(this_queue(QueueField::CurrSize))]));
    policy(
        all.iter().map(|_| full_of(4 * SIZE)).collect(),
        all.iter().map(|&queue| port("out", &[queue])).collect(),
        vec![shared],
    )
}

/// FIFO, and packets of low class are dropped first.
fn low_class_drops() -> Policy {
    let mut only = full_of(SIZE);
    only.admission = by_lowest(PacketField::Class);
    one_port(vec![only])
}

/// Packets of high class are served first, those of low class dropped first.
fn high_class_first() -> Policy {
    let mut only = full_of(SIZE);
    only.processing = by_highest(PacketField::Class);
    only.admission = by_lowest(PacketField::Class);
    one_port(vec![only])
}

/// Two orders that need a queue each.
fn shortest_first_low_class_drops() -> Policy {
    let mut only = full_of(SIZE);
    only.processing = by_lowest(PacketField::Processing);
    only.admission = by_lowest(PacketField::Value);
    one_port(vec![only])
}

/// How much arrives.
#[derive(Clone, Copy)]
enum Load {
    /// Each packet that arrives is followed by one that leaves; queues stay half full.
    Half,
    /// Three packets arrive while two leave; queues are full.
    Over,
}

const LOADS: [(Load, &str); 2] = [(Load::Half, "no drops"), (Load::Over, "load 1.5")];

/// Packets of 40 to 1500 bytes to random queues, with random work, classes 1 and 63, and random values.
fn traffic(ports: u16, queues: usize, count: usize) -> Vec<Packet> {
    let mut rng = Seed(1).stream("bench");
    let queues = u16::try_from(queues).unwrap_or(ports);
    let mut packet = |id: usize| Packet {
        id: id as u64,
        arrival: Time::from_ns(id as u64 * 100),
        size_bytes: rng.random_range(40..=1_500),
        processing: Duration::from_ns(rng.random_range(1..=10_000)),
        class: ClassId(if rng.random_bool(0.5) { 63 } else { 1 }),
        value: rng.random_range(0..1_000),
        queue: QueueId(rng.random_range(0..queues)),
        ..Packet::default()
    };
    (0..count).map(&mut packet).collect()
}

/// The measured loop. It is the same code for both sides, so the calls are those of the engine and nothing more.
#[inline(never)]
fn drive(engine: &mut dyn Engine, packets: &[Packet], load: Load, ports: u16) {
    let mut evicted = Vec::with_capacity(16);
    let mut port = 0;
    let mut leave = |engine: &mut dyn Engine, now| {
        black_box(engine.dequeue(now, PortId(port)));
        port = if port + 1 == ports { 0 } else { port + 1 };
    };
    for three in packets.chunks_exact(3) {
        for (place, packet) in three.iter().enumerate() {
            black_box(engine.enqueue(packet.arrival, *packet, &mut evicted));
            evicted.clear();
            if matches!(load, Load::Half) || place > 0 {
                leave(engine, packet.arrival);
            }
        }
    }
}

/// Fills an engine for a load.
fn fill(engine: &mut dyn Engine, load: Load, all: &[Packet]) {
    let packets = match load {
        Load::Half => &all[..usize::from(SIZE) / 2],
        Load::Over => &all[..usize::from(SIZE) * 6],
    };
    let mut evicted = Vec::new();
    for packet in packets {
        engine.enqueue(packet.arrival, *packet, &mut evicted);
    }
}

/// Side `which` of a case; 0 is the one written by hand.
fn make(case: &Case, which: usize) -> Option<Box<dyn Engine + Send>> {
    if which == 0 {
        return case.by_hand.map(|make| make());
    }
    Fast::new(&(case.policy)(), options(1)).ok().map(Fast::into_engine)
}

/// Runs one side under callgrind (see `main`) and returns instructions per packet.
fn instructions(case: usize, which: usize, load: usize) -> Option<f64> {
    let count = |packets: usize| instructions_of("--count", &[case, which, load, packets]);
    let packets = 30_000;
    Some((count(2 * packets)? - count(packets)?) as f64 / packets as f64)
}

/// Instructions of this program with such arguments.
fn instructions_of(what: &str, numbers: &[usize]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .arg(what)
        .args(numbers.iter().map(ToString::to_string))
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()
}

/// Runs the two sides under one load, in turns: nanoseconds per packet.
fn times(case: &Case, load: Load) -> [f64; 2] {
    let all = traffic(case.ports, (case.policy)().queues.len(), PACKETS);
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (which, least) in least.iter_mut().enumerate() {
            let Some(mut engine) = make(case, which) else { continue };
            fill(engine.as_mut(), load, &all);
            let start = Instant::now();
            drive(engine.as_mut(), &all, load, case.ports);
            *least = least.min(start.elapsed().as_nanos() as f64 / PACKETS as f64);
        }
    }
    least
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |at: usize| arguments[at].parse::<usize>().expect("a number");
    if let Some(at) = arguments.iter().position(|argument| argument == "--change") {
        change::run(number(at + 1), number(at + 2), number(at + 3));
    }
    if arguments.iter().any(|argument| argument == "changes") {
        return change::print();
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--count") {
        let (case, load) = (&CASES[number(at + 1)], LOADS[number(at + 3)].0);
        // As many packets are made in both runs.
        let all = traffic(case.ports, (case.policy)().queues.len(), 60_000);
        let mut engine = make(case, number(at + 2)).expect("there is this contender");
        fill(engine.as_mut(), load, &all);
        drive(engine.as_mut(), &all[..number(at + 4)], load, case.ports);
        return;
    }
    println!(
        "{:22}{:>10}{:>10}{:>12}{:>8}{:>10}{:>10}{:>8}",
        "per arriving packet", "", "by hand", "engine", "ratio", "engine ns", "M/s", "ratio"
    );
    for (index, case) in CASES.iter().enumerate() {
        for (load_index, (load, load_name)) in LOADS.into_iter().enumerate() {
            let count = |which| instructions(index, which, load_index);
            let (hand, engine) = (case.by_hand.and_then(|_| count(0)), count(1));
            let label = format!("{load_name}: {}", case.name);
            let hand_count = hand.map(|count| BENCH.instructions(&format!("{label}, by hand"), Some(count)));
            let engine_count = BENCH.instructions(&format!("{label}, engine"), engine);
            let ratio = hand.zip(engine).map_or_else(String::new, |(hand, engine)| format!("{:.2}", engine / hand));
            let [hand_ns, engine_ns] = times(case, load);
            let time_ratio = if hand_ns.is_finite() { BENCH.ratio(&label, engine_ns / hand_ns) } else { String::new() };
            println!(
                "{:22}{load_name:>10}{:>10}{engine_count:>12}{ratio:>8}{engine_ns:>10.1}{:>10.1}{time_ratio:>8}",
                case.name,
                hand_count.unwrap_or_default(),
                1_000.0 / engine_ns,
            );
        }
    }
    change::print();
}
