//! A checked trace of prompts: the tree that their blocks form, and when each block is needed again.

use forebay_core::Prompt;
use rustc_hash::FxHashMap;
use std::ops::Range;
use thiserror::Error;

/// No block, or no prompt.
const NONE: u32 = u32::MAX;

/// A prompt that contradicts the others, or itself. Prompts count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PromptFault {
    /// The trace has no prompts.
    #[error("the trace has no prompts")]
    Empty,
    /// Block and prompt numbers have 32 bits.
    #[error("the trace has more than 4,294,967,294 prompts or references to blocks; play a part of it")]
    TooLong,
    /// Blocks have no tokens.
    #[error("a block must have at least one token")]
    NoTokens,
    /// A prompt arrives before the one in front of it.
    #[error("prompt {prompt} arrives earlier than the prompt before it; sort the trace by time")]
    Order {
        /// The prompt.
        prompt: usize,
    },
    /// More blocks than the tokens fill.
    #[error(
        "prompt {prompt} has {blocks} blocks, but its {tokens} tokens fill {fit} blocks of {block_tokens} tokens; give the \
         trace's own size of a block"
    )]
    Blocks {
        /// The prompt.
        prompt: usize,
        /// Its number of blocks.
        blocks: u64,
        /// Its number of tokens.
        tokens: u64,
        /// The blocks that these tokens fill, the last perhaps in part.
        fit: u64,
        /// The tokens of a block.
        block_tokens: u64,
    },
    /// The same block after different blocks.
    #[error(
        "prompt {prompt} has block {block} at another place, or after another block, than an earlier prompt; blocks must \
         be numbered by chained hashes, which name all blocks before them, too"
    )]
    Parent {
        /// The prompt.
        prompt: usize,
        /// The block, as the trace numbers it.
        block: u64,
    },
}

impl PromptFault {
    /// Returns the prompt at fault, from 0, if it is a single one.
    #[must_use]
    pub fn prompt(&self) -> Option<usize> {
        match self {
            Self::Order { prompt } | Self::Blocks { prompt, .. } | Self::Parent { prompt, .. } => Some(*prompt),
            Self::Empty | Self::TooLong | Self::NoTokens => None,
        }
    }
}

/// Prompts in order of arrival. Blocks are renumbered from 0 in order of their first prompt.
///
/// A *reference* is one block of one prompt. References are numbered through all prompts, from each prompt's first block
/// to its last.
#[derive(Debug, Clone)]
pub struct PromptTrace {
    block_tokens: u64,
    arrivals: Vec<u64>,
    input_tokens: Vec<u64>,
    /// Per prompt: its first reference; and the end of all.
    starts: Vec<usize>,
    /// Per prompt: the number of its first blocks that earlier prompts had.
    seen: Vec<u32>,
    /// Per reference: its block, and the next prompt that has this block.
    blocks: Vec<u32>,
    next: Vec<u32>,
    /// Per block: the block before it, and its place in the chain, from 0.
    parents: Vec<u32>,
    depths: Vec<u32>,
}

