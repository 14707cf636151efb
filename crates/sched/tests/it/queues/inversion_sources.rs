//! SP-PIFO, with bounds and with the highest ranks, and the sources of its inversions, against plain lists that are looked
//! through for everything.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{Packet, ParamValue, Params, Rng, Seed};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueSize, RankQueue};
use rand::RngExt;
use std::collections::BTreeMap;

const QUEUE_PACKETS: usize = 10;

/// A packet that waits in a queue of the model.
#[derive(Clone, Copy)]
struct Waiting {
    rank: u64,
    id: u64,
    is_below_all_bounds: bool,
}

/// Where the model gets its bounds.
#[derive(Clone, Copy, PartialEq)]
enum Bounds {
    /// Algorithm 1 of the paper.
    Moving,
    /// The highest rank in each queue and those above it.
    Highest,
}

struct Plain {
    kind: Bounds,
    bounds: Vec<u64>,
    queues: Vec<Vec<Waiting>>,
    in_first_queue: u64,
    behind_sunk_bounds: u64,
    between_queues: u64,
    cost: u64,
}

impl Plain {
    fn new(kind: Bounds, queues: usize) -> Self {
        Self {
            kind,
            bounds: vec![0; queues],
            queues: vec![Vec::new(); queues],
            in_first_queue: 0,
            behind_sunk_bounds: 0,
            between_queues: 0,
            cost: 0,
        }
    }

    fn push(&mut self, rank: u64, id: u64) -> bool {
        if self.kind == Bounds::Highest {
            for queue in 0..self.queues.len() {
                let up_to_here = self.queues[..=queue].iter().flatten();
                self.bounds[queue] = up_to_here.map(|waiting| waiting.rank).max().unwrap_or(0);
            }
        }
        let reached = self.bounds.iter().rposition(|&bound| rank >= bound);
        let queue = reached.unwrap_or(0);
        if self.kind == Bounds::Moving {
            match reached {
                Some(queue) => self.bounds[queue] = rank,
                None => {
                    let cost = self.bounds[0] - rank;
                    self.bounds.iter_mut().for_each(|bound| *bound -= cost);
                }
            }
        }
        if self.queues[queue].len() == QUEUE_PACKETS {
            return false;
        }
        self.queues[queue].push(Waiting { rank, id, is_below_all_bounds: reached.is_none() });
        self.cost += self.queues[queue].iter().map(|waiting| waiting.rank).max().unwrap() - rank;
        true
    }

    fn pop(&mut self) -> Option<(u64, u64)> {
        let queue = self.queues.iter().position(|queue| !queue.is_empty())?;
        let left = self.queues[queue].remove(0);
        let all = self
            .queues
            .iter()
            .enumerate()
            .flat_map(|(number, queue)| queue.iter().map(move |waiting| (number, waiting)));
        if let Some((its_queue, best)) = all.min_by_key(|(_, waiting)| (waiting.rank, waiting.id))
            && best.rank < left.rank
        {
            if its_queue != queue {
                self.between_queues += 1;
            } else if best.is_below_all_bounds {
                self.in_first_queue += 1;
            } else {
                self.behind_sunk_bounds += 1;
            }
        }
        Some((left.rank, left.id))
    }

    fn counted(&self) -> [u64; 4] {
        [self.in_first_queue, self.behind_sunk_bounds, self.between_queues, self.cost]
    }
}

fn build(name: &str, queues: i64) -> BuiltQueue {
    let entry = QUEUES.iter().find(|entry| entry.about.name == name).unwrap();
    let given = BTreeMap::from([
        ("queues".to_owned(), ParamValue::Integer(queues)),
        ("queue_packets".to_owned(), ParamValue::Integer(QUEUE_PACKETS.try_into().unwrap())),
        ("sources".to_owned(), ParamValue::Boolean(true)),
    ]);
    (entry.build)(QueueSize { packets: 80 }, &Params::check(entry.about.params, given).unwrap()).unwrap()
}

fn counted(queue: &BuiltQueue) -> [u64; 4] {
    let counters = queue.counters();
    let value = |name: &str| counters.iter().find(|counter| counter.name == name).unwrap().value;
    ["inversions_in_first_queue", "inversions_behind_sunk_bounds", "inversions_between_queues", "cost_at_enqueue"]
        .map(value)
}

/// Packets at a backlog that rises and falls, in both. Returns the counts at the end.
fn run(name: &str, kind: Bounds, queues: u8, ranks: impl Fn(&mut Rng, u64) -> u64) -> [u64; 4] {
    let mut rng = Seed(11).stream(name);
    let mut queue = build(name, queues.into());
    let mut plain = Plain::new(kind, queues.into());
    for id in 0..60_000 {
        if rng.random_range(0..100) < if id / 300 % 2 == 0 { 60 } else { 45 } {
            let rank = ranks(&mut rng, id);
            let pushed = queue.push(rank, Packet { id, ..Packet::default() }).is_ok();
            assert_eq!(pushed, plain.push(rank, id), "{name}, {queues} queues: packet {id}");
            if kind == Bounds::Moving {
                let mut bounds = Vec::new();
                queue.add_bounds(&mut bounds);
                assert_eq!(bounds, plain.bounds, "{name}, {queues} queues: packet {id}");
            }
        } else {
            let popped = queue.pop_min().map(|(rank, packet)| (rank, packet.id));
            assert_eq!(popped, plain.pop(), "{name}, {queues} queues: step {id}");
        }
    }
    assert_eq!(counted(&queue), plain.counted(), "{name}, {queues} queues");
    plain.counted()
}

#[test]
fn each_inversion_has_the_source_that_the_lists_say() {
    for queues in [1, 2, 8] {
        let uniform = |rng: &mut Rng, _| rng.random_range(0..=100);
        let [first, sunk, between, cost] = run("sp-pifo", Bounds::Moving, queues, uniform);
        assert!(first > 0 && cost > 0 && (between > 0) == (queues > 1), "{first} {sunk} {between}");
        assert!(sunk > 0, "bounds of {queues} queues sink below ranks that wait");
        let ramps = |_: &mut Rng, id| id % 50 * 2;
        run("sp-pifo", Bounds::Moving, queues, ramps);

        let [first, sunk, between, cost] = run("sp-pifo-highest", Bounds::Highest, queues, uniform);
        assert!(first > 0 && cost > 0 && (between > 0) == (queues > 1), "{first} {sunk} {between}");
        assert_eq!(sunk, 0, "no rank enters behind a higher one but below all");
        run("sp-pifo-highest", Bounds::Highest, queues, ramps);
    }
}

#[test]
fn sources_are_not_for_reserved_queues() {
    let entry = QUEUES.iter().find(|entry| entry.about.name == "sp-pifo").unwrap();
    let given = BTreeMap::from([
        ("reserved".to_owned(), ParamValue::List(vec![ParamValue::Integer(0)])),
        ("sources".to_owned(), ParamValue::Boolean(true)),
    ]);
    let params = Params::check(entry.about.params, given).unwrap();
    let error = (entry.build)(QueueSize { packets: 80 }, &params).err().unwrap();
    assert!(error.to_string().contains("leave `reserved` out"), "{error}");
}
