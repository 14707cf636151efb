//! The exact linear programme (thesis, section 2.4), for small traces, solved by HiGHS.
//!
//! Only with the feature `exact`: `cargo build --features exact` builds HiGHS from its
//! source, which needs cmake, a C++ compiler and libclang and takes minutes. Without it the
//! Lagrangian bound of [`crate::belatedly::bound`] comes within a small fraction of a per cent.
//!
//! Intervals are merged: an object's flow goes from decision to decision, along the arcs of
//! [`crate::belatedly::problem`]. Capacity is a chain and not one dense row per step. The occupancy at a checkpoint is
//! that at the one before, plus the objects that enter, less those that left between. So the matrix has a few entries
//! per request, where dense rows have one for each object that could be there.

use crate::belatedly::counts::reachable;
use crate::belatedly::paths::approximate;
use crate::belatedly::problem::Problem;
use highs::{ColProblem, HighsModelStatus, Row, Sense};
use thiserror::Error;

/// HiGHS gave no optimum.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("HiGHS stopped without an optimum: {status}; a smaller trace may help")]
pub struct Unsolved {
    /// What HiGHS says.
    pub status: String,
}

/// The optimum of the programme.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// The least total latency: of fractional schedules, or of all schedules if integral.
    pub latency: f64,
    /// A bound below the optimum: equal to `latency` where schedules are fractional; where they
    /// are integral, what branch and bound has proven when it stops.
    pub proven: f64,
    /// Variables of the programme.
    pub variables: usize,
    /// Constraints of the programme.
    pub constraints: usize,
}

/// Which schedules to look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedules {
    /// Fractions of objects may be cached: a lower bound.
    Fractional,
    /// Objects are cached or not: the optimum, by branch and bound, which may take for ever.
    Integral {
        /// Stop when the best schedule is within this share of the proven bound.
        gap: f64,
        /// Stop after this many seconds, with the best schedule so far.
        seconds: f64,
    },
}

/// Solves the programme.
///
/// # Errors
/// [`Unsolved`] if HiGHS fails or finds nothing in the time given.
pub fn exact(problem: &Problem, schedules: Schedules) -> Result<Exact, Unsolved> {
    let integral = matches!(schedules, Schedules::Integral { .. });
    let programme = programme(problem, integral);
    let (variables, constraints) = (programme.num_cols(), programme.num_rows());
    let unsolved = |status: String| Unsolved { status };
    let mut model = programme.try_optimise(Sense::Minimise).map_err(|status| unsolved(format!("{status:?}")))?;
    model.make_quiet();
    model.set_option("threads", 1);
    if let Schedules::Integral { gap, seconds } = schedules {
        model.set_option("mip_rel_gap", gap);
        model.set_option("time_limit", seconds);
    }
    let solved = model.try_solve().map_err(|status| unsolved(format!("{status:?}")))?;
    let fixed = approximate(problem.fixed);
    let flexible = solved.objective_value();
    let latency = fixed + flexible;
    let proven = if integral { latency - solved.mip_gap() * flexible } else { latency };
    match solved.status() {
        HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => {}
        HighsModelStatus::ReachedTimeLimit if integral && latency.is_finite() => {}
        status => return Err(unsolved(format!("{status:?}"))),
    }
    Ok(Exact { latency, proven, variables, constraints })
}

/// Flow conservation at every decision that can be reached, and the chain of occupancies.
fn programme(problem: &Problem, integral: bool) -> ColProblem {
    let mut programme = ColProblem::new();
    // Of each checkpoint: the objects there before, plus those that enter, less those that left, are there then.
    let chain: Vec<Row> = (0..problem.checkpoints()).map(|_| programme.add_row(0..=0)).collect();
    for (checkpoint, &row) in chain.iter().enumerate() {
        let next = chain.get(checkpoint + 1).map(|&next| (next, 1.0));
        programme.add_column(0.0, 0.0..=approximate(problem.capacity), std::iter::once((row, -1.0)).chain(next));
    }
    for object in 0..problem.flexible {
        add_object(&mut programme, &chain, problem, object, integral);
    }
    programme
}

fn add_object(programme: &mut ColProblem, chain: &[Row], problem: &Problem, object: usize, integral: bool) {
    let visits = problem.visits(object);
    let size = approximate(problem.sizes[object]);
    let (misses, hits) = reachable(problem, object);
    // A row of a decision says: what flows in, less what flows out, is 0; but 1 starts at the first.
    let mut row = |reached: bool, source: i32| reached.then(|| programme.add_row(-source..=-source));
    let miss: Vec<_> = misses.iter().enumerate().map(|(own, &reached)| row(reached, i32::from(own == 0))).collect();
    let hit: Vec<_> = hits.iter().map(|&reached| row(reached, 0)).collect();
    let into = |row: Option<Row>| row.map(|row| (row, 1.0));
    let leaves = |visit: usize| chain.get(problem.before[visit] as usize).map(|&row| (row, -size));
    for visit in visits.clone() {
        let own = visit - visits.start;
        if let Some(from) = miss[own] {
            let delay = approximate(problem.delay[visit]);
            let next = problem.after_miss[visit] as usize;
            if next < visits.end {
                let enters = (chain[problem.commit[visit] as usize], size);
                let stay = [Some((from, -1.0)), into(hit[next - visits.start]), Some(enters)];
                programme.add_column_with_integrality(delay, 0.0..=1.0, stay.into_iter().flatten(), integral);
                let miss_again = [Some((from, -1.0)), into(miss[next - visits.start])];
                programme.add_column_with_integrality(delay, 0.0..=1.0, miss_again.into_iter().flatten(), integral);
            } else {
                programme.add_column_with_integrality(delay, 0.0..=1.0, [(from, -1.0)], integral);
            }
        }
        if let Some(from) = hit[own] {
            if own + 1 < visits.len() {
                let stay = [Some((from, -1.0)), into(hit[own + 1])];
                programme.add_column_with_integrality(0.0, 0.0..=1.0, stay.into_iter().flatten(), integral);
            }
            let next = miss.get(own + 1).copied().flatten();
            let leave = [Some((from, -1.0)), into(next), leaves(visit)];
            programme.add_column_with_integrality(0.0, 0.0..=1.0, leave.into_iter().flatten(), integral);
        }
    }
}
