//! The matcher: work and estimate of a payload.

use crate::attack::applications::Application;
use crate::attack::traffic::Input;
use forebay_core::estimate::{CostPerByte, Kept, Seen};
use forebay_core::{Duration, Time};

/// A rule that the filter names for a payload, and the result of its evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The number of the rule.
    pub rule: usize,
    /// The cost of the rule's evaluation on this payload.
    pub work: Duration,
    /// Whether the rule matches; if so, no later candidate is evaluated.
    pub matches: bool,
}

/// A packet with the rules for which it is a candidate, in the order in which they are evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// The time of arrival.
    pub arrival: Time,
    /// Its flow, counted from 0 within its stream.
    pub flow: u32,
    /// The length of the packet in bytes; all of it counts as payload.
    pub size_bytes: u32,
    /// The candidates that the filter finds.
    pub candidates: Vec<Candidate>,
}

impl Payload {
    /// Returns the candidates that are evaluated: up to the first match.
    pub fn evaluated(&self) -> impl Iterator<Item = &Candidate> {
        let first = self.candidates.iter().position(|candidate| candidate.matches);
        self.candidates[..first.map_or(self.candidates.len(), |first| first + 1)].iter()
    }
}

impl Input for Payload {
    fn arrival(&self) -> Time {
        self.arrival
    }

    fn flow(&self) -> u32 {
        self.flow
    }

    fn size_bytes(&self) -> u32 {
        self.size_bytes
    }

    fn set_flow(&mut self, flow: u32) {
        self.flow = flow;
    }
}

/// Filter, rules and estimator.
///
/// The estimator learns from a payload when the work on it has ended. So the estimates of the payloads that wait at that time do not
/// include this knowledge. A rule that was never evaluated is assumed to cost nothing.
#[derive(Debug, Clone)]
pub struct TwoStage {
    filter: Duration,
    /// Picoseconds per byte of each rule.
    rules: CostPerByte,
}

impl TwoStage {
    /// Creates a matcher whose filter costs `filter` per packet. `kept` selects the statistic of each rule's cost per byte; the published
    /// one is the worst cost (section 3.5.2).
    #[must_use]
    pub fn new(filter: Duration, kept: Kept) -> Self {
        Self { filter, rules: CostPerByte::new(kept).start(0.0) }
    }

    /// The learnt cost of a rule, in picoseconds per byte; `None` if the rule was never evaluated.
    #[must_use]
    pub fn ps_per_byte(&self, rule: usize) -> Option<f64> {
        self.rules.per_byte(feature(rule))
    }
}

impl Application for TwoStage {
    type Input = Payload;

    fn estimate(&self, payload: &Payload) -> Duration {
        let candidates = payload.candidates.iter().map(|candidate| feature(candidate.rule));
        let ps = self.rules.estimate(candidates, payload.size_bytes.into(), 0.0);
        plus(self.filter, Duration::from_secs_f64(ps * 1e-12))
    }

    fn serve(&mut self, payload: &Payload) -> Duration {
        payload.evaluated().fold(self.filter, |sum, candidate| plus(sum, candidate.work))
    }

    fn completed(&mut self, payload: &Payload) {
        for candidate in payload.evaluated() {
            let cost = candidate.work.as_ps() as f64;
            let seen = Seen { size_bytes: payload.size_bytes.into(), cost, is_whole: true };
            self.rules.learn(feature(candidate.rule), seen);
        }
    }
}

fn feature(rule: usize) -> u32 {
    u32::try_from(rule).expect("fewer than 2^32 rules")
}

fn plus(a: Duration, b: Duration) -> Duration {
    Duration::from_ps(a.as_ps().saturating_add(b.as_ps()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(size_bytes: u32, candidates: &[(usize, u64, bool)]) -> Payload {
        let candidates = candidates
            .iter()
            .map(|&(rule, ns, matches)| Candidate { rule, work: Duration::from_ns(ns), matches })
            .collect();
        Payload { arrival: Time::ZERO, flow: 0, size_bytes, candidates }
    }

    #[test]
    fn the_work_ends_with_the_first_match_and_is_learnt_when_it_ends() {
        let mut matcher = TwoStage::new(Duration::from_ns(10), Kept::worst());
        let first = payload(100, &[(0, 200, false), (2, 300, true), (3, 900, false)]);
        assert_eq!(matcher.estimate(&first), Duration::from_ns(10));
        assert_eq!(matcher.serve(&first), Duration::from_ns(510));
        assert_eq!(matcher.estimate(&first), Duration::from_ns(10), "it has not ended");
        matcher.completed(&first);
        assert_eq!(matcher.estimate(&first), Duration::from_ns(510));
        assert_eq!(
            (matcher.ps_per_byte(2), matcher.ps_per_byte(3)),
            (Some(3_000.0), None),
            "the last was never evaluated"
        );
        assert_eq!(matcher.estimate(&payload(50, &[(2, 1, false), (0, 1, false)])), Duration::from_ns(260));
        assert_eq!(matcher.serve(&payload(50, &[])), Duration::from_ns(10));
    }
}
