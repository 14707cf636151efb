//! A two-stage matcher with made-up rules.

use super::{Contender, Simulated};
use crate::error::Result;
use forebay_attack::Quantity;
use forebay_attack::applications::matcher::{AttackPayloads, InnocentPayloads, Payload, PayloadClass, Rules, TwoStage};
use forebay_attack::applications::{Application as _, Merged, Span, Told};
use forebay_attack::traffic::Stream;
use forebay_core::{Duration, Seed};
use forebay_estimate::Kept;

/// 40 rules over two decades of cost, such that the capacity is 1 Gb/s.
#[derive(Debug, Clone, Copy)]
pub(in crate::repro) struct Matcher;

const RULES: usize = 40;
/// Of the filter, for each packet.
const FILTER: Duration = Duration::from_ns(200);
/// 158 times the mean cost per byte, on the least packet: fitted to the displacement of 82 that was published for FCFS.
const MAX_WORK: Duration = Duration::from_us(81);
/// Innocent payloads of which the dearest is taken.
const SEARCHED: usize = 300_000;

impl Simulated for Matcher {
    fn name(&self) -> &'static str {
        "full matching"
    }

    fn innocents(&self, gbps: f64, seed: Seed, told: Told) -> Stream {
        matcher().arrivals(recipe().payloads(gbps * 1e9, seed), told)
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
        let payloads = recipe().payloads(1e9, seed.part("attacked/dearest")).take(SEARCHED);
        let dearest = payloads.max_by_key(|payload| matcher().serve(payload));
        AttackPayloads(
            dearest
                .into_iter()
                .map(|Payload { size_bytes, candidates, .. }| PayloadClass { size_bytes, candidates, share: 1.0 })
                .collect(),
        )
    }

    /// Goodput in Gb/s beside an attack at a rate in Gb/s, where estimates are learnt from what a policy really serves.
    pub(in crate::repro) fn served(
        contender: Contender,
        seed: Seed,
        attack: Option<(&AttackPayloads, f64)>,
    ) -> Result<f64> {
        let inputs = || {
            let innocent = recipe().payloads(Self::INNOCENT_GBPS * 1e9, seed);
            Merged::new(innocent, attack.map(|(attack, gbps)| attack.payloads(gbps * 1e9)), Self::SPAN.end())
        };
        Ok(Self::SPAN.served_bps(matcher(), &inputs, contender.discipline()?) / 1e9)
    }
}

fn matcher() -> TwoStage {
    TwoStage::new(FILTER, Kept::worst())
}

fn recipe() -> InnocentPayloads {
    let size_bytes = Quantity::Normal { mean: 800.0, deviation: 400.0, min: 64.0, max: 1_514.0 };
    InnocentPayloads { rules: Rules::graded(RULES), size_bytes, flows: 100 }
}
