//! The reassembler beside one that follows its lists node by node and byte by byte.

use forebay_core::{Duration, FlowId, Seed, Time};
use forebay_sim::attack::applications::Application as _;
use forebay_sim::attack::applications::tcp::{Costs, Reassembler};
use forebay_traces::{TcpFlags, TcpSegment};
use rand::RngExt as _;
use std::collections::BTreeMap;

const COSTS: Costs = Costs { fixed: Duration::from_ps(1_000_000), traversal: Duration::from_ps(7) };

/// A flow: what is expected next, the list, and the place of the FIN.
struct Flow {
    expected: i64,
    nodes: Vec<(i64, i64)>,
    fin: Option<i64>,
}

impl Flow {
    fn new(expected: i64) -> Self {
        Self { expected, nodes: Vec::new(), fin: None }
    }

    /// Nodes that are looked at.
    fn take(&mut self, start: i64, end: i64) -> u64 {
        let start = start.max(self.expected);
        let mut looks = 0;
        if start >= end {
            return 0;
        }
        if start == self.expected {
            self.expected = end;
            while !self.nodes.is_empty() {
                looks += 1;
                if self.nodes[0].0 > self.expected {
                    break;
                }
                let (_, end) = self.nodes.remove(0);
                self.expected = self.expected.max(end);
            }
            return looks;
        }
        for node in &self.nodes {
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
        looks
    }
}

#[derive(Default)]
struct Naive {
    flows: BTreeMap<u32, Flow>,
    dropped: u64,
}

impl Naive {
    /// Nodes that are looked at; numbers do not wrap around here.
    fn serve(&mut self, flow: u32, sequence: i64, bytes: i64, flags: TcpFlags, window: i64) -> u64 {
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
        let mut looks = 0;
        if start + bytes > state.expected + window {
            self.dropped += 1;
            *state = Flow::new(start + bytes);
        } else {
            looks = state.take(start, start + bytes);
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

#[test]
fn every_cost_and_every_list_is_that_of_the_naive_reassembler() {
    const WINDOW: u32 = 60;
    let mut rng = Seed(7).stream("segments");
    let (mut longest, mut dropped, mut looked) = (0, 0, 0);
    for _ in 0..300 {
        let mut fast = Reassembler::new(COSTS, WINDOW);
        let mut naive = Naive::default();
        // The numbers of half of the flows wrap around.
        let mut fronts: Vec<i64> = (0..4).map(|flow| (1 << 32) + flow % 2 * 1_000 - 100).collect();
        let most_bytes = rng.random_range(1..20);
        for _ in 0..400 {
            let flow = rng.random_range(0..4_u32);
            let front = &mut fronts[flow as usize];
            let sequence = *front + rng.random_range(-30..62);
            let bytes = rng.random_range(0..=most_bytes);
            let one_in = |n: u32, rng: &mut forebay_core::Rng| rng.random_range(0..n) == 0;
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
            assert!(estimate >= work, "the length of the list bounds what is looked at");
            assert_eq!(fast.list_len(FlowId(flow)), naive.len(flow));
            if let Some(state) = naive.flows.get(&flow) {
                *front = state.expected;
            }
            longest = longest.max(naive.len(flow));
            looked = looked.max(looks);
        }
        assert_eq!(fast.flows_dropped(), naive.dropped);
        dropped += naive.dropped;
    }
    assert!(longest > 15 && looked > 12 && dropped > 300, "the cases are rich: {longest} {looked} {dropped}");
}
