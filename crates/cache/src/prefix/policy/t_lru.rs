//! T-LRU: LRU that first evicts blocks which would not move the tail of the time to the first token.
//!
//! The paper keeps, of a conversation with L tokens so far and an expected next turn of Q tokens, X cached tokens. The
//! next prompt then computes L + Q - X tokens. Only conversations for which that exceeds a threshold count in the tail.
//! So tokens beyond L + Q - threshold are free to leave; only if there are no such tokens, LRU decides.
//!
//! Our reading for trees: a leaf belongs to the last prompt that used it, whose tokens are L. The leaf is free if the
//! next prompt computes at most the threshold without the leaf. Among free leaves, LRU decides, too. The paper works on
//! conversations apart from each other; a leaf of several conversations does not occur in it.

use crate::prefix::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
use forebay_core::{About, Exactness, ParamSpec};

/// The registry's entry for [`TLru`].
pub const ENTRY: PrefixPolicyEntry = PrefixPolicyEntry {
    about: About {
        name: "t-lru",
        title: "Tail-optimised LRU: first evicts leaves whose conversation stays below a number of computed tokens without them",
        exactness: Exactness::NotApplicable,
        hardware: "-",
        cost: "O(log n) per block of a prompt",
        source: "Zhang et al., Tail-optimized caching for LLM inference, NeurIPS 2025, algorithm 1",
        params: &[
            ParamSpec::integer(
                "threshold",
                0,
                1 << 40,
                Some(8192),
                "computed tokens of a prompt that are still fast enough (the threshold of the time to the first token)",
            ),
            ParamSpec::integer("turn", 0, 1 << 40, Some(512), "expected tokens of the next turn of a conversation"),
        ],
    },
    also_known_as: &["tail-optimized-lru"],
    offline: false,
    build: |params| {
        let tokens = |name| params.integer(name).expect("a parameter with a default");
        Ok(Box::new(TLru { threshold: tokens("threshold"), turn: tokens("turn") }))
    },
};

/// Ranks free leaves before all others, both by their last use.
#[derive(Debug, Clone, Copy)]
pub struct TLru {
    threshold: u64,
    turn: u64,
}

impl PrefixPolicy for TLru {
    fn rank(&self, facts: &Facts) -> Rank {
        let computed = (facts.prompt_tokens + self.turn).saturating_sub(facts.first_token);
        [u64::from(computed > self.threshold), facts.last_used.into()]
    }
}
