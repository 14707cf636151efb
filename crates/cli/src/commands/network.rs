//! `forebay run SCENARIO`, where the scenario is a network.

use crate::args::{Format, RunArgs};
use crate::document::Node;
use crate::error::{Result, UserError};
use crate::network::{self, NetworkScenario};
use crate::output::folder::{self, Manifest};
use crate::scenario::Beside;
use crate::{Done, interrupt, note, warn};
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
        let message = "a network has many queues; record that of one port, in a scenario with [port] and [traffic]";
        return Err(UserError::at("--record-ops", message));
    }
    let scenario = NetworkScenario::read(document, default_name, args.seed, &Beside(&args.scenario))?;
    prepare()?;
    let start = Instant::now();
    let network::Ran { report, found } = network::run(&scenario, args.out.as_deref())?;
    if found > 0 {
        note(&format!("{found} of {} runs were there already", report.network.runs));
    }
    // The table has them in its notes.
    if args.format != Format::Table {
        report.warnings.iter().for_each(|warning| warn(warning));
    }
    if let Some(folder) = &args.out {
        let manifest = Manifest::new(text, scenario.seed.0, start.elapsed());
        let plots = network::plots(&report)?;
        folder::write_result(folder, &report, &manifest, &plots)?;
    }
    let text = match args.format {
        Format::Table => network::table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => network::csv(&report),
    };
    let is_interrupted = !report.is_complete() && interrupt::requested();
    Ok(Done { text, status: if is_interrupted { interrupt::EXIT_STATUS } else { 0 } })
}
