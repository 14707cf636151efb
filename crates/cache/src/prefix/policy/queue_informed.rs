//! Eviction that knows the queue: blocks that waiting prompts need stay.
//!
//! The queue of a server is knowledge of the future, like the notifications of Seer: the prompts in it will be served, in
//! this order. So the policy is Bélády's rule as far as the queue reaches, and LRU beyond.

use crate::prefix::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
use forebay_core::{About, Exactness};

/// The registry's entry for [`QueueInformed`].
pub const ENTRY: PrefixPolicyEntry = PrefixPolicyEntry {
    about: About {
        name: "queue-informed",
        title: "Keeps what waiting prompts need, the next prompt's longest; else evicts the leaf used longest ago",
        exactness: Exactness::NotApplicable,
        hardware: "-",
        cost: "O(log n) per block of a prompt, twice: as it arrives and as it starts",
        source: "forebay; the idea of Seer (announced requests) for the queue of a language model's server",
        params: &[],
    },
    also_known_as: &[],
    offline: false,
    build: |_| Ok(Box::new(QueueInformed)),
};

/// Ranks leaves that no waiting prompt needs by their last use, and all others by the place of that prompt in the queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueInformed;

impl PrefixPolicy for QueueInformed {
    fn rank(&self, facts: &Facts) -> Rank {
        facts.waiting.map_or([0, facts.last_used.into()], |prompt| [u64::MAX - u64::from(prompt), 0])
    }

    fn looks_at_queue(&self) -> bool {
        true
    }
}
