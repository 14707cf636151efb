//! The bytes of a flow that have arrived, in any order.
//!
//! Bytes in order cost O(1) and no memory; each gap costs one range. Finding a position among `n` ranges costs O(log n), and an insertion
//! between ranges moves the ranges behind it.

use std::collections::VecDeque;
use std::ops::Range;

/// A set of bytes that grows: all before [`Received::next`], and ranges ahead of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Received {
    next: u64,
    /// Ranges in order, not empty, that touch neither each other nor `next`.
    ahead: VecDeque<Range<u64>>,
    ahead_bytes: u64,
}

impl Received {
    /// The first byte that is missing: all before it are there.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Whether bytes are there behind one that is missing.
    #[inline]
    pub(crate) fn has_gap(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// The number of bytes that have arrived.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.next + self.ahead_bytes
    }

    /// The bytes around `at` that are there behind a gap; [`None`] if `at` is missing or before all gaps.
    pub(crate) fn range_at(&self, at: u64) -> Option<Range<u64>> {
        let place = self.ahead.partition_point(|range| range.end <= at);
        self.ahead.get(place).filter(|range| range.contains(&at)).cloned()
    }

    /// The first byte from `at` on that is missing.
    pub(crate) fn missing_from(&self, at: u64) -> u64 {
        let place = self.ahead.partition_point(|range| range.end <= at);
        match self.ahead.get(place) {
            _ if at < self.next => self.next,
            Some(range) if range.start <= at => range.end,
            _ => at,
        }
    }

    /// Returns the number of missing bytes from `start` on and before `end`. O(n) for `n` ranges.
    pub(crate) fn missing_between(&self, start: u64, end: u64) -> u64 {
        let start = start.max(self.next);
        let there = |range: &Range<u64>| range.end.min(end).saturating_sub(range.start.max(start));
        end.saturating_sub(start) - self.ahead.iter().map(there).sum::<u64>()
    }

    /// Adds the bytes from `start` to before `end`. Returns how many of them were missing.
    #[inline]
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> u64 {
        if start <= self.next && self.ahead.is_empty() {
            let added = end.saturating_sub(self.next);
            self.next += added;
            return added;
        }
        self.insert_among(start.max(self.next), end)
    }

    fn insert_among(&mut self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        let first = self.ahead.partition_point(|range| range.end < start);
        let behind = self.ahead.partition_point(|range| range.start <= end);
        let mut joined = start..end;
        let mut known = 0;
        for range in self.ahead.range(first..behind) {
            known += range.end - range.start;
            joined = joined.start.min(range.start)..joined.end.max(range.end);
        }
        let length = joined.end - joined.start;
        self.ahead_bytes += length - known;
        if joined.start == self.next {
            self.next = joined.end;
            self.ahead_bytes -= length;
            self.ahead.drain(..behind);
        } else if first == behind {
            self.ahead.insert(first, joined);
        } else {
            self.ahead[first] = joined;
            self.ahead.drain(first + 1..behind);
        }
        length - known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn random_pieces_give_what_a_list_of_flags_gives() {
        const BYTES: usize = 60;
        let mut rng = Seed(1).stream("pieces");
        for _ in 0..2_000 {
            let mut received = Received::default();
            let mut flags = [false; BYTES];
            while flags.contains(&false) {
                let start = rng.random_range(0..BYTES);
                let end = rng.random_range(start..=(start + 8).min(BYTES));
                let added = flags[start..end].iter().filter(|there| !**there).count();
                flags[start..end].fill(true);
                assert_eq!(received.insert(start as u64, end as u64), added as u64);
                let missing_from = |at: usize| (at..BYTES).find(|&byte| !flags[byte]).unwrap_or(BYTES) as u64;
                assert_eq!(received.next(), missing_from(0));
                assert_eq!(received.missing_from(start as u64), missing_from(start));
                let range = received.range_at(start as u64);
                assert_eq!(
                    range.is_some(),
                    start as u64 >= received.next() && flags.get(start).is_some_and(|there| *there)
                );
                assert!(range.is_none_or(|range| range.end == missing_from(start)));
                let missing = flags[start..end].iter().filter(|there| !**there).count() as u64;
                assert_eq!(received.missing_between(start as u64, end as u64), missing);
                let count = flags.iter().filter(|there| **there).count() as u64;
                assert_eq!((received.bytes(), received.has_gap()), (count, count > received.next()));
                assert!(received.ahead.iter().zip(received.ahead.iter().skip(1)).all(|(a, b)| a.end < b.start));
            }
            assert!(!received.has_gap());
        }
    }
}
