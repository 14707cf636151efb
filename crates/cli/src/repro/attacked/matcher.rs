//! A two-stage matcher with made-up rules.

use super::{Contender, Simulated, served};
use crate::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::applications::matcher::{AttackPayloads, Matching};
use forebay_sim::attack::trial::Span;
use std::sync::Arc;

/// 40 rules over two decades of cost, such that the capacity is 1 Gb/s.
#[derive(Debug, Clone, Copy)]
pub(in crate::repro) struct Matcher;

/// 158 times the mean cost per byte, on the least packet: fitted to the displacement of 82 that was published for FCFS.
const MAX_WORK: Duration = Duration::from_us(81);
/// Innocent payloads of which the dearest is taken.
const SEARCHED: usize = 300_000;

impl Simulated for Matcher {
    fn name(&self) -> &'static str {
        "full matching"
    }

    fn workload(&self) -> Arc<dyn Workload> {
        Arc::new(Matching::default())
    }

    fn max_work(&self) -> Duration {
        MAX_WORK
    }

    fn span(&self, _: f64) -> Span {
        Self::SPAN
    }
}

impl Matcher {
    const SPAN: Span = Span::ms(100, 800);
    /// Of innocents in figure 3.15, in Gb/s; the source does not print its own.
    pub(in crate::repro) const INNOCENT_GBPS: f64 = 0.9;

    /// The dearest of many innocent payloads, again and again: the attack of section 3.6.1.
    pub(in crate::repro) fn dearest(seed: Seed) -> AttackPayloads {
        Matching::default().dearest(SEARCHED, seed.part("attacked/dearest"))
    }

    /// Goodput in Gb/s beside an attack at a rate in Gb/s, where estimates are learnt from what a policy really serves.
    pub(in crate::repro) fn served(
        contender: Contender,
        seed: Seed,
        attack: Option<(&AttackPayloads, f64)>,
    ) -> Result<f64> {
        let (attack, gbps) = attack.unzip();
        let mut matching = Matching::default();
        if let Some(attack) = attack {
            matching.attack.clone_from(attack);
        }
        served(&matching, contender, (Self::INNOCENT_GBPS, gbps), Self::SPAN, seed)
    }
}
