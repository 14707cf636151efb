//! The second stage as a job that can be stopped: candidate rules one by one, up to the first
//! that matches.
//!
//! A slice ends between two rules, or inside one between two ranges of positions at which a match may begin. PCRE2
//! tries these positions one after the other anyway, so nothing is done twice. Where one position alone is too much,
//! PCRE2 is stopped by its limit of steps, which is doubled each time. The work that is then repeated is no more than
//! the work done before.

use crate::clock::WorkClock;
use crate::native::{Limits, Search};
use crate::two_stage::TwoStage;
use forebay_core::Duration;

/// Steps for one position beyond which a rule is given up, in slices or not: what Debian's
/// configuration of ModSecurity recommends (`SecPcreMatchLimit`).
const MOST_STEPS: u32 = 100_000;

/// Steps for one position that are tried first in a slice. Innocent payloads hardly ever need
/// more, and slow ones are stopped within microseconds.
const FIRST_STEPS: u32 = 256;

/// Positions that are tried first in a slice. Most payloads are done with two such ranges.
const FIRST_RANGE: usize = 256;

/// A whole payload in one go.
pub(crate) const WHOLE: Limits = Limits { from: 0, to: usize::MAX, steps: MOST_STEPS };

/// The outcome of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// This rule matches, and none of the candidates before it.
    Match(u32),
    /// No candidate matches.
    Pass,
}

/// How far a job is after a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It is done.
    Done(Verdict),
    /// The budget is used up; there is more to do.
    Paused,
}

/// The confirmation of one payload.
#[derive(Debug, Clone)]
pub struct Job {
    candidates: Vec<u32>,
    /// The cost of each candidate so far.
    costs: Vec<Duration>,
    next: usize,
    limits: Limits,
    range: usize,
}

impl Job {
    /// A job that has not begun.
    #[must_use]
    pub fn new(candidates: Vec<u32>) -> Self {
        let costs = vec![Duration::ZERO; candidates.len()];
        Self { candidates, costs, next: 0, limits: Self::first_limits(), range: FIRST_RANGE }
    }

    fn first_limits() -> Limits {
        Limits { from: 0, to: FIRST_RANGE - 1, steps: FIRST_STEPS }
    }

    /// The rules to confirm.
    #[must_use]
    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    /// The rules that were run, with the cost of each so far.
    pub fn costs(&self) -> impl Iterator<Item = (u32, Duration)> {
        let begun = self.next + usize::from(self.limits != Self::first_limits());
        self.candidates.iter().copied().zip(self.costs.iter().copied()).take(begun)
    }

    /// Its cost so far.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.costs.iter().fold(Duration::ZERO, |sum, cost| sum + *cost)
    }

    /// Runs all the rest.
    pub fn run(&mut self, stages: &mut TwoStage, payload: &[u8], clock: &mut impl WorkClock) -> Verdict {
        let mut before = clock.work();
        while let Some(&rule) = self.candidates.get(self.next) {
            let found = stages.search(rule, payload, Limits { from: self.limits.from, ..WHOLE });
            self.charge(clock, &mut before);
            self.next_rule();
            if found == Search::Match {
                return Verdict::Match(rule);
            }
        }
        Verdict::Pass
    }

    /// Runs until the budget of work is used up, and a little longer: the budget is checked after each range of
    /// positions.
    pub fn run_slice(
        &mut self,
        stages: &mut TwoStage,
        payload: &[u8],
        clock: &mut impl WorkClock,
        budget: Duration,
    ) -> Progress {
        let begin = clock.work();
        let mut before = begin;
        while let Some(&rule) = self.candidates.get(self.next) {
            let found = stages.search(rule, payload, self.limits);
            let cost = self.charge(clock, &mut before);
            match found {
                Search::Match => {
                    self.next_rule();
                    return Progress::Done(Verdict::Match(rule));
                }
                Search::NoMatch if self.limits.to >= payload.len() => self.next_rule(),
                Search::NoMatch => self.next_range(cost, budget),
                Search::StepsUsedUp if self.range > 1 => self.set_range(self.range.min(payload.len()) / 4),
                Search::StepsUsedUp if self.limits.steps < MOST_STEPS => {
                    self.limits.steps = self.limits.steps.saturating_mul(2).min(MOST_STEPS);
                }
                Search::StepsUsedUp | Search::Failed => self.next_rule(),
            }
            if before - begin >= budget && self.next < self.candidates.len() {
                return Progress::Paused;
            }
        }
        Progress::Done(Verdict::Pass)
    }

    /// Charges the present rule with the work since `before`.
    fn charge(&mut self, clock: &mut impl WorkClock, before: &mut Duration) -> Duration {
        let now = clock.work();
        let cost = now - *before;
        self.costs[self.next] = self.costs[self.next] + cost;
        *before = now;
        cost
    }

    fn next_rule(&mut self) {
        self.next += 1;
        self.limits = Self::first_limits();
        self.range = FIRST_RANGE;
    }

    /// Goes on behind the positions that were tried, with more of them where they cost little.
    fn next_range(&mut self, cost: Duration, budget: Duration) {
        self.limits.from = self.limits.to + 1;
        let eighths = (cost.as_ps().saturating_mul(8)).checked_div(budget.as_ps()).unwrap_or(u64::MAX);
        self.set_range(match eighths {
            0 => self.range * 4,
            1..=3 => self.range,
            _ => self.range / 4,
        });
    }

    fn set_range(&mut self, range: usize) {
        self.range = range.max(1);
        self.limits.to = self.limits.from + (self.range - 1);
    }
}
