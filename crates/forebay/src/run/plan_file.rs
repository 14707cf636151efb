//! What a folder of runs is of: every run of the scenario, so that folders can be joined without the scenario.

use super::{Kept, VERSION, hex};
use crate::error::{Result, UserError};
use crate::output::folder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The name of the file.
pub(crate) const PLAN: &str = "plan.json";

/// All runs of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanFile {
    /// The version that made the runs.
    pub(crate) forebay: String,
    /// The name of the scenario.
    pub(crate) scenario: String,
    pub(crate) seed: u64,
    /// The text of the scenario, for the manifest.
    pub(crate) text_sha256: String,
    /// What the kind of scenario needs for its report.
    pub(crate) head: Value,
    /// In the order of the report.
    pub(crate) runs: Vec<PlannedRun>,
}

/// A run of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlannedRun {
    /// What it is kept under.
    pub(crate) key: String,
    /// What a person calls it.
    pub(crate) title: String,
    pub(crate) policy: String,
    /// The value of each axis.
    pub(crate) axes: Value,
    /// From 0.
    pub(crate) repetition: u64,
    pub(crate) seed: u64,
}

impl PlanFile {
    /// Writes it into a folder. Processes that share the folder write the same.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        folder::write_at_once(&folder.join(PLAN), folder::json(self)?.as_bytes())
    }

    /// Reads that of a folder.
    ///
    /// # Errors
    /// If there is none, it is damaged, or another version made it.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(PLAN);
        let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => UserError::at(
                folder.display(),
                format!("there is no {PLAN}; give a folder that `forebay run --out` has made"),
            ),
            _ => UserError::io(&path, "read", &error),
        })?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| {
            UserError::at(path.display(), "this plan is damaged; run the scenario again with this folder")
        })?;
        if let Some(version) = value["forebay"].as_str().filter(|version| *version != VERSION) {
            return Err(UserError::at(
                path.display(),
                format!(
                    "forebay {version} made these runs, and this is {VERSION}; merge with the same version, or run again"
                ),
            ));
        }
        serde_json::from_value(value)
            .map_err(|_| UserError::at(path.display(), "this plan is damaged; run the scenario again with this folder"))
    }

    /// Joins folders into `out`, and reads their common plan.
    ///
    /// # Errors
    /// If they are of different scenarios or versions, or a file cannot be written.
    pub(crate) fn merge(out: &Path, from: &[&Path]) -> Result<(Self, Kept)> {
        let first = from.first().copied().unwrap_or(out);
        let plan = Self::read(first)?;
        for other in from {
            let theirs = Self::read(other)?;
            if theirs != plan {
                let what = if theirs.text_sha256 == plan.text_sha256 {
                    "another seed or other values"
                } else {
                    "another scenario"
                };
                return Err(UserError::at(
                    other.display(),
                    format!(
                        "these runs are of {what} (`{}`) than those in {} (`{}`)",
                        theirs.scenario,
                        first.display(),
                        plan.scenario
                    ),
                ));
            }
        }
        let kept = Kept::open(out)?;
        if out.join(PLAN).exists() && !from.contains(&out) && Self::read(out)? != plan {
            return Err(UserError::at(out.display(), "this folder has runs of another scenario; choose another one"));
        }
        for other in from {
            let other = Kept::open(other)?;
            plan.runs.iter().try_for_each(|run| kept.take(&run.key, &other))?;
        }
        plan.write(out)?;
        Ok((plan, kept))
    }

    /// The checksum of a scenario's text.
    pub(crate) fn text_sum(text: &str) -> String {
        hex(text.as_bytes())
    }
}
