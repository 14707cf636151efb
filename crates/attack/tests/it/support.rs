//! Plays traffic against a policy and counts what innocents get out of it.

use forebay_attack::applications::{Application, Merged, Running, Told};
use forebay_attack::traffic::{Stream, is_attack};
use forebay_attack::{Attack, Job, Traffic};
use forebay_core::{BufferSize, Discipline, Duration, Packet, Rate, Seed, Source, Time};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::{Estimated, Port, Probe, Processor, RunOptions, Service};

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

/// Counts the bits of innocent packets that are done within a window.
pub(crate) struct Goodput {
    from: Time,
    until: Time,
    bits: u64,
}

impl Probe for Goodput {
    fn sent(&mut self, now: Time, packet: &Packet) {
        if now > self.from && now <= self.until && !is_attack(packet.flow) {
            self.bits += u64::from(packet.size_bytes) * 8;
        }
    }
}

/// A span of time of which the first part is not counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) warmup: Duration,
    pub(crate) window: Duration,
}

impl Span {
    pub(crate) fn ms(warmup: u64, window: u64) -> Self {
        Self { warmup: Duration::from_ms(warmup), window: Duration::from_ms(window) }
    }

    pub(crate) fn end(self) -> Time {
        Time::ZERO + self.warmup + self.window
    }

    /// Innocent bits per second that `service` gets done.
    pub(crate) fn goodput_bps(
        self,
        source: &mut dyn Source,
        service: impl Service,
        policy: Box<dyn Discipline + Send>,
    ) -> f64 {
        let from = Time::ZERO + self.warmup;
        let mut port = Port::new(service, policy, Goodput { from, until: self.end(), bits: 0 });
        port.run(source, &RunOptions { until: self.end(), ..RunOptions::default() });
        port.into_parts().1.bits as f64 / self.window.as_secs_f64()
    }
}

/// Goodput in Gb/s of an application whose state is that of what `rank` really serves.
pub(crate) fn served<A: Application>(
    span: Span,
    rank: &str,
    application: A,
    inputs: &dyn Fn() -> Merged<A::Input>,
) -> f64 {
    let service = Running::new(application, inputs());
    span.goodput_bps(&mut inputs(), service, policy(rank, 1_000)) / 1e9
}

/// Innocent traffic as jobs.
pub(crate) type Innocents<'a> = &'a dyn Fn(Told) -> Stream;

/// Goodput in Gb/s of jobs that are known in advance, beside an attacker whose every packet makes the job it wants
/// (footnote 5), at a rate in Gb/s. The scheduler is told the truth or the innocents' estimates.
pub(crate) fn known(span: Span, rank: &str, innocents: Innocents<'_>, told: Told, attack: Option<(Job, f64)>) -> f64 {
    let traffic = |told| {
        let attack = attack.map(|(job, gbps)| Attack::steady(job).stream(gbps * 1e9, Seed(1)));
        Traffic::new(innocents(told), attack, span.end())
    };
    let mut estimates = traffic(told);
    let estimate = move |_: &Packet| estimates.next_arrival().unwrap().1.job.estimate;
    span.goodput_bps(&mut traffic(Told::Truth), Estimated::new(Processor, estimate), policy(rank, 1_000)) / 1e9
}
