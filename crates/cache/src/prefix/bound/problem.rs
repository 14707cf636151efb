//! The bound's problem: the intervals of each prompt, and what each saves.

use crate::belatedly::approximate;
use crate::prefix::PromptTrace;
use forebay_core::convert;

/// The intervals of all prompts. The gap after prompt g has number g.
#[derive(Debug, Clone)]
pub struct PrefixProblem {
    /// Blocks that may stay over a gap.
    pub capacity: u64,
    /// The cost of the trace if nothing is ever a hit.
    pub total: u128,
    /// Per prompt: its first interval; and the end of all.
    pub(super) starts: Vec<usize>,
    /// Per interval, for each prompt from its first block on: the prompt where the interval begins.
    pub(super) begins: Vec<u32>,
    /// Per interval: what a hit saves.
    pub(super) weights: Vec<u64>,
    /// Per interval that begins at a prompt: where it ends and the number of the interval. In order of the beginning.
    pub(super) leaving: Vec<(u32, usize)>,
    /// Per prompt: the first of `leaving`; and the end of all.
    pub(super) leaving_starts: Vec<usize>,
}

impl PrefixProblem {
    /// The problem of a trace. `weight` says what a hit of a prompt's block with this number saves, and `total` is the
    /// cost of the trace without hits.
    #[must_use]
    pub fn new(trace: &PromptTrace, capacity: u64, total: u128, weight: impl Fn(usize, usize) -> u64) -> Self {
        let mut last = vec![0_u32; trace.distinct_blocks()];
        let (mut starts, mut begins, mut weights) = (vec![0], Vec::new(), Vec::new());
        let mut leaving = Vec::new();
        for prompt in 0..trace.len() {
            let number = u32::try_from(prompt).expect("a trace has fewer than 2^32 prompts");
            for (depth, &block) in trace.blocks(prompt).iter().enumerate() {
                let begin = std::mem::replace(&mut last[block as usize], number);
                if depth < trace.seen(prompt) {
                    leaving.push((begin, number, begins.len()));
                    begins.push(begin);
                    weights.push(weight(prompt, depth));
                }
            }
            starts.push(begins.len());
        }
        leaving.sort_unstable();
        let leaving_starts = (0..=trace.len()).map(|prompt| leaving.partition_point(|own| (own.0 as usize) < prompt));
        let leaving_starts = leaving_starts.collect();
        let leaving = leaving.into_iter().map(|(_, end, interval)| (end, interval)).collect();
        Self { capacity, total, starts, begins, weights, leaving, leaving_starts }
    }

    /// The number of prompts, and of gaps after prompts.
    #[must_use]
    pub fn prompts(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of intervals: references to blocks that earlier prompts had.
    #[must_use]
    pub fn intervals(&self) -> usize {
        self.begins.len()
    }

    /// What all hits together would save.
    #[must_use]
    pub fn all_saved(&self) -> u128 {
        self.weights.iter().map(|&weight| u128::from(weight)).sum()
    }

    /// The price of a gap at which all intervals together cost what they save; 0 if there are none.
    pub(super) fn break_even_price(&self) -> f64 {
        let length =
            |prompt: usize| self.own(prompt).0.iter().map(move |&begin| (prompt - begin as usize) as u64).sum::<u64>();
        let lengths: u64 = (0..self.prompts()).map(length).sum();
        approximate(convert::saturate(self.all_saved())) / approximate(lengths.max(1))
    }

    /// The weight of all intervals, if it is the same.
    #[must_use]
    pub fn equal_weight(&self) -> Option<u64> {
        let first = *self.weights.first()?;
        self.weights.iter().all(|&weight| weight == first).then_some(first)
    }

    /// Per prompt and number of hits, from one hit on: what these hits save, and their intervals' beginnings.
    pub(super) fn own(&self, prompt: usize) -> (&[u32], &[u64]) {
        let range = self.starts[prompt]..self.starts[prompt + 1];
        (&self.begins[range.clone()], &self.weights[range])
    }
}
