//! The applications of SurgeProtector (thesis, section 3.6) under attack: what its experiments have in common.
//!
//! Each number is of one seed, and 1,000 packets wait at most. What an attack takes is the difference to the same
//! packets without it.

mod contender;
pub(super) mod displacement;
mod matcher;
mod picture;
mod reassembly;

pub(super) use contender::{Contender, FCFS, WSJF, WSJF_IN_ORDER};
pub(super) use matcher::Matcher;
pub(super) use picture::draw;
pub(super) use reassembly::Reassembly;

use crate::error::Result;
use crate::interrupt;
use forebay_attack::Job;
use forebay_attack::applications::{Span, Told};
use forebay_attack::optimal::Setting;
use forebay_attack::traffic::Stream;
use forebay_core::{Duration, Seed};
use rayon::prelude::*;

/// Innocent jobs from which attacks are computed.
const SAMPLE: usize = 300_000;
/// The least Ethernet frame.
pub(super) const MIN_BYTES: u32 = 64;

/// An application, in a state as if all were served, so that jobs do not depend on policies.
pub(super) trait Simulated: Sync {
    /// As values are called.
    fn name(&self) -> &'static str;

    /// The jobs of innocents at a rate in Gb/s.
    fn innocents(&self, gbps: f64, seed: Seed, told: Told) -> Stream;

    /// The largest job that an attacker can make.
    fn max_work(&self) -> Duration;

    /// How long innocents at a rate in Gb/s are watched.
    fn span(&self, gbps: f64) -> Span;

    /// Innocent jobs, of which the attacker knows the distribution.
    fn sample(&self, seed: Seed, told: Told) -> Vec<Job> {
        self.innocents(1.0, seed.part("attacked/sample"), told).take(SAMPLE).map(|arrival| arrival.job).collect()
    }

    /// Goodput in Gb/s beside an attacker whose every packet makes the job it wants, at a rate in Gb/s.
    fn goodput(
        &self,
        contender: Contender,
        gbps: f64,
        seed: Seed,
        told: Told,
        attack: Option<(Job, f64)>,
    ) -> Result<f64> {
        let innocents = |told| self.innocents(gbps, seed, told);
        let attack = attack.map(|(job, gbps)| (job, gbps * 1e9));
        Ok(self.span(gbps).known_bps(&innocents, told, attack, contender.discipline()?) / 1e9)
    }
}

/// What an attacker at a rate in Gb/s knows.
pub(super) fn setting(sample: &[Job], innocent_gbps: f64, attack_gbps: f64, max_work: Duration) -> Setting<'_> {
    let (innocent_bps, attack_bps) = (innocent_gbps * 1e9, attack_gbps * 1e9);
    Setting { sample, innocent_bps, attack_bps, min_bytes: MIN_BYTES, max_work, servers: 1 }
}

/// `of` each item, on all cores, in order; not a number after an interrupt, when nothing is shown any more.
pub(super) fn each<T: Sync>(items: &[T], of: impl Fn(&T) -> Result<f64> + Sync) -> Result<Vec<f64>> {
    items.par_iter().map(|item| if interrupt::requested() { Ok(f64::NAN) } else { of(item) }).collect()
}

/// The greatest of some numbers.
pub(super) fn greatest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, f64::max)
}
