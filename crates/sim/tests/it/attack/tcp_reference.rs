//! The reassembler beside one that follows its lists node by node and byte by byte.

use forebay_core::{Duration, FlowId, Rng, Seed, Time};
use forebay_sim::attack::applications::Application as _;
use forebay_sim::attack::applications::tcp::{Costs, Reassembler, Structure, Victim};
use forebay_traces::{TcpFlags, TcpSegment};
use rand::RngExt as _;
use std::collections::BTreeMap;

const COSTS: Costs = Costs { fixed: Duration::from_ps(1_000_000), traversal: Duration::from_ps(7) };

/// A flow: the next expected byte, the list, and the place of the FIN.
struct Flow {
    expected: i64,
    nodes: Vec<(i64, i64)>,
    fin: Option<i64>,
}

impl Flow {
    fn new(expected: i64) -> Self {
        Self { expected, nodes: Vec::new(), fin: None }
    }

    /// Nodes that are looked at in a list, and those among them that are overlapped with or released; none if all is old.
    fn take(&mut self, start: i64, end: i64) -> Option<(u64, u64)> {
        let start = start.max(self.expected);
        let (mut looks, mut touched) = (0, 0);
        if start >= end {
            return None;
        }
        if start == self.expected {
            self.expected = end;
            while !self.nodes.is_empty() {
                looks += 1;
                if self.nodes[0].0 > self.expected {
                    break;
                }
                touched += 1;
                let (_, end) = self.nodes.remove(0);
                self.expected = self.expected.max(end);
            }
            return Some((looks, touched));
        }
        for node in &self.nodes {
            touched += u64::from(node.0 < end && start < node.1);
            looks += 1;
            if node.0 >= end {
                break;
            }
        }
        // Byte by byte; a run of missing bytes becomes a node.
        let missing = |byte: i64| !self.nodes.iter().any(|node| (node.0..node.1).contains(&byte));
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for byte in (start..end).filter(|&byte| missing(byte)) {
            match runs.last_mut() {
                Some(run) if run.1 == byte => run.1 += 1,
                _ => runs.push((byte, byte + 1)),
            }
        }
        self.nodes.extend(runs);
        self.nodes.sort_unstable();
        Some((looks, touched))
    }

    fn held(&self, structure: Structure, window: i64) -> u64 {
        let of = |nodes: &[(i64, i64)]| nodes.iter().map(|(start, end)| end - start + 64).sum::<i64>();
        let bytes = if structure == Structure::Buffer { window } else { of(&self.nodes) };
        u64::try_from(bytes).unwrap()
    }
}

#[derive(Default)]
struct Naive {
    structure: Structure,
    max_nodes: Option<usize>,
    memory: Option<(u64, Victim)>,
    flows: BTreeMap<u32, Flow>,
    /// When each flow was served last.
    served: BTreeMap<u32, u64>,
    clock: u64,
    dropped: Vec<u32>,
}

impl Naive {
    /// Nodes that are looked at; numbers do not wrap around here.
    fn serve(&mut self, flow: u32, sequence: i64, bytes: i64, flags: TcpFlags, window: i64) -> u64 {
        let looks = self.put(flow, sequence, bytes, flags, window);
        self.clock += 1;
        self.served.insert(flow, self.clock);
        let Some((limit, victim)) = self.memory else { return looks };
        let held = |flow: &Flow| flow.held(self.structure, window);
        while self.flows.values().map(held).sum::<u64>() > limit {
            let holders = self.flows.iter().filter(|(_, flow)| held(flow) > 0).map(|(number, _)| *number);
            let worst = match victim {
                Victim::Oldest => holders.min_by_key(|number| self.served[number]),
                Victim::Largest => holders.max_by_key(|number| (held(&self.flows[number]), *number)),
            };
            let worst = worst.unwrap();
            self.flows.remove(&worst);
            self.dropped.push(worst);
        }
        looks
    }

