//! What a search attacks: a policy in front of a processor, under innocent traffic.

use super::{Candidate, score};
use crate::attack::estimator::Estimator;
use crate::attack::traffic::Innocent;
use crate::attack::trial::{Measured, Span, Trial};
use forebay_core::{Element, Seed};

/// A policy and its innocent traffic.
pub struct Target<'a> {
    /// Innocent packets.
    pub innocent: &'a Innocent,
    /// Their mean rate in bits per second.
    pub innocent_bps: f64,
    /// Servers that share the work.
    pub servers: usize,
    /// What the policy knows of the work of packets.
    pub estimator: Estimator,
    /// Makes the policy, with nothing waiting, from a seed; where it makes none, nothing is measured.
    pub build: &'a (dyn Fn(Seed) -> Option<Box<dyn Element>> + Sync),
    /// How long.
    pub span: Span,
}

/// What an attack did, compared with the same traffic without it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harm {
    /// Innocent bits lost for each bit of the attack.
    pub displacement: f64,
    /// Innocent bits per second that are left.
    pub goodput_bps: f64,
    /// Innocent bits per second without the attack.
    pub baseline_bps: f64,
    /// What leads the search; see [`score`].
    pub score: f64,
}

impl Target<'_> {
    /// Plays innocent traffic alone.
    pub fn baseline(&self, seed: Seed, go_on: &dyn Fn() -> bool) -> Measured {
        self.play(None, seed, go_on)
    }

    /// Plays an attack on the traffic of `baseline`, which is of the same seed; `None` if it was stopped, or if the attack has
    /// not sent anything within the window.
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
