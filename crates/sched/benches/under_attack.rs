//! Queues of a scheduler that is itself attacked (SurgeProtector, section 3.6.3).
//!
//! Packets wait for a processor in the order of work per byte, in a queue that is full under attack. An arriving packet pushes out a worse
//! one, if the queue can give that up.
//!
//! `cargo bench -p forebay-sched --bench under_attack` prints the share of the innocent packets that is served. It also prints instructions
//! (callgrind, if valgrind is installed) for each packet that arrives and for each push and pop, without and with attacks. A packet that is
//! dropped on arrival costs a look at the worst waiting one, and is neither push nor pop. Instructions are the difference between a run of
//! N packets and one of 2N, so that filling the queue does not count.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod callgrind;

use forebay_bench::Bench;
use forebay_core::Seed;
use forebay_sched::queues::bitmap_tree::Levels3;
use forebay_sched::queues::queue::fibonacci_heap::FibonacciHeap;
use forebay_sched::queues::queue::fibonacci_pair::FibonacciPair;
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::queue::pifo::Pifo;
use forebay_sched::queues::{PopMax, RankQueue};
use rand::RngExt;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "under_attack" };
/// Packets that the queue holds.
const ENTRIES: usize = 16_384;
const RANKS: usize = 32_768;
/// Picoseconds of work per byte for each rank.
const RANK_UNIT: u64 = 8;
/// Packets that arrive in a measurement.
const PACKETS: usize = 400_000;
/// Innocent packets: 1,250 B with 1 us of work each arrive every 1.25 us.
const GAP_PS: u64 = 1_250_000;

/// A packet that arrives.
#[derive(Clone, Copy)]
struct Arrival {
    at_ps: u64,
    rank: u64,
    work_ps: u64,
    innocent: bool,
}

/// The attackers, with packets of 64 B.
#[derive(Clone, Copy, PartialEq)]
enum Attack {
    Nobody,
    /// The largest job, 10 us, every time: all rank alike, and last.
    Largest,
    /// Each job a little smaller than the one before, from 10 us down to 2 us and again: each pushes another out.
    Falling,
}

const ATTACKS: [(Attack, &str); 3] =
    [(Attack::Nobody, "no attack"), (Attack::Largest, "largest jobs"), (Attack::Falling, "falling jobs")];

/// Attack packets for each innocent one: 2 Gb/s of 64 B.
const ATTACK_PACKETS: u64 = 5;

fn rank(work_ps: u64, bytes: u64) -> u64 {
    (work_ps / bytes / RANK_UNIT).min(RANKS as u64 - 1)
}

/// So many packets, after as many as fill the queue.
fn traffic(attack: Attack, packets: usize) -> Vec<Arrival> {
    let mut rng = Seed(1).stream("bench");
    let mut falling = 0;
    let mut arrivals = Vec::with_capacity(packets);
    for number in 0.. {
        let at_ps = number * GAP_PS;
        let work_ps = rng.random_range(700_000..1_300_000);
        arrivals.push(Arrival { at_ps, rank: rank(work_ps, 1_250), work_ps, innocent: true });
        for part in 1..=ATTACK_PACKETS {
            let work_ps = match attack {
                Attack::Nobody => break,
                Attack::Largest => 10_000_000,
                Attack::Falling => {
                    falling = (falling + 1) % 15_000;
                    10_000_000 - falling * 512
                }
            };
            let at_ps = at_ps + part * GAP_PS / (ATTACK_PACKETS + 1);
            arrivals.push(Arrival { at_ps, rank: rank(work_ps, 64), work_ps, innocent: false });
        }
        if arrivals.len() >= packets {
            break;
        }
    }
    arrivals.truncate(packets);
    arrivals
}

/// What a queue must do here: an item is the index of its arrival.
trait Contender {
    fn push(&mut self, rank: u64, item: u32) -> bool;
    fn pop_min(&mut self) -> Option<u32>;
    /// The highest rank, if that can be given up.
    fn worst(&self) -> Option<u64>;
    fn pop_worst(&mut self);
}

struct OneEnd<Q>(Q);

impl<Q: RankQueue<u32>> Contender for OneEnd<Q> {
    #[inline(always)]
    fn push(&mut self, rank: u64, item: u32) -> bool {
        self.0.push(rank, item).is_ok()
    }
    #[inline(always)]
    fn pop_min(&mut self) -> Option<u32> {
        self.0.pop_min().map(|(_, item)| item)
    }
    fn worst(&self) -> Option<u64> {
        None
    }
    fn pop_worst(&mut self) {}
}

struct TwoEnds<Q>(Q);

