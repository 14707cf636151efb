//! The counters of a cache.

use forebay_core::convert;
use std::fmt;
use std::time::Duration;

/// The counters of a cache since it was built, all at one moment.
///
/// Each call of `get_or_fetch` that reached the lookup is a hit, a delayed hit or a miss, or was rejected because its
/// fetch would have waited for itself.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    /// Requests whose value was cached, including those of `get`.
    pub hits: u64,
    /// Requests that found a fetch of their key in flight and waited for it.
    pub delayed_hits: u64,
    /// Requests that began a fetch.
    pub misses: u64,
    /// Calls of `get` that found nothing.
    pub absent: u64,
    /// Requests that got the remembered error of an earlier fetch.
    pub remembered_errors: u64,
    /// Fetches that ended with an error, including those that panicked, timed out or were aborted.
    pub fetch_errors: u64,
    /// Fetches that panicked.
    pub panics: u64,
    /// Fetches that reached their time limit.
    pub timed_out: u64,
    /// Fetches that `abort` ended.
    pub aborted: u64,
    /// Fetches that were dropped before their end, since no waiter wanted the outcome any more.
    pub cancelled: u64,
    /// Hits of policies that must hear of hits in order, of which the policy did not hear, since a buffer was full.
    pub unnoted: u64,
    /// Fetches that began while an older value was cached (refresh ahead, or a value whose time to live was over).
    pub refreshes: u64,
    /// Requests that got a value whose time to live was over.
    pub served_stale: u64,
    /// Entries that were evicted for lack of room.
    pub evictions: u64,
    /// Entries whose place another value of the same key took, by an insertion or a fetch.
    pub replacements: u64,
    /// Values that were not inserted: heavier than a shard, or not admitted by the policy.
    pub refused: u64,
    /// Values that were not inserted since their key was inserted or invalidated meanwhile.
    pub outdated: u64,
    /// Entries that were removed since they had expired: their time to live or their time to idle was over.
    pub expirations: u64,
    /// Of these, the entries whose time to idle was over.
    pub idle_expirations: u64,
    /// Entries that were removed since they were invalidated.
    pub invalidations: u64,
    /// Calls of `insert`.
    pub insertions: u64,
    /// Present announcements, of keys that are cached or not.
    pub announced: u64,
    /// Fetches in flight now.
    pub in_flight: u64,
    /// Present entries, including expired ones without a lookup since.
    pub entries: u64,
    /// The sum of the weights of these entries.
    pub weight: u64,
    /// Durations of the fetches that brought a value.
    pub loads: Waits,
    /// Waits of misses, without those that were dropped before the end.
    pub miss_waits: Waits,
    /// Waits of delayed hits, for the rest of the fetch that they found.
    pub delayed_waits: Waits,
}

impl Metrics {
    /// Hits, delayed hits and misses.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }

    /// The mean latency of all answered requests; hits count as zero.
    #[must_use]
    pub fn mean_latency(&self) -> Duration {
        let answered = self.hits + self.miss_waits.count + self.delayed_waits.count;
        mean(self.miss_waits.total.saturating_add(self.delayed_waits.total), answered)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.hits += other.hits;
        self.delayed_hits += other.delayed_hits;
        self.misses += other.misses;
        self.absent += other.absent;
        self.remembered_errors += other.remembered_errors;
        self.fetch_errors += other.fetch_errors;
        self.panics += other.panics;
        self.timed_out += other.timed_out;
        self.aborted += other.aborted;
        self.cancelled += other.cancelled;
        self.unnoted += other.unnoted;
        self.refreshes += other.refreshes;
        self.served_stale += other.served_stale;
        self.evictions += other.evictions;
        self.replacements += other.replacements;
        self.refused += other.refused;
        self.outdated += other.outdated;
        self.expirations += other.expirations;
        self.idle_expirations += other.idle_expirations;
        self.invalidations += other.invalidations;
        self.insertions += other.insertions;
        self.announced += other.announced;
        self.in_flight += other.in_flight;
        self.entries += other.entries;
        self.weight += other.weight;
        self.loads.add(&other.loads);
        self.miss_waits.add(&other.miss_waits);
        self.delayed_waits.add(&other.delayed_waits);
    }
}

