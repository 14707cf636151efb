//! The search for prices and a schedule: ascent, and now and then a look at what it has found.

use crate::belatedly::ascent::Ascent;
use crate::belatedly::branch::{Leaf, divide};
use crate::belatedly::effort::{BoundOptions, Progress, gap};
use crate::belatedly::paths::{Costs, approximate, worths};
use crate::belatedly::problem::Problem;
use crate::belatedly::rounding::{Rounding, Timeline};
use crate::belatedly::schedule::Schedule;
use std::ops::ControlFlow;

/// A search from prices that are nearly right ends when a look leaves more than this share of the gap.
const SETTLED: f64 = 0.9;

/// Where a search starts.
#[derive(Debug)]
pub(crate) enum Start {
    /// At the best constant price.
    Cold,
    /// At prices that are nearly right.
    Warm {
        /// Of each checkpoint.
        prices: Vec<f64>,
        /// The first step of the searches that found them.
        first_step: f64,
        /// The gap that these left.
        gap: f64,
    },
}

/// The best that was found so far.
pub(crate) struct Search<'a> {
    problem: &'a Problem,
    timeline: Timeline,
    rounding: Rounding,
    costs: Costs,
    worth: Vec<f64>,
    stays: Vec<bool>,
    upper: u64,
    lower: f64,
    /// The best prices so far.
    pub(crate) prices: Vec<f64>,
    /// The length of the first step.
    pub(crate) first_step: f64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let timeline = Timeline::new(problem);
        Self {
            rounding: Rounding::new(problem),
            costs: Costs::default(),
            worth: vec![0.0; timeline.visits()],
            stays: Vec::new(),
            upper: u64::MAX,
            lower: f64::NEG_INFINITY,
            prices: vec![0.0; problem.checkpoints()],
            first_step: 0.0,
            problem,
            timeline,
        }
    }

    /// Solves the classical problem: the object whose next use is furthest leaves.
    pub(crate) fn belady(&mut self) -> u64 {
        for (worth, request) in self.worth.iter_mut().zip(&self.problem.request) {
            *worth = -f64::from(*request);
        }
        // At infinite sums no hit is worth less than a miss.
        self.round(&vec![f64::INFINITY; self.problem.checkpoints() + 1]);
        self.upper
    }

    /// Searches until one of the limits of `options` is reached, or `progress` ends it, and returns how many steps were
    /// made.
    pub(crate) fn run(
        &mut self,
        from: &Start,
        start: Progress,
        options: &BoundOptions,
        history: &mut Vec<Progress>,
        mut progress: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> u32 {
        let mut now = start;
        let mut ascent = Ascent::new(self.problem);
        let mut end = progress(&now);
        let is_warm = matches!(from, Start::Warm { .. });
        let mut enough = options.gap;
        if let Start::Warm { prices, first_step, gap } = from {
            // If seams add nothing to the gap, there is nothing to mend.
            enough = options.gap.max(gap / SETTLED);
            ascent.start_at(prices, *first_step);
            self.keep_if_better(ascent.dual(), ascent.prices());
        } else if end.is_continue() {
            end = ascent.start(|| progress(&now));
            self.keep_if_better(ascent.dual(), ascent.prices());
        }
        self.first_step = ascent.first_step();
        // Prices that are nearly right are worth a schedule even if the search was stopped while they were found.
        if is_warm || end.is_continue() {
            self.round_at(&mut ascent);
            now = Progress { lower: self.lower, upper: self.upper, ..now };
            end = progress(&now);
        }
        if is_warm && now.gap() <= enough {
            history.push(now);
            return 0;
        }
        while end.is_continue() && now.iteration < options.iterations {
            ascent.step(f64::from(now.iteration) / f64::from(options.iterations));
            now.iteration += 1;
            let looks = now.iteration.is_multiple_of(options.look_every.max(1)) || now.iteration == options.iterations;
            let before = now.gap();
            if looks {
                let dual = ascent.dual_of_average();
                self.keep_if_better(dual, ascent.average());
                self.round_at(&mut ascent);
                now = Progress { lower: self.lower, upper: self.upper, ..now };
                history.push(now);
            }
            end = progress(&now);
            // A bound above upper - 1 proves upper, since the optimum is an integer.
            let is_optimal = now.lower > approximate(now.upper) - 0.5;
            let has_settled = is_warm && now.gap() > SETTLED * before;
            if looks && (now.gap() <= options.gap || is_optimal || has_settled) {
                break;
            }
        }
        now.iteration
    }

    /// Divides a small problem whose bounds have not met. Returns the leaves.
    pub(crate) fn divide(&mut self, goes_on: impl FnMut() -> ControlFlow<()>) -> Vec<Leaf> {
        let Self { problem, timeline, rounding, upper, stays, .. } = self;
        let mut find = |worth: &[f64], sums: &[f64]| {
            let latency = rounding.run(problem, timeline, worth, sums);
            if latency < *upper {
                *upper = latency;
                stays.clone_from(&rounding.stays);
            }
            *upper
        };
        let known = find(&self.worth, &vec![0.0; self.prices.len() + 1]);
        divide(problem, &self.prices, self.first_step, known, &mut find, goes_on)
    }

    /// The gap between the best prices and the best schedule.
    pub(crate) fn progress_gap(&self) -> f64 {
        gap(self.lower, self.upper)
    }

    /// The gap between a lower bound and the best schedule.
    pub(crate) fn gap(&self, lower: u64) -> f64 {
        gap(approximate(lower), self.upper)
    }

    fn keep_if_better(&mut self, dual: f64, prices: &[f64]) {
        if dual > self.lower {
            self.lower = dual;
            self.prices.copy_from_slice(prices);
        }
    }

    /// Makes a schedule from the average of the prices.
    fn round_at(&mut self, ascent: &mut Ascent) {
        let sums = ascent.sums_of_average();
        worths(self.problem, sums, &mut self.costs, &mut self.worth);
        self.round(sums);
    }

    /// Makes a schedule from what objects are worth, and keeps it if it is better.
    fn round(&mut self, sums: &[f64]) {
        let latency = self.rounding.run(self.problem, &self.timeline, &self.worth, sums);
        if latency < self.upper {
            self.upper = latency;
            self.stays.clone_from(&self.rounding.stays);
        }
    }

    pub(crate) fn schedule(&self) -> Schedule {
        let mut stays = vec![false; self.problem.requests()];
        for (&stay, &request) in self.stays.iter().zip(&self.problem.request) {
            stays[request as usize] = stay;
        }
        Schedule { stays }
    }
}
