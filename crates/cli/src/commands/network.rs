//! `forebay run SCENARIO`, where the scenario is a network.

use crate::args::{Format, RunArgs};
use crate::document::Node;
use crate::error::{Result, UserError};
use crate::network::{self, NetworkScenario};
use crate::output::folder::{self, Manifest};
use crate::scenario::Beside;
use crate::{Done, interrupt};
use std::io::Write as _;
use std::time::Instant;

/// Runs the scenario in `document`, which was read from `text`; `prepare` is called when it has been checked.
pub(super) fn run(
    args: &RunArgs,
    document: &Node,
    default_name: &str,
    text: &str,
    prepare: impl Fn() -> Result<()>,
) -> Result<Done> {
    if args.record_ops.is_some() {
        return Err(UserError::at("--record-ops", "a network has no single rank queue; record those of a scenario with [port]"));
    }
    let scenario = NetworkScenario::read(document, default_name, args.seed, &Beside(&args.scenario))?;
    prepare()?;
    let start = Instant::now();
    let ran = network::run(&scenario, args.out.as_deref())?;
    if ran.found > 0 {
        // If standard error is closed there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "{} of {} runs were there already", ran.found, ran.runs);
    }
    let status = if !ran.is_complete() && interrupt::requested() { interrupt::EXIT_STATUS } else { 0 };
    let mut text_out = String::new();
    for cell in &ran.results {
        text_out.push_str(&format!("{} {:?} {}\n", cell.scheme, cell.axes, folder::json(&cell.result)?));
    }
    let _ = (args.format == Format::Table, Manifest::new(text, scenario.seed.0, start.elapsed()));
    Ok(Done { text: text_out, status })
}
