//! Cost-aware eviction: uses x cost, aged, as Greedy-Dual-Size-Frequency does, on leaves.
//!
//! All blocks take the same room, so the size does not matter. The cost of a block is the time that a hit saves: with
//! recomputation, more the later the block is in its chain.

use crate::prefix::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
use forebay_core::{About, Exactness};

/// The registry's entry for [`CostAware`].
pub const ENTRY: PrefixPolicyEntry = PrefixPolicyEntry {
    about: About {
        name: "cost-aware",
        title: "Evicts the leaf with the fewest uses x saved time, aged (Greedy-Dual-Size-Frequency on leaves)",
        exactness: Exactness::NotApplicable,
        hardware: "-",
        cost: "O(log n) per block of a prompt",
        source: "Cherkasova, HP 1998 (Greedy-Dual-Size-Frequency), applied to leaves",
        params: &[],
    },
    also_known_as: &["gdsf-leaf"],
    offline: false,
    build: |_| Ok(Box::new(CostAware { age: 0 })),
};

/// Ranks leaves by their credit: the age at the last use, plus uses x saved time.
#[derive(Debug, Clone, Copy)]
pub struct CostAware {
    /// The highest credit of an evicted leaf.
    age: u64,
}

impl PrefixPolicy for CostAware {
    fn rank(&self, facts: &Facts) -> Rank {
        [facts.credit, facts.last_used.into()]
    }

    fn credit(&mut self, facts: &Facts) -> u64 {
        self.age.saturating_add(facts.saves_ps.saturating_mul(facts.uses.into()))
    }

    fn evicted(&mut self, rank: Rank) {
        self.age = self.age.max(rank[0]);
    }
}
