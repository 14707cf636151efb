//! The scheduler's estimate of the work of a packet, where it cannot know the truth.

use crate::attack::traffic::{Arrival, Stream};
use forebay_core::{Duration, Rng};
use rand_distr::{Distribution as _, StandardNormal};

/// The method to estimate job sizes before the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Estimator {
    /// The estimate of each job: the truth, or a measurement, or a value with which an attacker fools the estimator.
    #[default]
    Told,
    /// The job's own estimate times a factor that is drawn for each packet. The factor is e to the power of a Gaussian number of this
    /// deviation and mean 0, so half of the estimates are too low.
    LogNormal {
        /// Standard deviation of the factor's logarithm, above 0.
        sigma: f64,
    },
    /// The same estimate for every packet.
    Constant(Duration),
}

impl Estimator {
    /// Adds estimates to arrivals. Draws one random number from `rng` for each arrival.
    #[must_use]
    pub fn estimate(self, arrivals: Stream, mut rng: Rng) -> Stream {
        match self {
            Self::Told => arrivals,
            Self::LogNormal { sigma } => Box::new(arrivals.map(move |arrival| {
                let unit: f64 = StandardNormal.sample(&mut rng);
                let told = arrival.job.estimate.as_secs_f64();
                with_estimate(arrival, Duration::from_secs_f64(told * (sigma * unit).exp()))
            })),
            Self::Constant(estimate) => Box::new(arrivals.map(move |arrival| with_estimate(arrival, estimate))),
        }
    }
}

fn with_estimate(mut arrival: Arrival, estimate: Duration) -> Arrival {
    arrival.job.estimate = estimate;
    arrival
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::jobs::Job;
    use forebay_core::{Seed, Time};

    fn arrivals() -> Stream {
        let job = Job { size_bytes: 100, work: Duration::from_us(5), estimate: Duration::from_us(1) };
        Box::new(std::iter::repeat_n(Arrival { at: Time::ZERO, flow: 0, job }, 100_000))
    }

    #[test]
    fn factors_are_log_normal_around_what_the_job_says() {
        let sigma = 0.5;
        let estimated = Estimator::LogNormal { sigma }.estimate(arrivals(), Seed(1).stream("estimates"));
        let logs: Vec<f64> = estimated
            .map(|arrival| {
                assert_eq!(arrival.job.work, Duration::from_us(5), "the work stays what it is");
                (arrival.job.estimate.as_secs_f64() / 1e-6).ln()
            })
            .collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64).sqrt();
        assert!(mean.abs() < 0.01 && (deviation / sigma - 1.0).abs() < 0.01, "{mean} {deviation}");
    }

    #[test]
    fn a_constant_estimate_says_nothing_of_the_job() {
        let estimate = Duration::from_ns(7);
        let mut estimated = Estimator::Constant(estimate).estimate(arrivals(), Seed(1).stream("estimates"));
        assert!(estimated.all(|arrival| arrival.job.estimate == estimate && arrival.job.work == Duration::from_us(5)));
    }
}
