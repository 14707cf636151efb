//! A list of pairs; an arrival starts one pair at random, or all pairs.

use super::pattern::Pattern;
use crate::net::flow::HostId;
use forebay_core::Rng;
use rand::RngExt as _;

/// Starts the pairs of a list.
#[derive(Debug)]
pub(crate) struct PairsAtArrivals {
    pairs: Vec<(HostId, HostId)>,
    senders: Vec<HostId>,
    all_at_once: bool,
}

impl PairsAtArrivals {
    /// Starts these pairs, at least one.
    pub(crate) fn new(pairs: Vec<(HostId, HostId)>, all_at_once: bool) -> Self {
        debug_assert!(!pairs.is_empty() && pairs.iter().all(|(src, dst)| src != dst));
        let mut senders: Vec<HostId> = pairs.iter().map(|(src, _)| *src).collect();
        senders.sort_unstable();
        senders.dedup();
        Self { pairs, senders, all_at_once }
    }
}

impl Pattern for PairsAtArrivals {
    fn senders(&self) -> &[HostId] {
        &self.senders
    }

    fn flows_per_arrival(&self) -> u64 {
        if self.all_at_once { self.pairs.len() as u64 } else { 1 }
    }

    fn next_pairs(&mut self, rng: &mut Rng, pairs: &mut Vec<(HostId, HostId)>) {
        if self.all_at_once {
            pairs.extend_from_slice(&self.pairs);
        } else {
            pairs.push(self.pairs[rng.random_range(0..self.pairs.len())]);
        }
    }
}
