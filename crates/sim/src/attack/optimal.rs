//! The best attack on a given order of service, in closed form.
//!
//! Where the scheduler serves the least key first, innocent packets with a key above the attacker's are displaced once the work below it
//! fills the processor. The attacker thus chooses the lowest key that achieves this (lemmas 2 and 3, equations 3.8 and 3.9). Both equations
//! are solved exactly for a sample of innocent jobs.

use crate::attack::jobs::{Job, Means};
use forebay_core::Duration;

/// The attacker's knowledge of the processor and its traffic.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// A sample of innocent jobs; at least one.
    pub sample: &'a [Job],
    /// The rate of innocent traffic in bits per second.
    pub innocent_bps: f64,
    /// The attacker's budget in bits per second.
    pub attack_bps: f64,
    /// The size of the smallest packet that can be sent, in bytes.
    pub min_bytes: u32,
    /// The largest job that a packet can make.
    pub max_work: Duration,
    /// The number of servers that share the work.
    pub servers: usize,
}

/// The order of service that is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// An order that ignores the work: order of arrival, or flows in turn.
    Blind,
    /// Least work first (SJF).
    Work,
    /// Least work per byte first (WSJF).
    Ratio,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 3] = [Self::Blind, Self::Work, Self::Ratio];
}

/// Returns the packet that the attacker sends repeatedly, within its budget.
///
/// It is a packet of the smallest size. Against a blind order, its job is the largest. Against other orders, its job is the least one with
/// which the work that is served before innocent packets fills the servers. If there is no such job, its job is the largest.
#[must_use]
pub fn attack(order: Order, setting: &Setting<'_>) -> Job {
    let work = match order {
        Order::Blind => setting.max_work,
        Order::Work => displacing_work(setting),
        Order::Ratio => displacing_ratio(setting),
    };
    Job::known(setting.min_bytes, work.min(setting.max_work))
}

/// Equation 3.8.
fn displacing_work(setting: &Setting<'_>) -> Duration {
    let innocents = setting.sample.iter().map(|job| (job.work.as_secs_f64(), job.work.as_secs_f64()));
    let packets_per_s = setting.attack_bps / (f64::from(setting.min_bytes) * 8.0);
    Duration::from_secs_f64(least_filling(setting, innocents, packets_per_s))
}

/// Equation 3.9.
fn displacing_ratio(setting: &Setting<'_>) -> Duration {
    let s_per_bit = |job: &Job| job.work.as_secs_f64() / (f64::from(job.size_bytes) * 8.0);
    let innocents = setting.sample.iter().map(|job| (s_per_bit(job), job.work.as_secs_f64()));
    let s_per_bit = least_filling(setting, innocents, setting.attack_bps);
    Duration::from_secs_f64(s_per_bit * f64::from(setting.min_bytes) * 8.0)
}

/// The least key `z` with which innocent work of lower keys, and attack work of `z` times `per_key`, fill the servers; infinite if
/// there is none. Innocents are pairs of key and work in seconds.
fn least_filling(setting: &Setting<'_>, innocents: impl Iterator<Item = (f64, f64)>, per_key: f64) -> f64 {
    let means = Means::of(setting.sample);
    let packets_per_s = setting.innocent_bps / means.size_bits / setting.sample.len() as f64;
    let servers = setting.servers as f64;
    let mut innocents: Vec<(f64, f64)> = innocents.collect();
    innocents.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut busy = 0.0;
    for (key, work) in innocents {
        let z = (servers - busy) / per_key;
        if z <= key {
            return z;
        }
        busy += work * packets_per_s;
        if busy >= servers {
            // Innocents alone fill the servers from here on.
            return key;
        }
    }
    (servers - busy) / per_key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::jobs::Jobs;
    use crate::attack::quantity::Quantity;

    fn sample() -> Vec<Job> {
        Jobs::Independent {
            size_bytes: Quantity::Normal { mean: 1_250.0, deviation: 100.0, min: 64.0, max: 9_000.0 },
            work_ns: Quantity::Normal { mean: 1_000.0, deviation: 100.0, min: 1.0, max: 10_000.0 },
        }
        .sample(100_000)
    }

    fn setting(sample: &[Job], innocent_bps: f64, attack_bps: f64) -> Setting<'_> {
        let max_work = Duration::from_us(10);
        Setting { sample, innocent_bps, attack_bps, min_bytes: 64, max_work, servers: 1 }
    }

    /// The left side of equation 3.8 or 3.9 at the attacker's job.
    fn filled(order: Order, setting: &Setting<'_>) -> f64 {
        let best = attack(order, setting);
        let before = |job: &&Job| match order {
            Order::Blind => true,
            Order::Work => job.work <= best.work,
            Order::Ratio => job.ratio() <= best.ratio(),
        };
        let means = Means::of(setting.sample);
        let work: f64 = setting.sample.iter().filter(before).map(|job| job.work.as_secs_f64()).sum();
        let innocent = setting.innocent_bps / means.size_bits * work / setting.sample.len() as f64;
        innocent + setting.attack_bps / 512.0 * best.work.as_secs_f64()
    }

    #[test]
    fn the_optimal_job_fills_the_processor_exactly() {
        let sample = sample();
        for innocent_gbps in [1.0, 5.0, 9.0] {
            for attack_gbps in [0.3, 1.0, 4.0] {
                let setting = setting(&sample, innocent_gbps * 1e9, attack_gbps * 1e9);
                for order in [Order::Work, Order::Ratio] {
                    let best = attack(order, &setting);
                    if best.work < setting.max_work {
                        let filled = filled(order, &setting);
                        assert!((filled - 1.0).abs() < 1e-3, "{order:?} {innocent_gbps} {attack_gbps}: {filled}");
                    }
                }
            }
        }
    }

    #[test]
    fn too_small_a_budget_takes_the_largest_job() {
        let sample = sample();
        for order in Order::ALL {
            assert_eq!(attack(order, &setting(&sample, 1e9, 10e6)).work, Duration::from_us(10), "{order:?}");
        }
    }

    #[test]
    fn more_servers_need_larger_jobs() {
        let sample = sample();
        let one = setting(&sample, 5e9, 2e9);
        let two = Setting { servers: 2, ..one };
        for order in [Order::Work, Order::Ratio] {
            assert!(attack(order, &two).work > attack(order, &one).work, "{order:?}");
        }
    }
}
