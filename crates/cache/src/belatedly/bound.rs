//! Both bounds of a trace: prices from below, schedules from above.

use crate::belatedly::ascent::Ascent;
use crate::belatedly::certificate::certified_lower_bound;
use crate::belatedly::paths::{Costs, approximate, worths};
use crate::belatedly::problem::{Problem, ProblemError};
use crate::belatedly::rounding::{Rounding, Timeline};
use crate::belatedly::schedule::{Overfull, Schedule, ScheduleOutcome, simulate};
use forebay_core::Request;
use std::ops::ControlFlow;
use thiserror::Error;

/// How much work to spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundOptions {
    /// Steps of the ascent. The length of steps sinks to 0 over all of them, so that
    /// 500 asked for are better than 500 of 5,000.
    pub iterations: u32,
    /// Steps between two looks: each evaluates the average of the prices and makes a schedule
    /// from it, so that both bounds may become better.
    pub look_every: u32,
    /// Stop at this gap, e.g. 0.001; 0 stops at proven optima only.
    pub gap: f64,
}

impl Default for BoundOptions {
    fn default() -> Self {
        Self { iterations: 600, look_every: 20, gap: 0.0 }
    }
}

/// The progress of the bounds, at the last look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Steps of the ascent so far; 0 during preparation.
    pub iteration: u32,
    /// Steps asked for.
    pub iterations: u32,
    /// The best value of the dual so far, with the rounding errors of floats: the final bound is
    /// computed without. 0 before the first look.
    pub lower: f64,
    /// The least total latency of a schedule so far; `u64::MAX` before the first.
    pub upper: u64,
}

impl Progress {
    /// Of the upper bound, the share by which the lower bound is below it.
    #[must_use]
    pub fn gap(&self) -> f64 {
        gap(self.lower, self.upper)
    }
}

/// Bounds of the least total latency, and the schedule that reaches the upper one.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// No schedule has a lower total latency, in steps. Computed in integers.
    pub lower: u64,
    /// The total latency of `schedule`, in steps, as simulated.
    pub upper: u64,
    /// The best schedule found.
    pub schedule: Schedule,
    /// What its simulation counted.
    pub outcome: ScheduleOutcome,
    /// Requests of the trace.
    pub requests: usize,
    /// Steps of the ascent that were made.
    pub iterations: u32,
    /// What each look found, in order.
    pub history: Vec<Progress>,
}

impl Bounds {
    /// (upper - lower) / upper: by how much, at most, `schedule` is above the optimum, as a share
    /// of its own latency. 0 for an empty trace.
    #[must_use]
    pub fn gap(&self) -> f64 {
        gap(approximate(self.lower), self.upper)
    }
}

fn gap(lower: f64, upper: u64) -> f64 {
    if upper == 0 { 0.0 } else { 1.0 - lower / approximate(upper) }
}

/// Why there are no bounds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoundError {
    /// The trace makes no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The schedule that was found cannot be played: a mistake in this crate.
    #[error("the schedule found is wrong, which is a mistake in forebay: {0}")]
    Schedule(#[from] Overfull),
}

/// Bounds of the least total latency of a trace under delayed hits, for a cache of
/// `capacity` (in units of `size`) and fetches that take `latency_of` steps.
///
/// `progress` is called at every step of the ascent, and between the parts of the preparation before it. It can stop
/// both. The result is then the best found so far: at the least the bound that needs no prices, or 0, and the schedule
/// that keeps nothing. Each part takes a few passes over the trace, and so does the certificate at the end.
///
/// With a latency of one step, equal sizes and requests at different times, the problem is the classical one. Belady's
/// rule with bypassing solves it, and both bounds are its misses.
///
/// # Errors
/// [`BoundError::Problem`] says what is wrong with the trace.
pub fn bound(
    requests: &[Request],
    capacity: u64,
    latency_of: impl Fn(&Request) -> u64,
    options: &BoundOptions,
    mut progress: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Bounds, BoundError> {
    let start = Progress { iteration: 0, iterations: options.iterations, lower: 0.0, upper: u64::MAX };
    let mut history = Vec::new();
    let (mut lower, mut iterations) = (0, 0);
    let mut schedule = Schedule { stays: vec![false; requests.len()] };
    let laid_out = Problem::laid_out(requests, capacity, &latency_of, || progress(&start))?;
    if let ControlFlow::Continue(mut problem) = laid_out
        && problem.finish(requests, &latency_of, || progress(&start)).is_continue()
    {
        let mut search = Search::new(&problem);
        (lower, iterations) =
            if problem.classical { (search.belady(), 0) } else { search.run(start, options, &mut history, progress) };
        schedule = search.schedule();
    }
    let outcome = simulate(requests, capacity, latency_of, &schedule)?;
    let upper = outcome.latency;
    let requests = requests.len();
    Ok(Bounds { lower, upper, schedule, outcome, requests, iterations, history })
}

/// The best that was found so far.
struct Search<'a> {
    problem: &'a Problem,
    timeline: Timeline,
    rounding: Rounding,
    costs: Costs,
    worth: Vec<f64>,
    stays: Vec<bool>,
    upper: u64,
    lower: f64,
    prices: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Self {
        let timeline = Timeline::new(problem);
        Self {
            rounding: Rounding::new(problem),
            costs: Costs::default(),
            worth: vec![0.0; timeline.visits()],
            stays: Vec::new(),
            upper: u64::MAX,
            lower: f64::NEG_INFINITY,
            prices: vec![0.0; problem.checkpoints()],
            problem,
            timeline,
        }
    }

    /// Solves the classical problem: the object whose next use is furthest leaves.
    fn belady(&mut self) -> u64 {
        for (worth, request) in self.worth.iter_mut().zip(&self.problem.request) {
            *worth = -f64::from(*request);
        }
        // At infinite sums no hit is worth less than a miss.
        self.round(&vec![f64::INFINITY; self.problem.checkpoints() + 1]);
        self.upper
    }

    fn run(
        &mut self,
        start: Progress,
        options: &BoundOptions,
        history: &mut Vec<Progress>,
        mut progress: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> (u64, u32) {
        let mut now = start;
        let mut ascent = Ascent::new(self.problem);
        let mut end = progress(&now);
        if end.is_continue() {
            end = ascent.start(|| progress(&now));
            self.keep_if_better(ascent.dual(), ascent.prices());
        }
        if end.is_continue() {
            self.round_at(&mut ascent);
            now = Progress { lower: self.lower, upper: self.upper, ..now };
            end = progress(&now);
        }
        while end.is_continue() && now.iteration < options.iterations {
            ascent.step(f64::from(now.iteration) / f64::from(options.iterations));
            now.iteration += 1;
            let looks = now.iteration.is_multiple_of(options.look_every.max(1)) || now.iteration == options.iterations;
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
            if looks && (now.gap() <= options.gap || is_optimal) {
                break;
            }
        }
        (certified_lower_bound(self.problem, &self.prices), now.iteration)
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

    fn schedule(&self) -> Schedule {
        let mut stays = vec![false; self.problem.requests()];
        for (&stay, &request) in self.stays.iter().zip(&self.problem.request) {
            stays[request as usize] = stay;
        }
        Schedule { stays }
    }
}
