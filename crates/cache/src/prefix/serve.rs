//! A server that computes prompts: one queue, first come first served, and workers that each compute one prompt at a
//! time.
//!
//! A prompt that starts with h cached blocks keeps its worker for the cost of the rest. Its first token is there when the
//! worker is done. Blocks that another worker is still computing are no hits: they are computed twice and counted as
//! `delayed_blocks`. With one worker there are none.

use super::{Costs, PrefixStore, PromptTrace};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How prompts are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// The number of workers, 1 or more.
    pub workers: usize,
    /// The cost of prompts.
    pub costs: Costs,
    /// How much faster prompts arrive than in the trace, in thousandths: 2000 is twice as fast. Not 0.
    pub speed_thousandths: u64,
}

/// What a server measured. Times are in picoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// All references to blocks, and those that were hits.
    pub blocks: u64,
    /// Blocks that were there, computed, after hits only.
    pub hit_blocks: u64,
    /// Blocks that were no hits since another worker was still computing them.
    pub delayed_blocks: u64,
    /// All tokens of prompts.
    pub tokens: u64,
    /// Tokens in blocks that were hits.
    pub hit_tokens: u64,
    /// Blocks that were evicted.
    pub evictions: u64,
    /// The time that all workers together were busy.
    pub busy_ps: u64,
    /// From the first arrival to the last first token.
    pub span_ps: u64,
    /// The times to the first token, from the shortest to the longest.
    pub first_token_ps: Vec<u64>,
}

impl Outcome {
    /// The time to the first token that `percent` percent of the prompts do not exceed (nearest rank).
    #[must_use]
    pub fn first_token_percentile(&self, percent: usize) -> u64 {
        let rank = (self.first_token_ps.len() * percent).div_ceil(100).max(1);
        self.first_token_ps[rank.min(self.first_token_ps.len()) - 1]
    }
}

/// Serves all prompts of a trace with an empty cache at first.
pub fn serve(trace: &PromptTrace, store: &mut dyn PrefixStore, service: &Service) -> Outcome {
    let arrival = |prompt: usize| {
        let ps = u128::from(trace.arrival(prompt)) * 1_000_000 / u128::from(service.speed_thousandths.max(1));
        forebay_core::convert::saturate::<u64>(ps)
    };
    let mut running = BinaryHeap::new();
    let mut computing = vec![0_u32; trace.distinct_blocks()];
    let mut hits_of = vec![0_usize; trace.len()];
    let mut arrived = 0;
    let mut outcome = Outcome {
        blocks: trace.all_blocks().len() as u64,
        hit_blocks: 0,
        delayed_blocks: 0,
        tokens: (0..trace.len()).map(|prompt| trace.input_tokens(prompt)).sum(),
        hit_tokens: 0,
        evictions: 0,
        busy_ps: 0,
        span_ps: 0,
        first_token_ps: Vec::with_capacity(trace.len()),
    };
    for prompt in 0..trace.len() {
        let mut start = arrival(prompt);
        while let Some(&Reverse((end, other))) = running.peek() {
            if running.len() < service.workers.max(1) && end > start {
                break;
            }
            running.pop();
            start = start.max(end);
            store.finish(other);
            for &block in &trace.blocks(other)[hits_of[other]..] {
                computing[block as usize] -= 1;
            }
        }
        while arrived < trace.len() && (arrived <= prompt || arrival(arrived) <= start) {
            store.wait(arrived);
            arrived += 1;
        }
        let hits = store.start(prompt);
        hits_of[prompt] = hits;
        for &block in &trace.blocks(prompt)[hits..] {
            outcome.delayed_blocks += u64::from(computing[block as usize] > 0);
            computing[block as usize] += 1;
        }
        let cost = service.costs.prompt(trace, prompt, hits);
        let end = start.saturating_add(cost);
        running.push(Reverse((end, prompt)));
        outcome.hit_blocks += hits as u64;
        outcome.hit_tokens += trace.tokens_of(prompt, hits);
        outcome.busy_ps = outcome.busy_ps.saturating_add(cost);
        outcome.span_ps = outcome.span_ps.max(end - arrival(0).min(end));
        outcome.first_token_ps.push(end - arrival(prompt).min(end));
    }
    outcome.evictions = store.evictions();
    outcome.first_token_ps.sort_unstable();
    outcome
}
