//! A prefix cache under a policy that knows nothing of chains: every block is an object of its own.
//!
//! Such a policy may evict a block whose successors stay. They take room, and no prompt can use them. Nothing is pinned:
//! a running prompt has its own copy.

use super::{PrefixStore, PromptTrace};
use crate::access::{Access, Fetched, Future};
use crate::cache::Cache;
use crate::future::futures;
use crate::policy::{CachePolicy, Shape};
use forebay_core::{ParamError, Request};

type Policy = Box<dyn CachePolicy + Send>;

/// A prefix cache under a policy of [`POLICIES`](crate::POLICIES). Its clock counts references: one tick for each block.
pub struct FlatStore<'t> {
    trace: &'t PromptTrace,
    cache: Cache<Policy>,
    /// Per block: a prompt has finished computing it since it was stored.
    ready: Vec<bool>,
    /// Per reference, for offline policies; otherwise empty.
    futures: Vec<Future>,
    evictions: u64,
}

impl<'t> FlatStore<'t> {
    /// An empty cache for the policy that `build` makes; `offline` if it looks into the future.
    ///
    /// # Errors
    /// If the policy's parameters do not fit the capacity.
    pub fn new(
        trace: &'t PromptTrace,
        shape: &Shape,
        offline: bool,
        build: impl FnOnce(&Shape) -> Result<Policy, ParamError>,
    ) -> Result<Self, ParamError> {
        let request = |(time, &block): (u64, &u32)| Request { time, key: block.into(), size: 1 };
        let requests = || (0..).zip(trace.all_blocks()).map(request).collect::<Vec<_>>();
        Ok(Self {
            trace,
            cache: Cache::new(shape, build(shape)?),
            ready: vec![false; trace.distinct_blocks()],
            futures: if offline { futures(&requests(), |_| 1) } else { Vec::new() },
            evictions: 0,
        })
    }
}

impl PrefixStore for FlatStore<'_> {
    fn start(&mut self, prompt: usize) -> usize {
        let blocks = self.trace.blocks(prompt);
        let hits = blocks.iter().take_while(|&&block| self.ready[block as usize]).count();
        for (&block, reference) in blocks.iter().zip(self.trace.references(prompt)) {
            let (time, key) = (reference as u64, u64::from(block));
            let future = self.futures.get(reference).copied().unwrap_or(Future::NONE);
            if self.cache.request(&Access { time, key, size: 1, latency: 1, future }).is_none() {
                let new = Fetched { time, key, size: 1, latency: 1, last: time, waiting: 1, future };
                let Self { cache, ready, evictions, .. } = self;
                cache.admit(&new, |_, entry| {
                    ready[usize::try_from(entry.key).expect("a block's number is an index")] = false;
                    *evictions += 1;
                });
            }
        }
        hits
    }

    fn finish(&mut self, prompt: usize) {
        for &block in self.trace.blocks(prompt) {
            self.ready[block as usize] = self.cache.find(block.into()).is_some();
        }
    }

    fn evictions(&self) -> u64 {
        self.evictions
    }

    fn stored(&self) -> u64 {
        self.cache.len() as u64
    }
}