impl PromptTrace {
    /// Checks prompts whose full blocks have `block_tokens` tokens.
    ///
    /// # Errors
    /// The first prompt that contradicts the others or itself.
    pub fn new(prompts: &[Prompt], block_tokens: u64) -> Result<Self, PromptFault> {
        if prompts.is_empty() {
            return Err(PromptFault::Empty);
        }
        if block_tokens == 0 {
            return Err(PromptFault::NoTokens);
        }
        let references: usize = prompts.iter().map(|prompt| prompt.blocks.len()).sum();
        if prompts.len().max(references) >= NONE as usize {
            return Err(PromptFault::TooLong);
        }
        let mut trace = Self {
            block_tokens,
            arrivals: prompts.iter().map(|prompt| prompt.arrival).collect(),
            input_tokens: prompts.iter().map(|prompt| prompt.input_tokens).collect(),
            starts: vec![0],
            seen: Vec::new(),
            blocks: Vec::with_capacity(references),
            next: vec![NONE; references],
            parents: Vec::new(),
            depths: Vec::new(),
        };
        if let Some(prompt) = trace.arrivals.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(PromptFault::Order { prompt: prompt + 1 });
        }
        let mut numbers = FxHashMap::default();
        for (number, prompt) in prompts.iter().enumerate() {
            trace.add(number, prompt, &mut numbers)?;
        }
        trace.find_next();
        Ok(trace)
    }

    fn add(&mut self, number: usize, prompt: &Prompt, numbers: &mut FxHashMap<u64, u32>) -> Result<(), PromptFault> {
        let (blocks, tokens) = (prompt.blocks.len() as u64, prompt.input_tokens);
        let fit = tokens.div_ceil(self.block_tokens);
        if blocks > fit {
            let block_tokens = self.block_tokens;
            return Err(PromptFault::Blocks { prompt: number, blocks, tokens, fit, block_tokens });
        }
        let (mut parent, mut seen) = (NONE, 0);
        for (depth, &block) in (0_u32..).zip(&prompt.blocks) {
            let new = u32::try_from(self.parents.len()).expect("there are fewer blocks than references");
            let known = *numbers.entry(block).or_insert(new);
            if known == new {
                self.parents.push(parent);
                self.depths.push(depth);
            } else if (self.parents[known as usize], self.depths[known as usize]) != (parent, depth) {
                return Err(PromptFault::Parent { prompt: number, block });
            } else {
                seen += 1;
            }
            self.blocks.push(known);
            parent = known;
        }
        self.seen.push(seen);
        self.starts.push(self.blocks.len());
        Ok(())
    }

    fn find_next(&mut self) {
        let mut next = vec![NONE; self.parents.len()];
        for prompt in (0..self.len()).rev() {
            for reference in self.references(prompt) {
                let own = u32::try_from(prompt).expect("checked: fewer than 2^32 prompts");
                self.next[reference] = std::mem::replace(&mut next[self.blocks[reference] as usize], own);
            }
        }
    }

    /// The number of prompts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.arrivals.len()
    }

    /// Never: a trace has prompts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrivals.is_empty()
    }

    /// The tokens of a full block.
    #[must_use]
    pub fn block_tokens(&self) -> u64 {
        self.block_tokens
    }

    /// The number of different blocks.
    #[must_use]
    pub fn distinct_blocks(&self) -> usize {
        self.parents.len()
    }

    /// When a prompt arrives, in nanoseconds.
    #[must_use]
    pub fn arrival(&self, prompt: usize) -> u64 {
        self.arrivals[prompt]
    }

    /// The tokens of a prompt.
    #[must_use]
    pub fn input_tokens(&self, prompt: usize) -> u64 {
        self.input_tokens[prompt]
    }

    /// The references of a prompt.
    #[must_use]
    pub fn references(&self, prompt: usize) -> Range<usize> {
        self.starts[prompt]..self.starts[prompt + 1]
    }

    /// The blocks of a prompt, from the first.
    #[must_use]
    pub fn blocks(&self, prompt: usize) -> &[u32] {
        &self.blocks[self.references(prompt)]
    }

    /// All references: the block of each.
    #[must_use]
    pub fn all_blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// How many first blocks of a prompt earlier prompts had: no cache can have more of them.
    #[must_use]
    pub fn seen(&self, prompt: usize) -> usize {
        self.seen[prompt] as usize
    }

    /// The next prompt that has the block of this reference.
    #[must_use]
    pub fn next(&self, reference: usize) -> Option<u32> {
        Some(self.next[reference]).filter(|&next| next != NONE)
    }

    /// The block before this one.
    #[must_use]
    pub fn parent(&self, block: u32) -> Option<u32> {
        Some(self.parents[block as usize]).filter(|&parent| parent != NONE)
    }

    /// The place of a block in its chain, from 0.
    #[must_use]
    pub fn depth(&self, block: u32) -> u32 {
        self.depths[block as usize]
    }

    /// The first token of a prompt that is not in its first `blocks` blocks.
    #[must_use]
    pub fn tokens_of(&self, prompt: usize, blocks: usize) -> u64 {
        (blocks as u64).saturating_mul(self.block_tokens).min(self.input_tokens[prompt])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompts(chains: &[&[u64]]) -> Vec<Prompt> {
        let prompt = |blocks: &&[u64]| Prompt {
            arrival: 0,
            input_tokens: 4 * blocks.len() as u64,
            output_tokens: 0,
            blocks: blocks.to_vec(),
        };
        chains.iter().map(prompt).collect()
    }

    #[test]
    fn the_tree_and_the_next_prompts_are_found() {
        let trace = PromptTrace::new(&prompts(&[&[7, 8], &[7, 9], &[7, 8, 5]]), 4).unwrap();
        assert_eq!(trace.all_blocks(), [0, 1, 0, 2, 0, 1, 3]);
        assert_eq!((0..4).map(|block| trace.parent(block)).collect::<Vec<_>>(), [None, Some(0), Some(0), Some(1)]);
        assert_eq!(
            (0..7).map(|reference| trace.next(reference)).collect::<Vec<_>>()[..4],
            [Some(1), Some(2), Some(2), None]
        );
        assert_eq!((0..3).map(|prompt| trace.seen(prompt)).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!((trace.tokens_of(2, 2), trace.tokens_of(2, 9)), (8, 12));
    }

    #[test]
    fn contradictions_are_rejected() {
        let fault = |chains: &[&[u64]], tokens| PromptTrace::new(&prompts(chains), tokens).unwrap_err();
        assert_eq!(fault(&[], 4), PromptFault::Empty);
        assert_eq!(fault(&[&[1]], 0), PromptFault::NoTokens);
        assert_eq!(fault(&[&[1, 2], &[3, 2]], 4), PromptFault::Parent { prompt: 1, block: 2 });
        assert_eq!(fault(&[&[1, 1]], 4), PromptFault::Parent { prompt: 0, block: 1 });
        assert_eq!(fault(&[&[1, 2]], 8).prompt(), Some(0));
        let mut late = prompts(&[&[1], &[2]]);
        late[0].arrival = 5;
        assert_eq!(PromptTrace::new(&late, 4).unwrap_err(), PromptFault::Order { prompt: 1 });
    }
}
