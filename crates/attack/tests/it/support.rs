//! Policies of tests, and what they let applications get done.

use forebay_attack::Job;
pub(crate) use forebay_attack::applications::Span;
use forebay_attack::applications::{Application, Innocents, Merged, Told};
use forebay_core::{BufferSize, Discipline, Rate};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};

/// A policy by the name of its rank, with room for so many packets.
pub(crate) fn policy(rank: &str, packets: u64) -> Box<dyn Discipline + Send> {
    discipline(&DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named("pifo"),
        drop: Part::named(if matches!(rank, "arrival" | "job-fair") { "tail" } else { "worst-first" }),
        buffer: BufferSize::Packets(packets),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("100 Gbps").unwrap(),
    })
    .unwrap()
}

/// Goodput in Gb/s of an application whose state is that of what `rank` really serves.
pub(crate) fn served<A: Application>(
    span: Span,
    rank: &str,
    application: A,
    inputs: &dyn Fn() -> Merged<A::Input>,
) -> f64 {
    span.served_bps(application, inputs, policy(rank, 1_000)) / 1e9
}

/// Goodput in Gb/s of jobs that are known in advance, beside an attacker at a rate in Gb/s.
pub(crate) fn known(span: Span, rank: &str, innocents: Innocents<'_>, told: Told, attack: Option<(Job, f64)>) -> f64 {
    let attack = attack.map(|(job, gbps)| (job, gbps * 1e9));
    span.known_bps(innocents, told, attack, policy(rank, 1_000)) / 1e9
}
