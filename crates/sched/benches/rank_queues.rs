//! Every rank queue in one state: 100,000 entries, ranks uniform over 32,768.
//!
//! `cargo bench -p forebay-sched` prints instructions (callgrind, if valgrind is installed) and time, each per pair of push and pop, and
//! the time as a ratio to HFFS. Instructions are the difference between a run of N and one of 2N pairs, so that filling the queue does not
//! count. Times are the least of several rounds, in which the queues take turns.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod callgrind;

use forebay_bench::Bench;
use forebay_core::params::ParamValue;
use forebay_core::{Packet, Params, Seed};
use forebay_sched::queues::bitmap_tree::Levels3;
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::queue::pifo::Pifo;
use forebay_sched::queues::{BuiltQueue, PopMax, QUEUES, QueueSize};
use min_max_heap::MinMaxHeap;
use rand::RngExt;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::hint::black_box;
use std::time::Instant;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "rank_queues" };
const ENTRIES: usize = 100_000;
const RANKS: usize = 32_768;
const PAIRS: usize = 200_000;
const ROUNDS: usize = 7;

/// The operations between two measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mix {
    /// Push, pop-min.
    Min,
    /// Push, then pop-min and pop-max in turn.
    MinMax,
    /// As `Min`, pushing the lowest and the highest rank in turn.
    Extremes,
}

const MIXES: [(Mix, &str); 3] = [
    (Mix::Min, "push + pop-min"),
    (Mix::MinMax, "push + pop-min or pop-max in turn"),
    (Mix::Extremes, "push of the lowest or highest rank in turn + pop-min"),
];

/// The measured queue: of 32-bit items, or of packets.
trait Contender {
    fn push(&mut self, rank: u64, item: u32);
    fn pop_min(&mut self) -> Option<u64>;
    /// `None` if it has no such operation or is empty.
    fn pop_max(&mut self) -> Option<u64>;

    /// The measured operations. Compiled once per queue, so that the calls above are calls of the queue and nothing more.
    #[inline(never)]
    fn pairs(&mut self, mix: Mix, ranks: &[u64]) {
        if mix == Mix::MinMax {
            for (item, pair) in (0..).zip(ranks.chunks_exact(2)) {
                self.push(pair[0], item);
                black_box(self.pop_min());
                self.push(pair[1], item);
                black_box(self.pop_max());
            }
        } else {
            for (item, &rank) in (0..).zip(ranks) {
                self.push(rank, item);
                black_box(self.pop_min());
            }
        }
    }
}

struct Typed<Q>(Q);

impl<Q: PopMax<u32>> Contender for Typed<Q> {
    #[inline(always)]
    fn push(&mut self, rank: u64, item: u32) {
        assert!(self.0.push(rank, item).is_ok());
    }
    #[inline(always)]
    fn pop_min(&mut self) -> Option<u64> {
        self.0.pop_min().map(|(rank, _)| rank)
    }
    #[inline(always)]
    fn pop_max(&mut self) -> Option<u64> {
        self.0.pop_max().map(|(rank, _)| rank)
    }
}

/// A registered queue as a discipline uses it: packets, through a trait object.
struct Registered(BuiltQueue);

impl Contender for Registered {
    fn push(&mut self, rank: u64, item: u32) {
        let packet = Packet { id: item.into(), ..Packet::default() };
        assert!(self.0.as_rank_queue_mut().push(rank, packet).is_ok());
    }
    fn pop_min(&mut self) -> Option<u64> {
        self.0.as_rank_queue_mut().pop_min().map(|(rank, _)| rank)
    }
    fn pop_max(&mut self) -> Option<u64> {
        match &mut self.0 {
            BuiltQueue::DoubleEnded(queue) => queue.pop_max().map(|(rank, _)| rank),
            BuiltQueue::SingleEnded(_) => None,
        }
    }
}

/// The library's heap; a count keeps equal ranks in order, as a queue must.
struct Heap(BinaryHeap<Reverse<(u64, u64, u32)>>, u64);

impl Contender for Heap {
    fn push(&mut self, rank: u64, item: u32) {
        self.1 += 1;
        self.0.push(Reverse((rank, self.1, item)));
    }
    fn pop_min(&mut self) -> Option<u64> {
        self.0.pop().map(|Reverse((rank, ..))| rank)
    }
    fn pop_max(&mut self) -> Option<u64> {
        None
    }
}

struct Tree(BTreeMap<(u64, u64), u32>, u64);

impl Contender for Tree {
    fn push(&mut self, rank: u64, item: u32) {
        self.1 += 1;
        self.0.insert((rank, self.1), item);
    }
    fn pop_min(&mut self) -> Option<u64> {
        self.0.pop_first().map(|((rank, _), _)| rank)
    }
    fn pop_max(&mut self) -> Option<u64> {
        self.0.pop_last().map(|((rank, _), _)| rank)
    }
}

/// A double-ended heap from a library; the count keeps equal ranks in order.
struct DoubleHeap(MinMaxHeap<(u64, u64, u32)>, u64);

impl Contender for DoubleHeap {
    fn push(&mut self, rank: u64, item: u32) {
        self.1 += 1;
        self.0.push((rank, self.1, item));
    }
    fn pop_min(&mut self) -> Option<u64> {
        self.0.pop_min().map(|(rank, ..)| rank)
    }
    fn pop_max(&mut self) -> Option<u64> {
        self.0.pop_max().map(|(rank, ..)| rank)
    }
}

/// Makes an empty queue.
type Build = Box<dyn Fn() -> Box<dyn Contender>>;

