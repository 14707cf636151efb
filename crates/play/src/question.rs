//! The questions that a page asks, as they stand in JSON.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A question; `ask` names its kind.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Question {
    /// Run a scenario.
    Run(Run),
    /// Compile a policy for a target.
    Compile(Compile),
    /// Pass a message of the Language Server Protocol.
    Language {
        /// The message.
        message: serde_json::Value,
    },
    /// List the targets of the compiler.
    Targets,
}

/// A scenario with changes, as the command `run` takes them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    /// The text of the scenario, in TOML.
    pub(crate) scenario: String,
    /// The name that messages and results give it.
    #[serde(default = "usual_name")]
    pub(crate) name: String,
    /// Values to replace, as `KEY=VALUE`.
    #[serde(default)]
    pub(crate) set: Vec<String>,
    /// Replaces the seed.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// Whether the answer has the pictures.
    #[serde(default)]
    pub(crate) pictures: bool,
    /// The command line that makes the same result. With it, the answer has the report, which is a page of its own.
    #[serde(default)]
    pub(crate) report: Option<String>,
}

fn usual_name() -> String {
    "scenario".to_owned()
}

/// A policy in OpenQueue, and the target that it is compiled for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compile {
    /// The name of the file that the room holds.
    pub(crate) policy: String,
    /// The name of the target.
    pub(crate) target: String,
    /// Values of the policy's params.
    #[serde(default)]
    pub(crate) params: BTreeMap<String, String>,
    /// The headers that fields of packets are read from, as in `queue=dscp`.
    #[serde(default)]
    pub(crate) fields: Vec<String>,
}