    fn put(&mut self, flow: u32, sequence: i64, bytes: i64, flags: TcpFlags, window: i64) -> u64 {
        if flags.rst {
            self.flows.remove(&flow);
            return 0;
        }
        let start = sequence + i64::from(flags.syn);
        if flags.syn {
            self.flows.insert(flow, Flow::new(start));
        }
        if bytes == 0 && !flags.fin {
            return 0;
        }
        let state = self.flows.entry(flow).or_insert_with(|| Flow::new(start));
        let (mut looks, nodes) = (0, state.nodes.len());
        let is_beyond = start + bytes > state.expected + window;
        if !is_beyond {
            looks = match (self.structure, state.take(start, start + bytes)) {
                (Structure::Buffer, _) | (_, None) => 0,
                (Structure::List, Some((looks, _))) => looks,
                (Structure::Tree, Some((_, touched))) => levels(nodes) + touched,
            };
        }
        if is_beyond || self.max_nodes.is_some_and(|most| state.nodes.len() > most) {
            self.dropped.push(flow);
            *state = Flow::new(start + bytes);
        }
        if flags.fin {
            state.fin = Some(start + bytes);
        }
        if state.fin.is_some_and(|fin| fin <= state.expected) {
            self.flows.remove(&flow);
        }
        looks
    }

    fn len(&self, flow: u32) -> usize {
        self.flows.get(&flow).map_or(0, |flow| flow.nodes.len())
    }
}

/// How often so many nodes can be halved.
fn levels(nodes: usize) -> u64 {
    if nodes == 0 { 0 } else { 1 + levels(nodes / 2) }
}

/// A reassembler with all that can be patched in, and the same of the reference.
fn patched(rng: &mut Rng) -> (Reassembler, Naive) {
    let structure = [Structure::List, Structure::List, Structure::Tree, Structure::Buffer][rng.random_range(0..4)];
    let mut fast = Reassembler::new(COSTS, WINDOW).with_structure(structure);
    let mut naive = Naive { structure, ..Naive::default() };
    if rng.random_range(0..2) == 0 {
        let most = rng.random_range(1..10);
        (fast, naive.max_nodes) = (fast.with_max_nodes(most), Some(most));
    }
    if rng.random_range(0..2) == 0 {
        let victim = [Victim::Oldest, Victim::Largest][rng.random_range(0..2)];
        let limit = rng.random_range(100..1_500);
        (fast, naive.memory) = (fast.with_memory(limit, victim), Some((limit, victim)));
    }
    (fast, naive)
}

const WINDOW: u32 = 60;

#[test]
fn every_cost_and_every_list_is_that_of_the_naive_reassembler() {
    let mut rng = Seed(7).stream("segments");
    let (mut longest, mut dropped, mut looked) = (0, 0, 0);
    for _ in 0..600 {
        let (mut fast, mut naive) = patched(&mut rng);
        // The numbers of half of the flows wrap around.
        let mut fronts: Vec<i64> = (0..4).map(|flow| (1 << 32) + flow % 2 * 1_000 - 100).collect();
        let most_bytes = rng.random_range(1..20);
        for _ in 0..400 {
            let flow = rng.random_range(0..4_u32);
            let front = &mut fronts[flow as usize];
            let sequence = *front + rng.random_range(-30..62);
            let bytes = rng.random_range(0..=most_bytes);
            let one_in = |n: u32, rng: &mut Rng| rng.random_range(0..n) == 0;
            let flags = TcpFlags { syn: one_in(200, &mut rng), fin: one_in(100, &mut rng), rst: one_in(200, &mut rng) };
            let segment = TcpSegment {
                arrival: Time::ZERO,
                flow: FlowId(flow),
                sequence: u32::try_from(sequence.rem_euclid(1 << 32)).unwrap(),
                payload_bytes: u32::try_from(bytes).unwrap(),
                size_bytes: 64,
                flags,
            };
            let estimate = fast.estimate(&segment);
            let work = fast.serve(&segment);
            let looks = naive.serve(flow, sequence, bytes, flags, WINDOW.into());
            assert_eq!(work, Duration::from_ps(1_000_000 + 7 * looks));
            if naive.structure == Structure::List {
                assert!(estimate >= work, "the length of the list bounds what is looked at");
            }
            assert_eq!(fast.list_len(FlowId(flow)), naive.len(flow));
            let held = naive.flows.values().map(|flow| flow.held(naive.structure, WINDOW.into())).sum::<u64>();
            assert_eq!(fast.held_bytes(), held);
            let mut resets = Vec::new();
            fast.drain_resets(&mut |flow| resets.push(flow));
            assert_eq!(resets, naive.dropped[naive.dropped.len() - resets.len()..]);
            if let Some(state) = naive.flows.get(&flow) {
                *front = state.expected;
            }
            longest = longest.max(naive.len(flow));
            looked = looked.max(looks);
        }
        assert_eq!(fast.flows_dropped(), naive.dropped.len() as u64);
        dropped += naive.dropped.len();
    }
    assert!(longest > 15 && looked > 12 && dropped > 300, "the cases are rich: {longest} {looked} {dropped}");
}
