//! Merges several sources into one.

use crate::net::flow::{FlowSource, FlowSpec};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The flows of several sources in order of their starts. If two flows start at the same time, the flow of the earlier source is first.
pub struct Merge {
    sources: Vec<Box<dyn FlowSource>>,
    /// The next flow of every source that has one.
    next: Vec<Option<FlowSpec>>,
    soonest: BinaryHeap<Reverse<(forebay_core::Time, usize)>>,
}

impl Merge {
    /// Merges `sources`.
    #[must_use]
    pub fn new(sources: Vec<Box<dyn FlowSource>>) -> Self {
        let next = vec![None; sources.len()];
        let mut merge = Self { soonest: BinaryHeap::with_capacity(sources.len()), sources, next };
        (0..merge.sources.len()).for_each(|place| merge.ask(place));
        merge
    }

    /// Asks a source for its next flow.
    fn ask(&mut self, place: usize) {
        self.next[place] = self.sources[place].next_flow();
        if let Some(flow) = self.next[place] {
            self.soonest.push(Reverse((flow.start, place)));
        }
    }
}

impl FlowSource for Merge {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        let Reverse((start, place)) = self.soonest.pop()?;
        let flow = self.next[place];
        self.ask(place);
        debug_assert!(self.next[place].is_none_or(|next| next.start >= start), "starts never decrease");
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::super::replay::Replay;
    use super::*;
    use crate::net::flow::HostId;
    use forebay_core::{Seed, Time};
    use rand::RngExt as _;

    fn flow(start: u64, workload: u16, bytes: u64) -> FlowSpec {
        FlowSpec { start: Time::from_ps(start), src: HostId(0), dst: HostId(1), bytes, workload }
    }

    fn merged(sources: Vec<Vec<FlowSpec>>) -> Vec<FlowSpec> {
        let sources = sources.into_iter().map(|flows| Box::new(Replay::new(flows)) as Box<dyn FlowSource>).collect();
        let mut merge = Merge::new(sources);
        std::iter::from_fn(|| merge.next_flow()).collect()
    }

    #[test]
    fn merged_is_a_stable_sort_of_all() {
        let mut rng = Seed(2).stream("merge");
        for _ in 0..100 {
            let sources: Vec<Vec<FlowSpec>> = (0..rng.random_range(0..6))
                .map(|workload| {
                    let mut starts: Vec<u64> = (0..rng.random_range(0..30)).map(|_| rng.random_range(0..20)).collect();
                    starts.sort_unstable();
                    (1..).zip(starts).map(|(bytes, start)| flow(start, workload, bytes)).collect()
                })
                .collect();
            let mut expected = sources.concat();
            expected.sort_by_key(|flow| flow.start);
            assert_eq!(merged(sources), expected);
        }
    }
}
