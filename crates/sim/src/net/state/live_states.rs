//! Counts the states that are alive at a time, to choose the size of a cache.

use super::key::AskedOf;
use super::state_census::{Census, StatesOfFlows};
use crate::net::record::FlowRecord;
use crate::net::routing::Routes;
use forebay_core::{Duration, Time};
use rustc_hash::FxHashMap;

impl Census<'_> {
    /// Counts the most states of `flows` that are alive at once, for each of `asked`. `flows` are those of a run that has ended.
    ///
    /// A state is alive from the start of a flow that needs it until the sender knows that everything has arrived. Where receivers do not
    /// answer, it is alive until everything has arrived. The states of a flow that has not ended stay alive.
    #[must_use]
    pub fn count_alive(&self, flows: &[FlowRecord], asked: &[AskedOf]) -> Vec<StatesOfFlows> {
        let routes = Routes::new(self.graph, |_| true);
        let nodes = self.graph.nodes().len();
        let mut alive: Vec<Vec<Alive>> = asked.iter().map(|_| vec![Alive::default(); nodes + 1]).collect();
        for (_, Turn { starts, number, flow }) in self.turns(flows) {
            self.each_state(&routes, number, &flow.flow, asked, |place, node, key| {
                alive[place][node].turn(key, starts);
            });
        }
        let most = |mut alive: Vec<Alive>| {
            let in_network = alive.pop().map_or(0, |alive| alive.most);
            StatesOfFlows { in_network, at_node: alive.iter().map(|alive| alive.most).collect() }
        };
        alive.into_iter().map(most).collect()
    }

    /// Starts and ends in order of time; at the same time, ends come first.
    fn turns<'f>(&self, flows: &'f [FlowRecord]) -> Vec<(Time, Turn<'f>)> {
        let mut turns = Vec::with_capacity(2 * flows.len());
        for (number, flow) in (0..).zip(flows) {
            let start = flow.flow.start;
            turns.push((start, Turn { starts: true, number, flow }));
            let is_answered = self.answered[usize::from(flow.flow.workload)];
            if let Some(end) = if is_answered { flow.acknowledged } else { flow.received } {
                // A flow takes time, even where its links take less than a picosecond.
                turns.push((end.max(start + Duration::from_ps(1)), Turn { starts: false, number, flow }));
            }
        }
        turns.sort_by_key(|(time, turn)| (*time, turn.starts));
        turns
    }
}

/// A flow starts or ends.
struct Turn<'f> {
    starts: bool,
    number: u32,
    flow: &'f FlowRecord,
}

/// States at one place.
#[derive(Debug, Clone, Default)]
struct Alive {
    /// For each state, the number of directions of flows that need it.
    needed: FxHashMap<u64, u32>,
    most: u64,
}

impl Alive {
    fn turn(&mut self, key: u64, starts: bool) {
        let needed = self.needed.entry(key).or_default();
        if starts {
            *needed += 1;
            self.most = self.most.max(self.needed.len() as u64);
        } else {
            *needed -= 1;
            if *needed == 0 {
                self.needed.remove(&key);
            }
        }
    }
}
