//! How `forebay run` ends: what was measured is printed, and left in a folder.

use crate::args::{Format, RunArgs};
use crate::manifest::manifest;
use crate::{Done, interrupt, warn};
use forebay::error::Result;
use forebay::output::folder;
use serde::Serialize;
use std::time::Instant;

/// What was measured, in every form that a person may want.
pub(super) trait Reported: Serialize {
    /// For people.
    fn table(&self) -> String;

    /// For other tools.
    fn csv(&self) -> String;

    /// Pictures with the names of their files.
    ///
    /// # Errors
    /// If one cannot be drawn.
    fn plots(&self) -> Result<Vec<(String, String)>>;

    /// What was noticed and is not in the output of this form.
    fn warnings(&self, format: Format) -> &[String];

    /// Whether nothing is missing.
    fn is_complete(&self) -> bool;
}

/// Warns, writes the folder, and prints. `text` is that of the scenario, which began to run at `start` with `seed`.
pub(super) fn finish(args: &RunArgs, text: &str, seed: u64, start: Instant, report: &impl Reported) -> Result<Done> {
    report.warnings(args.format).iter().for_each(|warning| warn(warning));
    if let Some(folder) = &args.out {
        let manifest = manifest(text, seed, start);
        folder::write_result(folder, report, &manifest, &report.plots()?)?;
    }
    let text = match args.format {
        Format::Table => report.table(),
        Format::Json => folder::json(report)?,
        Format::Csv => report.csv(),
    };
    let is_interrupted = !report.is_complete() && interrupt::requested();
    Ok(Done { text, status: if is_interrupted { interrupt::EXIT_STATUS } else { 0 } })
}
