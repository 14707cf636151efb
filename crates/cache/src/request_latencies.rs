//! How the latencies of requests are spread, and how they change along a trace.

use crate::model::{Observer, RequestOutcome};
use forebay_core::Request;
use hdrhistogram::Histogram;

/// Significant digits of quantiles.
const DIGITS: u8 = 3;
/// Requests of a block at first.
const FIRST_BLOCK: u64 = 64;
/// With so many blocks, two become one.
const MOST_BLOCKS: usize = 40;

/// Watches the latency of every request. Memory O(1). A hit costs no search in the histogram.
#[derive(Debug, Clone)]
pub struct Waits {
    latencies: Histogram<u64>,
    max: u64,
    /// The latency of the last misses, and how many in a row had it.
    miss: (u64, u64),
    /// The latency of hits, which is one for all, and how many there were.
    hits: (u64, u64),
    hit_bytes: u64,
    first: u64,
    last: u64,
    block_requests: u64,
    blocks: Vec<u64>,
    /// When the first request of each block arrived.
    starts: Vec<u64>,
    block: Block,
}

/// The block that is not full yet.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    requests: u64,
    latency: u64,
    start: u64,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            latencies: Histogram::new(DIGITS).expect("the number of digits is valid"),
            max: 0,
            miss: (0, 0),
            hits: (0, 0),
            hit_bytes: 0,
            first: u64::MAX,
            last: 0,
            block_requests: FIRST_BLOCK,
            blocks: Vec::with_capacity(MOST_BLOCKS),
            starts: Vec::with_capacity(MOST_BLOCKS),
            block: Block::default(),
        }
    }
}

impl Observer for Waits {
    #[inline]
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        let latency = outcome.latency();
        match outcome {
            RequestOutcome::Hit(latency) => {
                self.hits = (latency, self.hits.1 + 1);
                self.hit_bytes = self.hit_bytes.saturating_add(request.size);
            }
            // Most fetches take as long as the one before.
            RequestOutcome::Miss(latency) if latency == self.miss.0 => self.miss.1 += 1,
            RequestOutcome::Miss(latency) => {
                self.record(self.miss);
                self.miss = (latency, 1);
            }
            RequestOutcome::DelayedHit(latency) => self.record((latency, 1)),
        }
        self.first = self.first.min(request.time);
        self.last = request.time;
        if self.block.requests == 0 {
            self.block.start = request.time;
        }
        self.block.requests += 1;
        self.block.latency = self.block.latency.saturating_add(latency);
        if self.block.requests == self.block_requests {
            self.end_block();
        }
    }
}

impl Waits {
    fn record(&mut self, (latency, times): (u64, u64)) {
        // A histogram that resizes takes every value.
        let _taken = self.latencies.record_n(latency, times);
        self.max = self.max.max(latency);
    }

    #[cold]
    fn end_block(&mut self) {
        self.blocks.push(self.block.latency);
        self.starts.push(self.block.start);
        self.block = Block::default();
        if self.blocks.len() == MOST_BLOCKS {
            let pairs = self.blocks.chunks(2).map(|pair| pair.iter().fold(0, |sum: u64, own| sum.saturating_add(*own)));
            self.blocks = pairs.collect();
            self.starts = self.starts.iter().copied().step_by(2).collect();
            self.block_requests *= 2;
        }
    }

    /// The latencies in ticks below which these shares of the requests lie, with three significant digits.
    #[must_use]
    pub fn quantiles<const N: usize>(&self, shares: [f64; N]) -> [u64; N] {
        let mut all = self.clone();
        all.record(self.miss);
        all.record(self.hits);
        // A bucket of the histogram may reach beyond the greatest latency.
        shares.map(|share| all.latencies.value_at_quantile(share).min(all.max))
    }

    /// The greatest latency, in ticks.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max.max(self.miss.0).max(self.hits.0)
    }

    /// Sizes of the objects of hits.
    #[must_use]
    pub fn hit_bytes(&self) -> u64 {
        self.hit_bytes
    }

    /// Ticks from the first request to the last.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.last.saturating_sub(self.first)
    }

    /// Requests of a block, and the latency of each full block: 20 to 39 of them where there are enough requests.
    #[must_use]
    pub fn blocks(&self) -> (u64, &[u64]) {
        (self.block_requests, &self.blocks)
    }

    /// The tick of the first request of each full block.
    #[must_use]
    pub fn block_starts(&self) -> &[u64] {
        &self.starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_count_hits_and_blocks_grow() {
        let mut waits = Waits::default();
        for time in 0..10_000 {
            let outcome = match time % 100 {
                0..90 => RequestOutcome::Hit(0),
                99 => RequestOutcome::Miss(1_000_000),
                _ => RequestOutcome::DelayedHit(7),
            };
            waits.outcome(&Request { time, key: 1, size: 2 }, outcome);
        }
        let [p50, p90, p99, last] = waits.quantiles([0.5, 0.9, 0.99, 0.999]);
        assert_eq!((p50, p90, p99), (0, 0, 7));
        assert_eq!((last, waits.max()), (1_000_000, 1_000_000));
        assert_eq!((waits.hit_bytes(), waits.ticks()), (18_000, 9_999));
        let (requests, blocks) = waits.blocks();
        assert_eq!((requests, blocks.len()), (256, 10_000 / 256));
        let full = blocks.len() as u64 * requests;
        let expected: u64 = (0..full)
            .map(|time| [0, 7, 1_000_000][usize::from(time % 100 >= 90) + usize::from(time % 100 == 99)])
            .sum();
        assert_eq!(blocks.iter().sum::<u64>(), expected);
        let starts: Vec<u64> = (0..blocks.len() as u64).map(|block| block * requests).collect();
        assert_eq!(waits.block_starts(), starts);
    }

    #[test]
    fn nothing_is_watched_without_requests() {
        let waits = Waits::default();
        assert_eq!((waits.quantiles([0.5]), waits.ticks(), waits.blocks().1.len()), ([0], 0, 0));
    }
}
