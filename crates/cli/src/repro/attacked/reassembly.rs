//! TCP reassembly, with costs that make the published capacity.

use super::{Contender, Simulated, served};
use crate::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::applications::tcp::{self, AttackFlows, Reassembler};
use forebay_sim::attack::trial::Span;
use std::sync::Arc;

/// The reassembler of Pigasus, before 1,000 innocent flows that stand for a recording of a backbone.
#[derive(Debug, Clone, Copy)]
pub(in crate::repro) struct Reassembly;

impl Simulated for Reassembly {
    fn name(&self) -> &'static str {
        "TCP reassembly"
    }

    fn workload(&self) -> Arc<dyn Workload> {
        Arc::new(tcp::Reassembly::default())
    }

    fn max_work(&self) -> Duration {
        Reassembler::pigasus().max_work()
    }

    fn span(&self, gbps: f64) -> Span {
        if gbps < 2.0 { Span::ms(40, 200) } else { Span::ms(20, 80) }
    }
}

impl Reassembly {
    /// Two rounds of the longest attack flow at 0.1 Gb/s, and as much before.
    const ROUNDS: Span = Span::ms(84, 84);
    /// Of innocents in section 3.6.1, in Gb/s.
    pub(in crate::repro) const INNOCENT_GBPS: f64 = 10.0;

    /// Goodput in Gb/s beside attack flows at a rate in Gb/s, with the lists of what a policy really serves, and told how
    /// long they are.
    pub(in crate::repro) fn served(
        contender: Contender,
        seed: Seed,
        attack: Option<(AttackFlows, f64)>,
    ) -> Result<f64> {
        let (flows, gbps) = attack.unzip();
        let attack = flows.unwrap_or(AttackFlows::longest());
        let workload = tcp::Reassembly { attack, ..tcp::Reassembly::default() };
        served(&workload, contender, (Self::INNOCENT_GBPS, gbps), Self::ROUNDS, seed)
    }
}
