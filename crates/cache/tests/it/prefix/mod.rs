//! Prefix caches: against a simulator that scans lists, and bounds against all schedules.

mod bound;
mod naive;
mod policies;

use forebay_cache::prefix::PromptTrace;
use forebay_core::{Prompt, Seed};
use rand::RngExt as _;

/// The tokens of a block in these tests.
pub(crate) const BLOCK: u64 = 4;

/// Prompts that continue earlier ones, or begin anew; with at most `distinct` blocks in all.
pub(crate) fn random_prompts(seed: u64, number: usize, distinct: usize, longest: usize) -> Vec<Prompt> {
    let mut rng = Seed(seed).stream("prompts");
    let mut prompts: Vec<Prompt> = Vec::new();
    let (mut blocks, mut arrival) = (0_usize, 0);
    for _ in 0..number {
        let mut chain = match prompts.len() {
            0 => Vec::new(),
            known => {
                let earlier = &prompts[rng.random_range(known.saturating_sub(6)..known)].blocks;
                earlier[..rng.random_range(0..=earlier.len())].to_vec()
            }
        };
        for _ in 0..rng.random_range(0..=3) {
            if chain.len() < longest && blocks < distinct {
                chain.push(1000 + 7 * blocks as u64);
                blocks += 1;
            }
        }
        // The last block may be filled in part, and tokens may follow the last block.
        let tokens = chain.len() as u64 * BLOCK + rng.random_range(0..2 * BLOCK);
        let input_tokens = if chain.is_empty() { tokens.max(1) } else { (tokens - BLOCK).max(1) };
        let least = (chain.len() as u64).saturating_sub(1) * BLOCK + 1;
        arrival += rng.random_range(0..30);
        prompts.push(Prompt { arrival, input_tokens: input_tokens.max(least), output_tokens: 0, blocks: chain });
    }
    prompts
}

/// The checked trace of prompts.
pub(crate) fn trace(prompts: &[Prompt]) -> PromptTrace {
    PromptTrace::new(prompts, BLOCK).expect("the generator makes chains")
}