/// Names and builders: HFFS first, since the others are compared with it.
fn contenders() -> Vec<(String, Build)> {
    let mut all: Vec<(String, Build)> = vec![
        ("hffs, 32-bit items".into(), Box::new(|| Box::new(Typed(Hffs::<u32, Levels3>::new(2 * ENTRIES, RANKS))))),
        ("pifo, 32-bit items".into(), Box::new(|| Box::new(Typed(Pifo::new(2 * ENTRIES))))),
        ("BinaryHeap, 32-bit items".into(), Box::new(|| Box::new(Heap(BinaryHeap::with_capacity(2 * ENTRIES), 0)))),
        (
            "min-max-heap, 32-bit items".into(),
            Box::new(|| Box::new(DoubleHeap(MinMaxHeap::with_capacity(2 * ENTRIES), 0))),
        ),
        ("BTreeMap, 32-bit items".into(), Box::new(|| Box::new(Tree(BTreeMap::new(), 0)))),
    ];
    // Moving 100,000 entries for every packet is what a shift register does in
    // hardware at once, and a program in minutes.
    for entry in QUEUES.iter().filter(|entry| entry.about.name != "shift-register") {
        let build = || {
            let has = |name: &str| entry.about.params.iter().any(|spec| spec.name == name);
            let mut given = BTreeMap::new();
            if has("ranks") {
                given.insert("ranks".to_owned(), ParamValue::Integer(RANKS as i64));
            }
            if has("queue_packets") {
                given.insert("queue_packets".to_owned(), ParamValue::Integer(2 * ENTRIES as i64));
            }
            if has("rank_width") {
                // The calendar's 8 days are all ranks, so that none is dropped.
                given.insert("rank_width".to_owned(), ParamValue::Integer(RANKS as i64 / 8));
            }
            if has("burst") {
                // Admission lets everything in, so that the queue holds what the others hold.
                given.insert("burst".to_owned(), ParamValue::Number(0.99));
            }
            let params = Params::check(entry.about.params, given).expect("the parameters are valid");
            let queue = (entry.build)(QueueSize { packets: 2 * ENTRIES }, &params).expect("the queue can be built");
            Box::new(Registered(queue)) as Box<dyn Contender>
        };
        all.push((format!("{}, packets", entry.about.name), Box::new(build)));
    }
    all
}

/// Ranks for filling and for `pairs` pairs.
fn ranks(mix: Mix, pairs: usize) -> (Vec<u64>, Vec<u64>) {
    let mut rng = Seed(1).stream("bench");
    let mut uniform = |count| (0..count).map(|_| rng.random_range(0..RANKS as u64)).collect::<Vec<_>>();
    let fill = uniform(ENTRIES);
    let pushes = match mix {
        Mix::Extremes => (0..pairs).map(|pair| if pair % 2 == 0 { 0 } else { RANKS as u64 - 1 }).collect(),
        _ => uniform(pairs),
    };
    (fill, pushes)
}

fn fill(queue: &mut dyn Contender, ranks: &[u64]) {
    for (item, &rank) in (0..).zip(ranks) {
        queue.push(rank, item);
    }
}

/// Runs the pairs under callgrind (see `main`) and returns instructions per pair.
fn instructions_per_pair(contender: usize, mix: usize) -> Option<f64> {
    let count = |pairs: usize| callgrind::instructions(&[contender, mix, pairs].map(|number| number.to_string()));
    Some((count(2 * PAIRS)? - count(PAIRS)?) as f64 / PAIRS as f64)
}

fn main() {
    if let Some(asked) = callgrind::asked_to_count() {
        let &[contender, mix, pairs] = asked.as_slice() else { panic!("three numbers") };
        // Twice the ranks in both runs, so that making them costs the same.
        let (first, pushes) = ranks(MIXES[mix].0, 2 * PAIRS);
        let mut queue = contenders()[contender].1();
        fill(queue.as_mut(), &first);
        queue.pairs(MIXES[mix].0, &pushes[..pairs]);
        return;
    }
    let contenders = contenders();
    for (mix_index, (mix, title)) in MIXES.into_iter().enumerate() {
        println!("\n{title}: {ENTRIES} entries, ranks uniform over {RANKS}\n");
        println!("{:28}{:>14}{:>12}{:>18}", "queue", "instructions", "ns", "time / hffs");
        let (first, pushes) = ranks(mix, PAIRS);
        let can = |queue: &mut dyn Contender| {
            queue.push(0, 0);
            mix != Mix::MinMax || queue.pop_max().is_some()
        };
        let able: Vec<bool> = contenders.iter().map(|(_, build)| can(build().as_mut())).collect();
        let mut least = vec![f64::INFINITY; contenders.len()];
        for _ in 0..ROUNDS {
            for (index, (_, build)) in contenders.iter().enumerate().filter(|(index, _)| able[*index]) {
                let mut queue = build();
                fill(queue.as_mut(), &first);
                let start = Instant::now();
                queue.pairs(mix, &pushes);
                least[index] = least[index].min(start.elapsed().as_nanos() as f64 / PAIRS as f64);
            }
        }
        for (index, (name, _)) in contenders.iter().enumerate().filter(|(index, _)| able[*index]) {
            let case = format!("{title}: {name}");
            let counted = BENCH.instructions(&case, instructions_per_pair(index, mix_index));
            let ratio = BENCH.ratio(&case, least[index] / least[0]);
            println!("{name:28}{counted:>14}{:>12.1}{ratio:>18}", least[index]);
        }
    }
}
