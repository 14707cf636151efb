//! Policies of tests, and the work that applications get done under them.

use forebay_core::{BufferSize, Discipline, Rate, Seed};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::attack::applications::{LiveTrial, Workload};
pub(crate) use forebay_sim::attack::trial::Span;
use forebay_sim::attack::trial::Trial;
use forebay_sim::attack::{Attack, Estimator, Innocent, Job};

/// A policy by the name of its rank, with room for so many packets.
pub(crate) fn policy(rank: &str, packets: u64) -> Box<dyn Discipline + Send> {
    let spec = DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named("pifo"),
        drop: Part::named(if matches!(rank, "arrival" | "job-fair") { "tail" } else { "worst-first" }),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(packets),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("100 Gbps").unwrap(),
    };
    discipline(&spec, Seed(1)).unwrap()
}

/// Goodput in Gb/s of an application whose state is that of what `rank` really serves; rates are in Gb/s, too.
pub(crate) fn served(span: Span, rank: &str, workload: &dyn Workload, innocent: f64, attack: Option<f64>) -> f64 {
    let attack_bps = attack.map(|gbps| gbps * 1e9);
    let trial = LiveTrial { workload, innocent_bps: innocent * 1e9, attack_bps, span, servers: 1, seed: Seed(1) };
    trial.run(&mut policy(rank, 1_000), &|_| true).goodput_bps / 1e9
}

/// Goodput in Gb/s of jobs that are known in advance, beside an attacker; rates are in Gb/s, too.
pub(crate) fn known(span: Span, rank: &str, innocent: &Innocent, gbps: f64, attack: Option<(Job, f64)>) -> f64 {
    let attack = attack.map(|(job, gbps)| (Attack::steady(job), gbps * 1e9));
    let trial = Trial {
        innocent,
        innocent_bps: gbps * 1e9,
        attack: attack.as_ref().map(|(attack, bps)| (attack, *bps)),
        span,
        servers: 1,
        estimator: Estimator::Told,
        seed: Seed(1),
    };
    trial.run(&mut policy(rank, 1_000), &|_| true).goodput_bps / 1e9
}
