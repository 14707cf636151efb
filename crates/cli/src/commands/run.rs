//! `forebay run SCENARIO`.

use crate::args::{Format, RunArgs};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::{Done, interrupt, warn};
use forebay::document::Node;
use forebay::error::{Result, UserError, utf8};
use forebay::op_streams::Recorder;
use forebay::output::folder::{self, Manifest};
use forebay::output::{csv, table};
use forebay::report::Report;
use forebay::scenario::{Beside, Scenario};
use forebay::{experiment, network, study, threads};
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &RunArgs) -> Result<Done> {
    let text = read_text(&args.scenario)?;
    let (document, name) = read_document(&args.scenario, &text, &args.set)?;
    if study::is_study(&document) {
        return super::study::run(args, &document, &name, &text, || prepare(args));
    }
    if network::is_network(&document) {
        return super::network::run(args, &document, &name, &text, || prepare(args));
    }
    let scenario = Scenario::read(&document, &name, args.seed, &Beside(&args.scenario))?;
    prepare(args)?;
    let recorder = recorder(args, &scenario)?;
    let (report, manifest) = measure(&scenario, &text, recorder.as_ref())?;
    if let Some(folder) = &args.out {
        folder::write_report(folder, &report, &manifest)?;
    }
    let text = match args.format {
        Format::Table => table::report(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => csv::report(&report),
    };
    Ok(Done { text, status: status(&report) })
}

/// Records what `args` ask for.
fn recorder(args: &RunArgs, scenario: &Scenario) -> Result<Option<Recorder>> {
    let Some(folder) = &args.record_ops else { return Ok(None) };
    let run = format!("scenario {:?}, seed {}", scenario.name, scenario.seed.0);
    let lines: Vec<_> = scenario.policies.iter().map(|policy| (policy, policy.name.clone())).collect();
    Recorder::new(folder, run, &lines, &TERMINAL).map(Some)
}

/// What comes between a checked scenario and its run.
fn prepare(args: &RunArgs) -> Result<()> {
    threads::start(args.threads)?;
    // Before anything is written, so that no interrupt finds a half-made folder.
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    Ok(())
}

/// Runs a scenario that was read from `text`. Warnings go to standard error.
pub(crate) fn measure(scenario: &Scenario, text: &str, recorder: Option<&Recorder>) -> Result<(Report, Manifest)> {
    let start = Instant::now();
    let report = experiment::run(scenario, recorder, &TERMINAL)?;
    for warning in &report.warnings {
        warn(warning);
    }
    let manifest = manifest(text, scenario.seed.0, start);
    Ok((report, manifest))
}

/// 0, or 130 if the run was interrupted.
pub(crate) fn status(report: &Report) -> u8 {
    let complete = report.results.iter().all(|result| result.complete);
    if !complete && interrupt::requested() { interrupt::EXIT_STATUS } else { 0 }
}

/// Bytes of a scenario at most: a file without end is none.
const MOST_BYTES: u64 = 16_000_000;

pub(crate) fn read_text(path: &Path) -> Result<String> {
    let unreadable = |error: std::io::Error| UserError::io(path, "read", &error);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message =
            format!("this has more than {MOST_BYTES} bytes, the most that is read; a scenario is a short text");
        return Err(UserError::at(path.display(), message));
    }
    utf8(&path.display().to_string(), bytes, "a scenario is a text in TOML")
}

pub(crate) fn read_scenario(path: &Path, text: &str, set: &[String], seed: Option<u64>) -> Result<Scenario> {
    let (document, name) = read_document(path, text, set)?;
    Scenario::read(&document, &name, seed, &Beside(path))
}

/// The document in a file, with the arguments `--set`, and the name of the scenario
/// if it has none of its own.
pub(crate) fn read_document(path: &Path, text: &str, set: &[String]) -> Result<(Node, String)> {
    let mut document = Node::parse(&path.display().to_string(), text)?;
    for argument in set {
        document.set(argument)?;
    }
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok((document, name))
}
