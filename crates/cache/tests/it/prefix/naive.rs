//! The reference: stored blocks in a list, each with its whole chain; every question is answered by scanning.

use super::BLOCK;
use forebay_core::Prompt;

/// A stored block.
#[derive(Debug, Clone)]
struct Block {
    /// All blocks of its chain, itself last.
    chain: Vec<u64>,
    ready: bool,
    last_used: usize,
    uses: u64,
    credit: u64,
}

/// What the reference measured: hits of each prompt, delayed blocks, evictions, and times to the first token.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) hits: u64,
    pub(crate) delayed: u64,
    pub(crate) evictions: u64,
    pub(crate) first_token_ps: Vec<u64>,
}

/// A server with a prefix cache.
pub(crate) struct Naive<'a> {
    pub(crate) prompts: &'a [Prompt],
    pub(crate) policy: &'a str,
    pub(crate) capacity: usize,
    pub(crate) workers: usize,
    /// Picoseconds of the token at a position.
    pub(crate) token_ps: &'a dyn Fn(u64) -> u64,
}

impl Naive<'_> {
    fn cost(&self, from: u64, to: u64) -> u64 {
        (from..to).map(self.token_ps).sum()
    }

    fn next(&self, chain: &[u64], after: usize, before: usize) -> Option<usize> {
        (after + 1..before).find(|&prompt| self.prompts[prompt].blocks.starts_with(chain))
    }

    /// The evicted block has the lowest of these.
    fn rank(&self, block: &Block, started: usize, arrived: usize) -> (u64, u64) {
        let recency = block.last_used as u64;
        let later = |next: Option<usize>| next.map_or((0, recency), |next| (1, (self.prompts.len() - next) as u64));
        match self.policy {
            "lru-leaf" => (recency, 0),
            "belady-leaf" => later(self.next(&block.chain, started, self.prompts.len())),
            "queue-informed" => later(self.next(&block.chain, started, arrived)),
            "cost-aware" => (block.credit, recency),
            "t-lru(threshold=9,turn=2)" => {
                let next = self.prompts[block.last_used].input_tokens + 2;
                let without = (block.chain.len() as u64 - 1) * BLOCK;
                (u64::from(next - without > 9), recency)
            }
            other => panic!("{other} has no reference"),
        }
    }

    pub(crate) fn run(&self) -> Measured {
        let mut measured = Measured::default();
        let mut stored: Vec<Block> = Vec::new();
        // Prompts that run: end, prompt, hits, stored blocks.
        let mut running: Vec<(u64, usize, usize, usize)> = Vec::new();
        let mut age = 0;
        for (number, prompt) in self.prompts.iter().enumerate() {
            let mut start = prompt.arrival * 1000;
            running.sort_unstable();
            while running.first().is_some_and(|first| first.0 <= start || running.len() == self.workers) {
                let (end, done, _, kept) = running.remove(0);
                start = start.max(end);
                let chain = &self.prompts[done].blocks[..kept];
                stored.iter_mut().filter(|block| chain.starts_with(&block.chain)).for_each(|block| block.ready = true);
            }
            let has_arrived = |prompt: &&Prompt| prompt.arrival * 1000 <= start;
            let arrived = self.prompts.iter().take_while(has_arrived).count().max(number + 1);
            let prefix = |length: usize| &prompt.blocks[..length];
            let find = |stored: &[Block], length: usize| stored.iter().position(|block| block.chain == prefix(length));
            let is_hit = |length: &usize| find(&stored, *length).is_some_and(|place| stored[place].ready);
            let hits = (1..=prompt.blocks.len()).take_while(is_hit).count();
            let is_computed = |length: &usize| {
                running.iter().any(|(_, other, hits, _)| {
                    *hits < *length && self.prompts[*other].blocks.starts_with(prefix(*length))
                })
            };
            measured.delayed += (hits + 1..=prompt.blocks.len()).filter(is_computed).count() as u64;
            let mut kept = 0;
            for length in 1..=prompt.blocks.len() {
                if find(&stored, length).is_none() {
                    if stored.len() == self.capacity {
                        let is_pinned = |chain: &[u64]| {
                            prefix(kept).starts_with(chain)
                                || running
                                    .iter()
                                    .any(|(_, other, _, kept)| self.prompts[*other].blocks[..*kept].starts_with(chain))
                        };
                        let is_leaf = |block: &Block| {
                            !stored
                                .iter()
                                .any(|o| o.chain.len() > block.chain.len() && o.chain.starts_with(&block.chain))
                        };
                        let victim = (0..stored.len())
                            .filter(|&place| is_leaf(&stored[place]) && !is_pinned(&stored[place].chain))
                            .min_by_key(|&place| self.rank(&stored[place], number, arrived));
                        let Some(victim) = victim else { break };
                        age = age.max(self.rank(&stored[victim], number, arrived).0);
                        stored.remove(victim);
                        measured.evictions += 1;
                    }
                    let chain = prefix(length).to_vec();
                    stored.push(Block { chain, ready: false, last_used: 0, uses: 0, credit: 0 });
                }
                let place = find(&stored, length).expect("it was just stored");
                let block = &mut stored[place];
                let from = (length as u64 - 1) * BLOCK;
                block.last_used = number;
                block.uses += 1;
                block.credit = age + block.uses * self.cost(from, (from + BLOCK).min(prompt.input_tokens));
                kept = length;
            }
            let end = start + self.cost((hits as u64 * BLOCK).min(prompt.input_tokens), prompt.input_tokens);
            running.push((end, number, hits, kept));
            measured.hits += hits as u64;
            measured.first_token_ps.push(end - prompt.arrival * 1000);
        }
        measured.first_token_ps.sort_unstable();
        measured
    }
}
