//! Queue length over time, in bounded memory whatever the length of the run.
//!
//! Time is cut into intervals, each with its greatest and its mean length. When
//! there are too many, neighbours are merged and intervals become twice as long.

use crate::probe::Probe;
use forebay_core::{Duration, Packet, Time, convert};
use serde::{Deserialize, Serialize};

/// Intervals kept at most; between half of this and this after a long run.
const MAX_INTERVALS: usize = 512;
/// The first length of an interval.
const FIRST_INTERVAL: Duration = Duration::from_us(1);

/// The queue length over the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueLengthSeries {
    /// Length of an interval in nanoseconds.
    pub interval_ns: u64,
    /// Greatest number of packets that waited in each interval.
    pub max_packets: Vec<u64>,
    /// Mean number of packets that waited in each interval, over time.
    pub mean_packets: Vec<f64>,
}

impl QueueLengthSeries {
    /// The greatest number of packets that waited.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max_packets.iter().copied().max().unwrap_or(0)
    }

    /// The mean number of packets that waited, over the time until `end`, with which the series ends.
    #[must_use]
    pub fn mean(&self, end: Time) -> f64 {
        let interval = self.interval_ns as f64;
        let end = end.as_ps() as f64 / 1e3;
        let length_of = |index: usize| (end - index as f64 * interval).min(interval);
        let area: f64 = self.mean_packets.iter().enumerate().map(|(index, mean)| mean * length_of(index)).sum();
        if end > 0.0 { area / end } else { 0.0 }
    }
}

/// Observes the number of waiting packets.
#[derive(Debug, Clone)]
pub struct QueueLength {
    interval: Duration,
    /// Intervals that are over.
    intervals: Vec<Interval>,
    present: Interval,
    present_end: Time,
    length: u64,
    since: Time,
    last_queued: Time,
}

#[derive(Debug, Clone, Copy, Default)]
struct Interval {
    max: u64,
    /// Packets times picoseconds.
    area: u128,
}

impl Default for QueueLength {
    fn default() -> Self {
        Self {
            interval: FIRST_INTERVAL,
            intervals: Vec::with_capacity(MAX_INTERVALS),
            present: Interval::default(),
            present_end: Time::ZERO + FIRST_INTERVAL,
            length: 0,
            since: Time::ZERO,
            last_queued: Time::ZERO,
        }
    }
}

impl QueueLength {
    /// The time at which a packet last joined the queue; from then on the queue only empties.
    #[must_use]
    pub fn last_queued(&self) -> Time {
        self.last_queued
    }

    /// The series up to `end`. The last interval may be shorter.
    #[must_use]
    pub fn series(mut self, end: Time) -> QueueLengthSeries {
        self.advance(end);
        self.intervals.push(self.present);
        let used = end.as_ps().div_ceil(self.interval.as_ps());
        let used = convert::saturate::<usize>(used).min(self.intervals.len());
        let intervals = &self.intervals[..used];
        let length_of = |index: usize| (end.as_ps() - index as u64 * self.interval.as_ps()).min(self.interval.as_ps());
        QueueLengthSeries {
            interval_ns: self.interval.as_ns(),
            max_packets: intervals.iter().map(|interval| interval.max).collect(),
            mean_packets: intervals
                .iter()
                .enumerate()
                .map(|(index, interval)| interval.area as f64 / length_of(index) as f64)
                .collect(),
        }
    }

    #[inline]
    fn change(&mut self, now: Time, length: usize) {
        self.advance(now);
        self.length = length as u64;
        self.present.max = self.present.max.max(self.length);
    }

    /// Accounts the present length up to `now`.
    #[inline]
    fn advance(&mut self, now: Time) {
        while now >= self.present_end {
            self.account(self.present_end);
            self.next_interval();
        }
        self.account(now);
    }

    fn account(&mut self, until: Time) {
        self.present.area += u128::from(self.length) * u128::from(until.since(self.since).as_ps());
        self.since = until;
    }

    fn next_interval(&mut self) {
        self.intervals.push(self.present);
        self.present = Interval { max: self.length, area: 0 };
        if self.intervals.len() == MAX_INTERVALS {
            self.merge();
        }
        self.present_end += self.interval;
    }

    fn merge(&mut self) {
        self.interval = self.interval + self.interval;
        self.intervals = self
            .intervals
            .chunks(2)
            .map(|pair| Interval {
                max: pair.iter().map(|interval| interval.max).max().unwrap_or(0),
                area: pair.iter().map(|interval| interval.area).sum(),
            })
            .collect();
    }
}

impl Probe for QueueLength {
    fn queued(&mut self, now: Time, _: &Packet, queue_len: usize) {
        self.last_queued = now;
        self.change(now, queue_len);
    }

    fn dequeued(&mut self, now: Time, _: &Packet, queue_len: usize) {
        self.change(now, queue_len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::from_ns(us * 1_000)
    }

    #[test]
    fn maxima_and_means_are_those_of_the_steps() {
        let mut probe = QueueLength::default();
        probe.change(Time::from_ns(500), 4);
        probe.change(us(2), 1);
        let series = probe.series(Time::from_ns(3_500));
        assert_eq!(series.interval_ns, 1_000);
        assert_eq!(series.max_packets, [4, 4, 4, 1]);
        assert_eq!(series.mean_packets, [2.0, 4.0, 1.0, 1.0]);
    }

    #[test]
    fn the_last_packet_that_joined_is_known() {
        let mut probe = QueueLength::default();
        let packet = Packet::default();
        probe.queued(us(3), &packet, 1);
        probe.queued(us(5), &packet, 2);
        probe.dequeued(us(9), &packet, 1);
        assert_eq!(probe.last_queued(), us(5));
    }

    #[test]
    fn a_long_run_is_merged_and_keeps_its_mean() {
        let mut probe = QueueLength::default();
        for step in 0..10_000 {
            probe.change(us(step), usize::from(step % 2 == 0));
        }
        let series = probe.series(us(10_000));
        assert!(series.max_packets.len() <= MAX_INTERVALS && series.max_packets.len() > MAX_INTERVALS / 2);
        assert!(series.mean_packets.iter().all(|mean| (mean - 0.5).abs() < 0.05), "{:?}", series.mean_packets);
    }
}