/// The waits of requests.
#[derive(Clone)]
pub struct Waits {
    /// Number of answered requests.
    pub count: u64,
    /// The sum of their waits.
    pub total: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// Numbers of requests by their wait: four buckets of equal width from each power of two of nanoseconds to the next.
    /// Bucket 4i + j has the waits from (4 + j) x 2^(i - 2) to below (5 + j) x 2^(i - 2). The first also counts requests
    /// that did not wait.
    pub buckets: [u64; BUCKETS],
}

/// Number of buckets of [`Waits`].
const BUCKETS: usize = 256;

// Without the buckets, which would hide the rest.
impl fmt::Debug for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waits = f.debug_struct("Waits");
        waits.field("count", &self.count).field("mean", &self.mean()).field("median", &self.quantile(0.5));
        waits.field("p99", &self.quantile(0.99)).field("longest", &self.longest).finish_non_exhaustive()
    }
}

impl Default for Waits {
    fn default() -> Self {
        Self { count: 0, total: Duration::ZERO, longest: Duration::ZERO, buckets: [0; BUCKETS] }
    }
}

/// The bucket of a wait.
fn bucket(nanoseconds: u64) -> usize {
    let nanoseconds = nanoseconds.max(1);
    let power = nanoseconds.ilog2();
    // The two digits after the first.
    let quarter = (u128::from(nanoseconds) << 2 >> power) & 3;
    4 * power as usize + convert::index(convert::saturate(quarter))
}

/// The end of a bucket, in nanoseconds.
fn end(bucket: usize) -> u64 {
    let (power, quarter) = (bucket / 4, bucket as u128 % 4);
    convert::saturate((((5 + quarter) << power) + 3) >> 2)
}

impl Waits {
    /// The mean wait.
    #[must_use]
    pub fn mean(&self) -> Duration {
        mean(self.total, self.count)
    }

    /// An upper bound of the wait that this share of the requests did not exceed: the end of its bucket, at most a
    /// quarter above the wait. `quantile(0.99)` is the 99th percentile.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen > 0 && seen as f64 >= share * self.count as f64 {
                return Duration::from_nanos(end(bucket)).min(self.longest);
            }
        }
        Duration::ZERO
    }

    pub(crate) fn record(&mut self, nanoseconds: u64) {
        let wait = Duration::from_nanos(nanoseconds);
        self.count += 1;
        self.total = self.total.saturating_add(wait);
        self.longest = self.longest.max(wait);
        self.buckets[bucket(nanoseconds)] += 1;
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.total = self.total.saturating_add(other.total);
        self.longest = self.longest.max(other.longest);
        for (sum, count) in self.buckets.iter_mut().zip(other.buckets) {
            *sum += count;
        }
    }
}

fn mean(total: Duration, count: u64) -> Duration {
    let nanoseconds = total.as_nanos() / u128::from(count.max(1));
    Duration::from_nanos(convert::saturate(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_add_up() {
        let mut waits = Waits::default();
        for wait in [0, 1, 1_000, 1_023, 1_024, 5_000] {
            waits.record(wait);
        }
        assert_eq!((waits.count, waits.total), (6, Duration::from_nanos(8_048)));
        let of = |power: usize, quarter: usize| waits.buckets[4 * power + quarter];
        assert_eq!((of(0, 0), of(9, 3), of(10, 0), of(12, 0)), (2, 2, 1, 1));
        assert_eq!(waits.mean(), Duration::from_nanos(1_341));
        assert_eq!(waits.quantile(0.5), Duration::from_nanos(1_024));
        assert_eq!(waits.quantile(1.0), Duration::from_nanos(5_000));
        assert_eq!(Waits::default().quantile(0.5), Duration::ZERO);
    }

    #[test]
    fn every_wait_is_in_its_bucket_and_a_quarter_below_its_end() {
        let waits = (0..64).flat_map(|power| [0, 1, 3, 7].map(|more| (1_u64 << power) | (more << power >> 3)));
        for wait in waits.chain([0, u64::MAX]) {
            let (bucket, wait) = (bucket(wait), wait.max(1));
            assert!(bucket == 0 || end(bucket - 1) <= wait.max(end(bucket - 1)), "{wait}");
            assert!(end(bucket) >= wait, "{wait}");
            assert!(wait < 4 || u128::from(end(bucket)) * 4 <= u128::from(wait) * 5 + 4, "{wait}");
        }
    }
}
