//! What a policy lets an application get done for innocents.

use super::{Application, Merged, Running, Told};
use crate::jobs::Job;
use crate::traffic::{Attack, Stream, Traffic, is_attack};
use forebay_core::{Discipline, Duration, Packet, Seed, Source, Time};
use forebay_sim::{Estimated, Port, Probe, Processor, RunOptions, Service};

/// A span of time of which the first part is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// What is not counted.
    pub warmup: Duration,
    /// What is.
    pub window: Duration,
}

/// Innocent traffic as jobs, with what a scheduler is told of them.
pub type Innocents<'a> = &'a dyn Fn(Told) -> Stream;

impl Span {
    /// So many milliseconds.
    #[must_use]
    pub const fn ms(warmup: u64, window: u64) -> Self {
        Self { warmup: Duration::from_ms(warmup), window: Duration::from_ms(window) }
    }

    /// When it ends.
    #[must_use]
    pub fn end(self) -> Time {
        Time::ZERO + self.warmup + self.window
    }

    /// Innocent bits per second that an application gets done whose state is that of what `policy` really serves. It is
    /// told the application's estimates. `inputs` gives the same ones each time, until the span's end.
    #[must_use]
    pub fn served_bps<A: Application>(
        self,
        application: A,
        inputs: &dyn Fn() -> Merged<A::Input>,
        policy: Box<dyn Discipline + Send>,
    ) -> f64 {
        self.goodput_bps(&mut inputs(), Running::new(application, inputs()), policy)
    }

    /// Innocent bits per second that a processor gets done of jobs that are known in advance, beside an attacker whose
    /// every packet makes the job it wants (footnote 5), at a rate in bits per second. `policy` is told the truth or the
    /// innocents' estimates.
    #[must_use]
    pub fn known_bps(
        self,
        innocents: Innocents<'_>,
        told: Told,
        attack: Option<(Job, f64)>,
        policy: Box<dyn Discipline + Send>,
    ) -> f64 {
        let traffic = |told| {
            let attack = attack.map(|(job, bps)| Attack::steady(job).stream(bps, Seed(1)));
            Traffic::new(innocents(told), attack, self.end())
        };
        let mut estimates = traffic(told);
        let estimate = move |packet: &Packet| {
            estimates.next_arrival().map_or(packet.processing, |(_, arrival)| arrival.job.estimate)
        };
        self.goodput_bps(&mut traffic(Told::Truth), Estimated::new(Processor, estimate), policy)
    }

    fn goodput_bps(self, source: &mut dyn Source, service: impl Service, policy: Box<dyn Discipline + Send>) -> f64 {
        let goodput = Goodput { from: Time::ZERO + self.warmup, until: self.end(), bits: 0 };
        let mut port = Port::new(service, policy, goodput);
        port.run(source, &RunOptions { until: self.end(), ..RunOptions::default() });
        port.into_parts().1.bits as f64 / self.window.as_secs_f64()
    }
}

/// Counts the bits of innocent packets that are done within a window.
struct Goodput {
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
