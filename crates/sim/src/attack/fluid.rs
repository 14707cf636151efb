//! The share of innocent traffic that an order of service serves, computed as if packets were a fluid.
//!
//! In the long run, an order that serves the least key first serves all traffic below some key and none above it. This model neglects
//! waiting, full buffers and jobs in service. Trials should approach its result, which takes microseconds to compute.

use crate::attack::jobs::{Job, Means};
use crate::attack::optimal::{Order, Setting};

/// The traffic that is served.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Served {
    /// The goodput of innocents in bits per second.
    pub goodput_bps: f64,
    /// The served traffic of the attack in bits per second.
    pub attack_bps: f64,
    /// The share of the time of all servers in which they work.
    pub busy: f64,
}

/// Returns the served traffic while packets of `kinds` arrive, each kind at its rate in bits per second.
///
/// An attack packet is served before an innocent packet of the same key. `setting.attack_bps` is not used.
#[must_use]
pub fn serve(order: Order, setting: &Setting<'_>, kinds: &[(Job, f64)]) -> Served {
    let means = Means::of(setting.sample);
    let servers = setting.servers as f64;
    let innocent_bps = |job: &Job| bits(job) * setting.innocent_bps / (means.size_bits * setting.sample.len() as f64);
    let flow = |job: &Job, bps: f64, innocent| {
        let key = match order {
            Order::Blind => 0.0,
            Order::Work => job.estimate.as_ps() as f64,
            Order::Ratio => job.ratio(),
        };
        Flow { key, bps, work: job.work.as_secs_f64() / bits(job) * bps, innocent }
    };
    let attack = kinds.iter().map(|(job, bps)| flow(job, *bps, false));
    let innocent = setting.sample.iter().map(|job| flow(job, innocent_bps(job), true));
    let mut flows: Vec<Flow> = attack.chain(innocent).collect();
    let offered: f64 = flows.iter().map(|flow| flow.work).sum();
    // A blind order serves the same share of everything.
    let fair = if order == Order::Blind { (servers / offered).min(1.0) } else { 1.0 };
    flows.sort_by(|a, b| a.key.total_cmp(&b.key));
    let mut served = Served::default();
    let mut worked = 0.0;
    for flow in &flows {
        let share = fair.min(((servers - worked) / flow.work).max(0.0));
        worked += flow.work * share;
        let bps = if flow.innocent { &mut served.goodput_bps } else { &mut served.attack_bps };
        *bps += flow.bps * share;
    }
    Served { busy: worked / servers, ..served }
}

/// Traffic of one key.
struct Flow {
    key: f64,
    bps: f64,
    /// Seconds of work per second.
    work: f64,
    innocent: bool,
}

fn bits(job: &Job) -> f64 {
    f64::from(job.size_bytes) * 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::bounds::Terms;
    use crate::attack::jobs::Jobs;
    use crate::attack::optimal;
    use crate::attack::quantity::Quantity;
    use forebay_core::Duration;

    fn sample() -> Vec<Job> {
        Jobs::Independent {
            size_bytes: Quantity::Normal { mean: 1_250.0, deviation: 300.0, min: 64.0, max: 9_000.0 },
            work_ns: Quantity::Normal { mean: 1_000.0, deviation: 300.0, min: 1.0, max: 10_000.0 },
        }
        .sample(2_000)
    }

    fn setting(sample: &[Job], innocent_bps: f64, attack_bps: f64) -> Setting<'_> {
        let max_work = Duration::from_us(10);
        Setting { sample, innocent_bps, attack_bps, min_bytes: 64, max_work, servers: 1 }
    }

    fn displacement(order: Order, setting: &Setting<'_>, job: Job) -> f64 {
        let goodput = |kinds: &[(Job, f64)]| serve(order, setting, kinds).goodput_bps;
        (goodput(&[]) - goodput(&[(job, setting.attack_bps)])) / setting.attack_bps
    }

    #[test]
    fn no_attack_displaces_nothing_below_the_capacity() {
        let sample = sample();
        let capacity = Means::of(&sample).capacity_bps(1);
        for order in Order::ALL {
            assert!(
                (serve(order, &setting(&sample, 0.7 * capacity, 1.0), &[]).goodput_bps / (0.7 * capacity) - 1.0).abs()
                    < 1e-9
            );
            assert!(serve(order, &setting(&sample, 1.3 * capacity, 1.0), &[]).goodput_bps < 1.3 * capacity);
        }
    }

    #[test]
    fn the_closed_forms_do_the_most_harm_of_all_jobs_and_keep_the_bounds() {
        let sample = sample();
        let means = Means::of(&sample);
        for innocent_bps in [2e9, 5e9, 9e9] {
            for attack_bps in [0.1e9, 1e9, 5e9] {
                let setting = setting(&sample, innocent_bps, attack_bps);
                let terms =
                    Terms { means, innocent_bps, min_bytes: 64, max_work: setting.max_work, servers: setting.servers };
                for (order, bound) in
                    [(Order::Work, terms.shortest_job_first()), (Order::Ratio, terms.weighted_shortest_job_first())]
                {
                    let best = displacement(order, &setting, optimal::attack(order, &setting));
                    assert!(best <= bound * 1.001, "{order:?} {innocent_bps} {attack_bps}: {best} of {bound}");
                    for step in 0..200 {
                        let ns = (10_f64 * 1.035_f64.powi(step)).min(10_000.0);
                        let job = Job::known(64, Duration::from_secs_f64(ns * 1e-9));
                        let other = displacement(order, &setting, job);
                        assert!(
                            other <= best * 1.005 + 1e-6,
                            "{order:?} {innocent_bps} {attack_bps} {ns}: {other} {best}"
                        );
                    }
                }
            }
        }
    }
}
