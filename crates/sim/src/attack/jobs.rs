//! Innocent packets and the work that they make: the joint distribution of packet and job sizes.

use crate::attack::quantity::Quantity;
use forebay_core::{Duration, Rng};
use rand::RngExt as _;

/// A packet and its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The size of the packet in bytes.
    pub size_bytes: u32,
    /// The work that it makes: its job size.
    pub work: Duration,
    /// The scheduler's estimate of the work; equal to `work` where the truth is known.
    pub estimate: Duration,
}

impl Job {
    /// Creates a job whose work is known in advance.
    #[must_use]
    pub fn known(size_bytes: u32, work: Duration) -> Self {
        Self { size_bytes, work, estimate: work }
    }

    /// Whether the scheduler knows the truth.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.work == self.estimate
    }

    /// Picoseconds of estimated work for each byte.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.estimate.as_ps() as f64 / f64::from(self.size_bytes.max(1))
    }
}

/// The joint distribution of packet size and job size of innocent packets.
#[derive(Debug, Clone)]
pub enum Jobs {
    /// Sizes in bytes and work in nanoseconds, drawn independently.
    Independent {
        /// Bytes.
        size_bytes: Quantity,
        /// Nanoseconds.
        work_ns: Quantity,
    },
    /// Work that grows with the size, and a part that does not.
    Linear {
        /// Bytes.
        size_bytes: Quantity,
        /// Nanoseconds for each byte.
        ns_per_byte: f64,
        /// Nanoseconds besides, drawn for each packet; may be negative as long as the sum is not.
        more_ns: Quantity,
    },
    /// Drawn from measured jobs, all alike; never empty.
    Measured(Vec<Job>),
}

impl Jobs {
    /// Draws a job.
    pub fn draw(&self, rng: &mut Rng) -> Job {
        match self {
            Self::Independent { size_bytes, work_ns } => {
                let size = to_size(size_bytes.draw(rng));
                Job::known(size, from_ns(work_ns.draw(rng)))
            }
            Self::Linear { size_bytes, ns_per_byte, more_ns } => {
                let size = to_size(size_bytes.draw(rng));
                Job::known(size, from_ns(f64::from(size) * ns_per_byte + more_ns.draw(rng)))
            }
            Self::Measured(jobs) => jobs[rng.random_range(0..jobs.len())],
        }
    }

    /// Whether the scheduler knows the truth of every job.
    #[must_use]
    pub fn are_known(&self) -> bool {
        match self {
            Self::Independent { .. } | Self::Linear { .. } => true,
            Self::Measured(jobs) => jobs.iter().all(Job::is_known),
        }
    }

    /// Returns `count` jobs, always the same ones, from which means and optimal attacks are computed. Returns all jobs if they were
    /// measured.
    #[must_use]
    pub fn sample(&self, count: usize) -> Vec<Job> {
        match self {
            Self::Measured(jobs) => jobs.clone(),
            _ => {
                let mut rng = forebay_core::Seed(0).stream("attack/sample");
                (0..count).map(|_| self.draw(&mut rng)).collect()
            }
        }
    }
}

/// Mean packet size in bits and mean work in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Means {
    /// The mean size of a packet in bits.
    pub size_bits: f64,
    /// The mean work of a packet in seconds.
    pub work_s: f64,
}

impl Means {
    /// Computes the means of `jobs`, at least one.
    #[must_use]
    pub fn of(jobs: &[Job]) -> Self {
        let bytes: f64 = jobs.iter().map(|job| f64::from(job.size_bytes)).sum();
        let work: f64 = jobs.iter().map(|job| job.work.as_secs_f64()).sum();
        Self { size_bits: bytes * 8.0 / jobs.len() as f64, work_s: work / jobs.len() as f64 }
    }

    /// Returns the most bits per second on which `servers` servers can work: r_max of section 3.3.1.
    #[must_use]
    pub fn capacity_bps(&self, servers: usize) -> f64 {
        servers as f64 * self.size_bits / self.work_s
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn to_size(bytes: f64) -> u32 {
    (bytes.round() as u32).max(1)
}

fn from_ns(ns: f64) -> Duration {
    Duration::from_secs_f64(ns.max(0.0) * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    fn gaussian() -> Jobs {
        Jobs::Independent {
            size_bytes: Quantity::Normal { mean: 1_250.0, deviation: 100.0, min: 64.0, max: 9_000.0 },
            work_ns: Quantity::Normal { mean: 1_000.0, deviation: 100.0, min: 1.0, max: 10_000.0 },
        }
    }

    #[test]
    fn ten_gigabits_per_second_are_the_capacity_of_the_thesis_example() {
        let means = Means::of(&gaussian().sample(200_000));
        assert!((means.capacity_bps(1) / 10e9 - 1.0).abs() < 0.001, "{means:?}");
        assert!((means.capacity_bps(3) / 30e9 - 1.0).abs() < 0.001);
    }

    #[test]
    fn linear_work_follows_the_size() {
        let jobs = Jobs::Linear {
            size_bytes: Quantity::Normal { mean: 500.0, deviation: 300.0, min: 64.0, max: 1_500.0 },
            ns_per_byte: 2.0,
            more_ns: Quantity::constant(10.0),
        };
        let mut rng = Seed(1).stream("jobs");
        for _ in 0..1_000 {
            let job = jobs.draw(&mut rng);
            assert_eq!(job.work, Duration::from_ns(10 + 2 * u64::from(job.size_bytes)));
        }
    }

    #[test]
    fn measured_jobs_are_drawn_alike() {
        let measured: Vec<Job> = (1..=4).map(|n| Job::known(n, Duration::from_ns(n.into()))).collect();
        let jobs = Jobs::Measured(measured.clone());
        let mut rng = Seed(1).stream("jobs");
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[jobs.draw(&mut rng).size_bytes as usize - 1] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert_eq!(jobs.sample(1), measured);
    }
}
