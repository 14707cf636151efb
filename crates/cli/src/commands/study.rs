//! `forebay run SCENARIO`, where the scenario is a queue study.

use crate::args::{Format, RunArgs};
use crate::document::Node;
use crate::error::Result;
use crate::output::folder::{self, Manifest};
use crate::scenario::Beside;
use crate::study::{self, Study, StudyReport};
use crate::{Done, interrupt, warn};
use std::time::Instant;

/// Runs the study in `document`, which was read from `text`; `prepare` is called when
/// it has been checked.
pub(super) fn run(
    args: &RunArgs,
    document: &Node,
    default_name: &str,
    text: &str,
    prepare: impl Fn() -> Result<()>,
) -> Result<Done> {
    let study = Study::read(document, default_name, args.seed, &Beside(&args.scenario))?;
    prepare()?;
    let recorder = args.record_ops.as_ref().map(|folder| study::recorder(&study, folder)).transpose()?;
    let start = Instant::now();
    let report = study::run(&study, recorder.as_ref())?;
    for warning in &report.warnings {
        warn(warning);
    }
    if let Some(folder) = &args.out {
        let manifest = Manifest::new(text, study.seed.0, start.elapsed());
        folder::write(folder, "result.json", folder::json(&report)?.as_bytes())?;
        folder::write(folder, "manifest.json", folder::json(&manifest)?.as_bytes())?;
        for (name, svg) in study::plots(&report).map_err(folder::plot_error)? {
            folder::write(folder, name, svg.as_bytes())?;
        }
    }
    let text = match args.format {
        Format::Table => study::table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => study::csv(&report),
    };
    Ok(Done { text, status: status(&report) })
}

/// 0, or 130 if the study was interrupted.
fn status(report: &StudyReport) -> u8 {
    if !report.is_complete() && interrupt::requested() { interrupt::EXIT_STATUS } else { 0 }
}
