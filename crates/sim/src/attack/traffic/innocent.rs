//! Innocent traffic: the packets of several flows at a mean rate.

use super::{Arrival, Stream, replay, to_time};
use crate::attack::applications::{Told, Workload};
use crate::attack::jobs::{Job, Jobs, Means};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Exp1};
use std::sync::Arc;

/// The gaps between packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// Equal gaps, as section 3.3.1 assumes.
    #[default]
    Constant,
    /// Exponential and independent.
    Poisson,
}

/// A recipe for innocent traffic.
#[derive(Debug, Clone)]
pub struct Innocent {
    kind: Kind,
    means: Means,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Jobs that are drawn, in packets of some flows, all alike.
    Drawn { jobs: Arc<Jobs>, gaps: Gaps, flows: u32 },
    /// Jobs that an application makes of its inputs.
    Made { workload: Arc<dyn Workload>, told: Told },
    /// A recording, in order of time, which is played again and again from a place that the seed chooses; never empty.
    Replayed(Arc<[Arrival]>),
}

/// Jobs of which means are taken.
const SAMPLED: usize = 1 << 20;

impl Innocent {
    /// Creates traffic of `flows` flows with these jobs and gaps.
    #[must_use]
    pub fn new(jobs: Jobs, gaps: Gaps, flows: u32) -> Self {
        Self::of(Kind::Drawn { jobs: Arc::new(jobs), gaps, flows: flows.max(1) })
    }

    /// Creates traffic from the innocent inputs of an application. Their work is computed as if each input were served before the next
    /// arrives. The scheduler knows the true work, or the application's estimate.
    #[must_use]
    pub fn made_by(workload: Arc<dyn Workload>, told: Told) -> Self {
        Self::of(Kind::Made { workload, told })
    }

    /// Creates traffic from a recording in order of time, with its flows and jobs. The recording is repeated from a position that the seed
    /// chooses, and its gaps are scaled to the rate.
    ///
    /// # Panics
    /// If the recording is empty.
    #[must_use]
    pub fn replayed(arrivals: Arc<[Arrival]>) -> Self {
        assert!(!arrivals.is_empty(), "a recording has packets");
        Self::of(Kind::Replayed(arrivals))
    }

    fn of(kind: Kind) -> Self {
        let innocent = Self { kind, means: Means { size_bits: 0.0, work_s: 0.0 } };
        Self { means: Means::of(&innocent.sample(SAMPLED)), ..innocent }
    }

    /// The means of the jobs.
    #[must_use]
    pub fn means(&self) -> Means {
        self.means
    }

    /// Whether the scheduler knows the truth of every job.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match &self.kind {
            Kind::Drawn { jobs, .. } => jobs.are_known(),
            Kind::Made { told, .. } => *told == Told::Truth,
            Kind::Replayed(arrivals) => arrivals.iter().all(|arrival| arrival.job.is_known()),
        }
    }

    /// Returns `count` jobs, always the same ones, from which optimal attacks are computed. Returns all jobs if they were measured.
    #[must_use]
    pub fn sample(&self, count: usize) -> Vec<Job> {
        match &self.kind {
            Kind::Drawn { jobs, .. } => jobs.sample(count),
            Kind::Made { workload, told } => {
                let arrivals = workload.arrivals(SAMPLE_BPS, Seed(0).part("attack/sample"), *told);
                arrivals.take(count).map(|arrival| arrival.job).collect()
            }
            Kind::Replayed(arrivals) => arrivals.iter().map(|arrival| arrival.job).collect(),
        }
    }

    /// Returns packets without end at the mean rate `rate_bps` in bits per second. There are none at a rate of zero. The packets depend on
    /// the seed, but not on the attack.
    #[must_use]
    pub fn stream(&self, rate_bps: f64, seed: Seed) -> Stream {
        match &self.kind {
            Kind::Drawn { jobs, gaps, flows } => {
                let gap_ps = self.means.size_bits / rate_bps * 1e12;
                if !gap_ps.is_finite() {
                    return Box::new(std::iter::empty());
                }
                Box::new(Arriving {
                    jobs: Arc::clone(jobs),
                    gaps: *gaps,
                    flows: *flows,
                    gap_ps,
                    now_ps: 0.0,
                    gap_rng: seed.stream("innocent/gaps"),
                    job_rng: seed.stream("innocent/jobs"),
                    flow_rng: seed.stream("innocent/flows"),
                })
            }
            Kind::Made { workload, told } => workload.arrivals(rate_bps, seed, *told),
            Kind::Replayed(arrivals) => {
                let first = seed.stream("innocent/recording").random_range(0..arrivals.len());
                replay(Arc::clone(arrivals), first, rate_bps, |arrival, at| Arrival { at, ..arrival })
            }
        }
    }
}

