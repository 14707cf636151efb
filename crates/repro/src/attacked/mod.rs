//! The applications of SurgeProtector (thesis, section 3.6) under attack: the common parts of its experiments.
//!
//! Each number is from one seed, and at most 1,000 packets are queued. The loss by an attack is the difference to the same packets without
//! it.

mod attacked_policy;
pub(super) mod displacement;
mod matcher;
mod matcher_attacks;
mod pareto;
mod picture;
mod reassembly;

pub(super) use attacked_policy::{Contender, FCFS, WSJF, WSJF_IN_ORDER};
pub(super) use matcher::Matcher;
pub(super) use matcher_attacks::Attacked;
pub(super) use picture::draw;
pub(super) use reassembly::Reassembly;

use forebay::Observer;
use forebay::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::{LiveTrial, Told, Workload};
use forebay_sim::attack::optimal::Setting;
use forebay_sim::attack::trial::{Span, Trial};
use forebay_sim::attack::{Attack, Estimator, Innocent, Job};
use rayon::prelude::*;
use std::sync::Arc;

/// The number of innocent jobs from which attacks are computed.
pub(super) const SAMPLE: usize = 300_000;
/// The least Ethernet frame.
pub(super) const MIN_BYTES: u32 = 64;

/// An application with a figure of its own.
pub(super) trait Simulated: Sync {
    /// Returns the application's name in values.
    fn name(&self) -> &'static str;

    /// Returns the application's workload.
    fn workload(&self) -> Arc<dyn Workload>;

    /// Returns the largest job that an attacker can make.
    fn max_work(&self) -> Duration;

    /// Returns how long innocents at a rate in Gb/s are measured.
    fn span(&self, gbps: f64) -> Span;

    /// Returns the application's innocents, in the state after all were served, so that jobs do not depend on policies.
    fn innocent(&self, told: Told) -> Innocent {
        Innocent::made_by(self.workload(), told)
    }

    /// Returns innocents that differ from the given usual ones in one property.
    fn others(&self, _: &Innocent, _: Seed) -> Result<Vec<Others>> {
        Ok(Vec::new())
    }

    /// Returns the goodput in Gb/s beside an attacker whose every packet makes the intended job (footnote 5); rates are in Gb/s.
    fn goodput(
        &self,
        contender: Contender,
        innocents: (&Innocent, f64),
        seed: Seed,
        attack: Option<(Job, f64)>,
    ) -> Result<f64> {
        self.goodput_in(self.span(innocents.1), contender, innocents, seed, attack)
    }

    /// Returns the goodput with innocents that are measured in this window.
    fn goodput_in(
        &self,
        span: Span,
        contender: Contender,
        (innocent, gbps): (&Innocent, f64),
        seed: Seed,
        attack: Option<(Job, f64)>,
    ) -> Result<f64> {
        let attack = attack.map(|(job, gbps)| (Attack::steady(job), gbps * 1e9));
        let trial = Trial {
            innocent,
            innocent_bps: gbps * 1e9,
            attack: attack.as_ref().map(|(attack, bps)| (attack, *bps)),
            span,
            servers: 1,
            estimator: Estimator::Told,
            seed,
        };
        Ok(trial.run(&mut contender.discipline()?, &|_| true).goodput_bps / 1e9)
    }
}

/// Innocents, and the policies that are measured with them.
pub(super) struct Others {
    /// The name in values; empty for the usual ones.
    name: &'static str,
    innocent: Innocent,
    /// The largest job that an attacker can make.
    max_work: Duration,
    /// How long these innocents are measured; [`None`]: as the usual ones.
    span: Option<Span>,
    contenders: &'static [Contender],
}

impl Others {
    /// Returns the name of a policy for these innocents.
    fn called(&self, contender: Contender) -> String {
        contender.before(self.name)
    }
}

/// Returns the goodput in Gb/s under the attack of a workload. The state of the application comes from the packets that a policy really
/// serves, and the policy knows its estimates. Rates are in Gb/s.
fn served(
    workload: &dyn Workload,
    contender: Contender,
    (innocent, attack): (f64, Option<f64>),
    span: Span,
    seed: Seed,
) -> Result<f64> {
    let attack_bps = attack.map(|gbps| gbps * 1e9);
    let trial = LiveTrial { workload, innocent_bps: innocent * 1e9, attack_bps, span, servers: 1, seed };
    Ok(trial.run(&mut contender.discipline()?, &|_| true).goodput_bps / 1e9)
}

/// Returns what an attacker at a rate in Gb/s knows.
pub(super) fn setting(sample: &[Job], innocent_gbps: f64, attack_gbps: f64, max_work: Duration) -> Setting<'_> {
    let (innocent_bps, attack_bps) = (innocent_gbps * 1e9, attack_gbps * 1e9);
    Setting { sample, innocent_bps, attack_bps, min_bytes: MIN_BYTES, max_work, servers: 1 }
}

/// Returns `of` each item, in order, computed on all cores. After an interrupt the values are not numbers; then no results are shown.
pub(super) fn each<T: Sync>(
    items: &[T],
    observer: &dyn Observer,
    of: impl Fn(&T) -> Result<f64> + Sync,
) -> Result<Vec<f64>> {
    items.par_iter().map(|item| if !observer.goes_on() { Ok(f64::NAN) } else { of(item) }).collect()
}

/// Returns the greatest of some numbers.
pub(super) fn greatest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, f64::max)
}
