//! The matcher: work and estimate of a payload.

use super::worst_seen::WorstSeen;
use crate::applications::Application;
use crate::traffic::Input;
use forebay_core::{Duration, Time};

/// A rule that the filter names for a payload, and what comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the rule.
    pub rule: usize,
    /// What its evaluation costs on this payload.
    pub work: Duration,
    /// Whether it matches; then no later candidate is evaluated.
    pub matches: bool,
}

/// A packet with the rules for which it is a candidate, in the order in which they are evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// When it arrives.
    pub arrival: Time,
    /// Its flow, counted from 0 within its stream.
    pub flow: u32,
    /// Length of the packet in bytes; all of it counts as payload.
    pub size_bytes: u32,
    /// What the filter finds.
    pub candidates: Vec<Candidate>,
}

impl Payload {
    /// The candidates that are evaluated: up to the first that matches.
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
/// It learns from a payload when the work on it has ended. So what waited at that time has an estimate that knew less.
#[derive(Debug, Clone)]
pub struct TwoStage {
    filter: Duration,
    worst: WorstSeen,
}

impl TwoStage {
    /// A matcher whose filter costs each packet `filter`.
    #[must_use]
    pub fn new(filter: Duration, worst: WorstSeen) -> Self {
        Self { filter, worst }
    }

    /// What was learnt so far.
    #[must_use]
    pub fn worst(&self) -> &WorstSeen {
        &self.worst
    }
}

impl Application for TwoStage {
    type Input = Payload;

    fn estimate(&self, payload: &Payload) -> Duration {
        let candidates = payload.candidates.iter().map(|candidate| candidate.rule);
        plus(self.filter, self.worst.estimate(candidates, payload.size_bytes))
    }

    fn serve(&mut self, payload: &Payload) -> Duration {
        payload.evaluated().fold(self.filter, |sum, candidate| plus(sum, candidate.work))
    }

    fn completed(&mut self, payload: &Payload) {
        for candidate in payload.evaluated() {
            self.worst.learn(candidate.rule, payload.size_bytes, candidate.work);
        }
    }
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
        let mut matcher = TwoStage::new(Duration::from_ns(10), WorstSeen::new(4, 0));
        let first = payload(100, &[(0, 200, false), (2, 300, true), (3, 900, false)]);
        assert_eq!(matcher.estimate(&first), Duration::from_ns(10));
        assert_eq!(matcher.serve(&first), Duration::from_ns(510));
        assert_eq!(matcher.estimate(&first), Duration::from_ns(10), "it has not ended");
        matcher.completed(&first);
        assert_eq!(matcher.estimate(&first), Duration::from_ns(510));
        assert_eq!(matcher.worst().ps_per_byte(3), 0, "never evaluated");
        assert_eq!(matcher.estimate(&payload(50, &[(2, 1, false), (0, 1, false)])), Duration::from_ns(260));
        assert_eq!(matcher.serve(&payload(50, &[])), Duration::from_ns(10));
    }
}