/// Sampled jobs do not depend on the rate, but a rate there must be.
const SAMPLE_BPS: f64 = 1e9;

struct Arriving {
    jobs: Arc<Jobs>,
    gaps: Gaps,
    flows: u32,
    gap_ps: f64,
    now_ps: f64,
    gap_rng: Rng,
    job_rng: Rng,
    flow_rng: Rng,
}

impl Iterator for Arriving {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        self.now_ps += match self.gaps {
            Gaps::Constant => self.gap_ps,
            Gaps::Poisson => {
                let unit: f64 = Exp1.sample(&mut self.gap_rng);
                unit * self.gap_ps
            }
        };
        let flow = if self.flows == 1 { 0 } else { self.flow_rng.random_range(0..self.flows) };
        Some(Arrival { at: to_time(self.now_ps), flow, job: self.jobs.draw(&mut self.job_rng) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::quantity::Quantity;
    use forebay_core::Duration;
    use forebay_core::Time;

    fn innocent(gaps: Gaps) -> Innocent {
        let jobs = Jobs::Independent {
            size_bytes: Quantity::Normal { mean: 1_000.0, deviation: 300.0, min: 64.0, max: 9_000.0 },
            work_ns: Quantity::constant(5.0),
        };
        Innocent::new(jobs, gaps, 8)
    }

    #[test]
    fn the_rate_is_the_stated_one() {
        for gaps in [Gaps::Constant, Gaps::Poisson] {
            let innocent = innocent(gaps);
            let end = Time::from_ns(200_000_000);
            let bits: u64 = innocent
                .stream(4e9, Seed(1))
                .take_while(|arrival| arrival.at <= end)
                .map(|arrival| u64::from(arrival.job.size_bytes) * 8)
                .sum();
            assert!((bits as f64 / 0.2 / 4e9 - 1.0).abs() < 0.01, "{gaps:?}: {bits}");
        }
    }

    #[test]
    fn a_rate_of_zero_is_no_packet() {
        assert_eq!(innocent(Gaps::Poisson).stream(0.0, Seed(1)).next(), None);
    }

    #[test]
    fn a_recording_keeps_its_order_its_flows_and_its_jobs_at_any_rate() {
        let job = |size_bytes| Job::known(size_bytes, Duration::from_ns(u64::from(size_bytes)));
        let at = |(ns, flow, size_bytes)| Arrival { at: Time::from_ns(ns), flow, job: job(size_bytes) };
        let recording: Arc<[Arrival]> = [(5, 0, 100), (10, 1, 200), (30, 0, 300)].map(at).into();
        let innocent = Innocent::replayed(Arc::clone(&recording));
        assert_eq!(innocent.means(), Means { size_bits: 1_600.0, work_s: 200e-9 });
        let played: Vec<Arrival> = innocent.stream(1.6e9, Seed(1)).take(300).collect();
        let first = recording.iter().position(|arrival| arrival.job == played[0].job).unwrap();
        for (number, arrival) in played.iter().enumerate() {
            let (round, place) = ((first + number) / 3, (first + number) % 3);
            assert_eq!(arrival.job, recording[place].job);
            assert_eq!(arrival.flow as usize, recording[place].flow as usize + 2 * round, "other numbers each time");
        }
        assert!(played.is_sorted_by_key(|arrival| arrival.at));
        // 200 B at 1.6 Gb/s are 1 us on average.
        assert!((played[299].at.as_secs_f64() / 299e-6 - 1.0).abs() < 0.01, "{:?}", played[299].at);
    }

    #[test]
    fn jobs_stay_the_same_where_gaps_change() {
        let jobs =
            |gaps| -> Vec<Job> { innocent(gaps).stream(1e9, Seed(3)).take(100).map(|arrival| arrival.job).collect() };
        assert_eq!(jobs(Gaps::Constant), jobs(Gaps::Poisson));
        assert_eq!(jobs(Gaps::Constant)[0].work, Duration::from_ns(5));
    }
}
