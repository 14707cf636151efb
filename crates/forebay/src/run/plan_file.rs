//! The plan of a folder of runs: every run of the scenario, so that folders can be merged without the scenario.

use super::run_store::{KEY_DIGITS, hex, seal, unseal};
use super::{Kept, VERSION};
use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::output::atomic_file::write_at_once;
use crate::sweep::AxisValue;
use forebay_core::Seed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The name of the file.
pub(crate) const PLAN: &str = "plan.json";

/// All runs of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanFile {
    /// The version that made the runs.
    pub(crate) forebay: String,
    /// The kind of scenario.
    pub(crate) kind: String,
    /// The name of the scenario.
    pub(crate) scenario: String,
    pub(crate) seed: u64,
    /// SHA-256 of the scenario's file.
    pub(crate) scenario_sha256: String,
    /// The SHA-256 of the scenario's values, including replaced ones.
    pub(crate) values_sha256: String,
    /// The facts that the kind of scenario needs for its report.
    pub(crate) head: Value,
    /// The runs in the order of the report.
    pub(crate) runs: Vec<PlannedRun>,
}

/// A run of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlannedRun {
    /// The key under which the run is kept.
    pub(crate) key: String,
    /// The run's title for people.
    pub(crate) title: String,
    pub(crate) policy: String,
    /// The value of each axis.
    #[serde(with = "shared")]
    pub(crate) axes: Arc<Value>,
    /// The number of the repetition, from 0.
    pub(crate) repetition: u64,
    pub(crate) seed: u64,
}

/// The values of a cell's axes, which all of its runs share: there may be a million of them.
pub(crate) struct CellAxes {
    json: Arc<Value>,
    /// The axes in the words of a title.
    words: String,
}

impl CellAxes {
    pub(crate) fn new(axes: &[(String, AxisValue)]) -> Result<Self> {
        let json = serde_json::to_value(axes)
            .map_err(|error| UserError::new(format!("axes cannot be written as JSON: {error}")))?;
        let words = axes.iter().map(|(name, value)| format!(" {name} {}", value.text)).collect();
        Ok(Self { json: Arc::new(json), words })
    }
}

/// A shared value in a file: each has its own there.
mod shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(value: &Arc<Value>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Arc<Value>, D::Error> {
        Value::deserialize(deserializer).map(Arc::new)
    }
}

impl PlannedRun {
    /// Creates a run of a cell. `depends_on` is a checksum of all inputs of the run, except for the seed.
    pub(crate) fn new(policy: &str, axes: &CellAxes, depends_on: &str, repetition: u64, seed: Seed) -> Self {
        Self {
            key: hex(format!("{depends_on} seed {}", seed.0).as_bytes())[..KEY_DIGITS].to_owned(),
            title: format!("{policy}{} repetition {repetition}", axes.words),
            policy: policy.to_owned(),
            axes: Arc::clone(&axes.json),
            repetition,
            seed: seed.0,
        }
    }

    /// Returns the value of each axis.
    pub(crate) fn axes(&self) -> Result<Vec<(String, AxisValue)>> {
        Vec::deserialize(self.axes.as_ref())
            .map_err(|_| UserError::new(format!("the plan has wrong axes for the run `{}`", self.title)))
    }
}

/// The scenario's description of itself.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) name: String,
    pub(crate) seed: Seed,
    /// SHA-256 of the file; empty if there is none.
    pub(crate) file_sha256: String,
    /// The SHA-256 of the values, including replaced ones.
    pub(crate) values_sha256: String,
}

impl PlanFile {
    /// Creates the plan of a scenario of this kind. `head` has the facts that the kind needs for its report.
    pub(crate) fn new(kind: &str, said: &Said, head: &impl Serialize, runs: Vec<PlannedRun>) -> Result<Self> {
        let head = serde_json::to_value(head)
            .map_err(|error| UserError::new(format!("the plan cannot be written as JSON: {error}")))?;
        Ok(Self {
            forebay: VERSION.to_owned(),
            kind: kind.to_owned(),
            scenario: said.name.clone(),
            seed: said.seed.0,
            scenario_sha256: said.file_sha256.clone(),
            values_sha256: said.values_sha256.clone(),
            head,
            runs,
        })
    }

