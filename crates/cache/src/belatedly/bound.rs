//! Both bounds of a trace: prices from below, schedules from above.

use crate::belatedly::branch::Leaf;
use crate::belatedly::certificate::bound_of_leaf;
use crate::belatedly::effort::{BoundOptions, Progress, gap};
use crate::belatedly::paths::approximate;
use crate::belatedly::problem::{Problem, ProblemError};
use crate::belatedly::proof::Proof;
use crate::belatedly::schedule::{Overfull, Schedule, ScheduleOutcome, simulate};
use crate::belatedly::search::{Search, Start};
use crate::belatedly::windows::{Whole, Windows};
use forebay_core::Request;
use std::cell::Cell;
use std::ops::ControlFlow;
use thiserror::Error;

/// After a search of windows, the whole trace is searched with this part of the iterations.
const MENDING: u32 = 10;

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
    /// What proves the lower bound, if it was asked for and the search was not stopped before it began.
    pub proof: Option<Proof>,
}

impl Bounds {
    /// (upper - lower) / upper: by how much, at most, `schedule` is above the optimum, as a share
    /// of its own latency. 0 for an empty trace.
    #[must_use]
    pub fn gap(&self) -> f64 {
        gap(approximate(self.lower), self.upper)
    }
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
    latency_of: impl Fn(&Request) -> u64 + Sync,
    options: &BoundOptions,
    mut progress: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Bounds, BoundError> {
    let start = Progress::begin(options.iterations);
    let mut history = Vec::new();
    let (mut lower, mut iterations, mut proof) = (0, 0, None);
    let mut schedule = Schedule { stays: vec![false; requests.len()] };
    let laid_out = Problem::laid_out(requests, capacity, &latency_of, || progress(&start))?;
    if let ControlFlow::Continue(mut problem) = laid_out
        && problem.finish(requests, &latency_of, || progress(&start)).is_continue()
    {
        let mut search = Search::new(&problem);
        if problem.classical && !options.proves {
            lower = search.belady();
        } else {
            let ended = Cell::new(false);
            let mut progress = |now: &Progress| {
                let flow = progress(now);
                ended.set(ended.get() | flow.is_break());
                flow
            };
            iterations = match Windows::of(requests, capacity, &latency_of) {
                None => search.run(&Start::Cold, start, options, &mut history, &mut progress),
                Some(windows) => {
                    let whole = Whole { problem: &problem, requests, latency_of: &latency_of, options };
                    let (warm, made, end) = whole.search(windows, &mut progress);
                    let mending = BoundOptions { iterations: options.iterations.div_ceil(MENDING), ..*options };
                    let now = Progress {
                        window: windows.count(),
                        windows: windows.count(),
                        ..Progress::begin(mending.iterations)
                    };
                    let progress = |now: &Progress| if end.is_break() { end } else { progress(now) };
                    made + search.run(&warm, now, &mending, &mut history, progress)
                }
            };
            let of_leaves = |leaves: &[Leaf]| {
                let bounds = leaves.iter().map(|leaf| {
                    let outcomes =
                        if leaf.decisions.is_empty() { Vec::new() } else { leaf.outcomes(problem.requests()) };
                    bound_of_leaf(&problem, &leaf.prices, &outcomes)
                });
                bounds.min().unwrap_or(0)
            };
            let mut leaves = vec![Leaf { decisions: Vec::new(), prices: search.prices.clone() }];
            lower = of_leaves(&leaves);
            if !ended.get() && search.gap(lower) > options.gap {
                let now = history.last().copied().unwrap_or(start);
                let divided = search.divide(|| progress(&now));
                if of_leaves(&divided) > lower {
                    (lower, leaves) = (of_leaves(&divided), divided);
                }
            }
            proof = options.proves.then(|| Proof::new(&problem, requests, &latency_of, &leaves));
        }
        schedule = search.schedule();
    }
    let outcome = simulate(requests, capacity, latency_of, &schedule)?;
    let upper = outcome.latency;
    let requests = requests.len();
    Ok(Bounds { lower, upper, schedule, outcome, requests, iterations, history, proof })
}
