//! How large the linear programme is in its formulations (thesis, figure 2.14).
//!
//! With N requests for M objects, counted by the equations of section 2.4.5:
//!
//! - *naive* (2.4.1): per object and time, an edge along the cache and one out of it, and an edge from
//!   the backing store per request: `M (2 N - 1) + N` variables. One constraint per object and cache
//!   vertex (2.21), per request (2.18, 2.20), per sink (2.19), per edge along the cache (2.16).
//!   The thesis gives 18e9 variables and 9e9 constraints for N = 250,000 and M = 37,725.
//! - *merged* (2.4.3, caching intervals): an object has cache vertices only at certain times. These are `latency` after a
//!   request, where it can be admitted, and a request, where it can first leave for another one. Edges join neighbours, and
//!   one leads out of each vertex. The thesis gives 1e6 of both.
//! - *without backing store* (2.4.3): eviction and the next admission are one edge, so one edge and one constraint
//!   fewer per request. The thesis gives 750,000 of both.
//! - *chain*: the formulation that this crate solves. Only reachable decisions count, a delayed hit is none, and
//!   capacity is a chain of occupancies at checkpoints.

use crate::belatedly::problem::{Problem, ProblemError};
use forebay_core::Request;
use std::collections::BTreeSet;

/// Variables and constraints of a programme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Decision variables.
    pub variables: u64,
    /// Constraints, without bounds of single variables.
    pub constraints: u64,
}

/// The size of each formulation, for one trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormulationSizes {
    /// One vertex per object and time.
    pub naive: Size,
    /// One vertex per end of a caching interval.
    pub merged: Size,
    /// The same without vertices of the backing store.
    pub without_backing_store: Size,
    /// The programme of this crate.
    pub chain: Size,
}

/// Counts the formulations of a trace.
///
/// # Errors
/// [`ProblemError`] says what is wrong with the trace.
pub fn formulation_sizes(
    requests: &[Request],
    capacity: u64,
    latency_of: impl Fn(&Request) -> u64,
) -> Result<FormulationSizes, ProblemError> {
    let problem = Problem::with_latency_of(requests, capacity, &latency_of)?;
    let (n, m) = (requests.len() as u64, problem.objects() as u64);
    let naive = Size { variables: m * (2 * n).saturating_sub(1) + n, constraints: m * n + n + m + n.saturating_sub(1) };
    let mut vertices = 0;
    let mut times = BTreeSet::new();
    for object in 0..problem.objects() {
        let own: Vec<&Request> =
            problem.visits(object).map(|visit| &requests[problem.request[visit] as usize]).collect();
        let admitted = own[0].time + latency_of(own[0]);
        let mut ends: BTreeSet<u64> = own.iter().map(|request| request.time + latency_of(request)).collect();
        ends.extend(own.iter().map(|request| request.time).filter(|&time| time > admitted));
        vertices += ends.len() as u64;
        times.append(&mut ends);
    }
    let merged = Size { variables: vertices - m + vertices + n, constraints: vertices + n + m + times.len() as u64 };
    let without_backing_store = Size { variables: merged.variables - n, constraints: merged.constraints - n };
    Ok(FormulationSizes { naive, merged, without_backing_store, chain: chain(&problem) })
}

fn chain(problem: &Problem) -> Size {
    let checkpoints = problem.checkpoints() as u64;
    let mut size = Size { variables: checkpoints, constraints: checkpoints };
    for object in 0..problem.flexible {
        let visits = problem.visits(object);
        let (misses, hits) = reachable(problem, object);
        for (own, visit) in visits.clone().enumerate() {
            let is_last_miss = problem.after_miss[visit] as usize == visits.end;
            let is_last_hit = visit + 1 == visits.end;
            size.constraints += u64::from(misses[own]) + u64::from(hits[own]);
            size.variables += u64::from(misses[own]) * if is_last_miss { 1 } else { 2 };
            size.variables += u64::from(hits[own]) * if is_last_hit { 1 } else { 2 };
        }
    }
    size
}

/// At which visits an object can miss, and at which it can hit.
pub(crate) fn reachable(problem: &Problem, object: usize) -> (Vec<bool>, Vec<bool>) {
    let visits = problem.visits(object);
    let (mut misses, mut hits) = (vec![false; visits.len()], vec![false; visits.len()]);
    misses[0] = true;
    for own in 0..visits.len() {
        let next = problem.after_miss[visits.start + own] as usize - visits.start;
        if misses[own] && next < visits.len() {
            misses[next] = true;
            hits[next] = true;
        }
        if hits[own] && own + 1 < visits.len() {
            misses[own + 1] = true;
            hits[own + 1] = true;
        }
    }
    (misses, hits)
}
