//! The exact linear programme, solved by HiGHS: for small traces, to check the bounds.
//!
//! A variable for each interval says whether it is kept. A later block of a prompt is kept at most as an earlier one. Over
//! each gap, at most as many are kept as the capacity allows.

use super::PrefixProblem;
use crate::belatedly::Unsolved;
use crate::belatedly::approximate;
use highs::{ColProblem, HighsModelStatus, Sense};

/// Returns what schedules save at most: fractional ones, or whole ones if `integral`.
///
/// # Errors
/// If HiGHS finds no optimum.
pub fn exact(problem: &PrefixProblem, integral: bool) -> Result<f64, Unsolved> {
    let mut programme = ColProblem::new();
    let capacity = approximate(problem.capacity);
    let gaps: Vec<_> = (0..problem.prompts()).map(|_| programme.add_row(..=capacity)).collect();
    for prompt in 0..problem.prompts() {
        let (begins, weights) = problem.own(prompt);
        let mut before = None;
        for (number, (&begin, &weight)) in begins.iter().zip(weights).enumerate() {
            let after = (number + 1 < begins.len()).then(|| programme.add_row(0..));
            let kept = gaps[begin as usize..prompt].iter().map(|&gap| (gap, 1.0));
            let chain = before.map(|row| (row, -1.0)).into_iter().chain(after.map(|row| (row, 1.0)));
            let entries: Vec<_> = kept.chain(chain).collect();
            programme.add_column_with_integrality(approximate(weight), 0.0..=1.0, entries, integral);
            before = after;
        }
    }
    let unsolved = |status: String| Unsolved { status };
    let mut model = programme.try_optimise(Sense::Maximise).map_err(|status| unsolved(format!("{status:?}")))?;
    model.make_quiet();
    model.set_option("threads", 1);
    let solved = model.try_solve().map_err(|status| unsolved(format!("{status:?}")))?;
    match solved.status() {
        HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => Ok(solved.objective_value()),
        status => Err(unsolved(format!("{status:?}"))),
    }
}
