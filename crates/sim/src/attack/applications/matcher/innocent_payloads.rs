//! Innocent payloads: their sizes, and candidates according to the rules' shares.

use super::rules::{Grades, Rules};
use super::two_stage::{Candidate, Payload};
use crate::attack::quantity::Quantity;
use crate::attack::traffic::{Inputs, to_time};
use forebay_core::{Duration, Rng, Seed};
use rand::RngExt as _;

/// A recipe for innocent payloads; rules are candidates independently of each other.
#[derive(Debug, Clone)]
pub struct InnocentPayloads {
    /// The rules.
    pub rules: Rules,
    /// Lengths of packets in bytes.
    pub size_bytes: Quantity,
    /// The number of flows; all flows are alike, and each packet belongs to one of them.
    pub flows: u32,
}

impl Default for InnocentPayloads {
    /// Payloads of 800 B on average in 100 flows, before 40 rules.
    fn default() -> Self {
        let size_bytes = Quantity::Normal { mean: 800.0, deviation: 400.0, min: 64.0, max: 1_514.0 };
        Self { rules: Rules::graded(Grades::default()), size_bytes, flows: 100 }
    }
}

impl InnocentPayloads {
    /// Returns packets without end, back to back, at `rate_bps` bits per second. There are none at a rate of zero.
    #[must_use]
    pub fn payloads(&self, rate_bps: f64, seed: Seed) -> Inputs<Payload> {
        let ps_per_bit = 1e12 / rate_bps;
        if !ps_per_bit.is_finite() {
            return Box::new(std::iter::empty());
        }
        let recipe = self.clone();
        let mut rng = seed.stream("innocent/payloads");
        let mut bits = 0.0;
        Box::new(std::iter::repeat_with(move || {
            let size_bytes = to_size(recipe.size_bytes.draw(&mut rng));
            bits += f64::from(size_bytes) * 8.0;
            let candidates = recipe.candidates(size_bytes, &mut rng);
            let flow = rng.random_range(0..recipe.flows.max(1));
            Payload { arrival: to_time(bits * ps_per_bit), flow, size_bytes, candidates }
        }))
    }

    fn candidates(&self, size_bytes: u32, rng: &mut Rng) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (rule, entry) in self.rules.0.iter().enumerate() {
            if rng.random::<f64>() < entry.candidate {
                let ns = entry.ns_per_byte.draw(rng) * f64::from(size_bytes);
                let matches = rng.random::<f64>() < entry.matches;
                candidates.push(Candidate { rule, work: Duration::from_secs_f64(ns * 1e-9), matches });
            }
        }
        candidates
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn to_size(bytes: f64) -> u32 {
    (bytes.round() as u32).max(1)
}
