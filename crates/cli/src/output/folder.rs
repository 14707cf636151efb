//! The files that `--out` leaves: result.json, manifest.json, plot.svg.

use super::plot;
use crate::error::{Result, UserError};
use crate::report::Report;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How a result came about: what differs between two runs of one scenario stands
/// here and not in result.json.
#[derive(Debug, Serialize)]
pub(crate) struct Manifest {
    pub(crate) forebay: &'static str,
    pub(crate) arguments: Vec<String>,
    pub(crate) seed: u64,
    /// SHA-256 of the scenario file, before `--set`; of cache results, of the names of the traces.
    pub(crate) scenario_sha256: String,
    pub(crate) started_unix_s: u64,
    pub(crate) wall_time_s: f64,
    pub(crate) threads: usize,
}

impl Manifest {
    /// For a run of the scenario with this text that took so long.
    pub(crate) fn new(scenario: &str, seed: u64, wall_time: Duration) -> Self {
        let started = SystemTime::now() - wall_time;
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            arguments: std::env::args().collect(),
            seed,
            scenario_sha256: Sha256::digest(scenario).iter().map(|byte| format!("{byte:02x}")).collect(),
            started_unix_s: started.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            wall_time_s: wall_time.as_secs_f64(),
            threads: rayon::current_num_threads(),
        }
    }
}

/// Creates the folder, so that a wrong path is found before the run.
pub(crate) fn create(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| UserError::io(folder, "created as a folder", &error))
}

/// Writes one file of the folder.
pub(crate) fn write(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    let path = folder.join(name);
    std::fs::write(&path, content).map_err(|error| UserError::io(&path, "written", &error))
}

/// Writes a result with how it came about, and files with their names.
pub(crate) fn write_result(
    folder: &Path,
    result: &impl Serialize,
    manifest: &Manifest,
    files: &[(String, String)],
) -> Result<()> {
    write(folder, "result.json", json(result)?.as_bytes())?;
    write(folder, "manifest.json", json(manifest)?.as_bytes())?;
    files.iter().try_for_each(|(name, content)| write(folder, name, content.as_bytes()))
}

/// Writes all files of a report.
pub(crate) fn write_report(folder: &Path, report: &Report, manifest: &Manifest) -> Result<()> {
    let plot = plot::svg(report).map_err(plot_error)?;
    write_result(folder, report, manifest, &[("plot.svg".to_owned(), plot)])
}

/// Where a picture cannot be drawn.
#[expect(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
pub(crate) fn plot_error(error: String) -> UserError {
    UserError::new(format!("the plot cannot be drawn: {error}"))
}

/// The value as indented JSON with a line end.
pub(crate) fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| UserError::new(format!("the result cannot be written as JSON: {error}")))
}
