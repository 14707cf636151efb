//! The counts of a scheduler.

use crate::line::Facts;
use crate::scheduler::{End, Turn};
use forebay_core::convert;
use hdrhistogram::Histogram;
use std::time::Duration;

/// Jobs and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub jobs: u64,
    /// The sum of their sizes.
    pub bytes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.jobs += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// The counts of a scheduler since it was built, all of one moment.
///
/// Each job that was submitted is in exactly one place: `submitted` = `refused` + `evicted` +
/// `drained` + `done` + `cancelled` + `queued` + `in_service`.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    /// Jobs that arrived.
    pub submitted: Count,
    /// Jobs that were not admitted.
    pub refused: Count,
    /// Jobs that were admitted and then dropped for better ones. They include jobs that were given back unfinished and
    /// found no room.
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
    /// How many times a job was given back unfinished.
    pub requeued: u64,
    /// How many of the jobs done had a worker that panicked.
    pub panicked: u64,
    /// The estimated work of the jobs done, at their last turn.
    pub work_estimated: Duration,
    /// The time spent, also on jobs that were not done in the end.
    pub work_spent: Duration,
    /// The greatest cost of a job beyond its estimate.
    pub worst_underestimate: Duration,
    /// From the submission of a job to the pull with which it was done.
    pub waits: Times,
    /// From the submission of a job to its end.
    pub latencies: Times,
}

impl Metrics {
    /// The bytes done as a share of those submitted: the goodput over the offered load, if all
    /// traffic is innocent. 1 if there were none.
    #[must_use]
    pub fn served(&self) -> f64 {
        ratio(self.done.bytes as f64, self.submitted.bytes as f64, 1.0)
    }

    /// The bytes not admitted and evicted as a share of those submitted. During an attack, this less the attacker's own
    /// share is the share of innocent bytes that are displaced.
    #[must_use]
    pub fn dropped(&self) -> f64 {
        ratio((self.refused.bytes + self.evicted.bytes) as f64, self.submitted.bytes as f64, 0.0)
    }

    /// Bytes done per second of work, which an attack lowers. Infinite before any work.
    #[must_use]
    pub fn bytes_per_second(&self) -> f64 {
        ratio(self.done.bytes as f64, self.work_spent.as_secs_f64(), f64::INFINITY)
    }

    /// The time spent over the estimated work: above 1 where estimates are too low. 1 before any estimate.
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
    /// Half were not longer.
    pub median: Duration,
    /// 90 % were not longer.
    pub p90: Duration,
    /// 99 % were not longer.
    pub p99: Duration,
    /// 99.9 % were not longer.
    pub p999: Duration,
    /// The longest.
    pub longest: Duration,
}

/// The longest time in a histogram, in nanoseconds.
const LONGEST: u64 = 3_600_000_000_000;

#[derive(Debug, Clone)]
struct Recorder {
    /// Built for fixed bounds, so it does not grow.
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

/// The counts under the lock.
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
    /// A job has ended.
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
