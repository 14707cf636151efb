//! The cost of the part of a prompt that is not cached, in picoseconds of a worker.
//!
//! A transformer computes token number p with work a + b p: the matrices cost the same for every token, attention looks
//! at all tokens before it. So the tokens before position p cost a p + b p^2 / 2, and a miss costs more the later it is.
//! A block that a slower tier holds costs its bytes over the tier's bandwidth, wherever it is.

use super::PromptTrace;
use forebay_core::convert;

/// The work of computing tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefill {
    /// Picoseconds for each token, at any position.
    pub token_ps: u64,
    /// Femtoseconds for each pair of a token and a token before it: attention.
    pub pair_fs: u64,
}

impl Prefill {
    /// The time to compute all tokens before `position`, rounded down; so parts add up exactly.
    #[must_use]
    pub fn until(&self, position: u64) -> u64 {
        let position = u128::from(position);
        let pairs = (position * position).saturating_mul(u128::from(self.pair_fs)) / 2000;
        convert::saturate((position * u128::from(self.token_ps)).saturating_add(pairs))
    }

    /// The time to compute the tokens from `from` to before `to`.
    #[must_use]
    pub fn between(&self, from: u64, to: u64) -> u64 {
        self.until(to).saturating_sub(self.until(from))
    }
}

/// The cost of a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// The work of computing tokens.
    pub prefill: Prefill,
    /// Picoseconds for each token of a block to fetch it from a slower tier, which holds all blocks of earlier prompts.
    /// [`None`] if there is no such tier: then missed blocks are computed again.
    pub fetch_token_ps: Option<u64>,
}

impl Costs {
    /// Recomputation at the same cost for each token.
    #[must_use]
    pub fn per_token(token_ps: u64) -> Self {
        Self { prefill: Prefill { token_ps, pair_fs: 0 }, fetch_token_ps: None }
    }

    /// The time to serve a prompt whose first `hits` blocks are cached.
    #[must_use]
    pub fn prompt(&self, trace: &PromptTrace, prompt: usize, hits: usize) -> u64 {
        let (from, to) = (trace.tokens_of(prompt, hits), trace.input_tokens(prompt));
        let Some(fetch_ps) = self.fetch_token_ps else { return self.prefill.between(from, to) };
        let seen = trace.tokens_of(prompt, trace.seen(prompt)).max(from);
        (seen - from).saturating_mul(fetch_ps).saturating_add(self.prefill.between(seen, to))
    }

    /// The time that a hit of block number `depth` of a prompt saves, if earlier prompts had this block.
    #[must_use]
    pub fn block(&self, trace: &PromptTrace, prompt: usize, depth: usize) -> u64 {
        let (from, to) = (trace.tokens_of(prompt, depth), trace.tokens_of(prompt, depth + 1));
        match self.fetch_token_ps {
            None => self.prefill.between(from, to),
            Some(fetch_ps) => (to - from).saturating_mul(fetch_ps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_tokens_cost_more_and_parts_add_up() {
        let prefill = Prefill { token_ps: 10, pair_fs: 2000 };
        assert_eq!((prefill.until(1), prefill.until(3)), (11, 39));
        assert_eq!(prefill.between(0, 3) + prefill.between(3, 7), prefill.until(7));
        assert!(prefill.between(3, 4) > prefill.between(0, 1));
        assert_eq!(prefill.until(u64::MAX), u64::MAX);
    }
}
