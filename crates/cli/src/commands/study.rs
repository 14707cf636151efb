//! `forebay run SCENARIO`, where the scenario is a queue study.

use super::reported::{Reported, finish};
use crate::Done;
use crate::args::{Format, RunArgs};
use crate::terminal::TERMINAL;
use forebay::document::Node;
use forebay::error::Result;
use forebay::output::folder;
use forebay::scenario::Beside;
use forebay::study::{self, Study, StudyReport};
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
    let recorder = args.record_ops.as_ref().map(|folder| study::recorder(&study, folder, &TERMINAL)).transpose()?;
    let start = Instant::now();
    let report = study::run(&study, recorder.as_ref(), &TERMINAL)?;
    finish(args, text, study.seed.0, start, &report)
}

impl Reported for StudyReport {
    fn table(&self) -> String {
        study::table(self)
    }

    fn csv(&self) -> String {
        study::csv(self)
    }

    fn plots(&self) -> Result<Vec<(String, String)>> {
        let plots = study::plots(self).map_err(folder::plot_error)?;
        Ok(plots.into_iter().map(|(name, svg)| (name.to_owned(), svg)).collect())
    }

    fn warnings(&self, _: Format) -> &[String] {
        &self.warnings
    }

    fn is_complete(&self) -> bool {
        self.is_complete()
    }
}
