//! LRU on leaves: the leaf that was used longest ago leaves. vLLM and SGLang do this.

use crate::prefix::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
use forebay_core::{About, Exactness};

/// The registry's entry for [`LruLeaf`].
pub const ENTRY: PrefixPolicyEntry = PrefixPolicyEntry {
    about: About {
        name: "lru-leaf",
        title: "Evicts the leaf that was used longest ago",
        exactness: Exactness::NotApplicable,
        hardware: "-",
        cost: "O(log n) per block of a prompt",
        source: "Zheng et al., SGLang, NeurIPS 2024, section 3 (RadixAttention)",
        params: &[],
    },
    also_known_as: &["radix-attention"],
    offline: false,
    build: |_| Ok(Box::new(LruLeaf)),
};

/// Ranks leaves by their last use.
#[derive(Debug, Clone, Copy)]
pub struct LruLeaf;

impl PrefixPolicy for LruLeaf {
    fn rank(&self, facts: &Facts) -> Rank {
        [facts.last_used.into(), 0]
    }
}
