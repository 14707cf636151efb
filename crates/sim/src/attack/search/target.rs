//! The target of a search: a policy in front of a processor, under innocent traffic.

use super::{Candidate, score};
use crate::attack::estimator::Estimator;
use crate::attack::traffic::Innocent;
use crate::attack::trial::{Measured, Span, Trial};
use forebay_core::{Element, Seed};

/// A policy and its innocent traffic.
pub struct Target<'a> {
    /// The innocent packets.
    pub innocent: &'a Innocent,
    /// The mean rate of innocent traffic in bits per second.
    pub innocent_bps: f64,
    /// The number of servers that share the work.
    pub servers: usize,
    /// The policy's estimator of the work of packets.
    pub estimator: Estimator,
    /// Makes the policy with empty queues from a seed; if it returns `None`, nothing is measured.
    pub build: &'a (dyn Fn(Seed) -> Option<Box<dyn Element>> + Sync),
    /// The warm-up and the counted part of a trial.
    pub span: Span,
}

/// The effects of an attack, compared with the same traffic without it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harm {
    /// The innocent bits lost for each bit of the attack.
    pub displacement: f64,
    /// The goodput of innocents under the attack in bits per second.
    pub goodput_bps: f64,
    /// The goodput of innocents without the attack in bits per second.
    pub baseline_bps: f64,
    /// The score for the search; see [`score`].
    pub score: f64,
}

impl Target<'_> {
    /// Runs innocent traffic alone.
    pub fn baseline(&self, seed: Seed, go_on: &dyn Fn() -> bool) -> Measured {
        self.play(None, seed, go_on)
    }

    /// Runs an attack on the traffic of `baseline`, which has the same seed. Returns `None` if the run was stopped, or if the attack sent
    /// no packet within the window.
    pub fn harm(
        &self,
        candidate: &Candidate,
        baseline: &Measured,
        seed: Seed,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Harm> {
        let attacked = self.play(Some(candidate), seed, go_on);
        if !attacked.complete || !baseline.complete || attacked.attack_bps <= 0.0 {
            return None;
        }
        // Bits that arrived, not the budget: an attack must not gain by what falls out of the window.
        let displacement = (baseline.goodput_bps - attacked.goodput_bps) / attacked.attack_bps;
        let served = attacked.attack_served_bps / attacked.attack_bps;
        Some(Harm {
            displacement,
            goodput_bps: attacked.goodput_bps,
            baseline_bps: baseline.goodput_bps,
            score: score(displacement, attacked.busy, served),
        })
    }

    fn play(&self, candidate: Option<&Candidate>, seed: Seed, go_on: &dyn Fn() -> bool) -> Measured {
        let trial = Trial {
            innocent: self.innocent,
            innocent_bps: self.innocent_bps,
            attack: candidate.map(|candidate| (&candidate.attack, candidate.rate_bps)),
            span: self.span,
            servers: self.servers,
            estimator: self.estimator,
            seed,
        };
        (self.build)(seed).map_or_else(Measured::default, |mut queue| trial.run(&mut *queue, &|_| go_on()))
    }
}
