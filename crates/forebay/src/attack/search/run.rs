//! Runs a search for each policy with one value of each axis except for the attack rate.

use super::arena::Arena;
use super::budget::{Budget, CpuTime, Spending};
use super::confirm::{Comparison, confirm};
use super::report::SearchReport;
use crate::attack::AttackScenario;
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use crate::scenario::Sinks;
use forebay_core::Seed;
use forebay_sim::attack::search::Search;
use rayon::prelude::*;

/// The number of a search's last attacks that are tried on other packets.
const FINALISTS: usize = 8;
/// Steps of the progress bar for each search.
const STEPS: u64 = 100;

/// The result of a search.
pub(super) struct SearchOutcome<'a> {
    pub(super) arena: Arena<'a>,
    pub(super) generations: u64,
    /// The number of attacks that were tried.
    pub(super) tried: u64,
    /// Whether the search ended without an interrupt.
    pub(super) complete: bool,
    /// The attack found and its comparison; `None` if an interrupt came before any was found.
    pub(super) comparison: Option<Comparison>,
}

/// Searches within a budget. With a number of generations, the result depends neither on the number of threads nor on their speed.
pub fn run(
    scenario: &AttackScenario,
    budget: Budget,
    cpu_time: CpuTime<'_>,
    observer: &dyn Observer,
) -> Result<SearchReport> {
    scenario.warnings.iter().for_each(|warning| observer.warn(warning));
    let arenas: Vec<Arena<'_>> = scenario.groups().map(|cells| Arena { scenario, cells }).collect();
    for arena in &arenas {
        let cell = &arena.cells[0];
        let wrong = |field: &str| format!("a search does not support `{field}`; leave it out");
        if cell.setting.processor.turns.is_some() {
            return Err(cell.point.error(wrong("slice")));
        }
        if cell.setting.processor.aside.is_some() {
            return Err(cell.point.error(wrong("suspected")));
        }
        if cell.below.is_some() {
            return Err(cell.policy_node.error(wrong("below")));
        }
        arena.cells[0].policy.discipline.element(scenario.seed(), Sinks::new())?;
    }
    let progress = Meter::new(observer, Unit::Steps, Some(arenas.len() as u64 * STEPS));
    let outcomes: Vec<SearchOutcome<'_>> = (0_u64..)
        .zip(&arenas)
        .map(|(number, &arena)| {
            progress.set(number * STEPS);
            search(arena, budget.begin(arenas.len(), cpu_time), &progress)
        })
        .collect();
    progress.finish();
    Ok(SearchReport::new(scenario, &outcomes))
}

fn search<'a>(arena: Arena<'a>, mut spending: Spending<'_>, progress: &Meter<'_>) -> SearchOutcome<'a> {
    let setting = arena.setting();
    let name = format!("{} at {} Gbps", arena.cells[0].policy.name, setting.innocent_bps as f64 / 1e9);
    let seed: Seed = arena.scenario.seed().part(&format!("attack/search/{name}"));
    let mut search = Search::new(setting.search.space(arena), seed);
    let round = arena.round(seed, 1);
    let go_on = || progress.goes_on();
    let start = progress.done();
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
        progress.set(start + steps(spending.spent()));
        let best = search.best().map_or(0.0, |(_, score)| score);
        progress.describe(&format!("{name}: about {best:.3} after {tried} attacks"));
    }
    let complete = go_on();
    progress.describe(&format!("{name}: measuring what was found"));
    let finalists = search.finalists(FINALISTS).into_iter().map(|(candidate, _)| candidate).collect();
    SearchOutcome { arena, generations: spending.generations, tried, complete, comparison: confirm(arena, finalists) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
fn steps(spent: f64) -> u64 {
    (spent * STEPS as f64) as u64
}
