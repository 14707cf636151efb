//! The files that `--out` writes: result.json, manifest.json, plot.svg.
//!
//! ```
//! use forebay::output::folder::{self, Manifest};
//! use std::time::Duration;
//!
//! let folder = std::env::temp_dir().join(format!("forebay-folder-{}", std::process::id()));
//! folder::create(&folder)?;
//! let manifest = Manifest::new("[port]", 7, Vec::new(), Duration::ZERO, Duration::from_secs(2));
//! let rows = [("rows.csv".to_owned(), "policy,drops\n".to_owned())];
//! folder::write_result(&folder, &["the result"], &manifest, &rows)?;
//! for name in ["result.json", "manifest.json", "rows.csv"] {
//!     assert!(folder.join(name).exists());
//! }
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), forebay::UserError>(())
//! ```

use super::atomic_file::write_at_once;
use crate::detail;
use crate::disk::Folder;
use crate::error::{Result, UserError};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// The origin of a result. Facts that differ between two runs of one scenario are here and not in result.json.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The arguments of the command.
    pub arguments: Vec<String>,
    /// The root of all random numbers.
    pub seed: u64,
    /// The SHA-256 of the scenario file, before `--set`; for cache results, of the names of the traces.
    pub scenario_sha256: String,
    /// The time at which the run began, in seconds since 1970.
    pub started_unix_s: u64,
    /// The duration of the run, in seconds.
    pub wall_time_s: f64,
    /// The number of threads.
    pub threads: usize,
}

impl Manifest {
    /// Creates the manifest for a run of the scenario with this text. `started` is the time of its start since 1970.
    pub fn new(scenario: &str, seed: u64, arguments: Vec<String>, started: Duration, wall_time: Duration) -> Self {
        Self {
            forebay: crate::run::VERSION,
            arguments,
            seed,
            scenario_sha256: crate::run::hex(scenario.as_bytes()),
            started_unix_s: started.as_secs(),
            wall_time_s: wall_time.as_secs_f64(),
            threads: rayon::current_num_threads(),
        }
    }
}

/// Creates the folder, so that a wrong path is found before the run.
pub fn create(folder: &Path) -> Result<()> {
    Folder::from(folder).create()
}

/// Writes one file of the folder.
pub fn write(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    write_at_once(&folder.into(), name, content)
}

/// The manifest as written, with the names of the files next to it.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    files: Vec<&'a str>,
}

/// Writes a result with its manifest, and the named files, next to the detail tables of its runs. Files of an earlier command that this one
/// does not write are removed, so that they are not mistaken for files of this one.
pub fn write_result(
    folder: impl Into<Folder>,
    result: &impl Serialize,
    manifest: &Manifest,
    files: &[(String, impl AsRef<[u8]>)],
) -> Result<()> {
    let folder = &folder.into();
    let tables = detail::files_in(folder)?;
    let names: Vec<&str> = tables.iter().chain(files.iter().map(|(name, _)| name)).map(String::as_str).collect();
    let earlier = files_of_earlier(folder)?;
    earlier.iter().filter(|name| !names.contains(&name.as_str())).try_for_each(|name| folder.remove(name))?;
    write_at_once(folder, "result.json", json(result)?.as_bytes())?;
    write_at_once(folder, "manifest.json", json(&Written { manifest, files: names })?.as_bytes())?;
    files.iter().try_for_each(|(name, content)| write_at_once(folder, name, content.as_ref()))
}

/// Returns the files that the manifest in a folder lists, if they are in this folder itself.
fn files_of_earlier(folder: &Folder) -> Result<Vec<String>> {
    let manifest: Option<serde_json::Value> =
        folder.read("manifest.json")?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let files = manifest.as_ref().and_then(|manifest| manifest["files"].as_array());
    let names = files.into_iter().flatten().filter_map(|name| name.as_str());
    Ok(names.filter(|name| Path::new(name).file_name() == Some(name.as_ref())).map(str::to_owned).collect())
}

/// Returns the value as indented JSON with a line ending.
pub fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| UserError::new(format!("the result cannot be written as JSON: {error}")))
}
