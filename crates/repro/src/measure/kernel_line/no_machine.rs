//! No virtual machine, in a program for a system that is not Linux, or in a build without the feature `machines`.

use super::run::Run;
use super::setting::Setting;
use crate::Experiment;
use crate::NO_MACHINES;
use forebay::error::{Result, UserError};

const MISSING: &str = if cfg!(target_os = "linux") { NO_MACHINES } else { "it needs Linux" };

/// Why it cannot be measured here.
pub(super) fn missing() -> Option<String> {
    Some(MISSING.to_owned())
}

/// The machine. It has no values.
pub(super) enum Line {}

impl Line {
    pub(super) fn new(_: &Experiment) -> Result<Self> {
        Err(UserError::new(MISSING))
    }

    pub(super) fn run(self, _: &[Setting], _: &[u64]) -> Result<Vec<Run>> {
        match self {}
    }
}
