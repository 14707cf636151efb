//! Innocents of a matcher whose work has a Pareto distribution, in full packets.

use super::SAMPLE;
use forebay_core::Duration;
use forebay_sim::attack::Job;

/// Shape and capacity are fitted.
pub(super) struct Pareto;

impl Pareto {
    const SHAPE: f64 = 1.3;
    const CAPACITY_BPS: f64 = 2.2e9;
    const BYTES: u32 = 1_514;
    /// The largest job, an innocent one, too; fitted to the displacement of 82 that was published for FCFS.
    pub(super) const MAX_WORK: Duration = Duration::from_us(149);

    /// Jobs that stand for equal shares of all.
    pub(super) fn jobs() -> Vec<Job> {
        let mean = f64::from(Self::BYTES) * 8.0 / Self::CAPACITY_BPS;
        let most = Self::MAX_WORK.as_secs_f64();
        // The least job that makes this mean, by bisection: the mean grows with it.
        let (mut low, mut high) = (0.0, mean);
        for _ in 0..60 {
            let least = f64::midpoint(low, high);
            if Self::mean(least, most) < mean { low = least } else { high = least }
        }
        let more = 1.0 - (low / most).powf(Self::SHAPE);
        let work = |number: usize| {
            let below = (number as f64 + 0.5) / SAMPLE as f64;
            low * (1.0 - below * more).powf(-1.0 / Self::SHAPE)
        };
        (0..SAMPLE).map(|number| Job::known(Self::BYTES, Duration::from_secs_f64(work(number)))).collect()
    }

    /// Mean of a Pareto distribution that ends at `most`.
    fn mean(least: f64, most: f64) -> f64 {
        let (shape, ratio) = (Self::SHAPE, least / most);
        shape / (shape - 1.0) * least * (1.0 - ratio.powf(shape - 1.0)) / (1.0 - ratio.powf(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_sim::attack::traffic::Gaps;
    use forebay_sim::attack::{Innocent, Jobs};

    #[test]
    fn pareto_jobs_make_the_capacity_and_end_at_the_largest() {
        let jobs = Pareto::jobs();
        let innocent = Innocent::new(Jobs::Measured(jobs.clone()), Gaps::Constant, 1);
        let capacity = innocent.means().capacity_bps(1);
        assert!((capacity / Pareto::CAPACITY_BPS - 1.0).abs() < 0.001, "{capacity}");
        let most = jobs.iter().map(|job| job.work).max().unwrap();
        assert!(most <= Pareto::MAX_WORK && most.as_secs_f64() > 0.99 * Pareto::MAX_WORK.as_secs_f64(), "{most:?}");
    }
}