impl<Q: PopMax<u32>> Contender for TwoEnds<Q> {
    #[inline(always)]
    fn push(&mut self, rank: u64, item: u32) -> bool {
        self.0.push(rank, item).is_ok()
    }
    #[inline(always)]
    fn pop_min(&mut self) -> Option<u32> {
        self.0.pop_min().map(|(_, item)| item)
    }
    #[inline(always)]
    fn worst(&self) -> Option<u64> {
        self.0.peek_max().map(|(rank, _)| rank)
    }
    #[inline(always)]
    fn pop_worst(&mut self) {
        self.0.pop_max();
    }
}

/// What happened.
#[derive(Default, Clone, Copy)]
struct Seen {
    operations: u64,
    innocent: u64,
    served: u64,
}

impl Seen {
    /// What happened since.
    fn since(self, earlier: Self) -> Self {
        Self {
            operations: self.operations - earlier.operations,
            innocent: self.innocent - earlier.innocent,
            served: self.served - earlier.served,
        }
    }
}

/// Plays the traffic; the processor takes the best packet whenever it is free.
#[inline(never)]
fn play(queue: &mut impl Contender, traffic: &[Arrival]) -> Seen {
    let (mut seen, mut free_at, mut waiting) = (Seen::default(), 0, 0);
    for (item, arrival) in (0_u32..).zip(traffic) {
        while waiting > 0 && free_at <= arrival.at_ps {
            seen.operations += 1;
            let Some(next) = queue.pop_min() else { break };
            waiting -= 1;
            let next = &traffic[next as usize];
            seen.served += u64::from(next.innocent);
            free_at = free_at.max(next.at_ps) + next.work_ps;
        }
        seen.innocent += u64::from(arrival.innocent);
        if waiting == ENTRIES {
            match queue.worst() {
                Some(worst) if worst > arrival.rank => {
                    queue.pop_worst();
                    seen.operations += 1;
                    waiting -= 1;
                }
                _ => continue,
            }
        }
        seen.operations += 1;
        waiting += usize::from(queue.push(arrival.rank, item));
    }
    seen
}

const NAMES: [&str; 4] = ["hffs", "pifo (min-max heap)", "fibonacci-pair", "fibonacci-heap, tail drop"];

fn play_on(contender: usize, traffic: &[Arrival]) -> Seen {
    match contender {
        0 => play(&mut TwoEnds(Hffs::<u32, Levels3>::new(ENTRIES, RANKS)), traffic),
        1 => play(&mut TwoEnds(Pifo::new(ENTRIES)), traffic),
        2 => play(&mut TwoEnds(FibonacciPair::new(ENTRIES)), traffic),
        _ => play(&mut OneEnd(FibonacciHeap::new(ENTRIES)), traffic),
    }
}

fn main() {
    if let Some(asked) = callgrind::asked_to_count() {
        let &[contender, attack, packets] = asked.as_slice() else { panic!("three numbers") };
        // All packets are made in both runs, so that making them costs the same.
        let traffic = traffic(ATTACKS[attack].0, 2 * PACKETS);
        play_on(contender, &traffic[..packets]);
        return;
    }
    println!("{ENTRIES} packets wait at most; innocents are 80 % of what can be worked on\n");
    println!(
        "{:28}{:14}{:>16}{:>14}{:>19}{:>14}{:>19}",
        "queue", "attack", "instr. / packet", "to no attack", "instr. / push, pop", "to no attack", "innocents served"
    );
    for (contender, name) in NAMES.into_iter().enumerate() {
        let mut without = None;
        for (attack, (kind, title)) in ATTACKS.into_iter().enumerate() {
            let traffic = traffic(kind, 2 * PACKETS);
            let seen = play_on(contender, &traffic).since(play_on(contender, &traffic[..PACKETS]));
            let served = 100.0 * seen.served as f64 / seen.innocent as f64;
            let count = |packets: usize| callgrind::instructions(&[contender, attack, packets].map(|n| n.to_string()));
            let counted = count(2 * PACKETS).zip(count(PACKETS)).map(|(twice, once)| (twice - once) as f64);
            let Some(instructions) = counted else {
                println!("{name:28}{title:14}{:>16}{:>14}{:>19}{:>14}{served:>17.1} %", "no valgrind", "", "", "");
                continue;
            };
            let (packet, operation) = (instructions / PACKETS as f64, instructions / seen.operations as f64);
            let (packet_before, operation_before) = *without.get_or_insert((packet, operation));
            let case = format!("{title}: {name}");
            let packets = BENCH.instructions(&format!("{case}, per packet"), Some(packet));
            let operations = BENCH.instructions(&format!("{case}, per push or pop"), Some(operation));
            println!(
                "{name:28}{title:14}{packets:>16}{:>14.2}{operations:>19}{:>14.2}{served:>17.1} %",
                packet / packet_before,
                operation / operation_before
            );
        }
    }
}
