//! `make test`: all that must hold, part by part, side by side on the cores that are there, with a table of times at the end.

mod command;
mod list;
mod part;
mod report;
mod schedule;

use crate::files::ChoreResult;
use part::{End, Part};

/// Runs the parts of a list, or those that are named.
pub(crate) fn run(list: &str, names: &[&str]) -> ChoreResult<String> {
    let parts = chosen(list, names)?;
    let mut terminal = report::Terminal::new(parts.len());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let results = schedule::run_all(&parts, cores, command::run, &mut terminal);
    println!("\n{}\n", report::table(&results, terminal.seconds()));
    println!("tests that cargo and pytest have counted: {}", report::tests_passed(&results));
    let passed = results.iter().filter(|result| result.end == End::Passed).count();
    println!("{passed} passed, {} failed", results.len() - passed);
    let failed: Vec<_> = results.iter().filter(|result| result.end == End::Failed).collect();
    if failed.is_empty() {
        return Ok("all parts have passed".to_owned());
    }
    Err(failed.iter().map(|result| format!("{} has failed; see {}", result.part.name, shown(result.part))).collect())
}

fn shown(part: Part) -> String {
    format!("target/test/{}.log", part.name)
}

fn chosen(list: &str, names: &[&str]) -> ChoreResult<Vec<Part>> {
    let Some(parts) = list::parts_of(list) else {
        return Err(vec![format!("there is no list `{list}`; there are {}", list::NAMES.join(", "))]);
    };
    if names.is_empty() {
        return Ok(parts);
    }
    names
        .iter()
        .map(|name| {
            let known = || parts.iter().map(|part| format!("  {:16} {}", part.name, part.about)).collect::<Vec<_>>();
            let found = parts.iter().find(|part| part.name == *name).copied();
            found.ok_or_else(|| {
                vec![format!("there is no part `{name}` in `{list}`; there are\n{}", known().join("\n"))]
            })
        })
        .collect()
}
