//! Trials in which an application has the state of the packets that are really served, and innocents whose jobs it makes.

use crate::attack::support::policy;
use forebay_core::Seed;
use forebay_sim::attack::Innocent;
use forebay_sim::attack::applications::matcher::Matching;
use forebay_sim::attack::applications::tcp::Reassembly;
use forebay_sim::attack::applications::{LiveTrial, Told, Workload};
use forebay_sim::attack::jobs::Means;
use forebay_sim::attack::trial::{Measured, Span};
use std::sync::Arc;

fn run(workload: &dyn Workload, innocent_gbps: f64, attack_gbps: Option<f64>, servers: usize) -> Measured {
    let attack_bps = attack_gbps.map(|gbps| gbps * 1e9);
    let span = Span::ms(5, 20);
    let trial = LiveTrial { workload, innocent_bps: innocent_gbps * 1e9, attack_bps, span, servers, seed: Seed(1) };
    trial.run(&mut policy("arrival", 1_000), &|_| true)
}

#[test]
fn without_an_attack_all_is_done_that_the_servers_have_time_for() {
    let reassembly = Reassembly::default();
    for (offered, servers) in [(10.0, 1), (20.0, 2)] {
        let measured = run(&reassembly, offered, None, servers);
        assert!((measured.goodput_bps / offered / 1e9 - 1.0).abs() < 0.01, "{measured:?}");
        // 677 ns for each packet, and hardly anything besides, in 20 ms.
        let work = measured.innocent_packets as f64 * 677e-9 / 20e-3;
        assert!((measured.busy * servers as f64 / work - 1.0).abs() < 0.01, "{measured:?}");
        assert!(measured.complete && measured.innocent_dropped == 0 && measured.attack_bps.abs() < 1.0);
    }
    let too_much = run(&reassembly, 20.0, None, 1);
    assert!(too_much.busy > 0.999 && too_much.innocent_dropped > 10_000, "{too_much:?}");
}

#[test]
fn the_attack_arrives_at_its_rate_and_is_counted_apart() {
    let measured = run(&Reassembly::default(), 5.0, Some(0.2), 1);
    assert!((measured.attack_bps / 0.2e9 - 1.0).abs() < 1e-3, "{measured:?}");
    assert!(measured.attack_served_bps > 0.01e9 && measured.attack_served_bps < 0.15e9, "{measured:?}");
    assert!(measured.goodput_bps < 4e9 && measured.innocent_dropped > 1_000, "{measured:?}");
}

#[test]
fn a_trial_can_be_stopped_and_says_so() {
    let workload = &Reassembly::default();
    let (span, seed) = (Span::ms(5, 20), Seed(1));
    let trial = LiveTrial { workload, innocent_bps: 10e9, attack_bps: None, span, servers: 1, seed };
    assert!(!trial.run(&mut policy("arrival", 10), &|_| false).complete);
}

#[test]
fn innocents_have_the_jobs_of_the_application_at_any_rate() {
    let workloads: [Arc<dyn Workload>; 2] = [Arc::new(Reassembly::default()), Arc::new(Matching::default())];
    for workload in workloads {
        let [knows, estimates] =
            [Told::Truth, Told::Estimate].map(|told| Innocent::made_by(Arc::clone(&workload), told));
        assert!(knows.is_known() && !estimates.is_known());
        let (sample, estimated) = (knows.sample(50_000), estimates.sample(50_000));
        assert!(sample.iter().zip(&estimated).all(|(a, b)| (a.size_bytes, a.work) == (b.size_bytes, b.work)));
        assert!(sample.iter().all(|job| job.is_known()) && estimated.iter().any(|job| !job.is_known()));
        let (of_sample, means) = (Means::of(&sample), knows.means());
        assert!((of_sample.capacity_bps(1) / means.capacity_bps(1) - 1.0).abs() < 0.05, "{of_sample:?} {means:?}");
        let jobs = |bps: f64| -> Vec<_> { knows.stream(bps, Seed(3)).take(1_000).map(|one| one.job).collect() };
        assert_eq!(jobs(1e9), jobs(7e9));
        assert!(knows.stream(0.0, Seed(3)).next().is_none());
    }
}
