//! The questions that a page asks, as they are in JSON.

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

/// A scenario with changes, like the options of the command `run`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    /// The text of the scenario, in TOML.
    pub(crate) scenario: String,
    /// The scenario's name in messages and results.
    #[serde(default = "usual_name")]
    pub(crate) name: String,
    /// Values to replace, each as `KEY=VALUE`.
    #[serde(default)]
    pub(crate) set: Vec<String>,
    /// A seed in place of the scenario's.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// Whether the answer includes the pictures.
    #[serde(default)]
    pub(crate) pictures: bool,
    /// The command line that gives the same result. If it is given, the answer includes the report, which is a page of its own.
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
    /// The name of the policy's file in the room.
    pub(crate) policy: String,
    /// The name of the target.
    pub(crate) target: String,
    /// The values of the policy's params.
    #[serde(default)]
    pub(crate) params: BTreeMap<String, String>,
    /// The sources of packet fields, as in `queue=dscp`.
    #[serde(default)]
    pub(crate) fields: Vec<String>,
}
