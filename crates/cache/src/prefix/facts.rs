//! The interface of prefix policies: a rank for each block, by facts about it.

use forebay_core::{About, Named, ParamError, Params};

/// A block with a lower rank is evicted earlier. Ties go to the block with the lower number.
pub type Rank = [u64; 2];

/// Facts about a cached block. Prompts are numbered by arrival, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The block's place in its chain, from 0.
    pub depth: u32,
    /// The position of its first token.
    pub first_token: u64,
    /// The last prompt that had it and has started.
    pub last_used: u32,
    /// The prompts that had it since it was stored, with the one that stored it.
    pub uses: u32,
    /// The tokens of the prompt `last_used`.
    pub prompt_tokens: u64,
    /// The picoseconds that a hit saved the prompt `last_used`, or would have saved it.
    pub saves_ps: u64,
    /// The first of the waiting prompts that has this block.
    pub waiting: Option<u32>,
    /// The next prompt of the whole trace that has this block: only offline policies may use it.
    pub next: Option<u32>,
    /// The number that [`PrefixPolicy::credit`] returned at the last use.
    pub credit: u64,
}

/// Chooses which leaf is evicted: the evictable block with the lowest rank.
///
/// A block is evictable if no stored block follows it and no running prompt uses it. Its rank must depend on the facts
/// alone. They change at a use, and `waiting` also when a prompt joins the queue.
pub trait PrefixPolicy {
    /// The rank of an evictable block.
    fn rank(&self, facts: &Facts) -> Rank;

    /// A number that is kept with the block, from a use to the next.
    fn credit(&mut self, facts: &Facts) -> u64 {
        let _ = facts;
        0
    }

    /// A block with this rank was evicted.
    fn evicted(&mut self, rank: Rank) {
        let _ = rank;
    }

    /// Whether ranks depend on the waiting prompts.
    fn looks_at_queue(&self) -> bool {
        false
    }
}

/// A prefix policy in the registry.
pub struct PrefixPolicyEntry {
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// Whether it looks into the future beyond the waiting prompts.
    pub offline: bool,
    /// Builds it.
    pub build: fn(&Params) -> Result<Box<dyn PrefixPolicy + Send>, ParamError>,
}

impl Named for PrefixPolicyEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
