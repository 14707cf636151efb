//! Payloads that an attacker has crafted.

use super::two_stage::{Candidate, Payload};
use crate::attack::traffic::turns::Turns;
use crate::attack::traffic::{Inputs, OWN_FLOWS, to_time};

/// One kind of payload.
#[derive(Debug, Clone, PartialEq)]
pub struct PayloadClass {
    /// The length of the packet in bytes; at least 1.
    pub size_bytes: u32,
    /// The candidate rules of the payload, with the cost of each.
    pub candidates: Vec<Candidate>,
    /// The class's share of the attack's bits, relative to the other shares.
    pub share: f64,
}

/// The attacker's payloads: the classes take turns, and each packet is a flow of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct AttackPayloads(pub Vec<PayloadClass>);

impl AttackPayloads {
    /// Returns evenly spaced payloads without end, at `rate_bps` bits per second. There are none at a rate of zero or if no class has a
    /// share.
    #[must_use]
    pub fn payloads(&self, rate_bps: f64) -> Inputs<Payload> {
        let ps_per_bit = 1e12 / rate_bps;
        // A kind sends its first packet when it has earned all its bits.
        let classes = self.0.iter().map(|class| (class.clone(), class.size_bytes, class.share));
        let mut classes = Turns::new(classes, || 1.0);
        if classes.is_empty() || !ps_per_bit.is_finite() {
            return Box::new(std::iter::empty());
        }
        let mut next_flow = 0_u32;
        Box::new(std::iter::from_fn(move || {
            let (class, bits) = classes.next()?;
            let (size_bytes, candidates) = (class.size_bytes, class.candidates.clone());
            let payload = Payload { arrival: to_time(bits * ps_per_bit), flow: next_flow, size_bytes, candidates };
            next_flow = (next_flow + 1) % OWN_FLOWS;
            Some(payload)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Duration, Time};

    #[test]
    fn classes_have_their_shares_of_the_budget() {
        let class = |rule, size_bytes, share| PayloadClass {
            size_bytes,
            candidates: vec![Candidate { rule, work: Duration::from_us(1), matches: false }],
            share,
        };
        let attack = AttackPayloads(vec![class(0, 64, 3.0), class(1, 1_000, 1.0), class(2, 200, 0.0)]);
        let end = Time::from_ns(10_000_000);
        let sent: Vec<Payload> = attack.payloads(1e9).take_while(|payload| payload.arrival <= end).collect();
        let bits = |rule| {
            let of_rule = sent.iter().filter(|payload| payload.candidates[0].rule == rule);
            of_rule.map(|payload| f64::from(payload.size_bytes) * 8.0).sum::<f64>()
        };
        assert!((bits(0) / 7.5e6 - 1.0).abs() < 0.01 && (bits(1) / 2.5e6 - 1.0).abs() < 0.01);
        assert!(bits(2) < 1.0);
        assert!(sent.is_sorted_by_key(|payload| payload.arrival));
        assert!(attack.payloads(0.0).next().is_none());
        assert!(AttackPayloads(Vec::new()).payloads(1e9).next().is_none());
    }
}
