//! Searches, policy by policy and innocent rate by innocent rate.

use super::super::AttackStudy;
use super::arena::Arena;
use super::budget::Budget;
use super::confirm::{Comparison, confirm};
use super::report::SearchReport;
use crate::error::Result;
use crate::scenario::Sinks;
use crate::{interrupt, progress};
use forebay_core::Seed;
use forebay_sim::attack::search::Search;
use indicatif::ProgressBar;
use rayon::prelude::*;

/// So many of the attacks that a search has ended with are tried on other packets.
const FINALISTS: usize = 8;
/// Steps of the progress bar for each search.
const STEPS: u64 = 100;

/// What came of a search.
pub(super) struct Outcome<'a> {
    pub(super) arena: Arena<'a>,
    pub(super) generations: u64,
    /// Attacks that were tried.
    pub(super) tried: u64,
    /// Whether it was not interrupted.
    pub(super) complete: bool,
    /// `None` if nothing was found before an interrupt.
    pub(super) comparison: Option<Comparison>,
}

/// Searches within a budget. With a number of generations the result does not depend on the number of threads, nor on their speed.
pub(crate) fn run(study: &AttackStudy, budget: Budget) -> Result<SearchReport> {
    for policy in &study.policies {
        policy.discipline.element(study.seed, Sinks::new())?;
    }
    let arenas: Vec<Arena<'_>> = study
        .innocent_bps
        .iter()
        .flat_map(|&innocent_bps| (0..study.policies.len()).map(move |policy| Arena { study, policy, innocent_bps }))
        .collect();
    let progress = progress::steps(arenas.len() as u64 * STEPS);
    let outcomes: Vec<Outcome<'_>> = (0_u64..)
        .zip(&arenas)
        .map(|(number, &arena)| {
            progress.set_position(number * STEPS);
            search(arena, budget, arenas.len(), &progress)
        })
        .collect();
    progress.finish_and_clear();
    Ok(SearchReport::new(study, &outcomes))
}

fn search<'a>(arena: Arena<'a>, budget: Budget, searches: usize, progress: &ProgressBar) -> Outcome<'a> {
    let study = arena.study;
    let name = format!("{} at {} Gbps", study.policies[arena.policy].name, arena.innocent_bps as f64 / 1e9);
    let seed: Seed = study.seed.part(&format!("attack/search/{name}"));
    let mut search = Search::new(study.search.space(study, arena.innocent_bps), seed);
    let round = arena.round(seed, 1);
    let go_on = || !interrupt::requested();
    let mut spending = budget.begin(searches);
    let start = progress.position();
    let mut tried = 0;
    while go_on() && spending.is_left() {
        let candidates = search.ask();
        let harms: Vec<_> = candidates.par_iter().map(|candidate| round.harm(candidate, &go_on)).collect();
        if !go_on() {
            // Half a generation is none.
            break;
        }
        let scores: Vec<f64> = harms.iter().map(|harm| harm.map_or(f64::NAN, |harm| harm.score)).collect();
        search.tell(&scores);
        spending.generations += 1;
        tried += scores.len() as u64;
        progress.set_position(start + steps(spending.spent()));
        let best = search.best().map_or(0.0, |(_, score)| score);
        progress.set_message(format!("{name}: about {best:.3} after {tried} attacks"));
    }
    let complete = go_on();
    progress.set_message(format!("{name}: measuring what was found"));
    let finalists = search.finalists(FINALISTS).into_iter().map(|(candidate, _)| candidate).collect();
    Outcome { arena, generations: spending.generations, tried, complete, comparison: confirm(arena, finalists) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
fn steps(spent: f64) -> u64 {
    (spent * STEPS as f64) as u64
}
