//! A histogram of durations, with the buckets that the metrics show.

/// The upper ends of the buckets, in nanoseconds: 1, 2 and 5 of each power of ten from 1 ms to 50 s.
pub const BUCKETS: [u64; 15] = [
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    5_000_000_000,
    10_000_000_000,
    20_000_000_000,
    50_000_000_000,
];

/// How many durations fall into each bucket, their number and sum.
#[derive(Debug, Clone, Default)]
pub struct Durations {
    /// One more than [`BUCKETS`]: the last is for longer ones.
    pub buckets: [u64; BUCKETS.len() + 1],
    /// How many there are.
    pub number: u64,
    /// Their sum, in nanoseconds.
    pub nanoseconds: u128,
}

impl Durations {
    pub(crate) fn record(&mut self, nanoseconds: u64) {
        let bucket = BUCKETS.partition_point(|&end| end < nanoseconds);
        self.buckets[bucket] += 1;
        self.number += 1;
        self.nanoseconds += u128::from(nanoseconds);
    }
}
