//! Simulated faults in what keeps state (docs/chaos.md).

use crate::files::{ChoreResult, root};
use crate::program;
use std::process::Command;

/// Runs the chaos with these options.
pub(crate) fn run(options: &[&str]) -> ChoreResult<String> {
    let program = program::chaos()?;
    let status = Command::new(&program).current_dir(root()).args(options).status();
    let status = status.map_err(|error| vec![format!("{}: {error}", program.display())])?;
    if status.success() { Ok("chaos: done".to_owned()) } else { Err(vec!["chaos has failed".to_owned()]) }
}
