//! Warnings of policies that are slow or draw entries, before they are played.

use super::capacity::CapacitySpec;
use super::scenario::{CacheScenario, Capacities, Cell, Task};
use forebay_cache::mad::USUAL_DRAWS;
use forebay_cache::{Choice, Compared};

/// Entries looked at in a run that are not worth a warning: one to eight seconds of CPU time, measured with 10,000 entries.
const ENTRIES_LOOKED_AT: f64 = 1e8;
/// Entries of a cache whose capacity is a share of a trace that was not read yet.
const USUAL_ENTRIES: f64 = 10_000.0;

/// Returns a warning for each policy that looks at all entries for each victim, if the trace is long and the cache is large.
pub(super) fn warnings(scenario: &CacheScenario) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    for cell in &scenario.cells {
        let Task::Policy(choice) = &cell.task else { continue };
        if !choice.looks_at_all() || looked_at(cell) < ENTRIES_LOOKED_AT {
            continue;
        }
        let warning = format!("`{choice}` compares all entries at each eviction, which is slow; {}", advice(choice));
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings.extend(drawing(scenario));
    warnings
}

/// Says which policies look at some entries only.
fn drawing(scenario: &CacheScenario) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for cell in &scenario.cells {
        if let Task::Policy(choice) = &cell.task
            && choice.draws_unasked()
            && !names.contains(&format!("`{choice}`"))
        {
            names.push(format!("`{choice}`"));
        }
    }
    let verb = if names.len() == 1 { "compares" } else { "compare" };
    let last = names.pop()?;
    let all = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    Some(format!("{all} {verb} {USUAL_DRAWS} entries drawn at each eviction, not all; `sample=0` compares all"))
}

/// About how many entries are looked at in a run of the cell, if each request needs a victim.
fn looked_at(cell: &Cell) -> f64 {
    let setting = &cell.setting;
    let entries = |spec: &CapacitySpec| match spec.resolve(setting.sized, None) {
        Ok(capacity) if !setting.sized => capacity as f64,
        _ => USUAL_ENTRIES,
    };
    let largest = match &setting.capacities {
        Capacities::Given(specs) => specs.iter().map(entries).fold(0.0, f64::max),
        Capacities::Spread(_) => USUAL_ENTRIES,
    };
    let share = setting.sample.unwrap_or(1.0);
    setting.trace.requests_at_a_guess() * share * largest * share
}

fn advice(choice: &Choice) -> String {
    match choice.entry().compared {
        Compared::As(text) if !choice.is_mad() => format!("`{text}` does not"),
        _ => format!("without `sample=0`, it compares {USUAL_DRAWS} that are drawn"),
    }
}
