//! A matcher with innocent and attack payloads.

use super::{AttackPayloads, InnocentPayloads, Payload, PayloadClass, TwoStage};
use crate::attack::applications::{Application as _, Live, Told, Workload};
use crate::attack::jobs::Job;
use crate::attack::traffic::Stream;
use forebay_core::estimate::Kept;
use forebay_core::{Duration, Seed, Time};

/// A matcher and the payloads that are sent to it.
#[derive(Debug, Clone)]
pub struct Matching {
    /// The cost of the filter per packet.
    pub filter: Duration,
    /// The rules, and the innocent payloads.
    pub innocent: InnocentPayloads,
    /// The attack payloads.
    pub attack: AttackPayloads,
}

impl Default for Matching {
    /// A matcher that does about 1 Gb/s, and that nobody attacks.
    fn default() -> Self {
        Self {
            filter: Duration::from_ns(200),
            innocent: InnocentPayloads::default(),
            attack: AttackPayloads(Vec::new()),
        }
    }
}

impl Matching {
    /// Returns the matcher before it has learnt anything.
    fn matcher(&self) -> TwoStage {
        TwoStage::new(self.filter, Kept::worst())
    }

    /// Returns the attack of section 3.6.1: it repeats the most expensive of `of` innocent payloads.
    #[must_use]
    pub fn dearest(&self, of: usize, seed: Seed) -> AttackPayloads {
        let payloads = self.innocent.payloads(1e9, seed).take(of);
        let mut matcher = self.matcher();
        let dearest = payloads.max_by_key(|payload| matcher.serve(payload));
        let class =
            dearest.map(|Payload { size_bytes, candidates, .. }| PayloadClass { size_bytes, candidates, share: 1.0 });
        AttackPayloads(class.into_iter().collect())
    }
}

impl Workload for Matching {
    fn arrivals(&self, innocent_bps: f64, seed: Seed, told: Told) -> Stream {
        self.matcher().arrivals(self.innocent.payloads(innocent_bps, seed), told)
    }

    fn live(&self, innocent_bps: f64, attack_bps: Option<f64>, seed: Seed, until: Time) -> Live {
        let inputs = || (self.innocent.payloads(innocent_bps, seed), attack_bps.map(|bps| self.attack.payloads(bps)));
        Live::new(self.matcher(), inputs, until)
    }

    fn attack_job(&self) -> Option<Job> {
        let [PayloadClass { size_bytes, candidates, .. }] = &self.attack.0[..] else { return None };
        let payload = Payload { arrival: Time::ZERO, flow: 0, size_bytes: *size_bytes, candidates: candidates.clone() };
        Some(Job::known(*size_bytes, self.matcher().serve(&payload)))
    }
}
