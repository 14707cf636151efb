//! The counts of a scheduler.

use crate::line::Facts;
use crate::scheduler::{End, Turn};
use forebay_core::convert;
use hdrhistogram::Histogram;
use std::time::Duration;

/// Jobs and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of jobs.
    pub jobs: u64,
    /// The sum of the jobs' sizes.
    pub bytes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.jobs += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// The counts of a scheduler since it was built, all at one moment.
///
/// Each submitted job is counted in exactly one other field: `submitted` = `refused` + `evicted` + `drained` + `done` + `cancelled` +
/// `queued` + `in_service`.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    /// Jobs that arrived.
    pub submitted: Count,
    /// Jobs that were not admitted.
    pub refused: Count,
    /// Jobs that were admitted and then dropped for better ones. They include jobs that were given back unfinished when there was no room.
    pub evicted: Count,
    /// Jobs taken out by `drain`.
    pub drained: Count,
    /// Jobs that are done, including those whose workers panicked.
    pub done: Count,
    /// Jobs that were given up, since their results were no longer wanted.
    pub cancelled: Count,
    /// Jobs that wait.
    pub queued: Count,
    /// Jobs that were pulled and not yet finished.
    pub in_service: u64,
    /// The number of times that a job was given back unfinished.
    pub requeued: u64,
    /// The number of done jobs whose worker panicked.
    pub panicked: u64,
    /// The estimated work of the jobs done, as estimated at their last turn.
    pub work_estimated: Duration,
    /// The time spent on jobs, including jobs that were not done in the end.
    pub work_spent: Duration,
    /// The largest amount by which a job's cost exceeded its estimate.
    pub worst_underestimate: Duration,
    /// The time from a job's submission to the pull after which it was done.
    pub waits: Times,
    /// The time from a job's submission to its end.
    pub latencies: Times,
}

impl Metrics {
    /// Returns the bytes done as a share of the bytes submitted: the goodput over the offered load, if all traffic is innocent. Returns 1
    /// if no bytes were submitted.
    #[must_use]
    pub fn served(&self) -> f64 {
        ratio(self.done.bytes as f64, self.submitted.bytes as f64, 1.0)
    }

    /// Returns the bytes not admitted or evicted as a share of the bytes submitted. During an attack, subtract the attacker's share of them
    /// to know the share of innocent bytes that are displaced.
    #[must_use]
    pub fn dropped(&self) -> f64 {
        ratio((self.refused.bytes + self.evicted.bytes) as f64, self.submitted.bytes as f64, 0.0)
    }

    /// Returns the bytes done per second of work, which an attack lowers. Infinite before any work.
    #[must_use]
    pub fn bytes_per_second(&self) -> f64 {
        ratio(self.done.bytes as f64, self.work_spent.as_secs_f64(), f64::INFINITY)
    }

    /// Returns the time spent over the estimated work: above 1 if estimates are too low, and 1 before any estimate.
    #[must_use]
    pub fn spent_over_estimated(&self) -> f64 {
        ratio(self.work_spent.as_secs_f64(), self.work_estimated.as_secs_f64(), 1.0)
    }
}

fn ratio(part: f64, whole: f64, of_nothing: f64) -> f64 {
    if whole > 0.0 { part / whole } else { of_nothing }
}

/// A distribution of durations, with quantiles to 1 %. Durations above an hour are counted as an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// Number of jobs.
    pub count: u64,
    /// The mean.
    pub mean: Duration,
    /// The median: half of the durations were not longer.
    pub median: Duration,
    /// The 90th percentile.
    pub p90: Duration,
    /// The 99th percentile.
    pub p99: Duration,
    /// The 99.9th percentile.
    pub p999: Duration,
    /// The longest duration.
    pub longest: Duration,
}

/// The longest time in a histogram, in nanoseconds.
const LONGEST: u64 = 3_600_000_000_000;

#[derive(Debug, Clone)]
struct Recorder {
    /// A histogram with fixed bounds, so it does not grow.
    histogram: Histogram<u64>,
    total: Duration,
    longest: Duration,
}

impl Default for Recorder {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST, 2).expect("the bounds are in order, two digits will do");
        Self { histogram, total: Duration::ZERO, longest: Duration::ZERO }
    }
}

impl Recorder {
    fn record(&mut self, time: Duration) {
        self.total = self.total.saturating_add(time);
        self.longest = self.longest.max(time);
        self.histogram.saturating_record(convert::saturate(time.as_nanos()));
    }

    fn times(&self) -> Times {
        let count = self.histogram.len();
        let quantile = |share| Duration::from_nanos(self.histogram.value_at_quantile(share)).min(self.longest);
        let mean = self.total.as_nanos() / u128::from(count.max(1));
        Times {
            count,
            mean: Duration::from_nanos(convert::saturate(mean)),
            median: quantile(0.5),
            p90: quantile(0.9),
            p99: quantile(0.99),
            p999: quantile(0.999),
            longest: self.longest,
        }
    }
}

/// The counts that the lock protects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted {
    pub(crate) submitted: Count,
    pub(crate) refused: Count,
    pub(crate) evicted: Count,
    pub(crate) drained: Count,
    pub(crate) requeued: u64,
    pub(crate) work_spent: Duration,
    done: Count,
    cancelled: Count,
    panicked: u64,
    work_estimated: Duration,
    worst_underestimate: Duration,
    waits: Recorder,
    latencies: Recorder,
}

impl Counted {
    /// Counts a job that has ended.
    pub(crate) fn end(&mut self, facts: &Facts, turn: &Turn) {
        self.work_spent = self.work_spent.saturating_add(turn.spent);
        if turn.end == End::Cancelled {
            self.cancelled.add(facts.size_bytes);
            return;
        }
        self.done.add(facts.size_bytes);
        self.panicked += u64::from(turn.end == End::Panicked);
        self.work_estimated = self.work_estimated.saturating_add(facts.work);
        let whole = facts.spent.saturating_add(turn.spent);
        self.worst_underestimate = self.worst_underestimate.max(whole.saturating_sub(facts.work));
        self.waits.record(turn.waited);
        self.latencies.record(turn.latency);
    }

    pub(crate) fn metrics(&self, queued: Count, in_service: u64) -> Metrics {
        Metrics {
            submitted: self.submitted,
            refused: self.refused,
            evicted: self.evicted,
            drained: self.drained,
            done: self.done,
            cancelled: self.cancelled,
            queued,
            in_service,
            requeued: self.requeued,
            panicked: self.panicked,
            work_estimated: self.work_estimated,
            work_spent: self.work_spent,
            worst_underestimate: self.worst_underestimate,
            waits: self.waits.times(),
            latencies: self.latencies.times(),
        }
    }
}
