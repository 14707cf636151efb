//! Innocent traffic: packets of some flows at a mean rate.

use super::{Arrival, Stream};
use crate::jobs::{Jobs, Means};
use forebay_core::{Rng, Seed, Time};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Exp1};

/// Gaps between packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// All equal, as section 3.3.1 assumes.
    #[default]
    Constant,
    /// Exponential and independent.
    Poisson,
}

/// A recipe for innocent traffic.
#[derive(Debug, Clone)]
pub struct Innocent {
    /// Sizes and work.
    pub jobs: Jobs,
    /// Gaps between packets.
    pub gaps: Gaps,
    /// Flows; each packet is of one of them, all alike.
    pub flows: u32,
    /// Means of `jobs`, from which gaps follow.
    pub means: Means,
}

impl Innocent {
    /// Traffic of `flows` flows with these jobs.
    #[must_use]
    pub fn new(jobs: Jobs, gaps: Gaps, flows: u32) -> Self {
        const SAMPLED: usize = 1 << 20;
        let means = Means::of(&jobs.sample(SAMPLED));
        Self { jobs, gaps, flows: flows.max(1), means }
    }

    /// Packets without end at a mean rate in bits per second; none at a rate of zero. The same for the same seed,
    /// whatever attacks it.
    #[must_use]
    pub fn stream(&self, rate_bps: f64, seed: Seed) -> Stream {
        let gap_ps = self.means.size_bits / rate_bps * 1e12;
        if !gap_ps.is_finite() {
            return Box::new(std::iter::empty());
        }
        Box::new(Arriving {
            jobs: self.jobs.clone(),
            gaps: self.gaps,
            flows: self.flows,
            gap_ps,
            now_ps: 0.0,
            gap_rng: seed.stream("innocent/gaps"),
            job_rng: seed.stream("innocent/jobs"),
            flow_rng: seed.stream("innocent/flows"),
        })
    }
}

struct Arriving {
    jobs: Jobs,
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
pub(crate) fn to_time(ps: f64) -> Time {
    Time::from_ps(ps as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Job;
    use crate::quantity::Quantity;
    use forebay_core::Duration;

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
    fn jobs_stay_the_same_where_gaps_change() {
        let jobs =
            |gaps| -> Vec<Job> { innocent(gaps).stream(1e9, Seed(3)).take(100).map(|arrival| arrival.job).collect() };
        assert_eq!(jobs(Gaps::Constant), jobs(Gaps::Poisson));
        assert_eq!(jobs(Gaps::Constant)[0].work, Duration::from_ns(5));
    }
}
