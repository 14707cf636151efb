//! What a change under traffic costs while 1000 packets wait.

use super::{BENCH, CASES, Case, instructions_of, traffic};
use forebay_core::{BufferSize, Seed, Time};
use forebay_engine::{Fast, Live, Transition};
use forebay_lang::ir::Policy;
use std::hint::black_box;
use std::time::Instant;

const WAITING: usize = 1_000;
const ROUNDS: usize = 200;

/// Which of [`CASES`] are changed: FIFO, SRPT, and the longest of 32 queues drops, where twice as many fit as wait.
const CHANGED: [usize; 3] = [0, 1, 3];
const TRANSITIONS: [(Transition, &str); 2] = [(Transition::Drain, "drain"), (Transition::Rerank, "rerank")];

/// A policy under which 1000 packets wait, with twice the room.
fn filled(case: &Case) -> (Live<Fast>, Policy) {
    let mut policy = (case.policy)();
    // Parts of two versions are the same if their names are.
    for (id, queue) in policy.queues.iter_mut().enumerate() {
        queue.name = format!("q{id}");
        queue.size = BufferSize::Packets(2 * WAITING as u64);
    }
    policy.ports.iter_mut().enumerate().for_each(|(id, port)| port.name = format!("out{id}"));
    let build = |policy: &Policy, options| Fast::new(policy, options).expect("these are checked");
    let mut live = Live::new(build, policy.clone(), Seed(1));
    for packet in traffic(case.ports, policy.queues.len(), WAITING) {
        live.enqueue(packet.arrival, packet, &mut Vec::new());
    }
    assert_eq!(live.len(), WAITING, "all wait");
    (live, policy)
}

/// Runs so many changes, 0 or 1, under callgrind (see `main`).
pub(crate) fn run(case: usize, transition: usize, changes: usize) {
    let (mut live, policy) = filled(&CASES[case]);
    if changes > 0 {
        black_box(live.change(Time::from_ns(1 << 30), policy, TRANSITIONS[transition].0).ok());
    }
    std::process::exit(0);
}

fn microseconds(case: &Case, transition: Transition) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (mut live, policy) = filled(case);
        let start = Instant::now();
        let changed = black_box(live.change(Time::from_ns(1 << 30), policy, transition));
        least = least.min(start.elapsed().as_nanos() as f64 / 1_000.0);
        assert!(changed.is_ok(), "nothing is lost");
    }
    least
}

/// Prints the table.
pub(crate) fn print() {
    println!("\n{:22}{:>10}{:>14}{:>14}", "a change", "", "instructions", "microseconds");
    for index in CHANGED {
        for (number, (transition, name)) in TRANSITIONS.into_iter().enumerate() {
            let count = |changes: usize| instructions_of("--change", &[index, number, changes]);
            let counted = count(1).zip(count(0)).map(|(one, none)| (one - none) as f64);
            let counted = BENCH.instructions(&format!("change by {name}: {}", CASES[index].name), counted);
            let time = microseconds(&CASES[index], transition);
            println!("{:22}{name:>10}{counted:>14}{time:>14.1}", CASES[index].name);
        }
    }
}
