//! A prefix cache that knows chains: it evicts leaves only, so every stored block can be used.
//!
//! Costs: O(log n) for each block of a prompt, and for each block whose rank changes as a prompt joins the queue.

use super::{Costs, Facts, PrefixPolicy, PrefixStore, PromptTrace, Rank};
use std::collections::BTreeSet;

/// A prefix cache that evicts the leaf with the lowest rank.
///
/// Blocks of running prompts take room from the start on and are pinned. If all other blocks are evicted and there is still
/// no room, the rest of the prompt is computed and not stored.
pub struct TreeStore<'t> {
    trace: &'t PromptTrace,
    costs: Costs,
    policy: Box<dyn PrefixPolicy + Send>,
    capacity: u64,
    stored: u64,
    evictions: u64,
    /// All prompts before this one have arrived.
    arrived: u32,
    nodes: Vec<Node>,
    /// Per prompt that runs: the number of its first blocks that are stored and pinned.
    pinned: Vec<u32>,
    evictable: BTreeSet<(Rank, u32)>,
}

/// A block.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    stored: bool,
    /// A prompt has finished computing it.
    ready: bool,
    children: u32,
    pins: u32,
    last_used: u32,
    uses: u32,
    credit: u64,
    next: Option<u32>,
    /// Its rank in the set of evictable blocks.
    rank: Option<Rank>,
}

impl<'t> TreeStore<'t> {
    /// An empty cache with room for `capacity` blocks.
    #[must_use]
    pub fn new(trace: &'t PromptTrace, capacity: u64, costs: Costs, policy: Box<dyn PrefixPolicy + Send>) -> Self {
        Self {
            trace,
            costs,
            policy,
            capacity,
            stored: 0,
            evictions: 0,
            arrived: 0,
            nodes: vec![Node::default(); trace.distinct_blocks()],
            pinned: vec![0; trace.len()],
            evictable: BTreeSet::new(),
        }
    }

    fn facts(&self, block: u32) -> Facts {
        let node = &self.nodes[block as usize];
        let depth = self.trace.depth(block);
        let prompt = node.last_used as usize;
        Facts {
            depth,
            first_token: self.trace.tokens_of(prompt, depth as usize),
            last_used: node.last_used,
            uses: node.uses,
            prompt_tokens: self.trace.input_tokens(prompt),
            saves_ps: self.costs.block(self.trace, prompt, depth as usize),
            waiting: node.next.filter(|&next| next < self.arrived),
            next: node.next,
            credit: node.credit,
        }
    }

    fn touch(&mut self, block: u32, prompt: u32, next: Option<u32>) {
        let node = &mut self.nodes[block as usize];
        if let Some(rank) = node.rank.take() {
            self.evictable.remove(&(rank, block));
        }
        node.pins += 1;
        node.uses += 1;
        node.last_used = prompt;
        node.next = next;
        let facts = self.facts(block);
        self.nodes[block as usize].credit = self.policy.credit(&facts);
    }

    /// Puts a leaf that nothing pins among the evictable blocks.
    fn offer(&mut self, block: u32) {
        let node = &self.nodes[block as usize];
        if node.children == 0 && node.pins == 0 {
            let rank = self.policy.rank(&self.facts(block));
            self.nodes[block as usize].rank = Some(rank);
            self.evictable.insert((rank, block));
        }
    }

    /// Whether there is room for a block, perhaps after an eviction.
    fn make_room(&mut self) -> bool {
        if self.stored < self.capacity {
            return true;
        }
        let Some((rank, block)) = self.evictable.pop_first() else { return false };
        self.nodes[block as usize] = Node::default();
        self.stored -= 1;
        self.evictions += 1;
        self.policy.evicted(rank);
        if let Some(parent) = self.trace.parent(block) {
            self.nodes[parent as usize].children -= 1;
            self.offer(parent);
        }
        true
    }
}

impl PrefixStore for TreeStore<'_> {
    fn wait(&mut self, prompt: usize) {
        self.arrived = u32::try_from(prompt + 1).expect("a trace has fewer than 2^32 prompts");
        if !self.policy.looks_at_queue() {
            return;
        }
        let trace = self.trace;
        for &block in trace.blocks(prompt) {
            if let Some(rank) = self.nodes[block as usize].rank.take() {
                self.evictable.remove(&(rank, block));
                self.offer(block);
            }
        }
    }

    fn start(&mut self, prompt: usize) -> usize {
        let number = u32::try_from(prompt).expect("a trace has fewer than 2^32 prompts");
        let (trace, references) = (self.trace, self.trace.references(prompt));
        let blocks = trace.blocks(prompt);
        let is_stored = |store: &Self, block: u32| store.nodes[block as usize].stored;
        let hits = blocks.iter().take_while(|&&block| self.nodes[block as usize].ready).count();
        let mut kept = 0_u32;
        for (&block, reference) in blocks.iter().zip(references) {
            if !is_stored(self, block) {
                if !self.make_room() {
                    break;
                }
                self.nodes[block as usize].stored = true;
                self.stored += 1;
                if let Some(parent) = trace.parent(block) {
                    self.nodes[parent as usize].children += 1;
                }
            }
            self.touch(block, number, trace.next(reference));
            kept += 1;
        }
        self.pinned[prompt] = kept;
        hits
    }

    fn finish(&mut self, prompt: usize) {
        let trace = self.trace;
        let kept = &trace.blocks(prompt)[..self.pinned[prompt] as usize];
        for &block in kept {
            let node = &mut self.nodes[block as usize];
            node.pins -= 1;
            node.ready = true;
        }
        if let Some(&last) = kept.last() {
            self.offer(last);
        }
    }

    fn evictions(&self) -> u64 {
        self.evictions
    }

    fn stored(&self) -> u64 {
        self.stored
    }
}
