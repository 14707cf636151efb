//! The arena in which attacks are tried: a policy with one value of each axis except for the attack rate, with a window as long as each
//! attack needs.

use crate::attack::scenario::{AttackScenario, Cell, Setting};
use crate::scenario::Sinks;
use forebay_core::{Element, Seed};
use forebay_sim::attack::search::{Candidate, Harm, Target};
use forebay_sim::attack::trial::{Measured, Span};
use forebay_sim::attack::{Attack, Timing};
use std::sync::OnceLock;

/// Bits that an attack sends at least while it is measured: against fewer, a few innocent packets that just miss the end of the
/// window look like much harm.
const LEAST_BITS: f64 = 1e6;
/// Periods of an attack that is ON and OFF, for the same reason.
const LEAST_PERIODS: f64 = 20.0;
/// The maximum number of doublings of a window, since an attack of some kilobits per second would take hours.
const MAX_DOUBLINGS: usize = 5;
/// The divisor that gives the number of packets before the measured ones.
const WARMUP_SHARE: u64 = 5;
/// The factor by which a confirming measurement has more packets than the search.
pub(super) const CONFIRMED_WITH: u64 = 10;

/// A policy with one value of each axis except for the attack rate.
#[derive(Clone, Copy)]
pub(super) struct Arena<'a> {
    pub(super) scenario: &'a AttackScenario,
    /// The cells, one for each attack rate; there is at least one.
    pub(super) cells: &'a [Cell],
}

/// One set of innocent traffic, with which many attacks are compared.
pub(super) struct Round<'a> {
    arena: Arena<'a>,
    seed: Seed,
    /// The factor by which windows are longer than in the search.
    factor: u64,
    /// Without an attack, by how often the window is doubled.
    baselines: Vec<OnceLock<Measured>>,
}

impl<'a> Arena<'a> {
    /// Returns the settings that are the same at all attack rates.
    pub(super) fn setting(&self) -> &'a Setting {
        &self.cells[0].setting
    }

    /// Returns the least and the greatest attack rate, in bits per second.
    pub(super) fn rates(&self) -> (u64, u64) {
        let rates = || self.cells.iter().map(|cell| cell.setting.attack_bps);
        (rates().min().unwrap_or(1), rates().max().unwrap_or(1))
    }

    /// Returns the traffic of a seed.
    pub(super) fn round(self, seed: Seed, factor: u64) -> Round<'a> {
        Round { arena: self, seed, factor, baselines: (0..=MAX_DOUBLINGS).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the number of times that the window must be doubled for an attack.
    fn doublings(&self, attack: &Attack, rate_bps: f64) -> usize {
        let window_s = self.setting().time_of(self.setting().search.packets).as_secs_f64();
        let period_s = match attack.timing {
            Timing::Steady => 0.0,
            Timing::OnOff { period, .. } => period.as_secs_f64(),
        };
        let needed_s = (LEAST_BITS / rate_bps).max(LEAST_PERIODS * period_s);
        (0..MAX_DOUBLINGS).find(|&times| window_s * f64::from(1_u32 << times) >= needed_s).unwrap_or(MAX_DOUBLINGS)
    }

    /// Returns the numbers of innocent packets before and during the measurement of an attack, for `factor` times the usual number.
    pub(super) fn packets(&self, candidate: &Candidate, factor: u64) -> (u64, u64) {
        let packets = self.packets_of(self.doublings(&candidate.attack, candidate.rate_bps), factor);
        (packets / WARMUP_SHARE, packets)
    }

    fn packets_of(&self, doublings: usize, factor: u64) -> u64 {
        self.setting().search.packets.saturating_mul(factor) << doublings
    }

    fn play<R>(&self, packets: u64, seen: impl FnOnce(&Target<'_>) -> R) -> R {
        let (discipline, setting) = (&self.cells[0].policy.discipline, self.setting());
        // That it can be built was tried before the search.
        let build = |seed| -> Option<Box<dyn Element>> { discipline.element(seed, Sinks::new()).ok() };
        seen(&Target {
            innocent: &setting.innocent.innocent,
            innocent_bps: setting.innocent_bps as f64,
            servers: setting.processor.servers,
            estimator: setting.processor.estimator,
            build: &build,
            span: Span { warmup: setting.time_of(packets / WARMUP_SHARE), window: setting.time_of(packets) },
        })
    }
}

impl Round<'_> {
    /// Measures the harm of an attack; returns `None` if `go_on` stopped it.
    pub(super) fn harm(&self, candidate: &Candidate, go_on: &dyn Fn() -> bool) -> Option<Harm> {
        let doublings = self.arena.doublings(&candidate.attack, candidate.rate_bps);
        self.arena.play(self.arena.packets_of(doublings, self.factor), |target| {
            let baseline = self.baselines[doublings].get_or_init(|| target.baseline(self.seed, go_on));
            target.harm(candidate, baseline, self.seed, go_on)
        })
    }
}
