//! No virtual machine, in a program for a system that is not Linux.

use super::run::Run;
use super::setting::Setting;
use crate::Experiment;

const MISSING: &str = "it needs Linux";

/// Why it cannot be measured here.
pub(super) fn missing() -> Option<String> {
    Some(MISSING.to_owned())
}

/// The machine. It has no values.
pub(super) enum Line {}

impl Line {
    pub(super) fn new(_: &Experiment) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }

    pub(super) fn run(self, _: &[Setting], _: &[u64]) -> Result<Vec<Run>, String> {
        match self {}
    }
}