    /// Returns the `head` that was given to [`new`](Self::new). `folder` contains the plan.
    pub(crate) fn head<H: DeserializeOwned>(&self, folder: &Folder) -> Result<H> {
        serde_json::from_value(self.head.clone()).map_err(|_| {
            UserError::at(folder.path().display(), "the plan is damaged; run the scenario again with this folder")
        })
    }

    /// Returns the number of repetitions.
    pub(crate) fn repetitions(&self) -> u64 {
        self.runs.iter().map(|run| run.repetition + 1).max().unwrap_or(0)
    }

    /// Writes the plan into a folder. Processes that share the folder write the same plan.
    pub(crate) fn write(&self, folder: &Folder) -> Result<()> {
        write_at_once(folder, PLAN, seal(self)?.as_bytes())
    }

    /// Reads the plan of a folder.
    ///
    /// # Errors
    /// If there is none, it is damaged, or another version made it.
    pub(crate) fn read(folder: &Folder) -> Result<Self> {
        let plan = Self::read_if_there(folder)?;
        plan.ok_or_else(|| {
            let message = format!("there is no {PLAN}; give a folder that `forebay run --out` wrote");
            UserError::at(folder.path().display(), message)
        })
    }

    /// Reads the plan of a folder; returns [`None`] if there is none.
    fn read_if_there(folder: &Folder) -> Result<Option<Self>> {
        let Some(bytes) = folder.read(PLAN)? else { return Ok(None) };
        let path = folder.file(PLAN);
        let plan: Self = unseal(&bytes).ok_or_else(|| {
            UserError::at(path.display(), "this plan is damaged; run the scenario again with this folder")
        })?;
        if plan.forebay != VERSION {
            return Err(UserError::at(
                path.display(),
                format!(
                    "forebay {} made these runs, and this is {VERSION}; merge with the same version, or run again",
                    plan.forebay
                ),
            ));
        }
        Ok(Some(plan))
    }

    /// Joins folders into `out`, and reads their common plan.
    ///
    /// # Errors
    /// If they are of different scenarios or versions, or a file cannot be written.
    pub(crate) fn merge(out: &Folder, from: &[Folder]) -> Result<(Self, Kept)> {
        let first = from.first().unwrap_or(out);
        let plan = Self::read(first)?;
        for other in from {
            let theirs = Self::read(other)?;
            if theirs != plan {
                let what = if theirs.values_sha256 != plan.values_sha256 {
                    "the scenario or one of its values differs"
                } else if theirs.seed != plan.seed {
                    "the seed differs"
                } else {
                    "the name of the scenario differs; without a `name` it is the name of the file"
                };
                return Err(UserError::at(
                    other.path().display(),
                    format!("these runs cannot be merged with those in {}: {what}", first.path().display()),
                ));
            }
        }
        let kept = Kept::open(out)?;
        let is_given = from.iter().any(|folder| folder.path() == out.path());
        if !is_given && Self::read_if_there(out)?.is_some_and(|theirs| theirs != plan) {
            return Err(UserError::at(
                out.path().display(),
                "this folder has runs of another scenario; choose another one",
            ));
        }
        for other in from {
            let other = Kept::existing(other);
            plan.runs.iter().try_for_each(|run| kept.take(&run.key, &other))?;
        }
        kept.sync()?;
        plan.write(out)?;
        Ok((plan, kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_another_version_or_with_a_changed_byte_is_rejected() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::from(temporary.path());
        let plan = PlanFile {
            forebay: VERSION.to_owned(),
            kind: "network".to_owned(),
            scenario: "x".to_owned(),
            seed: 1,
            scenario_sha256: String::new(),
            values_sha256: String::new(),
            head: Value::Null,
            runs: Vec::new(),
        };
        plan.write(&folder).unwrap();
        assert_eq!(PlanFile::read(&folder).unwrap(), plan);
        let path = folder.file(PLAN);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"seed\":1", "\"seed\":2")).unwrap();
        assert!(PlanFile::read(&folder).unwrap_err().to_string().contains("damaged"));
        PlanFile { forebay: "0.1.0+0123456789ab".to_owned(), ..plan }.write(&folder).unwrap();
        let error = PlanFile::read(&folder).unwrap_err().to_string();
        assert!(error.contains("forebay 0.1.0+0123456789ab made these runs"), "{error}");
    }
}
