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

/// The manifest as it is written, with what stands beside it.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    files: Vec<&'a str>,
}

/// Writes a result with how it came about, and files with their names. Files that an earlier command left and this one does
/// not are removed, so that nobody takes them for its own.
pub(crate) fn write_result(
    folder: &Path,
    result: &impl Serialize,
    manifest: &Manifest,
    files: &[(String, String)],
) -> Result<()> {
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    for old in files_of_earlier(folder).iter().filter(|old| !names.contains(&old.as_str())) {
        // It may be gone.
        let _gone = std::fs::remove_file(folder.join(old));
    }
    write(folder, "result.json", json(result)?.as_bytes())?;
    write(folder, "manifest.json", json(&Written { manifest, files: names })?.as_bytes())?;
    files.iter().try_for_each(|(name, content)| write(folder, name, content.as_bytes()))
}

/// What the manifest in a folder says that was written there, as far as it lies in this folder itself.
fn files_of_earlier(folder: &Path) -> Vec<String> {
    let manifest = std::fs::read(folder.join("manifest.json")).ok();
    let manifest: Option<serde_json::Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let files = manifest.as_ref().and_then(|manifest| manifest["files"].as_array());
    let names = files.into_iter().flatten().filter_map(|name| name.as_str());
    names.filter(|name| Path::new(name).file_name() == Some(name.as_ref())).map(str::to_owned).collect()
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
