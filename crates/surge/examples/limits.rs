//! Harm that no policy bounds, in virtual time: clients whose requests are expensive, and several workers:
//! `cargo run --release -p forebay-surge --example limits`.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_core::{Rng, Seed};
use forebay_surge::{ManualClock, Measure, Policy, Surge, Task};
use rand::RngExt;
use std::time::Duration;

const MOST_WAITING: usize = 100;
const TIME: Duration = Duration::from_secs(2);
const KINDS: usize = 2;

/// Jobs of one kind, with Poisson arrivals.
#[derive(Clone, Copy)]
struct Kind {
    size_bytes: u64,
    work: Duration,
    per_second: f64,
}

struct Job {
    kind: usize,
    work: Duration,
}

/// The bytes done per second, of each kind.
fn goodput(policy: Policy, workers: usize, kinds: [Kind; KINDS]) -> [f64; KINDS] {
    let builder = Surge::builder(MOST_WAITING).policy(policy).measure(Measure::Wall);
    let surge = builder.clock(ManualClock::default()).build().expect("the builder is right");
    let mut rngs: [Rng; KINDS] = ["one", "other"].map(|name| Seed(1).stream(name));
    let mut next_at = [0, 1].map(|kind: usize| gap(&mut rngs[kind], kinds[kind]));
    // When each worker is free.
    let mut clocks = vec![Duration::ZERO; workers];
    let mut done = [0; KINDS];
    loop {
        let worker = (0..workers).min_by_key(|&worker| clocks[worker]).unwrap_or(0);
        let now = clocks[worker];
        if now >= TIME {
            return done.map(|bytes: u64| bytes as f64 / TIME.as_secs_f64());
        }
        loop {
            let kind = usize::from(next_at[1] < next_at[0]);
            if next_at[kind] > now {
                break;
            }
            next_at[kind] += gap(&mut rngs[kind], kinds[kind]);
            let work = kinds[kind].work.mul_f64(rngs[kind].random_range(0.8..1.2));
            drop(surge.submit(Job { kind, work }, 0, kinds[kind].size_bytes, work));
        }
        match surge.try_pull() {
            Ok(Task { job, ticket }) => {
                clocks[worker] += job.work;
                done[job.kind] += ticket.size_bytes();
                ticket.finish_with(job.work);
            }
            Err(_) => clocks[worker] = next_at[0].min(next_at[1]),
        }
    }
}

fn gap(rng: &mut Rng, kind: Kind) -> Duration {
    if kind.per_second > 0.0 {
        Duration::from_secs_f64(-(1.0 - rng.random::<f64>()).ln() / kind.per_second)
    } else {
        TIME
    }
}

fn main() {
    let micros = Duration::from_micros;
    println!("fairness: one worker, cheap jobs (10 us) at 0.6 of what it can do, dear ones (40 us) at 0.2 and 0.6");
    println!("{:6} {:>6} {:>16} {:>16}", "", "load", "cheap served", "dear served");
    for dear_load in [0.2, 0.6] {
        for (name, policy) in [("fcfs", Policy::Fcfs), ("wsjf", Policy::Wsjf)] {
            let kinds = [(10, 0.6), (40, dear_load)].map(|(work, load): (u64, f64)| Kind {
                size_bytes: 1_000,
                work: micros(work),
                per_second: load / micros(work).as_secs_f64(),
            });
            let done = goodput(policy, 1, kinds);
            let share = |kind: usize| 100.0 * done[kind] / (1_000.0 * kinds[kind].per_second);
            println!("{name:6} {:6.1} {:14.1} % {:14.1} %", 0.6 + dear_load, share(0), share(1));
        }
    }

    println!("\nseveral workers: wsjf, load 0.8 of 1,250 B and 20 us, attack of 64 B, 1 % of the innocent bytes");
    println!("innocent bytes displaced for each byte that the attacker sends");
    println!("{:>8} {:>14} {:>14}", "workers", "jobs of 1 ms", "jobs of 10 ms");
    for workers in [1, 2, 4, 8, 16] {
        let innocent = Kind {
            size_bytes: 1_250,
            work: micros(20),
            per_second: 0.8 * f64::from(workers) / micros(20).as_secs_f64(),
        };
        let bytes = innocent.per_second * 1_250.0 * 0.01;
        let displaced = [1, 10].map(|milliseconds| {
            let attack = |bytes: f64| Kind {
                size_bytes: 64,
                work: Duration::from_millis(milliseconds),
                per_second: bytes / 64.0,
            };
            let served = |bytes| goodput(Policy::Wsjf, workers as usize, [innocent, attack(bytes)])[0];
            (served(0.0) - served(bytes)) / bytes
        });
        println!("{workers:8} {:14.2} {:14.2}", displaced[0], displaced[1]);
    }
}
