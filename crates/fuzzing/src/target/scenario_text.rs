//! Texts of scenarios: a question, or an error with its place.

use super::FuzzTarget;
use crate::seed_files::files;
use forebay::demo::Embedded;
use forebay::run::Part;
use forebay::{Changes, Question, Session};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "scenario_text",
    title: "Any text is a scenario whose cost is known and that runs, or has an error that says where",
    seeds: || {
        [files("experiments", &[".toml"]), files("testdata", &[".toml"]), files("crates/forebay/demo", &[".toml"])]
            .concat()
    },
    run: |data| read(&String::from_utf8_lossy(data)),
    quick: 10_000,
};

/// Scenarios that take longer are not run.
const MOST_SECONDS: f64 = 0.002;
/// Scenarios that surely hold more are rejected.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a scenario as a user does, and runs a short one.
///
/// # Panics
/// If it is no question and its error has no place, or if its cost is no number.
pub(super) fn read(text: &str) {
    match Question::parse("fuzz", text, &Embedded, &Changes::default()) {
        Ok(question) => match question.costs(&Part::default()) {
            Ok(costs) => {
                assert!(costs.iter().all(|cost| cost.packets >= 0.0 && cost.cpu_seconds >= 0.0), "{costs:?}");
                let seconds: f64 = costs.iter().map(|cost| cost.cpu_seconds * cost.runs as f64).sum();
                if seconds < MOST_SECONDS
                    && let Err(error) = question.run(&Session::default().memory(MOST_BYTES))
                {
                    assert!(!error.message().is_empty());
                }
            }
            Err(error) => assert!(!error.message().is_empty()),
        },
        Err(error) => {
            assert!(!error.message().is_empty());
            let has_line = error.line().is_some() || error.file().is_some_and(|file| file != "fuzz");
            assert!(has_line, "an error without a line: {error}");
        }
    }
}
